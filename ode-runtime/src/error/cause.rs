//! Why a start or a step fails.

use core::fmt;

use crate::error::difference::Difference;
use crate::error::name::{Name, Names};
use crate::error::quantity::{Level, Quantity};

/// The entry that limits a step, and its error as a multiple of what is allowed; of the whole with
/// [`Norm::Rms`](crate::Norm::Rms).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// a coordinate, velocity or state
    pub quantity: Quantity,
    /// its name; of a rotation's coordinates that of the velocity
    pub name: Name,
    /// its error over its tolerance: at most 1 in a step that has passed
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
    /// A run is asked to go on to a time before the one it is at.
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
    /// M is negative along a motion that the constraints allow: it is not that of a motion.
    Inertia {
        /// a coordinate that moves in it
        name: Name,
        /// the inertia left to the coordinate where constraints hold and the others are free to move; where there are
        /// neither constraints nor other coordinates, its diagonal entry of M
        value: f64,
    },
    /// The same of D in a model of first order: it would feed energy in.
    Dissipation {
        /// a coordinate that moves so
        name: Name,
        /// what is left of its entry on the diagonal of D where constraints hold and the others give way
        value: f64,
    },
    /// An equation keeps a residual that round-off does not explain: the matrix is singular to working precision.
    Inaccurate {
        /// a force or a constraint
        quantity: Quantity,
        /// the coordinate, state or constraint of the equation
        name: Name,
        /// what is left of it
        residual: f64,
    },
    /// A step turns so far that its way round is ambiguous.
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
    /// Rows of constraints depend on each other here: they hold less than there are rows, and what the others ask for
    /// cannot be told from them. Rows that depend on each other always are for `with { redundant }`.
    Dependent {
        /// how many directions the rows hold
        rank: u16,
        /// number of rows that do not yield
        of: u16,
        /// all rows that have a part in it
        rows: Names,
    },
    /// Rows that depend on each other ask for different things.
    Contradiction {
        /// of what
        level: Level,
        /// all of them, conditions of the start included
        rows: Names,
        /// what the one that is off most keeps at the best compromise
        residual: f64,
    },
    /// The model is of first order: it has no momenta, which the method steps.
    NoMomenta {
        /// the model
        model: Name,
    },
    /// The inertia depends on velocities, so that momenta are not M v, which the method steps.
    MomentumOfVelocity {
        /// a coordinate whose inertia does
        name: Name,
    },
    /// A velocity is held at a speed, and inertia that varies couples it to others: what it adds to their momenta,
    /// which the method steps, is not known.
    HeldMomentum {
        /// the velocity
        name: Name,
    },
    /// The model is of first order: its velocities are what its forces determine, and cannot be damped.
    FirstOrder {
        /// the model
        model: Name,
    },
    /// Newton's iterations did not converge.
    Newton {
        /// how many were made
        iterations: u32,
        /// coordinate whose last correction was largest against its tolerance
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
    /// An event with `stop;` has ended the run before the time asked for.
    Stopped {
        /// its name
        event: Name,
        /// its time
        time: f64,
    },
    /// Events that follow each other without end have ended the run before the time asked for:
    /// [`Outcome::Zeno`](crate::Outcome::Zeno).
    Zeno {
        /// the last of them
        event: Name,
        /// its time
        time: f64,
    },
    /// An event comes again so soon that time does not resolve its period.
    Unresolved {
        /// its name
        event: Name,
        /// time by which its guard is put back, in the mean
        period: f64,
        /// time within which events are found
        resolution: f64,
    },
    /// A step below the resolution of time, of the error test's choosing or of one's own.
    StepTooSmall {
        /// smallest step allowed
        smallest: f64,
        /// the entry whose error was largest in the last attempt, and that error as a multiple of its tolerance, if the
        /// error test was reached
        limit: Option<Limit>,
    },
    /// A checkpoint is not one of this run.
    Checkpoint(Difference),
    /// More attempts than allowed between two reports.
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

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { setting, value } => write!(f, "{setting} cannot be {value}"),
            Self::Past { asked, now } => {
                write!(f, "asked to advance to t = {asked}, and the run is at t = {now} already: runs go forward only")
            }
            Self::NonFinite { quantity, name } => write!(f, "{quantity} `{name}` is not finite"),
            Self::NotARotation { name, norm: 0.0 } => {
                write!(f, "`{name}` is no rotation: its entries are zero; begin with the identity of `State::neutral`")
            }
            Self::NotARotation { name, norm } => {
                write!(f, "`{name}` is no rotation: divide its entries by their norm, which is {norm:e}")
            }
            Self::Inertia { name, value } => {
                write!(f, "inertia of `{name}` is negative when the other coordinates are free to move: {value}")
            }
            Self::Dissipation { name, value } => {
                write!(f, "dissipation of `{name}` is negative when the other coordinates are free to move: {value}")
            }
            Self::Inaccurate { quantity, name, residual } => {
                write!(
                    f,
                    "the solution leaves {residual:e} in the equation of {quantity} `{name}`: the matrix is nearly singular"
                )
            }
            Self::HalfTurn { name } => write!(f, "the step turns by half a turn or more along `{name}`"),
            Self::Singular { unknown: Quantity::Multiplier, name } => {
                write!(f, "constraint `{name}` depends on the others here: its multiplier is undetermined")
            }
            Self::Singular { unknown, name } => write!(f, "{unknown} `{name}` is undetermined: the matrix is singular"),
            Self::Dependent { rank, of, rows } => {
                write!(
                    f,
                    "{rows} depend on each other or vanish here: the rank of the constraints is {rank} of {of}; rows that always depend on others are marked `with {{ redundant }}`"
                )
            }
            Self::Contradiction { level, rows, residual } => {
                write!(f, "no consistent {level}: {rows} contradict each other, and keep a residual of {residual:e}")
            }
            Self::NoMomenta { model } => {
                write!(f, "`{model}` is of first order: it has no momenta, which the method steps")
            }
            Self::MomentumOfVelocity { name } => {
                write!(f, "inertia of `{name}` depends on velocities: momenta are not M v, which the method steps")
            }
            Self::HeldMomentum { name } => {
                write!(
                    f,
                    "`{name}` is held at a speed: what it adds to the momenta of others, which the method steps, is not known"
                )
            }
            Self::FirstOrder { model } => {
                write!(
                    f,
                    "`{model}` is of first order: its velocities are what its forces determine, and cannot be damped"
                )
            }
            Self::Newton { iterations, name, correction } => {
                write!(
                    f,
                    "no convergence in {iterations} iterations: last correction of `{name}` is {correction:e} tolerances"
                )
            }
            Self::Algebraic { name, correction } => {
                write!(f, "no solution for algebraic `{name}` near its value: the last correction is {correction:e}")
            }
            Self::Projection { level, constraint, residual } => {
                write!(f, "projection of {level} leaves {residual:e} in constraint `{constraint}`")
            }
            Self::Inconsistent { level, name, residual } => {
                write!(f, "no consistent {level} near the guess: `{name}` keeps a residual of {residual:e}")
            }
            Self::NotConverged { level, name, residual } => {
                write!(f, "no consistent {level} found from the guess: `{name}` is still off by {residual:e}")
            }
            Self::Stopped { event, time } => write!(f, "event `{event}` stopped the run at t = {time}"),
            Self::Zeno { event, time } => {
                write!(f, "events `{event}` follow each other without end at t = {time}: the run goes no further")
            }
            Self::Unresolved { event, period, resolution } => {
                write!(f, "event `{event}` comes again every {period:e}, and time resolves no more than {resolution:e}")
            }
            Self::StepTooSmall { smallest, limit: Some(Limit { quantity, name, error }) } => {
                write!(f, "{quantity} `{name}` has an error of {error:e} tolerances at the smallest step {smallest:e}")
            }
            Self::StepTooSmall { smallest, limit: None } => {
                write!(f, "no step below {smallest:e}, the resolution of time, can be made")
            }
            Self::Checkpoint(difference) => write!(f, "the checkpoint is of another run: {difference}"),
            Self::TooMuchWork { attempts } => write!(f, "no arrival after {attempts} attempts"),
        }
    }
}

impl core::error::Error for Cause {}
