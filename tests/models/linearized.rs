//! `emit(linearized)`: what a linearised step takes, in one call, beside the two calls that [`Held`] makes of it.

use ode_model::analysis::Held;
use ode_model::integrators::BackwardEuler;
use ode_model::prelude::*;
use ode_model::{At, Linearize, Rates, Real, Residual, Solvable, State, System, Weights};

// rotations, states, rows of positions and of velocities, compliance, and inertia and damping that move
model! {
    #[model(emit(linearized), prepared)]
    pub struct Crane {
        param m: Real [kg] = 1.3;
        param l: Real [m] = 0.6;
        param k: Real [N/m] = 40.0;
        param c: Real [N*s/m] = 0.7;
        param g: Real [m/s^2] = 9.81;
        param spin: Real [kg*m^2] = 0.1;
        param lag: Real [s] = 0.2;
        param speed: Real [m/s] = 1.5;
        coord x: Real [m];
        coord r: Vec3 [m];
        coord (q, w): SO3;
        coord s: Real [m];
        state pull: Real [N];
        input u: Real [N];
        der(pull) = (u - pull * cos(s / l)) / lag;
        let arm = q.rotate(vec3(0.1, 0.2, 0.4)) * l + vec3(x, 0.0, 0.0);
        kinetic = 0.5 * m * der(arm).dot(der(arm)) + 0.5 * spin * w.dot(w);
        kinetic = 0.5 * m * der(r).dot(der(r)) + 0.5 * m * sq(der(x));
        kinetic = 0.5 * m * (1.0 + sq(s / l)) * sq(der(s));
        potential = m * g * (arm.z + r.z) + 0.5 * k * sq(norm(r - arm) - l);
        dissipation = 0.5 * c * sq(dot(r - arm, der(r) - der(arm)) / norm(r - arm));
        dissipation = 0.5 * c * sq(der(s)) * (1.0 + sq(x / l));
        force drive on x = pull - c * der(x) * sq(der(x) / speed);
        constraint track: x * l == sq(s);
        constraint rolls: der(r).x - s / l * der(r).y == 0.0;
        constraint rope: norm(r) == 2.0 * l with { compliance: 1e-3 };
        guess x = 0.15;
        guess s = 0.3;
        guess r = vec3(0.5, 0.6, -0.9);
    }
}

#[cfg(feature = "sparse")]
model! {
    #[model(emit(linearized), storage = sparse, units = off)]
    pub struct Beads {
        param k: Real = 30.0;
        param m: Real = 0.2;
        coord r: [Vec2; 4];
        for i in 0..4 {
            mass r[i] = m;
            guess r[i] = vec2(0.3 * (i + 1), 0.1 * i);
        }
        for i in 0..3 {
            potential = 0.5 * k * sq(norm(r[i + 1] - r[i]) - 0.2);
            dissipation = 0.1 * sq(dot(r[i + 1] - r[i], der(r[i + 1]) - der(r[i])));
        }
    }
}

model! {
    #[model(emit(linearized), order = 1, units = off)]
    pub struct Sphere<T> {
        param c: Real = 0.7;
        coord n: S2;
        coord x: Real;
        dissipation = 0.5 * c * sq(der(x)) + 0.5 * dot(der(n), der(n)) * (1.0 + sq(x));
        potential = n.z * sq(x) + 0.5 * sq(x - 0.4);
        constraint held: n.x * x == 0.1;
        guess x = 0.5;
    }
}

model! {
    #[model(emit(linearized), units = off)]
    pub struct Decay {
        state y: [Real; 2];
        der(y[0]) = -y[0] * y[1];
        der(y[1]) = y[0] - sin(y[1]);
    }
}

fn bits<S: System<Real = f64>>(x: &Residual<S>) -> Vec<f64> {
    [x.r.as_ref(), x.s.as_ref(), x.phi.as_ref()].concat()
}

/// The residual, its tangent, and the product, at numbers that have nothing to do with each other.
fn called<S: Solvable<Real = f64> + Linearize>(plant: &S, turns: f64) -> [Vec<f64>; 3] {
    let layout = plant.layout();
    let mut state = State::neutral(plant);
    let mut number = 0.3_f64;
    let mut draw = || {
        number = (number * 7.31 + 0.17).fract();
        number - 0.45
    };
    plant.guess(&mut state.q, &mut state.v, &mut state.z);
    for part in [state.v.as_mut(), state.a.as_mut(), state.z.as_mut(), state.zdot.as_mut(), state.lambda.as_mut()] {
        part.fill_with(&mut draw);
    }
    let (mut step, mut u) = (state.v.clone(), <S::U as ode_model::Block<f64>>::zeros(layout.u.len()));
    step.as_mut().iter_mut().for_each(|step| *step = turns * draw());
    u.as_mut().fill_with(&mut draw);
    let weights = Weights { rates: 90.0, velocity: 0.8, position: 0.013, state: 1.1 };
    let at = At { t: 0.2, q: &state.q, v: &state.v, z: &state.z, u: &u, modes: &state.modes };
    let rates = Rates { a: &state.a, zdot: &state.zdot, lambda: &state.lambda };
    let (mut residual, mut drift) = (Residual::zeros(&layout), Residual::zeros(&layout));
    let mut tangent = <S::Tangent as ode_model::Block<f64>>::zeros(layout.tangent.nnz());
    plant.tangent_and_drift(at, rates, weights, &step, (&mut residual, &mut tangent), &mut drift);
    [bits(&residual), tangent.as_ref().to_vec(), bits(&drift)]
}

/// The same, of which nothing is held, by two calls.
fn in_two<S: Solvable<Real = f64> + Clone>(plant: &S) -> Held<S> {
    Held::new(plant.clone(), &[]).expect("a system")
}

#[track_caller]
fn same<S: Solvable<Real = f64> + Linearize + Clone>(plant: &S, least: usize) {
    for turns in [0.0, 0.4] {
        let (one, two) = (called(plant, turns), called(&in_two(plant), turns));
        for (one, two) in one.iter().zip(&two) {
            assert_eq!(one.len(), two.len());
            for (k, (one, two)) in one.iter().zip(two).enumerate() {
                assert!((one - two).abs() <= 1e-13 * (1.0 + two.abs()), "entry {k}: {one} for {two}");
            }
        }
        let moving = two[2].iter().filter(|drift| **drift != 0.0).count();
        assert!(moving >= least, "{moving} rows move");
    }
}

#[test]
fn one_call_gives_what_two_give() {
    same(&Crane::default(), 8);
    #[cfg(feature = "sparse")]
    same(&Beads::default(), 8);
    same(&Sphere::<f64>::default(), 4);
    same(&Decay::default(), 0);
}

fn end<S: Solvable<Real = f64> + Linearize>(plant: &S) -> Vec<f64> {
    let mut run = Simulation::of(plant, BackwardEuler::linearized()).fixed(0.01).expect("a start");
    run.advance_to(0.5).expect("steps");
    [run.state().q.as_ref(), run.state().v.as_ref(), run.state().z.as_ref()].concat()
}

#[test]
fn steps_are_the_same() {
    let plant = Crane::default();
    let (one, two) = (end(&plant), end(&in_two(&plant)));
    let off = one.iter().zip(&two).map(|(one, two)| (one - two).abs()).fold(0.0, f64::max);
    assert!(off < 1e-11 && Real::is_finite(off), "{off:e}: {one:?} for {two:?}");
}
