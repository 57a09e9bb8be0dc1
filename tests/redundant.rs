//! Models with redundant rows. Each emits its own test of all derivatives, which runs here too.

#![allow(unreachable_pub, reason = "models are public as users write them")]

#[path = "models/redundant.rs"]
mod redundant;
#[path = "models/shared_loads.rs"]
mod shared_loads;
