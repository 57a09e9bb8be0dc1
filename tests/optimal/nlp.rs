//! Problems as nonlinear programmes: derivatives beside differences, conditions of an optimum at plans, and back.

use ode_model::control::{Collocation, InteriorPoint, Nlp, PlanError, Scheme};
use ode_model::prelude::*;
use ode_model::{Dual, StepHessian, StepMap};
use ode_model_optimal::{CartPole, SliderCrank, differences, left, to_upright, turn};

#[test]
fn derivatives_of_a_cart_pole_agree_with_differences() -> Result<(), PlanError> {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64>>();
    let problem = to_upright(&cart, 3, 0.0)?.at_node(2, "miss", 0.4)?;
    let exact = (StepMap::of(&cart, RungeKutta4, &[])?, StepHessian::of(&dual, RungeKutta4)?);
    let problem = problem.at_end("miss")?;
    differences::<_, 4, 1>(&problem, exact)?;
    let exact = (StepMap::of(&cart, RungeKutta4, &[])?, StepHessian::of(&dual, RungeKutta4)?);
    differences::<_, 5, 1>(&problem.free_horizon(1.0, 4.0, 3.0)?, exact)?;
    let problem = to_upright(&cart, 3, 0.0)?.at_node(2, "miss", 0.4)?;
    differences::<_, 4, 3>(&problem, Collocation::exact(&cart, &dual, Scheme::Radau))?;
    differences::<_, 5, 1>(&problem, Collocation::exact(&cart, &dual, Scheme::Trapezoidal))?;
    let problem = problem.free_horizon(1.0, 4.0, 3.0)?.free_start("der(x)", -1.0, 1.0)?.at_node(0, "miss", 0.7)?;
    differences::<_, 6, 3>(&problem, Collocation::exact(&cart, &dual, Scheme::HermiteSimpson))
}

#[test]
fn derivatives_of_a_closed_loop_agree_with_differences() -> Result<(), PlanError> {
    let crank = SliderCrank::<f64>::default();
    let dual = crank.cast::<Dual<f64>>();
    let problem = turn(&crank, 4)?.free_horizon(0.3, 0.9, 0.2)?;
    differences::<_, 7, 3>(&problem, Collocation::exact(&crank, &dual, Scheme::Radau))
}

