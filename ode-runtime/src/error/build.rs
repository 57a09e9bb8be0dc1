//! Why a model's parameters are refused.

use core::fmt;

use crate::error::unknown::UnknownName;
use crate::numbers::decimal::typed;
use crate::numbers::scalar::Real;

/// Parameters that make no model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BuildError {
    /// a parameter without default was not set
    Missing {
        /// name of the model
        model: &'static str,
        /// name of the parameter
        param: &'static str,
    },
    /// a parameter is NaN or infinite
    NotFinite {
        /// name of the model
        model: &'static str,
        /// name of the parameter
        param: &'static str,
        /// its value
        value: f64,
    },
    /// a `require` of the model does not hold
    Required {
        /// name of the model
        model: &'static str,
        /// name of the first parameter the requirement reads
        param: &'static str,
        /// its value, in the unit of its declaration
        value: f64,
        /// this unit, as it was declared
        unit: &'static str,
        /// the model's words
        message: &'static str,
    },
}

impl BuildError {
    /// Refuses the first value that is not finite.
    ///
    /// # Errors
    /// [`BuildError::NotFinite`] with its name.
    pub fn finite<T: Real>(model: &'static str, names: &[&'static str], values: &[T]) -> Result<(), Self> {
        match names.iter().zip(values).find(|(_, v)| !v.is_finite()) {
            Some((param, value)) => Err(Self::NotFinite { model, param, value: value.to_f64() }),
            None => Ok(()),
        }
    }

    /// A `require` that does not hold; `value` is in SI, and `unit` the declared unit with its value in SI.
    pub fn required<T: Real>(
        model: &'static str,
        (param, value): (&'static str, T),
        (unit, scale): (&'static str, f64),
        message: &'static str,
    ) -> Self {
        let value = typed((value / T::from_f64(scale)).to_f64());
        Self::Required { model, param, value, unit, message }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { model, param } => write!(f, "{model}: param {param} has no default and was not set"),
            Self::NotFinite { model, param, value } => write!(f, "{model}: param {param} = {value} is not finite"),
            Self::Required { model, param: "", message, .. } => write!(f, "{model}: {message}"),
            Self::Required { model, param, value, unit: "", message } => {
                write!(f, "{model}: param {param} = {value}: {message}")
            }
            Self::Required { model, param, value, unit, message } => {
                write!(f, "{model}: param {param} = {value} {unit}: {message}")
            }
        }
    }
}

impl core::error::Error for BuildError {}

/// Why a parameter cannot be set.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ParameterError {
    /// the model has no parameter of this name
    Unknown(UnknownName),
    /// the parameters make no model
    Refused(BuildError),
}

impl From<UnknownName> for ParameterError {
    fn from(unknown: UnknownName) -> Self {
        Self::Unknown(unknown)
    }
}

impl From<BuildError> for ParameterError {
    fn from(refused: BuildError) -> Self {
        Self::Refused(refused)
    }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(unknown) => unknown.fmt(f),
            Self::Refused(refused) => refused.fmt(f),
        }
    }
}

impl core::error::Error for ParameterError {}
