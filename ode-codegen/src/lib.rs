//! The compiler behind `ode-model`'s `model!` macro, as an ordinary library.

pub mod derive;
pub mod expr;
pub mod lower;
pub mod model;
