//! The generated solves, where they lose digits and where M is negative, beside elimination in twice the digits.

#![allow(unreachable_pub, reason = "models are public as users write them")]

#[path = "models/ratios.rs"]
mod ratios;
#[path = "../ode-runtime/tests/common/twofold.rs"]
mod twofold;
