//! The recursion against a dense solution of the same conditions.

use ode_runtime::linalg::{DMatrix, DVector, SMatrix, SVector};

use crate::stages::{Policy, Stage, Value, again, backward, forward};

const N: usize = 4;
const U: usize = 2;
const H: usize = 7;

/// A repeatable number between −1 and 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn matrix<const R: usize, const C: usize>(&mut self) -> SMatrix<f64, R, C> {
        SMatrix::from_fn(|_, _| self.next())
    }

    fn stage(&mut self) -> Stage<f64, N, U> {
        // of one definite Hessian, so that Q, S and R belong together
        let whole = self.matrix::<{ N + U }, { N + U }>();
        let whole = whole.transpose() * whole + SMatrix::identity() * 0.1;
        Stage {
            a: self.matrix(),
            b: self.matrix(),
            c: self.matrix(),
            xx: whole.fixed_view::<N, N>(0, 0).into(),
            ux: whole.fixed_view::<U, N>(N, 0).into(),
            uu: whole.fixed_view::<U, U>(N, N).into(),
            x: self.matrix(),
            u: self.matrix(),
        }
    }

    fn terminal(&mut self) -> Value<f64, N> {
        let root = self.matrix::<N, N>();
        Value { xx: root.transpose() * root, x: self.matrix() }
    }
}

/// The unknowns (u₀, x₁, λ₁, u₁, …) of the conditions of the optimum, all at once.
fn dense(stages: &[Stage<f64, N, U>], terminal: &Value<f64, N>, start: &SVector<f64, N>) -> DVector<f64> {
    let (block, count) = (U + 2 * N, stages.len());
    let (mut matrix, mut right) = (DMatrix::zeros(block * count, block * count), DVector::zeros(block * count));
    for (k, stage) in stages.iter().enumerate() {
        let row = block * k;
        let (u, x, costate) = (row, row + U, row + U + N);
        // R u + S x + r + Bᵀλ⁺ = 0
        matrix.view_mut((row, u), (U, U)).copy_from(&stage.uu);
        matrix.view_mut((row, costate), (U, N)).copy_from(&stage.b.transpose());
        // B u + A x + c − x⁺ = 0
        let flow = row + U;
        matrix.view_mut((flow, u), (N, U)).copy_from(&stage.b);
        matrix.view_mut((flow, x), (N, N)).copy_from(&-SMatrix::<f64, N, N>::identity());
        if k == 0 {
            right.rows_mut(row, U).copy_from(&-(stage.u + stage.ux * start));
            right.rows_mut(flow, N).copy_from(&-(stage.c + stage.a * start));
        } else {
            matrix.view_mut((row, u - 2 * N), (U, N)).copy_from(&stage.ux);
            matrix.view_mut((flow, u - 2 * N), (N, N)).copy_from(&stage.a);
            right.rows_mut(row, U).copy_from(&-stage.u);
            right.rows_mut(flow, N).copy_from(&-stage.c);
        }
        // Q x + Sᵀu + q + Aᵀλ⁺ − λ = 0 of the state at the end
        let cost = row + U + N;
        matrix.view_mut((cost, costate), (N, N)).copy_from(&-SMatrix::<f64, N, N>::identity());
        if let Some(next) = stages.get(k + 1) {
            matrix.view_mut((cost, x), (N, N)).copy_from(&next.xx);
            matrix.view_mut((cost, u + block), (N, U)).copy_from(&next.ux.transpose());
            matrix.view_mut((cost, costate + block), (N, N)).copy_from(&next.a.transpose());
            right.rows_mut(cost, N).copy_from(&-next.x);
        } else {
            matrix.view_mut((cost, x), (N, N)).copy_from(&terminal.xx);
            right.rows_mut(cost, N).copy_from(&-terminal.x);
        }
    }
    matrix.lu().solve(&right).expect("one solution")
}

/// The largest difference of the way by the policies.
fn apart(
    stages: &[Stage<f64, N, U>],
    policies: &[Policy<f64, N, U>],
    terminal: &Value<f64, N>,
    start: &SVector<f64, N>,
) -> f64 {
    let (wanted, mut worst) = (dense(stages, terminal, start), 0.0f64);
    forward(stages, policies, start, |k, u, x| {
        let costate = policies[k].end.gradient(x);
        let numbers = u.iter().chain(x).chain(&costate);
        let row = wanted.rows((U + 2 * N) * k, U + 2 * N);
        worst = numbers.zip(&row).fold(worst, |worst, (found, wanted)| worst.max((found - wanted).abs()));
    });
    worst / wanted.amax()
}

#[test]
fn the_recursion_is_the_dense_solution() {
    for seed in 0..50 {
        let mut numbers = Numbers(seed);
        let mut stages: Vec<_> = (0..H).map(|_| numbers.stage()).collect();
        let (mut terminal, start) = (numbers.terminal(), numbers.matrix());
        let mut policies = [Policy::none(); H];
        let left = backward(&stages, &terminal, &mut policies).expect("a definite problem");
        assert!(apart(&stages, &policies, &terminal, &start) < 1e-11, "seed {seed}");
        assert_eq!(left.xx, left.xx.transpose());

        // with other gradients, by the same factors
        for stage in &mut stages {
            (stage.c, stage.x, stage.u) = (numbers.matrix(), numbers.matrix(), numbers.matrix());
        }
        terminal.x = numbers.matrix();
        let left = again(&stages, &terminal.x, &mut policies);
        assert!(apart(&stages, &policies, &terminal, &start) < 1e-11, "seed {seed}");
        let anew = backward(&stages, &terminal, &mut policies).expect("a definite problem");
        assert!((anew.x - left).amax() < 1e-12 * left.amax());
    }
}

#[test]
fn an_indefinite_stage_is_named() {
    let mut numbers = Numbers(3);
    let mut stages = [(); H].map(|()| numbers.stage());
    stages[4].uu = -SMatrix::identity() * 1e3;
    let mut policies = [Policy::none(); H];
    assert_eq!(backward(&stages, &numbers.terminal(), &mut policies), Err(4));
}

#[test]
fn numbers_that_are_not_finite_are_errors() {
    type Spoil = fn(&mut Stage<f64, N, U>, f64);
    let spoilt: [Spoil; 8] = [
        |stage, bad| stage.a[(1, 2)] = bad,
        |stage, bad| stage.b[(3, 1)] = bad,
        |stage, bad| stage.c[0] = bad,
        |stage, bad| stage.xx[(1, 2)] = bad,
        |stage, bad| stage.ux[(1, 3)] = bad,
        |stage, bad| stage.uu[(1, 0)] = bad,
        |stage, bad| stage.x[3] = bad,
        |stage, bad| stage.u[1] = bad,
    ];
    for (case, spoil) in spoilt.into_iter().enumerate() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for at in [0, 3, H - 1] {
                let mut numbers = Numbers(5);
                let mut stages = [(); H].map(|()| numbers.stage());
                spoil(&mut stages[at], bad);
                let mut policies = [Policy::none(); H];
                assert_eq!(backward(&stages, &numbers.terminal(), &mut policies), Err(at), "case {case}, {bad}");
            }
        }
    }
    let mut numbers = Numbers(5);
    let stages = [(); H].map(|()| numbers.stage());
    let terminal = Value { x: SVector::repeat(f64::NAN), ..numbers.terminal() };
    assert_eq!(backward(&stages, &terminal, &mut [Policy::none(); H]), Err(H - 1));
}
