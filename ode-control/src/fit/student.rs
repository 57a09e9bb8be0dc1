//! The distribution of Student's t.

use core::f64::consts::PI;

/// The probability of |t| ≤ `t` with ν degrees of freedom; of the normal distribution without ν.
///
/// M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 1964, 26.7.3 and 26.7.4, and 26.2.11.
fn probability(t: f64, freedom: Option<usize>) -> f64 {
    let Some(nu) = freedom else {
        let (mut term, mut sum, mut k) = (t, t, 1.0);
        while term > f64::EPSILON * sum {
            k += 2.0;
            term *= t * t / k;
            sum += term;
        }
        return 2.0 * sum * (-0.5 * t * t).exp() / (2.0 * PI).sqrt();
    };
    let angle = (t / (nu as f64).sqrt()).atan();
    let (sin, cos) = angle.sin_cos();
    let odd = nu % 2 == 1;
    let (mut term, mut sum) = if odd { (cos, if nu > 1 { cos } else { 0.0 }) } else { (1.0, 1.0) };
    // the next factor is 2/3 cos², 4/5 cos², … if ν is odd, and 1/2 cos², 3/4 cos², … if not
    let mut power = if odd { 3 } else { 2 };
    while power + 2 <= nu {
        term *= cos * cos * (power - 1) as f64 / power as f64;
        sum += term;
        power += 2;
    }
    if odd { 2.0 / PI * (angle + sin * sum) } else { sin * sum }
}

/// The t that |t| does not exceed with this probability, between 0 and 1.
pub(super) fn quantile(level: f64, freedom: Option<usize>) -> f64 {
    let mut high = 1.0;
    while probability(high, freedom) < level && high < 1e300 {
        high *= 2.0;
        if freedom.is_none() && high > 32.0 {
            break;
        }
    }
    let mut low = 0.0;
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if probability(middle, freedom) < level {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn quantiles_are_those_of_tables() {
        // Abramowitz & Stegun, table 26.10, and table 26.5 for the normal distribution
        for (level, freedom, t) in [
            (0.95, Some(1), 12.706),
            (0.95, Some(2), 4.303),
            (0.95, Some(3), 3.182),
            (0.99, Some(4), 4.604),
            (0.95, Some(5), 2.571),
            (0.99, Some(12), 3.055),
            (0.95, Some(30), 2.042),
            (0.99, Some(120), 2.617),
            (0.95, None, 1.960),
            (0.99, None, 2.576),
        ] {
            let found = quantile(level, freedom);
            assert!((found - t).abs() < 5.1e-4, "{level} {freedom:?}: {found}");
        }
    }
}
