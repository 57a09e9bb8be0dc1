//! Models with more than coordinates: first-order states, algebraic variables, modes and events. Each emits its
//! own test of all derivatives, which runs here too.

#![allow(unreachable_pub, reason = "models are public as users write them")]

#[path = "../ode-runtime/tests/common/erased.rs"]
#[allow(dead_code, reason = "tests of the runtime use the rest")]
mod erased;
#[path = "models/help.rs"]
mod help;

use help::{begin, close, near};

#[path = "models/algebraic.rs"]
mod algebraic;
#[path = "models/events.rs"]
mod events;
#[path = "models/first_order.rs"]
mod first_order;
#[path = "models/friction.rs"]
mod friction;
#[path = "models/states.rs"]
mod states;
