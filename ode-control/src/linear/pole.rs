//! Poles, as rates of decay and frequencies.

use core::fmt;

use ode_runtime::linalg::{Complex, eigenvalues};

use crate::linear::pole_value::PoleValue;
use crate::linear::state_space::StateSpace;
use crate::linear::system_error::SystemError;
use crate::matrix::stability::is_stable;

/// A pole of a linear system: an eigenvalue of A.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Pole {
    /// the eigenvalue: s in 1/s of a continuous system, z of a step
    pub value: Complex<f64>,
    /// the length of a step; none of a continuous system
    pub step: Option<f64>,
}

impl Pole {
    pub(crate) fn new(value: Complex<f64>, step: Option<f64>) -> Self {
        Self { value, step }
    }

    /// Poles by ascending natural frequency; of a conjugate pair the one above the real axis first.
    pub(crate) fn sorted(values: Vec<Complex<f64>>, step: Option<f64>) -> Vec<Self> {
        let mut poles: Vec<Self> = values.into_iter().map(|value| Self::new(value, step)).collect();
        let below = |pole: &Self| pole.value.im < 0.0;
        poles.sort_by(|x, y| x.frequency().total_cmp(&y.frequency()).then(below(x).cmp(&below(y))));
        poles
    }

    /// s in 1/s: of steps ln z/h, up to the frequency of half a sample per cycle.
    pub fn rate(&self) -> Complex<f64> {
        match self.step {
            None => self.value,
            Some(h) => {
                Complex { re: self.value.re.hypot(self.value.im).ln() / h, im: self.value.im.atan2(self.value.re) / h }
            }
        }
    }

    /// The natural frequency |s|, in rad/s.
    pub fn frequency(&self) -> f64 {
        let Complex { re, im } = self.rate();
        re.hypot(im)
    }

    /// The damping ratio −Re s/|s|: 1 of a decay without oscillation, 0 of an undamped oscillation and of an
    /// integrator, negative of what grows.
    pub fn damping_ratio(&self) -> f64 {
        let Complex { re, im } = self.rate();
        match re.hypot(im) {
            0.0 => 0.0,
            size if size.is_finite() => -re / size,
            // a dead beat, z = 0
            _ => 1.0,
        }
    }

    /// The time in which it decays to 1/e, in s: −1/Re s. Infinite if it does not decay, negative if it grows.
    pub fn time_constant(&self) -> f64 {
        match self.rate().re {
            0.0 => f64::INFINITY,
            re => -1.0 / re,
        }
    }

    /// Whether it decays: Re s < 0, |z| < 1.
    pub fn is_stable(&self) -> bool {
        is_stable(self.value, self.step.is_some())
    }
}

impl fmt::Display for Pole {
    /// `-0.5+3.2i 1/s: 3.24 rad/s, damping ratio 0.154`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PoleValue(self.value).fmt(f)?;
        if self.step.is_none() {
            f.write_str(" 1/s")?;
        }
        write!(f, ": {:.6} rad/s, damping ratio {:.4}", self.frequency(), self.damping_ratio())
    }
}

impl StateSpace {
    /// The poles, by ascending natural frequency; of a conjugate pair the one above the real axis first.
    ///
    /// ```
    /// # use ode_control::StateSpace;
    /// # use ode_runtime::linalg::Labelled;
    /// // ẍ + 2 ẋ + 4 x = u
    /// let a = Labelled::new(["x", "v"], ["x", "v"], |r, c| [[0.0, 1.0], [-4.0, -2.0]][r][c]);
    /// let b = Labelled::new(["x", "v"], ["u"], |r, _| [0.0, 1.0][r]);
    /// let poles = StateSpace::of_states(a, b, None)?.poles()?;
    /// assert!((poles[0].frequency() - 2.0).abs() < 1e-12 && (poles[0].damping_ratio() - 0.5).abs() < 1e-12);
    /// assert!((poles[0].time_constant() - 1.0).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SystemError::Eigenvalues`] if they were not found; matrices that do not fit or are not finite.
    pub fn poles(&self) -> Result<Vec<Pole>, SystemError> {
        self.check()?;
        Ok(Pole::sorted(eigenvalues(&self.a).ok_or(SystemError::Eigenvalues)?, self.step))
    }
}
