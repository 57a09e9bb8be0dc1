//! What a cause says to a user, with the names of the model.

use core::fmt;

use crate::error::cause::{Cause, StepLimit};
use crate::error::quantity::Quantity;

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { setting, value } => write!(f, "{setting} cannot be {value}"),
            Self::NotDifferentiable { what } => write!(f, "{what} cannot be differentiated: it has no sensitivities"),
            Self::EventAtSample { event, sample } => write!(
                f,
                "event `{event}` happens at the sample instant or knot {sample} of the inputs: their order would decide, so it has no derivative"
            ),
            Self::GivenInput { name } => write!(
                f,
                "input `{name}` is given by a function, which has no number of its own to vary by: use `Constant` or `Piecewise`, or implement `Controls`"
            ),
            Self::WithoutParameters { name } => {
                write!(f, "no derivative by parameter `{name}`: the motion was evaluated without parameters")
            }
            Self::NoParameter { number, count } => write!(f, "there is no parameter {number}: the model has {count}"),
            Self::NoInput { number, count } => {
                write!(f, "there is no number {number} of the inputs to vary: they have {count}")
            }
            Self::MovingInput { name } => write!(
                f,
                "input `{name}` moves between sample instants, although its source says that it is held: let `Inputs::holds` return false"
            ),
            Self::Checkpoints { asked, each } => {
                write!(f, "{asked} checkpoints of {each} bytes do not fit into memory")
            }
            Self::Parameters(refused) => refused.fmt(f),
            Self::OutOfRange { setting, value, low, high } if low == high => {
                write!(f, "{setting} is {value}, but must be {low}")
            }
            Self::OutOfRange { setting, value, low, high } => {
                write!(f, "{setting} is {value}, but must be between {low} and {high}")
            }
            Self::Past { asked, now } => {
                write!(f, "cannot go back to t = {asked}: the run is already at t = {now}")
            }
            Self::NonFinite { quantity, name } => write!(f, "{quantity} `{name}` is not finite"),
            Self::NotARotation { name, norm: 0.0 } => {
                write!(
                    f,
                    "`{name}` is not a rotation: its entries are zero; begin with the identity of `State::neutral`"
                )
            }
            Self::NotARotation { name, norm } => {
                write!(f, "`{name}` is not a rotation: divide its entries by their norm, {norm:e}")
            }
            Self::Inertia { name, value } => {
                write!(f, "inertia of `{name}` is negative when the other coordinates are free to move: {value}")
            }
            Self::Dissipation { name, value } => {
                write!(f, "dissipation of `{name}` is negative when the other coordinates are free to move: {value}")
            }
            Self::Inaccurate { quantity, name, residual } => {
                write!(
                    f,
                    "the solution leaves {residual:e} in the equation of {quantity} `{name}`: the matrix is nearly singular"
                )
            }
            Self::HalfTurn { name } => write!(f, "the step turns by half a turn or more along `{name}`"),
            Self::Singular { unknown: Quantity::Multiplier, name } => {
                write!(f, "constraint `{name}` depends on the others here: its multiplier is undetermined")
            }
            Self::Singular { unknown, name } => write!(f, "{unknown} `{name}` is undetermined: the matrix is singular"),
            Self::Dependent { rows, .. } if rows.more() == 0 && !rows.as_str().contains(", ") => {
                write!(f, "constraint {rows} vanishes here: it restricts no motion, so its multiplier is undetermined")
            }
            Self::Dependent { rank, of, rows } => {
                write!(
                    f,
                    "{rows} depend on each other or vanish here: the rank of the constraints is {rank} of {of}; mark rows that always depend on others `with {{ redundant }}`"
                )
            }
            Self::Contradiction { level, rows, residual } => {
                write!(f, "no consistent {level}: {rows} contradict each other; the residual is {residual:e}")
            }
            Self::NoMomenta { model } => {
                write!(f, "`{model}` is a first-order model and has no momenta, but this method steps momenta")
            }
            Self::MomentumOfVelocity { name } => {
                write!(f, "inertia of `{name}` depends on velocities, but this method needs momenta p = M v")
            }
            Self::HeldMomentum { name } => {
                write!(
                    f,
                    "`{name}` is held at a nonzero speed, and its effect on the momenta of other coordinates is not known"
                )
            }
            Self::FirstOrder { model } => {
                write!(f, "`{model}` is a first-order model: forces determine its velocities, which cannot be damped")
            }
            Self::Indefinite { name } => {
                write!(
                    f,
                    "stiffness along `{name}` is negative beyond what inertia holds in a step: conjugate gradients cannot solve for it; take a smaller step, or the model without `Iterative`"
                )
            }
            Self::Unsolved { iterations, name, residual } => {
                write!(
                    f,
                    "{iterations} iterations of a linear solver leave {residual:e} of the right-hand side, most of it in the equation of `{name}`; take a smaller step, a larger tolerance, or the model without `Iterative`"
                )
            }
            Self::Newton { iterations, name, correction } => {
                write!(
                    f,
                    "no convergence in {iterations} iterations: the last correction of `{name}` is {correction:e} tolerances"
                )
            }
            Self::Algebraic { name, correction } => {
                write!(f, "no solution for algebraic `{name}` near its value: the last correction is {correction:e}")
            }
            Self::Projection { level, constraint, residual } => {
                write!(f, "projection of {level} leaves {residual:e} in constraint `{constraint}`")
            }
            Self::Inconsistent { level, name, residual } => {
                write!(f, "no consistent {level} near the guess: `{name}` keeps a residual of {residual:e}")
            }
            Self::NotConverged { level, name, residual } => {
                write!(f, "no consistent {level} found from the guess: `{name}` still has a residual of {residual:e}")
            }
            Self::Stopped { event, time } => write!(f, "event `{event}` stopped the run at t = {time}"),
            Self::Zeno { event, time } => {
                write!(f, "events `{event}` follow each other without end at t = {time}, where the run ends")
            }
            Self::Unresolved { event, period, resolution } => {
                write!(
                    f,
                    "event `{event}` repeats every {period:e}, but events are located to {resolution:e} \
                     and told apart from twice that on"
                )
            }
            Self::Grazing { event, rate } => {
                write!(
                    f,
                    "event `{event}` only touches zero, at the rate {rate:e}: its time has no derivative; start the run elsewhere, or end it before"
                )
            }
            Self::Simultaneous { event, other } if event == other => {
                write!(
                    f,
                    "event `{event}` happens more than once at the same time: the state after it has no derivative"
                )
            }
            Self::Simultaneous { event, other } => {
                write!(
                    f,
                    "events `{event}` and `{other}` happen at the same time: the state after them has no derivative, since their order decides"
                )
            }
            Self::VaryingMode { event, mode } => {
                write!(
                    f,
                    "event `{event}` sets mode `{mode}` to a number that varies: make it a `state` with `der({mode}) = 0.0`"
                )
            }
            Self::CarriedFrame { event } => {
                write!(
                    f,
                    "event `{event}` puts a point of the sphere off its constraints: assign a point that satisfies them"
                )
            }
            Self::StepTooSmall { smallest, limit: Some(StepLimit { quantity, name, error }) } => {
                write!(f, "{quantity} `{name}` has an error of {error:e} tolerances at the smallest step {smallest:e}")
            }
            Self::StepTooSmall { smallest, limit: None } => {
                write!(f, "the step is below {smallest:e}, the resolution of time")
            }
            Self::Checkpoint(difference) => write!(f, "the checkpoint is of another run: {difference}"),
            Self::TooMuchWork { attempts } => write!(f, "the time asked for was not reached in {attempts} attempts"),
        }
    }
}
