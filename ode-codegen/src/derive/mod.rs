//! A model's equations of motion and all their derivatives, on the model's own graph.
//!
//! ```text
//! r = d/dt(∂T/∂v) − ∂T/∂q + M_x a + ∂V/∂q + ∂R/∂v − Σ (∂s/∂q)ᵀ e − Gᵀ λ
//! s = ż − g
//! ```
//!
//! A time derivative is one directional derivative along (q̇, v̇, ṫ) = (v, a, 1), so Coriolis and centrifugal terms
//! come without Christoffel symbols, and M a without forming M; M_x is what `mass` items add. The forces f are −r at
//! a = 0, λ = 0.

mod acceleration_partials;
mod changes;
mod choice;
mod christoffel;
mod composite;
mod constraints;
mod curvature;
mod data;
mod dynamics;
mod eliminated;
mod elimination;
mod energies;
mod events;
mod inertia;
mod kinematics;
mod linearised;
mod mechanics;
mod momenta;
mod newton;
mod newton_euler;
mod observed;
mod partials;
mod products;
mod sensitivities;
mod sparse;
mod spheres;
mod starts;
mod states;
mod tangent;
mod vertices;

pub use acceleration_partials::AccelerationPartials;
pub use changes::Changed;
pub use constraints::Constraints;
pub use curvature::Curvature;
pub use data::Data;
pub use dynamics::Dynamics;
pub use elimination::{Elimination, Solutions, Solves};
pub use energies::Energies;
pub use events::{EventPartials, Events};
pub use kinematics::Kinematics;
pub use linearised::Linearised;
pub(crate) use linearised::linearised;
pub use momenta::Momenta;
pub use newton::{NewtonShare, NewtonStiffness};
pub use observed::Observed;
pub use partials::Partials;
pub use products::Products;
pub use sensitivities::Sensitivities;
pub(crate) use sparse::pattern;
pub use sparse::{Rows, Sparse};
pub use starts::{StartPartials, Starts};
pub use states::States;
pub use tangent::Tangent;

use crate::expr::{Graph, Node};
use crate::model::Model;

/// The equations of a model and their derivatives, group by group.
#[allow(missing_docs, reason = "each group says what it is")]
pub struct Equations {
    /// all expressions, the model's included
    pub graph: Graph,
    pub dynamics: Dynamics,
    pub kinematics: Kinematics,
    pub constraints: Constraints,
    pub states: States,
    pub tangent: Tangent,
    pub newton: NewtonStiffness,
    pub sensitivities: Sensitivities,
    pub partials: Partials,
    pub energies: Energies,
    pub observed: Observed,
    pub products: Products,
    pub starts: Starts,
    pub data: Data,
    pub events: Events,
    pub solves: Solves,
    pub acceleration_partials: Option<AccelerationPartials>,
    pub momenta: Momenta,
    pub event_partials: EventPartials,
    pub start_partials: StartPartials,
    pub curvature: Curvature,
}

/// Derives everything a model's struct offers. Cannot fail: every user error was found before.
pub(crate) fn derive(model: &mut Model) -> Equations {
    let mut graph = std::mem::take(&mut model.graph);
    spheres::settle(&mut graph, model);
    let (element, varied) = (model.header.element, model.header.is_varied());
    let symbols = mechanics::Symbols::of(model);
    let mut m = mechanics::Mechanics { graph, model, symbols };
    let dynamics = m.dynamics();
    let kinematics = m.kinematics();
    let constraints = m.constraints();
    let states = m.states();
    let moving: Vec<Node> = dynamics.residual.iter().chain(&states.residual).copied().collect();
    let all: Vec<Node> = moving.iter().chain(&constraints.laws).copied().collect();
    let mut tangent = m.tangent(&moving, &constraints);
    let newton = m.newton_stiffness();
    tangent.matrix.cover(&mut m.graph, newton.shares.iter().map(|share| (share.row, share.col)));
    if m.model.header.options.emit.linearized {
        tangent.drift = Some(m.drift(&tangent.matrix));
    }
    let sensitivities = m.sensitivities(&moving, &constraints.laws);
    let partials = if varied { m.partials(&moving, &constraints) } else { Partials::default() };
    let energies = m.energies();
    let observed = m.observed();
    let products = m.products(&all, m.model.header.options.emit);
    let starts = m.starts();
    let data = m.data();
    let events = m.events();
    // a model with sets is solved as a whole
    let solves = if element { Solves::default() } else { m.solves(&dynamics, &constraints, &tangent.matrix) };
    let compliant = !constraints.compliance.is_empty();
    let acceleration_partials = m.acceleration_partials(solves.solutions.as_ref(), &partials, compliant);
    let momenta = m.momenta(&dynamics);
    let event_partials = m.event_partials();
    let start_partials = m.start_partials(&starts);
    let curvature = if varied { m.curvature(&all) } else { Curvature::default() };
    Equations {
        graph: m.graph,
        dynamics,
        kinematics,
        constraints,
        states,
        tangent,
        newton,
        sensitivities,
        partials,
        energies,
        observed,
        products,
        starts,
        data,
        events,
        solves,
        acceleration_partials,
        momenta,
        event_partials,
        start_partials,
        curvature,
    }
}
