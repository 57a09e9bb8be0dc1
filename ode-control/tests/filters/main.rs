//! Filters: against reference sequences, against each other, and with what they must refuse.

#![allow(unreachable_pub, reason = "models are public as users write them")]

mod attitude;
mod consistency;
mod constrained;
mod derivatives;
mod heap;
mod models;
mod pendulum;
mod refused;
mod semidefinite;
mod tables;
mod turned;
