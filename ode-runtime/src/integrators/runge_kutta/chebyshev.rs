//! Methods of low order with many stages, for strong damping.

use crate::integrators::Tableau;
use crate::integrators::method::Estimates;

/// Runge–Kutta–Chebyshev with `N` stages: explicit steps of order 2 that may be long beside strong dampers.
///
/// Its stability function is a Chebyshev polynomial of degree s = N − 1, shifted so that it stays below one on a long
/// stretch of the negative axis, h |λ| ≤ 0.59 (s² − 1), which is 0.7 of the longest that order 2 allows. Twice as many
/// evaluations make steps four times as long. |λ| is about c/m of a damper at a light mass, and several times that in a
/// mesh. Error control notices a step that is too long. Without it the motion overflows, and the run ends with an
/// error.
///
/// ```text
/// w₀ = 1 + ε/s²,   w₁ = Tₛ′(w₀)/Tₛ″(w₀),   βⱼ = Tⱼ″(w₀)/Tⱼ′(w₀)²,   β₀ = β₂,   β₁ = 1/w₀,   aⱼ = 1 − βⱼ Tⱼ(w₀)
/// Y₀ = y,   Y₁ = y + β₁ w₁ h F₀
/// Yⱼ = (1 − μⱼ − νⱼ) y + μⱼ Yⱼ₋₁ + νⱼ Yⱼ₋₂ + μ̃ⱼ h (Fⱼ₋₁ − aⱼ₋₁ F₀)
/// μⱼ = 2 βⱼ w₀/βⱼ₋₁,   νⱼ = −βⱼ/βⱼ₋₂,   μ̃ⱼ = 2 βⱼ w₁/βⱼ₋₁
/// ```
///
/// Here these sums are multiplied out to rows of a [`Tableau`], which are positive but for their first entries. A step
/// adds some N²/2 rates, so many stages pay where an evaluation costs more than that. Y of the last stage is the end of
/// the step, and its rate is the next step's first. The estimate is the authors', 0.8 (y − y⁺) + 0.4 h (F + F⁺).
///
/// The authors take ε = 2/13. Here ε = 1, which costs a tenth of the reach and makes the stable region higher near
/// zero: from N = 6 on it contains the circle through zero around −2.4/h. Springs with dampers c = τ k have their
/// oscillations on the circle around −1/τ, so these are stable to h = 2.4 τ.
///
/// # Properties
/// Order 2; the estimate behaves as h³. N − 1 evaluations per step, N where a projection moves its end; `N` is from 3
/// to 32. Undamped oscillations grow, from N = 5 on by 0.3 % in a step of half a radian, and less in shorter ones.
///
/// # Reference
/// B. P. Sommeijer, L. F. Shampine, J. G. Verwer, RKC: an explicit solver for parabolic PDEs, J. Comput. Appl. Math. 88
/// (1998) 315–326; J. G. Verwer, W. H. Hundsdorfer, B. P. Sommeijer, Convergence properties of the
/// Runge–Kutta–Chebyshev method, Numerische Mathematik 57 (1990) 157–178.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chebyshev<const N: usize>;

/// ε
const DAMPING: f64 = 1.0;

impl<const N: usize> Chebyshev<N> {
    const ROWS: &'static [[f64; N]; N] = &rows();
}

impl<const N: usize> Tableau for Chebyshev<N> {
    type Stages<X> = [X; N];
    const NAME: &'static str = "Chebyshev";
    const A: &'static [&'static [f64]] = &starts(Self::ROWS);
    const B: &'static [f64] = &Self::ROWS[N - 1];
    const C: &'static [f64] = &sums(Self::ROWS);
    const EMBEDDED: &'static [f64] = &embedded(&Self::ROWS[N - 1]);
    const ORDER: u32 = 2;
}

impl<const N: usize> Estimates for Chebyshev<N> {
    const ERROR_ORDER: u32 = 3;
}

/// Tⱼ, Tⱼ′ and Tⱼ″ at w, for j = 0 … N − 1.
const fn polynomials<const N: usize>(w: f64) -> [[f64; 3]; N] {
    let mut values = [[0.0; 3]; N];
    values[0] = [1.0, 0.0, 0.0];
    values[1] = [w, 1.0, 0.0];
    let mut j = 2;
    while j < N {
        let ([t, d, e], [t2, d2, e2]) = (values[j - 1], values[j - 2]);
        values[j] = [2.0 * w * t - t2, 2.0 * (t + w * d) - d2, 4.0 * d + 2.0 * w * e - e2];
        j += 1;
    }
    values
}

/// The weights of the rates before in each stage, zeros after them.
const fn rows<const N: usize>() -> [[f64; N]; N] {
    assert!(N >= 3, "a Chebyshev method has at least 3 stages");
    let degree = (N - 1) as f64;
    let w0 = 1.0 + DAMPING / (degree * degree);
    let values = polynomials::<N>(w0);
    let w1 = values[N - 1][1] / values[N - 1][2];
    let (mut beta, mut j) = ([1.0 / w0; N], 2);
    while j < N {
        beta[j] = values[j][2] / (values[j][1] * values[j][1]);
        j += 1;
    }
    beta[0] = beta[2];
    let mut rows = [[0.0; N]; N];
    rows[1][0] = beta[1] * w1;
    j = 2;
    while j < N {
        let (mu, nu, rate) =
            (2.0 * beta[j] * w0 / beta[j - 1], -beta[j] / beta[j - 2], 2.0 * beta[j] * w1 / beta[j - 1]);
        let mut k = 0;
        while k < j {
            rows[j][k] = mu * rows[j - 1][k] + nu * rows[j - 2][k];
            k += 1;
        }
        rows[j][j - 1] += rate;
        rows[j][0] -= rate * (1.0 - beta[j - 1] * values[j - 1][0]);
        j += 1;
    }
    rows
}

/// Row i without what follows its first i entries.
const fn starts<const N: usize>(rows: &'static [[f64; N]; N]) -> [&'static [f64]; N] {
    let (mut starts, mut i): ([&'static [f64]; N], usize) = ([&[]; N], 0);
    while i < N {
        starts[i] = rows[i].split_at(i).0;
        i += 1;
    }
    starts
}

/// c, of which the last is one without round-off: the next step's first stage.
const fn sums<const N: usize>(rows: &[[f64; N]; N]) -> [f64; N] {
    let (mut sums, mut i) = ([0.0; N], 0);
    while i < N {
        let mut k = 0;
        while k < i {
            sums[i] += rows[i][k];
            k += 1;
        }
        i += 1;
    }
    sums[N - 1] = 1.0;
    sums
}

/// b̂, so that b − b̂ = −0.8 b with 0.4 more for the first and the last rate.
const fn embedded<const N: usize>(b: &[f64; N]) -> [f64; N] {
    let (mut weights, mut i) = ([0.0; N], 0);
    while i < N {
        weights[i] = 1.8 * b[i];
        i += 1;
    }
    weights[0] -= 0.4;
    weights[N - 1] -= 0.4;
    weights
}
