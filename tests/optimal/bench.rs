//! Times of optimal-control problems: the least of many solves in one thread, beside the numbers of iterations.
//!
//! `cargo bench -p ode-model-optimal`; `peers/` beside this file has other programs on the same problems.
#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark is a program that prints")]

use std::time::Instant;

use ode_model::control::{Ddp, Ilqr, Plan, PlanError, Scheme};
use ode_model::integrators::{RungeKutta4, SemiExplicitEuler};
use ode_model::variation::Fixed;
use ode_model::{Dual, F64x8, StepHessian, StepMap, System};
use ode_model_optimal::{
    CartPole, DoublePole, Quadrotor, collocated, flight, half_turn_collocated, near_upright, reach, swing_near,
    swing_up, to_upright, waypoints,
};

fn report<S: System<Real = f64>, const N: usize, const U: usize>(
    name: &str,
    rounds: usize,
    solve: impl Fn() -> Result<Plan<S, N, U>, PlanError>,
) {
    // `cargo bench -p ode-model-optimal -- P4` runs some of them
    if std::env::args().nth(1).is_some_and(|only| !only.starts_with('-') && !name.starts_with(&only)) {
        return;
    }
    let mut least = f64::INFINITY;
    for _ in 0..rounds {
        let clock = Instant::now();
        std::hint::black_box(solve().expect("an optimum"));
        least = least.min(clock.elapsed().as_secs_f64());
    }
    let plan = solve().expect("an optimum");
    let count = plan.iterations.len() - 1;
    let each = 1e6 * least / count as f64;
    println!("{name:34} J {:.10}  {count:3} iterations {:8.3} ms, {each:6.1} µs each", plan.cost, 1e3 * least);
}

fn main() {
    let (cart, both) = (CartPole::<f64>::default(), DoublePole::<f64>::default());
    let (dual, dual_both) = (cart.cast::<Dual<f64, F64x8>>(), both.cast::<Dual<f64, F64x8>>());
    report("P2, shooting, N = 50", 200, || swing_up::<_, _, 4, 5>((&cart, &dual), 50, 0.0));
    report("P2, shooting, N = 100", 100, || swing_up::<_, _, 4, 5>((&cart, &dual), 100, 0.0));
    report("P3, shooting, N = 100", 50, || swing_up::<_, _, 6, 7>((&both, &dual_both), 100, 0.0));
    report("P2, Hermite-Simpson, N = 50", 100, || {
        collocated::<_, _, 5, 2>((&cart, &dual), Scheme::HermiteSimpson, 50, 0.0)
    });
    report("P3, Hermite-Simpson, N = 100", 20, || {
        collocated::<_, _, 7, 2>((&both, &dual_both), Scheme::HermiteSimpson, 100, 0.0)
    });
    report("P6, Radau, N = 40", 20, || half_turn_collocated(40));
    report("P2d, N = 100, from the line", 100, || swing_near::<_, _, 4, 5>((&cart, &dual), true, 0.0));
    let free = CartPole { c_x: 0.0, c_th: 0.0, ..cart.clone() };
    let dual_free = free.cast::<Dual<f64, F64x8>>();
    report("P2d, without damping", 100, || swing_near::<_, _, 4, 5>((&free, &dual_free), true, 0.0));
    report("P2d, N = 100, from rest", 100, || swing_near::<_, _, 4, 5>((&cart, &dual), false, 0.0));
    report("P3d, N = 100, from the line", 50, || swing_near::<_, _, 6, 7>((&both, &dual_both), true, 0.0));
    report("P2d, DDP, from the line", 100, || {
        let (problem, method) = (near_upright(&cart, true, 0.0)?, SemiExplicitEuler::explicit());
        let map = StepMap::<_, _, Fixed<5>>::sized(&cart, method, &[])?;
        Ddp::<_, 4, 1>::of(&problem, (map, StepHessian::of(&dual, method)?))?.solve()
    });
    report("P2d, DDP, from rest", 100, || {
        let (problem, method) = (near_upright(&cart, false, 0.0)?, SemiExplicitEuler::explicit());
        let map = StepMap::<_, _, Fixed<5>>::sized(&cart, method, &[])?;
        Ddp::<_, 4, 1>::of(&problem, (map, StepHessian::of(&dual, method)?))?.solve()
    });
    report("P2d, iLQR, from the line", 100, || {
        let (problem, method) = (near_upright(&cart, true, 0.0)?, SemiExplicitEuler::explicit());
        let map = StepMap::<_, _, Fixed<5>>::sized(&cart, method, &[])?;
        Ddp::<_, 4, 1>::of(&problem, Ilqr(map, StepHessian::of(&dual, method)?))?.tolerance(1e-6).solve()
    });
    report("P2d, iLQR, from rest", 100, || {
        let (problem, method) = (near_upright(&cart, false, 0.0)?, SemiExplicitEuler::explicit());
        let map = StepMap::<_, _, Fixed<5>>::sized(&cart, method, &[])?;
        Ddp::<_, 4, 1>::of(&problem, Ilqr(map, StepHessian::of(&dual, method)?))?.tolerance(1e-6).solve()
    });
    report("P2, DDP, N = 50", 100, || {
        let problem = to_upright(&cart, 50, 0.0)?;
        let map = StepMap::<_, _, Fixed<5>>::sized(&cart, RungeKutta4, &[])?;
        Ddp::<_, 4, 1>::of(&problem, (map, StepHessian::of(&dual, RungeKutta4)?))?.solve()
    });
    report("P3d, DDP, from rest", 20, || {
        let (problem, method) = (near_upright(&both, false, 0.0)?, SemiExplicitEuler::explicit());
        let map = StepMap::<_, _, Fixed<7>>::sized(&both, method, &[])?;
        Ddp::<_, 6, 1>::of(&problem, (map, StepHessian::of(&dual_both, method)?))?.solve()
    });
    let quadrotor = Quadrotor::<f64>::default();
    let (dual, eight) = (quadrotor.cast::<Dual<f64>>(), quadrotor.cast::<Dual<f64, F64x8>>());
    report("P4, one column at a time", 10, || waypoints(&quadrotor, &dual, 0.0));
    report("P4, eight columns at a time", 10, || waypoints(&quadrotor, &eight, 0.0));
    report("P4, DDP", 10, || {
        let (problem, method) = (flight(&quadrotor, 0.0)?, SemiExplicitEuler::explicit());
        let map = StepMap::<_, _, Fixed<16>>::sized(&quadrotor, method, &[])?;
        Ddp::<_, 12, 4>::of(&problem, (map, StepHessian::of(&eight, method)?))?.solve()
    });
    report("P4, iLQR", 10, || {
        let (problem, method) = (flight(&quadrotor, 0.0)?, SemiExplicitEuler::explicit());
        let map = StepMap::<_, _, Fixed<16>>::sized(&quadrotor, method, &[])?;
        Ddp::<_, 12, 4>::of(&problem, Ilqr(map, StepHessian::of(&eight, method)?))?.tolerance(1e-6).solve()
    });
    // where FDDP ends in 63 iterations
    report("P5, DDP, Gauss-Newton", 10, || reach(2e-6));
}
