//! Models that are sparse: by their size, or because they say so. Each is compared with a dense one where that fits.

mod chain;

use chain::{Chain, Ten};
use ode_model::integrators::{
    BackwardEuler, Bdf2, DormandPrince, GeneralizedAlpha, ImplicitMidpoint, Leapfrog, RungeKutta4, StormerVerlet,
};
use ode_model::linalg::SparseKkt;
use ode_model::solve::Projection;
use ode_model::{Method, Simulation, Solvable, State, System, model};

model! {
    /// Fifty points on rods, from a hook: 150 velocities and 50 rows.
    pub struct Rope {
        param m: Real [kg] = 0.1;
        param l: Real [m] = 0.1;
        param g: Real [m/s^2] = 9.81;
        coord r: [Vec3; 50] [m];
        for i in 0..50 {
            mass r[i] = m;
            potential = m * g * r[i].z;
            guess r[i] = vec3(l * (i + 1), 0.0, 0.0);
        }
        constraint hook: norm(r[0]) == l;
        for i in 0..49 {
            constraint rod: norm(r[i + 1] - r[i]) == l;
        }
    }
}

/// A small model in both storages.
macro_rules! stored {
    ($name:ident, $storage:ident) => {
        model! {
            #[model(storage = $storage, emit(hessian))]
            pub struct $name {
                param m: Real [kg] = 0.5;
                param l: Real [m] = 0.4;
                param k: Real [N/m] = 30.0;
                param c: Real [N*s/m] = 0.2;
                param g: Real [m/s^2] = 9.81;
                coord a: Vec2 [m];
                coord b: Vec2 [m];
                state heat: Real [J];
                input push: Real [N] = 0.3;
                mass a = m;
                mass b = 2.0 * m;
                potential = m * g * (a.y + 2.0 * b.y) + 0.5 * k * sq(norm(b - a) - l);
                dissipation = 0.5 * c * dot(der(b), der(b));
                force push on b = vec2(push, 0.0);
                der(heat) = c * dot(der(b), der(b));
                constraint rod: dot(a, a) == l * l;
                guess a = vec2(l, 0.0);
                guess b = vec2(2.0 * l, 0.1 * l);
                output far: Real [m] = norm(b);
                limit room: b.x in -1.0..=1.0;
                cost effort = sq(push);
            }
        }
    };
}

fn end<S: Solvable<Real = f64>, M: Method<S>>(model: &S, method: M, projected: bool) -> State<S> {
    let mut setup = Simulation::of(model, method);
    if projected {
        setup = setup.project(Projection::to(1e-12));
    }
    let mut run = setup.fixed(2e-3).expect("a start");
    run.advance_to(0.05).expect("a run");
    run.state().clone()
}

/// Largest error of a rod's length, and of the energy.
fn off(rope: &Rope, x: &State<Rope>) -> (f64, f64) {
    let start = Simulation::of(rope, RungeKutta4).fixed(1e-3).expect("a start").state().clone();
    let energy = |x: &State<Rope>| {
        let points = x.q.as_array().chunks(3).zip(x.v.as_array().chunks(3));
        points.map(|(r, v)| rope.m * (rope.g * r[2] + 0.5 * v.iter().map(|v| v * v).sum::<f64>())).sum::<f64>()
    };
    let mut before = [0.0; 3];
    let mut drift: f64 = 0.0;
    for r in x.q.as_array().chunks(3) {
        let length: f64 = r.iter().zip(&before).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        drift = drift.max((length / rope.l - 1.0).abs());
        before.copy_from_slice(r);
    }
    (drift, (energy(x) - energy(&start)).abs())
}

#[test]
fn a_rope_of_fifty_points_is_sparse_and_falls() {
    let rope = Rope::default();
    let layout = rope.layout();
    assert_eq!((layout.v.len(), layout.constraints.len()), (150, 50));
    let alpha = end(&rope, GeneralizedAlpha::with_spectral_radius(0.9), false);
    for (name, x, energy) in [
        ("backward Euler", end(&rope, BackwardEuler::default(), false), 0.05),
        ("BDF2", end(&rope, Bdf2::default(), false), 1e-2),
        ("implicit midpoint", end(&rope, ImplicitMidpoint::default(), false), 1e-5),
        ("Dormand–Prince", end(&rope, DormandPrince, true), 1e-6),
        ("leapfrog", end(&rope, Leapfrog::default(), true), 1e-2),
        ("Störmer–Verlet", end(&rope, StormerVerlet::default(), false), 1e-3),
        ("generalised-α", alpha.clone(), 1e-3),
    ] {
        let (drift, lost) = off(&rope, &x);
        assert!(drift < 1e-8 && lost < energy, "{name}: {drift:e} {lost:e}");
        let apart = x.q.as_array().iter().zip(alpha.q.as_array()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-2, "{name}: {apart:e}");
    }
}

