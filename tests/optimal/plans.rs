//! What a plan is good for, and problems that have none.

use std::f64::consts::PI;
use std::ops::ControlFlow;

use ode_model::control::{InteriorPoint, OptimalControl, PlanError};
use ode_model::prelude::*;
use ode_model::variation::Fixed;
use ode_model::{Dual, StepHessian, StepMap};
use ode_model_optimal::{CartPole, half_turn};

type Problem<'a> = OptimalControl<'a, CartPole<f64>>;

fn upright() -> State<CartPole<f64>> {
    let mut up = State::neutral(&CartPole::default());
    up.q.set_th(PI);
    up
}

fn problem(cart: &CartPole<f64>) -> Problem<'_> {
    let problem = Problem::of(cart, 2.0, 50).and_then(|problem| problem.running("effort"));
    problem.expect("a problem").start(&State::neutral(cart)).end(&upright())
}

/// A solver of a problem of the cart-pole.
macro_rules! solver {
    ($cart:expr, $dual:expr, $problem:expr) => {{
        let map = StepMap::of($cart, RungeKutta4, &[]).expect("a map");
        InteriorPoint::<_, 4, 1>::of($problem, (map, StepHessian::of($dual, RungeKutta4).expect("a model")))
    }};
}

#[test]
fn a_plan_is_a_motion_of_the_model() {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64>>();
    let narrow = problem(&cart).between("rail", -0.55, 0.55).expect("a limit");
    let plan = solver!(&cart, &dual, &narrow).expect("a problem").tolerance(1e-11).solve().expect("an optimum");
    let run = Simulation::of(&cart, RungeKutta4).inputs(plan.held()).given(State::neutral(&cart));
    let mut run = run.fixed(0.04).expect("a start");
    for (t, x) in plan.times.iter().zip(&plan.states) {
        run.advance_to(*t).expect("steps");
        let reached = run.state();
        assert!((reached.q.x() - x.q.x()).abs() < 1e-8 && (reached.q.th() - x.q.th()).abs() < 1e-7, "{t}");
        assert!(x.q.x().abs() <= 0.55);
    }
    // the rail holds the cart on the right only; moving it outwards by d lowers the cost by the multiplier times d
    let multipliers = plan.multipliers("rail").expect("a limit");
    let total: f64 = multipliers.iter().sum();
    assert!(multipliers.iter().all(|y| *y > -1e-6) && total > 1.0, "{multipliers:?}");
    let d = 1e-5;
    let wider = problem(&cart).between("rail", -0.55, 0.55 + d).expect("a limit");
    let wider = solver!(&cart, &dual, &wider).expect("a problem").tolerance(1e-11).solve().expect("an optimum");
    let slope = (plan.cost - wider.cost) / d;
    assert!((slope / total - 1.0).abs() < 1e-3, "{slope} {total}");
    assert!(plan.multipliers("rails").unwrap_err().to_string().contains("did you mean `rail`"));
}

#[test]
fn costates_and_gains_are_derivatives_of_the_rest() {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64>>();
    let plan_from = |x: f64| {
        let mut start = State::neutral(&cart);
        start.q.set_x(x);
        let problem = problem(&cart).start(&start);
        solver!(&cart, &dual, &problem).expect("a problem").tolerance(1e-11).solve().expect("an optimum")
    };
    let (d, plan) = (1e-5, plan_from(0.0));
    let (ahead, behind) = (plan_from(d), plan_from(-d));
    // where no bound begins or ceases to hold, the first input follows the gain
    let slope = (ahead.cost - behind.cost) / (2.0 * d);
    let costate = plan.costates[0][0];
    assert!((slope - costate).abs() < 1e-4 * slope.abs().max(1.0), "{slope} {costate}");
    let input = (ahead.inputs[0].u() - behind.inputs[0].u()) / (2.0 * d);
    let gain = -plan.gains[0][(0, 0)];
    assert!((input - gain).abs() < 1e-3 * gain.abs().max(1.0), "{input} {gain}");
}

