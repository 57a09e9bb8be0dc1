//! Filters: against reference sequences, against each other, and with what they must refuse.

#![allow(unreachable_pub, reason = "models are public as users write them")]

mod attitude;
mod derivatives;
mod models;
mod pendulum;
mod tables;
mod turned;
