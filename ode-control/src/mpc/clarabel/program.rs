//! The problem of a horizon as a quadratic program: ½ zᵀP z + qᵀz with A z + s = b, s zero or not negative.
//!
//! z has u₀, x₁, u₁, …, x_H, in this order, and then the slacks of soft rows.

use std::vec::Vec;

use ode_runtime::linalg::{SMatrix, SVector};

use crate::mpc::hold::{Bound, Range};
use crate::mpc::knot::{Last, MpcKnot};
use crate::mpc::problem::{MpcRows, Slack};

/// What a row of A is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// a state at the end of a stage
    Flow,
    /// a bound of an input; of an equation either
    Input { stage: usize, input: usize, bound: Bound },
    /// a bound of a row
    Row { stage: usize, row: usize, bound: Bound },
    /// a slack is not negative
    Slack,
}

/// An entry of P, above the diagonal, or of A.
pub(super) type Entry = (usize, usize, f64);

/// The program. Entries that are zero are there too, so that they are always the same in number and order.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) p: Vec<Entry>,
    pub(super) q: Vec<f64>,
    pub(super) a: Vec<Entry>,
    pub(super) b: Vec<f64>,
    pub(super) origins: Vec<Origin>,
    /// the first rows, with s = 0
    pub(super) equations: usize,
}

/// The stages of a problem, with its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Problem<'a, const N: usize, const U: usize, const M: usize> {
    pub(super) knots: &'a [MpcKnot<f64, N, U, M>],
    pub(super) last: &'a Last<f64, N, M>,
    pub(super) slacks: &'a [Option<Slack<f64>>; M],
    pub(super) start: &'a SVector<f64, N>,
}

/// Where the unknowns of a stage begin: u of the stage, and x at its end.
pub(super) fn columns<const N: usize, const U: usize>(stage: usize) -> (usize, usize) {
    (stage * (N + U), stage * (N + U) + U)
}

impl Program {
    /// Writes a problem in the place of what was there.
    pub(super) fn write<const N: usize, const U: usize, const M: usize>(&mut self, problem: &Problem<'_, N, U, M>) {
        let Self { p, q, a, b, origins, .. } = self;
        [p, a].into_iter().for_each(Vec::clear);
        [q, b].into_iter().for_each(Vec::clear);
        origins.clear();
        self.costs(problem);
        problem.knots.iter().enumerate().for_each(|(k, knot)| self.flow(k, knot, problem.start));
        self.bounds(problem, true);
        self.equations = self.b.len();
        self.bounds(problem, false);
    }

    fn costs<const N: usize, const U: usize, const M: usize>(&mut self, of: &Problem<'_, N, U, M>) {
        for (k, knot) in of.knots.iter().enumerate() {
            let (u, x) = columns::<N, U>(k);
            self.weigh(u, &knot.stage.input_weight, &knot.stage.input_reference);
            let (weight, reference) = match of.knots.get(k + 1) {
                Some(next) => (&next.stage.state_weight, &next.stage.state_reference),
                None => (&of.last.end.weight, &of.last.end.reference),
            };
            self.weigh(x, weight, reference);
        }
        for slack in (0..=of.knots.len()).flat_map(|_| of.slacks.iter().flatten()) {
            let at = self.q.len();
            self.p.push((at, at, slack.quadratic));
            self.q.push(slack.linear);
        }
    }

    /// ½ (z − z_r)ᵀW (z − z_r) of the unknowns from `at` on.
    fn weigh<const K: usize>(&mut self, at: usize, weight: &SMatrix<f64, K, K>, reference: &SVector<f64, K>) {
        let upper = (0..K).flat_map(|c| (0..=c).map(move |r| (r, c)));
        self.p.extend(upper.map(|(r, c)| (at + r, at + c, weight[(r, c)])));
        self.q.extend((weight * -reference).iter());
    }

