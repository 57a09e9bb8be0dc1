//! A chain in relative coordinates: the angles of its joints, and the places that rows give to its masses.

use ode_model::integrators::{
    BackwardEuler, Bdf2, DormandPrince, GeneralizedAlpha, ImplicitMidpoint, RungeKutta4, StormerVerlet,
};
use ode_model::prelude::*;
use ode_model::solve::Projection;
use ode_model::{Method, Solvable};

model! {
    /// Point masses on massless rods, each held by a spring in its joint against the rod before.
    pub struct Joints {
        set links;
        set joints: (links, links) = chain;
        set first: links = [0];
        param m: Real [kg] = 0.1;
        param l: Real [m] = 0.1;
        param k: Real [N*m] = 0.2;
        param c: Real [N*m*s] = 1e-3;
        param g: Real [m/s^2] = 9.81;
        param bend[links]: Real;
        coord (phi, rate)[links]: Angle;
        coord turn[links]: Angle;
        coord (tip, v)[links]: Vec2 [m];
        for i in links {
            kinetic = 0.5 * m * v[i].dot(v[i]);
            potential = m * g * tip[i].y + 0.5 * k * sq(phi[i]);
            dissipation = 0.5 * c * sq(rate[i]);
            init phi[i] = bend[i];
        }
        for i in first {
            constraint turned: turn[i] == phi[i];
            constraint placed: tip[i] == l * vec2(sin(turn[i]), -cos(turn[i]));
        }
        for (i, j) in joints {
            constraint turns: turn[j] == turn[i] + phi[j];
            constraint places: tip[j] == tip[i] + l * vec2(sin(turn[j]), -cos(turn[j]));
        }
    }
}

model! {
    /// Five of them, written out.
    #[model(storage = dense)]
    pub struct Five {
        param m: Real [kg] = 0.1;
        param l: Real [m] = 0.1;
        param k: Real [N*m] = 0.2;
        param c: Real [N*m*s] = 1e-3;
        param g: Real [m/s^2] = 9.81;
        coord (phi, rate): [Angle; 5];
        coord turn: [Angle; 5];
        coord (tip, v): [Vec2; 5] [m];
        for i in 0..5 {
            kinetic = 0.5 * m * v[i].dot(v[i]);
            potential = m * g * tip[i].y + 0.5 * k * sq(phi[i]);
            dissipation = 0.5 * c * sq(rate[i]);
            init phi[i] = 0.1 + 0.01 * i;
            let rod = l * vec2(sin(turn[i]), -cos(turn[i]));
            constraint turns: turn[i] == if i == 0 { phi[i] } else { turn[i - 1] + phi[i] };
            constraint places: tip[i] == if i == 0 { rod } else { tip[i - 1] + rod };
        }
    }
}

model! {
    /// Five of them in their angles alone.
    pub struct Angles {
        param m: Real [kg] = 0.1;
        param l: Real [m] = 0.1;
        param k: Real [N*m] = 0.2;
        param c: Real [N*m*s] = 1e-3;
        param g: Real [m/s^2] = 9.81;
        coord (phi, rate): [Angle; 5];
        for i in 0..5 {
            let turn[i] = if i == 0 { phi[i] } else { turn[i - 1] + phi[i] };
            let rod = l * vec2(sin(turn[i]), -cos(turn[i]));
            let tip[i] = if i == 0 { rod } else { tip[i - 1] + rod };
            kinetic = 0.5 * m * der(tip[i]).dot(der(tip[i]));
            potential = m * g * tip[i].y + 0.5 * k * sq(phi[i]);
            dissipation = 0.5 * c * sq(rate[i]);
            init phi[i] = 0.1 + 0.01 * i;
        }
    }
}

fn chain(bends: Vec<f64>) -> Joints {
    Joints::builder().links(bends.len()).bend(bends).build().expect("a chain")
}

fn five() -> Joints {
    chain((0..5).map(|i| 0.1 + 0.01 * f64::from(i)).collect())
}

