//! Whether models over different numbers are the same one.

use ode_runtime::{Differentiable, Name, Real};

use crate::optimal::error::PlanError;

/// How far a number may be off, relative to it, that another program has rounded.
const ROUND_OFF: f64 = 1e-12;

/// Refuses a model whose parameters are not those of the problem's.
pub(super) fn alike<S, D>(system: &S, other: &D) -> Result<(), PlanError>
where
    S: Differentiable<Real = f64>,
    D: Differentiable<Real: Real>,
{
    let (own, others) = (system.parameter_block(), other.parameter_block());
    let values = own.as_ref().iter().zip(others.as_ref()).map(|(&value, other)| (value, other.to_f64()));
    let mut named = system.derivatives().parameter_names.iter().zip(values);
    // those that are not finite are refused elsewhere
    let found = named.find(|(_, (value, other))| (value - other).abs() > ROUND_OFF * value.abs());
    found.map_or(Ok(()), |(name, (value, other))| Err(PlanError::Parameter { name: Name::new(name), value, other }))
}
