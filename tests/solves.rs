//! The generated solves, for lost digits and for negative M, compared with elimination in twice the digits.

#![allow(unreachable_pub, reason = "models are public as users write them")]

#[path = "models/ratios.rs"]
mod ratios;
#[path = "../ode-runtime/tests/common/twofold.rs"]
mod twofold;
