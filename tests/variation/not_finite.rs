//! Derivatives that are not numbers end what asks for them, with the name of what they are by.

use ode_model::integrators::*;
use ode_model::prelude::*;
use ode_model::solve::ProjectedBy;
use ode_model::variation::{Chain, Direction, LinearMotion, Pulled, Solved};
use ode_model::{Cause, Context, Proposal, Quantity, StepMap, Work};

use crate::perturb::{Entry, columns};
use crate::stepping::newton;

model! {
    /// Forces whose derivatives by p and by u are infinite at zero.
    pub struct Root<T> {
        param p: Real = 0.0;
        coord x: Real;
        input u: Real = 0.5;
        kinetic = 0.5 * sq(der(x));
        force pull on x = sqrt(p) + sqrt(u) - x;
        init x = 0.3;
    }
}

fn check<M: Copy + Vary<Root<f64>>>(method: M) {
    let model = Root::<f64>::default();
    let (x, name) = (Start::default().solve(&model, &Nominal).expect("a start"), method.name().to_string());
    let refused = |parameters: &[&str], u: f64| {
        let mut map = StepMap::of(&model, method, parameters).expect("a method");
        map.step(&x, [u], 0.01).map(|_| ()).map_err(|error| error.cause)
    };
    let wanted = |found: Result<(), Cause>, of: (Quantity, &str)| match found {
        Err(Cause::NonFinite { quantity, name: row }) => assert_eq!((quantity, &*row.to_string()), of, "{name}"),
        other => panic!("{name}: {other:?}"),
    };
    let (by_p, by_u) = ((Quantity::Derivative, "p"), (Quantity::Derivative, "u"));
    assert_eq!(refused(&[], 0.5), Ok(()), "{name}");
    wanted(refused(&["p"], 0.5), by_p);
    wanted(refused(&[], 0.0), by_u);
    // and backwards
    let (mut x, mut work) = (x, Work::default());
    let mut cx = Context { system: &model, inputs: &Nominal, work: &mut work };
    let (mut w, mut next) = (method.scratch(&model), Proposal::new(&model));
    next.acceleration.settle(&mut cx, &mut x).expect("an evaluation");
    let m = method.restart(&mut cx, &mut x, 0.01, &mut w, &mut next.acceleration).expect("a start");
    next.attempt(&method, &mut cx, (&x, &m), 0.01, &mut w).expect("a step");
    let mut adjoint = Adjoint::new(&model, Vec::new(), true);
    adjoint.state.q.as_mut()[0] = 1.0;
    let made = Attempted { proposed: &next.x, end: &next.x, scratch: &mut w, projection: None };
    wanted(adjoint.back(&method, &mut cx, ((&x, &m), 0.01), made), by_p);
}

#[test]
fn derivatives_that_are_not_finite_are_refused() {
    check(RungeKutta4);
    check(BackwardEuler { solve: Implicit::Newton(newton()), ..BackwardEuler::default() });
    check(BackwardEuler { solve: Implicit::Newton(newton()), multipliers: Multipliers::OfScheme });
    check(Bdf2 { newton: newton(), multipliers: Multipliers::OfScheme });
    check(GeneralizedAlpha { newton: newton(), ..GeneralizedAlpha::with_spectral_radius(0.8) });
    check(SemiExplicitEuler { form: ImplicitVelocity { newton: newton() } });
    check(StormerVerlet::default());
    check(ImplicitMidpoint::default());
}

model! {
    /// A row whose gradient has no derivative at y = 0.
    pub struct Cusp<T> {
        param m: Real = 1.0;
        coord x, y: Real;
        kinetic = 0.5 * m * (sq(der(x)) + sq(der(y)));
        constraint path: x + y.powf(1.5) == 0.1;
        init y = 0.1;
        guess x = 0.1;
    }
}

/// Where the rows of a projection have no second derivative.
#[test]
fn projections_without_derivative_are_refused() {
    let model = Cusp::<f64>::default();
    let (mut chain, at) = columns(&model, &[Entry::Position(0), Entry::Position(1)]);
    let how = Projection::to(1e-10);
    let by = ProjectedBy { how: &how, weights: None };
    let mut made = State::neutral(&model);
    made.q.set_x(0.2);
    let mut projected = |y: f64| {
        made.q.set_y(y);
        chain.project(&model, &made, &by, &mut at.clone()).map_err(|cause| cause.to_string())
    };
    assert_eq!(projected(0.1), Ok(()));
    assert_eq!(projected(0.0), Err("derivative by `y` is not finite".to_owned()));
}

#[test]
fn a_motion_has_no_derivative_along_what_it_was_not_evaluated_for() {
    let model = Root::<f64> { p: 1.0 };
    let x = Start::default().solve(&model, &Nominal).expect("a start");
    let mut work = Work::default();
    let mut cx = Context { system: &model, inputs: &Nominal, work: &mut work };
    let mut motion = LinearMotion::new(&model);
    let State { mut a, mut zdot, mut lambda, .. } = x.clone();
    let mut direction = Direction::zeros(&model);
    direction.parameter = Some(0);
    // neither along a direction, nor along all, nor backwards
    let refused = |motion: &mut LinearMotion<Root<f64>>, wanted: &str| {
        let mut all = Solved { a: [x.a; 2], zdot: [x.zdot; 2], lambda: [x.lambda; 2] };
        let found = motion.derivatives(&model, &mut all).expect_err("no motion");
        assert_eq!((found.to_string().as_str(), all.a), (wanted, [x.a; 2]));
        let (by, mut pulled) = (Solved { a: x.a, zdot: x.zdot, lambda: x.lambda }, Pulled::new(&model, true));
        let found = motion.vjp(&model, x.moment(), &by, &mut pulled).expect_err("no motion");
        assert_eq!(found.to_string(), wanted);
    };
    let mut along = |motion: &mut LinearMotion<Root<f64>>, direction: &Direction<Root<f64>>| {
        let found = motion.along(&model, &mut direction.clone(), &mut a, &mut zdot, &mut lambda);
        found.map(|()| a.as_ref()[0]).map_err(|cause| cause.to_string())
    };
    let stale = "a motion that no evaluation has succeeded for cannot be differentiated: it has no sensitivities";
    assert_eq!(along(&mut motion, &direction), Err(stale.to_owned()));
    refused(&mut motion, stale);
    motion.evaluate(&mut cx, x.moment(), false).expect("a motion");
    let none = "no derivative by parameter `p`: the motion was evaluated without parameters";
    assert_eq!(along(&mut motion, &direction), Err(none.to_owned()));
    motion.evaluate(&mut cx, x.moment(), true).expect("a motion");
    assert!((along(&mut motion, &direction).expect("a derivative") - 0.5).abs() < 1e-15);
    direction.parameter = Some(999);
    assert_eq!(along(&mut motion, &direction), Err("there is no parameter 999: the model has 1".to_owned()));
    direction.parameter = None;
    direction.q.set_x(f64::NAN);
    assert_eq!(along(&mut motion, &direction), Err("derivative by `x` is not finite".to_owned()));
    // after an evaluation that failed
    let mut bad = x.clone();
    bad.q.set_x(f64::NAN);
    motion.evaluate(&mut cx, bad.moment(), true).expect_err("no motion");
    direction.q.set_x(0.0);
    assert_eq!(along(&mut motion, &direction), Err(stale.to_owned()));
    refused(&mut motion, stale);
}
