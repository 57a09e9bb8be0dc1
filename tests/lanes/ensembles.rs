//! Ensembles beside runs of their members alone.

#![allow(unreachable_pub, dead_code, reason = "models are shared with other tests")]

#[path = "../variation/models.rs"]
mod models;

use ode_model::integrators::*;
use ode_model::solve::Projection;
use ode_model::{
    Block, Ensemble, F64x4, F64x8, Lent, Parametric, Simulation, Solvable, State, System, Together, WideModel,
};

use models::*;

/// What differs between two states: the largest of |a − b| / (1 + |b|) over q, v and z.
fn distance<S: System<Real = f64>>(a: &State<S>, b: &State<S>) -> f64 {
    let parts = [(a.q.as_ref(), b.q.as_ref()), (a.v.as_ref(), b.v.as_ref()), (a.z.as_ref(), b.z.as_ref())];
    let pairs = parts.into_iter().flat_map(|(a, b)| a.iter().zip(b));
    let distances = pairs.map(|(a, b)| if a == b { 0.0 } else { (a - b).abs() / (1.0 + b.abs()) });
    distances.fold(0.0, |most, d| if d <= most { most } else { d })
}

/// Models that differ in all parameters.
fn members<S: Parametric<Real = f64> + Default>(count: usize) -> Vec<S> {
    let model = |k: usize| {
        let mut p = S::default().parameter_block();
        p.as_mut().iter_mut().enumerate().for_each(|(i, p)| *p *= 1.0 + 0.013 * ((k + i) % 5) as f64);
        S::with_parameters(&p)
    };
    (0..count).map(model).collect()
}

/// Inputs that differ, also from one time to the next.
fn inputs<S: Solvable<Real = f64>>(model: &S, k: usize, phase: f64) -> S::U {
    let mut u = S::U::zeros(model.layout().u.len());
    model.nominal(&mut u);
    u.as_mut().iter_mut().for_each(|u| *u += 0.1 * phase * k as f64);
    u
}

const COUNT: usize = 11;
const STEP: f64 = 0.01;

/// The largest distance of an ensemble's members from runs of their own, and the share of steps made alone.
fn measure<S, M>(method: M) -> (f64, f64)
where
    S: WideModel<Single: Parametric<Real = f64> + Default>,
    S::Real: ode_model::Wide<Lane = f64>,
    M: Together<S>,
{
    let models = members::<S::Single>(COUNT);
    let projection = Projection::to(1e-9);
    let setup = Ensemble::<S, M>::of(models.clone(), method).project(projection);
    let mut ensemble = setup.inputs(|k, u| u.clone_from(&inputs(&models[k], k, 1.0))).fixed(STEP).expect("a start");
    ensemble.advance_to(0.1, |_| {}).expect("steps");
    for (k, model) in models.iter().enumerate() {
        ensemble.set_inputs(k, &inputs(model, k, -1.0));
    }
    ensemble.advance_to(0.25, |_| {}).expect("steps");
    let mut most = 0.0_f64;
    for (k, model) in models.iter().enumerate() {
        let first = inputs(model, k, 1.0);
        let setup = Simulation::of(model, method).project(projection);
        let mut run = setup.inputs(Lent(&first)).fixed(STEP).expect("a start");
        run.advance_to(0.1).expect("steps");
        let (second, point) = (inputs(model, k, -1.0), run.checkpoint());
        let setup = Simulation::of(model, method).project(projection);
        let mut run = setup.inputs(Lent(&second)).resume(point).fixed(STEP).expect("the same");
        run.advance_to(0.25).expect("steps");
        most = most.max(distance(&ensemble.state(k).expect("a member"), run.state()));
    }
    (most, ensemble.steps_alone() as f64 / (25 * COUNT) as f64)
}

/// How far members may be from runs alone. Explicit methods make the same operations.
const SAME: f64 = 0.0;
/// Where one needs a projection, all are projected; implicit methods iterate until all have converged.
const CONVERGED: f64 = 1e-8;

/// Measures each method on each model, and lists what is too far.
macro_rules! measured {
    ($wide:ident, $most:ident, [$($model:ident),*], $methods:tt) => {
        [$(measured!(@ $wide, $most, $model, $methods)),*].concat()
    };
    (@ $wide:ident, $most:ident, $model:ident, [$($method:expr),* $(,)?]) => {{
        let mut failures = Vec::new();
        $(
            let (distance, alone) = measure::<$model<$wide>, _>($method);
            let name = concat!(stringify!($model), "<", stringify!($wide), "> by ", stringify!($method));
            println!("{name}: {distance:e}, {alone}");
            if !(distance <= $most) {
                failures.push(format!("{name}: {distance:e}"));
            }
            // An algebraic equation is solved with exchanges, which differ.
            if alone != if stringify!($model) == "Coupled" { 1.0 } else { 0.0 } {
                failures.push(format!("{name}: {alone} of the steps alone"));
            }
        )*
        failures
    }};
}

#[test]
fn members_move_as_they_do_alone() {
    let mut failures: Vec<String> = Vec::new();
    failures.extend(measured!(
        F64x8,
        SAME,
        [Cart, Top, Needle, Motor, Coupled],
        [
            SemiExplicitEuler::explicit(),
            SemiExplicitEuler::implicit_position(),
            Leapfrog::default(),
            SemiExplicitPair,
            ForwardEuler,
            RungeKutta4,
            Geodesic,
            DormandPrince,
        ]
    ));
    failures.extend(measured!(
        F64x8,
        CONVERGED,
        [Bob, Coin, Soft, Twice],
        [
            SemiExplicitEuler::explicit(),
            SemiExplicitEuler::implicit_position(),
            Leapfrog::default(),
            SemiExplicitPair,
            ForwardEuler,
            RungeKutta4,
            Geodesic,
            DormandPrince,
        ]
    ));
    failures.extend(measured!(
        F64x8,
        CONVERGED,
        [Cart, Bob, Coin, Soft, Twice, Top, Needle, Motor, Coupled, Mixed],
        [
            SemiExplicitEuler::implicit_velocity(),
            BackwardEuler::default(),
            BackwardEuler::linearized(),
            Bdf2::default(),
            GeneralizedAlpha::with_spectral_radius(0.8),
        ]
    ));
    failures.extend(measured!(
        F64x8,
        CONVERGED,
        [Cart, Bob, Coin, Twice, Top, Needle],
        [
            SymplecticEuler::momenta_first(),
            StormerVerlet::default(),
            ImplicitMidpoint::default(),
            Composition::suzuki(StormerVerlet::default()),
        ]
    ));
    failures.extend(measured!(F64x8, SAME, [Mixed], [ForwardEuler, RungeKutta4]));
    failures.extend(measured!(F64x4, SAME, [Cart], [RungeKutta4]));
    failures.extend(measured!(F64x4, CONVERGED, [Cart], [GeneralizedAlpha::with_spectral_radius(0.8)]));
    failures.extend(measured!(f64, SAME, [Cart], [RungeKutta4, GeneralizedAlpha::with_spectral_radius(0.8)]));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
