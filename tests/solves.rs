//! The generated solves, for lost digits and for negative M, compared with elimination in twice the digits; long ones
//! with a dense LU.

#![allow(unreachable_pub, reason = "models are public as users write them")]

#[path = "models/long_chains.rs"]
mod long_chains;
#[path = "models/ratios.rs"]
mod ratios;
#[path = "../ode-runtime/tests/common/twofold.rs"]
mod twofold;
