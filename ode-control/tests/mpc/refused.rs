//! Problems without a plan, and those that mean nothing, are refused by name.

use ode_control::{Mpc, MpcError, MpcKnot, MpcRows, MpcStage, Slack, StateSpace};
use ode_model::linalg::{Labelled, SMatrix, SVector};

use crate::cart::{Cart, cart};

/// What is wrong with the cart after a change.
fn refused(change: impl FnOnce(&mut Cart)) -> MpcError {
    let mut cart = cart(20);
    change(&mut cart);
    cart.solve(&SVector::from([1.0, 0.0])).expect_err("no plan")
}

/// The same for one of its stages.
fn spoilt(change: impl FnOnce(&mut MpcStage<f64, 2, 1, 2>)) -> String {
    refused(|cart| change(cart.stage_mut(7).expect("a stage"))).to_string()
}

#[test]
fn a_horizon_has_stages() {
    let none: [MpcKnot<f64, 2, 1, 0>; 0] = [];
    assert_eq!(Mpc::new(["x", "v"], ["u"], [], none).expect_err("no stages"), MpcError::NoHorizon);
}

#[test]
fn numbers_that_are_not_finite_are_named() {
    for bad in [f64::NAN, f64::INFINITY] {
        for (text, of) in [
            (spoilt(|stage| stage.a[(1, 0)] = bad), "A of `der(x)`"),
            (spoilt(|stage| stage.b[(0, 0)] = bad), "B of `x`"),
            (spoilt(|stage| stage.c[1] = bad), "c of `der(x)`"),
            (spoilt(|stage| stage.state_weight[(0, 1)] = bad), "the weight of states of `x`"),
            (spoilt(|stage| stage.input_weight[(0, 0)] = bad), "the weight of inputs of `force`"),
            (spoilt(|stage| stage.state_reference[0] = bad), "the reference of `x`"),
            (spoilt(|stage| stage.input_reference[0] = bad), "the reference of `force`"),
            (spoilt(|stage| stage.input_low[0] = bad), "a bound of `force`"),
            (spoilt(|stage| stage.rows.low[1] = bad), "a bound of `power`"),
            (spoilt(|stage| stage.rows.high[0] = -bad), "a bound of `place`"),
            (spoilt(|stage| stage.rows.by_state[(1, 1)] = bad), "C of `power`"),
            (spoilt(|stage| stage.rows.by_input[(0, 0)] = bad), "D of `place`"),
            (spoilt(|stage| stage.rows.offset[1] = bad), "e of `power`"),
        ] {
            assert_eq!(text, format!("{of} in stage 7 is not finite"));
        }
        let end = refused(|cart| cart.end_mut().weight[(1, 1)] = bad);
        assert_eq!(end.to_string(), "the weight of states of `der(x)` in stage 20 is not finite");
        let start = cart(20).solve(&SVector::from([0.0, bad])).expect_err("no start");
        assert_eq!(start.to_string(), "the start of `der(x)` in stage 0 is not finite");
    }
}

#[test]
fn bounds_weights_and_names_are_checked() {
    assert_eq!(
        spoilt(|stage| (stage.input_low[0], stage.input_high[0]) = (1.0, -1.0)),
        "the lowest value of `force` in stage 7 is above the highest one"
    );
    assert_eq!(
        spoilt(|stage| (stage.rows.low[0], stage.rows.high[0]) = (1.0, 0.5)),
        "the lowest value of `place` in stage 7 is above the highest one"
    );
    assert_eq!(
        spoilt(|stage| stage.state_weight[(0, 1)] = 1.0),
        "the weight of states in stage 7 is not symmetric: entries of `der(x)` and `x` differ"
    );
    assert_eq!(
        refused(|cart| cart.stages_mut().for_each(|stage| stage.input_weight[(0, 0)] = -1e6)),
        MpcError::Indefinite { stage: 19 }
    );
    let mut cart = cart(20);
    assert!(cart.bound("forse", 0.0, 1.0).expect_err("a name").to_string().contains("did you mean `force`?"));
    assert!(cart.multiplier("plce", 0).expect_err("a name").to_string().contains("did you mean `place`?"));
    assert!(cart.soften("force", None).expect_err("a row").to_string().contains("row"));
    for (linear, quadratic) in [(0.0, 0.0), (-1.0, 2.0), (1.0, f64::NAN), (f64::INFINITY, 0.0)] {
        let error = cart.soften("place", Some(Slack { linear, quadratic })).expect_err("no slack");
        assert!(matches!(error, MpcError::Slack { row } if row.as_str() == "place"), "{error}");
    }
}

#[test]
fn a_start_that_contradicts_a_row_is_named() {
    let mut cart = cart(20);
    cart.bound("place", -0.5, 0.5).expect("a row");
    let error = cart.solve(&SVector::from([1.0, 0.0])).expect_err("outside");
    assert!(matches!(error, MpcError::Start { row } if row.as_str() == "place"), "{error}");
    // a soft one may be left
    cart.soften("place", Some(Slack { linear: 10.0, quadratic: 0.0 })).expect("a row");
    assert!(cart.solve(&SVector::from([1.0, 0.0])).expect("a plan").exact);
}

