//! Stepping allocates nothing, whatever the method.

mod common;
#[path = "common/heap.rs"]
mod heap;
#[path = "sparse/net.rs"]
#[allow(dead_code, reason = "each test uses a part of it")]
mod net;

use common::canonical::Bead;
use common::methods::{Candidate, Each, every_type};
use common::plants::{Actuated, DoublePendulum, Pendulum};
use common::rigid::Rod;
use common::{On, on};
use ode_runtime::integrators::{
    BackwardEuler, Bdf2, BogackiShampine, Composition, DormandPrince, DormandPrince8, ExplicitMidpoint, Fehlberg,
    GeneralizedAlpha, Geodesic, Heun, Implicit, ImplicitMidpoint, Leapfrog, RungeKutta4, SemiExplicitPair,
    StormerVerlet, SymplecticEuler, Verner9,
};
use ode_runtime::solve::{Newton, Projection, Reuse};
use ode_runtime::{
    Adaptive, Estimates, Halving, Law, Linearize, Method, Moment, Nominal, Sampled, Simulation, Solvable, Start,
    StartError, State, Steps, input_fn,
};

/// Whether a run leaves the heap alone, without reports and checkpoints.
#[track_caller]
fn runs_without_heap<S: Solvable<Real = f64>, M: Method<S>>(
    name: &str,
    run: Result<Simulation<'_, S, M, Nominal>, StartError>,
) {
    let mut run = run.unwrap_or_else(|error| panic!("{name}: {error}"));
    let calls = heap::calls(|| [0.01, 0.02, 0.03].into_iter().for_each(|end| run.advance_to(end).expect("steps")));
    assert_eq!(calls, 0, "{name}");
    assert!(run.statistics().taken > 2, "{name}");
}

/// Fixed steps, projected ones, and ones that are halved.
fn steps_without_heap<S: Solvable<Real = f64>, M: Method<S> + Copy>(name: &str, system: &S, method: M) {
    let new = || Simulation::of(system, method);
    runs_without_heap(name, new().fixed(3e-3));
    runs_without_heap(name, new().project(Projection::to(1e-12)).fixed(3e-3));
    runs_without_heap(name, new().halving(Halving::of(3e-3)));
}

/// Steps under error control with a law that has a memory; some are rejected, some projected.
fn adapts_without_heap<M>(name: &str, method: M)
where
    M: Estimates + Copy + Method<On<Pendulum>> + Method<On<Rod>> + Method<On<Actuated>>,
{
    fn both<S: Solvable<Real = f64>, M: Method<S> + Estimates + Copy>(name: &str, system: &S, method: M) {
        let control = || {
            let steps = Steps { first: Some(0.01), ..Steps::default() };
            Adaptive { law: Law::H312B, steps, ..Adaptive::to(1e-8) }
        };
        runs_without_heap(name, Simulation::of(system, method).controlled(control()));
        runs_without_heap(name, Simulation::of(system, method).project(Projection::to(1e-9)).controlled(control()));
    }
    both(name, &on(Pendulum::standard()), method);
    both(name, &on(Rod), method);
    both(name, &on(Actuated { lag: 0.1 }), method);
}

struct Steady;

impl Each for Steady {
    fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
        steps_without_heap(name, &on(Pendulum::standard()), method);
        steps_without_heap(name, &on(Actuated { lag: 0.1 }), method);
        steps_without_heap(name, &on(DoublePendulum), method);
        steps_without_heap(name, &on(Rod), method);
    }
}

/// With factors that live longer than an iteration, and after steps that failed.
fn keeps_without_heap<S: Solvable<Real = f64> + Linearize>(system: &S) {
    for reuse in [Reuse::EveryStep, Reuse::automatic(), Reuse::Never] {
        let alpha = GeneralizedAlpha::with_spectral_radius(0.8);
        let name = "kept matrices";
        let kept = |newton| Newton { reuse, ..newton };
        steps_without_heap(name, system, GeneralizedAlpha { newton: kept(alpha.newton), ..alpha });
        let euler = BackwardEuler { solve: Implicit::Newton(kept(Newton::default())), ..BackwardEuler::default() };
        steps_without_heap(name, system, euler);
        steps_without_heap(name, system, Bdf2 { newton: kept(Bdf2::default().newton), ..Bdf2::default() });
        let midpoint = ImplicitMidpoint { newton: kept(ImplicitMidpoint::default().newton) };
        steps_without_heap(name, system, midpoint);
    }
}

/// Steps that are given up and halved, with matrices kept and not.
fn fails_without_heap<S: Solvable<Real = f64> + Linearize>(system: &S) {
    for reuse in [Reuse::EveryIteration, Reuse::EveryStep, Reuse::automatic(), Reuse::Never] {
        let alpha = GeneralizedAlpha::with_spectral_radius(0.8);
        let method = GeneralizedAlpha { newton: Newton { iterations: 4, reuse, ..alpha.newton }, ..alpha };
        let mut run = Simulation::of(system, method).halving(Halving::of(0.4)).expect("a start");
        let calls = heap::calls(|| run.advance_to(0.8).expect("steps"));
        assert_eq!(calls, 0, "{reuse:?}");
        let s = run.statistics();
        assert!(s.attempt_failures > 0, "{reuse:?}: {s:?}");
        // Those that were saved by a matrix of their own are not among the steps that failed.
        let kept = reuse != Reuse::EveryIteration;
        assert!(!kept || s.work.convergence_failures > s.attempt_failures, "{reuse:?}: {s:?}");
    }
}

