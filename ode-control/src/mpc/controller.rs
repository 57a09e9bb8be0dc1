//! The controller: its problem, its settings, and what a plan says.

use core::fmt;

use ode_runtime::linalg::nalgebra::RealField;
use ode_runtime::linalg::{SMatrix, SVector};
use ode_runtime::{Name, UnknownName};

use crate::mpc::check::Names;
use crate::mpc::error::MpcError;
use crate::mpc::hold::Range;
use crate::mpc::knot::{Last, MpcKnot};
use crate::mpc::problem::{MpcEnd, MpcRows, MpcStage, Slack};

/// A linear model predictive controller of N states, U inputs and M rows: at each sample it plans the best inputs of a
/// horizon within bounds, of which the first is applied.
///
/// ```text
/// min  Σ ½ (x − x_r)ᵀQ (x − x_r) + ½ (u − u_r)ᵀR (u − u_r)  +  ½ (x_H − x_r)ᵀP (x_H − x_r)
/// x⁺ = A x + B u + c,   input_low ≤ u ≤ input_high,   low ≤ C x + D u + e ≤ high
/// ```
///
/// Every number of every stage may be another; names are those of states, inputs and rows. Storage is an array, a
/// slice or a `Vec` of [`MpcKnot`], one for each stage, and a plan needs no heap.
///
/// ```
/// use ode_control::{Mpc, MpcKnot};
/// use ode_model::linalg::{SMatrix, SVector};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // a cart of 1 kg that a force moves, at 10 Hz
/// let (a, b) = (SMatrix::<f64, 2, 2>::new(1.0, 0.1, 0.0, 1.0), SMatrix::<f64, 2, 1>::new(0.005, 0.1));
/// let mut mpc = Mpc::new(["x", "der(x)"], ["force"], [], [MpcKnot::none(); 20])?;
/// mpc.model(&a, &b);
/// mpc.weights(&SMatrix::from_diagonal(&[1.0, 0.1].into()), &SMatrix::from([[0.01]]), &SMatrix::identity());
/// mpc.bound("force", -2.0, 2.0)?;
///
/// let mut x = SVector::from([1.0, 0.0]);
/// for _ in 0..60 {
///     mpc.solve(&x)?;
///     x = a * x + b * mpc.first();
/// }
/// assert!(x.amax() < 1e-3);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Mpc<E: RealField, const N: usize, const U: usize, const M: usize, B> {
    pub(super) names: Names<N, U, M>,
    pub(super) knots: B,
    pub(super) last: Last<E, N, M>,
    pub(super) slacks: [Option<Slack<E>>; M],
    /// bound of interior-point iterations
    pub(super) most: usize,
    /// the problem is as it was when it was checked
    pub(super) checked: bool,
    /// the largest weight of a number, where it was checked
    pub(super) largest: E,
    /// there is a plan to begin with
    pub(super) planned: bool,
}

impl<E: RealField, const N: usize, const U: usize, const M: usize, B> fmt::Debug for Mpc<E, N, U, M, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mpc").field("names", &self.names).field("planned", &self.planned).finish_non_exhaustive()
    }
}

