//! Linear systems: what they are made from, and what one asks of them.

mod bode;
mod connection;
pub(crate) mod descriptor;
mod elimination;
mod exponential;
mod gramian;
mod hold;
pub(crate) mod linearization_error;
pub(crate) mod linearizer;
pub(crate) mod misfit;
mod partition;
mod point;
pub(crate) mod pole;
pub(crate) mod pole_value;
pub(crate) mod reach;
pub(crate) mod state_space;
pub(crate) mod system_error;
pub(crate) mod transfer;
mod zeros;
