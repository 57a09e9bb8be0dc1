//! What a model with sets may say of its members, against the same model written out.

#[macro_use]
mod alike;
mod adding;
mod algebraic;
mod bound;
mod events;
mod frozen;
mod held;
mod inputs;
mod latches;
mod laws;
mod lengths;
mod rows;
mod shown;
mod starts;
mod states;
mod subs;
mod sums;
