//! Andrews' squeezing mechanism of the IVP test set.

use ode_runtime::integrators::{DormandPrince, GeneralizedAlpha, RungeKutta4};
use ode_runtime::solve::Projection;
use ode_runtime::{Method, Nominal, Simulation, Start};

use super::{all_close, close};
use crate::common::squeezer::{END_A, END_LAMBDA, END_Q, END_V, START, Squeezer};
use crate::common::{On, on};

/// Largest relative error of q, v and λ of the squeezer at t = 0.03; ours is −λ of the source.
fn squeezer_errors<M: Method<On<Squeezer>>>(method: M, h: f64) -> [f64; 3] {
    let squeezer = on(Squeezer);
    let mut run = Simulation::of(&squeezer, method).fixed(h).expect("a start");
    run.advance_to(0.03).expect("steps");
    let worst = |got: &[f64], want: &[f64], sign: f64| {
        got.iter().zip(want).map(|(got, want)| (sign * got - want).abs() / want.abs()).fold(0.0, f64::max)
    };
    assert!(run.drift().expect("finite").0 < 1e-9);
    let x = run.state();
    [worst(&x.q, &END_Q, 1.0), worst(&x.v, &END_V, 1.0), worst(&x.lambda, &END_LAMBDA, -1.0)]
}

#[test]
fn squeezer_starts_consistently_from_one_exact_condition() {
    // IVP test set: a(0) and λ(0) (here with the other sign of λ), all other entries zero.
    let x = Start::default().solve(&on(Squeezer), &Nominal).expect("consistent");
    for (got, want) in x.q.iter().zip(START) {
        assert!((got - want).abs() < 2e-15);
    }
    close(x.a[0], 14_222.443_919_954_1, 1e-12);
    close(x.a[1], -10_666.832_939_965_6, 1e-12);
    close(x.lambda[0], -98.566_870_396_241_1, 1e-12);
    close(x.lambda[1], 6.122_688_344_255_67, 1e-12);
    assert!(x.a[2..].iter().chain(&x.lambda[2..]).all(|rest| rest.abs() < 1e-9));
}

#[test]
fn squeezer_by_generalized_alpha_is_of_order_2_in_q_v_and_lambda() {
    let method = GeneralizedAlpha::with_spectral_radius(0.8);
    let (coarse, fine) = (squeezer_errors(method, 4e-5), squeezer_errors(method, 1e-5));
    let order = |i: usize| (coarse[i] / fine[i]).log(4.0);
    assert!((order(0) - 2.0).abs() < 0.1, "q: {}", order(0));
    assert!((order(1) - 2.0).abs() < 0.1, "v: {}", order(1));
    assert!((order(2) - 2.0).abs() < 0.3, "λ: {}", order(2));
    assert!(fine[0] < 5e-5, "error in q: {:e}", fine[0]);
}

#[test]
fn squeezer_by_error_control_to_ten_digits() {
    let squeezer = on(Squeezer);
    let mut run =
        Simulation::of(&squeezer, DormandPrince).project(Projection::to(1e-13)).adaptive(1e-11).expect("a start");
    run.advance_to(0.03).expect("steps");
    let x = run.state();
    all_close(&x.q, &END_Q, 1e-11);
    all_close(&x.v, &END_V, 1e-10);
    all_close(&x.a, &END_A, 1e-10);
    all_close(&x.lambda, &END_LAMBDA.map(|l| -l), 1e-10);
}

#[test]
fn squeezer_in_steps_beside_project_chronos() {
    // Its largest relative errors of q at h = 1e-4, 3e-5, 1e-5: Newmark(½, ¼), smaller steps of which the generated
    // model takes; HHT(−0.2), of order 1 as M is taken at one end only, 1.77e-2, 4.9e-3, 1.5e-3; RK4 2.6e-4, 1.1e-5,
    // and then 1.3e-5, the error of its γ.
    let error = |method, h| squeezer_errors(method, h)[0];
    for (h, theirs) in [(1e-4, 1.42e-3), (3e-5, 1.39e-4)] {
        close(error(GeneralizedAlpha::newmark(0.5, 0.25), h), theirs, 4e-3);
    }
    let hht = [3e-5, 1e-5].map(|h| error(GeneralizedAlpha::hht(-0.2), h));
    assert!(((hht[0] / hht[1]).log(3.0) - 2.0).abs() < 0.1 && hht[1] < 1.5e-3 / 50.0, "{hht:?}");
    let squeezer = on(Squeezer);
    let classical = [1e-4, 3e-5, 1e-5].map(|h| {
        let mut run = Simulation::of(&squeezer, RungeKutta4).fixed(h).expect("a start");
        run.advance_to(0.03).expect("steps");
        let off = run.state().q.iter().zip(END_Q).map(|(got, want)| (got - want).abs() / want.abs());
        off.fold(0.0, f64::max)
    });
    close(classical[0], 2.6e-4, 6e-2);
    assert!(((classical[1] / classical[2]).log(3.0) - 4.0).abs() < 0.1 && classical[2] < 5e-8, "{classical:?}");
}
