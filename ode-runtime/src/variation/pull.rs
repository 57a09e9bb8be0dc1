//! The transposed equations at a point.

use core::fmt;

use crate::error::{Cause, Name, Quantity};
use crate::model::layout::{Block, RowKind};
use crate::model::sensitive::Sensitive;
use crate::model::system::{At, Rates};
use crate::numbers::lanes::sum;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::algebraic::Laws;
use crate::solve::solvable::Solvable;
use crate::solve::{Acceleration, dot};
use crate::variation::chain::Solved;
use crate::variation::direction::Direction;
use crate::variation::jacobians::{Jacobians, not_finite};
use crate::variation::rows::Places;

/// A covector of the rows at a point, and what it gives by everything that they depend on.
#[derive(Debug)]
pub(super) struct Pull<S: Solvable + Sensitive> {
    /// that of the rows, to write
    pub(super) rows: S::Rows,
    columns: S::Columns,
    /// that of the parameters
    pub(super) parameters: S::P,
    /// whether that is asked for
    by_parameters: bool,
    laws: Laws<S>,
    pub(super) places: Places,
}

impl<S: Solvable + Sensitive> Pull<S> {
    pub(super) fn new(system: &S, by_parameters: bool) -> Self {
        let patterns = system.partial_patterns();
        Self {
            rows: Block::zeros(patterns.states.rows),
            columns: Block::zeros(patterns.states.cols),
            parameters: Block::zeros(patterns.parameters.cols),
            by_parameters,
            laws: Laws::new(&system.layout()),
            places: Places::of(&system.layout()),
        }
    }

    /// The covectors of (q, v, a, z, λ, u, t) and of the parameters.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] with the name of a row whose derivatives, or whose covector, are not finite.
    pub(super) fn rows_alone(&mut self, system: &S, at: At<'_, S>, rates: Rates<'_, S>) -> Result<(), Cause> {
        system.pull_back(at, rates, &self.rows, &mut self.columns, &mut self.parameters);
        self.finite(system, at, rates)
    }

    /// The covectors that [`Sensitive::curvature`] gives, of products with a vector.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] as [`Pull::rows_alone`]; [`Cause::NotDifferentiable`] of a model without second
    /// derivatives.
    pub(super) fn curvature(
        &mut self,
        system: &S,
        at: At<'_, S>,
        rates: Rates<'_, S>,
        vector: &S::Columns,
    ) -> Result<(), Cause> {
        system.curvature(at, rates, &self.rows, vector, &mut self.columns, &mut self.parameters)?;
        self.finite(system, at, rates)
    }

    fn finite(&self, system: &S, at: At<'_, S>, rates: Rates<'_, S>) -> Result<(), Cause> {
        let parameters = if self.by_parameters { sum(self.parameters.as_ref()) } else { S::Real::ZERO };
        if (sum(self.columns.as_ref()) + parameters).is_finite() { Ok(()) } else { self.explain(system, at, rates) }
    }

