//! Fits: against references of other programs, against each other, and with what they must refuse.

#![allow(unreachable_pub, reason = "models are public as users write them")]

mod bad_input;
mod borders;
mod constrained;
mod doubts;
mod first_order;
mod pendulum;
mod prepared;
mod regressions;
mod robust;
mod scattered;
mod several;
mod turned;
