//! A few undamped modes of a model of any size.

use std::vec::Vec;

use crate::analysis::modes::{Eigenmodes, push};
use crate::analysis::nearest::{Nearest, lowest, near};
use crate::analysis::parts::{Parts, symmetric, unknown};
use crate::analysis::pencil::Pencil;
use crate::analysis::rest::{LinearError, Unsuited, at_rest};
use crate::model::input::Inputs;
use crate::model::layout::{Layout, RowKind};
use crate::model::linearize::Linearize;
use crate::model::state::State;
use crate::numbers::scalar::Real;
use crate::solve::solvable::Solvable;

impl<T: Real> Eigenmodes<T> {
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
}

/// A few undamped modes of a model of any size, by the factors of its own solver.
///
/// The eigenvalues of K y = ω² M y along the displacements that holonomic rows allow, with their geometric stiffness
/// −∂(Gᵀλ)/∂q, that are lowest, or nearest to a shift; shapes have yᵀ M y = 1. Work and memory are those of a few
/// factorisations of a static tangent, and of a solution for each of some ten vectors a mode. Velocities that
/// [`Held`](crate::analysis::Held) holds take no part, while [`Eigenmodes::of`] has them as rigid motions.
///
/// Each result is proved: residuals are small, and the eigenvalues up to the last one are counted by the signs of
/// pivots (Sylvester's law of inertia), so none is missing, of multiple ones either. If there are equal ones beyond the
/// last, they are found too, but not given; where all are asked for, none is beyond them to count. The counts are those
/// of a sparse elimination, or of a dense matrix up to 500 unknowns. Solvers that iterate do not count, nor does one
/// that had to exchange rows; that is an error. An ω² below some 10⁻¹³ of the largest is not told from round-off: it
/// counts as that of a rigid motion, 0.
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
            let mirror = layout.tangent.column(r).find(|(row, _)| *row == c).and_then(|(_, place)| velocity.get(place));
            let sum = *value + mirror.copied().unwrap_or(T::ZERO);
            works |= r >= nv && *value != T::ZERO || sum.abs() > T::EPSILON.sqrt() * value.abs();
        }
        match most > T::ZERO && !self.undamped {
            true => refuse(if works { Unsuited::Damping } else { Unsuited::Gyroscopic }, row),
            false => Ok(()),
        }
    }
}

/// The error, with the name of an unknown of the tangent.
fn unsuited(layout: &Layout<'_>, because: Unsuited, row: usize) -> LinearError {
    LinearError::Unsuited { because, name: unknown(layout, row) }
}
