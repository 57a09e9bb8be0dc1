//! The parameters of generalised-α: its named members, and the allowed ranges.

use crate::error::Cause;
use crate::integrators::{First, GeneralizedAlpha, Multipliers};
use crate::numbers::decimal::typed;
use crate::numbers::scalar::Real;
use crate::solve::Newton;

impl<T: Real> GeneralizedAlpha<T> {
    /// The parameters of order 2 that multiply the highest frequencies by `rho` each step, 0 ≤ ρ ≤ 1; a run refuses
    /// others.
    pub fn with_spectral_radius(rho: T) -> Self {
        let (one, two) = (T::ONE, T::from_f64(2.0));
        let alpha_m = (two * rho - one) / (rho + one);
        let alpha_f = rho / (rho + one);
        let gamma = T::from_f64(0.5) + alpha_f - alpha_m;
        let beta = T::from_f64(0.25) * (gamma + T::from_f64(0.5)) * (gamma + T::from_f64(0.5));
        Self { alpha_m, alpha_f, beta, gamma, first: First::Shifted, ..Self::newmark(gamma, beta) }
    }

    /// Newmark's family: αm = αf = 0, so that a is v̇. Order 2 for γ = ½ only.
    pub fn newmark(gamma: T, beta: T) -> Self {
        Self {
            alpha_m: T::ZERO,
            alpha_f: T::ZERO,
            beta,
            gamma,
            first: First::Same,
            multipliers: Multipliers::AtState,
            newton: Newton::default(),
        }
    }

    /// The trapezoidal rule q⁺ = q ⊕ ½ h (v + v⁺), v⁺ = v + ½ h (v̇ + v̇⁺), z⁺ = z + ½ h (ż + ż⁺) with Φ(q⁺) = 0:
    /// Newmark's (½, ¼).
    ///
    /// If h v̇ is eliminated from the first line, it is Newmark's. Both are one method, also for M(q, t), because M
    /// v̇ = f + Gᵀλ holds at each end with its own M and λ. SOFA's version moves q by h v⁺ and has order 1; Project
    /// Chrono's omits λ of the old end and has order 1 with constraints.
    pub fn trapezoidal() -> Self {
        Self::newmark(T::from_f64(0.5), T::from_f64(0.25))
    }

    /// The method of Hilber, Hughes and Taylor, −⅓ ≤ α ≤ 0, with its averages taken in the form above.
    pub fn hht(alpha: T) -> Self {
        let (one, half) = (T::ONE, T::from_f64(0.5));
        let beta = T::from_f64(0.25) * (one - alpha) * (one - alpha);
        Self { alpha_f: -alpha, ..Self::newmark(half - alpha, beta) }
    }

    /// The same method by its spectral radius at the highest frequencies, ½ ≤ ρ ≤ 1: α = (ρ − 1)/(ρ + 1).
    ///
    /// # Errors
    /// [`Cause::OutOfRange`] for other ρ: below α = −⅓ the damping decreases again.
    pub fn hht_with_spectral_radius(rho: T) -> Result<Self, Cause> {
        if rho >= T::from_f64(0.5) && rho <= T::ONE {
            return Ok(Self::hht((rho - T::ONE) / (rho + T::ONE)));
        }
        Err(Cause::OutOfRange { setting: "spectral radius of HHT", value: rho.to_f64(), low: 0.5, high: 1.0 })
    }

    /// δaₙ₊₁ / δv̇ₙ₊₁.
    pub(super) fn share(&self) -> T {
        (T::ONE - self.alpha_f) / (T::ONE - self.alpha_m)
    }

    /// σ = αm − αf: a stands for v̇ at t + σ h.
    pub(super) fn shift(&self) -> T {
        self.alpha_m - self.alpha_f
    }

    /// The rule of a first step, with a = v̇ at its beginning: a line through v̇ₙ and v̇ₙ₊₁ gives a at t + σ h and at
    /// t + h + σ h.
    pub(super) fn afresh(&self) -> Self {
        let (zero, shift) = (T::ZERO, self.shift());
        let (beta, gamma) = (self.beta + T::from_f64(0.5) * shift, self.gamma + shift);
        Self { alpha_m: zero, alpha_f: zero, beta, gamma, ..*self }
    }

    /// Refuses parameters that are of no use, by the argument of the constructor that made them.
    pub(super) fn check_parameters(&self) -> Result<(), Cause> {
        self.check_numbers().map_err(|cause| self.argument().unwrap_or(cause))
    }

    /// The argument of a constructor, if it gives these numbers and is out of its range.
    fn argument(&self) -> Option<Cause> {
        let (rho, alpha) = (self.alpha_f / (T::ONE - self.alpha_f), -self.alpha_f);
        let numbers = |rule: &Self| [rule.alpha_m, rule.alpha_f, rule.beta, rule.gamma];
        let near = T::from_f64(1e4) * T::EPSILON;
        [
            ("spectral radius at infinity", rho, Self::with_spectral_radius(rho), [0.0, 1.0]),
            ("α of HHT", alpha, Self::hht(alpha), [-1.0 / 3.0, 0.0]),
        ]
        .into_iter()
        .find_map(|(setting, value, rule, [low, high])| {
            let mut pairs = numbers(self).into_iter().zip(numbers(&rule));
            let alike = pairs.all(|(own, its)| (own - its).abs() <= near * (T::ONE + its.abs()));
            let value = typed(value.to_f64());
            (alike && !(low..=high).contains(&value)).then_some(Cause::OutOfRange { setting, value, low, high })
        })
    }

    /// Refuses numbers by their names in the scheme.
    fn check_numbers(&self) -> Result<(), Cause> {
        let settings = [("αm", self.alpha_m), ("αf", self.alpha_f), ("β", self.beta), ("γ", self.gamma)];
        for (setting, value) in settings {
            if !value.is_finite() {
                return Err(Cause::Invalid { setting, value: value.to_f64() });
            }
        }
        // With β = 0, q, and so Φ, would not depend on the unknown; with αm = 1 or αf = 1, a would not.
        let averages = [("1 − αm", T::ONE - self.alpha_m), ("share", self.share())];
        positive(&[("β", self.beta), ("γ", self.gamma)])?;
        positive(&averages)?;
        // Outside 0 ≤ αf ≤ ½, αm ≤ αf no step size is stable; the slack allows for rounding of ρ = 1.
        let (slack, half) = (T::from_f64(4.0) * T::EPSILON, T::from_f64(0.5));
        for (setting, value, low, high) in
            [("αf", self.alpha_f, T::ZERO, half), ("αm", self.alpha_m, -T::INFINITY, self.alpha_f)]
        {
            if value < low - slack || value > high + slack {
                return Err(Cause::Invalid { setting, value: value.to_f64() });
            }
        }
        let Self { beta, gamma, .. } = self.afresh();
        positive(&[("β + ½ (αm − αf)", beta), ("γ + αm − αf", gamma)])
    }
}

/// Refuses settings that are not positive.
fn positive<T: Real>(settings: &[(&'static str, T)]) -> Result<(), Cause> {
    match settings.iter().find(|(_, value)| !(*value > T::ZERO)) {
        Some(&(setting, value)) => Err(Cause::Invalid { setting, value: value.to_f64() }),
        None => Ok(()),
    }
}
