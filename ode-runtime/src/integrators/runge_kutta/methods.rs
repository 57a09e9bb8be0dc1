//! The methods: a table of numbers each.
//!
//! Stability is that of y' = λ y for real λ < 0 and for λ on the imaginary axis, an undamped oscillation: the largest
//! h |λ|.

use crate::integrators::Tableau;
use crate::integrators::method::Estimates;

/// Euler's method, y⁺ = yₙ + h f(tₙ, yₙ): q moves with the old v, where
/// [`SemiExplicitEuler`](crate::integrators::SemiExplicitEuler) takes the new one.
///
/// # Properties
/// Order 1, no estimate, one evaluation per step. Stable to h |λ| = 2, but not for undamped oscillations: energy grows
/// by (h ω)² a step.
///
/// # Reference
/// Project Chrono has it as `EULER_EXPLICIT`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ForwardEuler;

impl Tableau for ForwardEuler {
    type Stages<X> = [X; 1];
    const NAME: &'static str = "ForwardEuler";
    const A: &'static [&'static [f64]] = &[&[]];
    const B: &'static [f64] = &[1.0];
    const C: &'static [f64] = &[0.0];
    const ORDER: u32 = 1;
}

/// Heun's method 2(1): the mean of the slopes at both ends.
///
/// ```text
/// 0 |
/// 1 | 1
///   | 1/2  1/2        b̂: Euler's method
/// ```
///
/// # Properties
/// Order 2; the estimate behaves as h². Two evaluations per step. Stable to h |λ| = 2, but not for undamped
/// oscillations.
///
/// # Reference
/// E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, §II.1; Project Chrono's `HEUN`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heun;

impl Tableau for Heun {
    type Stages<X> = [X; 2];
    const NAME: &'static str = "Heun";
    const A: &'static [&'static [f64]] = &[&[], &[1.0]];
    const B: &'static [f64] = &[0.5, 0.5];
    const C: &'static [f64] = &[0.0, 1.0];
    const EMBEDDED: &'static [f64] = &[1.0, 0.0];
    const ORDER: u32 = 2;
}

impl Estimates for Heun {
    const ERROR_ORDER: u32 = 2;
}

/// The explicit midpoint rule 2(1), Runge's method: the slope halfway.
///
/// ```text
/// 0   |
/// 1/2 | 1/2
///     | 0    1          b̂: Euler's method
/// ```
///
/// # Properties
/// Order 2; the estimate behaves as h². Two evaluations per step. Stable to h |λ| = 2, but not for undamped
/// oscillations.
///
/// # Reference
/// E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, §II.1; OpenSurgSim and SOFA have it
/// as RK2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExplicitMidpoint;

impl Tableau for ExplicitMidpoint {
    type Stages<X> = [X; 2];
    const NAME: &'static str = "ExplicitMidpoint";
    const A: &'static [&'static [f64]] = &[&[], &[0.5]];
    const B: &'static [f64] = &[0.0, 1.0];
    const C: &'static [f64] = &[0.0, 0.5];
    const EMBEDDED: &'static [f64] = &[1.0, 0.0];
    const ORDER: u32 = 2;
}

impl Estimates for ExplicitMidpoint {
    const ERROR_ORDER: u32 = 2;
}

/// The classical method of order 4 by Runge and Kutta.
///
/// ```text
/// 0   |
/// 1/2 | 1/2
/// 1/2 | 0    1/2
/// 1   | 0    0    1
///     | 1/6  1/3  1/3  1/6
/// ```
///
/// # Properties
/// Order 4, no estimate, four evaluations per step. Stable to h |λ| = 2.78; for an undamped oscillation to 2.82.
///
/// Also with constraints: accelerations use the exact γ of G a + γ = 0, so the order holds down to round-off. Project
/// Chrono takes γ by a difference, and its `RUNGEKUTTA45` stays at errors of 1e-6.
///
/// # Reference
/// E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, table II.1.2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RungeKutta4;

impl Tableau for RungeKutta4 {
    type Stages<X> = [X; 4];
    const NAME: &'static str = "RungeKutta4";
    const A: &'static [&'static [f64]] = &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]];
    const B: &'static [f64] = &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];
    const C: &'static [f64] = &[0.0, 0.5, 0.5, 1.0];
    const ORDER: u32 = 4;
}

/// Bogacki and Shampine's 3(2), whose last stage is the next step's first.
///
/// ```text
/// 0   |
/// 1/2 | 1/2
/// 3/4 | 0     3/4
/// 1   | 2/9   1/3   4/9
///     | 2/9   1/3   4/9   0
/// b̂   | 7/24  1/4   1/3   1/8
/// ```
///
/// # Properties
/// Order 3; the estimate behaves as h³. Three evaluations per step, four if a projection moves its end. Stable to
/// h |λ| = 2.51; for an undamped oscillation to 1.73. For loose tolerances.
///
/// # Reference
/// P. Bogacki, L. F. Shampine, A 3(2) pair of Runge–Kutta formulas, Applied Mathematics Letters 2 (1989) 321–325.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BogackiShampine;

impl Tableau for BogackiShampine {
    type Stages<X> = [X; 4];
    const NAME: &'static str = "BogackiShampine";
    const A: &'static [&'static [f64]] = &[&[], &[0.5], &[0.0, 0.75], &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0]];
    const B: &'static [f64] = &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0, 0.0];
    const C: &'static [f64] = &[0.0, 0.5, 0.75, 1.0];
    const EMBEDDED: &'static [f64] = &[7.0 / 24.0, 0.25, 1.0 / 3.0, 0.125];
    const ORDER: u32 = 3;
}

