//! Derivatives of steps and runs of sparse models are those of the same models in dense storage.

mod algebraic;
mod parts;
mod started;
mod struck;
mod varied;

use ode_model::integrators::*;
use ode_model::solve::Projection;
use ode_model::{By, Dual, Nominal, Sensitive, Simulation, Solvable, Start, State, StepHessian, StepMap, model};

/// A model in both storages.
macro_rules! both {
    ($dense:ident, $sparse:ident, { $($item:tt)* }) => {
        model! {
            #[model(storage = dense, no_selftest, emit(hessian))]
            pub struct $dense<T> { $($item)* }
        }
        model! {
            #[model(storage = sparse, no_selftest, emit(hessian))]
            pub struct $sparse<T> { $($item)* }
        }
    };
}

both!(DenseBead, SparseBead, {
    param m: Real [kg] = 0.5;
    param l: Real [m] = 0.4;
    param k: Real [N/m] = 30.0;
    param c: Real [N*s/m] = 0.2;
    param g: Real [m/s^2] = 9.81;
    param tau: Real [s] = 3.0;
    coord s: Real [m];
    coord r: Vec2 [m];
    state heat: Real [J];
    input push: Real [N] = 0.3;
    kinetic = 0.5 * m * (1.0 + 0.5 * sq(s / l)) * sq(der(s)) + 0.5 * m * dot(der(r), der(r));
    potential = m * g * r.y + 0.5 * k * sq(norm(r - vec2(s, l)) - l);
    dissipation = 0.5 * c * dot(der(r), der(r));
    force push on s = push;
    der(heat) = c * dot(der(r), der(r)) - heat / tau;
    constraint rod: dot(r, r) == l * l;
    init s = 0.3 * l;
    init r.x = 0.8 * l;
    guess r.y = -0.6 * l;
    init der(r.x) = 0.2;
    init der(s) = 0.5;
});

both!(DenseRotor, SparseRotor, {
    param j: Real = 0.3;
    param c: Real = 0.8;
    coord (q, w): SO3;
    coord th: Angle;
    state i: Real;
    input u: Real = 0.4;
    kinetic = 0.5 * (0.3 * sq(w.x) + 0.35 * sq(w.y) + 0.2 * sq(w.z)) + 0.5 * j * sq(der(th));
    potential = 0.4 * q.rotate(vec3(0.3 * sin(th), 0.2, 1.0)).z;
    dissipation = 0.02 * sq(der(th));
    torque drive on q = vec3(0.1 * i, 0.0, c * i);
    force load on th = 0.2 * i;
    der(i) = u - c * i - 0.3 * der(th);
    init q = rot_x(0.4);
    init w = vec3(0.6, -0.4, 1.1);
    init th = 0.3;
    init der(th) = 0.7;
    init i = 0.2;
});

const H: f64 = 0.01;

/// A weight of either sign.
fn weight(k: usize) -> f64 {
    (1.7 * k as f64 + 0.3).sin() + 0.1
}

