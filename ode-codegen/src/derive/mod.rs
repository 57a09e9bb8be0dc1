//! What follows from a model: its equations of motion and all their derivatives, on the model's own graph.
//!
//! ```text
//! r = d/dt(∂T/∂v) − ∂T/∂q + M_x a + ∂V/∂q + ∂R/∂v − Σ (∂s/∂q)ᵀ e − Gᵀ λ
//! s = ż − g
//! ```
//!
//! A time derivative is one directional derivative along (q̇, v̇, ṫ) = (v, a, 1), so Coriolis and centrifugal terms come
//! without Christoffel symbols, and M a without forming M; M_x is what `mass` items add. The forces f are −r at a = 0, λ = 0.

mod choice;
mod composite;
mod data;
mod elimination;
mod inertia;
mod kinematics;
mod mechanics;
mod newton_euler;
mod products;
mod rows;
mod sensitivity;
mod sparse;
mod tangent;

pub use elimination::{Elimination, Solutions};
pub use products::Products;
pub use sparse::{Sparse, pattern};

use crate::expr::{Graph, Node, Symbol};
use crate::model::Model;

/// The equations of a model and their derivatives.
pub struct Equations {
    /// all expressions, the model's included
    pub graph: Graph,
    /// lower triangle of M
    pub mass: Sparse,
    /// M depends on parameters alone
    pub constant_mass: bool,
    /// some Φ depends on t
    pub rheonomic: bool,
    /// f, nv
    pub force: Vec<Node>,
    /// r, nv
    pub residual: Vec<Node>,
    /// Ṁ v, nv; empty where M is constant, and in models of first order
    pub momentum_rate: Vec<Node>,
    /// g, nz
    pub rates: Vec<Node>,
    /// ż − g, and −F of algebraic variables, nz
    pub rate_residual: Vec<Node>,
    /// F, and its dense Jacobian by the algebraic variables
    pub algebraic: [Vec<Node>; 2],
    /// what each row makes zero, nc: Φ, A v + b, or Φ + τ Φ̇ + E λ
    pub laws: Vec<Node>,
    /// Φ, nc; zero in a row of velocities and in one that yields
    pub phi: Vec<Node>,
    /// N of q̇ = N(q) v, nq × nv; empty where N = 1
    pub kinematics: Sparse,
    /// ∂(N(q) v)/∂q, nq × nv; empty where N = 1
    pub kinematic_jacobian: Sparse,
    /// Φₜ, nc; b in a row of velocities
    pub phi_t: Vec<Node>,
    /// Φ̇ = G v + Φₜ, nc; A v + b in a row of velocities, zero in one that yields
    pub phi_dot: Vec<Node>,
    /// γ, nc
    pub gamma: Vec<Node>,
    /// G, nc × nv; A in a row of velocities, nothing in one that yields
    pub jacobian: Sparse,
    /// the weighted bordered tangent, (nv + nz + nc)²
    pub tangent: Sparse,
    /// pattern of K alone: (row, column)
    pub stiffness: Vec<(usize, usize)>,
    /// pattern of D alone: (row, column)
    pub damping: Vec<(usize, usize)>,
    /// B = −∂(r, s)/∂u, (nv + nz) × nu
    pub inputs: Sparse,
    /// P = ∂(r, s)/∂p, (nv + nz) × np
    pub parameters: Sparse,
    /// the laws' derivative by parameters, nc × np
    pub constraint_parameters: Sparse,
    /// T, V and 2R
    pub energy: [Node; 3],
    /// power of each force, in the model's order
    pub power: Vec<Node>,
    /// outputs, ny
    pub outputs: Vec<Node>,
    /// ∂y/∂(q, v, z, a, ż, λ, u, p)
    pub output_jacobian: Sparse,
    /// path constraints
    pub limits: Vec<Node>,
    /// ∂h/∂(q, v, z, u)
    pub limit_jacobian: Sparse,
    /// each cost
    pub costs: Vec<Node>,
    /// ∂cost/∂(q, v, z, u), one row a cost
    pub cost_gradient: Sparse,
    /// rows of sums of squares
    pub fits: Vec<Node>,
    /// ∂/∂(q, v, z, u) of them
    pub fit_jacobian: Sparse,
    /// what `emit(..)` asked for
    pub products: Products,
    /// residuals of exact position conditions, and their Jacobian ∂/∂q
    pub position_conditions: (Vec<Node>, Sparse),
    /// residuals of exact velocity conditions, and their Jacobian ∂/∂v
    pub velocity_conditions: (Vec<Node>, Sparse),
    /// starting values of q, v and z
    pub starts: [Vec<Node>; 3],
    /// lowest and highest of each input and of each limit
    pub bounds: [Vec<Node>; 4],
    /// one for each requirement: 1 where it holds
    pub holds: Vec<Node>,
    /// parameters given to subs, in the order of the subs
    pub given: Vec<Node>,
    /// g of each event
    pub guards: Vec<Node>,
    /// ġ of each event
    pub guard_rates: Vec<Node>,
    /// new values of all events, one event after the other
    pub resets: Vec<Node>,
    /// LDLᵀ of [M Gᵀ; G 0], where straight-line code is worth it
    pub saddle: Option<Elimination>,
    /// accelerations and corrections straight from the state, where they are short
    pub solutions: Option<Solutions>,
    /// LDU of the bordered tangent, where straight-line code is worth it
    pub kkt: Option<Elimination>,
}

