//! Linear systems of models, against references, differences of runs and each other.

#![allow(clippy::excessive_precision, reason = "references have more digits than f64")]
#![allow(unreachable_pub, reason = "models are public as users write them")]

mod cart_poles;
mod descriptors;
mod drive;
mod in_motion;
#[path = "../../../tests/variation/models.rs"]
mod models;
#[path = "../../../tests/variation/perturb.rs"]
#[allow(dead_code, reason = "tests of variations use the rest")]
mod perturb;
mod refused;
mod steps;
mod upright;
