//! Gradients of what runs cost, against forward sensitivities of the same runs.

use ode_model::integrators::{Covector, *};
use ode_model::model;
use ode_model::solve::Projection;
use ode_model::variation::Controls;
use ode_model::{
    By, Cause, CostGradient, Passed, PassedCovector, Piecewise, RunError, Sensitive, Simulation, Solvable,
};

use crate::blocks::largest;
use crate::models::*;

/// Weights of both signs, no two alike.
fn weight(n: usize, k: usize) -> f64 {
    (1.7 * k as f64 + 0.9 * n as f64 + 0.3).sin() + 0.1
}

/// A weighed sum of everything that a state shows, at the start, every third state and the end.
fn share<S: Solvable<Real = f64> + Sensitive>(passed: &Passed<'_, S>, by: &mut PassedCovector<S>) -> f64 {
    if !passed.index.is_multiple_of(3) && !passed.is_last() {
        return 0.0;
    }
    by.blocks_mut().into_iter().flatten().enumerate().for_each(|(k, x)| *x = weight(passed.index, k));
    let nv = passed.state.v.as_ref().len();
    (passed.state.v.as_ref().iter().enumerate()).map(|(k, v)| weight(passed.index, nv + k) * v).sum()
}

pub fn by() -> By {
    By::new().start().inputs().parameters()
}

/// The gradient of that sum by forward sensitivities, and its value.
fn forward<S, M, U>(run: Simulation<'_, S, M, U>, end: f64) -> (f64, Vec<f64>)
where
    S: Solvable<Real = f64> + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    let mut run = run.vary(&by()).expect("a linearisation");
    let mut states = vec![(run.run().state().clone(), run.jacobian())];
    while run.run().state().t < end {
        run.step_towards(end).expect("a step");
        states.push((run.run().state().clone(), run.jacobian()));
    }
    let (mut value, mut gradient) = (0.0, vec![0.0; run.names().len()]);
    let last = states.len() - 1;
    for (index, (state, jacobian)) in states.iter().enumerate() {
        let passed = |weights: &mut Covector<S>| {
            // as the run shows it
            let (nv, mut sum) = (state.v.as_ref().len(), 0.0);
            if index % 3 == 0 || index == last {
                weights.blocks_mut().into_iter().flatten().enumerate().for_each(|(k, x)| *x = weight(index, k));
                sum = state.v.as_ref().iter().enumerate().map(|(k, v)| weight(index, nv + k) * v).sum();
            }
            sum
        };
        let mut weights = Covector::zeros(run.run().system());
        value += passed(&mut weights);
        for (c, sum) in gradient.iter_mut().enumerate() {
            *sum += weights.blocks().into_iter().flatten().enumerate().map(|(r, w)| w * jacobian[(r, c)]).sum::<f64>();
        }
    }
    (value, gradient)
}

/// The largest number of each kind: by positions, velocities and states at the start, by inputs and by parameters.
pub fn scales<S: Sensitive<Real = f64>>(model: &S, gradient: &[f64]) -> Vec<f64> {
    let (l, parameters) = (model.layout(), model.parameter_block().as_ref().len());
    let (nv, nz) = (l.v.len(), l.z.len() - l.algebraic);
    let moving = l.state_directions() - nv - nz;
    let mut rest = gradient;
    let kinds = [nv, moving, nz, gradient.len() - l.state_directions() - parameters, parameters];
    let split = |count: usize| {
        let (own, others) = rest.split_at(count);
        rest = others;
        vec![largest(own); count]
    };
    kinds.map(split).concat()
}

/// Compares both, with few and many checkpoints.
pub fn check<'a, S, M, U>(start: impl Fn() -> Simulation<'a, S, M, U>, end: f64)
where
    S: Solvable<Real = f64> + Sensitive + 'a,
    M: Vary<S>,
    U: Controls<S>,
{
    check_with(start, end, &[1, 2, 7, 1000]);
}

/// With these numbers of checkpoints.
pub fn check_with<'a, S, M, U>(start: impl Fn() -> Simulation<'a, S, M, U>, end: f64, checkpoints: &[usize])
where
    S: Solvable<Real = f64> + Sensitive + 'a,
    M: Vary<S>,
    U: Controls<S>,
{
    let (value, wanted) = forward(start(), end);
    let mut first: Option<CostGradient<f64>> = None;
    for &checkpoints in checkpoints {
        let mut run = start().reversible(&by(), checkpoints).expect("room");
        run.advance_to(end).expect("steps");
        for _ in 0..2 {
            let found = run.gradient(share).expect("a gradient");
            assert!((found.value - value).abs() <= 1e-12 * value.abs(), "{} {value}", found.value);
            let scales = scales(run.run().system(), &wanted);
            for ((name, scale), (found, wanted)) in run.names().iter().zip(scales).zip(found.by.iter().zip(&wanted)) {
                let off = (found - wanted).abs();
                assert!(off <= 1e-12 * scale, "{checkpoints} {name}: {found} instead of {wanted}, scale {scale}");
            }
            // steps that are made again are the same to the bit
            let first = first.get_or_insert_with(|| found.clone());
            assert_eq!((first.value, &first.by), (found.value, &found.by), "{checkpoints}");
        }
    }
}

