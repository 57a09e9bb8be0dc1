//! Models of mechanics in numbers, vectors and matrices, on f64 and other scalars. Each emits its
//! own test of all derivatives, which runs here too.

#![allow(unreachable_pub, reason = "models are public as users write them")]

#[path = "../ode-runtime/tests/common/erased.rs"]
#[allow(dead_code, reason = "tests of the runtime use the rest")]
mod erased;
#[path = "models/help.rs"]
mod help;

use help::{begin, close, near};

#[path = "models/massless.rs"]
mod massless;
#[path = "models/mechanics.rs"]
mod mechanics;
#[path = "models/scalars.rs"]
mod scalars;
#[path = "models/shapes.rs"]
mod shapes;
