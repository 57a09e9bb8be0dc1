//! What a residual costs.

use ode_runtime::linalg::{DMatrix, DVector};

/// What a residual r, in standard deviations, adds to twice the cost: r², or less where it is large. Then outliers
/// count less.
///
/// Reference: P. W. Holland, R. E. Welsch, Robust regression using iteratively reweighted least squares, Communications
/// in Statistics A6 (1977) 813–827. Rows are weighted by ρ′, without the second derivative of ρ that B. Triggs et al.,
/// Bundle adjustment – a modern synthesis, 2000, §4.3, add: it is negative where these functions bend.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Loss {
    /// r²
    #[default]
    Squares,
    /// r² up to k, then k (2 |r| − k): P. J. Huber
    Huber(f64),
    /// 2 k² (√(1 + r²/k²) − 1): nearly the same, and smooth
    SoftL1(f64),
    /// k² ln(1 + r²/k²): a far outlier counts nearly nothing
    Cauchy(f64),
}

impl Loss {
    /// The residual from which on a loss is less than the square.
    pub(crate) fn knee(self) -> Option<f64> {
        match self {
            Self::Squares => None,
            Self::Huber(k) | Self::SoftL1(k) | Self::Cauchy(k) => Some(k),
        }
    }

    /// ρ and ρ′ = ∂ρ/∂r² of a residual.
    fn of(self, r: f64) -> (f64, f64) {
        let square = r * r;
        match self {
            Self::Squares => (square, 1.0),
            Self::Huber(k) if r.abs() <= k => (square, 1.0),
            Self::Huber(k) => (k * (2.0 * r.abs() - k), k / r.abs()),
            Self::SoftL1(k) => {
                let root = (r / k).hypot(1.0);
                // without cancellation
                (2.0 * square / (1.0 + root), 1.0 / root)
            }
            Self::Cauchy(k) => {
                let s = square / (k * k);
                (k * k * s.ln_1p(), 1.0 / (1.0 + s))
            }
        }
    }

    /// ∂(r ρ′)/∂r, the slope of what the estimate makes zero in sum.
    fn slope(self, r: f64) -> f64 {
        let s = self.knee().map_or(0.0, |knee| (r / knee).powi(2));
        match self {
            Self::Squares => 1.0,
            Self::Huber(_) => f64::from(u8::from(s <= 1.0)),
            Self::SoftL1(_) => (1.0 + s).powf(-1.5),
            Self::Cauchy(_) => (1.0 - s) / (1.0 + s).powi(2),
        }
    }

    /// What (JᵀJ)⁻¹ is times in the covariance of so many unknowns, if the size of errors follows from the residuals:
    /// κ² (Σ ψ²/freedom)/(mean ψ′)² with ψ = r ρ′ and κ = 1 + (unknowns/residuals) var ψ′/(mean ψ′)². Of squares it is
    /// the mean square. None if the mean of ψ′ is not positive, since residuals are too large.
    ///
    /// Reference: P. J. Huber, Robust regression: asymptotics, conjectures and Monte Carlo, Annals of Statistics 1
    /// (1973) 799–821.
    pub(crate) fn scatter(self, residuals: &DVector<f64>, unknowns: usize) -> Option<f64> {
        let (count, freedom) = (residuals.len() as f64, (residuals.len() - unknowns) as f64);
        let square = residuals.iter().map(|&r| (r * self.of(r).1).powi(2)).sum::<f64>() / freedom;
        let mean = residuals.iter().map(|&r| self.slope(r)).sum::<f64>() / count;
        let spread = residuals.iter().map(|&r| (self.slope(r) - mean).powi(2)).sum::<f64>() / count;
        let correction = 1.0 + unknowns as f64 / count * spread / (mean * mean);
        (mean > 0.0).then(|| correction * correction * square / (mean * mean))
    }

    /// Half the sum of ρ.
    pub(super) fn cost(self, residuals: &DVector<f64>) -> f64 {
        0.5 * residuals.iter().map(|&r| self.of(r).0).sum::<f64>()
    }

    /// Weights residuals and their Jacobian so that half the sum of squares has the gradient of the cost.
    pub(crate) fn weigh(self, residuals: &mut DVector<f64>, jacobian: &mut DMatrix<f64>) {
        if self == Self::Squares {
            return;
        }
        for (r, mut row) in residuals.iter_mut().zip(jacobian.row_iter_mut()) {
            let weight = self.of(*r).1.sqrt();
            *r *= weight;
            row *= weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_slopes_and_small_residuals_are_squares() {
        for loss in [Loss::Squares, Loss::Huber(1.5), Loss::SoftL1(0.7), Loss::Cauchy(2.0)] {
            for r in [-40.0, -1.4, 0.3, 1.6, 9.0_f64] {
                let slope = (loss.of(r + 1e-6).0 - loss.of(r - 1e-6).0) / 2e-6;
                assert!((slope - 2.0 * r * loss.of(r).1).abs() < 1e-7 * (1.0 + r.abs()), "{loss:?} {r}");
                let bend = ((r + 1e-6) * loss.of(r + 1e-6).1 - (r - 1e-6) * loss.of(r - 1e-6).1) / 2e-6;
                assert!((bend - loss.slope(r)).abs() < 1e-8, "{loss:?} {r}");
            }
            assert!((loss.of(1e-4).0 - 1e-8).abs() < 1e-15, "{loss:?}");
        }
    }
}
