//! Stepping allocates nothing, whatever the method.

mod common;

use std::alloc::System as Heap;

use common::canonical::Bead;
use common::plants::{Actuated, Pendulum};
use common::rigid::Rod;
use common::{On, on};
use ode_runtime::integrators::{
    BackwardEuler, BogackiShampine, Composition, DormandPrince, ExplicitMidpoint, Fehlberg, ForwardEuler,
    GeneralizedAlpha, Geodesic, Heun, ImplicitMidpoint, Leapfrog, RungeKutta4, SemiExplicitEuler, SemiExplicitPair,
    StormerVerlet, SymplecticEuler,
};
use ode_runtime::solve::Projection;
use ode_runtime::{Method, Moment, Sampled, Simulation, Solvable, Start, State, input_fn};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static HEAP: &StatsAlloc<Heap> = &INSTRUMENTED_SYSTEM;

#[track_caller]
fn steps_without_heap<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M) {
    let mut run = Simulation::of(system, method).project(Projection::to(1e-6)).fixed(1e-3).expect("a start");
    // The thread that watches over tests allocates now and then: what a step allocates, it allocates every time.
    let least = [0.1, 0.2, 0.3].map(|end| {
        let region = Region::new(HEAP);
        run.advance_to(end).expect("steps");
        let used = region.change();
        used.allocations + used.reallocations
    });
    assert_eq!(least.iter().min(), Some(&0));
}

// One test, for the counter sees every thread.
#[test]
fn no_method_touches_the_heap() {
    let pendulum = on(Pendulum::standard());
    steps_without_heap(&pendulum, SemiExplicitEuler::explicit());
    steps_without_heap(&pendulum, SemiExplicitEuler::implicit_position());
    steps_without_heap(&pendulum, SemiExplicitEuler::implicit_velocity());
    steps_without_heap(&pendulum, BackwardEuler::default());
    steps_without_heap(&pendulum, BackwardEuler::linearized());
    steps_without_heap(&pendulum, SymplecticEuler::momenta_first());
    steps_without_heap(&pendulum, SymplecticEuler::positions_first());
    steps_without_heap(&pendulum, StormerVerlet::default());
    steps_without_heap(&pendulum, Composition::suzuki(StormerVerlet::default()));
    steps_without_heap(&pendulum, ImplicitMidpoint::default());
    steps_without_heap(&pendulum, GeneralizedAlpha::with_spectral_radius(0.8));
    steps_without_heap(&pendulum, Geodesic);
    steps_without_heap(&pendulum, ForwardEuler);
    steps_without_heap(&pendulum, Heun);
    steps_without_heap(&pendulum, ExplicitMidpoint);
    steps_without_heap(&pendulum, RungeKutta4);
    steps_without_heap(&pendulum, BogackiShampine);
    steps_without_heap(&pendulum, Fehlberg);
    steps_without_heap(&pendulum, DormandPrince);
    steps_without_heap(&pendulum, Leapfrog::default());
    steps_without_heap(&pendulum, Leapfrog::once());
    steps_without_heap(&pendulum, SemiExplicitPair);

    let rod = on(Rod);
    steps_without_heap(&rod, SemiExplicitEuler::explicit());
    steps_without_heap(&rod, SemiExplicitEuler::implicit_position());
    steps_without_heap(&rod, SemiExplicitEuler::implicit_velocity());
    steps_without_heap(&rod, BackwardEuler::default());
    steps_without_heap(&rod, BackwardEuler::linearized());
    steps_without_heap(&rod, SymplecticEuler::momenta_first());
    steps_without_heap(&rod, SymplecticEuler::positions_first());
    steps_without_heap(&rod, StormerVerlet::default());
    steps_without_heap(&rod, Composition::suzuki(StormerVerlet::default()));
    steps_without_heap(&rod, ImplicitMidpoint::default());
    steps_without_heap(&rod, GeneralizedAlpha::with_spectral_radius(0.8));
    steps_without_heap(&rod, Geodesic);
    steps_without_heap(&rod, ForwardEuler);
    steps_without_heap(&rod, Heun);
    steps_without_heap(&rod, ExplicitMidpoint);
    steps_without_heap(&rod, RungeKutta4);
    steps_without_heap(&rod, BogackiShampine);
    steps_without_heap(&rod, Fehlberg);
    steps_without_heap(&rod, DormandPrince);
    steps_without_heap(&rod, Leapfrog::default());
    steps_without_heap(&rod, Leapfrog::once());
    steps_without_heap(&rod, SemiExplicitPair);

    // M(q) with a constraint
    let bead = on(Bead);
    steps_without_heap(&bead, StormerVerlet::default());
    steps_without_heap(&bead, ImplicitMidpoint::default());

    let actuated = on(Actuated { lag: 0.1 });
    let region = Region::new(HEAP);
    // Starts, sample instants, input functions and error control neither.
    Start::default().solve(&actuated, &ode_runtime::Nominal).expect("consistent");
    let sampled = Sampled::new(0.03, |x: &State<On<Actuated>>, u: &mut [f64; 1]| u[0] = -x.q[1]);
    let mut run = Simulation::of(&actuated, Geodesic).inputs(sampled).adaptive(1e-6).expect("a start");
    run.advance_to(0.5).expect("steps");
    assert!(run.statistics().restarts > 10);
    let function = input_fn(|at: Moment<'_, On<Actuated>>, u: &mut [f64; 1]| u[0] = at.t);
    let mut run = Simulation::of(&actuated, BackwardEuler::default()).inputs(function).fixed(0.01).expect("a start");
    run.advance_to(0.5).expect("steps");
    let used = region.change();
    assert_eq!((used.allocations, used.reallocations), (0, 0));
}
