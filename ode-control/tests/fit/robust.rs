//! Outliers and bounds, against SciPy.
//!
//! SciPy 1.17.1, `least_squares` with `xtol = ftol = gtol = 1e-15` and `f_scale` for the knee, on Misra1a with σ = 0.1
//! and b₂ in 10⁻⁴; the values at 190.8 and 434.8 are 6 too large and 4 too small. With the bound b₁ ≤ 230, without
//! outliers.

use ode_control::{Doubt, Fit, Fitted, Loss};

use crate::regressions::{MISRA, Misra, log};

fn fit(data: &[(f64, f64)], loss: Loss, bound: Option<f64>) -> Fitted<Misra> {
    let (model, log) = (Misra { b1: 220.0, b2: 6e-4 }, log(data));
    let fit = Fit::of(&model).log(&log).measured("y", 0.1).loss(loss).parameter("b1").parameter("b2");
    let fit = if let Some(bound) = bound { fit.between("b1", 100.0, bound) } else { fit };
    fit.solve().expect("a fit")
}

#[test]
fn losses_are_those_of_scipy() {
    let mut data = MISRA;
    data[3].1 += 6.0;
    data[9].1 -= 4.0;
    for (loss, b1, b2, cost) in [
        (Loss::Squares, 210.2022037032877, 6.383182386755114, 2648.7545106069147),
        (Loss::Huber(1.5), 238.75914999993577, 5.506446391244808, 156.16343687367194),
        (Loss::SoftL1(0.8), 237.7975609503614, 5.532663856632169, 84.3238305135914),
        (Loss::Cauchy(2.0), 239.2538475077337, 5.494607449958651, 29.91365447774411),
    ] {
        let fitted = fit(&data, loss, None);
        let found = [fitted.model.b1, fitted.model.b2];
        assert!(fitted.ending.converged(), "{fitted}");
        assert!((found[0] / b1 - 1.0).abs() < 1e-6 && (1e4 * found[1] / b2 - 1.0).abs() < 1e-6, "{loss:?}: {fitted}");
        assert!((fitted.cost / cost - 1.0).abs() < 1e-10, "{loss:?}: {fitted}");
    }
}

#[test]
fn a_bound_holds_and_is_told() {
    let fitted = fit(&MISRA, Loss::Squares, Some(230.0));
    assert!(fitted.ending.converged(), "{fitted}");
    assert_eq!(fitted.model.b1, 230.0);
    assert!((1e4 * fitted.model.b2 / 5.75225772 - 1.0).abs() < 1e-8, "{fitted}");
    assert!((fitted.cost / 12.381098495316287 - 1.0).abs() < 1e-10, "{fitted}");
    assert_eq!(fitted.doubts, [Doubt::AtBound { name: "b1".to_owned(), bound: 230.0 }]);
    assert_eq!(fitted.doubts[0].to_string(), "`b1` is at its bound 230, and has no symmetric interval");
    assert_eq!((fitted.deviation("b1"), fitted.interval("b1", 0.95)), (Ok(None), Ok(None)));
    // of the other one, with b₁ where it is: 1/|∂r/∂b₂|, from the Jacobian that SciPy printed
    let column = [
        17.06882905,
        24.7368188,
        29.92303342,
        39.32249361,
        48.06477292,
        56.28963808,
        63.20798271,
        70.00806397,
        77.87476967,
        83.42216095,
        90.66473036,
        96.98153924,
        106.62546306,
        112.89643301_f64,
    ];
    let deviation = 1e-4 / column.iter().map(|x| x * x).sum::<f64>().sqrt();
    let found = fitted.deviation("b2").expect("a name").expect("a deviation");
    assert!((found / deviation - 1.0).abs() < 1e-8, "{found} {deviation}");
    assert!(fitted.correlation()[(0, 1)].is_nan() && fitted.correlation()[(1, 1)] == 1.0);
    // b₁ is not estimated: 13 degrees are left of 14 measurements
    assert_eq!(fitted.freedom, 13);
    let (model, log) = (Misra { b1: 220.0, b2: 6e-4 }, log(&MISRA));
    let fit = Fit::of(&model).log(&log).measured("y", 0.1).parameter("b1").parameter("b2");
    let scattered = fit.between("b1", 100.0, 230.0).noise_from_residuals().solve().expect("a fit");
    let found = scattered.deviation("b2").expect("a name").expect("a deviation");
    let deviation = deviation * (2.0 * 12.381098495316287 / 13.0_f64).sqrt();
    assert!((found / deviation - 1.0).abs() < 1e-8, "{found} {deviation}");
}

#[test]
fn a_bound_on_the_way_is_left_again() {
    let (model, log) = (Misra { b1: 300.0, b2: 3e-4 }, log(&MISRA));
    let fit = Fit::of(&model).log(&log).measured("y", 0.1).parameter("b1").parameter("b2");
    let fitted = fit.between("b1", 100.0, 300.0).between("b2", 3e-4, 1.0).solve().expect("a fit");
    assert!(fitted.doubts.is_empty() && (fitted.model.b1 / 2.3894212918e+02 - 1.0).abs() < 1e-8, "{fitted}");
}
