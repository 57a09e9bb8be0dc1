//! Items → the draft of a model: one file for each kind of item; [`read`] gives the order in which they are read.

mod balance;
mod bodies;
mod body;
mod bounds;
mod collisions;
mod colors;
mod conditions;
mod constraint;
mod declared;
mod energy;
mod equation;
mod event;
mod fields;
mod fix;
mod force;
mod gravity;
mod integrable;
mod labels;
mod law;
mod look;
mod mass;
mod outputs;
mod passes;
mod rate;
mod require;
mod residual;
mod show;
mod soft;
mod solid;
mod spring;
mod start;
mod stiffness;
mod turns;

pub(crate) use constraint::{holds_nothing, order};
pub(crate) use fix::accessor;
pub(crate) use look::nothing;
pub(crate) use passes::read;
pub(crate) use rate::algebraic_last;
pub(crate) use show::of_two_spaces;

pub(crate) use declared::{Hints, Supposed, lacks_unit, reserved};
