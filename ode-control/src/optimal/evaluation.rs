//! What evaluates motions: costs and limits at nodes, steps between them, and what is violated.

use ode_runtime::integrators::Vary;
use ode_runtime::linalg::SVector;
use ode_runtime::variation::Fixed;
use ode_runtime::{Block, Name, Optimizable, Solvable, State, StepMap};

use crate::deviation::minus;
use crate::optimal::error::PlanError;
use crate::optimal::node::{Evaluator, Node};
use crate::optimal::problem::Posed;

/// Room for evaluations of a problem.
pub(super) struct Evaluation<'a, S: Optimizable + Solvable, M: Vary<S>> {
    pub(super) system: &'a S,
    map: StepMap<'a, S, M, Fixed<0>>,
    pub(super) evaluator: Evaluator<S>,
    pub(super) nominal: S::U,
    pub(super) h: f64,
}

impl<'a, S: Optimizable<Real = f64> + Solvable, M: Vary<S> + Copy> Evaluation<'a, S, M> {
    pub(super) fn new(system: &'a S, method: M, h: f64) -> Result<Self, PlanError> {
        let mut nominal = S::U::zeros(system.layout().u.len());
        system.nominal(&mut nominal);
        let map = StepMap::sized(system, method, &[])?;
        Ok(Self { system, map, evaluator: Evaluator::new(system), nominal, h })
    }

    /// Evaluates costs and limits at the node `k`, with first derivatives; without inputs, with the nominal ones.
    ///
    /// # Errors
    /// A cost or a limit that is not finite.
    pub(super) fn node<const N: usize, const U: usize>(
        &mut self,
        posed: &Posed<S, N>,
        k: usize,
        (x, u): (&State<S>, Option<&S::U>),
        node: &mut Node<N, U>,
    ) -> Result<(), PlanError> {
        let Self { system, evaluator, nominal, .. } = self;
        let weights = posed.terms.at(k);
        evaluator.evaluate(*system, (x, u.unwrap_or(nominal)), weights, node);
        evaluator.spoilt(*system, weights, node).map_or(Ok(()), |name| Err(PlanError::NonFinite { node: k, name }))
    }

    /// The end of the interval that begins with `x` and `u`.
    ///
    /// # Errors
    /// Why the step cannot be made.
    pub(super) fn step(&mut self, x: &State<S>, u: &S::U) -> Result<&State<S>, PlanError> {
        Ok(self.map.step(x, u.clone(), self.h)?.end)
    }
}

/// x_n ⊖ end in the directions that are prescribed.
pub(super) fn miss<S: Optimizable<Real = f64> + Solvable, const N: usize>(
    system: &S,
    posed: &Posed<S, N>,
    fixed: &[bool; N],
    last: &State<S>,
) -> SVector<f64, N> {
    let mut miss = posed.end.as_ref().map_or(SVector::zeros(), |end| minus(system, last, end));
    (0..N).filter(|&i| !fixed[i]).for_each(|i| miss[i] = 0.0);
    miss
}

/// The names of the directions of a state.
pub(super) fn directions<S: Optimizable<Real = f64>, const N: usize>(system: &S) -> [&str; N] {
    let layout = system.layout();
    let mut names = layout.state_direction_names();
    core::array::from_fn(|_| names.next().unwrap_or(""))
}

/// The most violated condition so far: its name, its node, and by how much.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worst {
    pub(super) condition: Name,
    pub(super) node: usize,
    pub(super) violation: f64,
}

impl Worst {
    /// That of the steps and the end.
    pub(super) fn of<const N: usize>(gaps: &[SVector<f64, N>], miss: &SVector<f64, N>, directions: &[&str]) -> Self {
        let mut worst = Self { condition: Name::new(""), node: 0, violation: 0.0 };
        let nodes = gaps.iter().enumerate().map(|(k, gap)| (k + 1, gap));
        for (k, gap) in nodes.chain([(gaps.len(), miss)]) {
            gap.iter().zip(directions).for_each(|(&value, name)| worst.see(name, k, value));
        }
        worst
    }

