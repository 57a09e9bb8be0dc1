//! From a state to a plan.

use ode_runtime::linalg::SVector;
use ode_runtime::linalg::nalgebra::{RealField, convert, try_convert};

use crate::mpc::active::little;
use crate::mpc::controller::Mpc;
use crate::mpc::error::MpcError;
use crate::mpc::hold::Range;
use crate::mpc::interior::Inside;
use crate::mpc::knot::{Last, MpcKnot};
use crate::mpc::problem::{MpcRows, Slack};
use crate::mpc::work::{Indefinite, Work};

/// How often the bounds that hold are changed, and which of them, relative to the one that is most wrong: from nothing,
/// from the last plan, and from what an interior point has come to. Rows of states take from each other what they
/// change, so from a good beginning only the worst are changed.
const FRESH: (usize, f64) = (8, 0.0);
const SHIFTED: (usize, f64) = (20, 0.5);
const CLOSE: (usize, f64) = (15, 0.0);
/// What a violation of a hard row costs where it is asked whether there is a plan at all, relative to the weights.
const DEAR: f64 = 1e10;

/// How a plan was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Planned {
    /// whether the bounds that hold were found, so that the plan is the optimum to the last digits; otherwise it is as
    /// near to it as an interior point comes, 4e-11 relative to the terms of its conditions in `f64`
    pub exact: bool,
    /// iterations of the interior point: zero where the bounds followed from those of the last plan
    pub iterations: usize,
    /// recursions over the horizon in all
    pub passes: usize,
}

impl<E, const N: usize, const U: usize, const M: usize, B> Mpc<E, N, U, M, B>
where
    E: RealField + Copy,
    B: AsRef<[MpcKnot<E, N, U, M>]> + AsMut<[MpcKnot<E, N, U, M>]>,
{
    /// Plans from the state `x`. The last plan, shifted by a stage, is what it begins with.
    ///
    /// First the bounds that held it are tried, and those that follow from there, which gives the optimum itself, often
    /// at once. If they are not found, an interior point comes near the optimum, and shows them.
    ///
    /// # Errors
    /// [`MpcError`]: numbers that are not finite and bounds that are crossed, by name; a row that the state violates
    /// and no input changes; a row that cannot be kept. The controller goes on afterwards, and the plan that can be
    /// read is the last that was tried.
    pub fn solve(&mut self, x: &SVector<E, N>) -> Result<Planned, MpcError> {
        self.admit(x)?;
        let Self { knots, last, slacks, most, planned, .. } = self;
        let knots = knots.as_mut();
        let fresh = !core::mem::take(planned);
        if !fresh {
            shift(knots, last);
        }
        if let Some(first) = knots.first_mut() {
            first.x = *x;
        }
        let mut work = Work { knots, last, slacks, passes: 0 };
        if fresh {
            work.forget();
        }
        work.each(|bounds| bounds.fit());
        work.sweep();
        let found = work.plan(*most, if fresh || M == 0 { FRESH } else { SHIFTED });
        let passes = work.passes;
        let inside = match found? {
            Found::Exact { iterations } => {
                *planned = true;
                return Ok(Planned { exact: true, iterations, passes });
            }
            Found::Near { iterations } => {
                *planned = true;
                return Ok(Planned { exact: false, iterations, passes });
            }
            Found::None(inside) => inside,
        };
        self.doubt(inside, passes)
    }

    /// Refuses a state and a problem without a clear meaning, and prepares what changes with the problem only.
    pub(super) fn admit(&mut self, x: &SVector<E, N>) -> Result<(), MpcError> {
        let (loose, _) = little::<E>();
        self.check(x, loose)?;
        self.prepare();
        Ok(())
    }

    /// Refuses a problem that has none or no clear meaning.
    fn check(&mut self, x: &SVector<E, N>, little: E) -> Result<(), MpcError> {
        let knots = self.knots.as_ref();
        let Some(first) = knots.first() else { return Err(MpcError::NoHorizon) };
        if !self.checked {
            for (k, knot) in knots.iter().enumerate() {
                self.names.check_stage(&knot.stage, k)?;
            }
            self.names.check_end(&self.last.end, knots.len())?;
        }
        self.names.check_start(x, &first.stage.rows, (&self.slacks, little))?;
        Ok(())
    }

    /// Weights of equations, where the problem has changed.
    fn prepare(&mut self) {
        if self.checked {
            return;
        }
        let knots = self.knots.as_mut();
        let of = |knot: &MpcKnot<E, N, U, M>| {
            knot.stage.state_weight.diagonal().amax().max(knot.stage.input_weight.diagonal().amax())
        };
        let end = self.last.end.weight.diagonal().amax();
        let largest = knots.iter().map(of).fold(end, |most, own| most.max(own));
        for (k, knot) in knots.iter_mut().enumerate() {
            knot.inputs.stiff = SVector::repeat(convert(f64::INFINITY));
            knot.rows.stiff = stiff(&knot.stage.rows, k == 0, largest);
        }
        self.last.rows.stiff = stiff(&self.last.end.rows, false, largest);
        (self.checked, self.largest) = (true, largest);
    }

    /// Whether there is a plan at all, after none was found: with dear slacks there is one in any case.
    pub(super) fn doubt(&mut self, inside: Inside<E>, passes: usize) -> Result<Planned, MpcError> {
        let dear = Slack { linear: E::zero(), quadratic: self.largest.max(E::one()) * convert(DEAR) };
        let elastic = self.slacks.map(|slack| Some(slack.unwrap_or(dear)));
        let Self { knots, last, slacks, most, .. } = self;
        let mut work = Work { knots: knots.as_mut(), last, slacks: &elastic, passes };
        work.forget();
        let tried = work.inside(*most);
        work.remember();
        let violated = worst(work.knots, work.last, slacks);
        let tolerance = E::default_epsilon().sqrt() * convert(100.0);
        if let Some((row, stage, by, _)) = violated.filter(|&(.., relative)| relative > tolerance) {
            let by = try_convert::<E, f64>(by).unwrap_or(f64::NAN);
            return Err(MpcError::Infeasible { row: self.names.rows[row], stage, by });
        }
        let mut work = Work { slacks, ..work };
        work.each(|bounds| bounds.fit());
        let iterations = inside.iterations + tried.iterations;
        if work.settle(CLOSE).map_err(MpcError::of)? {
            let passes = work.passes;
            self.planned = true;
            return Ok(Planned { exact: true, iterations, passes });
        }
        work.recall();
        let residual = try_convert::<E, f64>(inside.residual).unwrap_or(f64::NAN);
        Err(MpcError::Unconverged { iterations, residual })
    }
}

