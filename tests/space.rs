//! Models in space: rotations, frames and bodies. Each emits its
//! own test of all derivatives, which runs here too.

#![allow(unreachable_pub, reason = "models are public as users write them")]

#[path = "models/help.rs"]
mod help;

use help::{begin, close, jacobi, near};

#[path = "models/carried.rs"]
mod carried;
#[path = "models/rotations.rs"]
mod rotations;
#[path = "models/space.rs"]
mod space;
#[path = "models/turned.rs"]
mod turned;