#[test]
fn a_closed_loop_is_no_obstacle() {
    // Pontryagin's optimum of the reduced problem is 0.0518566601903; held torques cost more, by O(h²)
    let [coarse, fine] =
        [20, 40].map(|intervals| half_turn(intervals).expect("an optimum").cost / 0.051_856_660_190_3 - 1.0);
    assert!(fine > 0.0 && fine < 2e-3, "{fine}");
    assert!((coarse / fine - 4.0).abs() < 0.3, "{coarse} {fine}");
    let plan = half_turn(40).expect("an optimum");
    let cart = ode_model_optimal::SliderCrank::<f64>::default();
    for x in &plan.states {
        let phi = cart.constraint_values(x.at(&Default::default()));
        assert!(phi.as_ref().iter().all(|phi| phi.abs() < 1e-5), "{phi:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let cart = CartPole::<f64>::default();
    let of = |horizon, intervals| Problem::of(&cart, horizon, intervals).map(drop).unwrap_err().to_string();
    assert_eq!(of(2.0, 0), "number of intervals cannot be 0");
    assert_eq!(of(0.0, 50), "horizon cannot be 0");
    assert_eq!(of(f64::NAN, 50), "horizon cannot be NaN");
    let squares = Problem::of(&cart, 2.0, 5).and_then(|problem| problem.running("push")).expect("a problem");
    let map = StepMap::of(&cart, RungeKutta4, &[]).expect("a map");
    let sizes = InteriorPoint::<_, 3, 1>::of(&squares, map).map(drop).unwrap_err().to_string();
    assert_eq!(sizes, "N, the number of unknowns at a node, is 3 and must be 4");
    let few = StepMap::<_, _, Fixed<4>>::sized(&cart, RungeKutta4, &[]).expect("a map without B");
    let error = InteriorPoint::<_, 4, 1>::of(&squares, few).expect("a solver").solve().unwrap_err().to_string();
    assert!(error.contains("number of columns of a step's derivatives"), "{error}");
    let text = |problem: Result<Problem<'_>, PlanError>| problem.map(drop).unwrap_err().to_string();
    assert!(text(problem(&cart).running("efort")).contains("did you mean `effort`"));
    assert!(text(problem(&cart).between("rial", 0.0, 1.0)).contains("did you mean `rail`"));
    assert!(text(problem(&cart).end_of(&upright(), ["thh"])).contains("did you mean `th`"));
    assert_eq!(text(problem(&cart).between("u", 2.0, 1.0)), "there is no number for `u` between 2 and 1");
    assert_eq!(text(problem(&cart).between("u", f64::NAN, 1.0)), "there is no number for `u` between NaN and 1");
    assert_eq!(text(problem(&cart).at_node(51, "effort", 1.0)), "number of a node cannot be 51");
    assert_eq!(text(problem(&cart).at_node(5, "effort", f64::NAN)), "weight of a cost cannot be NaN");
    assert_eq!(text(problem(&cart).guess(&[], &[])), "number of states in the guess cannot be 0");
}

#[test]
fn problems_without_a_solution_say_what_fails() {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64>>();
    // nothing to minimise
    let bare = Problem::of(&cart, 2.0, 50).expect("a problem");
    assert!(matches!(solver!(&cart, &dual, &bare).map(drop), Err(PlanError::NoCost)));
    // a start beyond the rail
    let mut beyond = State::neutral(&cart);
    beyond.q.set_x(3.0);
    let outside = problem(&cart).start(&beyond);
    let error = solver!(&cart, &dual, &outside).expect("a problem").solve().unwrap_err().to_string();
    assert_eq!(error, "the state at t = 0 is given, and limit `rail` is 3 there, outside of -2.4 to 2.4");
    // NaN in the guess
    let mut states = vec![State::neutral(&cart); 51];
    states[7].v.set_th(f64::NAN);
    let spoilt = problem(&cart).guess(&states, &[[0.0].into(); 50]).expect("a guess");
    let error = solver!(&cart, &dual, &spoilt).map(drop).unwrap_err().to_string();
    assert_eq!(error, "`der(th)` is not finite in the guess at node 7");
    // the pole cannot be swung up in a fifth of a second
    let quick = Problem::of(&cart, 0.2, 20).and_then(|problem| problem.running("effort"));
    let quick = quick.expect("a problem").start(&State::neutral(&cart)).end(&upright());
    let mut solver = solver!(&cart, &dual, &quick).expect("a problem");
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
    let error = InteriorPoint::<_, 4, 1>::of(&problem(&cart), map).map(drop).unwrap_err();
    assert!(matches!(error, PlanError::NoCurvature { cost } if cost.as_str() == "effort"));
}

#[test]
fn a_search_can_be_watched_ended_and_taken_up() {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64>>();
    let problem = problem(&cart);
    let mut solver = solver!(&cart, &dual, &problem).expect("a problem");
    let stop = |step: &ode_model::control::SearchStep| match step.number {
        5 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    assert_eq!(solver.solve_with(stop).map(drop).unwrap_err(), PlanError::Stopped { count: 5 });
    let plan = solver.solve().expect("an optimum");
    assert!((plan.cost / 57.160_471_653 - 1.0).abs() < 1e-9);
    assert!(plan.iterations.windows(2).all(|pair| pair[1].number == pair[0].number + 1));
    let few = solver!(&cart, &dual, &problem).expect("a problem").iterations(3).solve().unwrap_err();
    assert!(matches!(few, PlanError::Iterations { count: 3, .. }));
}