#[test]
fn a_row_that_cannot_be_kept_is_named() {
    // from rest with at most 2 N on 1 kg: 4 m in 2 s
    let mut cart = cart(20);
    let reach = |cart: &mut Cart, place: f64| {
        cart.end_mut().rows.low[0] = place;
        cart.solve(&SVector::from([0.0, 0.0])).map_err(Box::new)
    };
    for place in [4.001, 4.1, 1e3, 1e9] {
        let error = reach(&mut cart, place).expect_err("too far");
        let MpcError::Infeasible { row, stage: 20, by } = *error else { panic!("{error}") };
        assert!(row.as_str() == "place" && by > 0.5 * (place - 4.0) && by < 1.1 * (place - 4.0), "{error}");
        // what was tried can be read: it goes as far as it can
        assert!((cart.state(20).expect("an end")[0] - 4.0).abs() < 1e-3);
    }
    // afterwards, what can be kept is
    for place in [3.999, 3.0, 0.0] {
        assert!(reach(&mut cart, place).expect("a plan").exact);
        assert!(cart.state(20).expect("an end")[0] > place - 1e-9);
    }
}

#[test]
fn rows_that_contradict_each_other_are_named() {
    let mut cart = cart(20);
    let rows = MpcRows {
        by_state: SMatrix::from([[1.0, 1.0], [0.0, 0.0]]),
        low: SVector::from([0.6, f64::NEG_INFINITY]),
        high: SVector::from([f64::INFINITY, 0.5]),
        ..MpcRows::none()
    };
    cart.stage_mut(10).expect("a stage").rows = rows;
    let error = cart.solve(&SVector::from([0.5, 0.0])).expect_err("a contradiction");
    assert!(matches!(error, MpcError::Infeasible { stage: 10, .. }), "{error}");
}

#[test]
fn iterations_are_bounded() {
    let mut cart = cart(20).iterations(0);
    cart.bound("place", -0.4, 0.4).expect("a row");
    cart.bound("power", -0.4, 0.4).expect("a row");
    let hard = SVector::from([0.39, 1.1]);
    let plan = cart.solve(&hard);
    assert!(matches!(plan, Err(MpcError::Unconverged { iterations: 0, .. } | MpcError::Infeasible { .. })), "{plan:?}");
}

#[test]
fn worst_numbers_do_not_panic() {
    let numbers = [0.0, 1e-300, 1.0, 1e160, -1e300];
    for (i, first) in numbers.into_iter().enumerate() {
        for second in numbers {
            for place in 0..6 {
                let mut cart = crate::cart::cart(5);
                for stage in cart.stages_mut() {
                    match (place + i) % 6 {
                        0 => stage.a *= first,
                        1 => stage.b *= first,
                        2 => stage.state_weight *= first,
                        3 => stage.input_weight *= first,
                        4 => stage.rows.by_state *= first,
                        _ => stage.rows.by_input *= first,
                    }
                    match place {
                        0 => stage.state_reference[0] = second,
                        1 => stage.input_reference[0] = second,
                        2 => stage.c[1] = second,
                        3 => stage.rows.high[0] = second,
                        4 => stage.rows.low[1] = second,
                        _ => stage.input_high[0] = second,
                    }
                }
                if cart.solve(&SVector::from([second, first])).is_ok() {
                    assert!(cart.first().iter().all(|u| u.is_finite()), "{first} {second} {place}");
                }
                // and leave nothing behind
                let mut sound = crate::cart::cart(5);
                for (to, from) in cart.stages_mut().zip(sound.stages_mut()) {
                    *to = *from;
                }
                let x = SVector::from([0.1, 0.2]);
                assert!(cart.solve(&x).expect("a plan").exact && sound.solve(&x).expect("a plan").exact);
                assert!((cart.first() - sound.first()).amax() < 1e-12, "{first} {second} {place}");
            }
        }
    }
}

#[test]
fn systems_that_do_not_fit_are_refused() {
    let system = |step| {
        let a = Labelled::new(["x", "v"], ["x", "v"], |r, c| [[1.0, 0.1], [0.0, 1.0]][r][c]);
        StateSpace::of_states(a, Labelled::new(["x", "v"], ["u"], |r, _| [0.0, 0.1][r]), step).expect("a system")
    };
    let sized = Mpc::<f64, 3, 1, 0, _>::of(&system(Some(0.1)), [], [MpcKnot::none(); 5]);
    assert!(matches!(sized, Err(MpcError::Model { stage: None, .. })), "{sized:?}");
    let continuous = Mpc::<f64, 2, 1, 0, _>::of(&system(None), [], [MpcKnot::none(); 5]);
    assert!(matches!(continuous, Err(MpcError::Continuous)), "{continuous:?}");
}
