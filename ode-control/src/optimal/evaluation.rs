//! What evaluations of a problem share, and what is violated.

use ode_runtime::linalg::SVector;
use ode_runtime::{Block, Name, Optimizable, State};

use crate::deviation::minus;
use crate::optimal::error::PlanError;
use crate::optimal::knot::Knot;
use crate::optimal::node::Evaluator;
use crate::optimal::problem::Posed;

/// A problem, and room for evaluations of it.
pub struct Evaluation<'a, S: Optimizable> {
    pub(super) system: &'a S,
    pub(super) posed: Posed<S>,
    pub(super) evaluator: Evaluator<S>,
    pub(super) nominal: S::U,
}

impl<'a, S: Optimizable<Real = f64>> Evaluation<'a, S> {
    pub(super) fn new(system: &'a S, posed: Posed<S>) -> Self {
        let mut nominal = S::U::zeros(system.layout().u.len());
        system.nominal(&mut nominal);
        Self { system, posed, evaluator: Evaluator::new(system), nominal }
    }

    /// Refuses a free horizon where a cost or a limit reads the time.
    pub(super) fn refuse_time(&mut self) -> Result<(), PlanError> {
        let what = "a free horizon where a cost or a limit reads the time";
        let instead = "make the time a state, of the rate 1";
        if self.reads_time() { Err(PlanError::Scheme { what, instead }) } else { Ok(()) }
    }

    /// Whether a cost or a limit that counts is another one at other times. It is asked away from rest, where a factor
    /// of the time may be 0.
    fn reads_time(&mut self) -> bool {
        let Self { system, posed, evaluator, nominal } = self;
        let mut u = nominal.clone();
        shift(u.as_mut());
        let mut values = |later: f64| {
            let mut all = Vec::new();
            for (x, weights) in posed.states.iter().zip(&posed.terms.nodes) {
                let mut x = x.clone();
                [x.q.as_mut(), x.v.as_mut(), x.z.as_mut()].into_iter().for_each(shift);
                x.t += later;
                for weights in [weights, &posed.terms.running] {
                    all.push(evaluator.costs(*system, (&x, &u), weights.both(), |_, _| {}));
                }
                let limits = evaluator.limits(*system, (&x, &u), |_, _, _| {}).iter().zip(&posed.limit_bounds);
                let bounded = limits.filter(|(_, (low, high))| low.is_finite() || high.is_finite());
                all.extend(bounded.map(|(value, _)| *value));
            }
            all
        };
        let same = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
        let (now, later) = (values(0.0), values(0.7310585786300049));
        !now.iter().zip(&later).all(same)
    }

    /// Whether the end is prescribed in each direction, of as many as solvers have.
    pub(super) fn fixed<const N: usize>(&self) -> [bool; N] {
        core::array::from_fn(|i| self.posed.fixed.get(i).copied().unwrap_or(false))
    }
}

/// Moves each of these numbers a little, by another amount.
fn shift(numbers: &mut [f64]) {
    numbers.iter_mut().enumerate().for_each(|(i, x)| *x += 0.37 + 0.11 * i as f64);
}

/// x_n ⊖ end in the directions that are prescribed.
pub(super) fn miss<S: Optimizable<Real = f64>, const N: usize>(
    on: &Evaluation<'_, S>,
    last: &State<S>,
) -> SVector<f64, N> {
    let mut miss = on.posed.end.as_ref().map_or(SVector::zeros(), |end| minus(on.system, last, end));
    let fixed = on.fixed::<N>();
    (0..N).filter(|&i| !fixed[i]).for_each(|i| miss[i] = 0.0);
    miss
}

