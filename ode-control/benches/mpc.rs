//! Linear model predictive control of the cart-pole, 30 stages, over 50 states of a closed loop.
//!
//! `cargo bench -p ode-control --bench mpc` prints the mean time of a step with its update, of the least of many rounds
//! over all states; with `--features clarabel` beside those of Clarabel.

#![allow(clippy::print_stdout, missing_docs, unreachable_pub, reason = "a benchmark is a program that prints")]

use std::hint::black_box;
use std::time::Instant;

use ode_control::{Mpc, MpcKnot, MpcRows, Slack};
use ode_model::linalg::{SMatrix, SVector};

#[allow(dead_code, unused_imports, reason = "others are of the tests")]
#[path = "../tests/mpc/cart_pole.rs"]
mod cart_pole;

use cart_pole::{CartPole, controller, reference};

type Controller<const M: usize> = Mpc<f64, 4, 1, M, [MpcKnot<f64, 4, 1, M>; 30]>;

/// The states about the upright equilibrium.
fn states() -> Vec<SVector<f64, 4>> {
    let all = reference().into_iter().take(50);
    all.map(|row| {
        let [x, th, dx, dth, ..] = row.map(|number| number.expect("a number"));
        SVector::from([x, th - std::f64::consts::PI, dx, dth])
    })
    .collect()
}

/// The states that a controller itself leads to, on its own linear model.
fn led<const M: usize>(from: &Controller<M>) -> Vec<SVector<f64, 4>> {
    let mut mpc = from.clone();
    let next = |x: &SVector<f64, 4>| {
        mpc.solve(x).expect("a plan");
        mpc.state(1)
    };
    std::iter::successors(Some(SVector::from([0.3, 0.4, 0.0, 0.0])), next).take(50).collect()
}

/// The mean time of a step in µs, the least of many rounds.
fn measure<const M: usize>(
    what: &str,
    (from, states): (&Controller<M>, &[SVector<f64, 4>]),
    mut step: impl FnMut(&mut Controller<M>, &SVector<f64, 4>),
) {
    let round = |_| {
        let mut mpc = from.clone();
        let clock = Instant::now();
        for x in states {
            step(&mut mpc, black_box(x));
            black_box(mpc.first());
        }
        clock.elapsed().as_secs_f64() * 1e6 / states.len() as f64
    };
    let least = (0..500).map(round).fold(f64::INFINITY, f64::min);
    println!("{what:44} {least:7.2} µs");
}

/// Prints how plans are found.
fn count<const M: usize>((from, states): (&Controller<M>, &[SVector<f64, 4>])) {
    let (mut mpc, mut at_once, mut passes, mut iterations) = (from.clone(), 0, 0, 0);
    for x in states {
        let plan = mpc.solve(x).expect("a plan");
        at_once += usize::from(plan.exact && plan.iterations == 0);
        passes += plan.passes;
        iterations += plan.iterations;
    }
    println!("    {at_once} of {} at once, {passes} recursions, {iterations} iterations", states.len());
}

/// Clarabel on the same problems: alone, with the start replaced, and by the controller.
#[cfg(feature = "clarabel")]
fn clarabel(plain: &Controller<0>) {
    use clarabel::solver::IPSolver;
    let mut plain = plain.clone();
    let (mut solver, a) = alone(&mut plain);
    measure("clarabel alone", (&plain, &states()), |_, x| {
        let mut right = vec![0.0; 4 * 30 + 2 * 30];
        right[..4].copy_from_slice((a * x).as_slice());
        right[4 * 30..].fill(10.0);
        solver.update_b(&right).expect("the same pattern");
        solver.solve();
        black_box(solver.solution.x[0]);
    });
    let mut clarabel = ode_control::Clarabel::default();
    measure("clarabel by the controller", (&plain, &states()), |mpc, x| {
        clarabel.solve(mpc, x).expect("a plan");
    });
}

