//! Second derivatives of steps, against differences of their first ones and of the steps themselves.

use ode_model::integrators::*;
use ode_model::prelude::*;
use ode_model::solve::Newton;
use ode_model::{Cause, Dual, Real, RunError, Sensitive, Solvable, StepHessian, StepMap};

use crate::duals::Twofold;
use crate::models::*;
use crate::perturb::{Entry, Given, derivative, entries, tangent};
use crate::stepping::newton;

const STEP: f64 = 0.03;

/// A model with its own inputs, a consistent start, and a costate.
struct Posed<S: Solvable<Real = f64>> {
    model: S,
    x: State<S>,
    inputs: Given<S::U>,
    costate: Vec<f64>,
}

impl<S: Solvable<Real = f64> + Sensitive + Default> Posed<S> {
    fn new() -> Self {
        let model = S::default();
        let x = Start::default().solve(&model, &Nominal).expect("a start");
        let mut own = ode_model::Block::zeros(model.layout().u.len());
        model.nominal(&mut own);
        let costate = (0..model.layout().state_directions()).map(|i| 0.4 + (1.7 * i as f64).sin()).collect();
        Self { model, x, inputs: Given { own, gain: 0.0 }, costate }
    }

    /// The entries of (x, u).
    fn entries(&self) -> Vec<Entry> {
        let all = entries(&self.model).into_iter();
        all.filter(|entry| !matches!(entry, Entry::Parameter(_) | Entry::Time)).collect()
    }

    /// μᵀ (A, B), with some entries moved.
    fn slopes(&self, method: impl Vary<S>, moves: &[(Entry, f64)]) -> Vec<f64> {
        let (x, inputs) = self.moved(moves);
        let mut map = StepMap::of(&self.model, method, &[]).expect("a map");
        let step = map.step(&x, inputs.own, STEP).expect("a step");
        let along = |part: ode_model::StepPart<'_, S, _>| -> Vec<f64> {
            let (rows, columns) = part.shape();
            (0..columns).map(|c| (0..rows).map(|r| self.costate[r] * part.entry(r, c)).sum()).collect()
        };
        [along(step.a()), along(step.b())].concat()
    }

    /// The end of a step.
    fn end(&self, method: impl Vary<S>, moves: &[(Entry, f64)]) -> State<S> {
        let (x, inputs) = self.moved(moves);
        let mut map = StepMap::of(&self.model, method, &[]).expect("a map");
        map.step(&x, inputs.own, STEP).expect("a step").end.clone()
    }

    /// μᵀ of a state as a tangent at another.
    fn weighed(&self, at: &State<S>, x: &State<S>) -> f64 {
        let l = self.model.layout();
        let (nv, count) = (l.v.len(), l.state_directions());
        let all = tangent(&self.model, at, x);
        let moving = if l.order == ode_model::Order::First { 0 } else { nv };
        let own = all.iter().take(nv + moving).chain(&all[2 * nv..]);
        own.take(count).zip(&self.costate).map(|(x, mu)| x * mu).sum()
    }

    /// In positions together, in the rest one after the other.
    fn moved(&self, moves: &[(Entry, f64)]) -> (State<S>, Given<S::U>) {
        let (mut x, mut inputs, mut step) = (self.x.clone(), self.inputs.clone(), self.x.v.clone());
        step.as_mut().fill(0.0);
        for &(entry, by) in moves {
            if let Entry::Position(i) = entry {
                step.as_mut()[i] += by;
            } else {
                (_, x, inputs) = entry.moved(&self.model, &x, &inputs, by);
            }
        }
        self.model.retract(&self.x.q, &step, &mut x.q);
        (x, inputs)
    }
}

/// The Hessian with a costate.
fn hessian<S: Twofold, D: Vary<S::Carried>>(
    posed: &Posed<S>,
    method: D,
    costate: &[f64],
) -> ode_model::linalg::Labelled<f64> {
    let carried = {
        let p = crate::duals::lift(posed.model.parameter_block().as_ref());
        <S::Carried as ode_model::FromParameters>::from_parameters(&p)
    };
    let mut second = StepHessian::of(&carried, method).expect("a map");
    second.hessian(&posed.x, posed.inputs.own.clone(), STEP, costate).expect("a Hessian")
}

