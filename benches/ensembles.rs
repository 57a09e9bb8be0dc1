//! Steps of an ensemble: beside runs of its members alone, beside its own calls, and on a second core.
//!
//! `RUSTFLAGS="-C target-cpu=native" cargo bench --bench ensembles --features wide,rayon` prints nanoseconds a step of
//! one member: alone, in an ensemble over eight numbers, and what the evaluations, factorisations and solves of that
//! step take by themselves, which their counts in the run give. Then the ratios: alone to ensemble, ensemble to calls,
//! one core to two. All take turns; the least of several runs counts.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark is a program that prints")]

use std::hint::black_box;
use std::time::Instant;

use ode_model::integrators::{GeneralizedAlpha, RungeKutta4};
use ode_model::linalg::Kkt;
use ode_model::solve::Acceleration;
use ode_model::{
    Block, Checkpoint, Context, Ensemble, F64x8, Lent, Linearize, Method, Parametric, Residual, Scalar, Simulation,
    Solvable, State, System, Together, Weights, Wide, WideModel, Work,
};

mod models {
    #[path = "../contest/ours/src/models/cart.rs"]
    pub(crate) mod cart;
    #[path = "../contest/ours/src/models/chain.rs"]
    pub(crate) mod chain;
    #[path = "../contest/ours/src/models/squeezer.rs"]
    pub(crate) mod squeezer;
}
use models::cart::Cart;
use models::chain::{Chain5, Chain10};
use models::squeezer::Squeezer;

/// Members of an ensemble: enough for two cores, few enough for their caches.
const MEMBERS: usize = 64;
const STEPS: u32 = 2000;

/// The least nanoseconds of a call in short batches.
fn time(mut call: impl FnMut()) -> f64 {
    let sample = |_| {
        let clock = Instant::now();
        (0..100).for_each(|_| call());
        clock.elapsed().as_secs_f64() * 1e7
    };
    (0..1000).map(sample).fold(f64::INFINITY, f64::min)
}

/// Nanoseconds that the calls of a step take, by what a run has counted. Each waits for the one before, as in a step.
fn calls<S: Solvable<Real: Wide> + Linearize>(model: &S, x: &State<S>, counts: [f64; 5]) -> f64 {
    let layout = model.layout();
    let mut u = S::U::zeros(layout.u.len());
    model.nominal(&mut u);
    let (mut x, mut acceleration) = (x.clone(), Acceleration::new(model));
    let (none, h) = (S::Real::from_f64(1e-300), S::Real::from_f64(1e-3));
    let weights = Weights { rates: S::Real::ONE, velocity: h, position: h * h, state: S::Real::ONE };
    let (mut residual, mut values) = (Residual::<S>::zeros(&layout), S::Tangent::zeros(layout.tangent.nnz()));
    let (mut kkt, step) = (S::Kkt::new(&layout), S::V::zeros(layout.v.len()));
    let mut work = Work::default();
    let mut evaluation = || {
        let mut cx = Context { system: model, inputs: &Lent(&u), work: &mut work };
        acceleration.settle(&mut cx, &mut x).expect("an evaluation");
        x.v.as_mut().iter_mut().zip(x.a.as_ref()).for_each(|(v, &a)| *v += none * a);
    };
    let mut sum = 0.0;
    let [evaluations, residuals, tangents, factorizations, solves] = counts;
    if evaluations > 0.0 {
        sum += evaluations * time(&mut evaluation);
    }
    if tangents > 0.0 {
        let mut x = x.clone();
        sum += residuals
            * time(|| {
                model.residual(x.at(&u), x.rates(), &mut residual);
                x.a.as_mut().iter_mut().zip(residual.r.as_ref()).for_each(|(a, &r)| *a += none * r);
            });
        sum += tangents
            * time(|| {
                model.tangent(x.at(&u), x.rates(), weights, &step, &mut residual, &mut values);
                x.a.as_mut().iter_mut().zip(residual.r.as_ref()).for_each(|(a, &r)| *a += none * r);
            });
        sum += factorizations
            * time(|| {
                kkt.factorize(&layout, black_box(values.as_ref())).expect("a regular matrix");
            });
        let (mut v, mut z, mut l) = (x.v.clone(), x.z.clone(), x.lambda.clone());
        sum += solves
            * time(|| {
                kkt.solve(v.as_mut(), z.as_mut(), l.as_mut()).expect("a solution");
                v.as_mut().iter_mut().for_each(|v| *v *= none);
            });
    }
    sum
}

