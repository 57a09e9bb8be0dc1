//! Systems of steps: those of the very step of a method, which approach the continuous one as the step shrinks.

use ode_control::Linearizer;
use ode_model::integrators::*;
use ode_model::linalg::{DMatrix, Labelled};
use ode_model::prelude::*;
use ode_model::{Sensitive, Solvable, StepMap};

use crate::in_motion::posed;
use crate::models::*;

/// (A, B) of a step, which ends on the constraints.
fn step<S, M>(model: &S, method: M, x: &State<S>, u: &S::U, h: f64) -> (DMatrix<f64>, DMatrix<f64>)
where
    S: Solvable<Real = f64> + Sensitive,
    M: Vary<S>,
{
    let map = StepMap::of(model, method, &[]).expect("a map");
    let mut map = map.project(Projection { margin: 1e-3, ..Projection::to(1e-13) }).expect("a projection");
    let linear = Linearizer::of(model).step(&mut map, x, u.clone(), h).expect("a step");
    assert_eq!(linear.system.step, Some(h));
    (linear.system.a.into_matrix(), linear.system.b.into_matrix())
}

/// What a method's step is off, by its order p: h^(p + 1).
fn check<S, M>(model: &S, method: M, order: i32)
where
    S: Solvable<Real = f64> + Sensitive,
    M: Vary<S> + Copy,
{
    let (x, u) = posed(model);
    let off = |h: f64| {
        let (found, wanted) = (step(model, method, &x, &u, h), step(model, DormandPrince8, &x, &u, h));
        ((found.0 - wanted.0).amax() / h, (found.1 - wanted.1).amax() / h)
    };
    let h = if order > 2 { 0.04 } else { 0.01 };
    let (coarse, fine) = (off(h), off(0.5 * h));
    for (coarse, fine) in [(coarse.0, fine.0), (coarse.1, fine.1)] {
        let found = (coarse / fine).log2();
        // what is exact has no order
        assert!(
            found > f64::from(order) - 0.3 || fine < 1e-11,
            "{} {}: {coarse:e} {fine:e}",
            model.layout().name,
            method.name()
        );
    }
    // (A_d − 1)/h → A and B_d/h → B
    let system = Linearizer::of(model).at(&x, u.clone()).expect("a linear system").system;
    let rate = |h: f64| {
        let (a, b) = step(model, method, &x, &u, h);
        let one = DMatrix::identity(a.nrows(), a.nrows());
        ((a - one) / h - &*system.a).amax().max((b / h - &*system.b).amax())
    };
    let (coarse, fine) = (rate(2e-4), rate(1e-4));
    assert!(
        coarse < 2.2 * fine + 1e-9 && fine < 1e-2 * (1.0 + system.a.norm_squared()),
        "{} {}: {coarse:e} {fine:e}",
        model.layout().name,
        method.name()
    );
}

fn every_family<S: Solvable<Real = f64> + Sensitive>(model: &S) {
    let newton = Newton { tolerance: 1e-15, constraint: 1e-15, iterations: 30, ..Newton::default() };
    check(model, SemiExplicitEuler::explicit(), 1);
    check(model, Heun, 2);
    check(model, RungeKutta4, 4);
    check(model, Bdf2 { newton, ..Bdf2::default() }, 1);
    check(model, GeneralizedAlpha { newton, ..GeneralizedAlpha::with_spectral_radius(0.8) }, 2);
}

#[test]
fn they_approach_the_continuous_system_at_the_order_of_the_method() {
    every_family(&Cart::<f64>::default());
    every_family(&Motor::<f64>::default());
    every_family(&Coupled::<f64>::default());
}

#[test]
fn so_they_do_with_constraints() {
    every_family(&Bob::<f64>::default());
    every_family(&Coin::<f64>::default());
    every_family(&Soft::<f64>::default());
    every_family(&Mixed::<f64>::default());
    check(&Twice::<f64>::default(), RungeKutta4, 4);
    check(&Bob::<f64>::default(), StormerVerlet::default(), 2);
}

#[test]
fn so_they_do_on_rotations_and_the_sphere() {
    every_family(&Top::<f64>::default());
    every_family(&Needle::<f64>::default());
}

/// Projection is part of the step.
#[test]
fn projected_steps_are_linearised_with_their_projection() {
    let model = Bob::<f64>::default();
    let (x, u) = posed(&model);
    let linearizer = Linearizer::of(&model);
    let a = |map: &mut StepMap<'_, _, _, _>| -> Labelled<f64> {
        linearizer.step(map, &x, u, 0.02).expect("a step").system.a
    };
    let free = a(&mut StepMap::of(&model, Heun, &[]).expect("a map"));
    let map = StepMap::of(&model, Heun, &[]).expect("a map");
    let held = a(&mut map.project(Projection::to(1e-13)).expect("a projection"));
    let (exact, _) = step(&model, DormandPrince8, &x, &u, 0.02);
    assert!((&*free - &exact).amax() < 1e-3 && (&*held - &exact).amax() < 1e-3 && (&*held - &*free).amax() > 1e-9);
}
