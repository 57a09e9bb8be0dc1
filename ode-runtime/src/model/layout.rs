//! Names, sizes and patterns of a model, and the blocks of its numbers.

use core::fmt::Debug;

use crate::error::unknown::{asks_for, rate_of};
use crate::numbers::lanes::Lanes;
use crate::numbers::scalar::Scalar;

/// A named block of numbers: coordinates, velocities, nonzeros of a matrix. An array, or a `Vec` for sets of run-time
/// size.
pub trait Block<T>: Clone + Debug + PartialEq + AsRef<[T]> + AsMut<[T]> {
    /// A block of zeros; `len` is that of the layout and is ignored by arrays, which know theirs.
    fn zeros(len: usize) -> Self;
}

impl<T: Scalar, const N: usize> Block<T> for [T; N] {
    fn zeros(_len: usize) -> Self {
        [T::ZERO; N]
    }
}

impl<T: Scalar, const N: usize> Block<Lanes<T>> for [Lanes<T>; N] {
    fn zeros(_len: usize) -> Self {
        [Lanes::ZERO; N]
    }
}

#[cfg(feature = "std")]
impl<T: Scalar> Block<T> for std::vec::Vec<T> {
    fn zeros(len: usize) -> Self {
        std::vec![T::ZERO; len]
    }
}

#[cfg(feature = "std")]
impl<T: Scalar> Block<Lanes<T>> for std::vec::Vec<Lanes<T>> {
    fn zeros(len: usize) -> Self {
        std::vec![Lanes::ZERO; len]
    }
}

/// Which way a guard must cross zero for its event to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// from above: `when a < b`, with the guard a − b
    Falling,
    /// from below: `when a > b`
    Rising,
    /// both: `when a == b`
    Either,
}

/// An event of a model: see [`System::guards`](crate::System::guards) and [`System::reset`](crate::System::reset).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event<'a> {
    /// its name
    pub name: &'a str,
    /// which way its guard must cross zero
    pub crossing: Crossing,
    /// whether the run ends with it (`stop;`)
    pub stops: bool,
}

/// A compressed-column sparsity pattern; row indices ascend in each column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern<'a> {
    /// number of rows
    pub rows: usize,
    /// number of columns
    pub cols: usize,
    /// column c owns the nonzeros `starts[c]..starts[c + 1]`; `cols + 1` entries
    pub starts: &'a [usize],
    /// row of each nonzero
    pub indices: &'a [usize],
}

impl Pattern<'_> {
    /// That of a matrix without rows and columns.
    pub const NONE: Pattern<'static> = Pattern { rows: 0, cols: 0, starts: &[0], indices: &[] };

    /// Number of structural nonzeros.
    #[inline]
    pub const fn nnz(&self) -> usize {
        self.indices.len()
    }

    /// (row, column) of each nonzero, in storage order.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize)> + Clone + '_ {
        Entries { pattern: *self, column: 0, place: 0 }
    }

    /// (row, column) of the nonzero at a place.
    pub(crate) fn entry(&self, place: usize) -> Option<(usize, usize)> {
        let row = *self.indices.get(place)?;
        Some((row, self.starts.partition_point(|&start| start <= place).checked_sub(1)?))
    }

    /// The row of each nonzero of a column, with its place in storage order.
    pub(crate) fn column(&self, column: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let (from, to) = (self.starts.get(column), self.starts.get(column + 1));
        let places = from.copied().unwrap_or(0)..to.copied().unwrap_or(0);
        self.indices.get(places.clone()).unwrap_or_default().iter().copied().zip(places)
    }
}

/// The nonzeros from a place on. A type of its own: nested adaptors would be compiled for each use.
#[derive(Clone)]
struct Entries<'a> {
    pattern: Pattern<'a>,
    column: usize,
    place: usize,
}

impl Iterator for Entries<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let row = *self.pattern.indices.get(self.place)?;
        while *self.pattern.starts.get(self.column + 1)? <= self.place {
            self.column += 1;
        }
        self.place += 1;
        Some((row, self.column))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.pattern.indices.len() - self.place;
        (left, Some(left))
    }
}

impl Pattern<'_> {
    /// Calls `place(row, column, value)` for each nonzero, in storage order; the compiler unrolls this loop better than
    /// [`Pattern::entries`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn visit<T: Copy>(&self, values: &[T], mut place: impl FnMut(usize, usize, T)) {
        for column in 0..self.cols {
            let (from, to) = (self.starts[column], self.starts[column + 1]);
            for (&row, &value) in self.indices[from..to].iter().zip(&values[from..to]) {
                place(row, column, value);
            }
        }
    }
}

/// What a constraint row restricts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowKind {
    /// Φ(q, t) = 0
    Holonomic,
    /// ψ = A(q, t) v + b(q, t) = 0: its row of G is A, and its γ is ψ̇ without acceleration
    Nonholonomic,
    /// Φ + τ Φ̇ + E λ = 0 or ψ + E λ = 0, E > 0: a force, with no nonzero in [`Layout::jacobian`].
    /// [`Forward`](crate::Forward) adds Gᵀλ to f and writes γ = −λ; in [`Residual`](crate::Residual) and the tangent it
    /// is a row like the others, with E on its diagonal
    Compliant,
}

/// What the equations of motion determine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// M(q) a = f + Gᵀ λ: accelerations
    #[default]
    Second,
    /// D(q) v = f(q, t, z, u) + Gᵀ λ with G v + Φₜ = 0: velocities; there are no accelerations.
    ///
    /// `Forward` has D instead of M, f without v, and Φₜ instead of γ; r = D v − f − Gᵀ λ does not depend on a. The
    /// velocities of a state follow from its q and t, and its a is zero.
    First,
}

