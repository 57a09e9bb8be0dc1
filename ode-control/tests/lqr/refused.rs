//! What has no gain, and what is said then.

use ode_control::{GainError, Kalman, Lqr, StateSpace};
use ode_model::linalg::{DMatrix, Labelled};

use crate::systems::system;

/// A stable and an unstable mode of their own, the input pushing the first only.
fn apart() -> (DMatrix<f64>, DMatrix<f64>) {
    (DMatrix::from_row_slice(2, 2, &[-1.0, 0.0, 0.0, 0.5]), DMatrix::from_row_slice(2, 1, &[1.0, 0.0]))
}

#[test]
fn an_unstable_mode_that_nothing_moves_is_named() {
    let (a, b) = apart();
    let lqr = Lqr::of(&system(&a, &b, None)).state("x0", 1.0).and_then(|lqr| lqr.input("u0", 1.0)).expect("names");
    let error = lqr.solve().expect_err("uncontrollable");
    assert!(matches!(error, GainError::Uncontrollable { pole, .. } if (pole.re - 0.5).abs() < 1e-12), "{error:?}");
    assert_eq!(error.to_string(), "no input moves the mode of `x1` with the pole 0.500000, which is not stable");
    // as steps that mode is stable, and the other one, at the border, costs nothing
    let lqr = Lqr::of(&system(&a, &b, Some(1.0))).input("u0", 1.0).expect("a name");
    assert_eq!(lqr.solve(), Err(GainError::NoStabilizing));
}

#[test]
fn an_unstable_mode_that_nothing_shows_is_named() {
    let (a, b) = apart();
    let mut seen = system(&a, &b, None);
    seen.c = Labelled::new(["y"], ["x0", "x1"], |_, c| if c == 0 { 1.0 } else { 0.0 });
    seen.d = Labelled::new(["y"], ["u0"], |_, _| 0.0);
    let kalman = Kalman::of(&seen).state("x0", 1.0).and_then(|k| k.output("y", 1.0)).expect("names");
    let error = kalman.solve().expect_err("unobservable");
    assert_eq!(error.to_string(), "no output shows the mode of `x1` with the pole 0.500000, which is not stable");
}

#[test]
fn a_mode_at_the_border_without_weight_has_no_stabilising_solution() {
    // an oscillator that costs nothing
    let a = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -1.0, 0.0]);
    let b = DMatrix::from_row_slice(2, 1, &[0.0, 1.0]);
    let free = Lqr::of(&system(&a, &b, None)).input("u0", 1.0).expect("a name");
    assert_eq!(free.solve().expect_err("no weight"), GainError::NoStabilizing);
    assert!(free.state("x0", 1.0).expect("a name").solve().is_ok());
}

#[test]
fn weights_must_make_sense() {
    let (a, b) = apart();
    let fresh = || Lqr::of(&system(&a, &b, None));
    let error = fresh().state("der(x0)", 1.0).expect_err("no such state");
    assert_eq!(error.to_string(), "there is no state `der(x0)`; there are `x0`, `x1`");
    let error = fresh().state("x1", -1.0).and_then(|lqr| lqr.input("u0", 1.0)).expect("names").solve();
    assert!(error.expect_err("negative").to_string().contains("`x1`"));
    let error = fresh().state("x1", 1.0).expect("a name").solve().expect_err("no weight of the input");
    assert!(matches!(error, GainError::Free { name } if name.as_str() == "u0"), "{error:?}");
    let error = fresh().state("x1", f64::NAN).and_then(|lqr| lqr.input("u0", 1.0)).expect("names").solve();
    let error = error.expect_err("NaN").to_string();
    assert_eq!(error, "the entry of Q in row `x1` and column `x1` is not finite");
    let wrong = fresh().matrices(DMatrix::identity(3, 3), DMatrix::identity(1, 1), DMatrix::zeros(2, 1));
    assert_eq!(wrong.expect_err("too large").to_string(), "Q is 3 × 3, where this system needs 2 × 2");
    // a product that costs less than nothing
    let n = DMatrix::from_row_slice(2, 1, &[2.0, 0.0]);
    let lqr = fresh().matrices(DMatrix::identity(2, 2), DMatrix::identity(1, 1), n).expect("they fit");
    assert!(matches!(lqr.solve(), Err(GainError::Negative { .. })));
    let n = DMatrix::from_row_slice(2, 1, &[0.0, f64::NAN]);
    let lqr = fresh().matrices(DMatrix::identity(2, 2), DMatrix::identity(1, 1), n).expect("they fit");
    let error = lqr.solve().expect_err("NaN").to_string();
    assert_eq!(error, "the entry of N in row `x1` and column `u0` is not finite");
    // a weight beside one of another kind, whose product is too large for both by more than all numbers
    for (great, small, product) in [(1e10, 1e-300, 1e200), (1e10, 0.0, 1e-200), (f64::MAX, f64::MAX, -f64::MAX)] {
        let q = DMatrix::from_row_slice(2, 2, &[great, product, product, small]);
        let lqr = fresh().matrices(q, DMatrix::identity(1, 1), DMatrix::zeros(2, 1)).expect("they fit");
        let refused = matches!(lqr.solve(), Err(GainError::Negative { .. }));
        assert_eq!(refused, product.abs() < f64::MAX, "{great:e} {small:e} {product:e}");
    }
}

