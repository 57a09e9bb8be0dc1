//! Derivatives of steps as solvers ask for them: one covector against columns, eight columns at once against one.

use ode_model::integrators::{Adjoint, BackwardEuler, GeneralizedAlpha, SemiExplicitEuler, Vary};
use ode_model::prelude::*;
use ode_model::{Dual, F64x8, Optimizable, Solvable, StepHessian, StepMap};
use ode_model_optimal::{CartPole, Quadrotor, SliderCrank};

/// A state away from rest, with inputs.
fn somewhere<S: Optimizable<Real = f64> + Solvable>(system: &S) -> (State<S>, S::U) {
    let mut x = ode_model::Start::default().solve(system, &ode_model::Nominal).expect("a start");
    let step = |i: usize| 0.3 * (1.7 * i as f64 + 0.4).sin();
    let (from, mut by) = (x.q.clone(), x.v.clone());
    by.as_mut().iter_mut().enumerate().for_each(|(i, by)| *by = step(i));
    if system.layout().constraints.is_empty() {
        system.retract(&from, &by, &mut x.q);
        x.v = by;
    }
    let mut u = <S::U as ode_model::Block<f64>>::zeros(system.layout().u.len());
    u.as_mut().iter_mut().enumerate().for_each(|(i, u)| *u = 1.0 + step(i + 3));
    (x, u)
}

fn check<S, D, E, M, O, P>(system: &S, (one, eight): (&D, &E), (method, first, second): (M, O, P))
where
    S: Optimizable<Real = f64> + Solvable,
    D: Optimizable<Real = Dual<f64>> + Solvable,
    E: Optimizable<Real = Dual<f64, F64x8>> + Solvable,
    M: Vary<S>,
    O: Vary<D>,
    P: Vary<E>,
{
    let (h, (x, u), layout) = (0.02, somewhere(system), system.layout());
    let n = layout.state_directions();
    let costate: Vec<f64> = (0..n).map(|i| (i as f64 + 0.5).cos()).collect();

    let mut map = StepMap::of(system, method, &[]).expect("a map");
    let step = map.step(&x, u.clone(), h).expect("a step");
    let (a, b) = (step.a().labelled(), step.b().labelled());
    let wanted: Vec<f64> =
        a.column_iter().chain(b.column_iter()).map(|c| c.iter().zip(&costate).map(|(x, w)| x * w).sum()).collect();
    // the end without derivatives is that of the step with them
    let (end_q, end_v) = (step.end.q.clone(), step.end.v.clone());
    let end = map.end(&x, u.clone(), h).expect("a step");
    assert_eq!((&end.q, &end.v), (&end_q, &end_v), "{}", layout.name);
    let mut adjoint = Adjoint::new(system, (0..layout.u.len()).collect(), false);
    let (q, v) = costate.split_at(layout.v.len());
    adjoint.state.q.as_mut().copy_from_slice(q);
    adjoint.state.v.as_mut().copy_from_slice(v);
    map.pull_back(&x, u.clone(), h, &mut adjoint).expect("a step");
    let found = adjoint.state.q.as_ref().iter().chain(adjoint.state.v.as_ref()).chain(&adjoint.totals().own);
    for (found, wanted) in found.zip(&wanted) {
        assert!((found - wanted).abs() < 1e-11 * wanted.abs().max(1.0), "{}: {found} {wanted}", layout.name);
    }

    let mut hessian = StepHessian::of(one, first).expect("a model");
    let mut hessians = StepHessian::of(eight, second).expect("a model");
    let one = hessian.step(&x, &u, h, &costate).expect("a step");
    let eight = hessians.step(&x, &u, h, &costate).expect("a step");
    let size = n + layout.u.len();
    assert_eq!((one.size(), eight.size()), (size, size));
    let scale = (0..size * size).fold(1e-3_f64, |most, i| most.max(one.entry(i / size, i % size).abs()));
    for (r, c) in (0..size).flat_map(|r| (0..size).map(move |c| (r, c))) {
        let off = one.entry(r, c) - eight.entry(r, c);
        assert!(off.abs() < 1e-12 * scale, "{}: ({r}, {c}) off by {off}", layout.name);
    }
    assert_eq!(one.entry(size, 0), 0.0);
    // A and B that come with second derivatives
    for slopes in [hessian.slopes(), hessians.slopes()].into_iter().flatten() {
        for (r, c) in (0..n).flat_map(|r| (0..size).map(move |c| (r, c))) {
            let wanted = if c < n { a[(r, c)] } else { b[(r, c - n)] };
            let off = slopes[r * size + c] - wanted;
            assert!(off.abs() < 1e-12 * wanted.abs().max(1.0), "{}: ({r}, {c}) off by {off}", layout.name);
        }
    }
}

#[test]
fn covectors_and_registers_agree_with_columns() {
    let cart = CartPole::<f64>::default();
    let duals = (&cart.cast::<Dual<f64>>(), &cart.cast::<Dual<f64, F64x8>>());
    let explicit = (RungeKutta4, RungeKutta4, RungeKutta4);
    check(&cart, duals, explicit);
    assert!(StepHessian::of(duals.0, RungeKutta4).expect("a model").slopes().is_some());
    assert!(StepHessian::of(duals.0, BackwardEuler::default()).expect("a model").slopes().is_none());
    check(&cart, duals, (BackwardEuler::default(), BackwardEuler::default(), BackwardEuler::default()));
    let alphas = (
        GeneralizedAlpha::with_spectral_radius(0.8),
        GeneralizedAlpha::with_spectral_radius(Dual::constant(0.8)),
        GeneralizedAlpha::with_spectral_radius(Dual::constant(0.8)),
    );
    check(&cart, duals, alphas);
    let crank = SliderCrank::<f64>::default();
    check(&crank, (&crank.cast::<Dual<f64>>(), &crank.cast::<Dual<f64, F64x8>>()), explicit);
}

#[test]
fn so_they_do_where_a_body_turns() {
    // numbers with eight derivatives need room
    let large = std::thread::Builder::new().stack_size(16 << 20);
    let run = large.spawn(|| {
        let body = Quadrotor::<f64>::default();
        let duals = (&body.cast::<Dual<f64>>(), &body.cast::<Dual<f64, F64x8>>());
        let euler = SemiExplicitEuler::explicit();
        check(&body, duals, (euler, euler, euler));
        check(&body, duals, (RungeKutta4, RungeKutta4, RungeKutta4));
    });
    run.expect("a thread").join().expect("no failure");
}