#[test]
fn those_of_fixed_steps_are_those_carried_forward() {
    let alpha = GeneralizedAlpha::with_spectral_radius(0.8);
    let (cart, bob, top, mixed) =
        (Cart::<f64>::default(), Bob::<f64>::default(), Top::<f64>::default(), Mixed::<f64>::default());
    check(|| Simulation::of(&cart, RungeKutta4).fixed(0.02).expect("a start"), 0.5);
    check(|| Simulation::of(&cart, Leapfrog::default()).fixed(0.02).expect("a start"), 0.3);
    check(|| Simulation::of(&bob, alpha).fixed(0.02).expect("a start"), 0.5);
    check(|| Simulation::of(&top, alpha).fixed(0.02).expect("a start"), 0.3);
    check(|| Simulation::of(&bob, Bdf2::default()).fixed(0.02).expect("a start"), 0.3);
    check(|| Simulation::of(&bob, BackwardEuler::linearized()).fixed(0.02).expect("a start"), 0.3);
    check(|| Simulation::of(&top, BackwardEuler::linearized()).fixed(0.02).expect("a start"), 0.3);
    check(|| Simulation::of(&mixed, BackwardEuler::linearized()).fixed(0.02).expect("a start"), 0.3);
    check(|| Simulation::of(&bob, StormerVerlet::default()).fixed(0.02).expect("a start"), 0.2);
    check(|| Simulation::of(&mixed, alpha).fixed(0.02).expect("a start"), 0.3);
}

#[test]
fn those_of_chosen_steps_are_too() {
    let (cart, bob) = (Cart::<f64>::default(), Bob::<f64>::default());
    check(|| Simulation::of(&cart, DormandPrince).adaptive(1e-6).expect("a start"), 1.0);
    let alpha = GeneralizedAlpha::with_spectral_radius(0.8);
    check(|| Simulation::of(&bob, alpha).adaptive(1e-4).expect("a start"), 0.5);
    check(|| Simulation::of(&bob, BackwardEuler::linearized()).adaptive(1e-3).expect("a start"), 0.2);
}

#[test]
fn projections_are_part_of_steps() {
    let (bob, coin) = (Bob::<f64>::default(), Coin::<f64>::default());
    let how = Projection::to(1e-13);
    check(|| Simulation::of(&bob, Heun).project(how).fixed(0.02).expect("a start"), 0.3);
    check(|| Simulation::of(&coin, Heun).project(how).adaptive(1e-5).expect("a start"), 0.3);
    check(|| Simulation::of(&bob, BackwardEuler::linearized()).project(how).fixed(0.02).expect("a start"), 0.3);
}

model! {
    /// A ball that bounces off the floor and a wall, with drag and a motor.
    pub struct Ball<T> {
        param e: Real = 0.8;
        param c: Real = 0.1;
        param wall: Real = 0.5;
        coord r: Vec2;
        state w: Real;
        input u: Real = 0.4;
        kinetic = 0.5 * der(r).dot(der(r));
        potential = 9.81 * r.y;
        dissipation = 0.5 * c * der(r).dot(der(r));
        force push on r = vec2(u, 0.2 * w);
        der(w) = r.x - 0.3 * w;
        init w = 0.1;
        init r = vec2(0.1, 0.1);
        init der(r) = vec2(1.2, 0.3);
        event floor when r.y < 0.0 { der(r.y) = -e * der(r.y); w = 0.9 * w + c; }
        event bounce when r.x > wall { der(r.x) = -e * der(r.x); }
        cost way = der(r.x) + w * der(r.y);
        cost effort = u * der(r.x) + sq(u - e);
    }
}

#[test]
fn events_are_passed_backwards_too() {
    let ball = Ball::<f64>::default();
    check(|| Simulation::of(&ball, RungeKutta4).fixed(0.02).expect("a start"), 1.0);
    check(|| Simulation::of(&ball, DormandPrince).adaptive(1e-7).expect("a start"), 1.0);
    let alpha = GeneralizedAlpha::with_spectral_radius(0.8);
    check(|| Simulation::of(&ball, alpha).fixed(0.01).expect("a start"), 0.6);
    check(|| Simulation::of(&ball, Leapfrog::default()).fixed(0.01).expect("a start"), 0.6);
    check(|| Simulation::of(&ball, BackwardEuler::linearized()).fixed(0.01).expect("a start"), 0.6);
    // to an event, and to a time at which there is none
    let mut run = Simulation::of(&ball, RungeKutta4).fixed(0.02).expect("a start").reversible(&by(), 3).expect("room");
    run.advance_to(1.0).expect("steps");
    assert!(run.run().statistics().events > 4, "{}", run.run().statistics().events);
}

