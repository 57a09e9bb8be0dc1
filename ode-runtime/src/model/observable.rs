//! What one asks of a motion, whatever the model: energies and path constraints.

use crate::model::differentiable::Differentiable;
use crate::model::layout::Block;
use crate::model::ranges::Ranges;
use crate::model::system::At;

/// Energies of one evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy<T> {
    /// T, with ½ vᵀ M v of what `mass` items give
    pub kinetic: T,
    /// V
    pub potential: T,
    /// 2R: the power a quadratic dissipation function takes, in a model of first order with vᵀ D v of `mass` items
    pub dissipation: T,
}

/// Energies, bounds of inputs, and path constraints; outputs are those of [`Differentiable`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has neither energies nor units (`Observable`)",
    label = "needs a model of `model!`",
    note = "an adaptor such as `Held` or `Rayleigh` has them in the model inside it",
    note = "of any system a table keeps the states: `Table::new(&system.layout())`, `table.push(state)`"
)]
pub trait Observable: Differentiable {
    /// path constraints, nh
    type H: Block<Self::Real>;

    /// Kinetic and potential energy, and twice the dissipation function; zeros in a model without coordinates. They do
    /// not depend on inputs.
    fn energy(&self, at: At<'_, Self>) -> Energy<Self::Real>;
    /// Lowest and highest value of each input, with its name.
    fn input_bounds(&self) -> Ranges<'static, Self::U>;
    /// Path constraints h(t, q, v, z, u), nh.
    fn limits(&self, at: At<'_, Self>) -> Self::H;
    /// Lowest and highest value of each path constraint, with its name.
    fn limit_bounds(&self) -> Ranges<'static, Self::H>;
    /// The units of everything that a run shows.
    fn units(&self) -> Units<'_>;
}

/// Units in SI, a text for each entry: `m/s`; empty where there is none, and everywhere in a model without units. There
/// may be more: begin with `Units::default()`, which has none, and set those that are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Units<'a> {
    /// time
    pub time: &'a str,
    /// energies
    pub energy: &'a str,
    /// powers
    pub power: &'a str,
    /// coordinates, nq
    pub q: &'a [&'a str],
    /// velocities, nv
    pub v: &'a [&'a str],
    /// accelerations, nv
    pub a: &'a [&'a str],
    /// first-order states, nz
    pub z: &'a [&'a str],
    /// multipliers, nc
    pub multipliers: &'a [&'a str],
    /// modes
    pub modes: &'a [&'a str],
    /// inputs, nu
    pub u: &'a [&'a str],
    /// outputs, ny
    pub y: &'a [&'a str],
}