fn row<S, M>(name: &str, method: M, h: f64, swing: bool)
where
    S: WideModel<Single: Parametric<Real = f64> + Default + Send> + Linearize + Send + Default,
    S::Real: Wide<Lane = f64>,
    S::U: Send,
    <S::Single as System>::U: Send,
    M: Together<S> + Sync,
    Checkpoint<S, <M::Wide as Method<S>>::Memory>: Send,
    Checkpoint<S::Single, <M as Method<S::Single>>::Memory>: Send,
{
    let model = S::Single::default();
    // a motion, where the default start is an equilibrium
    let start = |model: &S::Single| {
        let mut x = Simulation::of(model, method).fixed(h).expect("a start").state().clone();
        if swing {
            x.q.as_mut().iter_mut().enumerate().for_each(|(i, q)| *q = 0.8 - 0.1 * i as f64);
        }
        x
    };
    let models = || std::iter::repeat_with(|| model.clone()).take(MEMBERS);
    let end = f64::from(STEPS) * h;
    let least = |sample: &mut dyn FnMut() -> f64| (0..20).map(|_| sample()).fold(f64::INFINITY, f64::min);
    let timed = |run: &mut dyn FnMut()| {
        let clock = Instant::now();
        run();
        clock.elapsed().as_secs_f64() * 1e9 / f64::from(STEPS)
    };
    let alone = least(&mut || {
        let mut run = Simulation::of(&model, method).given(start(&model)).fixed(h).expect("a start");
        timed(&mut || run.advance_to(end).expect("steps"))
    });
    let mut apart = 0;
    let mut ensemble = |parallel: bool| {
        least(&mut || {
            let mut ensemble =
                Ensemble::<S, M>::of(models(), method).given(|_, model| start(model)).fixed(h).expect("a start");
            let ns = timed(&mut || match parallel {
                true => ensemble.advance_parallel(end, |_| {}).expect("steps"),
                false => ensemble.advance_to(end, |_| {}).expect("steps"),
            });
            apart += ensemble.steps_alone();
            ns / MEMBERS as f64
        })
    };
    let (one, two) = (ensemble(false), ensemble(true));
    assert_eq!(apart, 0, "members go together");
    let wide = S::default();
    let mut x = State::neutral(&wide);
    let begin = start(&model);
    x.q.as_mut().iter_mut().zip(begin.q.as_ref()).for_each(|(to, &from)| *to = S::Real::splat(from));
    x.v.as_mut().iter_mut().zip(begin.v.as_ref()).for_each(|(to, &from)| *to = S::Real::splat(from));
    let mut run = Simulation::of(&wide, method.wide()).given(x).fixed(S::Real::splat(h)).expect("a start");
    run.advance_to(S::Real::splat(end)).expect("steps");
    let work = run.statistics().work;
    let counts = [work.evaluations, work.residuals, work.tangents, work.factorizations, work.solves];
    let calls = calls(&wide, run.state(), counts.map(|n| n as f64 / f64::from(STEPS))) / S::Real::LANES as f64;
    println!(
        "{name:<40} {alone:>7.1} {one:>8.1} {calls:>7.1} {:>6.2} {:>6.2} {:>6.2}",
        alone / one,
        one / calls,
        one / two
    );
}

fn main() {
    println!("{:<40} {:>7} {:>8} {:>7} {:>6} {:>6} {:>6}", "", "alone", "ensemble", "calls", "gain", "/calls", "cores");
    row::<Cart<F64x8>, _>("double pendulum on a cart, RK4", RungeKutta4, 1e-3, true);
    row::<Chain5<F64x8>, _>("five links, RK4", RungeKutta4, 1e-3, true);
    row::<Chain10<F64x8>, _>("ten links, RK4", RungeKutta4, 1e-3, true);
    row::<Squeezer<F64x8>, _>("squeezer, RK4", RungeKutta4, 1e-5, false);
    let alpha = GeneralizedAlpha::with_spectral_radius(0.8);
    row::<Cart<F64x8>, _>("double pendulum on a cart, gen-α", alpha, 1e-3, true);
    row::<Chain5<F64x8>, _>("five links, generalised-α", alpha, 1e-3, true);
    row::<Squeezer<F64x8>, _>("squeezer, generalised-α", alpha, 1e-5, false);
}
