//! The calls that a model is compiled to: one row each, with all outputs that share work.

use std::ops::RangeBounds;

use crate::derive::{Elimination, Equations};
use crate::expr::{Graph, Node};

/// How many columns the runtime solves side by side.
pub(crate) const LANES: usize = 8;

/// An array that a kernel writes.
pub(super) struct Array {
    pub(super) name: &'static str,
    pub(super) len: usize,
    /// the places that are written
    pub(super) entries: Vec<(usize, Node)>,
}

/// The kernel of a call.
pub(super) struct Plan<'a> {
    /// where its expressions are
    pub(super) graph: &'a Graph,
    /// what it writes
    pub(super) arrays: Vec<Array>,
    /// nodes that are computed by themselves
    pub(super) apart: &'a [Node],
    /// whether outputs are written in the order in which they were derived, not array by array
    pub(super) in_turn: bool,
}

/// Arrays that are written from end to end.
pub(super) fn whole<const N: usize>(arrays: [(&'static str, &[Node]); N]) -> Vec<Array> {
    let whole = |(name, nodes): (&'static str, &[Node])| {
        let entries = nodes.iter().copied().enumerate().collect();
        Array { name, len: nodes.len(), entries }
    };
    arrays.into_iter().map(whole).collect()
}

/// Arrays of expressions of the model.
fn of_model<'a, const N: usize>(e: &'a Equations, arrays: [(&'static str, &[Node]); N]) -> Option<Plan<'a>> {
    Some(Plan { graph: &e.graph, arrays: whole(arrays), apart: &[], in_turn: false })
}

/// The same, and the derivatives of these rows among those of (r, s, Φ, Φ̇, Φ̈).
fn with_partials<'a, const N: usize>(
    e: &'a Equations,
    rows: impl RangeBounds<usize>,
    arrays: [(&'static str, &[Node]); N],
) -> Option<Plan<'a>> {
    let mut plan = of_model(e, arrays)?;
    let (len, entries) = (e.partials.states.entries.len(), e.partials.in_rows(rows));
    plan.arrays.push(Array { name: "out", len, entries });
    Some(plan)
}

/// The factors of an elimination, and what shows whether they are sound: beside each pivot, so that no term outlives
/// it. A linearised step of ten masses on springs takes 0.92 of the time.
fn factors(elimination: Option<&Elimination>) -> Option<Plan<'_>> {
    let Elimination { graph, factor, checks, .. } = elimination?;
    Some(Plan { graph, arrays: whole([("factor", factor), ("checks", checks)]), apart: &[], in_turn: true })
}

/// The solution from the factors of an elimination.
fn solution(elimination: Option<&Elimination>) -> Option<Plan<'_>> {
    let Elimination { graph, solution, .. } = elimination?;
    Some(Plan { graph, arrays: whole([("x", solution)]), apart: &[], in_turn: false })
}

macro_rules! calls {
    ($(#[doc = $about:literal] $call:ident $name:literal |$e:ident| $plan:expr,)+) => {
        /// A call of generated code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Call {
            $(#[doc = $about] $call,)+
        }

        impl Call {
            /// Every call, in a fixed order.
            pub const ALL: &'static [Call] = &[$(Call::$call),+];

            /// Its name in generated code.
            pub fn name(self) -> &'static str {
                match self {
                    $(Call::$call => $name,)+
                }
            }

            /// What it computes.
            pub fn about(self) -> &'static str {
                match self {
                    $(Call::$call => $about.trim_ascii(),)+
                }
            }

            /// Its kernel, if the model has it.
            pub(super) fn plan(self, equations: &Equations) -> Option<Plan<'_>> {
                match self {
                    $(Call::$call => {
                        let $e = equations;
                        $plan
                    })+
                }
            }
        }
    };
}

