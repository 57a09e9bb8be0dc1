//! Stepping a generated model allocates nothing, whatever the method.

#[allow(
    dead_code,
    unreachable_pub,
    clippy::print_stdout,
    reason = "the model is that of the example; its main is not run"
)]
#[path = "../examples/squeezer.rs"]
mod squeezer;

use std::alloc::System as Heap;

use ode_model::integrators::{
    BackwardEuler, Bdf2, GeneralizedAlpha, Geodesic, Leapfrog, SemiExplicitEuler, SemiExplicitPair, Vary,
};
use ode_model::solve::Projection;
use ode_model::variation::{Chain, Columns, Direction, Fixed, Forward, LinearMotion, Seed, Varied};
use ode_model::{
    Block, Context, Method, Moment, Nominal, Sampled, Sensitive, Simulation, Solvable, Start, State, StepMap, Work,
    input_fn, model,
};
use squeezer::AndrewsSqueezer;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

type Squeezer = AndrewsSqueezer<f64>;

#[global_allocator]
static HEAP: &StatsAlloc<Heap> = &INSTRUMENTED_SYSTEM;

model! {
    #[model(no_selftest)]
    /// A bob on a rod, with a drag so that forces depend on velocities, and real branches.
    pub struct Pendulum {
        param l: Real = 1.0;
        coord (r, v): Vec2;
        input push: Real;
        kinetic = 0.5 * v.dot(v);
        potential = 9.81 * r.y;
        dissipation = 0.05 * v.dot(v);
        force drive on r.x = if r.y > 0.0 { push } else { sq(push) };
        constraint rod: r.dot(r) == sq(l);
        init r = vec2(l, 0.0);
    }
}

/// Fewest heap calls while `work` runs, of some rounds: the counter sees every thread, and the squeezer tests itself in
/// another.
fn heap(mut work: impl FnMut()) -> usize {
    let mut fewest = usize::MAX;
    for _ in 0..5 {
        let region = Region::new(HEAP);
        work();
        let used = region.change();
        fewest = fewest.min(used.allocations + used.reallocations + used.deallocations);
    }
    fewest
}

/// Steps without and with projection, after a first step.
fn steps<S: Solvable<Real = f64>, M: Method<S> + Copy>(name: &str, system: &S, method: M, h: f64) {
    for projection in [None, Some(Projection::to(1e-10))] {
        let setup = Simulation::of(system, method);
        let setup = match projection {
            Some(projection) => setup.project(projection),
            None => setup,
        };
        let mut run = setup.fixed(h).expect("a start");
        let mut end = 0.0;
        let used = heap(|| {
            end += 50.0 * h;
            run.advance_to(end).expect("steps");
        });
        assert_eq!(used, 0, "{name} used the heap {used} times in 50 steps");
        assert!(run.statistics().taken >= 249);
    }
}

fn every_method<S>(system: &S, h: f64)
where
    S: Solvable<Real = f64> + ode_model::Linearize,
{
    steps("SemiExplicitEuler", system, SemiExplicitEuler::explicit(), h);
    steps("SemiExplicitEuler, implicit in q", system, SemiExplicitEuler::implicit_position(), h);
    steps("SemiExplicitEuler, implicit in v", system, SemiExplicitEuler::implicit_velocity(), h);
    steps("BackwardEuler", system, BackwardEuler::default(), h);
    steps("BackwardEuler, linearised", system, BackwardEuler::linearized(), h);
    steps("GeneralizedAlpha", system, GeneralizedAlpha::with_spectral_radius(0.8), h);
    steps("Newmark", system, GeneralizedAlpha::newmark(0.5, 0.25), h);
    steps("Geodesic", system, Geodesic, h);
}

/// Steps with their derivatives, by the state, the inputs and one parameter, without and with projection.
fn maps<S: Solvable<Real = f64> + Sensitive, M: Vary<S> + Copy, const N: usize>(
    name: &str,
    system: &S,
    method: M,
    (parameter, h): (&str, f64),
) {
    let x = Start::default().solve(system, &Nominal).expect("consistent");
    let mut u = S::U::zeros(system.layout().u.len());
    system.nominal(&mut u);
    for projection in [None, Some(Projection::to(1e-14))] {
        let used = heap(|| {
            let mut map = StepMap::<_, _, Fixed<N>>::sized(system, method, &[parameter]).expect("a map");
            if let Some(projection) = projection {
                map = map.project(projection).expect("a projection");
            }
            let mut state = x.clone();
            for _ in 0..5 {
                let step = map.step(&state, u.clone(), h).expect("a step");
                std::hint::black_box(step.a().entry(0, 0) + step.b().entry(0, 0) + step.p().entry(0, 0));
                state = step.end.clone();
            }
        });
        assert_eq!(used, 0, "{name} used the heap {used} times in 5 steps with derivatives");
    }
}

