//! Problems whose optima are known in closed form, and what must not disturb them.

use ode_model::control::{Collocation, InteriorPoint, OptimalControl, Plan, PlanError, Scheme};
use ode_model::prelude::*;
use ode_model::{Dual, StepHessian, StepMap};

model! {
    /// A mass on a line, with costs that are not finite everywhere.
    #[model(derive(Clone, Debug))]
    pub struct Mass<T> {
        coord x: Real;
        input u: Real;
        kinetic = 0.5 * sq(der(x));
        force push on x = u;
        cost effort = sq(u);
        cost root = sqrt(x);
        cost descent = x;
        residual log = ln(x + 0.5);
        residual push = u;
        limit place: x;
        limit speed: der(x);
        limit pull: u;
        limit curve: x - 0.5 * sq(t);
    }
}

type Problem<'a> = OptimalControl<'a, Mass<f64>>;

fn at(x: f64) -> State<Mass<f64>> {
    let mut state = State::neutral(&Mass::default());
    state.q.set_x(x);
    state
}

/// From rest at a place to rest at another one, in a second of ten intervals.
fn between(mass: &Mass<f64>, from: f64, to: f64) -> Problem<'_> {
    Problem::of(mass, 1.0, 10).expect("a problem").start(&at(from)).end(&at(to))
}

fn solve(problem: &Problem<'_>) -> Result<Plan<Mass<f64>, 2, 1>, PlanError> {
    let mass = Mass::default();
    let dual = mass.cast::<Dual<f64>>();
    let map = StepMap::of(&mass, RungeKutta4, &[])?;
    InteriorPoint::of(problem, (map, StepHessian::of(&dual, RungeKutta4)?))?.solve()
}

/// Σ h u² of held inputs: 12 d² of continuous ones, over 1 − 1/n².
fn least(distance: f64) -> f64 {
    12.0 * distance * distance / 0.99
}

#[test]
fn what_does_not_count_may_be_infinite() -> Result<(), PlanError> {
    let mass = Mass::default();
    // √x is not a number on the way
    let plan = solve(&between(&mass, 0.5, -0.2).running("effort")?)?;
    assert!((plan.cost - least(0.7)).abs() < 1e-9, "{}", plan.cost);
    // it counts where it is one, and so does the logarithm
    let plan = solve(&between(&mass, -0.6, 0.5).running("effort")?.at_end("root")?)?;
    assert!((plan.cost - least(1.1) - 0.5_f64.sqrt()).abs() < 1e-9, "{}", plan.cost);
    let squares = between(&mass, -0.6, 0.5).running("push")?.at_end("log")?;
    assert!((solve(&squares)?.cost - 0.5 * least(1.1)).abs() < 1e-9);
    let gauss_newton = InteriorPoint::<_, 2, 1>::of(&squares, StepMap::of(&mass, RungeKutta4, &[])?)?.solve()?;
    assert!((gauss_newton.cost - 0.5 * least(1.1)).abs() < 1e-9);
    // its slope is infinite at 0
    let error = solve(&between(&mass, 0.0, 0.5).running("effort")?.running("root")?).unwrap_err();
    assert_eq!(error.to_string(), "`root` is not finite at node 0");
    Ok(())
}

#[test]
fn bounds_may_be_equal() -> Result<(), PlanError> {
    let mass = Mass::default();
    let problem = || Problem::of(&mass, 1.0, 10)?.start(&at(0.0)).running("effort");
    // nothing is left to choose
    let plan = solve(&problem()?.between("u", 0.5, 0.5)?)?;
    assert!((plan.cost - 0.25).abs() < 1e-12 && plan.gains.iter().all(|gain| gain.amax() == 0.0));
    // a limit of the input, whose cost u² is to be moved
    for u in [1e-3, 1.0, 30.0] {
        let plan = solve(&problem()?.between("pull", u, u)?)?;
        assert!(
            (plan.cost / (u * u) - 1.0).abs() < 1e-7 && plan.inputs.iter().all(|found| (found.u() - u).abs() < 1e-8)
        );
        let sum: f64 = plan.multipliers("pull")?.iter().sum();
        assert!((sum / (2.0 * u) + 1.0).abs() < 1e-6, "{sum}");
    }
    // one of the state
    let plan = solve(&problem()?.between("curve", 0.0, 0.0)?)?;
    assert!((plan.cost - 1.0).abs() < 1e-7 && (plan.states[10].q.x() - 0.5).abs() < 1e-8, "{}", plan.cost);
    Ok(())
}

