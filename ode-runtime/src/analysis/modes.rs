//! Eigenmodes: small motions about a state.
//!
//! The solutions e^(λ t) x̂ of the linear system ẋ = A x. If damping is zero and K symmetric, they are those of
//!
//! ```text
//! ZᵀK Z y = ω² ZᵀM Z y,   λ = ± i ω
//! ```
//!
//! solved as a symmetric problem, so that frequencies are real and shapes orthonormal in M; otherwise those of A.
//!
//! [`Eigenmodes::of`] finds all of them in dense matrices, [`Modal`](crate::analysis::Modal) a few by the factors of
//! the model.
//!
//! Reference: F. Tisseur, K. Meerbergen, The quadratic eigenvalue problem, SIAM Review 43 (2001) 235–286.

use std::borrow::ToOwned;
use std::string::String;
use std::vec::Vec;

use crate::analysis::linear::Linearization;
use crate::analysis::rest::LinearError;
use crate::linalg::{Complex, DVector, Matrix, eigenvector, spectrum, symmetric_modes};
use crate::model::input::Inputs;
use crate::model::layout::Layout;
use crate::model::linearize::Linearize;
use crate::model::state::State;
use crate::numbers::scalar::Real;
use crate::solve::solvable::Solvable;

/// One mode: e^(λ t) times a shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Eigenmode<T> {
    /// λ; of a conjugate pair the one above the real axis
    pub eigenvalue: Complex<T>,
    /// (δq, δz), δq in tangent coordinates: see [`Eigenmodes::names`]
    pub shape: DVector<Complex<T>>,
}

impl<T: Real> Eigenmode<T> {
    /// |λ|: the angular frequency without damping.
    pub fn frequency(&self) -> T {
        let Complex { re, im } = self.eigenvalue;
        (re * re + im * im).sqrt()
    }

    /// −Re λ/|λ|: 1 for critical damping and above, negative for a growing mode; zero for λ = 0.
    pub fn damping(&self) -> T {
        let size = self.frequency();
        if size > T::ZERO { -self.eigenvalue.re / size } else { T::ZERO }
    }
}

/// The modes beside a state, frequencies ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct Eigenmodes<T> {
    /// a name for each entry of a shape: its velocity, or its coordinate if each has its own velocity; then z
    pub names: Vec<String>,
    /// the modes; a rigid motion, λ = 0, once
    pub modes: Vec<Eigenmode<T>>,
}

impl<T: Real> Eigenmodes<T> {
    /// The modes at `x`, an equilibrium with its λ; `rest` is the speed and acceleration up to which the state counts
    /// as at rest.
    ///
    /// # Errors
    /// [`LinearError`] naming what moves, or is undetermined.
    pub fn of<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        system: &S,
        inputs: &U,
        x: &State<S>,
        rest: T,
    ) -> Result<Self, LinearError> {
        let linear = Linearization::of(system, inputs, x, rest)?;
        let layout = system.layout();
        let modes = match undamped(&linear) {
            Some(modes) => modes,
            None => general(&linear, layout.v.len())?,
        };
        Ok(Self::sorted(&layout, modes))
    }

    pub(super) fn sorted(layout: &Layout<'_>, mut modes: Vec<Eigenmode<T>>) -> Self {
        let names = layout.directions.iter().chain(layout.z).map(|&name| name.to_owned()).collect();
        modes.sort_by(|a, b| a.frequency().partial_cmp(&b.frequency()).unwrap_or(core::cmp::Ordering::Equal));
        Self { names, modes }
    }

    /// The largest Re λ: if it is positive, the state is unstable.
    #[must_use]
    pub fn growth(&self) -> T {
        self.modes.iter().fold(-T::INFINITY, |growth, mode| growth.max(mode.eigenvalue.re))
    }

    /// |λ|, ascending: angular frequencies of oscillations. For modes that creep or grow |λ| is a rate, not a frequency:
    /// [`Eigenmodes::growth`] tells whether something does.
    pub fn frequencies(&self) -> Vec<T> {
        self.modes.iter().map(Eigenmode::frequency).collect()
    }
}

/// The modes of the symmetric problem, if it is one.
fn undamped<T: Real>(linear: &Linearization<T>) -> Option<Vec<Eigenmode<T>>> {
    let (m, d, k) = (&linear.reduced.m, &linear.reduced.d, &linear.reduced.k);
    let n = k.rows();
    let small = |a: T, b: T| a <= T::from_f64(1e3) * T::EPSILON * b;
    let skew = Matrix::from_fn(n, n, |r, c| k[(r, c)] - k[(c, r)]).norm();
    if !linear.reduced.mechanical || !small(skew, k.norm()) || d.norm() != T::ZERO {
        return None;
    }
    let (squares, vectors) = symmetric_modes(m, k)?;
    let (scale, mut modes) = (squares.iter().fold(T::ZERO, |s, x| s.max(x.abs())), Vec::new());
    // W = Z here, so that w is ẏ, and δq = Z y.
    let shapes = Matrix::from(&linear.shape).block(0..linear.shape.nrows() / 2, 0..n).times(&vectors);
    for (i, &square) in squares.iter().enumerate() {
        push(&mut modes, square, scale, (0..shapes.rows()).map(|r| shapes[(r, i)]));
    }
    Some(modes)
}

/// Adds the mode of an eigenvalue ω², or the two of a negative one; a rigid one of what is round-off of `scale`.
pub(super) fn push<T: Real>(modes: &mut Vec<Eigenmode<T>>, square: T, scale: T, shape: impl Iterator<Item = T>) {
    let shape: Vec<_> = shape.map(|re| Complex { re, im: T::ZERO }).collect();
    let shape = DVector::from_vec(shape);
    let root = square.abs().sqrt();
    let rigid = square.abs() <= T::from_f64(1e3) * T::EPSILON * scale || root == T::ZERO;
    if rigid || square > T::ZERO {
        let im = if rigid { T::ZERO } else { root };
        modes.push(Eigenmode { eigenvalue: Complex { re: T::ZERO, im }, shape });
    } else {
        modes.push(Eigenmode { eigenvalue: Complex { re: -root, im: T::ZERO }, shape: shape.clone() });
        modes.push(Eigenmode { eigenvalue: Complex { re: root, im: T::ZERO }, shape });
    }
}

/// The modes of A.
fn general<T: Real>(linear: &Linearization<T>, nv: usize) -> Result<Vec<Eigenmode<T>>, LinearError> {
    let a = Matrix::from(&linear.a);
    let values = spectrum(&a).ok_or(LinearError::Eigenvalues)?;
    let rows = linear.shape.nrows();
    // δq and δz, without δv
    let places: Vec<usize> = (0..nv).chain(2 * nv..rows).collect();
    let above = values.into_iter().filter(|&(_, im)| im >= T::ZERO);
    let mode = |(seed, value): (usize, (T, T))| {
        let x = eigenvector(&a, value, seed).ok_or(LinearError::Eigenvalues)?;
        let entry = |row: usize, part: &dyn Fn(&(T, T)) -> T| {
            x.iter().enumerate().fold(T::ZERO, |s, (c, z)| s + linear.shape[(row, c)] * part(z))
        };
        let shape = DVector::from_fn(places.len(), |i, _| Complex {
            re: entry(places[i], &|z| z.0),
            im: entry(places[i], &|z| z.1),
        });
        let (re, im) = value;
        Ok(Eigenmode { eigenvalue: Complex { re, im }, shape })
    };
    above.enumerate().map(mode).collect()
}
