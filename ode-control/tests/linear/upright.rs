//! The upright cart-pole, whose linear system is known exactly.

use ode_control::{Linearizer, StateSpace};
use ode_model::StepMap;
use ode_model::integrators::DormandPrince8;

use crate::cart_poles::{A, B, HELD_A, HELD_B, upright, upright_points};

/// The largest difference from a matrix, row by row.
pub fn off<const R: usize, const C: usize>(found: &ode_model::linalg::DMatrix<f64>, wanted: &[[f64; C]; R]) -> f64 {
    assert_eq!(found.shape(), (R, C));
    let mut most = 0.0_f64;
    for r in 0..R {
        for c in 0..C {
            most = most.max((found[(r, c)] - wanted[r][c]).abs());
        }
    }
    most
}

#[test]
fn minimal_coordinates_give_it() {
    let (model, x) = upright();
    let system = StateSpace::of(&model, &x, [0.0]).expect("a linear system");
    assert_eq!(system.states(), ["x", "th", "der(x)", "der(th)"]);
    assert_eq!(
        (system.inputs(), system.outputs()),
        (&["u".to_owned()][..], &["angle".to_owned(), "push".to_owned()][..])
    );
    assert!(off(&system.a, &A) < 1e-12 && off(&system.b, &B.map(|b| [b])) < 1e-12);
    // the angle, and ẍ + u/2
    assert!(off(&system.c, &[[0.0, 1.0, 0.0, 0.0], A[2]]) < 1e-12 && off(&system.d, &[[0.0], [1.5]]) < 1e-12);
}

/// (x, s) = diag(1, −l) (x, th): the tip moves by −l δth beside the cart.
#[test]
fn points_on_a_rod_give_it_too() {
    let (model, x) = upright_points();
    let linear = Linearizer::of(&model).at(&x, [0.0]).expect("a linear system");
    let system = &linear.system;
    assert_eq!(system.states(), ["xc", "p.x", "der(xc)", "der(p.x)"]);
    // p.x − xc = −l th
    let l = model.l;
    let to = |r: usize, c: usize| -> f64 {
        let block = [[1.0, 0.0], [1.0 / l, -1.0 / l]];
        if r / 2 == c / 2 { block[r % 2][c % 2] } else { 0.0 }
    };
    let to = ode_model::linalg::DMatrix::from_fn(4, 4, to);
    let back = to.clone().try_inverse().expect("an inverse");
    assert!(off(&(&to * &*system.a * &back), &A) < 1e-12, "{}", system.a);
    assert!(off(&(&to * &*system.b), &B.map(|b| [b])) < 1e-12);
    // at the top the tip moves along, and the pull varies neither with the motion nor, at rest, with speeds
    assert!(system.c.amax() < 1e-12, "{}", system.c);
    assert_eq!(linear.shape.shape(), (6, 4));
    assert_eq!(linear.places, [0, 1, 3, 4]);

    let other = Linearizer::of(&model).independent(["p.x"]).expect("a name").at(&x, [0.0]).expect("a linear system");
    assert_eq!(other, linear);
}

#[test]
fn a_step_of_high_order_is_its_zero_order_hold() {
    let (model, x) = upright();
    let mut map = StepMap::of(&model, DormandPrince8, &[]).expect("a map");
    let linear = Linearizer::of(&model).step(&mut map, &x, [0.0], 0.02).expect("a step").system;
    assert_eq!(linear.step, Some(0.02));
    assert!(off(&linear.a, &HELD_A) < 1e-13 && off(&linear.b, &HELD_B.map(|b| [b])) < 1e-13);

    let (model, x) = upright_points();
    let mut map = StepMap::of(&model, DormandPrince8, &[]).expect("a map");
    let linear = Linearizer::of(&model).step(&mut map, &x, [0.0], 0.02).expect("a step").system;
    let a = |row: &str, column: &str| linear.a.at(row, column).expect("an entry");
    // the cart's row in (x, th): δth = (δxc − δp.x)/l
    assert!((a("xc", "p.x") + HELD_A[0][1] / model.l).abs() < 1e-12);
    assert!((a("xc", "xc") - 1.0 - HELD_A[0][1] / model.l).abs() < 1e-12);
    assert!((linear.b.at("der(xc)", "u").expect("an entry") - HELD_B[2]).abs() < 1e-12);
}
