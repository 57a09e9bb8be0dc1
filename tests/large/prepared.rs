//! Prepared values of sparse models: they stand on the heap, and steps leave it alone.

use ode_model::integrators::{GeneralizedAlpha, Geodesic};
use ode_model::solve::Projection;
use ode_model::{Differentiable, Method, Simulation, Solvable, model};

#[path = "../../ode-runtime/tests/common/heap.rs"]
mod counter;

macro_rules! beads {
    ([$($option:tt)*] $name:ident) => {
        model! {
            #[model(storage = sparse, $($option)*)]
            pub(crate) struct $name {
                param: Real { m = 0.5; l = 0.4; k = 30.0; g = 9.81; }
                coord s: Real;
                coord r: Vec2;
                kinetic = 0.5 * m * (1.0 + 0.5 * sq(s / l)) * sq(der(s)) + 0.5 * m * dot(der(r), der(r));
                kinetic = 0.1 * m * der(s) * der(r.x);
                potential = m * g * r.y + 0.5 * k * sq(norm(r - vec2(s, l)) - l);
                constraint rod: dot(r, r) == l * l;
                init s = 0.3 * l;
                init r.x = 0.8 * l;
                guess r.y = -0.6 * l;
            }
        }
    };
}
beads!([units = off] Beads);
beads!([prepared] PreparedBeads);

/// Where a run ends, and how often its steps ask for memory.
fn end<S: Solvable<Real = f64>, M: Method<S>>(model: &S, method: M) -> (Vec<f64>, u64) {
    let mut run = Simulation::of(model, method).project(Projection::to(1e-10)).fixed(0.002).expect("a start");
    run.advance_to(0.1).expect("steps");
    let calls = counter::calls(|| {
        run.advance_to(0.5).expect("steps");
    });
    let state = run.state();
    ([state.q.as_ref(), state.v.as_ref()].concat(), calls)
}

#[test]
fn a_sparse_model_moves_as_without_them() {
    let mut prepared = PreparedBeads::default();
    prepared.change(|p| p.m = 0.7);
    let plain = Beads::default().with_parameters(&prepared.parameters());
    macro_rules! by {
        ($($method:expr),*) => {$(
            let ((found, calls), (wanted, _)) = (end(&prepared, $method), end(&plain, $method));
            let far = found.iter().zip(&wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(far < 1e-10 && calls == 0, "{}: {far:e}, {calls} calls", stringify!($method));
        )*};
    }
    by!(Geodesic, GeneralizedAlpha::with_spectral_radius(0.8));
}
