//! The calls a model is compiled to, each with everything its outputs share.

use crate::derive::{Elimination, Equations, Solutions};
use crate::expr::{Graph, Node};

use super::pieces::cut;
use super::program::{Called, Kernel, Ops};
use super::schedule::{Target, schedule};

/// All calls of a model.
pub struct Program {
    /// M, f, g, G, γ
    pub forward: Kernel,
    /// a, λ, g and the checks of the elimination, where that is short
    pub accelerations: Option<Kernel>,
    /// δ and the checks of the elimination, where there are constraints and that is short
    pub correction: Option<Kernel>,
    /// r, ż − g, Φ
    pub residual: Kernel,
    /// r, ż − g, Φ and the weighted tangent
    pub tangent: Kernel,
    /// Φ, Φ̇, G
    pub constraint: Kernel,
    /// Ṁ v
    pub momentum_rate: Kernel,
    /// B
    pub inputs: Kernel,
    /// P and ∂Φ/∂p
    pub parameters: Kernel,
    /// Φₜ
    pub phi_t: Kernel,
    /// F and ∂F/∂y
    pub algebraic: Kernel,
    /// N and ∂(N v)/∂q
    pub kinematics: Kernel,
    /// T, V, 2R and the power of each force
    pub energy: Kernel,
    /// y
    pub outputs: Kernel,
    /// ∂y/∂(q, v, z, a, ż, λ, u, p)
    pub output_jacobian: Kernel,
    /// h and ∂h/∂(q, v, z, u)
    pub limits: Kernel,
    /// each cost and its gradient by (q, v, z, u)
    pub costs: Kernel,
    /// rows of sums of squares and ∂/∂(q, v, z, u)
    pub fits: Kernel,
    /// what `emit(..)` asked for: `jvp`, `vjp`, `hvp` and `hessian`, as far as it did
    pub products: Vec<Kernel>,
    /// exact initial conditions and their Jacobians
    pub conditions: Kernel,
    /// starting values of q, v and z
    pub guess: Kernel,
    /// bounds of inputs and limits
    pub bounds: Kernel,
    /// 1 for each requirement that holds
    pub requires: Kernel,
    /// parameters that a model gives to its subs
    pub given: Kernel,
    /// g of each event
    pub guards: Kernel,
    /// ġ of each event
    pub guard_rates: Kernel,
    /// values after each event
    pub reset: Kernel,
    /// LDLᵀ of [M Gᵀ; G 0]
    pub saddle: Option<Solver>,
    /// LDU of the bordered tangent
    pub kkt: Option<Solver>,
}

/// An elimination as code.
pub struct Solver {
    /// number of unknowns
    pub size: usize,
    /// number of factors
    pub factors: usize,
    /// number of checks
    pub checks: usize,
    /// factors and checks
    pub factorize: Kernel,
    /// the solution
    pub solve: Kernel,
}

impl Program {
    /// All kernels, in a fixed order.
    pub fn kernels(&self) -> Vec<&Kernel> {
        let mut list = vec![
            &self.forward,
            &self.residual,
            &self.tangent,
            &self.constraint,
            &self.momentum_rate,
            &self.inputs,
            &self.parameters,
            &self.phi_t,
            &self.algebraic,
            &self.kinematics,
            &self.energy,
            &self.outputs,
            &self.output_jacobian,
            &self.limits,
            &self.costs,
            &self.fits,
            &self.conditions,
            &self.guess,
            &self.bounds,
            &self.requires,
            &self.given,
            &self.guards,
            &self.guard_rates,
            &self.reset,
        ];
        list.extend(self.accelerations.iter().chain(&self.correction));
        list.extend(&self.products);
        for solver in [&self.saddle, &self.kkt].into_iter().flatten() {
            list.extend([&solver.factorize, &solver.solve]);
        }
        list
    }

    /// The functions from outside that any kernel calls, in a fixed order.
    pub fn calls(&self) -> Vec<Called> {
        let calls: std::collections::BTreeSet<&Called> = self.kernels().into_iter().flat_map(|k| &k.calls).collect();
        calls.into_iter().cloned().collect()
    }

    /// Operations of all kernels together.
    pub fn ops(&self) -> Ops {
        let mut sum = Ops::default();
        for kernel in self.kernels() {
            sum += kernel.ops;
        }
        sum
    }
}

