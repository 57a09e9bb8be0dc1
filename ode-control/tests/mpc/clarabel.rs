//! Plans of Clarabel are those of the controller itself.

use ode_control::{Clarabel, MpcError};
use ode_model::linalg::SVector;

use crate::cart::cart;
use crate::problems::{Numbers, random};

fn compare<const N: usize, const U: usize, const M: usize>(kind: (bool, bool)) {
    for seed in 0..20 {
        let (mut problem, start) = random::<N, U, M>(seed, 8, kind);
        let (mut own, mut other, mut clarabel) = (problem.controller(), problem.controller(), Clarabel::default());
        for round in 0..3 {
            own.solve(&start).expect("a plan");
            let plan = clarabel.solve(&mut other, &start).expect("a plan");
            assert!(!plan.exact && plan.iterations > 0);
            let apart = (own.cost() - other.cost()).abs() / (1.0 + own.cost().abs());
            assert!(apart < 1e-7, "seed {seed}, round {round}: {} {}", own.cost(), other.cost());
            assert!(problem.violation(&other, &start) < 1e-4, "seed {seed}");
            // with other numbers, of the same pattern
            let mut numbers = Numbers(seed + 7 * round);
            for (k, stage) in problem.stages.iter_mut().enumerate() {
                stage.state_reference = numbers.matrix();
                stage.input_weight *= 1.5;
                *own.stage_mut(k).expect("a stage") = *stage;
                *other.stage_mut(k).expect("a stage") = *stage;
            }
        }
        // what it has found is where the controller goes on
        clarabel.solve(&mut other, &start).expect("a plan");
        assert!(other.solve(&start).expect("a plan").exact);
    }
}

#[test]
fn plans_agree() {
    compare::<3, 2, 0>((false, false));
    compare::<3, 2, 2>((false, false));
    compare::<4, 3, 2>((true, true));
}

#[test]
fn patterns_may_change() {
    let (mut own, mut other, mut clarabel) = (cart(15), cart(15), Clarabel::default());
    let start = SVector::from([0.8, 0.0]);
    for step in 0..4 {
        for cart in [&mut own, &mut other] {
            match step {
                // a number that was zero, a bound that was not there, an equation
                0 => {}
                1 => cart.stage_mut(3).expect("a stage").a[(1, 0)] = 0.2,
                2 => cart.bound("place", -1.0, 0.82).expect("a row"),
                _ => cart.end_mut().rows.high[0] = -1.0,
            }
        }
        own.solve(&start).expect("a plan");
        clarabel.solve(&mut other, &start).expect("a plan");
        assert!((own.first() - other.first()).amax() < 1e-6, "{step}");
    }
}

#[test]
fn a_row_that_cannot_be_kept_is_named_too() {
    let mut cart = cart(20);
    cart.end_mut().rows.low[0] = 5.0;
    let plan = Clarabel::default().solve(&mut cart, &SVector::from([0.0, 0.0]));
    assert!(matches!(plan, Err(MpcError::Infeasible { row, stage: 20, .. }) if row.as_str() == "place"), "{plan:?}");
}
