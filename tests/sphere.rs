//! Points of the sphere as coordinates. Each model emits its own test of all derivatives, which runs here too.

#![allow(unreachable_pub, reason = "models are public as users write them")]

#[path = "../ode-runtime/tests/common/erased.rs"]
#[allow(dead_code, reason = "tests of the runtime use the rest")]
mod erased;
#[path = "models/help.rs"]
mod help;

use help::{begin, jacobi, near};

#[path = "models/on_the_sphere.rs"]
mod on_the_sphere;
#[path = "models/sphere.rs"]
mod sphere;
