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
//! [`Eigenmodes::of`] finds all of them in dense matrices. [`Modal`] finds a few of a model of any size by the model's own
//! factors, and proves that none is missing.
//!
//! Reference: F. Tisseur, K. Meerbergen, The quadratic eigenvalue problem, SIAM Review 43 (2001) 235–286.

use std::borrow::ToOwned;
use std::string::String;
use std::vec::Vec;

use crate::analysis::linear::Linearization;
use crate::analysis::nearest::{Nearest, lowest, near};
use crate::analysis::pencil::{Parts, Pencil, symmetric};
use crate::analysis::rest::{LinearError, Unsuited, at_rest};
use crate::error::Name;
use crate::linalg::{Complex, DVector, Matrix, eigenvector, spectrum, symmetric_modes};
use crate::model::input::Inputs;
use crate::model::layout::{Layout, RowKind};
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

    /// The `count` lowest modes, by [`Modal`].
    ///
    /// # Errors
    /// As [`Modal::solve`].
    pub fn lowest<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        system: &S,
        inputs: &U,
        x: &State<S>,
        rest: T,
        count: usize,
    ) -> Result<Self, LinearError> {
        Modal { count, near: None, undamped: false }.solve(system, inputs, x, rest)
    }

    /// The `count` modes whose ω² is nearest to `shift`, by [`Modal`].
    ///
    /// # Errors
    /// As [`Modal::solve`].
    pub fn near<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        system: &S,
        inputs: &U,
        x: &State<S>,
        rest: T,
        shift: T,
        count: usize,
    ) -> Result<Self, LinearError> {
        Modal { count, near: Some(shift), undamped: false }.solve(system, inputs, x, rest)
    }

    fn sorted(layout: &Layout<'_>, mut modes: Vec<Eigenmode<T>>) -> Self {
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

/// Adds the mode of an eigenvalue ω², or the two of a negative one; of those that are round-off of `scale`, a rigid one.
fn push<T: Real>(modes: &mut Vec<Eigenmode<T>>, square: T, scale: T, shape: impl Iterator<Item = T>) {
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

/// A few undamped modes of a model of any size, by the factors of its own solver.
///
/// The eigenvalues of K y = ω² M y along the displacements that holonomic rows allow, with their geometric stiffness
/// −∂(Gᵀλ)/∂q, that are lowest, or nearest to a shift; shapes have yᵀ M y = 1. Velocities that
/// [`Held`](crate::analysis::Held) holds take no part, while [`Eigenmodes::of`] has them as rigid motions. Work and memory are those of a few
/// factorisations of a static tangent, and of a solution for each of some ten vectors a mode.
///
/// Each result is proved: residuals are small, and the eigenvalues up to the last one are counted by the signs of pivots
/// (Sylvester's law of inertia), so none is missing, of multiple ones either. The counts are those of a sparse
/// elimination, or of a dense matrix up to 500 unknowns. Other solvers do not count, as those that iterate; nor does one
/// that had to exchange rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modal<T> {
    /// how many eigenvalues: a negative one has two modes, e^(± t √−ω²)
    pub count: usize,
    /// the ω² that they are nearest to; if there is none, the lowest are sought, negative ones included
    pub near: Option<T>,
    /// whether forces that depend on velocities are left out, instead of refused
    pub undamped: bool,
}

impl<T: Real> Modal<T> {
    /// The modes at `x`, an equilibrium with its λ, as for [`Eigenmodes::of`]. Where the lowest are sought,
    /// [`Eigenmodes::growth`] is that of all.
    ///
    /// # Errors
    /// [`LinearError`] naming what moves, or is undetermined; [`LinearError::Unsuited`] with what is damped, has no
    /// potential, or no accelerations; [`LinearError::TooFew`] if there are not as many modes; [`LinearError::Shift`],
    /// [`LinearError::Unconverged`], [`LinearError::Uncounted`], [`LinearError::Inexact`] if not all could be found.
    pub fn solve<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        &self,
        system: &S,
        inputs: &U,
        x: &State<S>,
        rest: T,
    ) -> Result<Eigenmodes<T>, LinearError> {
        let (layout, x) = (system.layout(), &x.entered(system).map_err(LinearError::Evaluation)?);
        let parts = Parts::evaluate(system, inputs, x).map_err(LinearError::Evaluation)?;
        let (mut k, m) = (parts.position.clone(), parts.rates.clone());
        let sums = Parts::<S>::sums(&layout, &k);
        at_rest(system, inputs, x, rest, &sums)?;
        self.suits(&layout, &parts.velocity)?;
        // no equilibrium is exact
        symmetric(&layout, &mut k, &sums, T::EPSILON.sqrt())
            .map_err(|row| unsuited(&layout, Unsuited::Unsymmetric, row))?;
        let mut pencil = Pencil::<S>::new(layout, parts.into_solver(), k, m);
        let Nearest { values, vectors } = match self.near {
            _ if self.count == 0 => return Ok(Eigenmodes::sorted(&layout, Vec::new())),
            Some(shift) => near(&mut pencil, shift, self.count)?,
            None => lowest(&mut pencil, self.count)?,
        };
        let (scale, mut modes) = (pencil.scale(), Vec::new());
        for (square, shape) in values.into_iter().zip(vectors) {
            push(&mut modes, square, scale, shape.into_iter());
        }
        Ok(Eigenmodes::sorted(&layout, modes))
    }

    /// Refuses models with other small motions; `velocity` are the values of D.
    fn suits(&self, layout: &Layout<'_>, velocity: &[T]) -> Result<(), LinearError> {
        let refuse = |because, row| Err(unsuited(layout, because, row));
        let nv = layout.v.len();
        let rolls = |&row: &usize| layout.kind(row) == RowKind::Nonholonomic;
        if layout.first_order() {
            return refuse(Unsuited::FirstOrder, 0);
        }
        if !layout.z.is_empty() {
            return refuse(Unsuited::States, nv);
        }
        if let Some(row) = (0..layout.constraints.len()).find(rolls) {
            return refuse(Unsuited::Nonholonomic, nv + row);
        }
        let places = layout.tangent.entries().zip(velocity);
        let (mut most, mut row, mut works) = (T::ZERO, 0, false);
        for ((r, c), value) in places {
            if value.abs() > most {
                (most, row) = (value.abs(), r);
            }
            works |= (r == c || r >= nv) && *value != T::ZERO;
        }
        match most > T::ZERO && !self.undamped {
            true => refuse(if works { Unsuited::Damping } else { Unsuited::Gyroscopic }, row),
            false => Ok(()),
        }
    }
}

/// The error, with the name of an unknown of the tangent.
fn unsuited(layout: &Layout<'_>, because: Unsuited, row: usize) -> LinearError {
    let nv = layout.v.len();
    let states = nv + layout.z.len();
    let name = match row {
        row if row < nv => Name::of(layout.directions, row),
        row if row < states => Name::of(layout.z, row - nv),
        row => Name::of(layout.constraints, row - states),
    };
    LinearError::Unsuited { because, name }
}