/// What is asked for by its name and with all others has two columns alike.
#[test]
fn names_may_be_asked_for_twice() {
    let ball = Ball::<f64>::default();
    let gradient = |by: &By| {
        let mut run = Simulation::of(&ball, RungeKutta4).fixed(0.02).expect("a start").reversible(by, 3).expect("room");
        run.advance_to(0.7).expect("steps");
        assert!(run.run().statistics().events > 1);
        let found = run.gradient(share).expect("a gradient").by;
        run.names().iter().cloned().zip(found).collect::<Vec<_>>()
    };
    let once = gradient(&by());
    for twice in gradient(&by().parameter("e").parameter("c").start_of("r.x").input("u")) {
        assert!(once.contains(&twice), "{twice:?} {once:?}");
    }
}

#[test]
fn a_run_without_steps_has_the_gradient_of_its_start() {
    let bob = Bob::<f64>::default();
    check(|| Simulation::of(&bob, RungeKutta4).fixed(0.02).expect("a start"), 0.0);
}

#[test]
fn what_cannot_be_is_refused() {
    let bob = Bob::<f64>::default();
    let start = || Simulation::of(&bob, RungeKutta4).fixed(0.02).expect("a start");
    let Err(RunError::Evaluation(cause)) = start().reversible(&by(), 0) else { panic!("none") };
    assert_eq!(cause.to_string(), "the number of checkpoints cannot be 0");
    for many in [usize::MAX, 1 << 44] {
        let Err(RunError::Evaluation(cause)) = start().reversible(&by(), many) else { panic!("{many}") };
        let Cause::Checkpoints { asked, each } = cause else { panic!("{cause}") };
        assert!(asked == many && each > 0);
        assert_eq!(cause.to_string(), format!("{many} checkpoints of {each} bytes do not fit into memory"));
    }
    let Err(RunError::Name(unknown)) = start().reversible(&By::new().parameter("q"), 3) else { panic!("it exists") };
    assert!(unknown.to_string().starts_with("there is no parameter `q`"), "{unknown}");
}

/// Inputs at knots, held and joined, also where events come between.
#[test]
fn over_knots() {
    let (knots, values) = ([0.0, 0.13, 0.3, 0.42], [[0.6], [-0.9], [0.4], [1.3]]);
    let (cart, bob, ball) = (Cart::<f64>::default(), Bob::<f64>::default(), Ball::<f64>::default());
    let alpha = GeneralizedAlpha::with_spectral_radius(0.8);
    for inputs in [Piecewise::constant(&knots, &values), Piecewise::linear(&knots, &values)] {
        check(|| Simulation::of(&cart, DormandPrince).inputs(inputs).fixed(0.02).expect("a start"), 0.6);
        check(|| Simulation::of(&cart, Bdf2::default()).inputs(inputs).fixed(0.02).expect("a start"), 0.6);
        check(|| Simulation::of(&bob, alpha).inputs(inputs).fixed(0.02).expect("a start"), 0.6);
        check(|| Simulation::of(&ball, DormandPrince).inputs(inputs).adaptive(1e-7).expect("a start"), 0.8);
    }
}

/// Knots at every step are made again as other states are.
#[test]
fn many_knots_need_no_states() {
    const STEPS: usize = 1000;
    let cart = Cart::<f64>::default();
    let knots: Vec<f64> = (0..STEPS).map(|k| 0.002 * k as f64).collect();
    let values: Vec<[f64; 1]> = knots.iter().map(|t| [(7.0 * t).sin()]).collect();
    let inputs = Piecewise::linear(&knots, &values);
    let by = By::new().start().parameters().input("u[3]").input("u[500]").input("u[999]");
    let start = || Simulation::of(&cart, Leapfrog::default()).inputs(inputs).fixed(0.002).expect("a start");
    let mut forward = start().vary(&by).expect("a linearisation");
    forward.advance_to(2.0).expect("steps");
    let mut run = start().reversible(&by, 10).expect("room");
    run.advance_to(2.0).expect("steps");
    let mut remade = Vec::new();
    for _ in 0..2 {
        let found = run.gradient(|passed, by| {
            if passed.is_last() {
                assert_eq!(passed.last, STEPS);
                by.v.as_mut()[0] = 1.0;
            }
            0.0
        });
        let found = found.expect("a gradient");
        for (name, found) in run.names().iter().zip(&found.by) {
            let wanted = forward.jacobian().at("der(x)", name).expect("its name");
            assert!((found - wanted).abs() <= 1e-11 * wanted.abs(), "{name}: {found} {wanted}");
        }
        remade.push(found.remade);
    }
    // of states that are kept beside the ten, none would be made again
    assert!(remade[0] > STEPS as u64 && remade[0] == remade[1], "{remade:?}");
}

/// With room for all states no step is made again, neither for the first gradient nor for another.
#[test]
fn states_that_are_kept_are_not_made_again() {
    let bob = Bob::<f64>::default();
    let mut run = Simulation::of(&bob, RungeKutta4).fixed(0.02).expect("a start").reversible(&by(), 30).expect("room");
    for end in [0.5, 0.5, 1.0, 1.0] {
        run.advance_to(end).expect("steps");
        let remade = run.gradient(share).expect("a gradient").remade;
        // 25 steps, then 50
        assert_eq!(remade == 0, end == 0.5, "{end}: {remade}");
        assert!(remade < 50, "{end}: {remade}");
    }
}
