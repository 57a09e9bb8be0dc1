//! The model's interface to every method: its evaluations, with their inputs and outputs.
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
//! 0, which is a force and restricts nothing: see [`RowKind`](crate::RowKind).

use core::fmt::Debug;

use crate::error::build::BuildError;
use crate::model::layout::{Block, Layout};
use crate::numbers::scalar::{Real, Scalar};

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

    /// M, f, g, G and γ of `system` at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn of(system: &S, at: At<'_, S>) -> Self {
        let mut forward = Self::zeros(&system.layout());
        system.forward(at, &mut forward);
        forward
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

    /// Φ, Φ̇ and G of `system` at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn of(system: &S, at: At<'_, S>) -> Self {
        let mut constraint = Self::zeros(&system.layout());
        system.constraint(at, &mut constraint);
        constraint
    }
}

/// Values and derivative of the exact initial conditions (`init`), for the Newton iterations of a consistent start.
#[derive(Debug)]
pub struct Conditions<'a, T> {
    /// residuals of the position-level conditions, `Layout::init_position` of them
    pub position: &'a mut [T],
    /// nonzeros of ∂/∂q, `Layout::init_position_jacobian`
    pub position_jacobian: &'a mut [T],
    /// residuals of the velocity-level conditions, `Layout::init_velocity` of them
    pub velocity: &'a mut [T],
    /// nonzeros of ∂/∂v, `Layout::init_velocity_jacobian`
    pub velocity_jacobian: &'a mut [T],
}

impl<T: Copy> Conditions<'_, T> {
    /// Takes these values; those beyond the room of an array are left out.
    pub fn put(self, values: Conditions<'_, T>) {
        let pairs = [
            (self.position, values.position),
            (self.position_jacobian, values.position_jacobian),
            (self.velocity, values.velocity),
            (self.velocity_jacobian, values.velocity_jacobian),
        ];
        for (room, values) in pairs {
            room.iter_mut().zip(values).for_each(|(room, value)| *room = *value);
        }
    }
}

/// The values an event may change, filled with those before it, so unassigned values stay.
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

