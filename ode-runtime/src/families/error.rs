//! Why the sets of a model make no model.

use core::fmt;

use crate::error::build::BuildError;

/// Sets and tuples that make no model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum FamilyError {
    /// a tuple names a member that does not exist
    Missing {
        /// name of the model
        model: &'static str,
        /// the set of the tuple
        set: &'static str,
        /// number of the tuple
        member: usize,
        /// the member that it names
        index: usize,
        /// how many there are
        count: usize,
    },
    /// a tuple names a member twice
    Twice {
        /// name of the model
        model: &'static str,
        /// the set of the tuple
        set: &'static str,
        /// number of the tuple
        member: usize,
        /// the member that it names
        index: usize,
    },
    /// a tuple joins the same members as another
    Repeated {
        /// name of the model
        model: &'static str,
        /// the set of the tuples
        set: &'static str,
        /// number of the tuple
        member: usize,
        /// number of the other one
        other: usize,
    },
    /// a set was not given
    NotGiven {
        /// name of the model
        model: &'static str,
        /// the set
        set: &'static str,
    },
    /// a set has another number of members in the model than was given
    Fixed {
        /// name of the model
        model: &'static str,
        /// the set
        set: &'static str,
        /// members that were given
        found: usize,
        /// members that the model says
        expected: usize,
    },
    /// a set that others join has no members
    Empty {
        /// name of the model
        model: &'static str,
        /// the set
        set: &'static str,
    },
    /// a parameter has not as many members as its set
    Length {
        /// name of the model
        model: &'static str,
        /// name of the parameter
        param: &'static str,
        /// its members
        found: usize,
        /// its set
        set: &'static str,
        /// members of the set
        expected: usize,
    },
    /// a parameter is refused
    Parameter(BuildError),
    /// more unknowns or nonzeros than 32 bits can count
    TooLarge {
        /// name of the model
        model: &'static str,
    },
}

impl FamilyError {
    /// Refuses what 32 bits cannot count.
    pub(super) fn fits(model: &'static str, count: usize) -> Result<(), Self> {
        if u32::try_from(count).is_ok() { Ok(()) } else { Err(Self::TooLarge { model }) }
    }
}

impl From<BuildError> for FamilyError {
    fn from(refused: BuildError) -> Self {
        Self::Parameter(refused)
    }
}

impl fmt::Display for FamilyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { model, set, member, index, count } => {
                write!(f, "{model}: {set}[{member}] names member {index}, but there are {count}")
            }
            Self::Twice { model, set, member, index } => {
                write!(f, "{model}: {set}[{member}] names member {index} twice")
            }
            Self::Repeated { model, set, member, other } => {
                write!(f, "{model}: {set}[{member}] joins the same members as {set}[{other}]")
            }
            Self::NotGiven { model, set } => write!(f, "{model}: the set {set} was not given"),
            Self::Fixed { model, set, found, expected } => {
                write!(f, "{model}: the set {set} was given {found} members, but the model has {expected}")
            }
            Self::Empty { model, set } => write!(f, "{model}: the set {set} has no members"),
            Self::Length { model, param, found, set, expected } => {
                write!(f, "{model}: {param} has {found} members, but {set} has {expected}")
            }
            Self::Parameter(refused) => refused.fmt(f),
            Self::TooLarge { model } => write!(f, "{model}: more unknowns or nonzeros than 32 bits can count"),
        }
    }
}

impl core::error::Error for FamilyError {}
