//! The upright cart-pole, whose linear system is known exactly.

use ode_control::{Feedback, Linearizer, Lqr, StateSpace};
use ode_model::StepMap;
use ode_model::integrators::DormandPrince8;
use ode_model::linalg::{DMatrix, DVector};
use ode_model::prelude::*;

use crate::cart_poles::{A, B, HELD_A, HELD_B, upright, upright_points};

/// The largest difference from a matrix, row by row.
pub fn off<const R: usize, const C: usize>(found: &DMatrix<f64>, wanted: &[[f64; C]; R]) -> f64 {
    assert_eq!(found.shape(), (R, C));
    let mut most = 0.0_f64;
    for r in 0..R {
        for c in 0..C {
            most = most.max((found[(r, c)] - wanted[r][c]).abs());
        }
    }
    most
}

/// (x, th − π) and their rates of (xc, p.x) and theirs: p.x − xc = −l (th − π).
fn angles(l: f64) -> DMatrix<f64> {
    let block = [[1.0, 0.0], [1.0 / l, -1.0 / l]];
    DMatrix::from_fn(4, 4, |r, c| if r / 2 == c / 2 { block[r % 2][c % 2] } else { 0.0 })
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
    let to = angles(model.l);
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

/// The regulators of the reference, Q = diag(1, 10, 0.1, 0.1) of (x, th) and their rates, R = 0.01: of both sets of
/// coordinates, continuous and with a zero-order hold of 0.02 s.
#[test]
fn both_have_the_gains_of_the_reference() {
    let continuous = [-10.0, 72.3875371319888867, -11.6939502198218746, 14.7249886744716349];
    let sampled = [-8.37402674661960347, 63.3959783069611997, -9.88949892421307723, 12.9790112614287893];
    let q = DMatrix::from_diagonal(&DVector::from_column_slice(&[1.0, 10.0, 0.1, 0.1]));
    // (x, th) of the states; th − π = (xc − p.x)/l
    let check = |system: &StateSpace, to: &DMatrix<f64>, wanted: &[f64; 4]| {
        let (r, n) = (DMatrix::from_element(1, 1, 0.01), DMatrix::zeros(4, 1));
        let lqr = Lqr::of(system).matrices(to.transpose() * &q * to, r, n).expect("weights that fit");
        let regulator = lqr.solve().expect("a gain");
        let wanted = DMatrix::from_row_slice(1, 4, wanted) * to;
        let off = (&*regulator.gain - &wanted).amax() / wanted.amax();
        assert!(off < 1e-12, "{off:e}: {}{wanted}", regulator.gain);
    };
    let both = |system: &StateSpace, to: &DMatrix<f64>| {
        check(system, to, &continuous);
        check(&system.discretized(0.02).expect("steps"), to, &sampled);
    };
    let (model, x) = upright();
    both(&StateSpace::of(&model, &x, [0.0]).expect("a linear system"), &DMatrix::identity(4, 4));
    let (model, x) = upright_points();
    both(&StateSpace::of(&model, &x, [0.0]).expect("a linear system"), &angles(model.l));
}

/// A gain for the independent coordinates holds the pole up, in points too.
#[test]
fn a_gain_of_points_holds_the_pole_up() {
    let (model, top) = upright_points();
    let linear = Linearizer::of(&model).independent(["xc", "p.x"]).expect("names").at(&top, [0.0]).expect("a system");
    let lqr = Lqr::of(&linear.system).state("xc", 1.0).and_then(|lqr| lqr.state("p.x", 10.0));
    let lqr = lqr.and_then(|lqr| lqr.input("u", 0.01)).expect("names");
    let gain = lqr.solve().expect("a gain").gain;
    let feedback = Feedback::of(&model, &top, [0.0], &gain).expect("a feedback");
    let mut tilted = top.clone();
    let angle = 0.2_f64;
    tilted.q.set_p([model.l * angle.sin(), model.l * angle.cos()]);
    let run = Simulation::of(&model, DormandPrince8).input_fn(|at, u| {
        let mut now = top.clone();
        (now.q, now.v) = (*at.q, *at.v);
        feedback.apply(&now, u);
    });
    let mut run = run.given(tilted).project(Projection::to(1e-12)).fixed(0.01).expect("a start");
    run.advance_to(10.0).expect("steps");
    let end = run.state();
    assert!(end.q.xc().abs() < 1e-3 && end.q.p()[0].abs() < 1e-3 && end.q.p()[1] > 0.49, "{:?}", end.q);
}
