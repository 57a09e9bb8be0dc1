//! Which states can be linearised, and why others cannot.

use core::fmt;

use crate::analysis::inverse::inverse_dynamics;
use crate::error::{Cause, Name, Quantity};
use crate::model::input::Inputs;
use crate::model::layout::{Layout, RowKind};
use crate::model::state::State;
use crate::numbers::field::Field;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::solvable::Solvable;
use crate::solve::{norm, worst};

/// Why a state has no linear system.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum LinearError {
    /// Something with constraints or rotations moves.
    Moving {
        /// a velocity or an acceleration
        quantity: Quantity,
        /// its name
        name: Name,
        /// its value
        value: f64,
    },
    /// Multipliers or accelerations do not belong to the state: the forces are not balanced.
    Unbalanced {
        /// the coordinate it acts on
        name: Name,
        /// M a − f − Gᵀλ there
        force: f64,
    },
    /// The model cannot be evaluated, or an unknown is undetermined.
    Evaluation(Cause),
    /// The eigenvalues were not found within many iterations.
    Eigenvalues,
    /// It has more unknowns, velocities, states and multipliers, than dense matrices are made for.
    TooLarge {
        /// how many it has
        unknowns: usize,
        /// how many may be
        most: usize,
    },
    /// Small motions are not those of K y = ω² M y.
    Unsuited {
        /// why
        because: Unsuited,
        /// the coordinate, state or row where it shows most
        name: Name,
    },
    /// There are not as many modes as were asked for.
    TooFew {
        /// how many there are
        modes: usize,
    },
    /// The shift is an eigenvalue, or so near to one that others lose their digits.
    Shift {
        /// the shift, in the unit of ω²
        shift: f64,
    },
    /// The modes nearest to the shift were not all found within many iterations.
    Unconverged {
        /// how many were asked for
        asked: usize,
    },
    /// It is not known how many eigenvalues are below a shift: the solver of the model has no pivots, or they lost
    /// their digits.
    Uncounted {
        /// the shift, in the unit of ω²
        shift: f64,
    },
    /// An eigenvalue and its shape leave a residual.
    Inexact {
        /// the eigenvalue, ω²
        value: f64,
        /// the residual as a share of its terms
        residual: f64,
    },
}

/// Why small motions are not those of K y = ω² M y with symmetric K.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsuited {
    /// Forces depend on velocities, and take or give energy.
    Damping,
    /// Forces depend on velocities, and do no work.
    Gyroscopic,
    /// Forces have no potential.
    Unsymmetric,
    /// States take part.
    States,
    /// The model has no accelerations.
    FirstOrder,
    /// A nonholonomic row restricts velocities, not positions.
    Nonholonomic,
}

impl fmt::Display for Unsuited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Damping => "is damped",
            Self::Gyroscopic => "has gyroscopic forces",
            Self::Unsymmetric => "has a stiffness that is not symmetric",
            Self::States => "is a state that may act on the motion",
            Self::FirstOrder => "has no acceleration",
            Self::Nonholonomic => "restricts velocities, not positions",
        })
    }
}

impl LinearError {
    /// The name it is about; empty for the whole.
    pub fn name(&self) -> Name {
        match self {
            Self::Moving { name, .. }
            | Self::Unbalanced { name, .. }
            | Self::Unsuited { name, .. }
            | Self::Evaluation(
                Cause::NonFinite { name, .. }
                | Cause::NotARotation { name, .. }
                | Cause::Inertia { name, .. }
                | Cause::Dissipation { name, .. }
                | Cause::Inaccurate { name, .. }
                | Cause::Singular { name, .. }
                | Cause::Algebraic { name, .. },
            ) => *name,
            _ => Name::new(""),
        }
    }
}