#[test]
fn no_method_touches_the_heap() {
    every_type(&mut Steady);
    large_models_step_without_heap();
    steps_without_heap("Leapfrog::once", &on(Pendulum::standard()), Leapfrog::once());
    steps_without_heap("Leapfrog::once", &on(Rod), Leapfrog::once());
    adapts_without_heap("Heun", Heun);
    adapts_without_heap("ExplicitMidpoint", ExplicitMidpoint);
    adapts_without_heap("BogackiShampine", BogackiShampine);
    adapts_without_heap("Geodesic", Geodesic);
    adapts_without_heap("Fehlberg", Fehlberg);
    adapts_without_heap("DormandPrince", DormandPrince);
    adapts_without_heap("DormandPrince8", DormandPrince8);
    adapts_without_heap("Verner9", Verner9);
    adapts_without_heap("SemiExplicitPair", SemiExplicitPair);
    adapts_without_heap("Leapfrog", Leapfrog::default());
    adapts_without_heap("BackwardEuler", BackwardEuler::default());
    adapts_without_heap("Bdf2", Bdf2::default());
    adapts_without_heap("GeneralizedAlpha", GeneralizedAlpha::with_spectral_radius(0.8));
    keeps_without_heap(&on(Pendulum::standard()));
    keeps_without_heap(&on(Rod));
    fails_without_heap(&on(Pendulum::standard()));
    fails_without_heap(&on(Rod));

    // M(q) with a constraint
    let bead = on(Bead);
    steps_without_heap("StormerVerlet", &bead, StormerVerlet::default());
    steps_without_heap("ImplicitMidpoint", &bead, ImplicitMidpoint::default());

    let actuated = on(Actuated { lag: 0.1 });
    // Starts, sample instants, input functions and error control neither.
    let calls = heap::calls(|| {
        Start::default().solve(&actuated, &Nominal).expect("consistent");
        let sampled = Sampled::new(0.03, |x: &State<On<Actuated>>, u: &mut [f64; 1]| u[0] = -x.q[1]);
        let mut run = Simulation::of(&actuated, Geodesic).inputs(sampled).adaptive(1e-6).expect("a start");
        run.advance_to(0.5).expect("steps");
        assert!(run.statistics().restarts > 10);
        let function = input_fn(|at: Moment<'_, On<Actuated>>, u: &mut [f64; 1]| u[0] = at.t);
        let setup = Simulation::of(&actuated, BackwardEuler::default()).inputs(function);
        let mut run = setup.fixed(0.01).expect("a start");
        run.advance_to(0.5).expect("steps");
    });
    assert_eq!(calls, 0);
}

/// Steps of large models, whose pivots keep their digits.
fn large_models_step_without_heap() {
    let rope = net::rope(60, 0.1);
    let elastic = net::elastic(60, 0.1, 1e3, 0.1);
    for projected in [false, true] {
        let setup = || match projected {
            false => Simulation::of(&rope, GeneralizedAlpha::with_spectral_radius(0.9)),
            true => Simulation::of(&rope, GeneralizedAlpha::with_spectral_radius(0.9)).project(Projection::to(1e-12)),
        };
        runs_without_heap("generalised-α, rope", setup().fixed(3e-3));
    }
    fn explicit<K: net::Solvers, M: Method<net::Net<K>> + Copy>(name: &str, rope: &net::Net<K>, method: M) {
        runs_without_heap(name, Simulation::of(rope, method).fixed(3e-3));
        runs_without_heap(name, Simulation::of(rope, method).project(Projection::to(1e-12)).fixed(3e-3));
    }
    explicit("Heun, rope", &rope, Heun);
    explicit("Runge–Kutta 4, rope", &rope, RungeKutta4);
    explicit("Geodesic, rope", &rope, Geodesic);
    explicit("Dormand–Prince, rope", &rope, DormandPrince);
    explicit("Dormand–Prince 8, rope", &rope, DormandPrince8);
    explicit("Dormand–Prince, springs", &elastic, DormandPrince);
    explicit("semi-explicit pair, rope", &rope, SemiExplicitPair);
    explicit("symplectic Euler, rope", &rope, SymplecticEuler::momenta_first());
    explicit("Störmer–Verlet, rope", &rope, StormerVerlet::default());
    explicit("implicit midpoint, rope", &rope, ImplicitMidpoint::default());
    explicit("composition, rope", &rope, Composition::triple_jump(StormerVerlet::default()));
    explicit("composition of leapfrog, rope", &rope, Composition::triple_jump(Leapfrog::default()));
    runs_without_heap("Dormand–Prince, adaptive", Simulation::of(&elastic, DormandPrince).adaptive(1e-6));
    runs_without_heap("leapfrog, rope", Simulation::of(&rope, Leapfrog::default()).fixed(3e-3));
    runs_without_heap("backward Euler, springs", Simulation::of(&elastic, BackwardEuler::linearized()).fixed(3e-3));
    runs_without_heap("BDF2, springs", Simulation::of(&elastic, Bdf2::default()).fixed(3e-3));
}