stored!(Dense, dense);
stored!(Sparse, sparse);

/// The same numbers from both storages: matrices, runs, and derivatives of steps.
#[test]
fn storage_changes_no_number() {
    let (dense, sparse) = (Dense::default(), Sparse::default());
    macro_rules! each {
        ($name:literal, $method:expr, $projected:literal) => {
            let (a, b) = (end(&dense, $method, $projected), end(&sparse, $method, $projected));
            for (a, b) in a.q.as_array().iter().zip(b.q.as_array()).chain(a.z.as_array().iter().zip(b.z.as_array())) {
                assert!((a - b).abs() < 1e-12, "{}: {a} {b}", $name);
            }
            assert!((a.lambda.as_array()[0] - b.lambda.as_array()[0]).abs() < 1e-9, "{}", $name);
        };
    }
    each!("backward Euler", BackwardEuler::default(), false);
    each!("BDF2", Bdf2::default(), false);
    each!("generalised-α", GeneralizedAlpha::with_spectral_radius(0.8), false);
    each!("implicit midpoint", ImplicitMidpoint::default(), false);
    each!("Runge–Kutta 4", RungeKutta4, true);
    each!("leapfrog", Leapfrog::default(), true);

    let x = end(&dense, GeneralizedAlpha::with_spectral_radius(0.8), false);
    let y = end(&sparse, GeneralizedAlpha::with_spectral_radius(0.8), false);
    let (u, w) = ([0.3].into(), [0.3].into());
    let (a, b) = (x.at(&u), y.at(&w));
    let (ra, rb) = (x.rates(), y.rates());
    macro_rules! same {
        ($($call:ident($($with:ident),*)),* $(,)?) => {
            $({
                let wanted = dense.$call(a $(, same!(@ ra $with))*);
                let found = sparse.$call(b $(, same!(@ rb $with))*).to_dense();
                assert_eq!((found.nrows(), found.ncols()), wanted.shape(), stringify!($call));
                for r in 0..found.nrows() {
                    for c in 0..found.ncols() {
                        let (f, w) = (found[[r, c]], wanted[(r, c)]);
                        assert!((f - w).abs() < 1e-12 * (1.0 + w.abs()), "{}: {f} {w}", stringify!($call));
                    }
                }
            })*
        };
        (@ $rates:ident rates) => { $rates };
    }
    same!(
        mass(),
        constraint_jacobian(),
        stiffness(rates),
        damping(rates),
        force_by_input(rates),
        residual_by_parameter(rates),
        constraint_by_parameter(rates),
        output_by_position(rates),
        output_by_velocity(rates),
        limit_jacobian(),
        cost_gradient(),
    );
}

#[test]
fn solvers_are_what_the_storage_says() {
    fn kkt<S: Solvable>() -> &'static str {
        std::any::type_name::<S::Kkt>()
    }
    assert_eq!(kkt::<Sparse>(), std::any::type_name::<SparseKkt<f64, false>>());
    assert!(kkt::<Dense>().contains("StaticKkt"), "{}", kkt::<Dense>());
}

/// One evaluation of what a linearised step needs, as the chain has it, is as good as two.
#[test]
fn a_chain_by_hand_moves_as_the_model() {
    let (model, chain) = (Ten::default(), Chain::new(9));
    let ten = end(&model, BackwardEuler::linearized(), false);
    let nine = Simulation::of(&chain, BackwardEuler::linearized()).given({
        let mut x = State::neutral(&chain);
        x.q.copy_from_slice(chain.q());
        x
    });
    let mut nine = nine.fixed(2e-3).expect("a start");
    nine.advance_to(0.05).expect("a run");
    for (found, wanted) in nine.state().q.iter().zip(ten.q.as_array()) {
        assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
    }
}
