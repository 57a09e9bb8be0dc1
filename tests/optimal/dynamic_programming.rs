//! Differential dynamic programming beside the optima of other programs.

use std::ops::ControlFlow;

use ode_model::control::{Ddp, Ilqr, OptimalControl, PlanError};
use ode_model::integrators::{Explicit, SemiExplicitEuler};
use ode_model::prelude::*;
use ode_model::{Dual, StepHessian, StepMap};
use ode_model_optimal::{CartPole, DoublePole, Quadrotor, flight, near_upright, reach, to_upright};

fn close(found: f64, wanted: f64, tolerance: f64) {
    assert!((found / wanted - 1.0).abs() < tolerance, "{found}, not {wanted}");
}

/// A map and second derivatives of the steps of a method.
macro_rules! exact {
    ($system:expr, $dual:expr, $method:expr) => {
        (StepMap::of($system, $method, &[]).expect("a map"), StepHessian::of($dual, $method).expect("a model"))
    };
}

/// The same without second derivatives of the motion.
macro_rules! ilqr {
    ($system:expr, $dual:expr, $method:expr) => {
        Ilqr(StepMap::of($system, $method, &[]).expect("a map"), StepHessian::of($dual, $method).expect("a model"))
    };
}

const EULER: SemiExplicitEuler<Explicit> = SemiExplicitEuler::explicit();

#[test]
fn a_cart_pole_is_swung_up_from_the_line_and_from_rest() {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64>>();
    // IPOPT and fatrop with bounds as they are
    let wanted = 56.734_962_708_9;
    for (from_line, most) in [(true, 40), (false, 100)] {
        let problem = near_upright(&cart, from_line, 0.0).expect("a problem");
        let plan =
            Ddp::<_, 4, 1>::of(&problem, exact!(&cart, &dual, EULER)).expect("a solver").solve().expect("an optimum");
        close(plan.cost, wanted, 1e-10);
        assert!(plan.iterations.len() < most, "{}", plan.iterations.len());
        // a bound is met exactly
        assert!(plan.inputs.iter().any(|u| u.u().abs() == 10.0) && plan.inputs.iter().all(|u| u.u().abs() <= 10.0));
        // without the curvature of the motion more iterations are needed
        let mut solver = Ddp::<_, 4, 1>::of(&problem, ilqr!(&cart, &dual, EULER)).expect("a solver").tolerance(1e-6);
        close(solver.solve().expect("an optimum").cost, wanted, 1e-9);
    }
}

#[test]
fn two_poles_are_swung_up_from_rest() {
    let cart = DoublePole::<f64>::default();
    let dual = cart.cast::<Dual<f64>>();
    let problem = near_upright(&cart, false, 0.0).expect("a problem");
    let plan =
        Ddp::<_, 6, 1>::of(&problem, exact!(&cart, &dual, EULER)).expect("a solver").solve().expect("an optimum");
    // the minimum that Crocoddyl's Box-FDDP finds from there
    close(plan.cost, 393.477_263_058_175, 1e-10);
}

/// `cargo test --release -p ode-model-optimal -- --ignored`
#[test]
#[ignore = "takes minutes without optimisation"]
fn the_line_leads_to_other_minima() {
    let cart = DoublePole::<f64>::default();
    let dual = cart.cast::<Dual<f64>>();
    let problem = near_upright(&cart, true, 0.0).expect("a problem");
    // the interior point finds 322.3 from there, Crocoddyl's Box-FDDP 21677
    let plan =
        Ddp::<_, 6, 1>::of(&problem, exact!(&cart, &dual, EULER)).expect("a solver").solve().expect("an optimum");
    close(plan.cost, 18_440.789_012_122, 1e-9);
    let mut solver = Ddp::<_, 6, 1>::of(&problem, ilqr!(&cart, &dual, EULER)).expect("a solver").tolerance(1e-5);
    close(solver.solve().expect("an optimum").cost, 393.477_263_058_175, 1e-9);
}

#[test]
fn a_quadrotor_flies_through_waypoints() {
    let quadrotor = Quadrotor::<f64>::default();
    let dual = quadrotor.cast::<Dual<f64>>();
    let problem = flight(&quadrotor, 0.0).expect("a problem");
    let plan = Ddp::<_, 12, 4>::of(&problem, exact!(&quadrotor, &dual, EULER))
        .expect("a solver")
        .tolerance(1e-7)
        .solve()
        .expect("an optimum");
    // IPOPT and fatrop: 1.836337515 with bounds that are relaxed by 1e-8
    close(plan.cost, 1.836_337_517_9, 1e-9);
    let mut solver = Ddp::<_, 12, 4>::of(&problem, ilqr!(&quadrotor, &dual, EULER)).expect("a solver").tolerance(1e-6);
    close(solver.solve().expect("an optimum").cost, 1.836_337_517_9, 1e-8);
}

#[test]
fn an_arm_reaches_a_pose() {
    // IPOPT and fatrop, in the form of inverse dynamics: 0.30313262206867847; Crocoddyl's FDDP ends 2.9e-9 above
    let plan = reach(1e-7).expect("an optimum");
    close(plan.cost, 0.303_132_622_069, 1e-8);
    assert!(plan.iterations.len() < 90, "{}", plan.iterations.len());
}

/// The swing-up to a prescribed end, with the rail at `rail`.
fn railed(cart: &CartPole<f64>, rail: f64) -> OptimalControl<'_, CartPole<f64>> {
    let problem = to_upright(cart, 50, 0.0).and_then(|problem| problem.between("rail", -rail, rail));
    problem.expect("a problem")
}

