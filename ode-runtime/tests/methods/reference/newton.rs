//! Newton's method on a force of positions and velocities, a = x (v·v).

use ode_runtime::integrators::BackwardEuler;
use ode_runtime::linalg::Kkt;
use ode_runtime::{Linearize, Rates, Residual, Solvable, State, System, Weights};

use super::{close, fixed};
use crate::common::plants::Quadratic;
use crate::common::{On, on};

#[test]
fn backward_euler_with_a_force_of_velocities() {
    // OpenSurgSim's Newton–Raphson test, solved to convergence.
    let x = fixed(&on(Quadratic), BackwardEuler::default(), 1e-3, 1e-3);
    let want = [1.399_600_517_738_146_8, 3.534_651_307_532_967, 5.669_702_097_327_787];
    for (got, want) in x.q.iter().zip(want) {
        close(*got, want, 1e-14);
    }
    let want = [-0.399_482_261_853_188_2, -0.348_692_467_032_989_1, -0.297_902_672_212_790_1];
    for (got, want) in x.v.iter().zip(want) {
        close(*got, want, 1e-13);
    }
    let x = fixed(&on(Quadratic), BackwardEuler::default(), 1e-3, 2e-3);
    let want = [1.399_201_549_497_782_8, 3.534_303_913_455_12, 5.669_406_277_412_457];
    for (got, want) in x.q.iter().zip(want) {
        close(*got, want, 1e-14);
    }
    let want = [-0.398_968_240_363_905_44, -0.347_394_077_846_796_3, -0.295_819_915_329_687_3];
    for (got, want) in x.v.iter().zip(want) {
        close(*got, want, 1e-13);
    }
}

/// Residuals |v − v₀ − h f| of Newton's iterates from (x(t), v(t)), with K and D multiplied by `sign`.
fn newton_residuals(h: f64, sign: f64) -> Vec<f64> {
    let system = on(Quadratic);
    let layout = system.layout();
    let (x0, mut v0) = ([0.0; 3], [0.0; 3]);
    let (mut x0, mut none) = (x0, []);
    system.guess(&mut x0, &mut v0, &mut none);
    let mut x = State::neutral(&system);
    (x.q, x.v) = (x0, v0);
    let mut kkt = <On<Quadratic> as Solvable>::Kkt::new(&layout);
    let (mut residual, mut k, mut s) = (Residual::zeros(&layout), [0.0; 9], [0.0; 9]);
    let weights = |rates, velocity, position| Weights { rates, velocity, position, state: 0.0 };
    let norm = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut history = Vec::new();
    for _ in 0..5 {
        x.a = std::array::from_fn(|i| (x.v[i] - v0[i]) / h);
        let rates = Rates { a: &x.a, zdot: &[], lambda: &[] };
        system.tangent(x.at(&[]), rates, weights(0.0, 0.0, h), &[0.0; 3], &mut residual, &mut k);
        system.tangent(x.at(&[]), rates, weights(1.0 / h, 1.0, h), &[0.0; 3], &mut residual, &mut s);
        let mut rhs = residual.r.map(|r| -r);
        for c in 0..3 {
            let gap = (x0[c] + h * x.v[c] - x.q[c]) / h;
            for r in 0..3 {
                let mass = if r == c { 1.0 / h } else { 0.0 };
                s[3 * c + r] = mass + sign * (s[3 * c + r] - mass);
                rhs[r] -= sign * k[3 * c + r] * gap;
            }
        }
        kkt.factorize(&layout, &s).expect("regular");
        kkt.solve(&mut rhs, &mut [], &mut []).expect("a solution");
        x.v = std::array::from_fn(|i| x.v[i] + rhs[i]);
        x.q = std::array::from_fn(|i| x0[i] + h * x.v[i]);
        let square: f64 = x.v.iter().map(|v| v * v).sum();
        history.push(norm(&std::array::from_fn(|i| x.v[i] - v0[i] - h * x.q[i] * square)));
    }
    history
}

#[test]
fn newton_converges_quadratically_and_a_wrong_sign_does_not() {
    // Recomputed from OpenSurgSim's test.
    for (h, want) in [(1e-2, &[4.0e-5, 9.4e-11][..]), (1e-1, &[1.6e-2, 7.2e-5, 1.6e-9])] {
        let history = newton_residuals(h, 1.0);
        for (got, want) in history.iter().zip(want) {
            assert!((got - want).abs() < 0.03 * want, "{history:?}");
        }
        assert!(history[want.len()] < 1e-15, "{history:?}");
    }
    let wrong = newton_residuals(1e-2, -1.0);
    for (got, want) in wrong.iter().zip([3.8e-3, 5.4e-4, 7.8e-5]) {
        assert!((got - want).abs() < 0.1 * want, "{wrong:?}");
    }
}
