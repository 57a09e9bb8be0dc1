//! Calls and steps are those of the same model without the option.

use ode_model::integrators::*;
use ode_model::solve::Projection;
use ode_model::{
    Block, Constraint, Differentiable, Forward, FromParameters, Linearize, Method, Parametric, Rates, Residual,
    Sensitive, Simulation, Solvable, State, Weights,
};

use crate::models::*;

/// Numbers that are near to those of the defaults.
fn varied<S: Parametric<Real = f64> + FromParameters>(model: &S, seed: usize) -> S {
    let mut p = model.parameter_block();
    let factor = |i: usize| 1.0 + 0.1 * (((7 * i + 3 * seed) % 11) as f64 - 5.0) / 5.0;
    p.as_mut().iter_mut().enumerate().for_each(|(i, p)| *p *= factor(i));
    S::from_parameters(&p)
}

/// What all calls give at a point that has no symmetry.
pub(crate) fn values<S: Sensitive + Linearize + Parametric<Real = f64>>(model: &S) -> Vec<f64> {
    let layout = model.layout();
    let filled = |block: &mut dyn AsMut<[f64]>, first: f64| {
        block.as_mut().iter_mut().enumerate().for_each(|(i, x)| *x = first + 0.37 * i as f64 - 0.05 * (i * i) as f64);
    };
    let mut state = State::<S>::neutral(model);
    filled(&mut state.q, 0.3);
    filled(&mut state.v, -0.6);
    filled(&mut state.z, 0.2);
    let (mut a, mut zdot, mut lambda) = (state.v.clone(), state.z.clone(), S::L::zeros(layout.constraints.len()));
    filled(&mut a, 1.1);
    filled(&mut zdot, 0.9);
    filled(&mut lambda, 2.2);
    let mut direction = a.clone();
    filled(&mut direction, 0.4);
    let mut u = S::U::zeros(layout.u.len());
    filled(&mut u, 0.8);
    let (at, rates) = (state.at(&u), Rates { a: &a, zdot: &zdot, lambda: &lambda });
    let weights = Weights { rates: 0.7, velocity: -0.4, position: 1.3, state: 0.6 };

    let mut all = Vec::new();
    let mut forward = Forward::<S>::zeros(&layout);
    model.forward(at, &mut forward);
    all.extend([forward.mass.as_ref(), forward.force.as_ref(), forward.zdot.as_ref()].concat());
    all.extend([forward.jacobian.as_ref(), forward.gamma.as_ref()].concat());
    let mut residual = Residual::<S>::zeros(&layout);
    let mut tangent = S::Tangent::zeros(layout.tangent.indices.len());
    model.tangent(at, rates, weights, &direction, &mut residual, &mut tangent);
    all.extend([residual.r.as_ref(), residual.s.as_ref(), residual.phi.as_ref(), tangent.as_ref()].concat());
    model.residual(at, rates, &mut residual);
    all.extend([residual.r.as_ref(), residual.s.as_ref(), residual.phi.as_ref()].concat());
    let mut constraint = Constraint::<S>::zeros(&layout);
    model.constraint(at, &mut constraint);
    all.extend([constraint.phi.as_ref(), constraint.rate.as_ref(), constraint.jacobian.as_ref()].concat());
    model.momentum_rate(at, &mut a.clone());
    let patterns = model.partial_patterns();
    let mut partials = S::Partials::zeros(patterns.states.indices.len());
    model.partials(at, rates, &mut partials);
    let mut by_parameter = S::PartialsByParameter::zeros(patterns.parameters.indices.len());
    model.partials_by_parameter(at, rates, &mut by_parameter);
    all.extend([partials.as_ref(), by_parameter.as_ref()].concat());
    let mut y = S::Y::zeros(layout.outputs.len());
    model.outputs(at, rates, &mut y);
    all.extend(y.as_ref());
    let mut by = S::OutputJacobian::zeros(model.derivatives().output_jacobian.indices.len());
    model.output_jacobian(at, rates, &mut by);
    all.extend(by.as_ref());
    let mut guards = S::Guards::zeros(layout.events.len());
    model.guards(at, &mut guards);
    all.extend(guards.as_ref());
    all
}

/// The largest difference, as a part of the largest number.
pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let size = b.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    assert!(size > 0.0 && b.iter().all(|x| x.is_finite()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs() / size).fold(0.0, |most, d| if d <= most { most } else { d })
}

/// Calls of both, and the other's parameters.
macro_rules! alike {
    ($($plain:ident $prepared:ident;)*) => {$(
        for seed in 0..5 {
            let plain = varied(&$plain::default(), seed);
            let prepared = <$prepared as FromParameters>::from_parameters(&plain.parameter_block());
            let far = distance(&values(&prepared), &values(&plain));
            assert!(far < 1e-14, "{} with seed {seed}: {far:e}", stringify!($prepared));
        }
    )*};
}

#[test]
fn calls_agree() {
    type Links64 = PreparedLinksOver<f64>;
    type Slotted64 = PreparedSlottedOver<f64>;
    alike! {
        Links PreparedLinks;
        Links Links64;
        Slotted PreparedSlotted;
        Slotted Slotted64;
        Cart PreparedCart;
        Cart PreparedCartOfPlain;
        Cart PlainCartOfPrepared;
    }
}

#[test]
fn a_branch_that_is_not_taken_may_have_no_value() {
    for k in [-0.7, 0.0, 0.7] {
        let (plain, prepared) = (Slotted { k, ..Slotted::default() }, PreparedSlotted::builder().k(k).build());
        let prepared = prepared.expect("no requirement is broken");
        assert!(prepared.check().is_ok());
        assert!(distance(&values(&prepared), &values(&plain)) < 1e-14, "{k}");
        let over = PreparedSlottedOver::<f64>::builder().k(k).build().expect("no requirement is broken");
        assert!(distance(&values(&over), &values(&plain)) < 1e-14, "{k}");
    }
}

/// q, v and z after some steps.
pub(crate) fn end<S: Solvable<Real = f64> + Parametric, M: Method<S>>(model: &S, method: M) -> Vec<f64> {
    let setup = Simulation::of(model, method).project(Projection::to(1e-12));
    let mut run = setup.fixed(0.01).expect("a start");
    run.advance_to(0.5).expect("steps");
    let state = run.state();
    [state.q.as_ref(), state.v.as_ref(), state.z.as_ref()].concat()
}

#[test]
fn steps_agree() {
    macro_rules! steps {
        ($($plain:ident $prepared:ident [$($method:expr),*];)*) => {$($(
            let plain = varied(&$plain::default(), 3);
            let prepared = <$prepared as FromParameters>::from_parameters(&plain.parameter_block());
            let far = distance(&end(&prepared, $method), &end(&plain, $method));
            assert!(far < 1e-11, "{} by {}: {far:e}", stringify!($prepared), stringify!($method));
        )*)*};
    }
    steps! {
        Links PreparedLinks [RungeKutta4, DormandPrince, Geodesic, GeneralizedAlpha::trapezoidal(), Bdf2::default()];
        Slotted PreparedSlotted [Geodesic, GeneralizedAlpha::trapezoidal(), Bdf2::default()];
        Cart PreparedCart [RungeKutta4, GeneralizedAlpha::trapezoidal()];
    }
}
