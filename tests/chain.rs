//! A chain of twenty links in minimal coordinates: the model a debug build of rustc finds hardest. That this file compiles, with full
//! debug information, is half of the test.

use ode_model::prelude::*;

model! {
    /// Point masses on massless rods; absolute angles, 0 = hanging.
    pub struct Chain {
        param m: Real [kg] = 0.1;
        param l: Real [m] = 0.05;
        param g: Real [m/s^2] = 9.81;
        param c: Real [N*m*s] = 0.0;
        coord th: [Angle; 20];

        let e0 = l * vec2(sin(th[0]), -cos(th[0]));
        let e1 = e0 + l * vec2(sin(th[1]), -cos(th[1]));
        let e2 = e1 + l * vec2(sin(th[2]), -cos(th[2]));
        let e3 = e2 + l * vec2(sin(th[3]), -cos(th[3]));
        let e4 = e3 + l * vec2(sin(th[4]), -cos(th[4]));
        let e5 = e4 + l * vec2(sin(th[5]), -cos(th[5]));
        let e6 = e5 + l * vec2(sin(th[6]), -cos(th[6]));
        let e7 = e6 + l * vec2(sin(th[7]), -cos(th[7]));
        let e8 = e7 + l * vec2(sin(th[8]), -cos(th[8]));
        let e9 = e8 + l * vec2(sin(th[9]), -cos(th[9]));
        let e10 = e9 + l * vec2(sin(th[10]), -cos(th[10]));
        let e11 = e10 + l * vec2(sin(th[11]), -cos(th[11]));
        let e12 = e11 + l * vec2(sin(th[12]), -cos(th[12]));
        let e13 = e12 + l * vec2(sin(th[13]), -cos(th[13]));
        let e14 = e13 + l * vec2(sin(th[14]), -cos(th[14]));
        let e15 = e14 + l * vec2(sin(th[15]), -cos(th[15]));
        let e16 = e15 + l * vec2(sin(th[16]), -cos(th[16]));
        let e17 = e16 + l * vec2(sin(th[17]), -cos(th[17]));
        let e18 = e17 + l * vec2(sin(th[18]), -cos(th[18]));
        let e19 = e18 + l * vec2(sin(th[19]), -cos(th[19]));
        let p = [
            e0, e1, e2, e3, e4, e5, e6, e7, e8, e9,
            e10, e11, e12, e13, e14, e15, e16, e17, e18, e19,
        ];
        for i in 0..20 {
            kinetic = 0.5 * m * der(p[i]).dot(der(p[i]));
            potential = m * g * p[i].y;
            dissipation = 0.5 * c * sq(der(th[i]));
            init th[i] = 0.5 + 0.05 * i;
        }
        output tip: Vec2 [m] = p[19];
    }
}

fn energy(chain: &Chain, x: &State<Chain>) -> f64 {
    let energy = chain.energy(x.at(&chain::U::default()));
    energy.kinetic + energy.potential
}

#[test]
fn the_equations_are_those_of_the_chain() {
    // M[i, j] = m l² (20 − max(i, j)) cos(θᵢ − θⱼ); f by the centrifugal terms and the weight that hangs on each link
    let chain = Chain::default();
    let mut x = State::zeros(&chain);
    for i in 0..20 {
        x.q.array_mut()[i] = (1.7 * i as f64).sin();
        x.v.array_mut()[i] = (0.3 + 2.1 * i as f64).cos();
    }
    let (q, v) = (*x.q.array(), *x.v.array());
    let mass = chain.mass(x.at(&chain::U::default()));
    let force = chain.force(x.at(&chain::U::default()));
    let below = |i: usize, j: usize| 0.1 * 0.05 * 0.05 * (20 - i.max(j)) as f64;
    for i in 0..20 {
        let mut f = -0.1 * 9.81 * 0.05 * (20 - i) as f64 * q[i].sin();
        for j in 0..20 {
            let want = below(i, j) * (q[i] - q[j]).cos();
            assert!((mass[(i, j)] - want).abs() < 1e-15, "M[{i}, {j}] = {} is not {want}", mass[(i, j)]);
            f -= below(i, j) * (q[i] - q[j]).sin() * v[j] * v[j];
        }
        assert!((force.array()[i] - f).abs() < 1e-14, "f[{i}] = {} is not {f}", force.array()[i]);
    }
}

#[test]
fn energy_is_kept_without_friction_and_lost_with_it() {
    let chain = Chain::default();
    let mut run = Simulation::of(&chain, Geodesic).adaptive(1e-9).expect("a start");
    let start = energy(&chain, run.state());
    run.advance_to(0.5).expect("steps");
    let drift = energy(&chain, run.state()) - start;
    assert!(drift.abs() < 1e-7, "energy changed by {drift:e} of {start}");

    let chain = Chain::builder().c(1e-3).build().expect("a model");
    let mut run = Simulation::of(&chain, GeneralizedAlpha::with_spectral_radius(0.9)).fixed(1e-3).expect("a start");
    run.advance_to(0.1).expect("steps");
    let mut last = energy(&chain, run.state());
    for _ in 0..5 {
        let end = run.state().t + 0.02;
        run.advance_to(end).expect("steps");
        let now = energy(&chain, run.state());
        assert!(now < last, "friction takes energy: {last} to {now}");
        last = now;
    }
}
