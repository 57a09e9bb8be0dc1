//! What is made of the values of a stiffness, in Newton's iterations.

use crate::derive::Equations;

/// Negative parts, and where they and other values go.
#[derive(Clone, Debug, Default)]
pub struct Newton {
    /// the sizes of the matrices whose negative parts are needed: the first values are their lower triangles
    pub projected: Vec<usize>,
    /// where values go
    pub shares: Vec<Share>,
}

/// A value that is added to a tangent.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// which nonzero of the tangent
    pub place: usize,
    /// number of the value
    pub value: usize,
    /// its factor
    pub factor: f64,
}

pub(super) fn newton(e: &Equations) -> Newton {
    let shares = e.newton.shares.iter().filter_map(|share| {
        let place = e.tangent.matrix.place(share.row, share.col).ok()?;
        Some(Share { place, value: share.value, factor: share.factor })
    });
    Newton { projected: e.newton.projected.clone(), shares: shares.collect() }
}
