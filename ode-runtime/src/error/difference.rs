//! In what a checkpoint differs from a run.

use core::fmt;

use crate::error::name::{MethodName, Name};

/// How a checkpoint differs from the run that should resume it.
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
        here: MethodName,
        /// the checkpoint's
        saved: Name,
    },
    /// A coordinate, velocity, state, input, mode, event or constraint differs.
    Entry {
        /// its index among all of them
        index: usize,
        /// its name in the checkpoint
        saved: Name,
    },
    /// A part is missing, or another part is in its place.
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
    /// One controller is sampled and the other is not.
    Sampled {
        /// whether the checkpoint's was
        saved: bool,
    },
}

impl Difference {
    /// An error if the lengths differ.
    pub(crate) fn lengths(part: &'static str, here: usize, saved: usize) -> Result<(), Self> {
        if here == saved { Ok(()) } else { Err(Self::Length { part, here, saved }) }
    }

    /// The error, unless two things are the same.
    pub(crate) fn unless(self, same: bool) -> Result<(), Self> {
        if same { Ok(()) } else { Err(self) }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model { saved } => write!(f, "its model is `{saved}`"),
            Self::Method { here, saved } => write!(f, "its method is `{saved}`, not `{here}`"),
            Self::Entry { index, saved } => write!(f, "its entry {index} is `{saved}`"),
            Self::Part { here, saved } => write!(f, "it has `{saved}` in place of `{here}`"),
            Self::Length { part, here, saved } => write!(f, "its `{part}` has {saved} entries instead of {here}"),
            Self::Sampled { saved: true } => write!(f, "its controller is sampled"),
            Self::Sampled { saved: false } => write!(f, "its controller is not sampled"),
        }
    }
}
