//! Matrices, as all tools of design need them.

pub(crate) mod balance;
pub(crate) mod operations;
pub(crate) mod reached;
pub(crate) mod stability;
