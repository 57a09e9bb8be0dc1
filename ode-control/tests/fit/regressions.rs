//! Regressions of functions of time.
//!
//! Data and certified values: NIST, Statistical Reference Datasets, Nonlinear Regression,
//! <https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml>: Misra1a (lower difficulty), Thurber (higher difficulty).

use ode_control::{Fit, Fitted, Log};
use ode_model::{Solvable, model};

model! {
    /// y = b₁ (1 − exp(−b₂ t))
    pub struct Misra {
        param b1: Real;
        param b2: Real;
        // a model needs something that changes
        state idle: Real;
        der(idle) = 0.0;
        output y = b1 * (1.0 - exp(-b2 * t));
    }
}

model! {
    /// y = (b₁ + b₂ t + b₃ t² + b₄ t³)/(1 + b₅ t + b₆ t² + b₇ t³)
    pub struct Thurber {
        param b1: Real;
        param b2: Real;
        param b3: Real;
        param b4: Real;
        param b5: Real;
        param b6: Real;
        param b7: Real;
        // a model needs something that changes
        state idle: Real;
        der(idle) = 0.0;
        output y = (b1 + t * (b2 + t * (b3 + t * b4))) / (1.0 + t * (b5 + t * (b6 + t * b7)));
    }
}

pub const MISRA: [(f64, f64); 14] = [
    (77.6, 10.07),
    (114.9, 14.73),
    (141.1, 17.94),
    (190.8, 23.93),
    (239.9, 29.61),
    (289.0, 35.18),
    (332.8, 40.02),
    (378.4, 44.82),
    (434.8, 50.76),
    (477.3, 55.05),
    (536.8, 61.01),
    (593.1, 66.40),
    (689.1, 75.47),
    (760.0, 81.78),
];

#[rustfmt::skip]
const THURBER: [(f64, f64); 37] = [
    (-3.067, 80.574), (-2.981, 84.248), (-2.921, 87.264), (-2.912, 87.195), (-2.840, 89.076), (-2.797, 89.608),
    (-2.702, 89.868), (-2.699, 90.101), (-2.633, 92.405), (-2.481, 95.854), (-2.363, 100.696), (-2.322, 101.060),
    (-1.501, 401.672), (-1.460, 390.724), (-1.274, 567.534), (-1.212, 635.316), (-1.100, 733.054), (-1.046, 759.087),
    (-0.915, 894.206), (-0.714, 990.785), (-0.566, 1090.109), (-0.545, 1080.914), (-0.400, 1122.643),
    (-0.309, 1178.351), (-0.109, 1260.531), (-0.103, 1273.514), (0.010, 1288.339), (0.119, 1327.543),
    (0.377, 1353.863), (0.790, 1414.509), (0.963, 1425.208), (1.006, 1421.384), (1.115, 1442.962), (1.572, 1464.350),
    (1.841, 1468.705), (2.047, 1447.894), (2.200, 1457.628),
];

pub fn log(data: &[(f64, f64)]) -> Log {
    let (times, values): (Vec<f64>, Vec<f64>) = data.iter().copied().unzip();
    Log::new(&times).and_then(|log| log.with("y", &values)).expect("a log")
}

/// Values and deviations are the certified ones, to a millionth of the deviation.
fn certified<S: Solvable>(fitted: &Fitted<S>, wanted: &[(f64, f64)], squares: f64) {
    assert!(fitted.ending.converged(), "{fitted}");
    for (i, (value, deviation)) in wanted.iter().enumerate() {
        let name = &fitted.values.row_names()[i];
        let found = (fitted.values[(i, 0)], fitted.deviation(name).expect("a name").expect("a deviation"));
        assert!((found.0 - value).abs() < 1e-6 * deviation, "{name}: {found:?} {value}");
        assert!((found.1 / deviation - 1.0).abs() < 1e-6, "{name}: {found:?} {deviation}");
    }
    assert!((2.0 * fitted.cost / squares - 1.0).abs() < 1e-9, "{}", fitted.cost);
}

#[test]
fn misra() {
    let wanted = [(2.3894212918e+02, 2.7070075241e+00), (5.5015643181e-04, 7.2668688436e-06)];
    for (b1, b2) in [(500.0, 0.0001), (250.0, 0.0005)] {
        let (model, log) = (Misra { b1, b2 }, log(&MISRA));
        let fit = Fit::of(&model).log(&log).measured("y", 1.0).noise_from_residuals();
        let fitted = fit.parameter("b1").parameter("b2").solve().expect("a fit");
        certified(&fitted, &wanted, 1.2455138894e-01);
        // t of 12 degrees of freedom: 2.1788 (Abramowitz & Stegun, table 26.10)
        let (low, high) = fitted.interval("b1", 0.95).expect("a name").expect("an interval");
        assert!((0.5 * (high - low) / 2.7070075241 - 2.1788).abs() < 1e-4);
    }
}

#[test]
fn thurber() {
    let wanted = [
        (1.2881396800e+03, 4.6647963344e+00),
        (1.4910792535e+03, 3.9571156086e+01),
        (5.8323836877e+02, 2.8698696102e+01),
        (7.5416644291e+01, 5.5675370270e+00),
        (9.6629502864e-01, 3.1333340687e-02),
        (3.9797285797e-01, 1.4984928198e-02),
        (4.9727297349e-02, 6.5842344623e-03),
    ];
    for [b1, b2, b3, b4, b5, b6, b7] in
        [[1000.0, 1000.0, 400.0, 40.0, 0.7, 0.3, 0.03], [1300.0, 1500.0, 500.0, 75.0, 1.0, 0.4, 0.05]]
    {
        let (model, log) = (Thurber { b1, b2, b3, b4, b5, b6, b7 }, log(&THURBER));
        let fit = Fit::of(&model).log(&log).measured("y", 1.0).noise_from_residuals().tolerance(0.0);
        let fit = ["b1", "b2", "b3", "b4", "b5", "b6", "b7"].into_iter().fold(fit, |fit, name| fit.parameter(name));
        certified(&fit.solve().expect("a fit"), &wanted, 5.6427082397e+03);
    }
}
