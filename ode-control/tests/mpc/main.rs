//! Linear model predictive control against plans of other programs, and against the conditions of an optimum.

mod cart;
mod cart_pole;
mod conditions;
mod heap;
mod loops;
mod problems;
mod random;
mod refused;