    /// Compares with another one.
    pub(super) fn see(&mut self, name: &str, node: usize, value: f64) {
        // NaN is the worst
        if value.is_nan() || value.abs() > self.violation {
            *self = Self { condition: Name::new(name), node, violation: value.abs() };
        }
    }

    /// The error of a search that can do no more, by what `tolerance` allows.
    pub(super) fn stuck<S: Optimizable<Real = f64>>(
        self,
        tolerance: f64,
        (optimality, cost): (f64, f64),
        states: &[State<S>],
    ) -> PlanError {
        let Self { condition, node, violation } = self;
        if violation <= tolerance {
            return PlanError::NoDescent { optimality, cost };
        }
        let time = states.get(node).map_or(f64::NAN, |x| x.t);
        PlanError::Stalled { condition, time, violation }
    }

    /// The error of a search that may do no more.
    pub(super) fn unfinished(self, (count, tolerance): (usize, f64), optimality: f64) -> PlanError {
        let Self { condition, violation, .. } = self;
        let condition = if violation <= tolerance { Name::new("") } else { condition };
        PlanError::Iterations { count, optimality, condition, violation }
    }
}

/// Which limits restrict which nodes: for each node and each limit in turn. A limit that depends only on what is given,
/// at the start or at the end, restricts nothing there. The last state is to be as it is prescribed.
///
/// # Errors
/// A limit that a given state breaks.
pub(super) fn restricted<S: Optimizable<Real = f64>, const N: usize, const U: usize>(
    system: &S,
    posed: &Posed<S, N>,
    fixed: &[bool; N],
    (states, nodes): (&[State<S>], &[Node<N, U>]),
) -> Result<Vec<bool>, PlanError> {
    let (names, choices) = (system.limit_bounds().names, choices::<S, N>(system, fixed));
    let last = nodes.len().saturating_sub(1);
    let mut all = Vec::with_capacity(nodes.len() * choices.len());
    for (k, node) in nodes.iter().enumerate() {
        for (i, (&value, &(low, high))) in node.limits.iter().zip(&posed.limit_bounds).enumerate() {
            let Choice { by_input, by_free } = choices[i];
            let given = !by_input && (k == 0 || k == last && !by_free && fixed.contains(&true));
            let bounded = low.is_finite() || high.is_finite();
            let tolerance = 1e-9 * value.abs().max(1.0);
            if bounded && given && !(low - tolerance <= value && value <= high + tolerance) {
                let (limit, time) = (Name::new(names.get(i).copied().unwrap_or("")), states[k].t);
                return Err(PlanError::Contradiction { limit, time, value, low, high });
            }
            all.push(bounded && if k == last { !by_input && by_free } else { by_input || k > 0 });
        }
    }
    Ok(all)
}

/// What a limit leaves to choose.
#[derive(Clone, Copy, Debug, Default)]
struct Choice {
    /// whether it depends on inputs
    by_input: bool,
    /// whether it depends on directions of the state that are not prescribed at the end
    by_free: bool,
}

/// What each limit leaves to choose.
fn choices<S: Optimizable<Real = f64>, const N: usize>(system: &S, fixed: &[bool; N]) -> Vec<Choice> {
    let (layout, pattern) = (system.layout(), system.limit_pattern());
    let mut found = vec![Choice::default(); pattern.rows];
    for (row, column) in pattern.entries() {
        match layout.direction(column) {
            Some(place) if place >= N => found[row].by_input = true,
            Some(place) => found[row].by_free |= !fixed[place],
            None => {}
        }
    }
    found
}

impl<S: Optimizable<Real = f64> + Solvable, M: Vary<S>> core::fmt::Debug for Evaluation<'_, S, M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Evaluation").field("h", &self.h).finish_non_exhaustive()
    }
}
