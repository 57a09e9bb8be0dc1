//! The stability of an equilibrium by its stiffness or its linear system.
use std::vec::Vec;

use crate::analysis::linear::{Blocks, Descriptor, Mechanics, small_enough};
use crate::analysis::rest::LinearError;
use crate::analysis::statics::pivots::by_pivots;
use crate::analysis::statics::stability::{Criterion, Evidence, Stability};
use crate::error::{Cause, Name, Quantity};
use crate::linalg::{Matrix, balanced, eigenvector, spectrum, symmetric_modes};
use crate::model::input::Inputs;
use crate::model::layout::Layout;
use crate::model::linearize::Linearize;
use crate::model::state::State;
use crate::numbers::scalar::Real;
use crate::solve::solvable::Solvable;
use crate::solve::worst;

/// Unknowns up to which models are dense unless they say otherwise.
const SMALL: usize = 127;

/// The symmetric part of a form in reduced coordinates y, by eigenvectors of C^(−½) A C^(−½).
pub(super) struct Form<T> {
    /// eigenvalues, ascending
    pub(super) values: Vec<T>,
    vectors: Matrix<T>,
    /// roots of the diagonal of C
    roots: Vec<T>,
    /// the largest eigenvalue of the skew part in the same metric
    skew: T,
}

impl<T: Real> Form<T> {
    /// The form of `a`, which is Wᵀ`whole` W plus eliminated terms; none if eigenvalues are not found.
    pub(super) fn of(a: &Matrix<T>, whole: &Matrix<T>, w: &Matrix<T>) -> Option<Self> {
        let n = a.rows();
        let magnitude = |a: &Matrix<T>| Matrix::from_fn(a.rows(), a.cols(), |r, c| a[(r, c)].abs());
        let terms = magnitude(&w.transpose()).times(&magnitude(whole)).times(&magnitude(w));
        let sum = |r: usize| (0..n).fold(T::ZERO, |s, c| s + terms[(r, c)].max(a[(r, c)].abs()));
        let root = |sum: T| if sum > T::ZERO { sum.sqrt() } else { T::ONE };
        let roots: Vec<T> = (0..n).map(|r| root(sum(r))).collect();
        let scaled = Matrix::from_fn(n, n, |r, c| a[(r, c)] / (roots[r] * roots[c]));
        if !scaled.norm().is_finite() {
            return None;
        }
        let half = T::from_f64(0.5);
        let symmetric = Matrix::from_fn(n, n, |r, c| half * (scaled[(r, c)] + scaled[(c, r)]));
        let skew = Matrix::from_fn(n, n, |r, c| half * (scaled[(r, c)] - scaled[(c, r)])).norm();
        let (values, vectors) = symmetric_modes(&Matrix::identity(n), &symmetric)?;
        Some(Self { values, vectors, roots, skew })
    }

    /// What counts as zero.
    pub(super) fn zero(&self) -> T {
        T::from_f64(1e3) * T::EPSILON * T::from_f64(self.values.len() as f64)
    }

    pub(super) fn symmetric(&self) -> bool {
        self.skew <= T::EPSILON.sqrt()
    }

    /// How many eigenvalues are positive, negative and zero.
    pub(super) fn inertia(&self) -> (usize, usize, usize) {
        let count = |of: &dyn Fn(T) -> bool| self.values.iter().filter(|&&x| of(x)).count();
        (count(&|x| x > self.zero()), count(&|x| x < -self.zero()), count(&|x| x.abs() <= self.zero()))
    }

    /// The least direction as a displacement of the coordinates, of length 1; none if nothing moves.
    pub(super) fn softest(&self, w: &Matrix<T>) -> Option<Vec<T>> {
        let y: Vec<T> = self.roots.iter().enumerate().map(|(i, &root)| self.vectors[(i, 0)] / root).collect();
        let u = w.apply(&y);
        let length = u.iter().fold(T::ZERO, |s, &x| s + x * x).sqrt();
        (length > T::ZERO).then(|| u.iter().map(|&x| x / length).collect())
    }