#[test]
fn ends_and_limits_are_met() {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64>>();
    let swung = |rail: f64| {
        let problem = railed(&cart, rail);
        Ddp::<_, 4, 1>::of(&problem, exact!(&cart, &dual, RungeKutta4)).expect("a solver").solve().expect("an optimum")
    };
    let plan = swung(2.4);
    // the interior point with bounds as they are; IPOPT and fatrop: 57.16047143765635 with relaxed ones
    close(plan.cost, 57.160_471_653_1, 1e-9);
    assert!(plan.iterations.last().is_some_and(|step| step.violation < 1e-9));
    assert!(plan.multipliers("rail").expect("a limit").iter().all(|y| *y == 0.0));
    // a rail that holds the cart on the right: moved outwards by d, the cost falls by the multiplier times d
    let (d, plan) = (1e-5, swung(0.55));
    let total: f64 = plan.multipliers("rail").expect("a limit").iter().map(|y| y.abs()).sum();
    assert!(plan.states.iter().all(|x| x.q.x().abs() < 0.55 + 1e-9) && total > 1.0, "{total}");
    let slope = (plan.cost - swung(0.55 + d).cost) / d;
    assert!((slope / total - 1.0).abs() < 1e-3, "{slope} {total}");
}

#[test]
fn gaps_close_and_costates_are_derivatives() {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64>>();
    let plan_from = |x: f64| {
        let mut start = State::neutral(&cart);
        start.q.set_x(x);
        let problem = near_upright(&cart, true, 0.0).expect("a problem").start(&start);
        Ddp::<_, 4, 1>::of(&problem, exact!(&cart, &dual, EULER)).expect("a solver").solve().expect("an optimum")
    };
    let (d, plan) = (1e-5, plan_from(0.0));
    assert!(plan.iterations[0].violation > 0.01 && plan.iterations.last().is_some_and(|step| step.violation == 0.0));
    let (ahead, behind) = (plan_from(d), plan_from(-d));
    let slope = (ahead.cost - behind.cost) / (2.0 * d);
    let costate = plan.costates[0][0];
    assert!((slope - costate).abs() < 1e-4 * slope.abs().max(1.0), "{slope} {costate}");
    let input = (ahead.inputs[0].u() - behind.inputs[0].u()) / (2.0 * d);
    let gain = -plan.gains[0][(0, 0)];
    assert!((input - gain).abs() < 1e-3 * gain.abs().max(1.0), "{input} {gain}");
}

#[test]
fn problems_without_a_solution_say_what_fails() {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64>>();
    let mut beyond = State::neutral(&cart);
    beyond.q.set_x(3.0);
    let outside = railed(&cart, 2.4).start(&beyond);
    let error = Ddp::<_, 4, 1>::of(&outside, exact!(&cart, &dual, RungeKutta4))
        .expect("a solver")
        .solve()
        .unwrap_err()
        .to_string();
    assert_eq!(error, "the state at t = 0 is given, and limit `rail` is 3 there, outside of -2.4 to 2.4");
    // the pole cannot be swung up in a fifth of a second
    let mut up = State::neutral(&cart);
    up.q.set_th(std::f64::consts::PI);
    let quick = OptimalControl::of(&cart, 0.2, 20).and_then(|quick| quick.running("effort"));
    let quick = quick.expect("a problem").start(&State::neutral(&cart)).end(&up);
    let mut solver = Ddp::<_, 4, 1>::of(&quick, exact!(&cart, &dual, RungeKutta4)).expect("a solver");
    let error = solver.solve().unwrap_err();
    let (PlanError::Stalled { condition, violation, .. } | PlanError::Iterations { condition, violation, .. }) = error
    else {
        panic!("{error}")
    };
    assert!(["x", "th", "der(x)", "der(th)"].contains(&condition.as_str()) && violation > 0.01, "{error}");
    // what was found until then can be read
    let plan = solver.plan();
    assert!(plan.iterations.len() > 1 && plan.states.iter().all(|x| x.q.th().is_finite()));
    assert!(plan.inputs.iter().all(|u| u.u().abs() <= 10.0));
    // second derivatives of a cost that is no sum of squares
    let map = StepMap::of(&cart, RungeKutta4, &[]).expect("a map");
    let error = Ddp::<_, 4, 1>::of(&quick, map).map(drop).unwrap_err();
    assert!(matches!(error, PlanError::NoCurvature { cost } if cost.as_str() == "effort"));
    let refused = Ddp::<_, 4, 1>::of(&quick, exact!(&cart, &dual, RungeKutta4))
        .expect("a solver")
        .tolerance(f64::NAN)
        .solve()
        .unwrap_err();
    assert!(matches!(refused, PlanError::Setting { setting: "tolerance", .. }));
}

#[test]
fn a_search_can_be_watched_ended_and_taken_up() {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64>>();
    let problem = near_upright(&cart, true, 0.0).expect("a problem");
    let mut solver = Ddp::<_, 4, 1>::of(&problem, exact!(&cart, &dual, EULER)).expect("a solver");
    let stop = |step: &ode_model::control::SearchStep| match step.number {
        5 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    assert_eq!(solver.solve_with(stop).map(drop).unwrap_err(), PlanError::Stopped { count: 5 });
    let plan = solver.solve().expect("an optimum");
    close(plan.cost, 56.734_962_708_9, 1e-10);
    assert!(plan.iterations.windows(2).all(|pair| pair[1].number == pair[0].number + 1));
    let few =
        Ddp::<_, 4, 1>::of(&problem, exact!(&cart, &dual, EULER)).expect("a solver").iterations(3).solve().unwrap_err();
    assert!(matches!(few, PlanError::Iterations { count: 3, .. }));
}
