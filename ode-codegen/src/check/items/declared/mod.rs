//! What is declared: names with their scalars, units and defaults, and the scopes of subs.

mod bind;
mod coordinate;
mod declarations;
mod declare;
mod declaring;
mod default;
mod external;
mod freeze;
mod given;
mod members;
mod open;
mod register;
mod reserved;
mod sub;
mod symbols;
mod unit;

pub(crate) use bind::{Bindings, bound, targets};
pub(crate) use declarations::declarations;
pub(crate) use declare::ranges;
pub(crate) use declaring::Declaring;
pub(crate) use open::open;
pub(crate) use reserved::{accessor, reserved};
pub(crate) use sub::fields;
pub(crate) use unit::{Hints, Supposed, lacks_unit, units};