impl fmt::Display for LinearError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moving { quantity, name, value } => {
                write!(f, "{quantity} `{name}` is {value:e}: with constraints or rotations only rest can be linearised")
            }
            Self::Unbalanced { name, force } => {
                write!(f, "a force of {force:e} on `{name}` is not balanced: a and λ are not those of the state")
            }
            Self::Evaluation(cause) => cause.fmt(f),
            Self::Eigenvalues => f.write_str("the eigenvalues were not found"),
            Self::TooLarge { unknowns, most } => write!(
                f,
                "{unknowns} unknowns are too many for dense matrices, which are made for up to {most}; `Eigenmodes::lowest` needs none"
            ),
            Self::Unsuited { because: because @ (Unsuited::Damping | Unsuited::Gyroscopic), name } => write!(
                f,
                "`{name}` {because}: `Modal` with `undamped` leaves forces that depend on velocities out, `Eigenmodes::of` has all modes of smaller models"
            ),
            Self::Unsuited { because, name } => {
                write!(f, "`{name}` {because}: `Eigenmodes::of` has all modes of smaller models")
            }
            Self::TooFew { modes } => write!(f, "there are only {modes} modes: ask for as many"),
            Self::Shift { shift } => write!(f, "the shift {shift:e} is an eigenvalue: choose one beside it"),
            Self::Unconverged { asked } => {
                write!(f, "the {asked} nearest modes were not all found: ask for fewer, or near another shift")
            }
            Self::Uncounted { shift } => {
                write!(
                    f,
                    "the solver of the model does not tell how many eigenvalues are below {shift:e}: ask the sparse model \
                     itself instead of `Iterative` around it, or near another shift"
                )
            }
            Self::Inexact { value, residual } => {
                write!(
                    f,
                    "the eigenvalue {value:e} and its shape leave {residual:e} of their terms: is the state at rest, and its λ that of the equations?"
                )
            }
        }
    }
}

impl core::error::Error for LinearError {}

/// Whether the model has constraints or rotations, which turn with the state.
fn bound(layout: &Layout<'_>) -> bool {
    let rigid = (0..layout.constraints.len()).any(|row| layout.kind(row) != RowKind::Compliant);
    rigid || layout.q.len() != layout.v.len()
}

/// Refuses a model with constraints or rotations that moves, or has a and λ of another state; `stiff` is Σ |Kᵢⱼ| of
/// each row.
pub(super) fn at_rest<S: Solvable, U: Inputs<S>>(
    system: &S,
    inputs: &U,
    x: &State<S>,
    rest: S::Real,
    stiff: &[S::Real],
) -> Result<(), LinearError> {
    if !bound(&system.layout()) {
        return Ok(());
    }
    still(&system.layout(), x, rest)?;
    balanced(system, inputs, x, rest, stiff)
}

fn still<S: Solvable>(layout: &Layout<'_>, x: &State<S>, rest: S::Real) -> Result<(), LinearError> {
    let rates =
        [(Quantity::Velocity, x.v.as_ref(), layout.v), (Quantity::Acceleration, x.a.as_ref(), layout.directions)];
    for (quantity, values, names) in rates {
        let (index, value) = worst(values);
        if !(value.abs() <= rest) {
            return Err(LinearError::Moving { quantity, name: Name::of(names, index), value: value.to_f64() });
        }
    }
    Ok(())
}

/// With a wrong λ, a taut rod has no transverse stiffness.
fn balanced<S: Solvable, U: Inputs<S>>(
    system: &S,
    inputs: &U,
    x: &State<S>,
    rest: S::Real,
    stiff: &[S::Real],
) -> Result<(), LinearError> {
    let mut bare = x.clone();
    bare.lambda.as_mut().fill(S::Real::ZERO);
    let force = |x: &State<S>| inverse_dynamics(system, inputs, x).map_err(LinearError::Evaluation);
    let (left, forces) = (force(x)?, force(&bare)?);
    // The residual of an equilibrium: round-off of forces, and of coordinates times stiffness.
    let digits = S::Real::EPSILON.sqrt().max(rest) * (S::Real::ONE + norm(forces.as_ref()));
    let moved = S::Real::from_f64(16.0) * S::Real::PIVOT_TOLERANCE * (S::Real::ONE + norm(x.q.as_ref()));
    for (row, (&force, &stiff)) in left.as_ref().iter().zip(stiff).enumerate() {
        if !(force.abs() <= digits + moved * stiff) {
            let name = Name::of(system.layout().directions, row);
            return Err(LinearError::Unbalanced { name, force: force.to_f64() });
        }
    }
    Ok(())
}
