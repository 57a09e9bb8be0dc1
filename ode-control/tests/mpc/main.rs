//! Linear model predictive control against plans of other programs, and against the conditions of an optimum.

mod cart_pole;
mod conditions;
mod problems;
mod random;
