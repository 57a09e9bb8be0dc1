//! The roles a model plays for a method: what it evaluates, what it linearises, and the shapes of both.
//!
//! State x = (q, v, z); q̇ = N(q) v; inputs u; multipliers λ. One notation everywhere:
//!
//! ```text
//! r(t,q,v,a,λ,u) = M(q,t) a − f(t,q,v,z,u) − G(q,t)ᵀ λ = 0        nv rows
//! ż = g(t,q,v,z,u)                                                nz rows
//! Φ(q,t) = 0,   G = ∂Φ/∂q N,   Φ̇ = G v + Φₜ,   Φ̈ = G a + γ         nc rows
//! ```
//!
//! A row may also be nonholonomic, ψ = A(q,t) v + b(q,t) = 0 with A among the rows of G, or compliant, Φ + τ Φ̇ + E λ =
//! 0, which is a force and restricts nothing: see [`RowKind`].

use core::fmt::Debug;

use crate::linalg::{Kkt, Saddle, Square};
use crate::scalar::{Real, Scalar};

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

#[cfg(feature = "std")]
impl<T: Scalar> Block<T> for std::vec::Vec<T> {
    fn zeros(len: usize) -> Self {
        std::vec![T::ZERO; len]
    }
}

/// Where and when a model is evaluated.
#[derive(Debug)]
pub struct At<'a, S: System> {
    /// time
    pub t: S::Real,
    /// coordinates, nq
    pub q: &'a S::Q,
    /// velocities, nv
    pub v: &'a S::V,
    /// first-order states, nz
    pub z: &'a S::Z,
    /// inputs, nu
    pub u: &'a S::U,
    /// modes, constant between events
    pub modes: &'a S::Modes,
}

impl<S: System> Clone for At<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: System> Copy for At<'_, S> {}

/// The rates and multipliers at which the residual is taken.
#[derive(Debug)]
pub struct Rates<'a, S: System> {
    /// accelerations, nv
    pub a: &'a S::V,
    /// rates of the first-order states, nz
    pub zdot: &'a S::Z,
    /// multipliers, nc
    pub lambda: &'a S::L,
}

impl<S: System> Clone for Rates<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: System> Copy for Rates<'_, S> {}

/// Factors of ∂/∂(a, ż), ∂/∂v, ∂/∂q and ∂/∂z in the one weighted tangent.
///
/// K, D and M are its unit weights; an implicit method passes the factors of its history formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights<T> {
    /// of ∂/∂a and ∂/∂ż
    pub rates: T,
    /// of ∂/∂v
    pub velocity: T,
    /// of ∂/∂q (tangent)
    pub position: T,
    /// of ∂/∂z
    pub state: T,
}

/// M, f, g, G and γ of one evaluation: all an explicit method needs.
#[derive(Clone, Debug)]
pub struct Forward<S: System> {
    /// nonzeros of the lower triangle of M, in the order of `Layout::mass`
    pub mass: S::Mass,
    /// f(t, q, v, z, u), nv, with the forces Gᵀλ of compliant rows
    pub force: S::V,
    /// ż = g(t, q, v, z, u), nz
    pub zdot: S::Z,
    /// nonzeros of G, in the order of `Layout::jacobian`
    pub jacobian: S::Jacobian,
    /// γ of G a + γ = 0, nc; −λ in a compliant row, which has no G
    pub gamma: S::L,
}

/// r, ż − g and Φ of one evaluation.
#[derive(Clone, Debug)]
pub struct Residual<S: System> {
    /// M a − f − Gᵀ λ, nv
    pub r: S::V,
    /// ż − g, nz
    pub s: S::Z,
    /// what each row makes zero, nc: Φ, ψ or Φ + τ Φ̇ + E λ
    pub phi: S::L,
}

/// Φ, Φ̇ and G of one evaluation: all a projection needs beside the metric.
#[derive(Clone, Debug)]
pub struct Constraint<S: System> {
    /// Φ(q, t), nc; zero in a row that holds no position
    pub phi: S::L,
    /// Φ̇ = G v + Φₜ, nc; ψ in a nonholonomic row, zero in a compliant one
    pub rate: S::L,
    /// nonzeros of G, in the order of `Layout::jacobian`
    pub jacobian: S::Jacobian,
}