    /// The matrix that changes the eigenvalues x of the form to f(x): C^(½) V diag(f(x) − x) Vᵀ C^(½).
    pub(super) fn shift(&self, f: impl Fn(T) -> T) -> Matrix<T> {
        let n = self.values.len();
        let half = Matrix::from_fn(n, n, |r, c| self.roots[r] * self.vectors[(r, c)]);
        let scaled = Matrix::from_fn(n, n, |r, c| half[(r, c)] * (f(self.values[c]) - self.values[c]));
        scaled.times(&half.transpose())
    }
}

/// The stability of an equilibrium with its λ.
///
/// # Errors
/// [`LinearError`] if stiffness does not decide and there is no linear system.
pub(super) fn judge<S: Solvable<Real = T> + Linearize, U: Inputs<S>, T: Real>(
    system: &S,
    inputs: &U,
    x: &State<S>,
) -> Result<(Stability, Evidence<T>), LinearError> {
    let layout = system.layout();
    if layout.tangent.rows > SMALL
        && let Some(found) = by_pivots(system, inputs, x)?
    {
        return Ok(found);
    }
    small_enough(&layout)?;
    let blocks = Blocks::evaluate(system, inputs, x).map_err(LinearError::Evaluation)?.allowed();
    let none = Matrix::zeros(layout.v.len() + layout.z.len(), 0);
    let descriptor = blocks.descriptor(&layout, &none);
    let parts = descriptor.mechanics(&layout)?;
    // States that do not act on the motion are judged separately.
    let alone = parts.pull.norm() == T::ZERO;
    if alone && let Some((mut stability, mut evidence)) = by_stiffness(&layout, &blocks, &parts)? {
        if parts.rates.rows() > 0 {
            let names = layout.z.get(..layout.differential()).unwrap_or_default();
            let (states, rates) = by_rates(&parts.rates, names.len(), |i| Name::of(names, i), |row, x| x[row])?;
            if worse(states, stability) {
                (stability, evidence) = (states, rates);
            }
        }
        return Ok((stability, evidence));
    }
    by_motion(&layout, &blocks, descriptor)
}

/// Whether the first is the more serious.
fn worse(a: Stability, b: Stability) -> bool {
    let rank = |s| match s {
        Stability::Unstable => 3,
        Stability::Indifferent => 2,
        Stability::Marginal => 1,
        _ => 0,
    };
    rank(a) > rank(b)
}

/// `None` if stiffness does not decide.
fn by_stiffness<T: Real>(
    layout: &Layout<'_>,
    blocks: &Blocks<T>,
    parts: &Mechanics<T>,
) -> Result<Option<(Stability, Evidence<T>)>, LinearError> {
    let (whole, w) = (blocks.motion(), &blocks.w);
    let form = |a: &Matrix<T>, whole: &Matrix<T>| Form::of(a, whole, w).ok_or_else(|| unfinite(layout, a));
    let (m, d, k) = (form(&parts.m, &whole.0)?, form(&parts.d, &whole.1)?, form(&parts.k, &whole.2)?);
    let feeds = m.inertia().1 > 0 || d.inertia().1 > 0;
    let (positive, negative, zero) = k.inertia();
    // A gyroscopic force has no effect if all motions that it couples are held.
    let gyroscopic = negative > 0 && !d.symmetric();
    if !k.symmetric() || feeds || gyroscopic || layout.first_order() && !d.symmetric() {
        return Ok(None);
    }
    let stability = match (negative, zero) {
        (0, 0) => Stability::Stable,
        (0, _) => Stability::Indifferent,
        _ => Stability::Unstable,
    };
    let (mut least, mut moves) = (T::INFINITY, Name::new(""));
    if let Some(u) = k.softest(w) {
        let y = w.transpose().apply(&u);
        least = parts.k.apply(&y).iter().zip(&y).fold(T::ZERO, |s, (&a, &b)| s + a * b);
        moves = Name::of(layout.directions, worst(&u).0);
    }
    Ok(Some((stability, Evidence { by: Criterion::Stiffness, positive, negative, zero, least, moves })))
}

