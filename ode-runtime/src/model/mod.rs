//! What a model is to everything that works with it: its layout, what it evaluates, its state and its inputs.

pub(crate) mod differentiable;
pub(crate) mod history;
pub(crate) mod input;
pub(crate) mod layout;
pub(crate) mod linearize;
pub(crate) mod rotations;
pub(crate) mod state;
pub(crate) mod system;
