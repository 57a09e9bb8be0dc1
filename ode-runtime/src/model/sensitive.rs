//! Derivatives of every row of the equations, by everything.

use crate::error::Cause;
use crate::model::differentiable::Differentiable;
use crate::model::layout::{Block, Pattern};
use crate::model::system::{At, Rates, Residual};
use crate::numbers::lanes::Lanes;
use crate::numbers::scalar::Scalar;

/// Patterns of the derivatives of a [`Sensitive`] model.
///
/// Rows are those of r, s = ż − g, and of the constraints at three levels: Φ, Φ̇ and Φ̈, nv + nz + 3 nc of them. Φ̈ = G
/// a + γ. A nonholonomic row is ψ, ψ and ψ̇ at these levels, a compliant row Φ + τ Φ̇ + E λ at each. First-order models
/// have no accelerations: Φ̇ stands in the place of Φ̈.
///
/// Rows of events are their guards, then what each of them changes: [`Sensitive::changes`]. Rows of starts are the
/// position conditions, the nonzeros of their Jacobian, the velocity conditions and the nonzeros of theirs; by
/// parameters also the guess of q (tangent), v and z.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PartialPatterns<'a> {
    /// columns (q, v, a, z, λ, u, t), 3 nv + nz + nc + nu + 1 of them; those of q are tangent
    pub states: Pattern<'a>,
    /// columns p, np
    pub parameters: Pattern<'a>,
    /// of Ṁ v, nv rows: columns (q, v, t), 2 nv + 1 of them; no nonzeros where M is constant, and in first-order models
    pub momenta: Pattern<'a>,
    /// of Ṁ v too: columns p
    pub momenta_by_parameter: Pattern<'a>,
    /// of events: columns (q, v, z, u, t)
    pub events: Pattern<'a>,
    /// of events: columns p
    pub events_by_parameter: Pattern<'a>,
    /// of starts: columns (q, v, t)
    pub starts: Pattern<'a>,
    /// of starts: columns p
    pub starts_by_parameter: Pattern<'a>,
    /// of costs: columns (q, v, z, u)
    pub costs: Pattern<'a>,
    /// of costs: columns p
    pub costs_by_parameter: Pattern<'a>,
}

impl<'a> PartialPatterns<'a> {
    /// Those with these patterns, for a constant M, without events and exact conditions of a start.
    pub const fn new(states: Pattern<'a>, parameters: Pattern<'a>) -> Self {
        Self {
            states,
            parameters,
            momenta: Pattern::NONE,
            momenta_by_parameter: Pattern::NONE,
            events: Pattern::NONE,
            events_by_parameter: Pattern::NONE,
            starts: Pattern::NONE,
            starts_by_parameter: Pattern::NONE,
            costs: Pattern::NONE,
            costs_by_parameter: Pattern::NONE,
        }
    }

    /// The same with those of Ṁ v.
    #[must_use]
    pub const fn with_momenta(self, momenta: Pattern<'a>, momenta_by_parameter: Pattern<'a>) -> Self {
        Self { momenta, momenta_by_parameter, ..self }
    }

    /// The same with those of events.
    #[must_use]
    pub const fn with_events(self, events: Pattern<'a>, events_by_parameter: Pattern<'a>) -> Self {
        Self { events, events_by_parameter, ..self }
    }

    /// The same with those of starts.
    #[must_use]
    pub const fn with_starts(self, starts: Pattern<'a>, starts_by_parameter: Pattern<'a>) -> Self {
        Self { starts, starts_by_parameter, ..self }
    }

    /// The same with those of costs.
    #[must_use]
    pub const fn with_costs(self, costs: Pattern<'a>, costs_by_parameter: Pattern<'a>) -> Self {
        Self { costs, costs_by_parameter, ..self }
    }
}

/// What an event changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// a tangent coordinate of q
    Position(usize),
    /// a velocity
    Velocity(usize),
    /// a first-order state
    State(usize),
    /// a mode
    Mode(usize),
}

/// One of the numbers that an event changes. On the sphere it is in the frame without spin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// the index of the event
    pub event: usize,
    /// what changes
    pub of: Changed,
}

