//! Equations that lose digits: a gain is right, or there is none.

use ode_control::{GainError, Lqr};
use ode_model::linalg::DMatrix;

use crate::systems::{Numbers, apart, system};

/// An input that costs next to nothing, in units of every kind. The gain: mpmath at 60 digits.
#[test]
fn a_gain_of_any_units_is_right_or_refused() {
    let a = [-0.358675181723934, -0.4377355204094736, -0.06461046720525232, 0.3114663657979923];
    let a = DMatrix::from_row_slice(2, 2, &a);
    let b = DMatrix::from_row_slice(2, 1, &[101.69393497773314, -120.9614421335062]);
    let q = [35.97017417494064, 120.16134324556808, 120.16134324556808, 447.1895863702266];
    let (q, r) = (DMatrix::from_row_slice(2, 2, &q), DMatrix::from_element(1, 1, 1.6672132955703547e-5));
    let wanted = DMatrix::from_row_slice(1, 2, &[-1355.329548052511, -5167.961003149876]);
    let mut numbers = Numbers(5);
    let mut solved = 0;
    for round in 0..100 {
        let mut unit = || if round == 0 { 1.0 } else { 10.0_f64.powf(4.0 * numbers.next()) };
        let to = DMatrix::from_diagonal(&ode_model::linalg::DVector::from_vec(vec![unit(), unit()]));
        let back = to.map(|x| if x == 0.0 { 0.0 } else { 1.0 / x });
        let lqr = Lqr::of(&system(&(&to * &a * &back), &(&to * &b), None));
        let lqr = lqr.matrices(&back * &q * &back, r.clone(), DMatrix::zeros(2, 1)).expect("matrices that fit");
        match lqr.solve() {
            Ok(found) => {
                solved += 1;
                let off = apart(&(&*found.gain * &to), &wanted);
                assert!(off < 1e-5, "{round}: {off:e}, {:e}", found.residual);
            }
            Err(error) => assert!(matches!(error, GainError::Unconverged { .. }), "{error}"),
        }
    }
    assert!(solved > 90, "{solved}");
}
