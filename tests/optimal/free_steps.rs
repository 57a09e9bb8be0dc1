//! Horizons that are chosen, by steps: the length of all of them is one unknown.

use std::f64::consts::PI;

use ode_model::control::{Collocation, Ddp, Ilqr, InteriorPoint, OptimalControl, Plan, PlanError, Scheme};
use ode_model::integrators::ImplicitMidpoint;
use ode_model::prelude::*;
use ode_model::{Dual, Real, Scalar, StepHessian, StepMap};
use ode_model_optimal::{CartPole, Quadrotor, flight, to_upright};

model! {
    #[model(derive(Clone, Debug))]
    pub struct Sledge<T> {
        param m: Real [kg] = 2.0;
        coord x: Real [m];
        input f: Real [N] in -1.0..=1.0;
        kinetic = 0.5 * m * sq(der(x));
        force push on x = f;
    }
}

#[test]
fn the_least_time_of_a_sledge_is_that_of_full_force() -> Result<(), PlanError> {
    let sledge = Sledge::<f64>::default();
    let dual = sledge.cast::<Dual<f64>>();
    let mut there = State::neutral(&sledge);
    there.q.set_x(0.5);
    let problem = OptimalControl::of(&sledge, 3.0, 10)?.free_horizon(0.1, 10.0, 1.0)?;
    let problem = problem.start(&State::neutral(&sledge)).end(&there);
    let exact = (StepMap::of(&sledge, RungeKutta4, &[])?, StepHessian::of(&dual, RungeKutta4)?);
    let plan = InteriorPoint::<_, 3, 1>::of(&problem, exact)?.solve()?;
    // 2 √(m x / f): steps make the switch exactly, at the fifth node
    assert!((plan.times[10] - 2.0).abs() < 1e-7 && (plan.cost - 2.0).abs() < 1e-7, "{}", plan.cost);
    assert_eq!((plan.times.len(), plan.states.len(), plan.inputs.len(), plan.gains.len()), (11, 11, 10, 10));
    for (k, u) in plan.inputs.iter().enumerate() {
        let wanted = if k < 5 { 1.0 } else { -1.0 };
        assert!((u.f() - wanted).abs() < 1e-4, "{k}: {}", u.f());
    }
    // a unit of time costs 1
    assert!(plan.costates.iter().all(|costate| costate[2].abs() <= 1.0 + 1e-6));
    let mut run = Simulation::of(&sledge, RungeKutta4).inputs(plan.held()).given(plan.states[0].clone()).fixed(0.01);
    let run = run.as_mut().expect("a start");
    run.advance_to(plan.times[10]).expect("steps");
    assert!((run.state().q.x() - 0.5).abs() < 1e-6 && run.state().v.x().abs() < 1e-6);
    Ok(())
}

model! {
    #[model(derive(Clone, Debug))]
    pub struct Pendulum<T> {
        param m: Real [kg] = 1.0;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        param c: Real [N*m*s] = 0.05;
        coord th: Angle;
        input tau: Real [N*m];
        kinetic = 0.5 * m * sq(l * der(th));
        potential = -m * g * l * cos(th);
        dissipation = 0.5 * c * sq(der(th));
        force motor on th = tau;
        cost effort = sq(tau / 1N / 1m);
    }
}

/// From below to above, in a time of at least `low`.
fn lift(pendulum: &Pendulum<f64>, n: usize, low: f64) -> Result<OptimalControl<'_, Pendulum<f64>>, PlanError> {
    let mut up = State::neutral(pendulum);
    up.q.set_th(PI);
    let problem = OptimalControl::of(pendulum, 1.5, n)?.running("effort")?.free_horizon(low, 5.0, 20.0)?;
    Ok(problem.start(&State::neutral(pendulum)).end(&up))
}

