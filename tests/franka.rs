//! The Franka arm against Pinocchio: inverse dynamics, their derivatives and the mass matrix at random states.
//!
//! `data/franka.csv` was written by `benches/franka/reference.py`; its head says with which versions and seed.

use ode_model::prelude::*;
use ode_model::{Residual, System};

#[allow(dead_code, unreachable_pub, reason = "the model is that of the example; its main is not run")]
#[path = "../examples/franka.rs"]
mod example;

use example::{Franka, franka};

/// The lines of the file: what they hold, and their numbers.
fn lines() -> Vec<(String, Vec<f64>)> {
    let file = include_str!("data/franka.csv");
    let line = |line: &str| {
        let (tag, numbers) = line.split_once(',').expect("a tag");
        (tag.to_owned(), numbers.split(',').map(|n| n.parse().expect("a number")).collect())
    };
    file.lines().filter(|l| !l.starts_with('#')).map(line).collect()
}

/// The state of a line of torques, and these.
fn state(arm: &Franka, numbers: &[f64]) -> (State<Franka>, Vec<f64>) {
    let seven = |k: usize| <[f64; 7]>::try_from(&numbers[7 * k..7 * k + 7]).expect("seven numbers");
    let mut x = State::neutral(arm);
    (x.q, x.v, x.a) = (seven(0).into(), seven(1).into(), seven(2).into());
    (x, seven(3).to_vec())
}

fn relative(found: impl IntoIterator<Item = f64>, wanted: &[f64]) -> f64 {
    let scale = wanted.iter().fold(0.0, |m: f64, w| m.max(w.abs()));
    found.into_iter().zip(wanted).fold(0.0, |m: f64, (f, w)| m.max((f - w).abs() / scale))
}

#[test]
fn torques_are_those_of_pinocchio() {
    let arm = Franka::default();
    let u = franka::U::default();
    let mut seen = 0;
    for (_, numbers) in lines().into_iter().filter(|(tag, _)| tag == "torque") {
        let (x, torques) = state(&arm, &numbers);
        let mut out = Residual::zeros(&arm.layout());
        arm.residual(x.at(&u), x.rates(), &mut out);
        let error = relative(out.r.array().iter().copied(), &torques);
        assert!(error < 1e-10, "{error:e} at q = {:?}", x.q);
        // and forward: those torques give those accelerations
        let pulled = franka::U::from(<[f64; 7]>::try_from(torques).expect("seven"));
        let (mass, force) = (arm.mass(x.at(&pulled)), arm.force(x.at(&pulled)));
        let inertia: Vec<f64> = (0..7).map(|i| (0..7).map(|j| mass[(i, j)] * x.a.array()[j]).sum()).collect();
        let error = relative(force.array().iter().copied(), &inertia);
        assert!(error < 1e-9, "{error:e} at q = {:?}", x.q);
        seen += 1;
    }
    assert_eq!(seen, 100);
}

#[test]
fn derivatives_are_those_of_pinocchio() {
    let arm = Franka::default();
    let u = franka::U::default();
    let all = lines();
    let mut seen = 0;
    for pair in all.windows(2).filter(|pair| pair[1].0 == "tangent") {
        let (x, _) = state(&arm, &pair[0].1);
        let (at, rates) = (x.at(&u), x.rates());
        let matrices = [arm.stiffness(at, rates), arm.damping(at, rates), arm.mass(at)];
        for (matrix, wanted) in matrices.iter().zip(pair[1].1.chunks(49)) {
            let error = relative((0..49).map(|k| matrix[(k / 7, k % 7)]), wanted);
            assert!(error < 1e-10, "{error:e}");
        }
        seen += 1;
    }
    assert_eq!(seen, 4);
}