/// The fields of a system can be changed; each tool asks again whether they fit.
#[test]
fn systems_that_do_not_fit_are_refused() {
    let (a, b) = apart();
    let fresh = || system(&a, &b, Some(0.1));
    let named = |rows: usize, columns: usize, value: f64| {
        let names = |n: usize| (0..n).map(|i| format!("y{i}")).collect::<Vec<_>>();
        Labelled::new(names(rows), names(columns), |_, _| value)
    };
    let mut bent = [fresh(), fresh(), fresh(), fresh(), fresh(), fresh(), fresh()];
    bent[0].a = named(3, 3, 1.0);
    bent[1].b = named(1, 1, 1.0);
    bent[2].c = named(1, 1, 1.0);
    bent[3].d = named(3, 2, 1.0);
    bent[4].step = Some(-1.0);
    bent[5].step = Some(f64::NAN);
    bent[6].a = Labelled::new(["x0", "x1"], ["x0", "x1"], |_, _| f64::NAN);
    for of in bent {
        let refused = |error: Option<GainError>| assert!(matches!(error, Some(GainError::System(_))), "{error:?}");
        let weighted = Lqr::of(&of).input(&of.inputs()[0], 1.0).expect("a name");
        refused(weighted.clone().output(&of.outputs()[0], 1.0).err());
        refused(weighted.clone().integral(&of.outputs()[0], 1.0).err());
        refused(weighted.solve().err());
        refused(weighted.along(&[fresh()], DMatrix::zeros(of.a.nrows(), of.a.nrows())).err());
        let noisy = Kalman::of(&of);
        refused(noisy.clone().input(&of.inputs()[0], 1.0).err());
        refused(noisy.solve().err());
        let sound = Lqr::of(&fresh()).input("u0", 1.0).expect("a name");
        let found = sound.along(&[fresh(), of.clone()], DMatrix::zeros(2, 2)).err();
        refused(found);
        assert!(of.with_integral(&of.outputs()[0]).is_err());
    }
    assert!(StateSpace::of_states(named(1, 1, 1.0), named(1, 1, 1.0), Some(0.0)).is_err());
    assert!(StateSpace::of_states(named(1, 1, f64::NAN), named(1, 1, 1.0), None).is_err());
}

#[test]
fn horizons_are_of_steps_of_one_system() {
    let (a, b) = apart();
    let of = system(&a, &b, Some(0.1));
    let lqr = Lqr::of(&of).input("u0", 1.0).expect("a name");
    let along = |steps: &[StateSpace], terminal: [f64; 4]| {
        lqr.along(steps, DMatrix::from_row_slice(2, 2, &terminal)).map(|_| ()).map_err(|error| error.to_string())
    };
    let one = [1.0, 0.0, 0.0, 1.0];
    assert_eq!(along(&[of.clone(), of.clone()], one), Ok(()));
    let (mut renamed, mut slower) = (of.clone(), of.clone());
    renamed.a = Labelled::new(["x1", "x0"], ["x1", "x0"], |r, c| of.a[(r, c)]);
    let error = along(&[of.clone(), renamed], one).expect_err("other states");
    assert_eq!(error, "step 1 has other states than the system that the weights are of");
    slower.step = Some(0.2);
    let error = along(&[slower], one).expect_err("another step");
    assert_eq!(error, "the first system has steps of 0.1 s and the second has steps of 0.2 s");
    let error = along(&[], [1.0, 0.0, 0.0, f64::NAN]).expect_err("NaN");
    assert_eq!(error, "the entry of the terminal weight in row `x1` and column `x1` is not finite");
    let error = along(&[], [1.0, 0.0, 0.0, -1.0]).expect_err("less than nothing");
    assert!(error.starts_with("the terminal weight is not positive semidefinite: `x1`"), "{error}");
    let wild = system(&(&a * 1e200), &b, Some(0.1));
    assert_eq!(along(&[of.clone(), wild], one).expect_err("10^400"), "the cost that is left at step 1 is not finite");
    let endless = Lqr::of(&system(&a, &b, None)).input("u0", 1.0).expect("a name");
    assert_eq!(endless.along(&[], DMatrix::zeros(2, 2)), Err(GainError::Continuous));
}