impl<S: System> Forward<S> {
    /// Zeros of the sizes of `layout`.
    pub fn zeros(layout: &Layout<'_>) -> Self {
        Self {
            mass: Block::zeros(layout.mass.nnz()),
            force: Block::zeros(layout.v.len()),
            zdot: Block::zeros(layout.z.len()),
            jacobian: Block::zeros(layout.jacobian.nnz()),
            gamma: Block::zeros(layout.constraints.len()),
        }
    }
}

impl<S: System> Residual<S> {
    /// Zeros of the sizes of `layout`.
    pub fn zeros(layout: &Layout<'_>) -> Self {
        Self {
            r: Block::zeros(layout.v.len()),
            s: Block::zeros(layout.z.len()),
            phi: Block::zeros(layout.constraints.len()),
        }
    }
}

impl<S: System> Constraint<S> {
    /// Zeros of the sizes of `layout`.
    pub fn zeros(layout: &Layout<'_>) -> Self {
        Self {
            phi: Block::zeros(layout.constraints.len()),
            rate: Block::zeros(layout.constraints.len()),
            jacobian: Block::zeros(layout.jacobian.nnz()),
        }
    }
}

/// Values and derivative of the exact initial conditions (`init`), for the Newton iterations of a consistent start.
#[derive(Debug)]
pub struct Conditions<'a, T> {
    /// residuals of the position-level conditions, `Layout::init_position` of them
    pub position: &'a mut [T],
    /// their dense Jacobian ∂/∂q, row major, nv columns
    pub position_jacobian: &'a mut [T],
    /// residuals of the velocity-level conditions, `Layout::init_velocity` of them
    pub velocity: &'a mut [T],
    /// their dense Jacobian ∂/∂v, row major, nv columns
    pub velocity_jacobian: &'a mut [T],
}

/// What an event may change: filled with the values before it, so that what it does not assign is continuous.
#[derive(Debug)]
pub struct Reset<'a, S: System> {
    /// coordinates, nq
    pub q: &'a mut S::Q,
    /// velocities, nv
    pub v: &'a mut S::V,
    /// first-order states, nz
    pub z: &'a mut S::Z,
    /// modes
    pub modes: &'a mut S::Modes,
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

/// An event of a model: see [`System::guards`] and [`System::reset`].
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
    /// Number of structural nonzeros.
    #[inline]
    pub const fn nnz(&self) -> usize {
        self.indices.len()
    }

    /// (row, column) of each nonzero, in storage order.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.cols).flat_map(move |c| self.indices[self.starts[c]..self.starts[c + 1]].iter().map(move |&r| (r, c)))
    }
}

impl Pattern<'_> {
    /// Calls `place(row, column, value)` for each nonzero, in storage order; a loop the compiler unrolls better than
    /// [`Pattern::entries`].
    #[inline(always)]
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
    /// Φ + τ Φ̇ + E λ = 0 or ψ + E λ = 0, E > 0: a force, with no nonzero in [`Layout::jacobian`]. [`Forward`] adds Gᵀλ
    /// to f and writes γ = −λ; in [`Residual`] and the tangent it is a row like the others, with E on its diagonal
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
    /// `Forward` has D in the place of M, f without v, and Φₜ in that of γ; r = D v − f − Gᵀ λ does not depend on a.
    /// The velocities of a state are those its q and t determine, and its a is zero.
    First,
}

