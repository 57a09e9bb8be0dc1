//! Columns of a run are finite.

use std::string::String;

use crate::error::Cause;
use crate::model::sensitive::Sensitive;
use crate::run::finite::finite_by;
use crate::run::sensitivities::inputs::Columned;
use crate::solve::solvable::Solvable;
use crate::variation::{RateVariation, StateVariation};

/// Refuses derivatives that are not finite, by name.
pub(super) fn finite<S: Solvable + Sensitive>(
    names: &[String],
    x: &StateVariation<S, Columned<S>>,
    rates: &RateVariation<S, Columned<S>>,
) -> Result<(), Cause> {
    let states = x.q.iter().zip(&x.v).zip(&x.z);
    let rates = rates.a.iter().zip(&rates.zdot).zip(&rates.lambda);
    for ((((q, v), z), ((a, zdot), lambda)), name) in states.zip(rates).zip(names) {
        let blocks = [q.as_ref(), v.as_ref(), z.as_ref(), a.as_ref(), zdot.as_ref(), lambda.as_ref()];
        finite_by(&blocks, || Some(name.as_str()))?;
    }
    Ok(())
}