/// Derivatives of accelerations, along all directions of positions.
fn motions<S: Solvable<Real = f64> + Sensitive, K: Columns>(system: &S, columns: K) {
    let x = Start::default().solve(system, &Nominal).expect("consistent");
    let mut work = Work::default();
    let mut cx = Context { system, inputs: &Nominal, work: &mut work };
    let used = heap(|| {
        let mut motion = LinearMotion::new(system);
        motion.evaluate(&mut cx, x.moment(), true).expect("a linearisation");
        let mut along = Direction { parameter: Some(0), t: 1.0, ..Direction::zeros(system) };
        along.q.as_mut().fill(1.0);
        let (mut a, mut zdot, mut lambda) = (x.a.clone(), x.zdot.clone(), x.lambda.clone());
        motion.along(system, &mut along, &mut a, &mut zdot, &mut lambda).expect("a variation");
        let mut chain = Forward::new(system, columns.clone(), columns.each(Seed { t: 1.0, ..Seed::STATE }));
        let mut at = Varied { q: chain.zeros_v(system), v: chain.zeros_v(system), z: chain.zeros_z(system) };
        let found = ode_model::variation::Found { a: &mut a, zdot: &mut zdot, lambda: &mut lambda };
        chain.motion(&mut cx, x.moment(), &mut at, found).expect("variations");
    });
    assert_eq!(used, 0, "derivatives of accelerations used the heap {used} times");
}

fn every_map<S: Solvable<Real = f64> + Sensitive, const N: usize>(system: &S, chosen: (&str, f64)) {
    maps::<S, _, N>("SemiExplicitEuler", system, SemiExplicitEuler::explicit(), chosen);
    maps::<S, _, N>("SemiExplicitEuler, implicit in v", system, SemiExplicitEuler::implicit_velocity(), chosen);
    maps::<S, _, N>("SemiExplicitPair", system, SemiExplicitPair, chosen);
    maps::<S, _, N>("Leapfrog", system, Leapfrog::default(), chosen);
    maps::<S, _, N>("BackwardEuler", system, BackwardEuler::default(), chosen);
    maps::<S, _, N>("Bdf2", system, Bdf2::default(), chosen);
    maps::<S, _, N>("GeneralizedAlpha", system, GeneralizedAlpha::with_spectral_radius(0.8), chosen);
    maps::<S, _, N>("Geodesic", system, Geodesic, chosen);
    motions(system, Fixed::<3>);
}

const OF_PENDULUM: usize = pendulum::LAYOUT.state_directions() + pendulum::LAYOUT.u.len() + 1;
const OF_SQUEEZER: usize =
    squeezer::andrews_squeezer::LAYOUT.state_directions() + squeezer::andrews_squeezer::LAYOUT.u.len() + 1;

#[test]
fn no_step_of_a_generated_model_touches_the_heap() {
    let one = heap(|| drop(std::hint::black_box(Box::new(1.0))));
    assert_eq!(one, 2, "the counter counts");
    every_method(&Squeezer::default(), 1e-6);
    let pendulum = Pendulum::default();
    every_method(&pendulum, 1e-3);

    every_map::<_, OF_PENDULUM>(&pendulum, ("l", 1e-3));
    every_map::<_, OF_SQUEEZER>(&Squeezer::default(), ("m[0]", 1e-6));

    // starts, sample instants, input functions and error control neither
    let used = heap(|| {
        Start::default().solve(&pendulum, &Nominal).expect("consistent");
        let sampled = Sampled::new(0.03, |x: &State<Pendulum>, u: &mut pendulum::U| u.set_push(-x.q.r()[0]));
        let setup = Simulation::of(&pendulum, Geodesic).inputs(sampled).project(Projection::to(1e-8));
        let mut run = setup.adaptive(1e-6).expect("a start");
        run.advance_to(0.5).expect("steps");
    });
    assert_eq!(used, 0);
    let used = heap(|| {
        let function = input_fn(|at: Moment<'_, Pendulum>, u: &mut pendulum::U| u.set_push(at.t));
        let mut run =
            Simulation::of(&pendulum, BackwardEuler::default()).inputs(function).fixed(0.01).expect("a start");
        run.advance_to(0.5).expect("steps");
        run.drift().expect("finite");
    });
    assert_eq!(used, 0);
}
