//! Why an optimal-control problem has no solution, or none was found.

use core::fmt;

use ode_runtime::{Cause, Level, Name, RunError, StartError, StepError, UnknownName};

use crate::consistency::Off;

/// Why an optimal-control problem cannot be posed, or a solver did not end at a solution. What a solver has found until
/// then can be read from it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlanError {
    /// There is no cost, residual, direction, input or limit of this name.
    Unknown(UnknownName),
    /// A setting out of range, or a number that is not finite.
    Setting {
        /// which
        setting: &'static str,
        /// its value
        value: f64,
    },
    /// Numbers of unknowns in the types that are not those of the problem as it is transcribed.
    Size {
        /// which number
        what: &'static str,
        /// the one in the types
        found: usize,
        /// that of the problem
        needed: usize,
    },
    /// The transcription was made of a model with another parameter than that of the problem.
    Parameter {
        /// which
        name: Name,
        /// its value in the problem, in SI
        value: f64,
        /// its value in the transcription
        other: f64,
    },
    /// A model without inputs: nothing can be chosen.
    NoInputs,
    /// No cost: every motion would be as good as any other.
    NoCost,
    /// Bounds between which there is no number.
    Empty {
        /// of which input or limit
        name: Name,
        /// the lowest value
        low: f64,
        /// the highest value
        high: f64,
    },
    /// A cost or a limit reads an algebraic variable, or a velocity of a first-order model. These follow from the state
    /// and the inputs, and are not known at the nodes.
    Follows {
        /// the cost or the limit
        name: Name,
        /// what it reads
        variable: Name,
    },
    /// A state that is prescribed, at the start or the end, breaks a limit, whatever the inputs are.
    Contradiction {
        /// the limit
        limit: Name,
        /// the time of the state
        time: f64,
        /// the value of the limit there
        value: f64,
        /// its lowest value
        low: f64,
        /// its highest value
        high: f64,
    },
    /// The start that is given does not satisfy a constraint: no motion begins there.
    Off {
        /// of positions or velocities
        level: Level,
        /// the constraint
        constraint: Name,
        /// its residual
        residual: f64,
    },
    /// A number of the guess is not finite.
    Guess {
        /// the number of the node
        node: usize,
        /// of what
        name: Name,
    },
    /// A cost or a limit that is not finite at the guess, or its derivative.
    NonFinite {
        /// the number of the node
        node: usize,
        /// which
        name: Name,
    },
    /// A cost whose second derivatives are not known, for a solver that needs them.
    NoCurvature {
        /// the cost
        cost: Name,
    },
    /// A transcription cannot have what the model or the problem has.
    Scheme {
        /// what
        what: &'static str,
        /// what to do
        instead: &'static str,
    },
    /// There is no start of the model.
    Start(StartError),
    /// The model or the method refuses its settings.
    Method(RunError),
    /// The model cannot be evaluated, or differentiated.
    Evaluation(Cause),
    /// A step on the way cannot be made, or differentiated.
    Step(StepError),
    /// All conditions are met, and no step reduces the cost any further, although it is not the least one. A cost or a
    /// limit may not be smooth, the cost without a lowest value, or the tolerance below round-off.
    NoDescent {
        /// how far the conditions of an optimum are from being met
        optimality: f64,
        /// the cost
        cost: f64,
    },
    /// No direction reduces what is violated.
    Stalled {
        /// the most violated condition: a limit, or a direction of the state that does not meet the step before it
        condition: Name,
        /// the time at which it is violated
        time: f64,
        /// by how much
        violation: f64,
    },
    /// The iterations that were allowed did not suffice.
    Iterations {
        /// how many were made
        count: usize,
        /// how far the conditions of an optimum are from being met
        optimality: f64,
        /// the most violated condition; empty if all are met
        condition: Name,
        /// by how much
        violation: f64,
    },
    /// The progress function ended the search.
    Stopped {
        /// after how many iterations
        count: usize,
    },
}

impl PlanError {
    /// An error if one of the numbers in the types is not the one that is needed.
    pub(super) fn sizes(knot: (usize, usize), interval: (usize, usize)) -> Result<(), Self> {
        let knot = ("N, the number of unknowns at a node", knot.0, knot.1);
        let sizes = [knot, ("U, the number of inputs of an interval", interval.0, interval.1)];
        let other = sizes.into_iter().find(|(_, found, needed)| found != needed);
        other.map_or(Ok(()), |(what, found, needed)| Err(Self::Size { what, found, needed }))
    }
}

