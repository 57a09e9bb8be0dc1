//! What can go wrong, with the user's names.

pub(crate) mod build;
mod cause;
mod difference;
mod message;
mod name;
mod quantity;
mod run;
pub(crate) mod unknown;

pub use cause::{Cause, StepLimit};
pub use difference::Difference;
pub use name::{MethodName, Name, Names};
pub use quantity::{Level, Quantity};
pub use run::RunError;

use core::fmt;

/// A simulation could not start, or restart after a discontinuity.
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

/// A step failed, and the state is the one before it; or an event ended the run before the requested time, and the
/// state is the one after the event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepError {
    /// time at the beginning of the step
    pub time: f64,
    /// size of the step; 0 if none was attempted
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