fn end<S: Solvable<Real = f64>, M: Method<S>>(model: &S, method: M, (step, time): (f64, f64)) -> State<S> {
    let mut run = Simulation::of(model, method).project(Projection::to(1e-13)).fixed(step).expect("a start");
    run.advance_to(time).expect("a run");
    run.state().clone()
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert!(a.len() <= b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn members_move_as_the_model_written_out() {
    let (joints, written) = (five(), Five::default());
    macro_rules! each {
        ($($name:literal: $method:expr),+ $(,)?) => {$(
            let (x, y) = (end(&joints, $method, (2e-3, 0.2)), end(&written, $method, (2e-3, 0.2)));
            let off = apart(x.q.as_ref(), y.q.as_ref()).max(apart(x.v.as_ref(), y.v.as_ref()));
            assert!(off < 1e-11, "{}: {off:e}", $name);
        )+};
    }
    each! {
        "backward Euler": BackwardEuler::default(),
        "BDF2": Bdf2::default(),
        "generalised-α": GeneralizedAlpha::with_spectral_radius(0.9),
        "implicit midpoint": ImplicitMidpoint::default(),
        "Störmer–Verlet": StormerVerlet::default(),
        "Runge–Kutta 4": RungeKutta4,
        "Dormand–Prince": DormandPrince,
    }
}

#[test]
fn places_change_no_angle() {
    let (joints, angles) = (five(), Angles::default());
    let want = end(&angles, DormandPrince, (1e-3, 0.2));
    let got = end(&joints, DormandPrince, (1e-3, 0.2));
    let off = apart(want.q.as_ref(), joints.phi(&got.q)).max(apart(want.v.as_ref(), joints.rate(&got.v)));
    assert!(off < 1e-11, "{off:e}");
}

/// The energy that 200 links have in springs, height and motion.
fn energy(chain: &Joints, x: &State<Joints>) -> f64 {
    let e = chain.energy(x.point());
    e.kinetic + e.potential
}

#[test]
fn two_hundred_links_keep_their_energy() {
    let mut chain = chain((0..200).map(|i| if i == 0 { 0.5 } else { 0.01 }).collect());
    chain.c = 0.0;
    let layout = chain.layout();
    assert_eq!((layout.v.len(), layout.constraints.len()), (800, 600));
    let begun = Simulation::of(&chain, RungeKutta4).fixed(1e-3).expect("a start").state().clone();
    let before = energy(&chain, &begun);
    let want = end(&chain, DormandPrince, (2e-3, 0.04));
    // to scale: what fell, in the motion
    let moved = chain.energy(want.point()).kinetic;
    assert!(moved > 0.1, "{moved}");
    macro_rules! each {
        ($($name:literal, $lost:literal, $off:literal: $method:expr),+ $(,)?) => {$(
            let x = end(&chain, $method, (2e-3, 0.04));
            let lost = (energy(&chain, &x) - before).abs() / moved;
            let off = apart(chain.phi(&x.q), chain.phi(&want.q));
            assert!(lost < $lost && off < $off, "{}: {lost:e} {off:e}", $name);
            // each place is where the angles say
            let (mut turn, mut tip) = (0.0, [0.0; 2]);
            for (phi, got) in chain.phi(&x.q).iter().zip(chain.tip(&x.q)) {
                turn += phi;
                tip = [tip[0] + chain.l * f64::sin(turn), tip[1] - chain.l * f64::cos(turn)];
                assert!(apart(&tip, got) < 1e-9, "{}: {tip:?} {got:?}", $name);
            }
        )+};
    }
    each! {
        "backward Euler", 1e-1, 1e-2: BackwardEuler::default(),
        "BDF2", 1e-2, 2e-3: Bdf2::default(),
        "generalised-α", 1e-6, 1e-3: GeneralizedAlpha::with_spectral_radius(0.9),
        "implicit midpoint", 1e-5, 1e-3: ImplicitMidpoint::default(),
        "Störmer–Verlet", 1e-5, 1e-3: StormerVerlet::default(),
        "Runge–Kutta 4", 1e-6, 1e-5: RungeKutta4,
    }
}

/// Each link adds as many entries to the matrices of a step as the one before.
#[test]
fn matrices_have_entries_in_proportion_to_the_links() {
    let [some, more, most] = [50, 100, 150].map(|n| chain(vec![0.1; n]).layout().tangent.indices.len());
    assert_eq!(more - some, most - more);
    assert!(most < 150 * 100, "{most}");
}

/// A place that no row gives is named.
#[test]
fn a_place_that_no_row_gives_is_named() {
    let loose = Joints::builder().links(3).first([1]).bend(vec![0.1; 3]).build().expect("members");
    let error = Simulation::of(&loose, RungeKutta4).fixed(1e-3).map(|_| ()).expect_err("nothing gives `turn[0]`");
    assert!(error.to_string().contains("`phi[0]`"), "{error}");
}