/// Derives everything a model's struct offers. Cannot fail: every user error was found before.
pub fn derive(model: &mut Model) -> Equations {
    let graph = std::mem::take(&mut model.graph);
    let sizes = mechanics::Symbols::of(model);
    let mut m = mechanics::Mechanics { graph, model, symbols: sizes };
    let dynamics = m.dynamics();
    let kinematics = m.kinematics();
    let constraints = m.constraints();
    let (rates, algebraic) = (m.rates(), m.algebraic());
    let rows: Vec<Node> = dynamics.residual.iter().chain(&rates).copied().collect();
    let tangent = m.tangent(&rows, &constraints);
    let sensitivities = m.sensitivities(&rows, &constraints.laws);
    let energy = m.energies();
    let power = m.powers();
    let outputs: Vec<Node> = m.model.outputs.iter().flat_map(|o| o.value.clone()).collect();
    let output_jacobian = m.output_jacobian(&outputs);
    let limits: Vec<Node> = m.model.limits.iter().flat_map(|l| l.value.clone()).collect();
    let limit_jacobian = m.state_jacobian(&limits);
    let costs: Vec<Node> = m.model.costs.iter().map(|c| c.value).collect();
    let cost_gradient = m.state_jacobian(&costs);
    let fits: Vec<Node> = m.model.fits.iter().flat_map(|f| f.value.clone()).collect();
    let fit_jacobian = m.state_jacobian(&fits);
    let rows: Vec<Node> = rows.into_iter().chain(constraints.laws.iter().copied()).collect();
    let products = m.products(&rows, m.model.header.options.emit);
    let (position_conditions, velocity_conditions) = m.conditions();
    let (starts, bounds, holds, given) = (m.starts(), m.bounds(), m.holds(), m.given());
    let (guards, guard_rates) = m.guards();
    let resets = m.model.events.iter().flat_map(|e| e.resets.iter().map(|(_, value)| *value)).collect();
    let soft: Vec<usize> = constraints.compliance.iter().map(|&(row, _)| row).collect();
    // A static order of pivots is for rows that hold something each.
    let (saddle, solutions, kkt) = match m.model.is_redundant() {
        true => (None, None, None),
        false => (
            Elimination::of_saddle(&dynamics.mass, &constraints.jacobian, &soft),
            m.solutions(&dynamics, &constraints, &soft),
            m.elimination(&dynamics.mass, &tangent.matrix),
        ),
    };
    let moves = |s| matches!(s, Symbol::Q(_) | Symbol::V(_) | Symbol::Mode(_) | Symbol::Time);
    let constant_mass = dynamics.mass.values().iter().all(|&n| !m.graph.depends(n, moves));
    let momenta = !constant_mass && !m.first_order();
    let momentum_rate = if momenta { m.momentum_rate(&dynamics.mass) } else { Vec::new() };
    let rheonomic = constraints.laws.iter().any(|&n| m.graph.depends(n, |s| s == Symbol::Time));
    Equations {
        constant_mass,
        rheonomic,
        rates: m.model.rates.clone(),
        graph: m.graph,
        mass: dynamics.mass,
        force: dynamics.force,
        residual: dynamics.residual,
        momentum_rate,
        rate_residual: rates,
        algebraic,
        laws: constraints.laws,
        phi: constraints.phi,
        kinematics: kinematics.matrix,
        kinematic_jacobian: kinematics.jacobian,
        phi_t: constraints.phi_t,
        phi_dot: constraints.phi_dot,
        gamma: constraints.gamma,
        jacobian: constraints.jacobian,
        tangent: tangent.matrix,
        stiffness: tangent.stiffness,
        damping: tangent.damping,
        inputs: sensitivities.inputs,
        parameters: sensitivities.parameters,
        constraint_parameters: sensitivities.constraint_parameters,
        energy,
        power,
        outputs,
        output_jacobian,
        limits,
        limit_jacobian,
        costs,
        cost_gradient,
        fits,
        fit_jacobian,
        products,
        position_conditions,
        velocity_conditions,
        starts,
        bounds,
        holds,
        given,
        guards,
        guard_rates,
        resets,
        saddle,
        solutions,
        kkt,
    }
}