/// A rotation or a point on the sphere, by the first of its velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Turning {
    /// rates along the body's axes, q ⊕ θ = q exp(θ)
    Body(usize),
    /// rates along the world's axes, q ⊕ θ = exp(θ) q
    World(usize),
    /// a point on the sphere with two rates, about the first axes of its frame: see [`s2`](crate::s2)
    Sphere(usize),
}

impl Turning {
    /// The same behind `first` other velocities.
    #[cfg(feature = "sparse")]
    pub(crate) const fn after(self, first: usize) -> Self {
        match self {
            Self::Body(at) => Self::Body(first + at),
            Self::World(at) => Self::World(first + at),
            Self::Sphere(at) => Self::Sphere(first + at),
        }
    }
}

/// Every derivative of the equations in one fused call: what derivatives of accelerations, steps and runs are made of.
#[diagnostic::on_unimplemented(
    message = "`{Self}` lacks derivatives of its equations (`Sensitive`)",
    label = "derivatives of accelerations, steps and runs need them",
    note = "a model of `model!` has them, unless an `extern fn` lacks a derivative: write `{{ dual: path }}`",
    note = "a model with sets has them with `#[model(emit(partials))]`",
    note = "an adaptor such as `Held` or `Rayleigh` has none: use the model inside it"
)]
pub trait Sensitive: Differentiable {
    /// nonzeros of ∂(r, s, Φ, Φ̇, Φ̈)/∂(q, v, a, z, λ, u, t)
    type Partials: Block<Self::Real>;
    /// nonzeros of ∂(r, s, Φ, Φ̇, Φ̈)/∂p
    type PartialsByParameter: Block<Self::Real>;

    /// nonzeros of ∂(Ṁ v)/∂(q, v, t)
    type MomentumPartials: Block<Self::Real>;
    /// nonzeros of ∂(Ṁ v)/∂p
    type MomentumPartialsByParameter: Block<Self::Real>;
    /// nonzeros of ∂(guards, changes)/∂(q, v, z, u, t)
    type EventPartials: Block<Self::Real>;
    /// nonzeros of ∂(guards, changes)/∂p
    type EventPartialsByParameter: Block<Self::Real>;
    /// nonzeros of ∂(conditions of the start, their Jacobians)/∂(q, v, t)
    type StartPartials: Block<Self::Real>;
    /// nonzeros of ∂(conditions of the start, their Jacobians, guess)/∂p
    type StartPartialsByParameter: Block<Self::Real>;
    /// costs
    type Costs: Block<Self::Real>;
    /// nonzeros of ∂cost/∂(q, v, z, u)
    type CostByState: Block<Self::Real>;
    /// nonzeros of ∂cost/∂p
    type CostByParameter: Block<Self::Real>;

    /// a number for each row, nv + nz + 3 nc
    type Rows: Block<Self::Real>;
    /// the same of several directions side by side
    type RowLanes: Block<Lanes<Self::Real>>;
    /// a number for each column of [`PartialPatterns::states`], of several directions side by side
    type ColumnLanes: Block<Lanes<Self::Real>>;
    /// a number for each pair of inputs, nu²
    type Feedback: Block<Self::Real>;
    /// a number for each of (q, v, a, z, λ, u, t), 3 nv + nz + nc + nu + 1
    type Columns: Block<Self::Real>;

    /// Rotations and points on the sphere, whose steps do not commute. None by default.
    fn turnings(&self) -> &[Turning] {
        &[]
    }

    /// What events change, in the order of the rows of [`Sensitive::event_partials`]. Nothing by default.
    fn changes(&self) -> &[Change] {
        &[]
    }

    /// Their patterns.
    fn partial_patterns(&self) -> PartialPatterns<'_>;

    /// r, s and Φ with the entries of [`Sensitive::partials`] in their rows, in one fused call: K, D, M, −Gᵀ, −B and G
    /// are among these. Entries in the rows of Φ̇ and Φ̈ are not written.
    fn residual_partials(
        &self,
        at: At<'_, Self>,
        rates: Rates<'_, Self>,
        residual: &mut Residual<Self>,
        out: &mut Self::Partials,
    );