/// The names of the unknowns at a node: directions of the state, then inputs that are carried along, and the horizon.
pub(super) fn directions<'s, S: Optimizable<Real = f64>, const N: usize>(on: &Evaluation<'s, S>) -> [&'s str; N] {
    let layout = on.system.layout();
    let horizon = on.posed.horizon.map(|_| "horizon");
    let inputs = N.saturating_sub(layout.state_directions() + usize::from(horizon.is_some()));
    let mut names = layout.state_direction_names().chain(layout.u.iter().copied().take(inputs)).chain(horizon);
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
        knots: &[Knot<S>],
    ) -> PlanError {
        let Self { condition, node, violation } = self;
        if violation <= tolerance {
            return PlanError::NoDescent { optimality, cost };
        }
        let time = knots.get(node).map_or(f64::NAN, |x| x.state.t);
        PlanError::Stalled { condition, time, violation }
    }

    /// The error of a search that may do no more.
    pub(super) fn unfinished(self, (count, tolerance): (usize, f64), optimality: f64) -> PlanError {
        let Self { condition, violation, .. } = self;
        let condition = if violation <= tolerance { Name::new("") } else { condition };
        PlanError::Iterations { count, optimality, condition, violation }
    }
}

/// Where a limit is evaluated: whether the state is given there, and whether inputs are chosen there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) first: bool,
    pub(super) last: bool,
    pub(super) inputs: bool,
}

/// Which limits restrict anything at a place. A limit that depends only on what is given, at the start or at the end,
/// restricts nothing there.
pub(super) fn restricted<S: Optimizable<Real = f64>>(
    on: &Evaluation<'_, S>,
    Place { first, last, inputs }: Place,
    out: &mut Vec<bool>,
) {
    for (choice, &(low, high)) in choices(on.system, &on.posed).into_iter().zip(&on.posed.limit_bounds) {
        let Choice { by_input, by_free, by_start } = choice;
        let chosen = if by_input { inputs } else { (!first || by_start) && (by_free || !last) };
        out.push((low.is_finite() || high.is_finite()) && chosen);
    }
}

/// An error if a given state breaks a limit that depends on nothing else; the last state is to be as it is prescribed.
///
/// # Errors
/// Which limit.
pub(super) fn allowed<S: Optimizable<Real = f64>>(
    on: &Evaluation<'_, S>,
    (state, Place { first, last, .. }): (&State<S>, Place),
    values: &[f64],
) -> Result<(), PlanError> {
    let Evaluation { system, posed, .. } = on;
    let names = system.limit_bounds().names;
    for (i, (choice, &(low, high))) in choices(*system, posed).into_iter().zip(&posed.limit_bounds).enumerate() {
        let Choice { by_input, by_free, by_start } = choice;
        let given = first && !by_start || last && !by_free && posed.fixed.contains(&true);
        let (value, bounded) = (values[i], low.is_finite() || high.is_finite());
        let tolerance = 1e-9 * value.abs().max(1.0);
        if bounded && given && !by_input && !(low - tolerance <= value && value <= high + tolerance) {
            let (limit, time) = (Name::new(names.get(i).copied().unwrap_or("")), state.t);
            return Err(PlanError::Contradiction { limit, time, value, low, high });
        }
    }
    Ok(())
}

/// What a limit leaves to choose.
#[derive(Clone, Copy, Debug, Default)]
struct Choice {
    /// whether it depends on inputs
    by_input: bool,
    /// whether it depends on directions of the state that are not prescribed at the end
    by_free: bool,
    /// whether it depends on directions that are free at the start
    by_start: bool,
}

/// What each limit leaves to choose.
fn choices<S: Optimizable<Real = f64>>(system: &S, posed: &Posed<S>) -> Vec<Choice> {
    let (layout, pattern) = (system.layout(), system.limit_pattern());
    let mut found = vec![Choice::default(); pattern.rows];
    for (row, column) in pattern.entries() {
        let Some(place) = layout.direction(column) else { continue };
        found[row].by_start |= posed.free.iter().any(|free| free.direction == place);
        match posed.fixed.get(place) {
            Some(fixed) => found[row].by_free |= !fixed,
            None => found[row].by_input = true,
        }
    }
    found
}

impl<S: Optimizable> core::fmt::Debug for Evaluation<'_, S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Evaluation").finish_non_exhaustive()
    }
}
