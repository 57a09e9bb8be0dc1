//! Tables: monotone cubic interpolation.
//!
//! The slopes are a const; a look-up is a binary search and a cubic: 10 ns for 5 points and 17 ns for 100 (`cargo
//! bench --bench table`). Computing the slopes at each call would take 45 and 470 ns.

use crate::numbers::external::External;

/// A curve through points of increasing abscissae, once continuously differentiable, which never leaves the range of
/// two neighbouring ordinates between their abscissae.
///
/// Cubic between the points, with the slopes of Fritsch and Butland: in the interior the weighted harmonic mean of the
/// two secants, zero where they differ in sign; at the ends the three-point formula, limited to keep the shape. Outside
/// of the table the curve goes on as its end tangents.
///
/// F. N. Fritsch, J. Butland: A method for constructing local monotone piecewise cubic interpolants, SIAM J. Sci. Stat.
/// Comput. 5 (1984); it satisfies the condition of F. N. Fritsch, R. E. Carlson, SIAM J. Numer. Anal. 17 (1980).
///
/// ```
/// use ode_runtime::Pchip;
///
/// const CURVE: Pchip<3> = Pchip::new([[0.0, 0.0], [1.0, 1.0], [3.0, 2.0]]);
/// assert_eq!(CURVE.derivative(1.0, 0), 1.0);
/// assert_eq!(CURVE.derivative(5.0, 1), CURVE.derivative(3.0, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pchip<const N: usize> {
    points: [[f64; 2]; N],
    slopes: [f64; N],
}

impl<const N: usize> Pchip<N> {
    /// The curve through points [x, y], computed when the program is compiled if it is a `const`. Points that are not
    /// [`increasing`](Self::increasing) give a curve without values: NaN.
    pub const fn new(points: [[f64; 2]; N]) -> Self {
        let mut slopes = [f64::NAN; N];
        if Self::increasing(&points) {
            let mut k = 0;
            while k < N {
                slopes[k] = slope(&points, k);
                k += 1;
            }
        }
        Self { points, slopes }
    }

    /// Are there at least two points, all finite, with increasing abscissae?
    pub const fn increasing(points: &[[f64; 2]; N]) -> bool {
        let mut k = 0;
        while k < N {
            let [x, y] = points[k];
            // false for NaN
            let finite = x.abs() < f64::INFINITY && y.abs() < f64::INFINITY;
            if !finite || (k > 0 && !(points[k - 1][0] < x)) {
                return false;
            }
            k += 1;
        }
        N >= 2
    }

    /// The derivative of order `order` at x, the value for order 0. At a point of the table, derivatives from the
    /// second on are those of its right-hand side.
    pub fn derivative(&self, x: f64, order: usize) -> f64 {
        let (Some(first), Some(last)) = (self.points.first(), self.points.last()) else { return f64::NAN };
        if x < first[0] {
            return line(first, self.slopes[0], x, order);
        }
        if x >= last[0] {
            return line(last, self.slopes[N - 1], x, order);
        }
        // the interval whose left end is not above x; NaN falls into the first
        let k = self.points.partition_point(|p| p[0] <= x).max(1) - 1;
        let ([a, left], [b, right]) = (self.points[k], self.points[k + 1]);
        let (h, s) = (b - a, x - a);
        let (secant, start, end) = ((right - left) / h, self.slopes[k], self.slopes[k + 1]);
        // y = left + s (start + s (c + s d))
        let c = (3.0 * secant - 2.0 * start - end) / h;
        let d = (start + end - 2.0 * secant) / (h * h);
        match order {
            0 => left + s * (start + s * (c + s * d)),
            1 => start + s * (2.0 * c + 3.0 * s * d),
            2 => 2.0 * c + 6.0 * s * d,
            3 => 6.0 * d + 0.0 * s,
            _ => 0.0 * s,
        }
    }
}

impl<const N: usize> External<1> for Pchip<N> {
    fn partial(&self, [x]: [f64; 1], [order]: [usize; 1]) -> f64 {
        self.derivative(x, order)
    }
}

/// The tangent at an end.
fn line([a, y]: &[f64; 2], slope: f64, x: f64, order: usize) -> f64 {
    match order {
        0 => y + slope * (x - a),
        1 => slope,
        _ => 0.0,
    }
}

const fn width<const N: usize>(points: &[[f64; 2]; N], k: usize) -> f64 {
    points[k + 1][0] - points[k][0]
}

const fn secant<const N: usize>(points: &[[f64; 2]; N], k: usize) -> f64 {
    (points[k + 1][1] - points[k][1]) / width(points, k)
}

const fn slope<const N: usize>(points: &[[f64; 2]; N], k: usize) -> f64 {
    if N == 2 {
        return secant(points, 0);
    }
    if k == 0 {
        return end([width(points, 0), width(points, 1)], [secant(points, 0), secant(points, 1)]);
    }
    if k == N - 1 {
        let (near, next) = (N - 2, N - 3);
        return end([width(points, near), width(points, next)], [secant(points, near), secant(points, next)]);
    }
    let ([before, after], [left, right]) =
        ([width(points, k - 1), width(points, k)], [secant(points, k - 1), secant(points, k)]);
    if !(left * right > 0.0) {
        return 0.0;
    }
    let (first, second) = (2.0 * after + before, after + 2.0 * before);
    (first + second) / (first / left + second / right)
}

/// The slope at an end from the widths and secants of its two intervals, the nearer first.
const fn end([near, next]: [f64; 2], [here, there]: [f64; 2]) -> f64 {
    let slope = ((2.0 * near + next) * here - near * there) / (near + next);
    if !(slope * here > 0.0) {
        0.0
    } else if here * there < 0.0 && slope.abs() > 3.0 * here.abs() {
        3.0 * here
    } else {
        slope
    }
}
