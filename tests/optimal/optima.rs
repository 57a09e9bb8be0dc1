//! Optima of discrete problems that other programs have solved.
//!
//! IPOPT 3.14 and fatrop, called through CasADi 3.8, relax bounds by 1e-8 of max(1, |bound|), so their optima are lower
//! by the multipliers of the bounds times that. With bounds relaxed in the same way they are met to round-off of the
//! printed digits; Crocoddyl 3.2 keeps the bounds.

use ode_model::{Dual, F64x8};
use ode_model_optimal::{CartPole, DoublePole, Quadrotor, swing_near, swing_up, waypoints};

/// What IPOPT and fatrop relax bounds by.
const RELAXED: f64 = 1e-8;

fn close(found: f64, wanted: f64, tolerance: f64) {
    assert!((found / wanted - 1.0).abs() < tolerance, "{found}, not {wanted}");
}

#[test]
fn a_cart_pole_is_swung_up() {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64, F64x8>>();
    for (intervals, cost) in [(50, 57.160_471_437_656_35), (100, 56.945_600_599_125_7)] {
        let plan = swing_up::<_, _, 4, 5>((&cart, &dual), intervals, RELAXED).expect("an optimum");
        close(plan.cost, cost, 3e-10);
        assert!(plan.iterations.len() < 25);
    }
}

#[test]
fn two_poles_are_swung_up() {
    let cart = DoublePole::<f64>::default();
    let plan = swing_up::<_, _, 6, 7>((&cart, &cart.cast::<Dual<f64, F64x8>>()), 50, RELAXED).expect("an optimum");
    close(plan.cost, 417.749_508_364_142_86, 3e-9);
}

#[test]
fn an_end_may_cost_instead_of_being_prescribed() {
    let cart = CartPole::<f64>::default();
    let plan = swing_near::<_, _, 4, 5>((&cart, &cart.cast::<Dual<f64, F64x8>>()), true, RELAXED).expect("an optimum");
    close(plan.cost, 56.734_962_494_144_08, 3e-10);
}

/// `cargo test --release -p ode-model-optimal -- --ignored`
#[test]
#[ignore = "takes a minute without optimisation"]
fn finer_meshes_and_other_guesses() {
    let (cart, both) = (CartPole::<f64>::default(), DoublePole::<f64>::default());
    let (dual, dual_both) = (cart.cast::<Dual<f64, F64x8>>(), both.cast::<Dual<f64, F64x8>>());
    let plan = swing_up::<_, _, 4, 5>((&cart, &dual), 200, RELAXED).expect("an optimum");
    close(plan.cost, 56.892_677_018_998_3, 3e-10);
    let plan = swing_up::<_, _, 6, 7>((&both, &dual_both), 100, RELAXED).expect("an optimum");
    close(plan.cost, 411.177_638_184_070_93, 3e-9);
    let plan = swing_near::<_, _, 6, 7>((&both, &dual_both), true, RELAXED).expect("an optimum");
    close(plan.cost, 322.321_341_264_117_1, 3e-10);
    // from rest: the same minimum, and another one
    let plan = swing_near::<_, _, 4, 5>((&cart, &dual), false, RELAXED).expect("an optimum");
    close(plan.cost, 56.734_962_494_144_08, 3e-10);
    let plan = swing_near::<_, _, 6, 7>((&both, &dual_both), false, 0.0).expect("an optimum");
    close(plan.cost, 393.477_263_058_175, 1e-10);
}

#[test]
fn a_quadrotor_flies_through_waypoints() {
    // numbers with eight derivatives need room
    let large = std::thread::Builder::new().stack_size(16 << 20);
    let run = large.spawn(|| {
        let quadrotor = Quadrotor::<f64>::default();
        let plan = waypoints(&quadrotor, &quadrotor.cast::<Dual<f64, F64x8>>(), RELAXED).expect("an optimum");
        close(plan.cost, 1.836_337_514_795_406, 3e-9);
    });
    run.expect("a thread").join().expect("no failure");
}
