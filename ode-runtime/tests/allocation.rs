//! Stepping allocates nothing, whatever the method.

mod common;

use std::alloc::System as Heap;

use common::canonical::Bead;
use common::methods::{Candidate, Each, every_method};
use common::plants::{Actuated, Pendulum};
use common::rigid::Rod;
use common::{On, on};
use ode_runtime::integrators::{BackwardEuler, Geodesic, ImplicitMidpoint, Leapfrog, StormerVerlet};
use ode_runtime::solve::Projection;
use ode_runtime::{Method, Moment, Sampled, Simulation, Solvable, Start, State, input_fn};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static HEAP: &StatsAlloc<Heap> = &INSTRUMENTED_SYSTEM;

#[track_caller]
fn steps_without_heap<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M) {
    let mut run = Simulation::of(system, method).project(Projection::to(1e-6)).fixed(1e-3).expect("a start");
    // The thread that watches over tests allocates now and then: what a step allocates, it allocates every time.
    let least = [0.02, 0.04, 0.06].map(|end| {
        let region = Region::new(HEAP);
        run.advance_to(end).expect("steps");
        let used = region.change();
        used.allocations + used.reallocations
    });
    assert_eq!(least.iter().min(), Some(&0));
}

/// Steps on a constraint, in numbers and in rotations.
struct WithoutHeap {
    pendulum: On<Pendulum>,
    rod: On<Rod>,
}

impl Each for WithoutHeap {
    fn method<M: Candidate>(&mut self, _name: &'static str, method: M) {
        steps_without_heap(&self.pendulum, method);
        steps_without_heap(&self.rod, method);
    }
}

// One test, for the counter sees every thread.
#[test]
fn no_method_touches_the_heap() {
    every_method(&mut WithoutHeap { pendulum: on(Pendulum::standard()), rod: on(Rod) });
    steps_without_heap(&on(Rod), Leapfrog::once());

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
