//! The kinds of quantities and of consistency in errors.

use core::fmt;

/// What a number in an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quantity {
    /// an entry of q
    Coordinate,
    /// an entry of v
    Velocity,
    /// an entry of z
    State,
    /// an entry of u
    Input,
    /// a mode
    Mode,
    /// the guard of an event
    Guard,
    /// an entry of v̇
    Acceleration,
    /// an entry of ż
    Rate,
    /// an algebraic entry of z, or its equation
    Algebraic,
    /// an entry of λ
    Multiplier,
    /// an entry of M or of its residual row
    Mass,
    /// an entry of f, or its equation of motion
    Force,
    /// an entry of Φ, Φ̇, G or γ
    Constraint,
    /// an initial condition
    Condition,
    /// an output
    Output,
    /// the derivative by a parameter, an input or an entry of a state
    Derivative,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Coordinate => "coordinate",
            Self::Velocity => "velocity",
            Self::State => "state",
            Self::Input => "input",
            Self::Mode => "mode",
            Self::Guard => "guard of event",
            Self::Acceleration => "acceleration of",
            Self::Rate => "rate of",
            Self::Algebraic => "algebraic variable",
            Self::Multiplier => "multiplier of",
            Self::Mass => "inertia of",
            Self::Force => "force on",
            Self::Constraint => "constraint",
            Self::Condition => "initial condition",
            Self::Output => "output",
            Self::Derivative => "derivative by",
        })
    }
}

/// What was being made consistent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Φ(q, t) = 0
    Position,
    /// G v + Φₜ = 0
    Velocity,
    /// G a + γ = 0
    Acceleration,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Position => "positions",
            Self::Velocity => "velocities",
            Self::Acceleration => "accelerations",
        })
    }
}
