//! Steps of a sparse model leave the heap alone, also where M varies.

use ode_model::integrators::*;
use ode_model::solve::Projection;
use ode_model::{Method, Simulation, Solvable, model};

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
