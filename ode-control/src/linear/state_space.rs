//! A linear system with names on its states, inputs and outputs.

use ode_runtime::linalg::Labelled;

/// The linear system ẋ = A x + B u, y = C x + D u; of steps x⁺ = A x + B u.
///
/// x, u and y are differences from the point of the linearisation. Rows and columns have names: those of the states,
/// n of them, of the inputs, m, and of the outputs, p.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StateSpace {
    /// A, n × n
    pub a: Labelled<f64>,
    /// B, n × m
    pub b: Labelled<f64>,
    /// C, p × n
    pub c: Labelled<f64>,
    /// D, p × m
    pub d: Labelled<f64>,
    /// the time of a step; none of a continuous system
    pub step: Option<f64>,
}
