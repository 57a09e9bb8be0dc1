//! What can go wrong, with the user's names.

use core::fmt;

/// A name of the model, copied so that an error outlives it; the longest are cut at 47 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Name {
    text: [u8; 47],
    len: u8,
}

impl Name {
    /// Copies `name`.
    pub fn new(name: &str) -> Self {
        let mut text = [0; 47];
        let mut len = name.len().min(text.len());
        while !name.is_char_boundary(len) {
            len -= 1;
        }
        for (to, from) in text.iter_mut().zip(name.as_bytes().iter().take(len)) {
            *to = *from;
        }
        Self { text, len: len as u8 }
    }

    /// The name of entry `index`, empty where the layout has none.
    pub(crate) fn of(names: &[&str], index: usize) -> Self {
        Self::new(names.get(index).copied().unwrap_or(""))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.text.get(..usize::from(self.len)).and_then(|text| core::str::from_utf8(text).ok()).unwrap_or("")
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Names of the model one after the other, each in backticks; those that are too many for 79 bytes are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Names {
    text: [u8; 79],
    len: u8,
    more: u16,
}

impl Names {
    pub(crate) const fn none() -> Self {
        Self { text: [0; 79], len: 0, more: 0 }
    }

    /// Adds a name.
    pub(crate) fn push(&mut self, name: &str) {
        let start = usize::from(self.len);
        let comma = if start == 0 { "" } else { ", " };
        let end = start + comma.len() + name.len() + 2;
        let Some(room) = self.text.get_mut(start..end).filter(|_| self.more == 0) else {
            self.more = self.more.saturating_add(1);
            return;
        };
        let bytes = comma.bytes().chain(core::iter::once(b'`')).chain(name.bytes()).chain(core::iter::once(b'`'));
        for (to, from) in room.iter_mut().zip(bytes) {
            *to = from;
        }
        self.len = end as u8;
    }

    /// The names that there was room for, such as "`a`, `b`".
    pub fn as_str(&self) -> &str {
        self.text.get(..usize::from(self.len)).and_then(|text| core::str::from_utf8(text).ok()).unwrap_or("")
    }

    /// How many there are besides.
    pub fn more(&self) -> usize {
        usize::from(self.more)
    }

    /// Is `name` one of those that there was room for?
    pub fn contains(&self, name: &str) -> bool {
        self.as_str().split('`').skip(1).step_by(2).any(|own| own == name)
    }
}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())?;
        match (self.len, self.more) {
            (_, 0) => Ok(()),
            (0, more) => write!(f, "{more} rows"),
            (_, more) => write!(f, " and {more} more"),
        }
    }
}

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
    /// an entry of f, or of the equation of motion it stands in
    Force,
    /// an entry of Φ, Φ̇, G or γ
    Constraint,
    /// an initial condition
    Condition,
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

/// In what a checkpoint differs from the run it was to resume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// It is of another model.
    Model {
        /// the checkpoint's
        saved: Name,
    },
    /// It is of another method.
    Method {
        /// the run's
        here: &'static str,
        /// the checkpoint's
        saved: Name,
    },
    /// The model has had another coordinate, velocity, state, input, mode, event or constraint.
    Entry {
        /// its place among all of them
        index: usize,
        /// what it is in the checkpoint
        saved: Name,
    },
    /// A part is missing, or there is another in its place.
    Part {
        /// what the run has
        here: &'static str,
        /// what the checkpoint has
        saved: Name,
    },
    /// A part has another number of entries.
    Length {
        /// which
        part: &'static str,
        /// in the run
        here: usize,
        /// in the checkpoint
        saved: usize,
    },
    /// Its controller was sampled and this one is not, or the other way round.
    Sampled {
        /// whether the checkpoint's was
        saved: bool,
    },
}

impl Difference {
    /// Refuses another length.
    pub(crate) fn lengths(part: &'static str, here: usize, saved: usize) -> Result<(), Cause> {
        if here == saved { Ok(()) } else { Err(Cause::Checkpoint(Self::Length { part, here, saved })) }
    }

    /// Itself, unless two things are the same.
    pub(crate) fn unless(self, same: bool) -> Result<(), Cause> {
        if same { Ok(()) } else { Err(Cause::Checkpoint(self)) }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model { saved } => write!(f, "its model is `{saved}`"),
            Self::Method { here, saved } => write!(f, "its method is `{saved}`, not `{here}`"),
            Self::Entry { index, saved } => write!(f, "its entry {index} is `{saved}`"),
            Self::Part { here, saved } => write!(f, "it has `{saved}` in the place of `{here}`"),
            Self::Length { part, here, saved } => write!(f, "its `{part}` has {saved} entries instead of {here}"),
            Self::Sampled { saved: true } => write!(f, "its controller is sampled"),
            Self::Sampled { saved: false } => write!(f, "its controller is not sampled"),
        }
    }
}

/// The entry that limits a step, and its error as a multiple of what is allowed; of the whole with
/// [`Norm::Rms`](crate::Norm::Rms).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLimit {
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
        limit: Option<StepLimit>,
    },
    /// A checkpoint is not one of this run.
    Checkpoint(Difference),
    /// More attempts than allowed between two reports.
    TooMuchWork {
        /// attempts made
        attempts: u64,
    },
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
            Self::StepTooSmall { smallest, limit: Some(StepLimit { quantity, name, error }) } => {
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

/// A simulation could not begin, or begin anew at a discontinuity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartError {
    /// time of the start
    pub time: f64,
    /// why
    pub cause: Cause,
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "start at t = {}: {}", self.time, self.cause)
    }
}

impl core::error::Error for StartError {}

/// A step failed, and the state is the one before it; or an event has ended the run before the time asked for, and the
/// state is that after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepError {
    /// time at the beginning of the step
    pub time: f64,
    /// size of the step; 0 where none was made
    pub step: f64,
    /// why
    pub cause: Cause,
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cause {
            Cause::Stopped { .. } | Cause::Zeno { .. } | Cause::Past { .. } => self.cause.fmt(f),
            _ if self.step == 0.0 => write!(f, "at t = {}: {}", self.time, self.cause),
            _ => write!(f, "step of {:e} from t = {}: {}", self.step, self.time, self.cause),
        }
    }
}

impl core::error::Error for StepError {}