/// Lowers the equations of a model. `branches` asks for real branches, which concrete f64 code has and generic code has not.
pub fn lower(e: &Equations, branches: bool) -> Program {
    let kernel = |name, blocks: &[(&'static str, Vec<Node>)]| fused(&e.graph, name, blocks, branches, &[]);
    Program {
        forward: kernel(
            "forward",
            &[
                ("mass", e.mass.values()),
                ("force", e.force.clone()),
                ("g", e.rates.clone()),
                ("jacobian", e.jacobian.values()),
                ("gamma", e.gamma.clone()),
            ],
        ),
        accelerations: e.solutions.as_ref().map(|solutions| {
            let Solutions { a, lambda, checks, reciprocals, .. } = solutions;
            let blocks = [("accelerations", a), ("multipliers", lambda), ("g", &e.rates), ("checks", checks)];
            let blocks = blocks.map(|(array, nodes)| (array, nodes.clone()));
            fused(&e.graph, "accelerations", &blocks, branches, reciprocals)
        }),
        correction: e.solutions.as_ref().filter(|solutions| !solutions.correction.is_empty()).map(|solutions| {
            let Solutions { correction, checks, reciprocals, .. } = solutions;
            let blocks = [("correction", correction.clone()), ("checks", checks.clone())];
            fused(&e.graph, "correction", &blocks, branches, reciprocals)
        }),
        residual: kernel(
            "residual",
            &[("r", e.residual.clone()), ("s", e.rate_residual.clone()), ("phi", e.laws.clone())],
        ),
        tangent: kernel(
            "tangent",
            &[
                ("r", e.residual.clone()),
                ("s", e.rate_residual.clone()),
                ("phi", e.laws.clone()),
                ("tangent", e.tangent.values()),
            ],
        ),
        constraint: kernel(
            "constraint",
            &[("phi", e.phi.clone()), ("rate", e.phi_dot.clone()), ("jacobian", e.jacobian.values())],
        ),
        momentum_rate: kernel("momentum_rate", &[("out", e.momentum_rate.clone())]),
        inputs: kernel("input_jacobian", &[("out", e.inputs.values())]),
        parameters: kernel(
            "parameter_jacobian",
            &[("r", e.parameters.values()), ("phi", e.constraint_parameters.values())],
        ),
        algebraic: kernel("algebraic", &[("values", e.algebraic[0].clone()), ("jacobian", e.algebraic[1].clone())]),
        phi_t: kernel("constraint_time_derivative", &[("out", e.phi_t.clone())]),
        kinematics: kernel(
            "kinematics",
            &[("matrix", e.kinematics.values()), ("jacobian", e.kinematic_jacobian.values())],
        ),
        energy: kernel("energy", &[("energy", e.energy.to_vec()), ("power", e.power.clone())]),
        outputs: kernel("outputs", &[("out", e.outputs.clone())]),
        output_jacobian: kernel("output_jacobian", &[("out", e.output_jacobian.values())]),
        limits: kernel("limits", &[("out", e.limits.clone()), ("jacobian", e.limit_jacobian.values())]),
        costs: kernel("costs", &[("out", e.costs.clone()), ("gradient", e.cost_gradient.values())]),
        fits: kernel("residuals", &[("out", e.fits.clone()), ("jacobian", e.fit_jacobian.values())]),
        products: products(e, branches),
        conditions: kernel(
            "conditions",
            &[
                ("position", e.position_conditions.0.clone()),
                ("position_jacobian", e.position_conditions.1.values()),
                ("velocity", e.velocity_conditions.0.clone()),
                ("velocity_jacobian", e.velocity_conditions.1.values()),
            ],
        ),
        guess: kernel("guess", &[("q", e.starts[0].clone()), ("v", e.starts[1].clone()), ("z", e.starts[2].clone())]),
        bounds: kernel(
            "bounds",
            &[
                ("input_lo", e.bounds[0].clone()),
                ("input_hi", e.bounds[1].clone()),
                ("limit_lo", e.bounds[2].clone()),
                ("limit_hi", e.bounds[3].clone()),
            ],
        ),
        requires: kernel("requires", &[("holds", e.holds.clone())]),
        given: kernel("given", &[("given", e.given.clone())]),
        guards: kernel("guards", &[("out", e.guards.clone())]),
        guard_rates: kernel("guard_rates", &[("out", e.guard_rates.clone())]),
        reset: kernel("reset", &[("values", e.resets.clone())]),
        saddle: e.saddle.as_ref().map(|elimination| solver(elimination, branches)),
        kkt: e.kkt.as_ref().map(|elimination| solver(elimination, branches)),
    }
}

/// The products that were asked for.
fn products(e: &Equations, branches: bool) -> Vec<Kernel> {
    let p = &e.products;
    let lists = [
        ("jvp", p.jvp.clone()),
        ("vjp", p.vjp.clone()),
        ("hvp", p.hvp.clone()),
        ("hessian", p.hessian.as_ref().map(|h| h.values())),
    ];
    let kernel = |(name, nodes): (&'static str, Option<Vec<Node>>)| {
        nodes.map(|nodes| fused(&e.graph, name, &[("out", nodes)], branches, &[]))
    };
    lists.into_iter().filter_map(kernel).collect()
}

fn solver(elimination: &Elimination, branches: bool) -> Solver {
    let Elimination { size, graph, factor, checks, solution } = elimination;
    let factorize = [("factor", factor.clone()), ("checks", checks.clone())];
    Solver {
        size: *size,
        factors: factor.len(),
        checks: checks.len(),
        factorize: fused(graph, "factorize", &factorize, branches, &[]),
        solve: fused(graph, "solve", &[("x", solution.clone())], branches, &[]),
    }
}

/// A kernel of these arrays; the nodes `apart` are computed by themselves.
fn fused(
    graph: &Graph,
    name: &'static str,
    blocks: &[(&'static str, Vec<Node>)],
    branches: bool,
    apart: &[Node],
) -> Kernel {
    let outputs: Vec<(Target, Node)> = blocks
        .iter()
        .flat_map(|(array, nodes)| nodes.iter().enumerate().map(move |(i, &node)| ((*array, i), node)))
        .collect();
    let arrays = blocks.iter().map(|(array, nodes)| (*array, nodes.len())).collect();
    cut(name, arrays, schedule(graph, &outputs, branches, apart))
}