    /// The entries of [`Sensitive::partials`] in the rows of Φ̇ and Φ̈; there are none without constraints, and by
    /// default.
    fn level_partials(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Self::Partials) {
        let _ = (at, rates, out);
    }

    /// ∂(r, s, Φ, Φ̇, Φ̈)/∂(q, v, a, z, λ, u, t).
    #[inline]
    fn partials(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Self::Partials) {
        self.residual_partials(at, rates, &mut Residual::zeros(&self.layout()), out);
        self.level_partials(at, rates, out);
    }

    /// ∂(r, s, Φ, Φ̇, Φ̈)/∂p.
    fn partials_by_parameter(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Self::PartialsByParameter);

    /// wᵀ ∂(r, s, Φ, Φ̇, Φ̈)/∂(q, v, a, z, λ, u, t) and wᵀ ∂(r, s, Φ, Φ̇, Φ̈)/∂p of one w, for a few times the cost of
    /// the rows: what an adjoint needs. The default multiplies by all derivatives.
    fn pull_back(
        &self,
        at: At<'_, Self>,
        rates: Rates<'_, Self>,
        covector: &Self::Rows,
        states: &mut Self::Columns,
        parameters: &mut Self::P,
    ) {
        let of = self.partial_patterns();
        let (mut by_states, mut by_parameters) =
            (Self::Partials::zeros(of.states.nnz()), Self::PartialsByParameter::zeros(of.parameters.nnz()));
        self.partials(at, rates, &mut by_states);
        self.partials_by_parameter(at, rates, &mut by_parameters);
        let product = |pattern: Pattern<'_>, values: &[Self::Real], out: &mut [Self::Real]| {
            out.fill(Self::Real::ZERO);
            pattern.visit(values, |row, column, value| out[column] += covector.as_ref()[row] * value);
        };
        product(of.states, by_states.as_ref(), states.as_mut());
        product(of.parameters, by_parameters.as_ref(), parameters.as_mut());
    }

    /// wᵀ ∂(J d)/∂(q, v, a, z, λ, u, t) and wᵀ ∂(J d)/∂p of one w and one constant d, with J = ∂(r, s, Φ)/∂(q, v, a, z,
    /// λ): what a step that is linearised at its start varies by. The entries of w for Φ̇ and Φ̈, and those of d for u
    /// and t, are not read.
    ///
    /// The columns of J are along tangent directions of the q where it stands, so that on rotations the second
    /// derivatives are not symmetric.
    ///
    /// # Errors
    /// [`Cause::NotDifferentiable`] of a model without second derivatives: one written by hand, or with an `extern fn`
    /// that lacks some.
    fn curvature(
        &self,
        at: At<'_, Self>,
        rates: Rates<'_, Self>,
        covector: &Self::Rows,
        vector: &Self::Columns,
        states: &mut Self::Columns,
        parameters: &mut Self::P,
    ) -> Result<(), Cause> {
        let _ = (at, rates, covector, vector, states, parameters);
        Err(Cause::NotDifferentiable {
            what: "a linearised step without all second derivatives (an `extern fn` has them by `dual: path`)",
        })
    }

    /// ∂(Ṁ v)/∂(q, v, t): what methods on momenta need beside the derivatives of r.
    fn momentum_partials(&self, at: At<'_, Self>, out: &mut Self::MomentumPartials);

    /// ∂(Ṁ v)/∂p.
    fn momentum_partials_by_parameter(&self, at: At<'_, Self>, out: &mut Self::MomentumPartialsByParameter);

    /// What guards and the values after events vary by, at a state before them.
    fn event_partials(
        &self,
        at: At<'_, Self>,
        states: &mut Self::EventPartials,
        parameters: &mut Self::EventPartialsByParameter,
    );

    /// What the exact conditions of a start and the guess vary by.
    fn start_partials(
        &self,
        at: At<'_, Self>,
        states: &mut Self::StartPartials,
        parameters: &mut Self::StartPartialsByParameter,
    );

    /// A name for each cost.
    fn cost_names(&self) -> &[&str];

    /// The costs at a state, and what they vary by.
    fn cost_partials(
        &self,
        at: At<'_, Self>,
        costs: &mut Self::Costs,
        states: &mut Self::CostByState,
        parameters: &mut Self::CostByParameter,
    );
}
