//! Operating points: equilibria and steady motions, with inputs and coordinates that may be chosen.
//!
//! At an operating point nothing accelerates,
//!
//! ```text
//! f(t, q, v, z, u) + Gᵀ λ = 0,   g(t, q, v, z, u) = 0,   Φ = 0,   G v + Φₜ = 0,   γ = 0
//! ```
//!
//! and what is asked for holds. Of all such points, the one nearest to the guess is sought, within bounds.

mod equations;
pub(crate) mod error;
mod nearest;
pub(crate) mod operating_point;
mod search;
mod unknowns;