/// What is found of a model: blocks of numbers with their names.
type Found = Vec<(&'static str, Vec<f64>)>;

fn found<S, M>(model: &S, method: M, how: Option<Projection<f64>>) -> Found
where
    S: Solvable<Real = f64> + Sensitive,
    M: Vary<S> + Copy,
{
    let mut found = Found::new();
    let x = Start::default().solve(model, &Nominal).expect("a start");
    let mut u = <S::U as ode_model::Block<f64>>::zeros(model.layout().u.len());
    model.nominal(&mut u);

    let mut map = StepMap::of(model, method, model.derivatives().parameter_names).expect("a map");
    if let Some(how) = how {
        map = map.project(how).expect("a projection");
    }
    let step = map.step(&x, u.clone(), H).expect("a step");
    for (name, part) in [("A", step.a()), ("B", step.b()), ("P", step.p())] {
        let (rows, columns) = part.shape();
        found.push((name, (0..rows * columns).map(|k| part.entry(k / columns, k % columns)).collect()));
    }

    let mut adjoint = Adjoint::new(model, (0..u.as_ref().len()).collect(), true);
    adjoint.state.blocks_mut().into_iter().take(3).flatten().enumerate().for_each(|(k, w)| *w = weight(k));
    map.pull_back(&x, u, H, &mut adjoint).expect("a covector");
    found.push(("wᵀA", adjoint.state.blocks().into_iter().flatten().copied().collect()));

    let by = By::new().start().inputs().parameters();
    let run = || {
        let setup = Simulation::of(model, method);
        let setup = match how {
            Some(how) => setup.project(how),
            None => setup,
        };
        setup.fixed(H).expect("a start")
    };
    let mut varied = run().vary(&by).expect("a linearisation");
    varied.advance_to(10.0 * H).expect("steps");
    let jacobian = varied.jacobian();
    let (rows, columns) = jacobian.shape();
    found.push(("run", (0..rows * columns).map(|k| jacobian[(k / columns, k % columns)]).collect()));

    let mut reversible = run().reversible(&by, 4).expect("room");
    reversible.advance_to(10.0 * H).expect("steps");
    let gradient = reversible.gradient(|passed, by| {
        if passed.is_last() {
            by.blocks_mut().into_iter().flatten().enumerate().for_each(|(k, w)| *w = weight(k));
        }
        0.0
    });
    found.push(("gradient", gradient.expect("a gradient").by.to_vec()));
    found
}

/// Both storages give the same numbers.
fn compare(name: &str, dense: &Found, sparse: &Found) {
    for ((block, wanted), (_, found)) in dense.iter().zip(sparse) {
        assert_eq!(wanted.len(), found.len(), "{name}: {block}");
        let scale = wanted.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        for (k, (wanted, found)) in wanted.iter().zip(found).enumerate() {
            assert!((wanted - found).abs() <= 1e-11 * scale, "{name}: {block}[{k}] {found} {wanted}");
        }
    }
}

macro_rules! each {
    ($($name:literal: $method:expr, $how:expr;)*) => {$(
        let (dense, sparse) = (DenseBead::<f64>::default(), SparseBead::<f64>::default());
        compare(concat!($name, ", bead"), &found(&dense, $method, $how), &found(&sparse, $method, $how));
        let (dense, sparse) = (DenseRotor::<f64>::default(), SparseRotor::<f64>::default());
        compare(concat!($name, ", rotor"), &found(&dense, $method, $how), &found(&sparse, $method, $how));
    )*};
}

#[test]
fn derivatives_are_those_of_dense_storage() {
    let projected = Some(Projection::to(1e-12));
    each! {
        "explicit Euler": SemiExplicitEuler::explicit(), projected;
        "implicit velocity": SemiExplicitEuler::implicit_velocity(), None;
        "leapfrog": Leapfrog::default(), projected;
        "Runge–Kutta 4": RungeKutta4, projected;
        "Dormand–Prince": DormandPrince, projected;
        "Geodesic": Geodesic, None;
        "backward Euler": BackwardEuler::default(), None;
        "linearised backward Euler": BackwardEuler::linearized(), None;
        "BDF2": Bdf2::default(), None;
        "generalised-α": GeneralizedAlpha::with_spectral_radius(0.8), None;
        "symplectic Euler": SymplecticEuler::momenta_first(), None;
        "Störmer–Verlet": StormerVerlet::default(), None;
        "implicit midpoint": ImplicitMidpoint::default(), None;
        "composition": Composition::triple_jump(StormerVerlet::default()), None;
    }
}

/// The Hessian of a step.
macro_rules! hessian {
    ($model:ident, $method:expr) => {{
        let model = $model::<f64>::default();
        let x: State<_> = Start::default().solve(&model, &Nominal).expect("a start");
        let dual: $model<Dual<f64>> = model.cast();
        let mut second = StepHessian::of(&dual, $method).expect("second derivatives");
        let size = model.layout().state_directions();
        let costate: Vec<f64> = (0..size).map(weight).collect();
        let hessian = second.hessian(&x, [0.3], H, &costate).expect("a Hessian");
        let (rows, columns) = hessian.shape();
        vec![("Hessian", (0..rows * columns).map(|k| hessian[(k / columns, k % columns)]).collect::<Vec<f64>>())]
    }};
}

#[test]
fn second_derivatives_are_those_of_dense_storage() {
    use ode_model::{Scalar as _, System as _};
    macro_rules! each {
        ($($name:literal: $method:expr;)*) => {$(
            compare($name, &hessian!(DenseBead, $method), &hessian!(SparseBead, $method));
            compare($name, &hessian!(DenseRotor, $method), &hessian!(SparseRotor, $method));
        )*};
    }
    each! {
        "Runge–Kutta 4": RungeKutta4;
        "generalised-α": GeneralizedAlpha::with_spectral_radius(Dual::from_f64(0.8));
        "linearised backward Euler": BackwardEuler::linearized();
    }
}