#[test]
fn a_lifted_pendulum_takes_the_time_of_collocation() -> Result<(), PlanError> {
    let pendulum = Pendulum::<f64>::default();
    let dual = pendulum.cast::<Dual<f64>>();
    let problem = |n: usize| lift(&pendulum, n, 0.3);
    let radau = Collocation::exact(&pendulum, &dual, Scheme::Radau);
    let fine = InteriorPoint::<_, 3, 3>::of(&problem(40)?, radau)?.solve()?;
    let (wanted, time) = (fine.cost, fine.times[40]);
    assert!(time > 0.5 && time < 2.0, "{time}");
    let steps = |n: usize| -> Result<Plan<Pendulum<f64>, 3, 1>, PlanError> {
        let exact = (StepMap::of(&pendulum, RungeKutta4, &[])?, StepHessian::of(&dual, RungeKutta4)?);
        InteriorPoint::<_, 3, 1>::of(&problem(n)?, exact)?.solve()
    };
    // torques that are held come to the best ones in the second order
    let off = |plan: &Plan<Pendulum<f64>, 3, 1>| plan.cost / wanted - 1.0;
    let (coarse, half) = (steps(40)?, steps(80)?);
    let order = (off(&coarse) / off(&half)).log2();
    assert!(off(&half) > 0.0 && off(&half) < 2e-3, "{}", off(&half));
    assert!((order - 2.0).abs() < 0.1, "{order}");
    assert!((half.times[80] - time).abs() < 2e-3, "{} {time}", half.times[80]);
    assert!(half.iterations.len() < 40, "{}", half.iterations.len());
    Ok(())
}

#[test]
fn dynamic_programming_chooses_a_horizon_too() -> Result<(), PlanError> {
    let pendulum = Pendulum::<f64>::default();
    let dual = pendulum.cast::<Dual<f64>>();
    let exact =
        || Ok::<_, PlanError>((StepMap::of(&pendulum, RungeKutta4, &[])?, StepHessian::of(&dual, RungeKutta4)?));
    let radau = || Collocation::exact(&pendulum, &dual, Scheme::Radau);
    let same = |(cost, time): (f64, f64), (wanted, best): (f64, f64)| {
        assert!((cost / wanted - 1.0).abs() < 1e-8, "{cost} {wanted}");
        assert!((time - best).abs() < 1e-7, "{time} {best}");
    };
    // the best one, and one that a bound of the horizon holds
    for low in [0.3, 1.4] {
        let problem = lift(&pendulum, 20, low)?;
        let one = InteriorPoint::<_, 3, 1>::of(&problem, exact()?)?.solve()?;
        let other = Ddp::<_, 3, 1>::of(&problem, exact()?)?.solve()?;
        same((other.cost, other.times[20]), (one.cost, one.times[20]));
        assert!(low < 1.0 || other.times[20] == 1.4, "a bound is met exactly");
        let one = InteriorPoint::<_, 3, 3>::of(&problem, radau())?.solve()?;
        let other = Ddp::<_, 3, 3>::of(&problem, radau())?.solve()?;
        same((other.cost, other.times[20]), (one.cost, one.times[20]));
    }
    Ok(())
}