/// Names, sizes and patterns of a system: static for generated dense models, borrowed from the mesh for families.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    /// name of the model
    pub name: &'a str,
    /// a name for each entry of q, such as `th`, `r.x`, `arm[1]`
    pub q: &'a [&'a str],
    /// a name for each entry of v
    pub v: &'a [&'a str],
    /// a name for each entry of z
    pub z: &'a [&'a str],
    /// how many of the last entries of z are algebraic: they have no rate, and 0 = F in the place of ż = g
    pub algebraic: usize,
    /// a name for each input
    pub u: &'a [&'a str],
    /// a name for each mode
    pub modes: &'a [&'a str],
    /// the events, in the order in which those of one instant happen
    pub events: &'a [Event<'a>],
    /// a name for each constraint row
    pub constraints: &'a [&'a str],
    /// kind of each constraint row
    pub kinds: &'a [RowKind],
    /// a name for each exact initial condition on positions
    pub init_position: &'a [&'a str],
    /// a name for each exact initial condition on velocities
    pub init_velocity: &'a [&'a str],
    /// lower triangle of M, nv × nv
    pub mass: Pattern<'a>,
    /// G, nc × nv
    pub jacobian: Pattern<'a>,
    /// the bordered tangent, unknowns and rows ordered (v, z, λ): see [`Linearize::tangent`]
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

    /// Makes the rates of algebraic variables, which have none, zero.
    #[inline]
    pub(crate) fn still<T: Scalar>(&self, zdot: &mut [T]) {
        zdot.iter_mut().skip(self.differential()).for_each(|rate| *rate = T::ZERO);
    }

    /// Do the equations determine velocities?
    #[inline]
    pub(crate) const fn first_order(&self) -> bool {
        matches!(self.order, Order::First)
    }

    /// A name for each acceleration, force and correction: that of the coordinate where each velocity belongs to one.
    #[inline]
    pub(crate) const fn motion(&self) -> &'a [&'a str] {
        if self.q.len() == self.v.len() { self.q } else { self.v }
    }

    /// The kind of a constraint row.
    #[inline]
    pub(crate) fn kind(&self, row: usize) -> RowKind {
        self.kinds.get(row).copied().unwrap_or(RowKind::Holonomic)
    }
}

/// M(q) a = f + Gᵀ λ, ż = g, Φ = 0: what every method needs, over any scalar.
pub trait System: Clone + Debug {
    /// scalar of all blocks
    type Real: Scalar;
    /// coordinates, nq
    type Q: Block<Self::Real>;
    /// velocities, nv
    type V: Block<Self::Real>;
    /// first-order states, nz
    type Z: Block<Self::Real>;
    /// inputs, nu
    type U: Block<Self::Real>;
    /// multipliers, nc
    type L: Block<Self::Real>;
    /// modes, constant between events
    type Modes: Block<Self::Real>;
    /// guards, one for each event
    type Guards: Block<Self::Real>;
    /// nonzeros of the lower triangle of M
    type Mass: Block<Self::Real>;
    /// nonzeros of G
    type Jacobian: Block<Self::Real>;

    /// Names, sizes and patterns.
    fn layout(&self) -> Layout<'_>;

    /// Which entries of q are a rotation, each by its first entry and their count: two, cosine and sine of an angle, or
    /// four, a unit quaternion, scalar part first; of a point of the sphere the quaternion too. None by default; [`System::retract`] keeps their norms to round-off.
    ///
    /// [`State::neutral`](crate::State::neutral) has the identity there, and states that enter a run or an analysis are
    /// refused by name, [`Cause::NotARotation`](crate::Cause::NotARotation), where the norm is not 1.
    fn rotations(&self) -> &[(usize, usize)] {
        &[]
    }