#[test]
fn plans_of_the_interior_point_are_optima_of_the_programme() -> Result<(), PlanError> {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64>>();
    // a short rail and a horizon that is free, both with inputs that go on and with such as jump
    let problem = to_upright(&cart, 40, 0.0)?.between("rail", -0.6, 0.6)?.free_horizon(1.0, 4.0, 5.0)?;
    let radau = || Collocation::exact(&cart, &dual, Scheme::Radau);
    let plan = InteriorPoint::<_, 5, 3>::of(&problem, radau())?.tolerance(1e-11).solve()?;
    assert!(plan.multipliers("rail")?.iter().any(|y| y.abs() > 1e-2), "a rail that does not matter");
    let mut nlp = Nlp::of(&problem, radau())?;
    let off = left(&mut nlp, &plan)?;
    assert!(off < 1e-8, "{off}");
    // there and back
    let (w, y) = (nlp.variables_of(&plan)?, nlp.multipliers_of(&plan)?);
    let again = nlp.plan(&w, &y)?;
    assert!((again.cost - plan.cost).abs() < 1e-12 * plan.cost);
    assert_eq!((again.times.len(), again.points.len(), again.gains.len()), (41, 120, 0));
    for (one, other) in again.costates.iter().zip(&plan.costates) {
        assert!((one - other).amax() < 1e-6 * (1.0 + other.amax()), "{one} {other}");
    }
    assert_eq!(again.multipliers("rail")?, plan.multipliers("rail")?);
    for (one, other) in again.points.iter().zip(&plan.points) {
        assert!((one.q.th() - other.q.th()).abs() < 1e-9 && (one.t - other.t).abs() < 1e-9);
    }
    let run = Simulation::of(&cart, RungeKutta4).inputs(again.signal()).given(again.states[0].clone());
    let mut run = run.fixed(1e-3).expect("a start");
    run.advance_to(again.times[40]).expect("steps");
    assert!((run.state().q.th() - std::f64::consts::PI).abs() < 1e-3, "{}", run.state().q.th());
    // the names of it
    let names = |entries: &[ode_model::control::NlpEntry], i: usize| entries[i].to_string();
    assert_eq!(names(nlp.variables(), 0), "`horizon` at node 0");
    assert_eq!(names(nlp.variables(), 6), "`u` at point 1 after node 0");
    assert_eq!(names(nlp.rows(), 10), "`rail` at point 1 after node 0");

    let simpson = || Collocation::exact(&cart, &dual, Scheme::HermiteSimpson);
    let plan = InteriorPoint::<_, 6, 2>::of(&problem, simpson())?.tolerance(1e-11).solve()?;
    let off = left(&mut Nlp::of(&problem, simpson())?, &plan)?;
    assert!(off < 1e-8, "{off}");

    // steps
    let problem = to_upright(&cart, 40, 0.0)?;
    let steps = || Ok::<_, PlanError>((StepMap::of(&cart, RungeKutta4, &[])?, StepHessian::of(&dual, RungeKutta4)?));
    let plan = InteriorPoint::<_, 4, 1>::of(&problem, steps()?)?.tolerance(1e-11).solve()?;
    let off = left(&mut Nlp::of(&problem, steps()?)?, &plan)?;
    assert!(off < 1e-8, "{off}");
    Ok(())
}

#[test]
fn so_is_that_of_a_closed_loop() -> Result<(), PlanError> {
    let crank = SliderCrank::<f64>::default();
    let dual = crank.cast::<Dual<f64>>();
    let problem = turn(&crank, 10)?;
    let radau = || Collocation::exact(&crank, &dual, Scheme::Radau);
    let plan = InteriorPoint::<_, 6, 3>::of(&problem, radau())?.tolerance(1e-11).solve()?;
    let off = left(&mut Nlp::of(&problem, radau())?, &plan)?;
    assert!(off < 1e-8, "{off}");
    Ok(())
}

#[test]
fn what_cannot_be_written_so_is_refused() -> Result<(), PlanError> {
    let cart = CartPole::<f64>::default();
    let problem = to_upright(&cart, 5, 0.0)?.at_end("miss")?;
    let dual = cart.cast::<Dual<f64>>();
    let radau = || Collocation::exact(&cart, &dual, Scheme::Radau);
    let mut nlp = Nlp::<_, 4, 3>::of(&problem, radau())?;
    let guess = nlp.guess();
    let message = |error: PlanError| error.to_string();
    assert_eq!(message(nlp.objective(&guess[1..]).unwrap_err()), "number of variables cannot be 34");
    assert_eq!(message(nlp.gradient(&guess, &mut []).unwrap_err()), "length of a gradient cannot be 0");
    assert_eq!(message(nlp.constraints(&guess, &mut []).unwrap_err()), "number of constraints cannot be 0");
    assert_eq!(message(nlp.hessian(&guess, 1.0, &[1.0]).map(drop).unwrap_err()), "number of multipliers cannot be 1");
    assert!(nlp.objective(&vec![f64::NAN; guess.len()]).is_err());
    // after that it is what it was
    assert!(nlp.objective(&guess).is_ok());
    let other = to_upright(&cart, 6, 0.0)?;
    let plan = InteriorPoint::<_, 4, 3>::of(&other, radau())?.plan();
    assert_eq!(message(nlp.variables_of(&plan).unwrap_err()), "number of states of a plan cannot be 7");
    assert_eq!(message(nlp.multipliers_of(&plan).unwrap_err()), "number of costates cannot be 7");
    Ok(())
}
