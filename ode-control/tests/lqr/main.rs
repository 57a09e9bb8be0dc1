//! Regulators and steady filters against values of other programs, closed forms, and their own definition.

mod cart_pole;
mod closed_forms;
mod feedback;
mod refused;
mod systems;