impl Estimates for BogackiShampine {
    const ERROR_ORDER: u32 = 3;
}

/// Runge–Kutta–Merson 4(3) with projection, Simbody's `GeodesicIntegrator`.
///
/// ```text
/// 0   |
/// 1/3 | 1/3
/// 1/3 | 1/6   1/6
/// 1/2 | 1/8   0     3/8
/// 1   | 1/2   0    −3/2   2
///     | 1/6   0     0     2/3   1/6
/// b̂   | 1/10  0     3/10  2/5   1/5
/// ```
///
/// The estimate, a fifth of the difference between the last stage and the solution, is that of these b̂.
///
/// # Properties
/// Order 4; the estimate behaves as h⁴. Five evaluations per step. Stable to h |λ| = 3.54; for an undamped oscillation
/// to 3.46.
///
/// # Reference
/// Simbody's `GeodesicIntegrator` (SimTKmath, `GeodesicIntegrator.h`), step for step with its controller in the driver;
/// E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, table II.4.1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Geodesic;

impl Tableau for Geodesic {
    type Stages<X> = [X; 5];
    const NAME: &'static str = "Geodesic";
    const A: &'static [&'static [f64]] =
        &[&[], &[1.0 / 3.0], &[1.0 / 6.0, 1.0 / 6.0], &[0.125, 0.0, 0.375], &[0.5, 0.0, -1.5, 2.0]];
    const B: &'static [f64] = &[1.0 / 6.0, 0.0, 0.0, 2.0 / 3.0, 1.0 / 6.0];
    const C: &'static [f64] = &[0.0, 1.0 / 3.0, 1.0 / 3.0, 0.5, 1.0];
    const EMBEDDED: &'static [f64] = &[0.1, 0.0, 0.3, 0.4, 0.2];
    const ORDER: u32 = 4;
}

impl Estimates for Geodesic {
    const ERROR_ORDER: u32 = 4;
}

/// Fehlberg's 4(5): as in Simbody's `RungeKuttaFeldberg`, the solution of order 4 continues and that of order 5
/// estimates its error.
///
/// # Properties
/// Order 4; the estimate behaves as h⁵. Six evaluations per step. Stable to h |λ| = 3.02, and for no undamped
/// oscillation.
///
/// # Reference
/// E. Fehlberg, Low-order classical Runge–Kutta formulas with stepsize control, NASA TR R-315 (1969); E. Hairer, S. P.
/// Nørsett, G. Wanner, Solving Ordinary Differential Equations I, table II.5.1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fehlberg;

impl Tableau for Fehlberg {
    type Stages<X> = [X; 6];
    const NAME: &'static str = "Fehlberg";
    const A: &'static [&'static [f64]] = &[
        &[],
        &[0.25],
        &[3.0 / 32.0, 9.0 / 32.0],
        &[1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0],
        &[439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0],
        &[-8.0 / 27.0, 2.0, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0],
    ];
    const B: &'static [f64] = &[25.0 / 216.0, 0.0, 1408.0 / 2565.0, 2197.0 / 4104.0, -0.2, 0.0];
    const C: &'static [f64] = &[0.0, 0.25, 0.375, 12.0 / 13.0, 1.0, 0.5];
    const EMBEDDED: &'static [f64] = &[16.0 / 135.0, 0.0, 6656.0 / 12825.0, 28561.0 / 56430.0, -9.0 / 50.0, 2.0 / 55.0];
    const ORDER: u32 = 4;
}

impl Estimates for Fehlberg {
    const ERROR_ORDER: u32 = 5;
}

/// Dormand and Prince's 5(4), the method of DOPRI5, whose last stage is the next step's first, with its continuous
/// extension of order 4.
///
/// # Properties
/// Order 5; the estimate behaves as h⁵; interpolation errs by O(h⁵). Six evaluations per step, seven where a
/// projection moves its end. Stable to h |λ| = 3.30; for an undamped oscillation to 0.99.
///
/// # Reference
/// J. R. Dormand, P. J. Prince, A family of embedded Runge–Kutta formulae, J. Comput. Appl. Math. 6 (1980) 19–26; E.
/// Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, table II.5.2 and §II.6, for the
/// extension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DormandPrince;

impl Tableau for DormandPrince {
    type Stages<X> = [X; 7];
    const NAME: &'static str = "DormandPrince";
    const A: &'static [&'static [f64]] = &[
        &[],
        &[0.2],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
        &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
        &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
    ];
    const B: &'static [f64] = &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0];
    const C: &'static [f64] = &[0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
    const EMBEDDED: &'static [f64] =
        &[5179.0 / 57600.0, 0.0, 7571.0 / 16695.0, 393.0 / 640.0, -92097.0 / 339_200.0, 187.0 / 2100.0, 1.0 / 40.0];
    const DENSE: &'static [f64] = &[
        -12_715_105_075.0 / 11_282_082_432.0,
        0.0,
        87_487_479_700.0 / 32_700_410_799.0,
        -10_690_763_975.0 / 1_880_347_072.0,
        701_980_252_875.0 / 199_316_789_632.0,
        -1_453_857_185.0 / 822_651_844.0,
        69_997_945.0 / 29_380_423.0,
    ];
    const ORDER: u32 = 5;
}

impl Estimates for DormandPrince {
    const ERROR_ORDER: u32 = 5;
}
