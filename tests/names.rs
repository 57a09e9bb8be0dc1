//! Models under every name, visibility and place that Rust allows. Each emits its
//! own test of all derivatives, which runs here too.

#![allow(unreachable_pub, reason = "models are public as users write them")]

#[path = "models/help.rs"]
mod help;

use help::{begin, close};

#[path = "models/measured.rs"]
mod measured;
#[path = "models/names.rs"]
mod names;
#[path = "models/pictures.rs"]
mod pictures;