/// Names, sizes and patterns of a system: static for generated dense models, borrowed from the mesh for families.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    /// name of the model
    pub name: &'a str,
    /// a name for each entry of q, such as `th`, `r.x`, `arm[1]`
    pub q: &'a [&'a str],
    /// a name for each entry of v: its own, or `der(th)` of the coordinate's
    pub v: &'a [&'a str],
    /// a name for each direction of motion, nv, as steps, forces and accelerations have them: that of the coordinate it
    /// moves, or of the velocity where that is the rate of none
    pub directions: &'a [&'a str],
    /// a name for each entry of a step q ⊕ step, nv: the coordinate that it moves, or `att.step.x` of a rotation `att`;
    /// unlike those of directions, none is the name of a velocity
    pub steps: &'a [&'a str],
    /// a name for each entry of z
    pub z: &'a [&'a str],
    /// number of algebraic entries, the last of z: they have no rate, and 0 = F instead of ż = g
    pub algebraic: usize,
    /// ∂F/∂y by the algebraic variables, `algebraic` rows and columns
    pub algebraic_jacobian: Pattern<'a>,
    /// a name for each input
    pub u: &'a [&'a str],
    /// a name for each output, [`Differentiable::outputs`](crate::Differentiable::outputs)
    pub outputs: &'a [&'a str],
    /// a name for each mode
    pub modes: &'a [&'a str],
    /// the events, in the order in which simultaneous events happen
    pub events: &'a [Event<'a>],
    /// a name for each constraint row
    pub constraints: &'a [&'a str],
    /// a name for each multiplier: `rod.lambda`, and `weld.lambda.x` of the row `weld.x`
    pub multipliers: &'a [&'a str],
    /// kind of each constraint row
    pub kinds: &'a [RowKind],
    /// a name for each exact initial condition on positions
    pub init_position: &'a [&'a str],
    /// a name for each exact initial condition on velocities
    pub init_velocity: &'a [&'a str],
    /// ∂/∂q of the conditions on positions, along directions of motion: nv columns
    pub init_position_jacobian: Pattern<'a>,
    /// ∂/∂v of the conditions on velocities, nv columns
    pub init_velocity_jacobian: Pattern<'a>,
    /// lower triangle of M, nv × nv
    pub mass: Pattern<'a>,
    /// G, nc × nv
    pub jacobian: Pattern<'a>,
    /// the bordered tangent, unknowns and rows ordered (v, z, λ): see [`Linearize::tangent`](crate::Linearize::tangent)
    pub tangent: Pattern<'a>,
    /// whether the equations determine accelerations or velocities
    pub order: Order,
    /// M does not depend on q, v or t
    pub constant_mass: bool,
    /// some Φ depends on t
    pub rheonomic: bool,
}

impl<'a> Layout<'a> {
    /// Number of states with a rate.
    #[inline]
    pub(crate) const fn differential(&self) -> usize {
        self.z.len().saturating_sub(self.algebraic)
    }

    /// How many entries of a state may be chosen: q in tangent coordinates, v, and z without algebraic variables; in
    /// first-order models q and z. The others follow from them.
    pub const fn state_directions(&self) -> usize {
        let moving = if self.first_order() { 0 } else { self.v.len() };
        self.v.len() + moving + self.differential()
    }

    /// A name for each of [`Layout::state_directions`].
    pub fn state_direction_names(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        let moving = if self.first_order() { &[] } else { self.v };
        let states = self.z.get(..self.differential()).unwrap_or_default();
        self.steps.iter().chain(moving).chain(states).copied()
    }

    /// The place of a column of (q, v, z, u) among the directions of the state and the inputs after them; none of an
    /// algebraic variable, and of a velocity in models of first order.
    pub const fn direction(&self, column: usize) -> Option<usize> {
        let (nv, nz, count) = (self.v.len(), self.z.len(), self.state_directions());
        let moving = count - nv - self.differential();
        if column < nv + moving {
            Some(column)
        } else if column < 2 * nv {
            None
        } else if column < 2 * nv + nz {
            let place = column - nv + moving;
            if place < count { Some(place) } else { None }
        } else {
            Some(column - 2 * nv - nz + count)
        }
    }

    /// Sets the rates of algebraic variables to zero; they have none.
    #[inline]
    pub(crate) fn still<T: Scalar>(&self, zdot: &mut [T]) {
        zdot.iter_mut().skip(self.differential()).for_each(|rate| *rate = T::ZERO);
    }

    /// Do the equations determine velocities?
    #[inline]
    pub(crate) const fn first_order(&self) -> bool {
        matches!(self.order, Order::First)
    }

    /// Whether `name` means entry `index` of a step: its own name, or that of the whole, as `r` of `r.x` and `att` of
    /// `att.step.x`.
    pub fn names_step(&self, name: &str, index: usize) -> bool {
        self.steps.get(index).is_some_and(|entry| asks_for(name, entry))
    }

    /// Whether `name` means velocity `index`: its own name, or `der(x)` of the coordinate that it moves, or the whole
    /// of these.
    pub fn names_velocity(&self, name: &str, index: usize) -> bool {
        let is = |names: &[&str], name: &str| names.get(index).is_some_and(|entry| asks_for(name, entry));
        // directions of a rotation bear names of velocities
        let coordinate = self.directions.get(index).is_some_and(|direction| self.q.contains(direction));
        is(self.v, name) || coordinate && rate_of(name).is_some_and(|of| is(self.directions, of))
    }

    /// The kind of a constraint row: holonomic unless [`Layout::kinds`] says otherwise.
    #[inline]
    pub fn kind(&self, row: usize) -> RowKind {
        self.kinds.get(row).copied().unwrap_or(RowKind::Holonomic)
    }
}