#[test]
fn derivatives_by_the_length_of_a_step_are_those_of_dual_numbers() {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64>>();
    let mut x = State::neutral(&cart);
    x.q.as_mut().copy_from_slice(&[0.2, 0.7]);
    x.v.as_mut().copy_from_slice(&[-0.4, 1.1]);
    let (h, costate) = (0.05, [0.3, -0.8, 0.5, 1.2]);
    let mut hessian = StepHessian::of(&dual, RungeKutta4).expect("a model");
    hessian.vary_length(true).expect("an explicit method");
    let found = hessian.step(&x, &[2.0].into(), h, &costate).expect("a step").clone();
    let slopes = hessian.slopes().expect("an explicit method").to_vec();
    assert_eq!((found.size(), slopes.len()), (6, 24));

    // a dual number through h
    let mut map = StepMap::of(&dual, RungeKutta4, &[]).expect("a map");
    let mut lifted = State::neutral(&dual);
    let lift = |from: &[f64], to: &mut [Dual<f64>]| {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = Dual::constant(*from));
    };
    lift(x.q.as_ref(), lifted.q.as_mut());
    lift(x.v.as_ref(), lifted.v.as_mut());
    let length = Dual { re: h, eps: 1.0 };
    let step = map.step(&lifted, [Dual::from_f64(2.0)], length).expect("a step");
    let end = step.end.q.as_ref().iter().chain(step.end.v.as_ref());
    for (r, end) in end.enumerate() {
        let slope = slopes[r * 6 + 5];
        assert!((slope - end.eps).abs() < 1e-13 * end.eps.abs().max(1.0), "{r}: {slope} {}", end.eps);
    }
    // A and B vary along it as the mixed derivatives say
    let (a, b) = (step.a(), step.b());
    for c in 0..5 {
        let entry = |r: usize| if c < 4 { a.entry(r, c) } else { b.entry(r, c - 4) };
        let wanted: f64 = costate.iter().enumerate().map(|(r, mu)| mu * entry(r).eps).sum();
        let got = found.entry(5, c);
        assert!((got - wanted).abs() < 1e-12 * wanted.abs().max(1.0), "{c}: {got} {wanted}");
    }
    // twice by it: a difference of the first ones, with an error of the fourth order
    let mut rate = |h: f64| -> f64 {
        hessian.step(&x, &[2.0].into(), h, &costate).expect("a step");
        hessian.slopes().expect("slopes").chunks(6).zip(&costate).map(|(row, mu)| row[5] * mu).sum()
    };
    let d = 1e-3;
    let wanted = (8.0 * (rate(h + d) - rate(h - d)) - (rate(h + 2.0 * d) - rate(h - 2.0 * d))) / (12.0 * d);
    assert!((found.entry(5, 5) - wanted).abs() < 1e-8 * wanted.abs().max(1.0), "{} {wanted}", found.entry(5, 5));
}

/// A method whose iterations go as far as numbers do.
fn midpoint<T: Real>() -> ImplicitMidpoint<T> {
    let mut midpoint = ImplicitMidpoint::default();
    midpoint.newton.tolerance = T::from_f64(1e-13);
    midpoint
}

#[test]
fn derivatives_of_implicit_steps_by_their_length_are_those_of_dual_numbers() {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64>>();
    let mut x = State::neutral(&cart);
    x.q.as_mut().copy_from_slice(&[0.2, 0.7]);
    x.v.as_mut().copy_from_slice(&[-0.4, 1.1]);
    let (h, costate) = (0.05, [0.3, -0.8, 0.5, 1.2]);
    let mut hessian = StepHessian::of(&dual, midpoint()).expect("a model");
    hessian.vary_length(true).expect("an implicit method");
    let found = hessian.step(&x, &[2.0].into(), h, &costate).expect("a step").clone();
    let by_length = hessian.by_length().expect("an implicit method").to_vec();
    assert_eq!((found.size(), by_length.len(), hessian.slopes()), (6, 4, None));

    // both sides of h, by steps of the model itself
    let mut map = StepMap::of(&cart, midpoint(), &[]).expect("a map");
    let d = 1e-3;
    let mut beside = |h: f64| {
        let step = map.step(&x, [2.0], h).expect("a step");
        let end: Vec<f64> = step.end.q.as_ref().iter().chain(step.end.v.as_ref()).copied().collect();
        let (a, b) = (step.a(), step.b());
        let entry = |r: usize, c: usize| if c < 4 { a.entry(r, c) } else { b.entry(r, c - 4) };
        let rows = || costate.iter().enumerate();
        let slopes: Vec<f64> = (0..5).map(|c| rows().map(|(r, mu)| mu * entry(r, c)).sum()).collect();
        [end, slopes]
    };
    let [near, far] = [1.0, 2.0].map(|steps| [beside(h + steps * d), beside(h - steps * d)]);
    let slope = |block: usize, i: usize| {
        let [near, far] = [&near, &far].map(|[above, below]| above[block][i] - below[block][i]);
        (8.0 * near - far) / (12.0 * d)
    };
    for (r, found) in by_length.iter().enumerate() {
        let wanted = slope(0, r);
        assert!((found - wanted).abs() < 1e-9 * wanted.abs().max(1.0), "{r}: {found} {wanted}");
    }
    for c in 0..5 {
        let (found, wanted) = ([found.entry(5, c), found.entry(c, 5)], slope(1, c));
        assert!(found.iter().all(|found| (found - wanted).abs() < 1e-8 * wanted.abs().max(1.0)), "{c}: {wanted}");
    }
    let mut rate = |h: f64| -> f64 {
        hessian.step(&x, &[2.0].into(), h, &costate).expect("a step");
        hessian.by_length().expect("slopes").iter().zip(&costate).map(|(by, mu)| by * mu).sum()
    };
    let wanted = (8.0 * (rate(h + d) - rate(h - d)) - (rate(h + 2.0 * d) - rate(h - 2.0 * d))) / (12.0 * d);
    assert!((found.entry(5, 5) - wanted).abs() < 1e-7 * wanted.abs().max(1.0), "{} {wanted}", found.entry(5, 5));
}