/// What a search has found.
enum Found<E> {
    Exact { iterations: usize },
    Near { iterations: usize },
    None(Inside<E>),
}

impl<E: RealField + Copy, const N: usize, const U: usize, const M: usize> Work<'_, E, N, U, M> {
    fn plan(&mut self, most: usize, first: (usize, f64)) -> Result<Found<E>, MpcError> {
        if self.settle(first).map_err(MpcError::of)? {
            return Ok(Found::Exact { iterations: 0 });
        }
        let inside = self.inside(most);
        let iterations = inside.iterations;
        if !inside.converged {
            return Ok(Found::None(inside));
        }
        self.remember();
        if self.settle(CLOSE).map_err(MpcError::of)? {
            return Ok(Found::Exact { iterations });
        }
        self.recall();
        Ok(Found::Near { iterations })
    }
}

impl MpcError {
    fn of(indefinite: Indefinite) -> Self {
        Self::Indefinite { stage: indefinite.stage }
    }
}

/// Moves a plan by a stage. What holds at the end is there because it is the end: it stays.
fn shift<E: RealField + Copy, const N: usize, const U: usize, const M: usize>(
    knots: &mut [MpcKnot<E, N, U, M>],
    last: &Last<E, N, M>,
) {
    let count = knots.len();
    for k in 1..count {
        let (before, from) = knots.split_at_mut(k);
        if let (Some(to), Some(from)) = (before.last_mut(), from.first()) {
            to.follow(from, k + 1 < count);
        }
    }
    if let Some(knot) = knots.last_mut() {
        knot.x = last.x;
    }
}

/// Weights that are large beside `largest`, as that of a cost, for each row; zero where nothing is changed by inputs.
fn stiff<E: RealField + Copy, const N: usize, const U: usize, const M: usize>(
    rows: &MpcRows<E, N, U, M>,
    first: bool,
    largest: E,
) -> SVector<E, M> {
    SVector::from_fn(|i, _| {
        let by_state = if first { E::zero() } else { rows.by_state.row(i).norm_squared() };
        let square = by_state + rows.by_input.row(i).norm_squared();
        if square > E::zero() { largest / (square * E::default_epsilon().sqrt()) } else { E::zero() }
    })
}

/// The hard row that is exceeded most relative to its size: its place, the stage, by how much, and relative to it.
fn worst<E: RealField + Copy, const N: usize, const U: usize, const M: usize>(
    knots: &[MpcKnot<E, N, U, M>],
    last: &Last<E, N, M>,
    slacks: &[Option<Slack<E>>; M],
) -> Option<(usize, usize, E, E)> {
    let stages = knots.iter().map(|knot| {
        let rows = &knot.stage.rows;
        (&knot.rows, &rows.low, &rows.high)
    });
    let all = stages.chain([(&last.rows, &last.end.rows.low, &last.end.rows.high)]).enumerate();
    let each = all.flat_map(|(stage, (rows, low, high))| {
        (0..M).filter(|&i| slacks[i].is_none()).map(move |i| {
            let range = Range { low: low[i], high: high[i], slack: None };
            let by = range.outside(rows.value[i]);
            (i, stage, by, by / (rows.size[i] + E::default_epsilon()))
        })
    });
    each.filter(|(.., by, _)| *by > E::zero()).fold(None, |most: Option<(usize, usize, E, E)>, own| match most {
        Some(most) if most.3 >= own.3 => Some(most),
        _ => Some(own),
    })
}