/// The problem as one would write it down, and A.
#[cfg(feature = "clarabel")]
fn alone(plain: &mut Controller<0>) -> (clarabel::solver::DefaultSolver<f64>, SMatrix<f64, 4, 4>) {
    use clarabel::algebra::CscMatrix;
    use clarabel::solver::{DefaultSettings, DefaultSolver, SupportedConeT};
    let end = plain.end_mut().weight;
    let stage = *plain.stage_mut(0).expect("a stage");
    let (mut p, mut a) = ((vec![], vec![], vec![]), (vec![], vec![], vec![]));
    let put = |to: &mut (Vec<usize>, Vec<usize>, Vec<f64>), row, column, value| {
        if value != 0.0 {
            to.0.push(row);
            to.1.push(column);
            to.2.push(value);
        }
    };
    for k in 0..30 {
        let (u, x) = (5 * k, 5 * k + 1);
        put(&mut p, u, u, stage.input_weight[(0, 0)]);
        let weight = if k == 29 { end } else { stage.state_weight };
        for r in 0..4 {
            (r..4).for_each(|c| put(&mut p, x + r, x + c, weight[(r, c)]));
            put(&mut a, 4 * k + r, u, -stage.b[(r, 0)]);
            put(&mut a, 4 * k + r, x + r, 1.0);
            (0..4).filter(|_| k > 0).for_each(|c| put(&mut a, 4 * k + r, x + c - 5, -stage.a[(r, c)]));
        }
        put(&mut a, 120 + k, u, 1.0);
        put(&mut a, 150 + k, u, -1.0);
    }
    let matrix = |(r, c, v), size: (usize, usize)| CscMatrix::new_from_triplets(size.0, size.1, r, c, v);
    let mut settings = DefaultSettings { verbose: false, presolve_enable: false, ..DefaultSettings::default() };
    (settings.tol_gap_abs, settings.tol_gap_rel, settings.tol_feas) = (1e-9, 1e-9, 1e-9);
    let cones = [SupportedConeT::ZeroConeT(120), SupportedConeT::NonnegativeConeT(60)];
    let (p, a) = (matrix(p, (150, 150)), matrix(a, (180, 150)));
    let right = [vec![0.0; 120], vec![10.0; 60]].concat();
    let solver = DefaultSolver::new(&p, &[0.0; 150], &a, &right, &cones, settings).expect("a problem");
    (solver, stage.a)
}

fn main() {
    let plain = controller(&CartPole::default());
    measure("bounded force", (&plain, &states()), |mpc, x| {
        mpc.solve(x).expect("a plan");
    });
    count((&plain, &states()));
    measure("the same, all numbers new", (&plain, &states()), |mpc, x| {
        // what a controller does that linearises at each sample
        let (a, b) = mpc.stage_mut(0).map(|stage| (stage.a, stage.b)).expect("a stage");
        mpc.model(black_box(&a), black_box(&b));
        mpc.reference(&SVector::zeros(), &SVector::zeros());
        mpc.bound("u", -10.0, 10.0).expect("an input");
        mpc.solve(x).expect("a plan");
    });
    #[cfg(feature = "clarabel")]
    clarabel(&plain);
    let mut rows: Controller<1> =
        Mpc::new(["x", "th", "der(x)", "der(th)"], ["u"], ["speed"], [MpcKnot::none(); 30]).expect("a controller");
    let mut plain = plain;
    for k in 0..30 {
        let (Some(from), Some(to)) = (plain.stage_mut(k), rows.stage_mut(k)) else { continue };
        (to.a, to.b, to.state_weight, to.input_weight) = (from.a, from.b, from.state_weight, from.input_weight);
        (to.input_low, to.input_high) = (from.input_low, from.input_high);
        let by_state = SMatrix::from([[0.0], [0.0], [1.0], [0.0]]);
        to.rows = MpcRows { by_state, ..MpcRows::none() };
    }
    rows.end_mut().weight = plain.end_mut().weight;
    rows.bound("speed", -0.6, 0.6).expect("a row");
    rows.soften("speed", Some(Slack { linear: 100.0, quadratic: 0.0 })).expect("a row");
    let led = led(&rows);
    measure("and a soft bound of the speed, |v| < 0.6", (&rows, &led), |mpc, x| {
        mpc.solve(x).expect("a plan");
    });
    count((&rows, &led));
    measure("the same, each from nothing, most inside", (&rows, &led), |mpc, x| {
        *mpc = rows.clone();
        mpc.solve(x).expect("a plan");
    });
}
