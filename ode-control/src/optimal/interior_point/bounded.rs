//! A number between bounds, with the multipliers of both.

/// A number x, low ≤ x ≤ high, in a primal-dual method: z (x − low) = μ and z (high − x) = μ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounded {
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    /// multiplier of the lower bound
    pub(super) below: f64,
    /// multiplier of the upper bound
    pub(super) above: f64,
}

/// How far inside its bounds a number begins, relative to them and to their distance.
const PUSH: f64 = 1e-2;
/// How far a multiplier may be from μ/(x − low), as a factor.
const SPREAD: f64 = 1e10;

impl Bounded {
    /// The number nearest to `value` that is well inside the bounds.
    pub(super) fn inside(value: f64, (low, high): (f64, f64)) -> Self {
        let mut out = Self { value, low, high, below: 0.0, above: 0.0 };
        if out.is_rigid() {
            return Self { value: 0.5 * (low + high), ..out };
        }
        let push = |bound: f64| (PUSH * bound.abs().max(1.0)).min(PUSH * (high - low));
        if low.is_finite() {
            (out.value, out.below) = (out.value.max(low + push(low)), 1.0);
        }
        if high.is_finite() {
            (out.value, out.above) = (out.value.min(high - push(high)), 1.0);
        }
        out
    }

    /// Whether the bounds leave no room: the number is given, and has no barrier.
    pub(super) fn is_rigid(&self) -> bool {
        self.low.is_finite() && self.high - self.low <= 1e-12 * self.low.abs().max(1.0)
    }

    /// The distances to the bounds, with their multipliers and the sign of an approach.
    fn sides(&self) -> [(f64, f64, f64); 2] {
        [(self.value - self.low, self.below, -1.0), (self.high - self.value, self.above, 1.0)]
    }

    fn finite_sides(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        let movable = !self.is_rigid();
        self.sides().into_iter().filter(move |(distance, ..)| movable && distance.is_finite())
    }

    /// Σ: what the bounds add to the Hessian.
    pub(super) fn stiffness(&self) -> f64 {
        self.finite_sides().map(|(distance, z, _)| z / distance).sum()
    }

    /// What the bounds add to the gradient, with the barrier μ.
    pub(super) fn gradient(&self, mu: f64) -> f64 {
        self.finite_sides().map(|(distance, _, sign)| sign * mu / distance).sum()
    }

    /// −z of the lower bound + z of the upper one.
    pub(super) fn force(&self) -> f64 {
        self.above - self.below
    }

    /// −ln of the distances.
    pub(super) fn barrier(&self) -> f64 {
        self.finite_sides().map(|(distance, ..)| -distance.ln()).sum()
    }

    /// The largest |z (x − low) − μ|.
    pub(super) fn complementarity(&self, mu: f64) -> f64 {
        self.finite_sides().fold(0.0, |worst: f64, (distance, z, _)| worst.max((z * distance - mu).abs()))
    }

    /// Changes of the multipliers where the number changes by `dx`.
    fn rates(&self, dx: f64, mu: f64) -> [f64; 2] {
        self.sides().map(|(distance, z, sign)| {
            if distance.is_finite() && !self.is_rigid() { mu / distance - z + sign * z / distance * dx } else { 0.0 }
        })
    }

    /// The longest parts of the steps of number and multipliers that leave the share 1 − `tau` of each distance.
    pub(super) fn longest(&self, dx: f64, mu: f64, tau: f64) -> (f64, f64) {
        if self.is_rigid() {
            return (1.0, 1.0);
        }
        let part = |from: f64, change: f64| if change < 0.0 { (-tau * from / change).min(1.0) } else { 1.0 };
        let [(below, ..), (above, ..)] = self.sides();
        let primal = part(below, dx).min(part(above, -dx));
        let [lower, upper] = self.rates(dx, mu);
        (primal, part(self.below, lower).min(part(self.above, upper)))
    }

    /// Moves by `alpha` dx, and its multipliers by `dual` times their step.
    pub(super) fn moved(&self, dx: f64, mu: f64, (alpha, dual): (f64, f64)) -> Self {
        let [lower, upper] = self.rates(dx, mu);
        let value = if self.is_rigid() { self.value } else { self.value + alpha * dx };
        let mut out = Self { value, below: self.below + dual * lower, above: self.above + dual * upper, ..*self };
        let keep = |z: f64, distance: f64| match distance.is_finite() && distance > 0.0 {
            true => z.clamp(mu / (SPREAD * distance), SPREAD * mu / distance),
            false => z,
        };
        if !out.is_rigid() {
            (out.below, out.above) = (keep(out.below, out.value - out.low), keep(out.above, out.high - out.value));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::Bounded;

    #[test]
    fn a_full_step_solves_the_linearised_complementarity() {
        let x = Bounded { value: 0.4, low: 0.0, high: 1.0, below: 0.3, above: 0.2 };
        let (dx, mu) = (0.01, 0.01);
        let moved = x.moved(dx, mu, (1.0, 1.0));
        // z + dz with z dx + (x − low) dz = μ − z (x − low)
        assert!((x.below * dx + 0.4 * moved.below - mu).abs() < 1e-14);
        assert!((-x.above * dx + 0.6 * moved.above - mu).abs() < 1e-14);
        // stationarity of the barrier problem: −z + z = gradient + Σ dx
        assert!((moved.force() - (x.gradient(mu) + x.stiffness() * dx)).abs() < 1e-14);
    }

    #[test]
    fn steps_end_inside() {
        let x = Bounded::inside(7.0, (-1.0, 1.0));
        assert!(x.value < 1.0 && x.value > 0.9);
        let (alpha, _) = x.longest(5.0, 0.1, 0.99);
        assert!(x.value + 5.0 * alpha < 1.0);
        assert_eq!(Bounded::inside(3.0, (2.0, 2.0)).value, 2.0);
        assert_eq!(Bounded::inside(3.0, (f64::NEG_INFINITY, f64::INFINITY)).longest(9.0, 0.1, 0.99), (1.0, 1.0));
    }
}
