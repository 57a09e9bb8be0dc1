//! Linear systems: what they are made from, and what one asks of them.

pub(crate) mod state_space;
