//! Variables and rows of a programme: what each is, and its bounds.

use core::fmt;

use ode_runtime::Name;

/// A variable of a nonlinear programme, or a row of its constraints: what it is, and between which bounds it is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct NlpEntry {
    /// a direction of the state, an input, a limit, or `horizon`
    pub name: Name,
    /// the node, or that at which its interval begins
    pub node: usize,
    /// the number of the point of that interval which has it; 0 for the node itself, and for inputs that are held
    pub point: usize,
    /// its lowest value, or −∞
    pub low: f64,
    /// its highest value, or +∞; equal to the lowest one if it is given
    pub high: f64,
}

impl fmt::Display for NlpEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, node, point, .. } = self;
        match point {
            0 => write!(f, "`{name}` at node {node}"),
            _ => write!(f, "`{name}` at point {point} after node {node}"),
        }
    }
}
