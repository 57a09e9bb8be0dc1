//! The cart-pole at 50 Hz with a bounded force, in closed loop on the model itself.
//!
//! `cart_pole.csv` has the state at each sample, the force and the least cost of the plan from there. They are of an
//! active set on the condensed problem, in NumPy with Cholesky factors, and of a plant by the classical Runge–Kutta
//! method in CasADi 3.8. The conditions of every optimum hold to 1e-8; Clarabel 0.11, OSQP, qpOASES, DAQP and HPIPM
//! agree to their tolerances. A, B and P were those of sixty digits by mpmath.

use ode_control::{Linearizer, Lqr, Mpc, MpcKnot, Trim};
use ode_model::linalg::{SMatrix, SVector};
use ode_model::prelude::*;
use std::f64::consts::PI;

model! {
    pub struct CartPole {
        param m_c: Real [kg] = 1.0;
        param m_p: Real [kg] = 0.1;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        param c_x: Real [N*s/m] = 0.05;
        param c_th: Real [N*m*s] = 0.001;
        coord x: Real [m];
        coord th: Angle;
        input u: Real [N] in -10.0..=10.0;
        let tip = vec2(x + l * sin(th), -l * cos(th));
        kinetic = 0.5 * m_c * sq(der(x)) + 0.5 * m_p * der(tip).dot(der(tip));
        potential = m_p * g * tip.y;
        dissipation = 0.5 * c_x * sq(der(x)) + 0.5 * c_th * sq(der(th));
        force drive on x = u;
        init x = 0.3;
        init th = 3.541592653589793;
    }
}

/// Rows of the reference: a state, the force, the cost.
pub(crate) fn reference() -> Vec<[Option<f64>; 6]> {
    let lines = include_str!("cart_pole.csv").lines().skip(1);
    lines
        .map(|line| {
            let mut numbers = line.split(',').map(|number| number.parse().ok());
            std::array::from_fn(|_| numbers.next().flatten())
        })
        .collect()
}

/// The controller: N = 30, weights of samples, and the endless cost of the regulator at the end.
pub(crate) fn controller(model: &CartPole) -> Mpc<f64, 4, 1, 0, [MpcKnot<f64, 4, 1, 0>; 30]> {
    let upright = Trim::of(model).hold("x", 0.0).and_then(|trim| trim.hold("th", PI)).and_then(|trim| trim.free("u"));
    let upright = upright.and_then(|trim| trim.solve()).expect("an equilibrium");
    let linear = Linearizer::of(model).at(&upright.state, upright.inputs).expect("a linear system").system;
    let steps = linear.discretized(0.02).expect("a hold");
    let (q, r) = (SMatrix::from_diagonal(&[1.0, 10.0, 0.1, 0.1].into()), SMatrix::from([[0.01]]));
    let lqr = Lqr::of(&steps).state("x", 1.0).and_then(|lqr| lqr.state("th", 10.0));
    let lqr = lqr.and_then(|lqr| lqr.state("der(x)", 0.1)).and_then(|lqr| lqr.state("der(th)", 0.1));
    let regulator = lqr.and_then(|lqr| lqr.input("u", 0.01)).and_then(|lqr| lqr.solve()).expect("a gain");
    let mut mpc = Mpc::of(&steps, [], [MpcKnot::none(); 30]).expect("a controller");
    mpc.weights(&q, &r, &regulator.cost.fixed().expect("four states"));
    mpc.bound("u", -10.0, 10.0).expect("an input");
    mpc
}

fn close(found: f64, wanted: f64, what: &str, step: usize) {
    assert!((found - wanted).abs() < 1e-9, "{what} at {step}: {found} instead of {wanted}");
}

#[test]
fn fifty_steps_are_those_of_other_programs() {
    let model = CartPole::default();
    let mut mpc = controller(&model);
    let run = Simulation::of(&model, RungeKutta4).sampled(0.02, |now, u| {
        let step = (now.t / 0.02).round() as usize;
        let [x, th, dx, dth, force, cost] = reference()[step].map(|number| number.unwrap_or(f64::NAN));
        let state = [now.q.x(), now.q.th(), now.v.x(), now.v.th()];
        for (found, wanted) in state.into_iter().zip([x, th, dx, dth]) {
            close(found, wanted, "a state", step);
        }
        if step < 50 {
            let plan = mpc.solve(&SVector::from([state[0], state[1] - PI, state[2], state[3]])).expect("a plan");
            assert!(plan.exact && plan.iterations == 0, "{plan:?}");
            close(mpc.first()[0], force, "the force", step);
            close(mpc.cost(), cost, "the cost", step);
            u.set_u(mpc.first()[0]);
        }
    });
    let mut run = run.fixed(0.005).expect("a run");
    run.advance_to(1.0).expect("an end");
}
