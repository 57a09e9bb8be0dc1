//! Why a start or a step fails.

use crate::error::build::BuildError;
use crate::error::difference::Difference;
use crate::error::name::{Name, Names};
use crate::error::quantity::{Level, Quantity};

/// The entry that limits a step, and its error relative to its tolerance; with [`Norm::Rms`](crate::Norm::Rms) the
/// error of all entries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLimit {
    /// a coordinate, velocity or state
    pub quantity: Quantity,
    /// its name; for a rotation, that of the velocity
    pub name: Name,
    /// its error divided by its tolerance: at most 1 in an accepted step
    pub error: f64,
}

/// Why a start or a step failed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// A setting is outside its range.
    Invalid {
        /// which
        setting: &'static str,
        /// what it was
        value: f64,
    },
    /// Something of a run with sensitivities has no derivative here.
    NotDifferentiable {
        /// what
        what: &'static str,
    },
    /// An event happens at a sample instant: their order would decide.
    EventAtSample {
        /// its name
        event: Name,
        /// the number of the instant, or of the knot, counted from 0
        sample: u64,
    },
    /// A derivative by an input that a function gives, which has no number of its own.
    GivenInput {
        /// its name
        name: Name,
    },
    /// A derivative by a parameter, where none by parameters was evaluated.
    WithoutParameters {
        /// its name
        name: Name,
    },
    /// A direction changes a parameter that does not exist.
    NoParameter {
        /// its number, counted from 0
        number: usize,
        /// how many the model has
        count: usize,
    },
    /// A direction changes a number of the inputs' own that does not exist.
    NoInput {
        /// which, counted from 0
        number: usize,
        /// how many the inputs have
        count: usize,
    },
    /// Inputs say that they [hold](crate::Inputs::holds) their output, and it moves between sample instants: its
    /// derivatives would be wrong.
    MovingInput {
        /// its name
        name: Name,
    },
    /// More checkpoints were asked for than fit into memory.
    Checkpoints {
        /// how many
        asked: usize,
        /// bytes of each
        each: usize,
    },
    /// Parameters make no model.
    Parameters(BuildError),
    /// A setting is outside its range.
    OutOfRange {
        /// which
        setting: &'static str,
        /// what it was
        value: f64,
        /// the lowest value allowed
        low: f64,
        /// the highest value allowed
        high: f64,
    },
    /// A run was asked to advance to a time before its present one.
    Past {
        /// the time asked for
        asked: f64,
        /// the time of the run
        now: f64,
    },
    /// A value is NaN or infinite.
    NonFinite {
        /// what it is
        quantity: Quantity,
        /// its name in the model
        name: Name,
    },
    /// The entries of a rotation are not a unit vector.
    NotARotation {
        /// the coordinate
        name: Name,
        /// the norm of its entries
        norm: f64,
    },
    /// M is negative along a motion that the constraints allow: no physical body has such inertia.
    Inertia {
        /// a coordinate that moves in it
        name: Name,
        /// the effective inertia of the coordinate with the constraints satisfied and the other coordinates free;
        /// without constraints and other coordinates, its diagonal entry of M
        value: f64,
    },
    /// The same for D in a model of first order: it would feed energy in.
    Dissipation {
        /// a coordinate that moves in it
        name: Name,
        /// the effective diagonal entry of D with the constraints satisfied and the other coordinates free
        value: f64,
    },
    /// An equation keeps a residual above round-off: the matrix is singular to working precision.
    Inaccurate {
        /// a force or a constraint
        quantity: Quantity,
        /// the coordinate, state or constraint of the equation
        name: Name,
        /// its residual
        residual: f64,
    },
    /// A step turns a rotation by half a turn or more, so its direction is ambiguous.
    HalfTurn {
        /// a velocity of the rotation
        name: Name,
    },
    /// No equation determines an unknown: M has no inertia in its direction, or a constraint depends on the others.
    Singular {
        /// an acceleration, a rate, or a multiplier
        unknown: Quantity,
        /// the coordinate, state or constraint
        name: Name,
    },
    /// Rows of constraints depend on each other here, so their multipliers are not determined. Mark rows that always
    /// depend on others `with { redundant }`.
    Dependent {
        /// the rank of the rows
        rank: u16,
        /// number of rows that do not yield
        of: u16,
        /// all rows that are involved
        rows: Names,
    },
    /// Dependent rows contradict each other.
    Contradiction {
        /// of what
        level: Level,
        /// all of these rows, including conditions of the start
        rows: Names,
        /// the largest residual at the best compromise
        residual: f64,
    },
    /// The method steps momenta, and a first-order model has none.
    NoMomenta {
        /// the model
        model: Name,
    },
    /// The method steps momenta p = M v, and the inertia depends on velocities.
    MomentumOfVelocity {
        /// the coordinate with this inertia
        name: Name,
    },
    /// The method steps momenta, and a velocity is held at a nonzero value. Varying inertia couples it to others, and
    /// its effect on their momenta is not known.
    HeldMomentum {
        /// the velocity
        name: Name,
    },
    /// The model is of first order: forces determine its velocities, which cannot be damped.
    FirstOrder {
        /// the model
        model: Name,
    },
    /// The tangent of a step is not positive definite, as conjugate gradients need it.
    Indefinite {
        /// the coordinate along which most curvature is negative
        name: Name,
    },
    /// The iterations of a linear solver did not reach their tolerance.
    Unsolved {
        /// how many were made
        iterations: u32,
        /// the coordinate in whose equation most is left
        name: Name,
        /// the residual, as a share of that of zero
        residual: f64,
    },
    /// Newton's iterations did not converge.
    Newton {
        /// how many were made
        iterations: u32,
        /// coordinate with the largest last correction relative to its tolerance
        name: Name,
        /// that correction, as a multiple of the tolerance
        correction: f64,
    },
    /// The equations of algebraic variables have no solution near their values.
    Algebraic {
        /// the variable whose correction was largest
        name: Name,
        /// that correction, relative to 1 + its magnitude
        correction: f64,
    },
    /// A state could not be brought back onto the constraints.
    Projection {
        /// of positions or velocities
        level: Level,
        /// the row that is violated most
        constraint: Name,
        /// its residual
        residual: f64,
    },
    /// Constraints and exact initial conditions contradict each other near the guess.
    Inconsistent {
        /// of positions or velocities
        level: Level,
        /// the row that is violated most
        name: Name,
        /// its residual
        residual: f64,
    },
    /// Consistent values were approached but not reached within the iterations allowed: try a better guess.
    NotConverged {
        /// of positions or velocities
        level: Level,
        /// the row that is violated most
        name: Name,
        /// its residual
        residual: f64,
    },
    /// An event with `stop;` ended the run before the requested time.
    Stopped {
        /// its name
        event: Name,
        /// its time
        time: f64,
    },
    /// Events that follow each other endlessly ended the run before the requested time:
    /// [`Outcome::Zeno`](crate::Outcome::Zeno).
    Zeno {
        /// the last of them
        event: Name,
        /// its time
        time: f64,
    },
    /// The period of an event is below the resolution of time.
    Unresolved {
        /// its name
        event: Name,
        /// the mean time between its occurrences
        period: f64,
        /// the time to which events are located
        resolution: f64,
    },
    /// The guard of an event only touches zero: the event's time has no derivative.
    Grazing {
        /// its name
        event: Name,
        /// the rate of its guard
        rate: f64,
    },
    /// Events happen at the same time, and their order decides what the state varies by.
    Simultaneous {
        /// the name of the first
        event: Name,
        /// the name of another; the same if it happens more than once
        other: Name,
    },
    /// An event sets a mode to a number that varies with the state or parameters: modes have no derivatives.
    VaryingMode {
        /// its name
        event: Name,
        /// the mode
        mode: Name,
    },
    /// An event puts a point of the sphere off its constraints: how the frame it is carried back in turns is not known.
    CarriedFrame {
        /// its name
        event: Name,
    },
    /// The step is below the resolution of time, whether chosen by error control or set.
    StepTooSmall {
        /// smallest step allowed
        smallest: f64,
        /// the entry with the largest error in the last attempt, relative to its tolerance, if the error test was
        /// reached
        limit: Option<StepLimit>,
    },
    /// A checkpoint does not belong to this run.
    Checkpoint(Difference),
    /// More attempts than allowed between two requested times.
    TooMuchWork {
        /// attempts made
        attempts: u64,
    },
}

impl From<Difference> for Cause {
    fn from(difference: Difference) -> Self {
        Self::Checkpoint(difference)
    }
}

impl From<BuildError> for Cause {
    fn from(refused: BuildError) -> Self {
        Self::Parameters(refused)
    }
}

impl core::error::Error for Cause {}
