//! How a problem becomes one of finitely many numbers, as solvers ask for it.

use ode_runtime::linalg::SVector;
#[cfg(feature = "sprs")]
use ode_runtime::{Name, System};
use ode_runtime::{Optimizable, Solvable, State};

use crate::optimal::error::PlanError;
use crate::optimal::evaluation::Evaluation;
use crate::optimal::knot::Knot;
use crate::optimal::node::Node;
use crate::stages::Stage;

/// How an [`OptimalControl`](crate::OptimalControl) problem becomes one of finitely many numbers.
///
/// Multiple shooting: a [`StepMap`](ode_runtime::StepMap), for Gauss and Newton's second derivatives, or one with a
/// [`StepHessian`](ode_runtime::StepHessian), `(map, hessian)`, for exact ones; an [`Ilqr`](crate::Ilqr) is between
/// them, and [`OwnSteps`](crate::OwnSteps) are steps that you write. The other kind is
/// [`Collocation`](crate::Collocation).
///
/// N is the number of unknowns at a node, and U that of the inputs of an interval.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not transcribe problems of optimal control",
    note = "a `StepMap`, `(map, hessian)`, an `Ilqr`, `OwnSteps` or a `Collocation` does"
)]
pub trait Transcription<const N: usize, const U: usize>: Transcribe<N, U> {}

impl<T: Transcribe<N, U>, const N: usize, const U: usize> Transcription<N, U> for T {}

/// The second derivatives that a solver wants.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'w, const N: usize> {
    /// of the end of the interval: with this costate
    pub(super) costate: &'w SVector<f64, N>,
    /// weights of limits
    pub(super) limits: &'w [f64],
    /// derivatives of rows of squares, as shooting leaves them at a node that it evaluates where one of them counts;
    /// else none
    pub(super) squares: &'w [f64],
}

/// Where a search begins, and between which bounds inputs are.
#[derive(Debug)]
pub struct Begun<S: Optimizable, const U: usize> {
    pub(super) knots: Vec<Knot<S>>,
    pub(super) inputs: Vec<SVector<f64, U>>,
    pub(super) bounds: Vec<[(f64, f64); U]>,
}

/// The motion of a plan in the numbers of the model.
#[derive(Debug)]
pub struct Told<S: Optimizable> {
    /// the inputs, in turn
    pub(super) inputs: Vec<S::U>,
    /// the states at which they are the inputs; none where inputs are held during an interval
    pub(super) points: Vec<State<S>>,
    /// the number of intervals without time, at the beginning
    pub(super) instant: usize,
}

/// The work of [`Transcription`].
pub trait Transcribe<const N: usize, const U: usize> {
    /// the model
    type System: Optimizable<Real = f64> + Solvable;

    /// Whether second derivatives of costs and limits are known. Otherwise there are only those of rows of squares,
    /// without the curvature of the rows.
    const COSTS: bool;

    /// Checks N and U, and tells the guess.
    fn begin(&mut self, on: &mut Evaluation<'_, Self::System>) -> Result<Begun<Self::System, U>, PlanError>;

    /// Evaluates costs and limits of the interval `k`, with first derivatives, and writes where and when it ends.
    fn interval(
        &mut self,
        on: &mut Evaluation<'_, Self::System>,
        at: (usize, &Knot<Self::System>, &SVector<f64, U>),
        node: &mut Node<N, U>,
        end: &mut Knot<Self::System>,
    ) -> Result<(), PlanError>;

    /// The same of the last node, without an interval.
    fn last(
        &mut self,
        on: &mut Evaluation<'_, Self::System>,
        at: &Knot<Self::System>,
        node: &mut Node<N, U>,
    ) -> Result<(), PlanError>;

    /// Writes A, B and the second derivatives of the interval `k`.
    fn linearize(
        &mut self,
        on: &mut Evaluation<'_, Self::System>,
        at: (usize, &Knot<Self::System>, &SVector<f64, U>),
        wanted: Wanted<'_, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError>;

    /// Writes the second derivatives of the last node.
    fn curve(
        &mut self,
        on: &mut Evaluation<'_, Self::System>,
        at: &Knot<Self::System>,
        wanted: Wanted<'_, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError>;

    /// Which limits of which nodes restrict anything.
    fn restricted(
        &self,
        on: &Evaluation<'_, Self::System>,
        motion: (&[Knot<Self::System>], &[Node<N, U>]),
    ) -> Result<Vec<Vec<bool>>, PlanError>;

    /// What a plan tells of a motion.
    fn tell(
        &self,
        on: &Evaluation<'_, Self::System>,
        motion: (&[Knot<Self::System>], &[SVector<f64, U>]),
    ) -> Told<Self::System>;

    /// What an interval chooses: names, each with the number of its point, 0 at the beginning. There may be fewer than
    /// U.
    #[cfg(feature = "sprs")]
    fn chosen(&self, on: &Evaluation<'_, Self::System>, k: usize) -> Vec<(Name, usize)>;

    /// The reverse of [`Transcribe::tell`]: writes the motion with these states at the nodes, and these inputs. The
    /// first knot is given.
    ///
    /// # Errors
    /// Other numbers of states or inputs than the problem has.
    #[cfg(feature = "sprs")]
    fn read(
        &self,
        on: &Evaluation<'_, Self::System>,
        states: &[State<Self::System>],
        inputs: &[<Self::System as System>::U],
        motion: (&mut [Knot<Self::System>], &mut [SVector<f64, U>]),
    ) -> Result<(), PlanError>;
}
