//! Steps of a sparse model leave the heap alone, also where M varies.

use ode_model::integrators::*;
use ode_model::solve::Projection;
use ode_model::{Method, Outcome, Simulation, Solvable, model};

#[path = "../../ode-runtime/tests/common/heap.rs"]
mod counter;

model! {
    #[model(storage = sparse)]
    /// A bead on a wire with inertia that depends on the place, and a point on a rod and a spring from it.
    pub struct Beads {
        param m: Real [kg] = 0.5;
        param l: Real [m] = 0.4;
        param k: Real [N/m] = 30.0;
        param g: Real [m/s^2] = 9.81;
        coord s: Real [m];
        coord r: Vec2 [m];
        kinetic = 0.5 * m * (1.0 + 0.5 * sq(s / l)) * sq(der(s)) + 0.5 * m * dot(der(r), der(r));
        kinetic = 0.1 * m * der(s) * der(r.x);
        potential = m * g * r.y + 0.5 * k * sq(norm(r - vec2(s, l)) - l);
        constraint rod: dot(r, r) == l * l;
        init s = 0.3 * l;
        init r.x = 0.8 * l;
        guess r.y = -0.6 * l;
    }
}

model! {
    /// A lamp that warms up and flickers.
    pub struct Lamp<T> {
        input power: Real [K/s];
        state warm: Real [K];
        mode flickers: Real;
        der(warm) = power - warm / 1.0s;
        event flickers when warm > 0.08K {
            flickers = flickers + 1.0;
            warm = 0.2 * warm;
        }
        output light: Real [N] = 0.01N / 1.0K * warm * (1.0 + flickers);
    }
}

model! {
    /// Nodes on springs that fall on a floor, each with a contact and a lamp, and a drag that follows from an equation.
    pub struct Falling<T> {
        set nodes;
        set links: (nodes, nodes) = chain;
        param p[nodes]: Vec2 [m];
        param m: Real [kg] = 0.05;
        param k: Real [N/m] = 80.0;
        param g: Real [m/s^2] = 9.81;
        param c: Real [N*s/m] = 0.02;
        param f: Real [N] = 1.0;
        coord (x, v)[nodes]: Vec2 [m];
        algebraic drag[nodes]: Real [N];
        mode contact[nodes]: Real = 0.0;
        mode pulls[links]: Vec2;
        mode landings: Real = 0.0;
        sub lamp[nodes]: Lamp<T>;
        for i in nodes {
            bind lamp[i].power = 2.0K / 1.0s * contact[i];
            mass x[i] = m;
            potential = m * g * x[i].y;
            force hold on x[i].y = match contact[i] { 1 => -500.0N / 1.0m * x[i].y, _ => 0.0 };
            constraint slow: drag[i] * (1.0 + sq(drag[i] / f)) == -c * v[i].x;
            force slow on x[i].x = drag[i];
            force light on x[i].x = lamp[i].light;
            guess x[i] = p[i];
            event lands when x[i].y < 0.0 {
                contact[i] = 1.0;
                landings = landings + 1.0;
                v[i] = 0.9 * v[i];
            }
            event lifts when x[i].y > 0.0 {
                contact[i] = 0.0;
            }
        }
        for e @ (i, j) in links {
            potential = 0.5 * k * sq(norm(x[j] - x[i]) - 0.1m);
            event taut when x[j].y > x[i].y + 1.0m {
                pulls[e] = vec2(1.0, pulls[e].x);
            }
        }
    }
}

fn steps<S: Solvable<Real = f64>, M: Method<S> + Copy>(name: &str, model: &S, method: M) {
    for projection in [None, Some(Projection::to(1e-12))] {
        let setup = Simulation::of(model, method);
        let setup = match projection {
            Some(projection) => setup.project(projection),
            None => setup,
        };
        let mut run = setup.fixed(2e-3).expect("a start");
        // the first step analyses the patterns that it meets
        run.advance_to(2e-3).expect("a step");
        let calls = counter::calls(|| run.advance_to(0.04).expect("steps"));
        assert_eq!(calls, 0, "{name}");
    }
}

#[test]
fn steps_allocate_nothing() {
    let beads = Beads::default();
    steps("Heun", &beads, Heun);
    steps("Runge–Kutta 4", &beads, RungeKutta4);
    steps("Dormand–Prince", &beads, DormandPrince);
    steps("Dormand–Prince 8", &beads, DormandPrince8);
    steps("Geodesic", &beads, Geodesic);
    steps("leapfrog", &beads, Leapfrog::default());
    steps("backward Euler", &beads, BackwardEuler::default());
    steps("linearised backward Euler", &beads, BackwardEuler::linearized());
    steps("BDF2", &beads, Bdf2::default());
    steps("generalised-α", &beads, GeneralizedAlpha::with_spectral_radius(0.8));
    steps("symplectic Euler, momenta first", &beads, SymplecticEuler::momenta_first());
    steps("symplectic Euler, positions first", &beads, SymplecticEuler::positions_first());
    steps("Störmer–Verlet", &beads, StormerVerlet::default());
    steps("implicit midpoint", &beads, ImplicitMidpoint::default());
    steps("composition", &beads, Composition::triple_jump(StormerVerlet::default()));
}

#[test]
fn steps_with_modes_and_events_of_members_allocate_nothing() {
    let places = (0..6).map(|k| [0.1 * f64::from(k), 1e-3 * f64::from(k)]);
    let falling = Falling::builder().nodes(6).p(places).build().expect("nodes");
    macro_rules! each {
        ($($name:literal $method:expr;)*) => {$(
            let mut run = Simulation::of(&falling, $method).fixed(2e-3).expect("a start");
            run.advance_to(0.05).expect("steps");
            let (mut quiet, mut events) = (0, 0);
            while run.state().t < 0.2 {
                let mut ended = false;
                let calls = counter::calls(|| {
                    ended = matches!(run.step_towards(0.2).expect("a step"), Outcome::Event { .. });
                });
                // an event starts an implicit method anew, with solvers of its own
                if ended {
                    events += 1;
                } else {
                    assert_eq!(calls, 0, "{} at {} s", $name, run.state().t);
                    quiet += 1;
                }
            }
            assert!(events > 2 && quiet > 50, "{}: {events} {quiet}", $name);
        )*};
    }
    each! {
        "Runge–Kutta 4" RungeKutta4;
        "backward Euler" BackwardEuler::default();
        "generalised-α" GeneralizedAlpha::with_spectral_radius(0.8);
    }
}