/// M(q) a = f + Gᵀ λ, ż = g, Φ = 0: what every method needs, over any scalar.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model (`System`)",
    label = "not a model",
    note = "a builder becomes a model by `.build()?`",
    note = "`model!` writes models; a system written by hand implements `System`"
)]
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

    /// The entries of q that are a rotation, each by its first entry and their count: two, cosine and sine of an angle,
    /// or four, a unit quaternion, scalar part first, also for a point on the sphere. None by default.
    /// [`System::retract`] keeps their norms to round-off.
    ///
    /// [`State::neutral`](crate::State::neutral) has the identity there. A state that enters a run or an analysis with
    /// another norm than 1 is refused by name, [`Cause::NotARotation`](crate::Cause::NotARotation).
    fn rotations(&self) -> &[(usize, usize)] {
        &[]
    }

    /// Refuses parameters that make no model. Whatever takes a state from outside asks first: runs at their start and
    /// when they are changed, starts, analyses. Nothing by default.
    ///
    /// # Errors
    /// The first such parameter, with its value and the requirement.
    fn check(&self) -> Result<(), BuildError>
    where
        Self::Real: Real,
    {
        Ok(())
    }

    /// M, f, g, G and γ in one fused call.
    fn forward(&self, at: At<'_, Self>, out: &mut Forward<Self>);

    /// r, ż − g and Φ in one fused call.
    fn residual(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Residual<Self>);

    /// Φ, Φ̇ and G in one fused call; inputs and first-order states are not read.
    fn constraint(&self, at: At<'_, Self>, out: &mut Constraint<Self>);

    /// Ṁ v = (∂M/∂t + ∂M/∂q\[N v\]) v, nv: the rate of M v at constant v; zeros where M is constant.
    ///
    /// Strictly symplectic methods need it beside f: the momenta p = M v have ṗ = f + Ṁ v + Gᵀ λ, where for T = ½ vᵀ M
    /// v and N = 1, f + Ṁ v is ∂(T − V)/∂q plus other forces. No other role gives it exactly: K contains ∂M/∂q, but not
    /// ∂M/∂t.
    fn momentum_rate(&self, at: At<'_, Self>, out: &mut Self::V);

    /// M, f + Ṁ v instead of f, g and G into `out`, and Φ into `constraint`: the evaluation at both ends of a step on
    /// momenta. Other fields of `out` and `constraint` must not be read; `rate` is scratch. The default makes the
    /// separate calls.
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

    /// A velocity whose effect on the momenta of others [`System::momentum_rate`] does not include. None, except in
    /// adaptors that take velocities out of M.
    fn foreign_momentum(&self, v: &Self::V) -> Option<usize> {
        let _ = v;
        None
    }

    /// F of 0 = F(t, q, v, z, u), `Layout::algebraic` rows, and the nonzeros of its Jacobian by the algebraic
    /// variables, `Layout::algebraic_jacobian`. In `Forward::zdot` and `Residual::s` the rows of these variables are F
    /// and −F.
    fn algebraic(&self, at: At<'_, Self>, values: &mut [Self::Real], jacobian: &mut [Self::Real]) {
        let _ = (at, values, jacobian);
    }

    /// Values of the inputs if a run gives none (the model's `input … = default`, else zero). Zero by default.
    fn nominal(&self, u: &mut Self::U) {
        u.as_mut().fill(Self::Real::ZERO);
    }

    /// Starting values for a consistent start, from `init` and `guess`. The arguments contain those of
    /// [`State::neutral`](crate::State::neutral), which stay where the model gives none: everywhere, by default.
    fn guess(&self, q: &mut Self::Q, v: &mut Self::V, z: &mut Self::Z) {
        let _ = (q, v, z);
    }

    /// Modes at the start of a run; zero by default.
    fn initial_modes(&self, modes: &mut Self::Modes) {
        let _ = modes;
    }

    /// g(t, q, v, z, u, modes) of each event, which happens when g crosses zero in its direction. None by default.
    fn guards(&self, at: At<'_, Self>, out: &mut Self::Guards) {
        let _ = (at, out);
    }

    /// ġ = ∂g/∂t + ∂g/∂q N v + ∂g/∂v a + ∂g/∂z ż of each event, inputs held: it tells whether a guard at zero leaves
    /// it, and to which side.
    fn guard_rates(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Self::Guards) {
        let _ = (at, rates, out);
    }

    /// The values after event `event`, all computed from those before it. `out` already contains the values that it
    /// does not assign.
    fn reset(&self, event: usize, at: At<'_, Self>, out: Reset<'_, Self>) {
        let _ = (event, at, out);
    }

    /// Residuals and Jacobians of the exact initial conditions. None by default, for a layout that counts none.
    fn conditions(&self, at: At<'_, Self>, out: Conditions<'_, Self::Real>) {
        let _ = (at, out);
    }

    /// q̇ = N(q) v.
    fn qdot(&self, q: &Self::Q, v: &Self::V, out: &mut Self::Q);

    /// q ⊕ step, the step in tangent coordinates (nv).
    ///
    /// For constant v, q ⊕ h v is the motion over h up to O(h³): q exp(h v) for a body rate v, exp(h v) q for a spatial
    /// one, and q + h v where N = 1. `step` has no bound.
    fn retract(&self, q: &Self::Q, step: &Self::V, out: &mut Self::Q);

    /// The step with `from ⊕ step = to`; the shortest if there are several. For a point on the sphere only the points
    /// agree, whatever the frame there.
    fn local(&self, from: &Self::Q, to: &Self::Q, out: &mut Self::V);

    /// The rate θ̇ of a step θ at which q ⊕ θ moves with velocity v, whatever q: T(θ)⁻¹ v, or dexp⁻¹.
    ///
    /// Methods with stages, and interpolation, use it to work on θ. Where N = 1, and for other coordinates that
    /// commute, it is v: the default. Rotations need their own. It is NaN if θ is longer than `local` may give, so that
    /// error control repeats the step with a smaller size.
    fn step_rate(&self, step: &Self::V, v: &Self::V, out: &mut Self::V) {
        let _ = step;
        for (out, &v) in out.as_mut().iter_mut().zip(v.as_ref()) {
            *out = v;
        }
    }

    /// Turns a, in the axes of v, into the rate v̇ of the entries of v, when q moves as q₀ ⊕ θ with velocity v. Both
    /// are equal, and this does nothing, unless the axes of v depend on the path of q, as those of [`s2`](crate::s2)
    /// do.
    fn velocity_rate(&self, step: &Self::V, v: &Self::V, out: &mut Self::V) {
        let _ = (step, v, out);
    }
}
