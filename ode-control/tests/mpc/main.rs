//! Model predictive control against plans of other programs, and against the conditions of an optimum.

mod cart;
mod cart_pole;
#[cfg(feature = "clarabel")]
mod clarabel;
mod conditions;
mod heap;
mod loops;
mod nonlinear;
mod problems;
mod random;
mod refused;
