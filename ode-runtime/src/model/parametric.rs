//! Parameters by name.

use crate::error::build::ParameterError;
use crate::error::unknown::UnknownName;
use crate::model::differentiable::Differentiable;
use crate::numbers::scalar::{Real, Scalar};

/// Parameters that are read and set by name, in the units of their declaration.
///
/// A name is one of [`Derivatives::parameter_names`](crate::Derivatives::parameter_names): `m`, `hub.x`, `wheel[0].r`.
pub trait Parametric: Differentiable<Real: Real> {
    /// The unit of each parameter as it was declared, and its value in SI: `("mm", 1e-3)`.
    fn parameter_units(&self) -> &[(&'static str, f64)];

    /// The value of a parameter, in the unit of its declaration.
    ///
    /// # Errors
    /// The model has no parameter of this name.
    fn parameter(&self, name: &str) -> Result<Self::Real, UnknownName> {
        let mut block = self.parameter_block();
        let (value, scale) = find(self, &mut block, name)?;
        Ok(*value / scale)
    }

    /// Sets a parameter, in the unit of its declaration.
    ///
    /// # Errors
    /// As [`Parametric::set_parameters`].
    fn set_parameter(&mut self, name: &str, value: Self::Real) -> Result<(), ParameterError> {
        self.set_parameters(&[(name, value)])
    }

    /// Sets several parameters, which are checked together; what a model gives its subs follows.
    ///
    /// # Errors
    /// The first unknown name, or what [`System::check`](crate::System::check) refuses. The model is then as it was.
    fn set_parameters(&mut self, values: &[(&str, Self::Real)]) -> Result<(), ParameterError> {
        let mut block = self.parameter_block();
        for &(name, value) in values {
            let (parameter, scale) = find(self, &mut block, name)?;
            *parameter = value * scale;
        }
        let model = self.with_parameters(&block);
        model.check()?;
        *self = model;
        Ok(())
    }
}

/// A parameter in the block of all, and what its declared unit is in SI.
fn find<'b, S: Parametric>(
    model: &S,
    block: &'b mut S::P,
    name: &str,
) -> Result<(&'b mut S::Real, S::Real), UnknownName> {
    let names = model.derivatives().parameter_names;
    let place = names.iter().position(|known| *known == name);
    let found = place.and_then(|place| {
        let (_, scale) = *model.parameter_units().get(place)?;
        Some((block.as_mut().get_mut(place)?, S::Real::from_f64(scale)))
    });
    found.ok_or_else(|| UnknownName::new("parameter", name, names.iter().copied()))
}
