//! What a model with sets may say of its members, against the same model written out.

#[macro_use]
mod alike;
mod adding;
mod algebraic;
mod bound;
#[path = "../../../ode-runtime/tests/common/erased.rs"]
#[allow(unreachable_pub, dead_code, reason = "tests of the runtime use the rest")]
mod erased;
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
