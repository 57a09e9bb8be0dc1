//! Plans one after another.

use ode_control::{Mpc, MpcKnot, MpcRows, Slack};
use ode_model::linalg::nalgebra::{RealField, convert};
use ode_model::linalg::{SMatrix, SVector};

use crate::cart::cart;
use crate::problems::{Numbers, random};

/// What was planned before decides how a plan is found, and nothing else.
#[test]
fn a_plan_does_not_depend_on_the_last_one() {
    for seed in 0..5 {
        let (mut problem, start) = random::<3, 2, 2>(seed, 10, (true, true));
        let mut numbers = Numbers(seed);
        let mut mpc = problem.controller();
        mpc.solve(&start).expect("a plan");
        for _ in 0..6 {
            // other bounds each time, and another cost
            for (k, stage) in problem.stages.iter_mut().enumerate() {
                stage.state_reference = numbers.matrix();
                let wider = numbers.next().abs() * 0.1;
                stage.input_high.add_scalar_mut(wider);
                stage.rows.low.add_scalar_mut(-wider);
                *mpc.stage_mut(k).expect("a stage") = *stage;
            }
            mpc.solve(&start).expect("a plan");
            let mut fresh = problem.controller();
            fresh.solve(&start).expect("a plan");
            assert!(problem.violation(&mpc, &start) < 1e-10, "seed {seed}");
            assert!((mpc.first() - fresh.first()).amax() < 1e-9, "seed {seed}");
            assert!((mpc.cost() - fresh.cost()).abs() < 1e-9 * (1.0 + fresh.cost().abs()), "seed {seed}");
        }
    }
}

/// A multiplier is what the bound costs.
#[test]
fn multipliers_are_slopes_of_the_cost() {
    let cost = |force: f64, place: f64| {
        let mut cart = cart(20);
        cart.bound("force", -force, 2.0).expect("an input");
        cart.bound("place", place, 10.0).expect("a row");
        cart.reference(&SVector::from([-1.0, 0.0]), &SVector::zeros());
        cart.solve(&SVector::from([0.5, 0.0])).expect("a plan");
        (cart.cost(), cart)
    };
    let (_, cart) = cost(2.0, -0.01);
    let sum = |name: &str| (0..=20).map(|k| cart.multiplier(name, k).expect("a name")).sum::<f64>();
    let step = 1e-5;
    let by_force = (cost(2.0 - step, -0.01).0 - cost(2.0 + step, -0.01).0) / (2.0 * step);
    let by_place = (cost(2.0, -0.01 + step).0 - cost(2.0, -0.01 - step).0) / (2.0 * step);
    assert!(by_force > 0.1 && by_place > 1e-3, "{by_force} {by_place}");
    // of lowest values, so they are negative
    assert!((by_force + sum("force")).abs() < 1e-6 * by_force, "{by_force} {}", sum("force"));
    assert!((by_place + sum("place")).abs() < 1e-5 * by_place, "{by_place} {}", sum("place"));
}

/// A price above the multiplier keeps what can be kept, and leaves what cannot.
#[test]
fn soft_rows_are_kept_where_they_can_be() {
    let mut hard = cart(30);
    let mut soft = cart(30);
    for cart in [&mut hard, &mut soft] {
        cart.bound("power", -0.7, 0.7).expect("a row");
    }
    soft.soften("power", Some(Slack { linear: 1e3, quadratic: 0.0 })).expect("a row");
    let mut x = SVector::from([2.0, 0.0]);
    for _ in 0..40 {
        hard.solve(&x).expect("a plan");
        soft.solve(&x).expect("a plan");
        assert!((hard.first() - soft.first()).amax() < 1e-9);
        x = hard.state(1).expect("a state");
    }
    // too fast for the row at the start, which says so if it is hard
    let fast = SVector::from([2.0, -4.0]);
    assert!(hard.solve(&fast).is_err() && soft.solve(&fast).expect("a plan").exact);
}

/// In single precision, as a device may have it.
#[test]
fn single_precision_plans_too() {
    fn way<E: RealField + Copy>() -> Vec<SVector<E, 2>> {
        let number = convert::<f64, E>;
        let (a, b) = (
            SMatrix::<f64, 2, 2>::new(1.0, 0.1, 0.0, 1.0).map(number),
            SMatrix::<f64, 2, 1>::new(0.005, 0.1).map(number),
        );
        let mut mpc = Mpc::new(["x", "der(x)"], ["force"], ["speed"], [MpcKnot::none(); 20]).expect("stages");
        mpc.model(&a, &b);
        mpc.weights(&SMatrix::identity(), &SMatrix::from([[number(0.01)]]), &SMatrix::identity());
        mpc.rows(&MpcRows { by_state: SMatrix::<f64, 1, 2>::new(0.0, 1.0).map(number), ..MpcRows::none() });
        mpc.bound("force", number(-2.0), number(2.0)).expect("an input");
        mpc.bound("speed", number(-1.0), number(1.0)).expect("a row");
        let step = |x: &SVector<E, 2>| {
            mpc.solve(x).expect("a plan");
            Some(a * x + b * mpc.first())
        };
        std::iter::successors(Some(SVector::<f64, 2>::new(3.0, 0.0).map(number)), step).take(100).collect()
    }
    let (single, double) = (way::<f32>(), way::<f64>());
    for (single, double) in single.into_iter().zip(&double) {
        assert!((single.cast::<f64>() - double).amax() < 1e-5, "{single} {double}");
    }
    assert!((double.iter().map(|x| x[1].abs()).fold(0.0, f64::max) - 1.0).abs() < 1e-12);
}
