//! Random problems that have a solution, since they are made around a motion.

use ode_control::{MpcEnd, MpcRows, MpcStage, Slack};
use ode_model::linalg::{SMatrix, SVector};

use crate::conditions::Problem;

/// A repeatable number between −1 and 1.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn matrix<const R: usize, const C: usize>(&mut self) -> SMatrix<f64, R, C> {
        SMatrix::from_fn(|_, _| self.next())
    }

    fn definite<const K: usize>(&mut self, least: f64) -> SMatrix<f64, K, K> {
        let root = self.matrix::<K, K>();
        root.transpose() * root + SMatrix::identity() * least
    }
}

/// Rows with bounds around a value that is met, some of them close, some missing, some equations.
fn rows<const N: usize, const V: usize, const M: usize>(
    numbers: &mut Numbers,
    (x, u): (&SVector<f64, N>, &SVector<f64, V>),
    equations: bool,
) -> MpcRows<f64, N, V, M> {
    let mut rows = MpcRows::none();
    (rows.by_state, rows.by_input, rows.offset) = (numbers.matrix(), numbers.matrix(), numbers.matrix());
    let met = rows.at(x, u);
    for i in 0..M {
        let kind = numbers.next();
        let width = 0.3 * numbers.next().abs();
        if kind < 0.5 {
            rows.low[i] = met[i] - width;
        }
        if kind > -0.5 {
            rows.high[i] = met[i] + 0.3 * numbers.next().abs();
        }
        if equations && kind > 0.8 {
            (rows.low[i], rows.high[i]) = (met[i], met[i]);
        }
    }
    rows
}

/// A problem with `count` stages, and its start.
pub(crate) fn random<const N: usize, const U: usize, const M: usize>(
    seed: u64,
    count: usize,
    (equations, soft): (bool, bool),
) -> (Problem<N, U, M>, SVector<f64, N>) {
    let mut numbers = Numbers(seed.wrapping_mul(977).wrapping_add(1));
    let start: SVector<f64, N> = numbers.matrix();
    let mut x = start;
    let mut stages = Vec::new();
    for _ in 0..count {
        let u: SVector<f64, U> = numbers.matrix();
        let mut stage = MpcStage::none();
        stage.a = SMatrix::identity() + numbers.matrix() * 0.3;
        (stage.b, stage.c) = (numbers.matrix(), numbers.matrix() * 0.1);
        (stage.state_weight, stage.input_weight) = (numbers.definite(0.0), numbers.definite(0.05));
        (stage.state_reference, stage.input_reference) = (numbers.matrix(), numbers.matrix() * 2.0);
        stage.input_low = u - numbers.matrix::<U, 1>().abs() * 0.5;
        stage.input_high = u + numbers.matrix::<U, 1>().abs() * 0.5;
        let rows: MpcRows<f64, N, U, M> = rows(&mut numbers, (&x, &u), equations);
        // of the given state nothing is asked
        if stages.is_empty() {
            stage.rows.by_input = rows.by_input;
        } else {
            stage.rows = rows;
        }
        x = stage.a * x + stage.b * u + stage.c;
        stages.push(stage);
    }
    let mut end = MpcEnd { weight: numbers.definite(0.0), reference: numbers.matrix(), rows: MpcRows::none() };
    end.rows = rows(&mut numbers, (&x, &SVector::zeros()), equations);
    let mut slacks = [None; M];
    if soft {
        for slack in &mut slacks {
            let kind = numbers.next();
            let (linear, quadratic) = (numbers.next().abs(), 3.0 * numbers.next().abs());
            *slack = match kind {
                kind if kind < -0.4 => Some(Slack { linear, quadratic }),
                kind if kind < 0.0 => Some(Slack { linear, quadratic: 0.0 }),
                kind if kind < 0.4 => Some(Slack { linear: 0.0, quadratic }),
                _ => None,
            };
        }
    }
    (Problem { stages, end, slacks }, start)
}
