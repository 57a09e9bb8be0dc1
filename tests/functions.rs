//! Models with functions of every kind: branches, external functions, second derivatives. Each emits its
//! own test of all derivatives, which runs here too.

#![allow(unreachable_pub, reason = "models are public as users write them")]

#[path = "models/help.rs"]
mod help;

use help::{begin, close, near};

#[path = "models/branches.rs"]
mod branches;
#[path = "models/external.rs"]
mod external;
#[path = "models/linearized.rs"]
mod linearized;
#[path = "models/products.rs"]
mod products;
#[path = "models/recorded.rs"]
mod recorded;
#[path = "models/shown.rs"]
mod shown;
#[path = "models/tangents.rs"]
mod tangents;