calls! {
    /// what depends on parameters alone
    Prepare "prepare" |_e| None,
    /// M, f, g, G, γ
    Forward "forward" |e| of_model(e, [
        ("mass", &e.dynamics.mass.values()),
        ("force", &e.dynamics.force),
        ("g", &e.states.rates),
        ("jacobian", &e.constraints.jacobian.values()),
        ("gamma", &e.constraints.gamma),
    ]),
    /// r, ż − g, Φ
    Residual "residual" |e| of_model(e, [
        ("r", &e.dynamics.residual),
        ("s", &e.states.residual),
        ("phi", &e.constraints.laws),
    ]),
    /// r, ż − g, Φ and the weighted tangent
    Tangent "tangent" |e| of_model(e, [
        ("r", &e.dynamics.residual),
        ("s", &e.states.residual),
        ("phi", &e.constraints.laws),
        ("tangent", &e.tangent.matrix.values()),
    ]),
    /// the same, and what positions that move with v add to each of these rows
    TangentAndDrift "tangent_and_drift" |e| {
        let drift = e.tangent.drift.as_ref()?;
        let (v, others) = drift.rows.split_at(e.dynamics.residual.len());
        let (z, laws) = others.split_at(e.states.residual.len());
        let plan = of_model(e, [
            ("r", &e.dynamics.residual),
            ("s", &e.states.residual),
            ("phi", &e.constraints.laws),
            ("tangent", &drift.tangent),
            ("drift_r", v),
            ("drift_s", z),
            ("drift_phi", laws),
        ]);
        Some(Plan { apart: &drift.parts, ..plan? })
    },
    /// of what Newton's stiffness has more than K: triangles whose negative parts it has, and values
    NewtonStiffness "newton_stiffness" |e| match e.newton.values.is_empty() {
        true => None,
        false => of_model(e, [("stiffness", &e.newton.values)]),
    },
    /// Φ, Φ̇, G
    Constraint "constraint" |e| of_model(e, [
        ("phi", &e.constraints.phi),
        ("rate", &e.constraints.phi_dot),
        ("jacobian", &e.constraints.jacobian.values()),
    ]),
    /// Ṁ v
    MomentumRate "momentum_rate" |e| of_model(e, [("out", &e.momenta.rate)]),
    /// M, f + Ṁ v, g, G and Φ, where M moves
    Canonical "canonical" |e| match e.momenta.force.is_empty() {
        true => None,
        false => of_model(e, [
            ("mass", &e.dynamics.mass.values()),
            ("force", &e.momenta.force),
            ("g", &e.states.rates),
            ("jacobian", &e.constraints.jacobian.values()),
            ("phi", &e.constraints.phi),
        ]),
    },
    /// B
    ForceByInput "force_by_input" |e| of_model(e, [("out", &e.sensitivities.inputs.values())]),
    /// P and ∂Φ/∂p
    ResidualByParameter "residual_by_parameter" |e| of_model(e, [
        ("r", &e.sensitivities.parameters.values()),
        ("phi", &e.sensitivities.constraint_parameters.values()),
    ]),
    /// r, s, Φ and ∂(r, s, Φ)/∂(q, v, a, z, λ, u, t)
    Partials "partials" |e| with_partials(e, ..e.tangent.matrix.rows, [
        ("r", &e.dynamics.residual),
        ("s", &e.states.residual),
        ("phi", &e.constraints.laws),
    ]),
    /// ∂(Φ̇, Φ̈)/∂(q, v, a, z, λ, u, t)
    LevelPartials "level_partials" |e| match e.constraints.laws.is_empty() {
        true => None,
        false => with_partials(e, e.tangent.matrix.rows.., []),
    },
    /// ∂(r, s, Φ, Φ̇, Φ̈)/∂p
    PartialsByParameter "partials_by_parameter" |e| of_model(e, [("out", &e.partials.parameters.values())]),
    /// wᵀ of both
    PullBack "pull_back" |e| {
        let [states, parameters] = &e.partials.pull_back;
        of_model(e, [("states", states), ("parameters", parameters)])
    },
    /// wᵀ ∂(J d)/∂(q, v, a, z, λ, u, t) and by p, J = ∂(r, s, Φ)/∂(q, v, a, z, λ)
    Curvature "curvature" |e| of_model(e, [
        ("states", &e.curvature.states),
        ("parameters", &e.curvature.parameters),
    ]),
    /// ∂(Ṁ v)/∂(q, v, t)
    MomentumPartials "momentum_partials" |e| of_model(e, [("out", &e.momenta.states.values())]),
    /// ∂(Ṁ v)/∂p
    MomentumPartialsByParameter "momentum_partials_by_parameter" |e| of_model(e, [
        ("out", &e.momenta.parameters.values()),
    ]),
    /// ∂(guards, changes)/∂(q, v, z, u, t) and ∂/∂p
    EventPartials "event_partials" |e| of_model(e, [
        ("states", &e.event_partials.states.values()),
        ("parameters", &e.event_partials.parameters.values()),
    ]),
    /// ∂(conditions, their Jacobians)/∂(q, v, t), and with starting values ∂/∂p
    StartPartials "start_partials" |e| of_model(e, [
        ("states", &e.start_partials.states.values()),
        ("parameters", &e.start_partials.parameters.values()),
    ]),
    /// Φₜ
    ConstraintByTime "constraint_by_time" |e| of_model(e, [("out", &e.constraints.phi_t)]),
    /// F and ∂F/∂y
    Algebraic "algebraic" |e| of_model(e, [("values", &e.states.laws), ("jacobian", &e.states.law_jacobian.values())]),
    /// N and ∂(N v)/∂q
    Kinematics "kinematics" |e| of_model(e, [
        ("matrix", &e.kinematics.matrix.values()),
        ("jacobian", &e.kinematics.jacobian.values()),
    ]),
    /// T, V, 2R and the power of each force
    Energy "energy" |e| of_model(e, [("energy", &e.energies.energy), ("power", &e.energies.power)]),
    /// y
    Outputs "outputs" |e| of_model(e, [("out", &e.observed.outputs.values)]),
    /// ∂y/∂(q, v, z, a, ż, λ, u, p)
    OutputJacobian "output_jacobian" |e| of_model(e, [("out", &e.observed.outputs.jacobian.values())]),
    /// h and ∂h/∂(q, v, z, u)
    Limits "limits" |e| of_model(e, [
        ("out", &e.observed.limits.values),
        ("jacobian", &e.observed.limits.jacobian.values()),
    ]),
    /// each cost and its gradient by (q, v, z, u)
    Costs "costs" |e| of_model(e, [
        ("out", &e.observed.costs.values),
        ("gradient", &e.observed.costs.jacobian.values()),
    ]),
    /// ∂cost/∂p
    CostByParameter "cost_by_parameter" |e| of_model(e, [("out", &e.observed.costs_by_parameter.values())]),
    /// rows of sums of squares and ∂/∂(q, v, z, u)
    Fits "residuals" |e| of_model(e, [
        ("out", &e.observed.fits.values),
        ("jacobian", &e.observed.fits.jacobian.values()),
    ]),
    /// the numbers of all figures
    Picture "picture" |e| of_model(e, [("out", &e.observed.picture)]),
    /// exact initial conditions and their Jacobians
    Conditions "conditions" |e| of_model(e, [
        ("position", &e.starts.position.values),
        ("position_jacobian", &e.starts.position.jacobian.values()),
        ("velocity", &e.starts.velocity.values),
        ("velocity_jacobian", &e.starts.velocity.jacobian.values()),
    ]),
    /// starting values of q, v and z
    Guess "guess" |e| {
        let [q, v, z] = &e.starts.values;
        of_model(e, [("q", q), ("v", v), ("z", z)])
    },
    /// bounds of inputs and limits
    Bounds "bounds" |e| {
        let [input_lo, input_hi, limit_lo, limit_hi] = &e.data.bounds;
        of_model(e, [("input_lo", input_lo), ("input_hi", input_hi), ("limit_lo", limit_lo), ("limit_hi", limit_hi)])
    },
    /// 1 for each requirement that holds
    Requires "requires" |e| of_model(e, [("holds", &e.data.holds)]),
    /// parameters that a model gives to its subs
    Given "given" |e| of_model(e, [("given", &e.data.given)]),
    /// g of each event
    Guards "guards" |e| of_model(e, [("out", &e.events.guards)]),
    /// ġ of each event
    GuardRates "guard_rates" |e| of_model(e, [("out", &e.events.guard_rates)]),
    /// values after each event
    Reset "reset" |e| of_model(e, [("values", &e.events.resets)]),
    /// a, λ, g and the checks of the elimination, if that is short
    Accelerations "accelerations" |e| {
        let s = e.solves.solutions.as_ref()?;
        let arrays =
            [("accelerations", &*s.a), ("multipliers", &s.lambda), ("g", &e.states.rates), ("checks", &s.checks)];
        Some(Plan { apart: &s.reciprocals, ..of_model(e, arrays)? })
    },
    /// the same with ∂(a, λ, ż)/∂(q, v, z, u); where that is long, what the columns of a and λ are solved from
    AccelerationPartials "acceleration_partials" |e| {
        let (s, p) = (e.solves.solutions.as_ref()?, e.acceleration_partials.as_ref()?);
        let mut plan = of_model(e, [
            ("accelerations", &s.a),
            ("multipliers", &s.lambda),
            ("g", &e.states.rates),
            ("checks", &s.checks),
            ("factor", if p.solved.is_empty() { &s.factor } else { &[] }),
        ])?;
        let unknowns = s.a.len() + s.lambda.len();
        let right = p.right.iter().map(|&(row, column, node)| {
            (((column / LANES) * unknowns + row) * LANES + column % LANES, node)
        });
        let len = p.columns.div_ceil(LANES) * unknowns * LANES;
        if p.solved.is_empty() {
            plan.arrays.push(Array { name: "right", len, entries: right.collect() });
        }
        let (nv, nc) = (s.a.len(), s.lambda.len());
        let (by_a, by_lambda): (Vec<_>, Vec<_>) = p.solved.iter().copied().partition(|&(unknown, ..)| unknown < nv);
        let place = |len: usize, first: usize| {
            move |(unknown, column, node): (usize, usize, Node)| (column * len + unknown - first, node)
        };
        if !p.solved.is_empty() {
            let a = by_a.into_iter().map(place(nv, 0)).collect();
            plan.arrays.push(Array { name: "acceleration_columns", len: p.columns * nv, entries: a });
            let lambda = by_lambda.into_iter().map(place(nc, nv)).collect();
            plan.arrays.push(Array { name: "multiplier_columns", len: p.columns * nc, entries: lambda });
        }
        let nz = e.states.rates.len();
        let rates = p.rates.iter().map(|&(row, column, node)| (column * nz + row, node));
        plan.arrays.push(Array { name: "rates", len: p.columns * nz, entries: rates.collect() });
        Some(Plan { apart: &s.reciprocals, ..plan })
    },
    /// δ and the checks of the elimination, if there are constraints and it is short
    Correction "correction" |e| {
        let s = e.solves.solutions.as_ref().filter(|s| !s.correction.is_empty())?;
        Some(Plan { apart: &s.reciprocals, ..of_model(e, [("correction", &*s.correction), ("checks", &s.checks)])? })
    },
    /// J d
    Jvp "jvp" |e| of_model(e, [("out", e.products.jvp.as_ref()?)]),
    /// Jᵀ w
    Vjp "vjp" |e| of_model(e, [("out", e.products.vjp.as_ref()?)]),
    /// ∂²(w·rows) d
    Hvp "hvp" |e| of_model(e, [("out", e.products.hvp.as_ref()?)]),
    /// ∂²(w·rows)
    Hessian "hessian" |e| of_model(e, [("out", &e.products.hessian.as_ref()?.values())]),
    /// LDLᵀ of [M Gᵀ; G 0], for accelerations and corrections
    SaddleFactors "saddle_factors" |e| factors(e.solves.saddle.as_ref()),
    /// the solution from the factors of [M Gᵀ; G 0]
    SaddleSolution "saddle_solution" |e| solution(e.solves.saddle.as_ref()),
    /// LDU of the bordered tangent, for implicit methods
    KktFactors "tangent_factors" |e| factors(e.solves.kkt.as_ref()),
    /// the solution from the factors of the bordered tangent
    KktSolution "tangent_solution" |e| solution(e.solves.kkt.as_ref()),
}