    /// Why covectors are not finite, if it is no sum that was too large.
    #[cold]
    fn explain(&self, system: &S, at: At<'_, S>, rates: Rates<'_, S>) -> Result<(), Cause> {
        let parameters = self.parameters.as_ref().iter().filter(|_| self.by_parameters);
        if self.columns.as_ref().iter().chain(parameters).all(|x| x.is_finite()) {
            return Ok(());
        }
        let mut jacobians = Jacobians::zeros(system);
        jacobians.evaluate(system, at, rates, self.by_parameters);
        jacobians.check(system, self.by_parameters)?;
        let rows = self.rows.as_ref();
        let row = rows.iter().position(|x| !x.is_finite()).or_else(|| rows.iter().position(|&x| x != S::Real::ZERO));
        Err(not_finite(&system.layout(), row.unwrap_or_default()))
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
            self.compliant(system, at, rates, lambda)?;
        }
        if layout.algebraic > 0 {
            self.algebraic(system, at, rates, z)?;
        }
        self.rows_alone(system, at, rates)
    }

    /// What covectors of a, ż and λ of equations of motion give, with the factors that gave those; `z` is the covector
    /// of algebraic variables.
    ///
    /// # Errors
    /// As [`Pull::with_dependents`].
    pub(super) fn motion(
        &mut self,
        system: &S,
        acceleration: &mut Acceleration<S>,
        (at, solved): (At<'_, S>, Rates<'_, S>),
        by: Solved<S::V, S::Z, S::L>,
        z: &S::Z,
    ) -> Result<(), Cause> {
        let (layout, Solved { mut a, zdot, mut lambda }) = (system.layout(), by);
        let places = self.places;
        self.rows.as_mut().fill(S::Real::ZERO);
        let rates = zdot.as_ref().get(..layout.differential()).unwrap_or_default();
        negative(self.rows.as_mut(), places.s().start, rates);
        if layout.first_order() {
            // rates may read the velocities that were found
            self.rows_alone(system, at, solved)?;
            a.as_mut().iter_mut().zip(self.v()).for_each(|(a, &x)| *a += x);
        }
        // [M −Gᵀ; G 0] transposed has its signs at the multipliers
        lambda.as_mut().iter_mut().for_each(|x| *x = -*x);
        acceleration.solve(system, &mut a, &mut lambda);
        lambda.as_mut().iter_mut().for_each(|x| *x = -*x);
        negative(self.rows.as_mut(), 0, a.as_ref());
        let laws = self.rows.as_mut().get_mut(places.accelerations()).unwrap_or_default();
        for (row, (law, x)) in laws.iter_mut().zip(lambda.as_mut()).enumerate() {
            if layout.kind(row) != RowKind::Compliant {
                *law = -*x;
            }
        }
        self.with_dependents(system, at, solved, (&lambda, z))
    }

    /// λ of a compliant row is what its law leaves, over −E.
    fn compliant(&mut self, system: &S, at: At<'_, S>, rates: Rates<'_, S>, lambda: &S::L) -> Result<(), Cause> {
        let (layout, places) = (system.layout(), self.places);
        let compliant = |row: usize| layout.kind(row) == RowKind::Compliant;
        let given = self.rows.clone();
        self.rows.as_mut().fill(S::Real::ZERO);
        let laws = self.rows.as_mut().get_mut(places.accelerations()).unwrap_or_default();
        laws.iter_mut().enumerate().filter(|(row, _)| compliant(*row)).for_each(|(_, law)| *law = S::Real::ONE);
        self.rows_alone(system, at, rates)?;
        let mut compliance = lambda.clone();
        compliance.as_mut().iter_mut().zip(self.lambda()).for_each(|(to, &e)| *to = e);
        self.rows = given;
        self.rows_alone(system, at, rates)?;
        let columns = self.columns.as_ref().get(places.lambda()..).unwrap_or_default();
        let laws = self.rows.as_mut().get_mut(places.accelerations()).unwrap_or_default();
        let parts = laws.iter_mut().zip(columns).zip(lambda.as_ref()).zip(compliance.as_ref());
        for (_, (((law, &column), &own), &e)) in parts.enumerate().filter(|(row, _)| compliant(*row)) {
            *law -= (own + column) / e;
        }
        Ok(())
    }

    /// δy of A δy = −δF, which stands in the rows of s.
    fn algebraic(&mut self, system: &S, at: At<'_, S>, rates: Rates<'_, S>, z: &S::Z) -> Result<(), Cause> {
        let (layout, places) = (system.layout(), self.places);
        let (first, n) = (layout.differential(), layout.algebraic);
        self.rows_alone(system, at, rates)?;
        let mut values = S::Z::zeros(layout.z.len());
        self.laws.evaluate(system, at, true, values.as_mut().get_mut(..n).unwrap_or_default());
        let columns = self.columns.as_ref().iter().skip(places.z() + first);
        for ((to, &column), &own) in self.laws.rhs().iter_mut().zip(columns).zip(z.as_ref().iter().skip(first)) {
            *to = column + own;
        }
        self.laws.solve().map_err(|singular| Cause::Singular {
            unknown: Quantity::Algebraic,
            name: Name::of(layout.z, first + singular.index),
        })?;
        let rows = self.rows.as_mut().get_mut(places.s()).unwrap_or_default().iter_mut().skip(first);
        rows.zip(self.laws.rhs()).for_each(|(row, &mut x)| *row += x);
        Ok(())
    }

    fn group(&self, first: usize, count: usize) -> &[S::Real] {
        self.columns.as_ref().get(first..first + count).unwrap_or_default()
    }

    /// That of q.
    pub(super) fn q(&self) -> &[S::Real] {
        let places = self.places;
        self.group(0, places.v())
    }

    /// That of v.
    pub(super) fn v(&self) -> &[S::Real] {
        let places = self.places;
        self.group(places.v(), places.v())
    }

    /// That of a.
    #[cfg(feature = "std")]
    pub(super) fn a(&self) -> &[S::Real] {
        let places = self.places;
        self.group(places.a(), places.v())
    }

    /// That of z.
    pub(super) fn z(&self) -> &[S::Real] {
        let places = self.places;
        self.group(places.z(), places.s().len())
    }

    /// What they give along a direction and δλ.
    pub(super) fn along(&self, d: &Direction<S>, lambda: &S::L) -> S::Real {
        let states = dot(self.q(), d.q.as_ref()) + dot(self.v(), d.v.as_ref());
        let beside = dot(self.u(), d.u.as_ref()) + self.t() * d.t;
        let parameter = d.parameter.and_then(|i| self.parameters.as_ref().get(i).copied());
        states
            + dot(self.z(), d.z.as_ref())
            + dot(self.lambda(), lambda.as_ref())
            + beside
            + parameter.unwrap_or(S::Real::ZERO)
    }

    /// That of λ.
    pub(super) fn lambda(&self) -> &[S::Real] {
        let places = self.places;
        self.group(places.lambda(), places.laws().len())
    }

    /// That of u.
    pub(super) fn u(&self) -> &[S::Real] {
        let places = self.places;
        self.group(places.u(), places.t() - places.u())
    }

    /// That of t.
    pub(super) fn t(&self) -> S::Real {
        self.columns.as_ref().get(self.places.t()).copied().unwrap_or(S::Real::ZERO)
    }
}