impl<E, const N: usize, const U: usize, const M: usize, B> Mpc<E, N, U, M, B>
where
    E: RealField + Copy,
    B: AsRef<[MpcKnot<E, N, U, M>]> + AsMut<[MpcKnot<E, N, U, M>]>,
{
    /// A controller with these names of states, inputs and rows, on storage with the problem of each stage, that of
    /// [`MpcKnot::none`] too. The end of the horizon costs nothing yet.
    ///
    /// # Errors
    /// [`MpcError::NoHorizon`] of empty storage.
    pub fn new(states: [&str; N], inputs: [&str; U], rows: [&str; M], knots: B) -> Result<Self, MpcError> {
        if knots.as_ref().is_empty() {
            return Err(MpcError::NoHorizon);
        }
        let names = Names { states: states.map(Name::new), inputs: inputs.map(Name::new), rows: rows.map(Name::new) };
        let (last, slacks) = (Last::none(), [None; M]);
        Ok(Self { names, knots, last, slacks, most: 50, checked: false, largest: E::zero(), planned: false })
    }

    /// The same with at most so many iterations of an interior point; 50 otherwise. It is used only where the bounds
    /// that hold the plan are not found from those of the last one.
    #[must_use]
    pub fn iterations(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// Writes A and B of all stages.
    pub fn model(&mut self, a: &SMatrix<E, N, N>, b: &SMatrix<E, N, U>) {
        self.stages_mut().for_each(|stage| (stage.a, stage.b) = (*a, *b));
    }

    /// Writes Q and R of all stages, and P of the end.
    pub fn weights(&mut self, q: &SMatrix<E, N, N>, r: &SMatrix<E, U, U>, p: &SMatrix<E, N, N>) {
        self.stages_mut().for_each(|stage| (stage.state_weight, stage.input_weight) = (*q, *r));
        self.end_mut().weight = *p;
    }

    /// Writes x_r and u_r of all stages, and x_r of the end.
    pub fn reference(&mut self, x: &SVector<E, N>, u: &SVector<E, U>) {
        self.stages_mut().for_each(|stage| (stage.state_reference, stage.input_reference) = (*x, *u));
        self.end_mut().reference = *x;
    }

    /// Writes the rows of all stages. Those of the end are written by [`Mpc::end_mut`].
    pub fn rows(&mut self, rows: &MpcRows<E, N, U, M>) {
        self.stages_mut().for_each(|stage| stage.rows = *rows);
    }

    /// Writes the bounds of an input or of a row, in all stages, and of a row at the end. −∞ and ∞ are no bounds.
    ///
    /// # Errors
    /// [`MpcError::Name`] with the most similar input or row.
    pub fn bound(&mut self, name: &str, low: E, high: E) -> Result<(), MpcError> {
        match self.place(name)? {
            Place::Input(i) => self.stages_mut().for_each(|stage| {
                (stage.input_low[i], stage.input_high[i]) = (low, high);
            }),
            Place::Row(i) => {
                self.stages_mut().for_each(|stage| (stage.rows.low[i], stage.rows.high[i]) = (low, high));
                let rows = &mut self.end_mut().rows;
                (rows.low[i], rows.high[i]) = (low, high);
            }
        }
        Ok(())
    }

    /// Lets a row leave its bounds, at a price, in all stages and at the end; `None` makes it hard, as rows are before.
    ///
    /// # Errors
    /// [`MpcError::Name`]; [`MpcError::Slack`].
    pub fn soften(&mut self, row: &str, slack: Option<Slack<E>>) -> Result<(), MpcError> {
        let i = found("row", row, &self.names.rows)?;
        let sound = |w: E| w >= E::zero() && w.is_finite();
        let free = |slack: &Slack<E>| slack.linear + slack.quadratic == E::zero();
        if slack.is_some_and(|slack| !(sound(slack.linear) && sound(slack.quadratic)) || free(&slack)) {
            return Err(MpcError::Slack { row: self.names.rows[i] });
        }
        self.slacks[i] = slack;
        Ok(())
    }

    /// The problem of a stage, to be changed; `None` beyond the horizon.
    pub fn stage_mut(&mut self, k: usize) -> Option<&mut MpcStage<E, N, U, M>> {
        self.checked = false;
        self.knots.as_mut().get_mut(k).map(|knot| &mut knot.stage)
    }

    /// The problems of all stages, to be changed.
    pub fn stages_mut(&mut self) -> impl Iterator<Item = &mut MpcStage<E, N, U, M>> {
        self.checked = false;
        self.knots.as_mut().iter_mut().map(|knot| &mut knot.stage)
    }

    /// The end of the horizon, to be changed.
    pub fn end_mut(&mut self) -> &mut MpcEnd<E, N, M> {
        self.checked = false;
        &mut self.last.end
    }

    /// The number of stages.
    pub fn horizon(&self) -> usize {
        self.knots.as_ref().len()
    }

    /// The inputs of the first stage: those to be applied.
    pub fn first(&self) -> SVector<E, U> {
        self.input(0).unwrap_or_else(SVector::zeros)
    }

    /// The planned inputs of a stage; `None` beyond the horizon.
    pub fn input(&self, k: usize) -> Option<SVector<E, U>> {
        self.knots.as_ref().get(k).map(|knot| knot.inputs.value)
    }

    /// The planned state where a stage begins, and at the end; `None` beyond it.
    pub fn state(&self, k: usize) -> Option<SVector<E, N>> {
        let knots = self.knots.as_ref();
        let end = (k == knots.len()).then_some(self.last.x);
        knots.get(k).map(|knot| knot.x).or(end)
    }

    /// The multiplier of an input's or a row's bounds at a stage: minus the change of the least cost where the bound
    /// that holds rises by one. So it is negative at a lowest value, positive at a highest one, and zero between them
    /// or beyond the horizon.
    ///
    /// # Errors
    /// [`MpcError::Name`] with the most similar input or row.
    pub fn multiplier(&self, name: &str, k: usize) -> Result<E, MpcError> {
        let knots = self.knots.as_ref();
        let of = match self.place(name)? {
            Place::Input(i) => knots.get(k).map(|knot| knot.inputs.multiplier[i]),
            Place::Row(i) => {
                let end = (k == knots.len()).then_some(self.last.rows.multiplier[i]);
                knots.get(k).map(|knot| knot.rows.multiplier[i]).or(end)
            }
        };
        Ok(of.unwrap_or_else(E::zero))
    }

    /// The cost of the plan, that of slacks included.
    pub fn cost(&self) -> E {
        let slack = |value: &SVector<E, M>, low: &SVector<E, M>, high: &SVector<E, M>| {
            (0..M).fold(E::zero(), |sum, i| {
                let range = Range { low: low[i], high: high[i], slack: self.slacks[i] };
                sum + range.slack.map_or(E::zero(), |slack| slack.cost(range.outside(value[i])))
            })
        };
        let Last { end, x, rows, .. } = &self.last;
        self.knots.as_ref().iter().fold(end.cost(x) + slack(&rows.value, &end.rows.low, &end.rows.high), |sum, knot| {
            let MpcKnot { stage, x, inputs, rows, .. } = knot;
            sum + stage.cost(x, &inputs.value) + slack(&rows.value, &stage.rows.low, &stage.rows.high)
        })
    }

    /// Where an input or a row of this name is.
    fn place(&self, name: &str) -> Result<Place, UnknownName> {
        let Names { inputs, rows, .. } = &self.names;
        let all = || inputs.iter().chain(rows).map(Name::as_str);
        match all().position(|known| known == name) {
            Some(i) if i < U => Ok(Place::Input(i)),
            Some(i) => Ok(Place::Row(i - U)),
            None => Err(UnknownName::new("input or row", name, all())),
        }
    }
}

/// An input or a row.
#[derive(Clone, Copy, Debug)]
enum Place {
    Input(usize),
    Row(usize),
}

/// The place of a name.
fn found(what: &'static str, name: &str, names: &[Name]) -> Result<usize, UnknownName> {
    let place = names.iter().position(|known| known.as_str() == name);
    place.ok_or_else(|| UnknownName::new(what, name, names.iter().map(Name::as_str)))
}