fn unfinite<T: Real>(layout: &Layout<'_>, a: &Matrix<T>) -> LinearError {
    let n = a.cols().max(1);
    let row = a.entries().iter().position(|x| !x.is_finite()).map_or(0, |k| k / n);
    LinearError::Evaluation(Cause::NonFinite { quantity: Quantity::Force, name: Name::of(layout.directions, row) })
}

fn by_motion<T: Real>(
    layout: &Layout<'_>,
    blocks: &Blocks<T>,
    descriptor: Descriptor<T>,
) -> Result<(Stability, Evidence<T>), LinearError> {
    let linear = descriptor.reduce(layout, blocks)?;
    let nv = layout.v.len();
    let name = |i: usize| if i < nv { Name::of(layout.directions, i) } else { Name::of(layout.z, i - nv) };
    // δq and δz, without δv
    let row = |i: usize| if i < nv { i } else { nv + i };
    let entry = |i: usize, x: &[T]| {
        if i >= nv + layout.z.len() {
            return T::ZERO;
        }
        (0..x.len()).fold(T::ZERO, |s, c| s + linear.shape[(row(i), c)] * x[c])
    };
    by_rates(&Matrix::from(&linear.a), nv + layout.z.len(), name, entry)
}

/// The eigenvalues of ẋ = A x; `entry` gives the named unknown `i` of `count` of an eigenvector's real or imaginary
/// part.
fn by_rates<T: Real>(
    a: &Matrix<T>,
    count: usize,
    name: impl Fn(usize) -> Name,
    entry: impl Fn(usize, &[T]) -> T,
) -> Result<(Stability, Evidence<T>), LinearError> {
    if !a.norm().is_finite() {
        return Err(LinearError::Eigenvalues);
    }
    let values = spectrum(a).ok_or(LinearError::Eigenvalues)?;
    let size = balanced(a).norm() * T::from_f64(a.rows() as f64);
    // A simple eigenvalue is accurate to round-off, a double one to its square root.
    let (fine, coarse) = (T::from_f64(1e2) * T::EPSILON * size, T::from_f64(4.0) * T::EPSILON.sqrt() * size);
    let apart = |i: usize, j: usize| (values[i].0 - values[j].0).hypot(values[i].1 - values[j].1);
    let alone = |i: usize| (0..values.len()).all(|j| j == i || apart(i, j) > coarse);
    let unsure = |i: usize| if alone(i) { fine } else { coarse };
    let (mut positive, mut negative, mut still) = (0, 0, 0);
    for (i, &(re, im)) in values.iter().enumerate() {
        match re {
            re if re < -unsure(i) => positive += 1,
            re if re > unsure(i) => negative += 1,
            re if re.hypot(im) <= unsure(i) => still += 1,
            _ => {}
        }
    }
    let zero = values.len() - positive - negative;
    let stability = match (negative, still, zero) {
        (0, 0, 0) => Stability::Stable,
        (0, 0, _) => Stability::Marginal,
        (0, ..) => Stability::Indifferent,
        _ => Stability::Unstable,
    };
    let (mut least, mut moves) = (T::INFINITY, Name::new(""));
    if let Some(last) = (0..values.len()).reduce(|i, j| if values[j].0 > values[i].0 { j } else { i }) {
        least = -values[last].0;
        // without a vector there is no name
        if let Some(x) = eigenvector(a, values[last], last) {
            let (re, im): (Vec<T>, Vec<T>) = x.into_iter().unzip();
            let sizes: Vec<T> = (0..count).map(|i| entry(i, &re).hypot(entry(i, &im))).collect();
            moves = name(worst(&sizes).0);
        }
    }
    Ok((stability, Evidence { by: Criterion::Motion, positive, negative, zero, least, moves }))
}
