//! What becomes of a small disturbance of an equilibrium.
//!
//! If forces have a potential and nothing feeds a motion, stiffness decides (Lagrange and Dirichlet). With W an
//! orthonormal basis of the displacements that all rows allow, G W = 0 and A W = 0, drivers held at their time,
//!
//! ```text
//! WᵀK W > 0 stable,   a negative eigenvalue: unstable,   a zero one: indifferent
//! ```
//!
//! K is that of the whole residual, with −∂(Gᵀλ)/∂q; compliant rows add Gᵀ E⁻¹ G, and algebraic variables are
//! eliminated. Stiffness does not decide if K is not symmetric (follower forces, friction), if damping feeds the
//! motion, if a gyroscopic force may stabilise it, or if states with rates act on it. Then the eigenvalues of the
//! linear system decide.
//!
//! Signs are those of C^(−½) WᵀK W C^(−½), where C is the diagonal of the row sums of |W|ᵀ|K||W|. They do not depend on
//! the units of coordinates. Eigenvalues below 10³ n ε count as zero. K counts as symmetric to √ε of that, because no
//! equilibrium is exact.
//!
//! Beyond 127 unknowns no W is made: C is the diagonal of the row sums of |K|, and n at most 500. The signs are those
//! of pivots of K ± 10³ n ε C, bordered by the rows (Sylvester's law of inertia), and the least direction is one of
//! Lanczos' method, so `Evidence::least` is near the least. It takes a solver that counts, as sparse models have, and
//! no states. What is not decided so is judged as above up to 2000 unknowns, and else is [`Unjudged::TooLarge`].
//!
//! Reference: H. Ziegler, Principles of Structural Stability, §2–3; V. V. Bolotin, Nonconservative Problems of the
//! Theory of Elastic Stability, §1; Ju. I. Neimark, N. A. Fufaev, Dynamics of Nonholonomic Systems, ch. IV, on rest
//! under nonholonomic rows.

use core::fmt;

use crate::error::Name;

/// Whether a small disturbance of an equilibrium stays small, with inputs held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stability {
    /// The potential has a minimum there, or every motion of the linear system decays.
    Stable,
    /// Some motion grows.
    Unstable,
    /// Some displacement meets no force of first order: higher orders decide.
    Indifferent,
    /// No motion of the linear system grows, but some do not decay, and no potential bounds them: any damping may make
    /// it unstable.
    Marginal,
    /// It was not judged.
    Unjudged(Unjudged),
}

/// Why stability was not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unjudged {
    /// Nobody asked.
    Unasked,
    /// It is a motion: its linear system turns with it.
    Steady,
    /// Matrices of run-time size need the feature `std`.
    NoHeap,
    /// Factors do not decide, and dense matrices would be too large.
    TooLarge {
        /// velocities, states and multipliers
        unknowns: usize,
    },
    /// The linear system has no solution: nothing gives a rate to this unknown, or its equations are not finite.
    Undetermined {
        /// the unknown; empty where it is the whole
        name: Name,
    },
}

impl fmt::Display for Stability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stable => f.write_str("stable"),
            Self::Unstable => f.write_str("unstable"),
            Self::Indifferent => f.write_str("indifferent"),
            Self::Marginal => f.write_str("stable without damping, by the linear system alone"),
            Self::Unjudged(Unjudged::Unasked) => f.write_str("not asked for its stability"),
            Self::Unjudged(Unjudged::Steady) => f.write_str("a motion, whose stability is not judged"),
            Self::Unjudged(Unjudged::NoHeap) => f.write_str("not judged without the feature `std`"),
            Self::Unjudged(Unjudged::TooLarge { unknowns }) => {
                write!(f, "not judged: pivots do not decide, and {unknowns} unknowns are too many for dense matrices")
            }
            Self::Unjudged(Unjudged::Undetermined { name }) if name.as_str().is_empty() => {
                f.write_str("not judged: the linear system has no solution")
            }
            Self::Unjudged(Unjudged::Undetermined { name }) => {
                write!(f, "not judged: the linear system does not determine `{name}`")
            }
        }
    }
}

/// The evidence for the stability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// the signs of the stiffness
    Stiffness,
    /// the eigenvalues of the linear system
    Motion,
}

/// The numbers behind a judgement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence<T> {
    /// what decided
    pub by: Criterion,
    /// positive eigenvalues of the stiffness; motions that decay
    pub positive: usize,
    /// negative eigenvalues of the stiffness; motions that grow
    pub negative: usize,
    /// zero eigenvalues of the stiffness; motions that do neither
    pub zero: usize,
    /// uᵀK u for the unit displacement u of least stiffness in the metric C, in the units of the coordinates; for
    /// motions the slowest rate of decay, −max Re λ. Infinite if nothing can move
    pub least: T,
    /// the coordinate or state that moves most there
    pub moves: Name,
}
