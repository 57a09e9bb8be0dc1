//! The response of an output to an input.

use ode_runtime::UnknownName;
use ode_runtime::linalg::{Complex, DMatrix, DVector};

use crate::linear::state_space::StateSpace;
use crate::linear::system_error::SystemError;
use crate::matrix::balance::balanced;

/// The transfer function from an input to an output, C (s − A)⁻¹ B + D.
///
/// Each response is solved with A as it is, balanced: orthogonal transformations, as to Hessenberg's form, would lose
/// the digits of small responses at high frequencies.
///
/// ```
/// # use ode_control::StateSpace;
/// # use ode_runtime::linalg::Labelled;
/// // a first-order lag of 0.1 s: at 10 rad/s a gain of 1/√2, and 45° behind
/// let a = Labelled::new(["x"], ["x"], |_, _| -10.0);
/// let b = Labelled::new(["x"], ["u"], |_, _| 10.0);
/// let lag = StateSpace::of_states(a, b, None)?.transfer("x", "u")?;
/// let response = lag.at(10.0)?;
/// assert!((response.re - 0.5).abs() < 1e-12 && (response.im + 0.5).abs() < 1e-12);
/// let bode = lag.bode(0.1, 1000.0, 200)?;
/// assert!(bode.column("phase").into_iter().flatten().is_sorted_by(|a, b| a >= b));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Transfer {
    /// balanced
    pub(super) a: DMatrix<f64>,
    pub(super) b: DVector<f64>,
    /// transposed
    pub(super) c: DVector<f64>,
    pub(super) d: f64,
    pub(super) step: Option<f64>,
}

impl StateSpace {
    /// The transfer function from an input to an output.
    ///
    /// # Errors
    /// [`SystemError::Name`] with the name that does not exist; matrices that do not fit or are not finite.
    pub fn transfer(&self, output: &str, input: &str) -> Result<Transfer, SystemError> {
        self.check()?;
        let output = UnknownName::place("output", output, self.outputs())?;
        let input = UnknownName::place("input", input, self.inputs())?;
        let (a, scales) = balanced((*self.a).clone());
        let b = self.b.column(input).component_div(&scales);
        let c = self.c.row(output).transpose().component_mul(&scales);
        Ok(Transfer { a, b, c, d: self.d[(output, input)], step: self.step })
    }
}

impl Transfer {
    /// The response to sin ω t after transients: its magnitude is the gain, its angle the phase. ω in rad/s.
    ///
    /// # Errors
    /// [`SystemError::AtPole`] at the frequency of an undamped pole; [`SystemError::Frequency`] of one that is not
    /// finite.
    pub fn at(&self, frequency: f64) -> Result<Complex<f64>, SystemError> {
        if !frequency.is_finite() {
            return Err(SystemError::Frequency { value: frequency });
        }
        let s = match self.step {
            None => Complex { re: 0.0, im: frequency },
            Some(h) => Complex { re: (frequency * h).cos(), im: (frequency * h).sin() },
        };
        self.value(s).ok_or(SystemError::AtPole { frequency })
    }

    /// The gain of a constant input after transients.
    ///
    /// # Errors
    /// [`SystemError::AtPole`] with an integrator.
    pub fn gain(&self) -> Result<f64, SystemError> {
        self.at(0.0).map(|response| response.re)
    }

    /// C (s − A)⁻¹ B + D; none at a pole.
    fn value(&self, s: Complex<f64>) -> Option<Complex<f64>> {
        let complex = |x: f64| Complex { re: x, im: 0.0 };
        let mut left = self.a.map(|x| complex(-x));
        (0..self.a.nrows()).for_each(|k| left[(k, k)] += s);
        let x = left.lu().solve(&self.b.map(complex))?;
        let value = self.c.iter().zip(x.iter()).fold(complex(self.d), |sum, (c, x)| sum + x * *c);
        (value.re.is_finite() && value.im.is_finite()).then_some(value)
    }
}