    /// M, f, g, G and γ in one fused call.
    fn forward(&self, at: At<'_, Self>, out: &mut Forward<Self>);

    /// r, ż − g and Φ in one fused call.
    fn residual(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Residual<Self>);

    /// Φ, Φ̇ and G in one fused call; inputs and first-order states are not read.
    fn constraint(&self, at: At<'_, Self>, out: &mut Constraint<Self>);

    /// Ṁ v = (∂M/∂t + ∂M/∂q\[N v\]) v, nv: the rate of M v while v stays; zeros where M is constant.
    ///
    /// What strictly symplectic methods need beside f: of the momenta p = M v it is ṗ = f + Ṁ v + Gᵀ λ, and where T = ½
    /// vᵀ M v and N = 1, f + Ṁ v is ∂(T − V)/∂q and what other forces add. No other role has it exactly: ∂M/∂q is in K,
    /// but ∂M/∂t is not.
    fn momentum_rate(&self, at: At<'_, Self>, out: &mut Self::V);

    /// M, f + Ṁ v in the place of f, g and G into `out`, and Φ into `constraint`: what steps on momenta evaluate at
    /// both of their ends. What else `out` and `constraint` have is not to be read, and `rate` is scratch. By default
    /// the calls it consists of.
    fn canonical(
        &self,
        at: At<'_, Self>,
        rate: &mut Self::V,
        out: &mut Forward<Self>,
        constraint: &mut Constraint<Self>,
    ) {
        self.forward(at, out);
        self.constraint(at, constraint);
        self.momentum_rate(at, rate);
        for (force, &rate) in out.force.as_mut().iter_mut().zip(rate.as_ref()) {
            *force += rate;
        }
    }

    /// A velocity that adds to the rates of others' momenta what [`System::momentum_rate`] does not tell apart: none,
    /// but where an adaptor takes velocities out of M.
    fn foreign_momentum(&self, v: &Self::V) -> Option<usize> {
        let _ = v;
        None
    }

    /// F of 0 = F(t, q, v, z, u) and its dense Jacobian by the algebraic variables, row major: `Layout::algebraic`
    /// rows. In `Forward::zdot` and `Residual::s` the rows of these variables are F and −F.
    fn algebraic(&self, at: At<'_, Self>, values: &mut [Self::Real], jacobian: &mut [Self::Real]) {
        let _ = (at, values, jacobian);
    }

    /// Values of the inputs where a run gives none (the model's `input … = default`, else zero).
    fn nominal(&self, u: &mut Self::U);

    /// Starting values of a consistent start, from `init` and `guess`. Given are those of
    /// [`State::neutral`](crate::State::neutral), which stay where the model says nothing.
    fn guess(&self, q: &mut Self::Q, v: &mut Self::V, z: &mut Self::Z);

    /// Modes at the start of a run; zero unless the model says more.
    fn initial_modes(&self, modes: &mut Self::Modes) {
        let _ = modes;
    }

    /// g(t, q, v, z, u, modes) of each event: it happens where g crosses zero in the event's direction. None by
    /// default.
    fn guards(&self, at: At<'_, Self>, out: &mut Self::Guards) {
        let _ = (at, out);
    }

    /// ġ = ∂g/∂t + ∂g/∂q N v + ∂g/∂v a + ∂g/∂z ż of each event, inputs held: whether a guard at zero leaves it, and
    /// where to.
    fn guard_rates(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Self::Guards) {
        let _ = (at, rates, out);
    }

    /// The values after event `event`, all of them from those before it; what it leaves alone is in `out` already.
    fn reset(&self, event: usize, at: At<'_, Self>, out: Reset<'_, Self>) {
        let _ = (event, at, out);
    }

    /// Residuals and Jacobians of the exact initial conditions.
    fn conditions(&self, at: At<'_, Self>, out: Conditions<'_, Self::Real>);

    /// q̇ = N(q) v.
    fn qdot(&self, q: &Self::Q, v: &Self::V, out: &mut Self::Q);

    /// q ⊕ step, the step in tangent coordinates (nv).
    ///
    /// Where v stays constant, q ⊕ h v is the motion over h up to O(h³): q exp(h v) for a body rate v, exp(h v) q for
    /// one of space, and q + h v where N = 1. `step` has no bound.
    fn retract(&self, q: &Self::Q, step: &Self::V, out: &mut Self::Q);

    /// The step with `from ⊕ step = to`; of several, the shortest. Of a point of the sphere it is the point that
    /// arrives, whatever the frame there.
    fn local(&self, from: &Self::Q, to: &Self::Q, out: &mut Self::V);

    /// The rate θ̇ of a step θ at which q ⊕ θ moves with velocity v, whatever q: T(θ)⁻¹ v, or dexp⁻¹.
    ///
    /// Methods that take stages within a step, and interpolation, work on θ with it. Where N = 1, and for other
    /// coordinates that commute, it is v: the default. Rotations need their own, which is NaN where θ is longer than
    /// `local` may give, so that a step with error control is repeated with a smaller size.
    fn step_rate(&self, step: &Self::V, v: &Self::V, out: &mut Self::V) {
        let _ = step;
        for (out, &v) in out.as_mut().iter_mut().zip(v.as_ref()) {
            *out = v;
        }
    }

    /// Makes of a the rate v̇ of the entries of v where q moves as q₀ ⊕ θ with velocity v: they are one, and this does
    /// nothing, but where the axes of v depend on the way that q has gone. [`s2`](crate::s2) has such.
    fn velocity_rate(&self, step: &Self::V, v: &Self::V, out: &mut Self::V) {
        let _ = (step, v, out);
    }
}

/// What implicit methods need on top.
pub trait Linearize: System {
    /// nonzeros of the bordered tangent
    type Tangent: Block<Self::Real>;

    /// The residual and its weighted derivative in one fused call.
    ///
    /// With weights (ρ, ν, π, σ) the matrix is, in the order (v, z, λ) of rows and unknowns,
    ///
    /// ```text
    /// [ ρ ∂r/∂a + ν ∂r/∂v + π ∂r/∂q   σ ∂r/∂z        −Gᵀ ]
    /// [ −ν ∂g/∂v − π ∂g/∂q            ρ 1 − σ ∂g/∂z    0 ]
    /// [ π G                           0               0 ]
    /// ```
    ///
    /// A nonholonomic row has ν A + π ∂ψ/∂q in the place of π G, a compliant one the like of its own and E on the
    /// diagonal.
    ///
    /// where ∂r is that of the **whole** residual: it holds ∂(M a)/∂q and −∂(Gᵀλ)/∂q. Values are written in the order
    /// of `Layout::tangent`.
    ///
    /// `at.q` is q₀ ⊕ `step` and the position columns are derivatives by the step: ∂/∂q, of nv columns, times T(step),
    /// in G of the last row as well. Where N = 1, T = 1 and `step` is not read.
    fn tangent(
        &self,
        at: At<'_, Self>,
        rates: Rates<'_, Self>,
        weights: Weights<Self::Real>,
        step: &Self::V,
        residual: &mut Residual<Self>,
        out: &mut Self::Tangent,
    );
}

/// The linear solvers that fit a model: generated or dense for small ones, sparse for large ones.
pub trait Solvable: System<Real: Real> {
    /// the symmetric [M Gᵀ; G 0] of accelerations and projections
    type Saddle: Saddle<Self::Real>;
    /// the unsymmetric bordered tangent of implicit methods
    type Kkt: Kkt<Self::Real>;
    /// a square system of `nv + nc + max(init_position, init_velocity)` rows, for the consistent start
    type Assembly: Square<Self::Real>;
    /// a square system of `algebraic` rows
    type Algebra: Square<Self::Real>;

    /// Whether [`Solvable::accelerations`] and [`Solvable::correction`] are more than their defaults. Only in models of
    /// second order without algebraic variables, whose blocks are arrays, for steps make blocks of their own; with nq =
    /// nv only where N = 1.
    const DIRECT: bool = false;

    /// a (nv), ż (nz) and λ (nc) of M a = f + Gᵀ λ, G a + γ = 0, ż = g by one function; not finite where forces are
    /// not.
    ///
    /// False where there is none, or where a pivot has lost its digits or has the wrong sign: what was written is then
    /// not to be read, and the system is to be solved from [`System::forward`].
    fn accelerations(&self, at: At<'_, Self>, a: &mut Self::V, zdot: &mut Self::Z, lambda: &mut Self::L) -> bool {
        let _ = (at, a, zdot, lambda);
        false
    }

    /// δ (nv, into `step`) of M δ = Gᵀ y, G δ = b (nc): of all that change the constraints by `b` the smallest in the
    /// metric of M, by one function. False as for [`Solvable::accelerations`].
    fn correction(&self, at: At<'_, Self>, b: &Self::L, step: &mut Self::V) -> bool {
        let _ = (at, b, step);
        false
    }
}