    /// x⁺ − A x − B u = c.
    fn flow<const N: usize, const U: usize, const M: usize>(
        &mut self,
        k: usize,
        knot: &MpcKnot<f64, N, U, M>,
        start: &SVector<f64, N>,
    ) {
        let (stage, (u, x)) = (&knot.stage, columns::<N, U>(k));
        for i in 0..N {
            let row = self.b.len();
            self.a.push((row, x + i, 1.0));
            self.a.extend((0..U).map(|c| (row, u + c, -stage.b[(i, c)])));
            let mut right = stage.c[i];
            if k == 0 {
                right += (stage.a.row(i) * start)[0];
            } else {
                let (_, before) = columns::<N, U>(k - 1);
                self.a.extend((0..N).map(|c| (row, before + c, -stage.a[(i, c)])));
            }
            self.b.push(right);
            self.origins.push(Origin::Flow);
        }
    }

    /// Those bounds that are equations, or the others.
    fn bounds<const N: usize, const U: usize, const M: usize>(&mut self, of: &Problem<'_, N, U, M>, equations: bool) {
        let (count, mut slack) = (of.knots.len(), of.knots.len() * (N + U));
        for (k, knot) in of.knots.iter().enumerate() {
            let (stage, (u, _)) = (&knot.stage, columns::<N, U>(k));
            for i in 0..U {
                let range = Range { low: stage.input_low[i], high: stage.input_high[i], slack: None };
                for bound in sides(&range, equations) {
                    self.a.push((self.b.len(), u + i, bound.sign::<f64>()));
                    self.b.push(bound.sign::<f64>() * range.of(bound));
                    self.origins.push(Origin::Input { stage: k, input: i, bound });
                }
            }
            // the state at the start is no unknown
            let x = k.checked_sub(1).map(|before| columns::<N, U>(before).1);
            let known = of.start;
            self.rows(&stage.rows, (k, of.slacks, equations), (x, known, u), (&knot.rows.stiff, &mut slack));
        }
        let x = Some(columns::<N, U>(count - 1).1);
        let last = &of.last;
        self.rows(&last.end.rows, (count, of.slacks, equations), (x, of.start, 0), (&last.rows.stiff, &mut slack));
    }

    /// The rows of a stage, with a slack for each soft one.
    fn rows<const N: usize, const V: usize, const M: usize>(
        &mut self,
        rows: &MpcRows<f64, N, V, M>,
        (stage, slacks, equations): (usize, &[Option<Slack<f64>>; M], bool),
        (x, start, u): (Option<usize>, &SVector<f64, N>, usize),
        (stiff, slack): (&SVector<f64, M>, &mut usize),
    ) {
        for i in 0..M {
            let range = Range { low: rows.low[i], high: rows.high[i], slack: slacks[i] };
            let own = slacks[i].map(|_| *slack);
            *slack += usize::from(own.is_some());
            for bound in sides(&range, equations).filter(|_| stiff[i] > 0.0) {
                let (row, sign) = (self.b.len(), bound.sign::<f64>());
                let mut right = range.of(bound) - rows.offset[i];
                match x {
                    Some(x) => self.a.extend((0..N).map(|c| (row, x + c, sign * rows.by_state[(i, c)]))),
                    None => right -= (rows.by_state.row(i) * start)[0],
                }
                self.a.extend((0..V).map(|c| (row, u + c, sign * rows.by_input[(i, c)])));
                self.a.extend(own.map(|own| (row, own, -1.0)));
                self.b.push(sign * right);
                self.origins.push(Origin::Row { stage, row: i, bound });
            }
            if let Some(own) = own.filter(|_| !equations) {
                self.a.push((self.b.len(), own, -1.0));
                self.b.push(0.0);
                self.origins.push(Origin::Slack);
            }
        }
    }
}

/// The bounds of an equation, one of them, or of anything else.
fn sides(range: &Range<f64>, equations: bool) -> impl Iterator<Item = Bound> + use<> {
    let range = *range;
    let wanted = move |bound: &Bound| match (range.is_equation(), equations) {
        (true, true) => *bound == Bound::High,
        (false, false) => range.has(*bound),
        _ => false,
    };
    Bound::BOTH.into_iter().filter(wanted)
}