/// The largest difference from `wanted`, relative to its largest entry.
fn off(found: &ode_model::linalg::Labelled<f64>, wanted: &[Vec<f64>]) -> f64 {
    let scale = wanted.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
    assert!(scale > 1e-4, "nothing curves");
    let n = wanted.len();
    let most = (0..n * n).fold(0.0_f64, |most, i| most.max((found[(i % n, i / n)] - wanted[i / n][i % n]).abs()));
    most / scale
}

/// Differences of μᵀ(A, B): of steps without rotations each column by itself, so that symmetry is found, not made.
fn check<S: Twofold, M: Vary<S> + Copy, D: Vary<S::Carried> + Copy>((method, dual): (M, D)) {
    let posed = Posed::<S>::new();
    let all = posed.entries();
    let column = |&entry: &Entry| derivative(3e-4, |by| posed.slopes(method, &[(entry, by)]));
    let mut wanted: Vec<Vec<f64>> = all.iter().map(column).collect();
    if !posed.model.turnings().is_empty() {
        let raw = wanted.clone();
        for (c, column) in wanted.iter_mut().enumerate() {
            for (r, x) in column.iter_mut().enumerate() {
                *x = 0.5 * (*x + raw[r][c]);
            }
        }
    }
    let (name, kind) = (posed.model.layout().name, method.name());
    let found = hessian(&posed, dual, &posed.costate);
    assert!(off(&found, &wanted) < 1e-7, "{name} {kind}: off by {}", off(&found, &wanted));
    assert_eq!(*found, found.transpose(), "{name} {kind}");
    // the sign of a row that curves
    for (i, mu) in posed.costate.iter().enumerate() {
        let (mut own, mut planted) = (vec![0.0; posed.costate.len()], posed.costate.clone());
        (own[i], planted[i]) = (1.0, -mu);
        let curved = hessian(&posed, dual, &own).amax() > 1e-5;
        let seen = off(&hessian(&posed, dual, &planted), &wanted) > 1e-7;
        assert!(seen || !curved, "{name} {kind}: the sign of row {i} goes unseen");
    }
}

/// Generalised-α with these limits.
fn alpha<T: Real>(newton: Newton<T>) -> GeneralizedAlpha<T> {
    GeneralizedAlpha { newton, ..GeneralizedAlpha::with_spectral_radius(T::from_f64(0.8)) }
}

macro_rules! on {
    ($method:expr, $($model:ident),*) => {$(
        check::<$model<f64>, _, _>(($method, $method));
    )*};
}

#[test]
fn they_are_those_of_explicit_steps() {
    on!(RungeKutta4, Cart, Bob, Coin, Soft, Top, Motor, Coupled, Mixed);
    on!(SemiExplicitEuler::explicit(), Cart, Bob, Coin, Top, Coupled);
    on!(Leapfrog::default(), Cart, Bob);
}

#[test]
fn they_are_those_of_implicit_steps() {
    on!(alpha(newton()), Cart, Bob, Coin, Soft, Top, Motor, Coupled);
    on!(BackwardEuler { solve: Implicit::Newton(newton()), ..BackwardEuler::default() }, Cart, Bob, Mixed);
    on!(Bdf2 { newton: newton(), ..Bdf2::default() }, Cart, Bob);
}

#[test]
fn they_are_those_of_symplectic_steps() {
    on!(StormerVerlet { newton: newton() }, Cart, Bob, Top);
    on!(ImplicitMidpoint { newton: newton() }, Cart, Bob, Top);
    on!(SymplecticEuler { newton: newton(), ..SymplecticEuler::momenta_first() }, Cart, Bob);
    on!(Composition::suzuki(StormerVerlet { newton: newton() }), Cart);
}