#[test]
fn implicit_steps_choose_a_horizon_too() -> Result<(), PlanError> {
    let pendulum = Pendulum::<f64>::default();
    let dual = pendulum.cast::<Dual<f64>>();
    let problem = |n: usize| lift(&pendulum, n, 0.3);
    let radau = Collocation::exact(&pendulum, &dual, Scheme::Radau);
    let fine = InteriorPoint::<_, 3, 3>::of(&problem(40)?, radau)?.solve()?;
    let exact = || Ok::<_, PlanError>((StepMap::of(&pendulum, midpoint(), &[])?, StepHessian::of(&dual, midpoint())?));
    let steps = |n: usize| InteriorPoint::<_, 3, 1>::of(&problem(n)?, exact()?)?.solve();
    // the method and torques that are held are of the second order
    let (coarse, half) = (steps(40)?, steps(80)?);
    let off = |plan: &Plan<Pendulum<f64>, 3, 1>| plan.cost / fine.cost - 1.0;
    let order = (off(&coarse) / off(&half)).abs().log2();
    assert!(off(&half).abs() < 2e-3, "{}", off(&half));
    assert!((order - 2.0).abs() < 0.1, "{order}");
    assert!((half.times[80] - fine.times[40]).abs() < 2e-3, "{} {}", half.times[80], fine.times[40]);
    assert!(half.iterations.len() < 40, "{}", half.iterations.len());
    // another solver finds the same
    let other = Ddp::<_, 3, 1>::of(&problem(40)?, exact()?)?.solve()?;
    assert!((other.cost / coarse.cost - 1.0).abs() < 1e-8, "{} {}", other.cost, coarse.cost);
    assert!((other.times[40] - coarse.times[40]).abs() < 1e-7, "{} {}", other.times[40], coarse.times[40]);
    Ok(())
}

#[test]
fn what_has_no_free_horizon_is_refused() -> Result<(), PlanError> {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64>>();
    let problem = to_upright(&cart, 10, 0.0)?.free_horizon(1.0, 4.0, 1.0)?;
    let map = || StepMap::of(&cart, RungeKutta4, &[]);
    let ilqr = Ilqr(map()?, StepHessian::of(&dual, RungeKutta4)?);
    let error = InteriorPoint::<_, 5, 1>::of(&problem, ilqr).map(drop).unwrap_err().to_string();
    assert!(error.contains("without second derivatives of the motion"), "{error}");
    let exact = (map()?, StepHessian::of(&dual, RungeKutta4)?);
    let error = InteriorPoint::<_, 4, 1>::of(&problem, exact).map(drop).unwrap_err().to_string();
    assert_eq!(error, "N, the number of unknowns at a node, is 4 and must be 5");
    let quadrotor = Quadrotor::<f64>::default();
    let dual = quadrotor.cast::<Dual<f64>>();
    let exact = (StepMap::of(&quadrotor, RungeKutta4, &[])?, StepHessian::of(&dual, RungeKutta4)?);
    let problem = flight(&quadrotor, 0.0)?.free_horizon(1.0, 4.0, 1.0)?;
    let error = InteriorPoint::<_, 13, 4>::of(&problem, exact).map(drop).unwrap_err().to_string();
    assert!(error.contains("no rotations"), "{error}");
    Ok(())
}
