//! The conditions of an optimum, from what a controller says and the problem that it was given: nothing here knows how
//! a plan is found.

use ode_control::{Mpc, MpcEnd, MpcKnot, MpcRows, MpcStage, Slack};
use ode_model::linalg::SVector;

/// A problem of its own, with names `u0`, `u1`, … and `r0`, `r1`, ….
#[derive(Clone, Debug)]
pub(crate) struct Problem<const N: usize, const U: usize, const M: usize> {
    pub(crate) stages: Vec<MpcStage<f64, N, U, M>>,
    pub(crate) end: MpcEnd<f64, N, M>,
    pub(crate) slacks: [Option<Slack<f64>>; M],
}

pub(crate) type Controller<const N: usize, const U: usize, const M: usize> =
    Mpc<f64, N, U, M, Vec<MpcKnot<f64, N, U, M>>>;

const NAMES: [[&str; 4]; 3] = [["x0", "x1", "x2", "x3"], ["u0", "u1", "u2", "u3"], ["r0", "r1", "r2", "r3"]];

impl<const N: usize, const U: usize, const M: usize> Problem<N, U, M> {
    pub(crate) fn controller(&self) -> Controller<N, U, M> {
        let knots = self.stages.iter().map(|stage| MpcKnot::new(*stage)).collect();
        let [x, u, r] = NAMES;
        let names = (std::array::from_fn(|i| x[i]), std::array::from_fn(|i| u[i]), std::array::from_fn(|i| r[i]));
        let mut mpc = Mpc::new(names.0, names.1, names.2, knots).expect("stages");
        *mpc.end_mut() = self.end;
        for (i, slack) in self.slacks.into_iter().enumerate() {
            mpc.soften(r[i], slack).expect("a row");
        }
        mpc
    }

    /// The worst violation of a condition, relative to its terms.
    pub(crate) fn violation(&self, mpc: &Controller<N, U, M>, start: &SVector<f64, N>) -> f64 {
        let count = self.stages.len();
        let state = |k: usize| mpc.state(k).expect("a state");
        let inputs = |k: usize| mpc.input(k).expect("inputs");
        let rows = |k: usize| SVector::<f64, M>::from_fn(|i, _| mpc.multiplier(NAMES[2][i], k).expect("a row"));
        let end = state(count);
        let mut worst = Worst::default();
        worst.add((state(0) - start).amax(), 1.0);
        self.rows(&mut worst, &self.end.rows, (&end, &SVector::zeros()), &rows(count), count);
        let mut costate =
            self.end.weight * (end - self.end.reference) + self.end.rows.by_state.transpose() * rows(count);
        for (k, stage) in self.stages.iter().enumerate().rev() {
            let (x, u, next) = (state(k), inputs(k), state(k + 1));
            worst.add((stage.a * x + stage.b * u + stage.c - next).amax(), 1.0 + next.amax());
            self.rows(&mut worst, &stage.rows, (&x, &u), &rows(k), k);
            let own = SVector::<f64, U>::from_fn(|i, _| mpc.multiplier(NAMES[1][i], k).expect("an input"));
            for i in 0..U {
                worst.bounded(u[i], own[i], (stage.input_low[i], stage.input_high[i]));
            }
            let terms = [
                stage.input_weight * (u - stage.input_reference),
                stage.b.transpose() * costate,
                stage.rows.by_input.transpose() * rows(k),
                own,
            ];
            worst.add(terms.iter().sum::<SVector<f64, U>>().amax(), 1.0 + terms.iter().map(|t| t.amax()).sum::<f64>());
            costate = stage.state_weight * (x - stage.state_reference)
                + stage.rows.by_state.transpose() * rows(k)
                + stage.a.transpose() * costate;
        }
        worst.0
    }

    fn rows<const V: usize>(
        &self,
        worst: &mut Worst,
        rows: &MpcRows<f64, N, V, M>,
        (x, u): (&SVector<f64, N>, &SVector<f64, V>),
        multipliers: &SVector<f64, M>,
        stage: usize,
    ) {
        let value = rows.by_state * x + rows.by_input * u + rows.offset;
        for i in 0..M {
            // a row of a state that is given decides nothing
            if stage == 0 && rows.by_input.row(i).amax() == 0.0 {
                continue;
            }
            let (low, high, force) = (rows.low[i], rows.high[i], multipliers[i]);
            match self.slacks[i] {
                None => worst.bounded(value[i], force, (low, high)),
                Some(slack) => {
                    for (outside, own) in [(value[i] - high, force.max(0.0)), (low - value[i], (-force).max(0.0))] {
                        // between 0 and w₁ at the bound, w₁ + w₂ ε outside it
                        let eps = outside.max(0.0);
                        let most = slack.linear + slack.quadratic * eps;
                        worst.add((own - most).max(0.0), 1.0 + most);
                        worst.add(own * (-outside).clamp(0.0, 1.0), 1.0 + own);
                        worst.add((most - own) * eps.min(1.0), 1.0 + most);
                    }
                }
            }
        }
    }
}

/// The largest of all.
#[derive(Default)]
struct Worst(f64);

impl Worst {
    fn add(&mut self, violation: f64, scale: f64) {
        let relative = violation / scale;
        assert!(relative.is_finite(), "a condition is not finite");
        self.0 = self.0.max(relative);
    }

    fn bounded(&mut self, value: f64, force: f64, (low, high): (f64, f64)) {
        self.add((value - high).max(low - value).max(0.0), 1.0 + value.abs());
        // a multiplier only where the value is at its bound
        self.add(force.max(0.0) * (high - value).abs().min(1.0), 1.0 + force.abs());
        self.add((-force).max(0.0) * (value - low).abs().min(1.0), 1.0 + force.abs());
    }
}