#[test]
fn limits_are_checked_where_the_end_is_given() -> Result<(), PlanError> {
    let mass = Mass::default();
    let guess = |x: f64| (vec![at(x); 11], vec![[0.0].into(); 10]);
    // the last state of a guess is not the end
    let (states, inputs) = guess(0.0);
    let problem = between(&mass, 0.0, 1.0).running("effort")?.guess(&states, &inputs)?;
    let error = solve(&problem.between("place", -1.0, 0.9)?).unwrap_err();
    assert!(matches!(error, PlanError::Contradiction { time, value, .. } if time == 1.0 && value == 1.0), "{error}");
    let (states, inputs) = guess(7.0);
    let problem = between(&mass, 0.0, 1.0).running("effort")?.guess(&states, &inputs)?;
    assert!((solve(&problem.between("place", -1.0, 2.0)?)?.cost - least(1.0)).abs() < 1e-9);
    // a part of the end may be at its limit, and not beyond
    let rest = |high| between(&mass, 0.0, 1.0).end_of(&at(1.0), ["x"])?.running("effort")?.between("place", -1.0, high);
    assert!((solve(&rest(1.0)?)?.cost - solve(&rest(9.0)?)?.cost).abs() < 1e-7);
    assert!(matches!(solve(&rest(0.9)?), Err(PlanError::Contradiction { .. })));
    let error = solve(&between(&mass, 0.0, f64::NAN).running("effort")?.guess(&states, &inputs)?).unwrap_err();
    assert!(matches!(error, PlanError::Guess { node: 10, name } if name.as_str() == "x"), "{error}");
    Ok(())
}

#[test]
fn a_plan_that_is_guessed_has_its_gains() -> Result<(), PlanError> {
    let mass = Mass::default();
    let problem = || between(&mass, 0.5, -0.2).running("effort");
    let plan = solve(&problem()?)?;
    let guessed = solve(&problem()?.guess(&plan.states, &plan.inputs)?)?;
    assert!((guessed.cost - plan.cost).abs() < 1e-12);
    // at rest there is nothing to search
    let rest = solve(&between(&mass, 0.0, 0.0).running("effort")?)?;
    assert_eq!(rest.iterations.len(), 1);
    for found in [&guessed, &rest] {
        let off = found.gains.iter().zip(&plan.gains).map(|(found, wanted)| (found - wanted).amax() / wanted.amax());
        assert!(off.fold(0.0, f64::max) < 1e-6, "{:?} {:?}", found.gains[0], plan.gains[0]);
    }
    Ok(())
}

#[test]
fn searches_without_an_end_say_so() -> Result<(), PlanError> {
    let mass = Mass::default();
    // falls for ever
    let endless = Problem::of(&mass, 1.0, 10)?.start(&at(0.5)).at_end("descent")?;
    let error = solve(&endless).unwrap_err();
    assert!(!error.to_string().contains("``"), "{error}");
    // the derivative of √x grows on the way to the optimum at 0
    let blunt = Problem::of(&mass, 1.0, 10)?.start(&at(0.5)).running("effort")?;
    let error = solve(&blunt.at_node(10, "root", 5.0)?).unwrap_err();
    assert!(matches!(error, PlanError::NoDescent { .. }), "{error}");
    Ok(())
}

model! {
    /// A bead in syrup, beside a resistor whose current follows from the voltage.
    #[model(order = 1, derive(Clone, Debug))]
    pub struct Syrup<T> {
        coord x: Real;
        input u: Real;
        algebraic i: Real;
        mass x = 2.0;
        force push on x = u;
        constraint node: i + 0.1 * i * i * i == u;
        cost speed = sq(der(x));
        cost heat = sq(i);
        cost effort = sq(u);
        residual current = i;
        limit most: i;
        init x = 0.0;
        guess i = 0.0;
    }
}

#[test]
fn what_follows_from_the_state_is_no_cost() -> Result<(), PlanError> {
    let model = Syrup::default();
    let dual = model.cast::<Dual<f64>>();
    let mut end = State::neutral(&model);
    end.q.set_x(1.0);
    let problem = || Ok::<_, PlanError>(OptimalControl::of(&model, 1.0, 10)?.end(&end));
    let solve = |problem: OptimalControl<'_, Syrup<f64>>| {
        let map = StepMap::of(&model, RungeKutta4, &[])?;
        InteriorPoint::<_, 1, 1>::of(&problem, (map, StepHessian::of(&dual, RungeKutta4)?))?.solve()
    };
    for (cost, variable) in [("speed", "der(x)"), ("heat", "i"), ("current", "i")] {
        let error = solve(problem()?.running(cost)?).unwrap_err();
        assert!(error.to_string().starts_with(&format!("`{cost}` reads `{variable}`")), "{error}");
    }
    let error = solve(problem()?.running("effort")?.between("most", -1.0, 1.0)?).unwrap_err();
    assert!(matches!(error, PlanError::Follows { name, .. } if name.as_str() == "most"), "{error}");
    // u = 2 throughout, by collocation too
    let effort = problem()?.running("effort")?;
    let radau = Collocation::exact(&model, &dual, Scheme::Radau);
    let plan = InteriorPoint::<_, 1, 3>::of(&effort, radau)?.solve()?;
    assert!((plan.cost - 4.0).abs() < 1e-9, "{}", plan.cost);
    // the points have what follows from the state and the inputs
    assert!(plan.points.iter().all(|x| (x.v.x() - 1.0).abs() < 1e-6), "{:?}", plan.points[4]);
    assert!(plan.points.iter().all(|x| (x.z.i() + 0.1 * x.z.i().powi(3) - 2.0).abs() < 1e-6));
    let simpson = Collocation::exact(&model, &dual, Scheme::HermiteSimpson);
    assert!((InteriorPoint::<_, 2, 2>::of(&effort, simpson)?.solve()?.cost - 4.0).abs() < 1e-9);
    assert!((solve(effort)?.cost - 4.0).abs() < 1e-9);
    Ok(())
}
