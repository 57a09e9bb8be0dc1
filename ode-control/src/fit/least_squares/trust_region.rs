//! The step of least squares within a trust region and within bounds.

use ode_runtime::linalg::{DMatrix, DVector};

/// Least squares of R p + c, where J p + r = Q (R p + c) + a part that p does not change.
pub(super) struct LinearLeastSquares {
    r: DMatrix<f64>,
    c: DVector<f64>,
}

/// A step, and the damping λ of (JᵀJ + λ D²) p = −Jᵀr that it satisfies.
pub(super) struct Step {
    pub(super) p: DVector<f64>,
    pub(super) damping: f64,
}

impl LinearLeastSquares {
    pub(super) fn new(jacobian: &DMatrix<f64>, residuals: &DVector<f64>) -> Self {
        let qr = jacobian.clone().qr();
        Self { c: qr.q().tr_mul(residuals), r: qr.r() }
    }

    /// ‖J p‖
    pub(super) fn change(&self, p: &DVector<f64>) -> f64 {
        (&self.r * p).norm()
    }

    /// The least-squares step with ‖D p‖ ≤ Δ; `room` is how far each unknown may go down and up, and a pair of zeros
    /// where it stays.
    ///
    /// Unknowns that would leave their bounds go as far as they may, and the step of the others is found again.
    pub(super) fn step(&self, scale: &DVector<f64>, radius: f64, damping: f64, room: &[(f64, f64)]) -> Step {
        let n = room.len();
        let mut p = DVector::zeros(n);
        let mut fixed: Vec<bool> = room.iter().map(|&(down, up)| down == 0.0 && up == 0.0).collect();
        loop {
            let free: Vec<usize> = (0..n).filter(|&j| !fixed[j]).collect();
            if free.is_empty() {
                return Step { p, damping: 0.0 };
            }
            let scaled = DMatrix::from_fn(self.r.nrows(), free.len(), |i, k| self.r[(i, free[k])] / scale[free[k]]);
            let mut held = p.clone();
            free.iter().for_each(|&j| held[j] = 0.0);
            let (y, damping) = within(&scaled, &(&self.c + &self.r * held), radius, damping);
            for (k, &j) in free.iter().enumerate() {
                p[j] = y[k] / scale[j];
            }
            let mut left = false;
            for &j in &free {
                let (down, up) = room[j];
                if p[j] < down || p[j] > up {
                    p[j] = if p[j] < down { down } else { up };
                    (fixed[j], left) = (true, true);
                }
            }
            if !left {
                return Step { p, damping };
            }
        }
    }
}

/// The least |A y + c| with |y| ≤ Δ to a tenth, and the λ of (AᵀA + λ) y = −Aᵀc, from a λ to begin with.
///
/// J. J. Moré, The Levenberg-Marquardt algorithm: implementation and theory, Lecture Notes in Mathematics 630 (1978)
/// 105–116, §5, as MINPACK's `lmpar`; with singular values, φ(λ) = |y(λ)| − Δ and its slope are sums.
fn within(a: &DMatrix<f64>, c: &DVector<f64>, radius: f64, damping: f64) -> (DVector<f64>, f64) {
    let svd = a.clone().svd(true, true);
    let (Some(u), Some(vt)) = (svd.u, svd.v_t) else { return (DVector::zeros(a.ncols()), 0.0) };
    let (s, uc) = (svd.singular_values, u.tr_mul(c));
    let step = |damping: f64| -> DVector<f64> {
        let entry = |i: usize| if s[i] > 0.0 { -s[i] * uc[i] / (s[i] * s[i] + damping) } else { 0.0 };
        DVector::from_fn(s.len(), |i, _| entry(i))
    };
    // −φ′(λ) |y|
    let slope = |y: &DVector<f64>, damping: f64| -> f64 {
        y.iter().zip(s.iter()).filter(|(_, s)| **s > 0.0).map(|(y, s)| y * y / (s * s + damping)).sum()
    };
    let nothing = f64::EPSILON * s.len() as f64 * s.max();
    let full = s.min() > nothing;
    let newton = DVector::from_fn(s.len(), |i, _| if s[i] > nothing { -uc[i] / s[i] } else { 0.0 });
    let mut length = newton.norm();
    let mut phi = length - radius;
    if phi <= 0.1 * radius {
        return (vt.tr_mul(&newton), 0.0);
    }
    let mut lower = if full { phi * (length / radius) * (length / slope(&newton, 0.0)) } else { 0.0 };
    let gradient = uc.component_mul(&s).norm();
    let mut upper = gradient / radius;
    if upper == 0.0 {
        upper = f64::MIN_POSITIVE / radius.min(0.1);
    }
    let mut damping = damping.max(lower).min(upper);
    if damping == 0.0 {
        damping = gradient / length;
    }
    let mut y = newton;
    for _ in 0..10 {
        if damping == 0.0 {
            damping = f64::MIN_POSITIVE.max(0.001 * upper);
        }
        y = step(damping);
        length = y.norm();
        let before = phi;
        phi = length - radius;
        if phi.abs() <= 0.1 * radius || lower == 0.0 && phi <= before && before < 0.0 {
            break;
        }
        let correction = phi * (length / radius) * (length / slope(&y, damping));
        if phi > 0.0 {
            lower = lower.max(damping);
        } else {
            upper = upper.min(damping);
        }
        damping = lower.max(damping + correction);
    }
    (vt.tr_mul(&y), damping)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

    fn linear() -> LinearLeastSquares {
        let j = DMatrix::from_row_slice(3, 2, &[1.0, 1.0, 1.0, -1.0, 2.0, 0.5]);
        LinearLeastSquares::new(&j, &DVector::from_vec(vec![1.0, 2.0, 4.0]))
    }

    #[test]
    fn unknowns_beyond_bounds_go_there_and_the_others_are_found_again() {
        // of JᵀJ = [6 1; 1 2.25] and Jᵀr = [11; 1] by hand
        let scale = DVector::from_vec(vec![1.0, 3.0]);
        let free = linear().step(&scale, 1e3, 0.0, &[FREE, FREE]).p;
        assert!((&free - DVector::from_vec(vec![-23.75 / 12.5, 5.0 / 12.5])).amax() < 1e-14, "{free}");
        let held = linear().step(&scale, 1e3, 0.0, &[(-1.0, 1.0), FREE]).p;
        assert!((&held - DVector::from_vec(vec![-1.0, 0.0])).amax() < 1e-14, "{held}");
        let still = linear().step(&scale, 1e3, 0.0, &[(0.0, 0.0), FREE]).p;
        assert!((&still - DVector::from_vec(vec![0.0, -1.0 / 2.25])).amax() < 1e-14, "{still}");
    }

    #[test]
    fn a_short_step_is_damped_to_the_border_of_the_region() {
        let scale = DVector::from_vec(vec![1.0, 3.0]);
        for radius in [1.0, 0.1, 1e-4] {
            let Step { p, damping } = linear().step(&scale, radius, 0.0, &[FREE, FREE]);
            let length = p.component_mul(&scale).norm();
            assert!((length / radius - 1.0).abs() <= 0.1, "{length} {radius}");
            // (JᵀJ + λ D²) p = −Jᵀr
            let left = DMatrix::from_row_slice(2, 2, &[6.0 + damping, 1.0, 1.0, 2.25 + 9.0 * damping]) * p;
            assert!((left + DVector::from_vec(vec![11.0, 1.0])).amax() < 1e-12 * (11.0 + damping), "{radius}");
        }
    }
}
