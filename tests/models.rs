//! Models of every shape the language allows, against closed forms. Each emits its own test of all derivatives, which runs here too.

#![allow(unreachable_pub, reason = "models are public as users write them")]

#[path = "models/help.rs"]
mod help;

use help::{begin, close, near};

#[path = "models/algebraic.rs"]
mod algebraic;
#[path = "models/branches.rs"]
mod branches;
#[path = "models/events.rs"]
mod events;
#[path = "models/first_order.rs"]
mod first_order;
#[path = "models/mechanics.rs"]
mod mechanics;
#[path = "models/names.rs"]
mod names;
#[path = "models/outside.rs"]
mod outside;
#[path = "models/products.rs"]
mod products;
#[path = "models/rotations.rs"]
mod rotations;
#[path = "models/scalars.rs"]
mod scalars;
#[path = "models/shapes.rs"]
mod shapes;
#[path = "models/space.rs"]
mod space;
#[path = "models/states.rs"]
mod states;
