//! Linear systems of models, against references, differences of runs and each other.

#![allow(clippy::excessive_precision, reason = "references have more digits than f64")]
#![allow(unreachable_pub, reason = "modules of one program share what is public")]

mod cart_poles;
mod connections;
mod descriptors;
mod drive;
mod gramians;
mod hidden_modes;
mod hold;
mod in_motion;
#[path = "../../../tests/variation/perturb.rs"]
#[allow(dead_code, reason = "tests of variations use the rest")]
mod perturb;
mod poles;
mod reach;
mod refused;
mod responses;
mod steps;
mod upright;
mod without_answer;
mod zeros;

use ode_model_variation as models;
