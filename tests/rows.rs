//! Models with rows of every kind: constraints on velocities, compliant ones, fixed coordinates. Each emits its own
//! test of all derivatives, which runs here too.

#![allow(unreachable_pub, reason = "models are public as users write them")]

#[path = "../ode-runtime/tests/common/erased.rs"]
#[allow(dead_code, reason = "tests of the runtime use the rest")]
mod erased;
#[path = "models/help.rs"]
mod help;

use help::{begin, close, near};

#[path = "models/fixed.rs"]
mod fixed;
#[path = "models/rolling.rs"]
mod rolling;
#[path = "models/soft.rs"]
mod soft;