/// Writes −x to rows from `first` on.
pub(super) fn negative<T: Scalar>(rows: &mut [T], first: usize, x: &[T]) {
    for (row, &x) in rows.iter_mut().skip(first).zip(x) {
        *row = -x;
    }
}

/// What covectors of a, ż and λ give by all that a motion depends on: [`LinearMotion::vjp`](super::LinearMotion::vjp).
pub struct Pulled<S: Solvable + Sensitive> {
    pub(super) pull: Pull<S>,
    velocities: usize,
    states: usize,
}

impl<S: Solvable + Sensitive> fmt::Debug for Pulled<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pulled").field("q", &self.q()).field("v", &self.v()).finish_non_exhaustive()
    }
}

impl<S: Solvable + Sensitive> Pulled<S> {
    /// Room; `parameters` says whether those by parameters are asked for.
    pub fn new(system: &S, parameters: bool) -> Self {
        let layout = system.layout();
        Self {
            pull: Pull::new(system, parameters),
            velocities: if layout.first_order() { 0 } else { layout.v.len() },
            states: layout.differential(),
        }
    }

    /// by positions, in tangent coordinates, nv
    pub fn q(&self) -> &[S::Real] {
        self.pull.q()
    }

    /// by velocities, nv; none in first-order models
    pub fn v(&self) -> &[S::Real] {
        self.pull.v().get(..self.velocities).unwrap_or_default()
    }

    /// by first-order states without algebraic variables
    pub fn z(&self) -> &[S::Real] {
        self.pull.z().get(..self.states).unwrap_or_default()
    }

    /// by inputs, nu
    pub fn u(&self) -> &[S::Real] {
        self.pull.u()
    }

    /// by time
    pub fn t(&self) -> S::Real {
        self.pull.t()
    }

    /// by parameters
    pub fn parameters(&self) -> &S::P {
        &self.pull.parameters
    }
}
