//! Directions along which a twin is evaluated.

/// The direction of a dual evaluation.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Direction {
    /// along a tangent direction at q
    Position(usize),
    /// along an entry of the step that leads to q
    Step(usize),
    Velocity(usize),
    Acceleration(usize),
    State(usize),
    Rate(usize),
    Multiplier(usize),
    Input(usize),
    Parameter(usize),
    Time,
    /// along (q̇, v̇, ṫ) = (v, 0, 1)
    Motion,
    /// along (q̇, v̇, ż, ṫ) = (v, a, ż, 1)
    Flight,
}

/// No direction of any probe.
pub(super) const NOWHERE: Direction = Direction::Parameter(usize::MAX);
