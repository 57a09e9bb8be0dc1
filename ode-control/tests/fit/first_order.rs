//! Models of first order: velocities follow from the equations, and no start has them.

use ode_control::{Fit, Log};
use ode_model::model;

model! {
    /// ẋ = −k x, ż = x − z.
    #[model(order = 1)]
    pub struct Chain {
        param k: Real = 1.5;
        param a: Real = 0.5;
        coord x: Real;
        state z: Real;
        dissipation = 0.5 * sq(der(x));
        potential = 0.5 * k * sq(x);
        der(z) = x - z;
        output sum = x + z;
        init x = a;
    }
}

const K: f64 = 2.0;
const A: f64 = 0.7;
const Z: f64 = -0.4;

/// x = a e⁻ᵏᵗ, z = z₀ e⁻ᵗ + a (e⁻ᵏᵗ − e⁻ᵗ)/(1 − k)
fn log() -> Log {
    let times: Vec<f64> = (0..20).map(|i| 0.15 * f64::from(i)).collect();
    let x: Vec<f64> = times.iter().map(|t| A * (-K * t).exp()).collect();
    let z = times.iter().zip(&x).map(|(t, x)| Z * (-t).exp() + (x - A * (-t).exp()) / (1.0 - K));
    let sum: Vec<f64> = x.iter().zip(z).map(|(x, z)| x + z).collect();
    Log::new(&times).and_then(|log| log.with("sum", &sum)?.with("x", &x)).expect("a log")
}

#[test]
fn starts_are_coordinates_and_states() {
    let (model, log) = (Chain::default(), log());
    for start_of_x in [false, true] {
        let fit = Fit::of(&model).log(&log).measured("sum", 0.01).measured("x", 0.01).parameter("k").start_of("z");
        // x follows its `init`, or is fitted
        let (fit, name) = if start_of_x { (fit.start_of("x"), "start of x") } else { (fit.parameter("a"), "a") };
        let fitted = fit.solve().expect("a fit");
        assert!(fitted.ending.converged() && fitted.residual_evaluations < 12, "{fitted}");
        for (name, wanted) in [("k", K), (name, A), ("start of z", Z)] {
            assert!((fitted.value(name).expect("a name") - wanted).abs() < 1e-7, "{name}: {fitted}");
        }
    }
}
