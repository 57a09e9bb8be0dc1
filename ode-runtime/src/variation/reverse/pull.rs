//! The transposed equations at a point.

use crate::error::{Cause, Name, Quantity};
use crate::linalg::Square;
use crate::model::layout::{Block, RowKind};
use crate::model::sensitive::Sensitive;
use crate::model::system::{At, Rates};
use crate::numbers::scalar::Scalar;
use crate::solve::solvable::Solvable;
use crate::variation::rows::Places;

/// A covector of the rows at a point, and what it gives by everything that they depend on.
#[derive(Debug)]
pub(super) struct Pull<S: Solvable + Sensitive> {
    /// that of the rows, to write
    pub(super) rows: S::Rows,
    columns: S::Columns,
    /// that of the parameters
    pub(super) parameters: S::P,
    algebra: S::Algebra,
}

impl<S: Solvable + Sensitive> Pull<S> {
    pub(super) fn new(system: &S) -> Self {
        let patterns = system.partial_patterns();
        Self {
            rows: Block::zeros(patterns.states.rows),
            columns: Block::zeros(patterns.states.cols),
            parameters: Block::zeros(patterns.parameters.cols),
            algebra: S::Algebra::new(&system.layout()),
        }
    }

    /// The covectors of (q, v, a, z, λ, u, t) and of the parameters.
    pub(super) fn rows_alone(&mut self, system: &S, at: At<'_, S>, rates: Rates<'_, S>) {
        system.pull_back(at, rates, &self.rows, &mut self.columns, &mut self.parameters);
    }

    /// The same if algebraic variables and the multipliers of compliant rows follow from equations of their own;
    /// `lambda` and `z` are the covectors of those.
    ///
    /// # Errors
    /// [`Cause::Singular`] with an algebraic variable that its equations do not determine.
    pub(super) fn with_dependents(
        &mut self,
        system: &S,
        at: At<'_, S>,
        rates: Rates<'_, S>,
        (lambda, z): (&S::L, &S::Z),
    ) -> Result<(), Cause> {
        let layout = system.layout();
        if layout.kinds.contains(&RowKind::Compliant) {
            self.compliant(system, at, rates, lambda);
        }
        if layout.algebraic > 0 {
            self.algebraic(system, at, rates, z)?;
        }
        self.rows_alone(system, at, rates);
        Ok(())
    }

    /// λ of a compliant row is what its law leaves, over −E.
    fn compliant(&mut self, system: &S, at: At<'_, S>, rates: Rates<'_, S>, lambda: &S::L) {
        let (layout, places) = (system.layout(), Places::of(&system.layout()));
        let compliant = |row: usize| layout.kind(row) == RowKind::Compliant;
        let given = self.rows.clone();
        self.rows.as_mut().fill(S::Real::ZERO);
        let laws = self.rows.as_mut().get_mut(places.accelerations()).unwrap_or_default();
        laws.iter_mut().enumerate().filter(|(row, _)| compliant(*row)).for_each(|(_, law)| *law = S::Real::ONE);
        self.rows_alone(system, at, rates);
        let mut compliance = lambda.clone();
        compliance.as_mut().iter_mut().zip(self.lambda(places)).for_each(|(to, &e)| *to = e);
        self.rows = given;
        self.rows_alone(system, at, rates);
        let columns = self.columns.as_ref().get(places.lambda()..).unwrap_or_default();
        let laws = self.rows.as_mut().get_mut(places.accelerations()).unwrap_or_default();
        let parts = laws.iter_mut().zip(columns).zip(lambda.as_ref()).zip(compliance.as_ref());
        for (_, (((law, &column), &own), &e)) in parts.enumerate().filter(|(row, _)| compliant(*row)) {
            *law -= (own + column) / e;
        }
    }

    /// δy of A δy = −δF, which stands in the rows of s.
    fn algebraic(&mut self, system: &S, at: At<'_, S>, rates: Rates<'_, S>, z: &S::Z) -> Result<(), Cause> {
        let (layout, places) = (system.layout(), Places::of(&system.layout()));
        let (first, n) = (layout.differential(), layout.algebraic);
        self.rows_alone(system, at, rates);
        let mut values = S::Z::zeros(layout.z.len());
        system.algebraic(at, values.as_mut().get_mut(..n).unwrap_or_default(), self.algebra.entries());
        let entries = self.algebra.entries();
        for r in 0..n {
            for c in 0..r {
                if r * n + c < entries.len() {
                    entries.swap(r * n + c, c * n + r);
                }
            }
        }
        let columns = self.columns.as_ref().iter().skip(places.z() + first);
        for ((to, &column), &own) in self.algebra.rhs().iter_mut().zip(columns).zip(z.as_ref().iter().skip(first)) {
            *to = column + own;
        }
        self.algebra.solve().map_err(|singular| Cause::Singular {
            unknown: Quantity::Algebraic,
            name: Name::of(layout.z, first + singular.index),
        })?;
        let rows = self.rows.as_mut().get_mut(places.s()).unwrap_or_default().iter_mut().skip(first);
        rows.zip(self.algebra.rhs()).for_each(|(row, &mut x)| *row += x);
        Ok(())
    }

    fn group(&self, first: usize, count: usize) -> &[S::Real] {
        self.columns.as_ref().get(first..first + count).unwrap_or_default()
    }

    /// That of q.
    pub(super) fn q(&self, places: Places) -> &[S::Real] {
        self.group(0, places.v())
    }

    /// That of v.
    pub(super) fn v(&self, places: Places) -> &[S::Real] {
        self.group(places.v(), places.v())
    }

    /// That of a.
    pub(super) fn a(&self, places: Places) -> &[S::Real] {
        self.group(places.a(), places.v())
    }

    /// That of z.
    pub(super) fn z(&self, places: Places) -> &[S::Real] {
        self.group(places.z(), places.s().len())
    }

    /// That of λ.
    fn lambda(&self, places: Places) -> &[S::Real] {
        self.group(places.lambda(), places.laws().len())
    }

    /// That of u.
    pub(super) fn u(&self, places: Places) -> &[S::Real] {
        self.group(places.u(), places.t() - places.u())
    }

    /// That of t.
    pub(super) fn t(&self, places: Places) -> S::Real {
        self.columns.as_ref().get(places.t()).copied().unwrap_or(S::Real::ZERO)
    }
}
