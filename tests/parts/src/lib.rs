//! Models that others are composed of, in a crate of their own.

use ode_model::prelude::*;

pub mod robot;

model! {
    /// A mass on a spring between two points of a line.
    pub struct Oscillator<T> {
        param m: Real [kg] = 1.0;
        param k: Real [N/m] = 4.0;
        /// where the spring is held
        input base: Real [m] = 0.0;
        coord x: Real [m];
        kinetic = 0.5 * m * sq(der(x));
        force spring on x = k * (base - x);
        init x = 0.1;
        /// what the spring pulls its base with
        output pull: Real [N] = k * (x - base);
    }
}

/// The code of the README, compiled and run: a user of it has all of these packages.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ReadmeDoctests;
