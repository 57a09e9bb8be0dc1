//! Stepping a generated model allocates nothing, whatever the method.

#[path = "../ode-runtime/tests/common/heap.rs"]
mod heap;
#[allow(
    dead_code,
    unreachable_pub,
    clippy::print_stdout,
    reason = "the model is that of the example; its main is not run"
)]
#[path = "../examples/squeezer.rs"]
mod squeezer;

use ode_model::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic, SemiExplicitEuler};
use ode_model::solve::Projection;
use ode_model::{Method, Moment, Nominal, Sampled, Simulation, Solvable, Start, State, input_fn, model};
use squeezer::AndrewsSqueezer;

type Squeezer = AndrewsSqueezer<f64>;

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

model! {
    #[model(no_selftest)]
    /// Forty masses on springs, whose solvers stand apart from the run.
    pub struct Row {
        coord x: [Real; 40];
        for i in 0..40 {
            mass x[i] = 1.0;
            guess x[i] = 0.1 * i;
        }
        for i in 0..39 {
            potential = 50.0 * sq(x[i + 1] - x[i]) * (1.0 + sq(x[i + 1] - x[i]));
        }
        constraint held: x[0] + 0.1 * sq(x[0]) == 0.0;
    }
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
        let used = heap::calls(|| run.advance_to(50.0 * h).expect("steps"));
        assert_eq!(used, 0, "{name} used the heap {used} times in 50 steps");
        assert!(run.statistics().taken >= 49);
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

#[test]
fn no_step_of_a_generated_model_touches_the_heap() {
    every_method(&Squeezer::default(), 1e-6);
    let pendulum = Pendulum::default();
    every_method(&pendulum, 1e-3);
    let row = Row::default();
    assert!(std::any::type_name::<<Row as Solvable>::Kkt>().contains("Apart"));
    steps("BackwardEuler", &row, BackwardEuler::default(), 1e-3);
    steps("Geodesic", &row, Geodesic, 1e-3);

    // starts, sample instants, input functions and error control neither
    let used = heap::calls(|| {
        Start::default().solve(&pendulum, &Nominal).expect("consistent");
        let sampled = Sampled::new(0.03, |x: &State<Pendulum>, u: &mut pendulum::U| u.set_push(-x.q.r()[0]));
        let setup = Simulation::of(&pendulum, Geodesic).inputs(sampled).project(Projection::to(1e-8));
        let mut run = setup.adaptive(1e-6).expect("a start");
        run.advance_to(0.5).expect("steps");
    });
    assert_eq!(used, 0);
    let used = heap::calls(|| {
        let function = input_fn(|at: Moment<'_, Pendulum>, u: &mut pendulum::U| u.set_push(at.t));
        let mut run =
            Simulation::of(&pendulum, BackwardEuler::default()).inputs(function).fixed(0.01).expect("a start");
        run.advance_to(0.5).expect("steps");
        run.drift().expect("finite");
    });
    assert_eq!(used, 0);
}