impl Call {
    /// Calls of the solvers, which do not depend on the model.
    pub const SOLVERS: [Call; 4] = [Call::SaddleFactors, Call::SaddleSolution, Call::KktFactors, Call::KktSolution];

    /// What a model with sets asks its elements for: it is assembled and solved as a whole. `varied` if its steps and
    /// runs are differentiated.
    pub(crate) fn is_of_elements(self, varied: bool) -> bool {
        use Call::{Algebraic, Bounds, Conditions, Energy, Guess, Limits, OutputJacobian, Outputs, Picture, Requires};
        if self.is_for_few() || matches!(self, Call::Costs | Call::Fits) {
            return varied && !matches!(self, Call::PullBack | Call::AccelerationPartials);
        }
        matches!(self, Call::Forward | Call::Residual | Call::Constraint | Call::MomentumRate | Call::Canonical)
            || matches!(self, Call::Tangent | Call::NewtonStiffness | Call::ForceByInput | Call::ResidualByParameter)
            || matches!(self, Call::Guards | Call::GuardRates | Call::Reset)
            || matches!(
                self,
                Algebraic
                    | Conditions
                    | Outputs
                    | OutputJacobian
                    | Guess
                    | Energy
                    | Limits
                    | Bounds
                    | Requires
                    | Picture
            )
    }

    /// Does it read what is computed when parameters are given? What is asked once computes it.
    pub(super) fn is_prepared(self) -> bool {
        use Call::{Bounds, Given, Guess, Requires};
        !matches!(self, Requires | Given | Guess | Bounds)
    }

    /// Calls of models that are differentiated along a motion, which few are: rustc compiles them where they are used.
    /// Where an external function lacks a derivative for them, a model goes without.
    pub(super) fn is_for_few(self) -> bool {
        use Call::{CostByParameter, EventPartials, MomentumPartials, MomentumPartialsByParameter, StartPartials};
        matches!(self, Call::Partials | Call::LevelPartials | Call::AccelerationPartials)
            || matches!(self, Call::PartialsByParameter | Call::PullBack | Call::Curvature)
            || matches!(self, EventPartials | StartPartials)
            || matches!(self, MomentumPartials | MomentumPartialsByParameter | CostByParameter)
    }
}