/// Where nothing can be decided there is nothing to decide, and what is not stable is named.
#[test]
fn systems_without_inputs_or_states() {
    let none = DMatrix::zeros(2, 0);
    let stable = DMatrix::from_row_slice(2, 2, &[-1.0, 0.0, 0.0, -0.5]);
    let found = Lqr::of(&system(&stable, &none, None)).state("x0", 1.0).expect("a name").solve().expect("a cost");
    assert_eq!(found.gain.shape(), (0, 2));
    // ∫ e^(−2 t) dt
    assert!((found.cost[(0, 0)] - 0.5).abs() < 1e-14);
    let (unstable, _) = apart();
    let refused = Lqr::of(&system(&unstable, &none, None)).solve();
    assert!(matches!(refused, Err(GainError::Uncontrollable { .. })), "{refused:?}");
    for step in [None, Some(0.1)] {
        let empty = system(&DMatrix::zeros(0, 0), &DMatrix::zeros(0, 1), step);
        let found = Lqr::of(&empty).input("u0", 1.0).expect("a name").solve().expect("nothing");
        assert_eq!(found.gain.shape(), (1, 0));
        assert!(Kalman::of(&empty).solve().is_ok());
    }
}

/// Neither in f64 nor in its subnormal numbers: three states and more, whose modes nothing moves or shows.
#[test]
fn inputs_and_outputs_without_effect_are_refused() {
    let a = [[0.0, 1.0, 0.0], [21.0, 0.0, 1.0], [0.0, 3.0, -1.0]];
    let a = DMatrix::from_fn(3, 3, |r, c| a[r][c]);
    for least in [0.0, 1e-200, 1e-310] {
        let mut of = system(&a, &DMatrix::from_element(3, 1, 0.0), None);
        let lqr = Lqr::of(&of).state("x0", 1.0).and_then(|lqr| lqr.input("u0", 1.0)).expect("names");
        assert!(matches!(lqr.solve(), Err(GainError::Uncontrollable { .. })));
        of.c = Labelled::new(["y"], ["x0", "x1", "x2"], |_, _| 0.0);
        of.d = Labelled::new(["y"], ["u0"], |_, _| 0.0);
        let kalman = Kalman::of(&of).state("x0", 1.0).and_then(|k| k.output("y", 1.0)).expect("names");
        assert!(matches!(kalman.solve(), Err(GainError::Unobservable { .. })));
        // hardly any effect: an answer, whichever
        let hardly = system(&a, &DMatrix::from_element(3, 1, least), None);
        let lqr = Lqr::of(&hardly).state("x0", 1.0).and_then(|lqr| lqr.input("u0", 1.0)).expect("names");
        assert!(lqr.solve().is_err(), "{least}");
    }
}

#[test]
fn an_integrator_without_weight_has_no_stabilising_solution() {
    let solved = |a: &DMatrix<f64>, weights: &[(&str, f64)], step| {
        let b = DMatrix::from_fn(a.nrows(), 1, |r, _| if r + 1 == a.nrows() { 1.0 } else { 0.0 });
        let mut lqr = Lqr::of(&system(a, &b, step)).input("u0", 1.0).expect("a name");
        for &(name, weight) in weights {
            lqr = lqr.state(name, weight).expect("a name");
        }
        lqr.solve()
    };
    let mass = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0]);
    let moved = DMatrix::from_row_slice(2, 2, &[1.0, 0.1, 0.0, 1.0]);
    for (a, step) in [(&mass, None), (&moved, Some(0.1))] {
        for weights in [&[][..], &[("x1", 1.0)]] {
            assert_eq!(solved(a, weights, step), Err(GainError::NoStabilizing), "{weights:?} {step:?}");
        }
        // any weight of the place decides
        let found = solved(a, &[("x1", 1.0), ("x0", 1e-14)], step).expect("a gain");
        assert!(found.gain[(0, 0)] > 0.5e-7 && found.residual < 1e-9, "{found:?}");
    }
    assert_eq!(solved(&DMatrix::zeros(1, 1), &[], None), Err(GainError::NoStabilizing));
}