/// As differences of the step itself along sums of directions, rotations among them: without first derivatives.
#[test]
fn they_are_the_curvature_of_the_step() {
    fn check<S: Twofold, M: Vary<S> + Copy, D: Vary<S::Carried> + Copy>((method, dual): (M, D)) {
        let posed = Posed::<S>::new();
        let (all, at) = (posed.entries(), posed.end(method, &[]));
        let along = |moves: [(Entry, f64); 2]| {
            let f = |by: f64| posed.weighed(&at, &posed.end(method, &moves.map(|(entry, share)| (entry, by * share))));
            let (h, none) = (2.5e-3, f(0.0));
            (16.0 * (f(h) + f(-h)) - f(2.0 * h) - f(-2.0 * h) - 30.0 * none) / (12.0 * h * h)
        };
        let entry = |r: Entry, c: Entry| 0.25 * (along([(r, 1.0), (c, 1.0)]) - along([(r, 1.0), (c, -1.0)]));
        let wanted: Vec<Vec<f64>> = all.iter().map(|&c| all.iter().map(|&r| entry(r, c)).collect()).collect();
        let found = hessian(&posed, dual, &posed.costate);
        assert!(off(&found, &wanted) < 1e-8, "{} off by {}", posed.model.layout().name, off(&found, &wanted));
    }
    check::<Top<f64>, _, _>((RungeKutta4, RungeKutta4));
    check::<Cart<f64>, _, _>((RungeKutta4, RungeKutta4));
    check::<Bob<f64>, _, _>((alpha(newton()), alpha(newton())));
}

/// Iterations with the tolerance that they have, and from a solution: what varies must converge, not only its value.
#[test]
fn iterations_end_with_their_derivatives() {
    let found = |posed: &Posed<Cart<f64>>, newton| hessian(posed, alpha(newton), &posed.costate);
    let posed = Posed::<Cart<f64>>::new();
    let (usual, tight) = (found(&posed, Newton::default()), found(&posed, newton::<Dual<f64>>()));
    assert!((&*usual - &*tight).amax() < 1e-9 * tight.amax());
    let rest = Posed { x: State::neutral(&posed.model), ..posed };
    for costate in [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]] {
        hessian(&rest, StormerVerlet::default(), &costate);
        hessian(&rest, ImplicitMidpoint::default(), &costate);
    }
}

#[test]
fn bad_input_is_a_typed_error() {
    let needle = Needle::<f64>::default().cast::<Dual<f64>>();
    let refused = StepHessian::of(&needle, RungeKutta4).expect_err("a sphere");
    assert!(matches!(refused, RunError::Evaluation(Cause::NotDifferentiable { .. })), "{refused}");

    let (posed, bob) = (Posed::<Cart<f64>>::new(), Posed::<Bob<f64>>::new());
    let cart = posed.model.cast::<Dual<f64>>();
    let mut second = StepHessian::of(&cart, RungeKutta4).expect("a map");
    let short = second.hessian(&posed.x, posed.inputs.own, STEP, &[1.0; 3]).expect_err("three of four");
    assert!(matches!(short.cause, Cause::OutOfRange { low: 4.0, value: 3.0, .. }), "{short}");
    let unknown = second.hessian(&posed.x, posed.inputs.own, STEP, &[1.0, f64::NAN, 1.0, 1.0]).expect_err("no number");
    assert!(matches!(unknown.cause, Cause::Invalid { .. }), "{unknown}");
    let other = second.hessian(&bob.x, bob.inputs.own, STEP, &[1.0; 4]).expect_err("another model");
    assert!(matches!(other.cause, Cause::OutOfRange { .. }), "{other}");
    for h in [0.0, f64::NAN, -1.0] {
        let error = second.hessian(&posed.x, posed.inputs.own, h, &[1.0; 4]).expect_err("no step");
        assert!(matches!(error.cause, Cause::Invalid { .. }), "{error}");
    }
    let loose = alpha(Newton { tolerance: Dual::constant(1e-2), ..Newton::default() });
    let mut second = StepHessian::of(&cart, loose).expect("a map");
    let early = second.hessian(&posed.x, posed.inputs.own, STEP, &[1.0; 4]).expect_err("an early end");
    assert!(matches!(early.cause, Cause::NotDifferentiable { .. }), "{early}");
}
