//! Expressions → values. One [`Reader`] for all of them; its methods stand in files by what they read.

mod choice;
mod condition;
mod depends;
mod expression;
mod frames;
mod functions;
mod lists;
mod literal;
mod lookup;
mod operators;
mod parts;
mod pending;
mod plain;
mod powers;
mod reaction;
mod reader;
mod rounds;
mod sphere;
mod subs;
mod turned;
mod typed;
mod unknown;

pub(crate) use condition::Condition;
pub(crate) use literal::{is_literal, start};
pub(crate) use plain::{in_unit, is_number, mend, mend_either};
pub(crate) use reader::Reader;
pub(crate) use sphere::{Point, Sphere};
