//! Regulators and steady filters against values of other programs, closed forms, and their own definition.

mod cart_pole;
mod closed_forms;
mod feedback;
mod ill_conditioned;
mod integral;
mod outputs;
mod refused;
mod sweep;
mod systems;
mod without_cost;
