//! Algebraic Riccati equations: their stabilising solutions, as accurate as their residual.
//!
//! | | |
//! | --- | --- |
//! | continuous | AᵀP + P A − (P B + N) R⁻¹ (BᵀP + Nᵀ) + Q = 0 |
//! | discrete | AᵀP A − P − (AᵀP B + N) (R + BᵀP B)⁻¹ (BᵀP A + Nᵀ) + Q = 0 |

pub(crate) mod balance;
pub(crate) mod doubling;
pub(crate) mod lyapunov;
pub(crate) mod problem;
