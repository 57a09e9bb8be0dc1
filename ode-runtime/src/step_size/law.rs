//! How the next step follows from errors: digital filters, as data.

/// A law of step sizes. With ρ = error / tolerance, which goes as hᵏ, and the last steps and errors,
///
/// ```text
/// hₙ₊₁ = safety · ρₙ^(−β₁/k) ρₙ₋₁^(−β₂/k) ρₙ₋₂^(−β₃/k) (hₙ/hₙ₋₁)^(−α₂) (hₙ₋₁/hₙ₋₂)^(−α₃) · hₙ
/// ```
///
/// With fewer past steps (a start, an event, a rejection) it is the elementary law, safety · ρ^(−1/k) · h.
///
/// Reference: G. Söderlind, Digital filters in adaptive time-stepping, ACM Trans. Math. Software 29 (2003) 1–26, for
/// the names and the coefficients; K. Gustafsson, Control theoretic techniques for stepsize selection in explicit
/// Runge–Kutta methods, ACM Trans. Math. Software 17 (1991) 533–554, for the first proportional-integral law; Simbody's
/// `AbstractIntegratorRep` for the dead zone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// β₁, β₂, β₃
    pub errors: [f64; 3],
    /// α₂, α₃
    pub steps: [f64; 2],
    /// the safety factor of a suggestion
    pub safety: f64,
    /// largest factor from one step to the next
    pub grow: f64,
    /// smallest factor from one step, or attempt, to the next
    pub shrink: f64,
    /// the dead zone: after an accepted step, factors between these two change nothing
    pub hold: [f64; 2],
    /// largest factor after an error test that failed
    pub reject: f64,
    /// the factor after a failure without an error estimate: Newton, a singular matrix, a projection
    pub retreat: f64,
    /// whether the step after a rejection may not exceed the accepted one
    pub cautious: bool,
}

/// Common to the filters: no dead zone, no growth just after a rejection.
const FILTER: Law = Law {
    errors: [1.0, 0.0, 0.0],
    steps: [0.0, 0.0],
    safety: 0.9,
    grow: 5.0,
    shrink: 0.2,
    hold: [1.0, 1.0],
    reject: 0.9,
    retreat: 0.25,
    cautious: true,
};

impl Law {
    /// Simbody's: the elementary law with a dead zone. An accepted step is never followed by a smaller one, and by a
    /// larger one only if it is at least 1.2 times as long.
    pub const ELEMENTARY: Self = Self { shrink: 0.1, hold: [0.0, 1.2], retreat: 0.1, cautious: false, ..FILTER };
    /// Gustafsson's proportional-integral law (PI3040).
    pub const PI: Self = Self { errors: [0.7, -0.4, 0.0], ..FILTER };
    /// The smoother PI4020.
    pub const PI4020: Self = Self { errors: [0.6, -0.2, 0.0], ..FILTER };
    /// The filter H211PI: errors low-pass filtered, no memory of steps.
    pub const H211PI: Self = Self { errors: [1.0 / 6.0, 1.0 / 6.0, 0.0], ..FILTER };
    /// The filter H211b with b = 4.
    pub const H211B: Self = Self { errors: [0.25, 0.25, 0.0], steps: [0.25, 0.0], ..FILTER };
    /// The filter H312PID.
    pub const H312PID: Self = Self { errors: [1.0 / 18.0, 1.0 / 9.0, 1.0 / 18.0], ..FILTER };
    /// The filter H312b with b = 8: the smoothest steps.
    pub const H312B: Self = Self { errors: [0.125, 0.25, 0.125], steps: [0.375, 0.125], ..FILTER };

    /// Is it ρ^(−1/k) alone?
    pub(super) fn elementary(&self) -> bool {
        self.errors == [1.0, 0.0, 0.0] && self.steps == [0.0, 0.0]
    }

    /// The first number that makes no sense.
    pub(super) fn wrong(&self) -> Option<(&'static str, f64)> {
        let (open, past) = (0.0..1.0, 1.0..f64::INFINITY);
        let fraction = |x: f64| x > 0.0 && open.contains(&x);
        let [low, high] = self.hold;
        let settings = [
            ("safety of the step law", self.safety, fraction(self.safety) || self.safety == 1.0),
            ("growth of steps", self.grow, self.grow > 1.0 && past.contains(&self.grow)),
            ("shrinking of steps", self.shrink, fraction(self.shrink)),
            ("dead zone of steps", low, (0.0..=1.0).contains(&low)),
            ("dead zone of steps", high, past.contains(&high)),
            ("factor of rejected steps", self.reject, fraction(self.reject) && self.reject >= self.shrink),
            ("factor of failed steps", self.retreat, fraction(self.retreat)),
        ];
        let coefficients =
            self.errors.iter().chain(&self.steps).map(|&x| ("coefficient of the step law", x, x.is_finite()));
        settings
            .into_iter()
            .chain(coefficients)
            .find(|(_, _, sound)| !sound)
            .map(|(setting, value, _)| (setting, value))
    }
}