#[cfg(feature = "sprs")]
impl PlanError {
    /// An error if there are other numbers of states or inputs than a problem has, found and needed.
    pub(super) fn lengths(states: (usize, usize), inputs: (usize, usize)) -> Result<(), Self> {
        Self::length("number of states of a plan", states)?;
        Self::length("number of inputs of a plan", inputs)
    }

    /// An error if a number of things is not the one that is needed.
    pub(super) fn length(setting: &'static str, (found, needed): (usize, usize)) -> Result<(), Self> {
        if found == needed { Ok(()) } else { Err(Self::Setting { setting, value: found as f64 }) }
    }
}

impl From<UnknownName> for PlanError {
    fn from(unknown: UnknownName) -> Self {
        Self::Unknown(unknown)
    }
}

impl From<Cause> for PlanError {
    fn from(cause: Cause) -> Self {
        Self::Evaluation(cause)
    }
}

impl From<Off> for PlanError {
    fn from(Off { level, constraint, residual }: Off) -> Self {
        Self::Off { level, constraint, residual }
    }
}

impl From<StepError> for PlanError {
    fn from(error: StepError) -> Self {
        Self::Step(error)
    }
}

impl From<RunError> for PlanError {
    fn from(error: RunError) -> Self {
        Self::Method(error)
    }
}

impl From<StartError> for PlanError {
    fn from(error: StartError) -> Self {
        Self::Start(error)
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(unknown) => write!(f, "{unknown}"),
            Self::Setting { setting, value } => write!(f, "{setting} cannot be {value}"),
            Self::Size { what, found, needed } => {
                write!(f, "{what}, is {found} and must be {needed}")
            }
            Self::Parameter { name, value, other } => write!(
                f,
                "parameter `{name}` is {value} in the model of the problem, and {other} in another that makes or \
                 differentiates its motion, in SI; make that one by `cast` of the same model"
            ),
            Self::NoInputs => f.write_str("the model has no inputs, so nothing can be chosen: declare an `input`"),
            Self::NoCost => f.write_str("nothing is to be minimised: add a `cost` or a `residual` of the model"),
            Self::Empty { name, low, high } => write!(f, "there is no number for `{name}` between {low} and {high}"),
            Self::Follows { name, variable } => write!(
                f,
                "`{name}` reads `{variable}`, which follows from the state and the inputs and is not known at the \
                 nodes; write it by states and inputs"
            ),
            Self::Contradiction { limit, time, value, low, high } => write!(
                f,
                "the state at t = {time} is given, and limit `{limit}` is {value} there, outside of {low} to {high}"
            ),
            Self::Off { level, constraint, residual } => write!(
                f,
                "{level} of the start are not consistent: constraint `{constraint}` has a residual of {residual:e}; \
                 make it by `Start` or `Assembly`"
            ),
            Self::Guess { node, name } => write!(f, "`{name}` is not finite in the guess at node {node}"),
            Self::NonFinite { node, name } => write!(f, "`{name}` is not finite at node {node}"),
            Self::Scheme { what, instead } => write!(f, "there is no plan with {what}: {instead}"),
            Self::NoCurvature { cost } => write!(
                f,
                "the second derivatives of cost `{cost}` are not known; use `(map, hessian)`, `Ilqr` or \
                 `Collocation::exact`, or write the cost as a `residual`, half of whose square is the cost"
            ),
            Self::Start(error) => write!(f, "{error}"),
            Self::Method(error) => write!(f, "{error}"),
            Self::Evaluation(cause) => write!(f, "{cause}"),
            Self::Step(error) => write!(f, "{error}"),
            Self::NoDescent { optimality, cost } => write!(
                f,
                "no step was found to a lower cost than {cost:.6e}, and optimality is {optimality:.3e}: perhaps a cost \
                 or a limit is not smooth here, the cost has no lowest value, or the tolerance is below round-off"
            ),
            Self::Stalled { condition, time, violation } => write!(
                f,
                "no way was found to meet `{condition}`, which is violated by {violation:.3e} at t = {time}; begin \
                 from another guess, or loosen bounds and limits"
            ),
            Self::Iterations { count, optimality, condition, .. } if condition.as_str().is_empty() => {
                write!(f, "{count} iterations were not enough: all conditions are met, optimality {optimality:.3e}")
            }
            Self::Iterations { count, optimality, condition, violation } => write!(
                f,
                "{count} iterations were not enough: optimality {optimality:.3e}, and `{condition}` violated by \
                 {violation:.3e}"
            ),
            Self::Stopped { count } => write!(f, "the search was stopped after {count} iterations"),
        }
    }
}

impl std::error::Error for PlanError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Start(error) => Some(error),
            Self::Method(error) => Some(error),
            Self::Evaluation(cause) => Some(cause),
            Self::Step(error) => Some(error),
            _ => None,
        }
    }
}
