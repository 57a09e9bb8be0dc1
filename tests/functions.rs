//! Models with functions of every kind: branches, functions from outside, second derivatives. Each emits its
//! own test of all derivatives, which runs here too.

#![allow(unreachable_pub, reason = "models are public as users write them")]

#[path = "models/help.rs"]
mod help;

use help::{begin, close, near};

#[path = "models/branches.rs"]
mod branches;
#[path = "models/outside.rs"]
mod outside;
#[path = "models/products.rs"]
mod products;
