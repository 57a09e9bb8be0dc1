//! Generated solves: masses far apart on a chain, and inertia that parameters make negative.

use ode_model::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic, ImplicitMidpoint, RungeKutta4, StormerVerlet};
use ode_model::prelude::*;
use ode_model::{Cause, Forward, Linearize, Method, Nominal, Simulation, Solvable, Start, System};

use crate::twofold;

model! {
    /// Two points on rods: accelerations in one function.
    pub struct Pair<T> {
        param a: Real = 1.0;
        param b: Real = 1.0;
        coord r: [Vec2; 2];
        kinetic = 0.5 * (a * der(r[0]).dot(der(r[0])) + b * der(r[1]).dot(der(r[1])));
        potential = 9.81 * (a * r[0].y + b * r[1].y);
        constraint first: r[0].dot(r[0]) == 1.0;
        constraint second: (r[1] - r[0]).dot(r[1] - r[0]) == 1.0;
        guess r[0] = vec2(0.6, -0.8);
        guess r[1] = vec2(1.2, -1.6);
        guess der(r[0]) = vec2(0.8, 0.6);
        guess der(r[1]) = vec2(0.4, 0.3);
    }
}
model! {
    /// A closed loop of eight points between two pins, of which every second one is heavy. The algebraic variable makes
    /// the factorisation a call by itself.
    pub struct Loop {
        param a: Real = 1.0;
        param b: Real = 1.0;
        coord r: [Vec2; 8];
        algebraic y: Real;
        constraint alone: y == 1.0;
        for i in 0..4 {
            kinetic light = 0.5 * a * der(r[2 * i]).dot(der(r[2 * i]));
            kinetic heavy = 0.5 * b * der(r[2 * i + 1]).dot(der(r[2 * i + 1]));
            potential light = 9.81 * a * r[2 * i].y;
            potential heavy = 9.81 * b * r[2 * i + 1].y;
        }
        constraint first: r[0].dot(r[0]) == 1.0;
        for i in 0..7 { constraint rod: (r[i + 1] - r[i]).dot(r[i + 1] - r[i]) == 1.0; }
        constraint last: (vec2(5.0, 0.0) - r[7]).dot(vec2(5.0, 0.0) - r[7]) == 1.0;
        for i in 0..8 { guess r[i] = vec2(0.55 * i + 0.5, -0.8 - 0.2 * i * (7.0 - i)); }
    }
}
model! {
    pub struct Coupled<T> {
        param b: Real = 0.5;
        coord x: Real;
        coord y: Real;
        mass (x, y) = [[1.0, b], [b, 0.5]];
        force push on y = 1.0;
    }
}
model! {
    #[model(order = 1)]
    pub struct Creeping {
        param b: Real = 0.5;
        coord x: Real;
        coord y: Real;
        mass (x, y) = [[1.0, b], [b, 0.5]];
        force push on y = 1.0;
    }
}

/// What accelerations at a consistent start leave of the constraints.
fn violation<S: Solvable<Real = f64>>(model: &S) -> f64 {
    let x = Start::default().solve(model, &Nominal).expect("a start");
    let mut forward = Forward::zeros(&model.layout());
    model.forward(x.at(&ode_model::Block::zeros(0)), &mut forward);
    twofold::violation(model, &forward, x.a.as_ref())
}

#[test]
fn generated_accelerations_hold_constraints_whatever_the_ratio() {
    const { assert!(<Pair<f64> as Solvable>::DIRECT && !<Loop as Solvable>::DIRECT) };
    for exponent in -12..=12 {
        let ratio = 10_f64.powi(exponent);
        let pair = violation(&Pair { a: 1.0, b: ratio });
        assert!(pair < 2e-12, "{ratio:e}: {pair:e}");
        let chain = violation(&Loop { a: 1.0, b: ratio });
        assert!(chain < 2e-12, "{ratio:e}: {chain:e}");
    }
}

#[test]
fn a_step_without_iterations_holds_them_too() {
    for exponent in 0..=12 {
        let pair = Pair { a: 1.0, b: 10_f64.powi(exponent) };
        let start = Start::default().solve(&pair, &Nominal).expect("a start");
        let (mut forward, h) = (Forward::zeros(&pair.layout()), 1e-3);
        pair.forward(start.at(&ode_model::Block::zeros(0)), &mut forward);
        let mut run = Simulation::of(&pair, BackwardEuler::linearized()).fixed(h).expect("a start");
        run.step_towards(h).expect("a step");
        let v = run.state().v.as_ref();
        let (mut left, mut size) = ([0.0; 2], [0.0; 2]);
        for ((r, c), g) in pair.layout().jacobian.entries().zip(forward.jacobian.as_ref()) {
            left[r] += g * v[c];
            size[r] += (g * v[c]).abs();
        }
        assert!(left.iter().zip(size).all(|(left, size)| left.abs() < 1e-12 * size), "1e{exponent}: {left:?}");
    }
}

fn refused<S: Solvable<Real = f64> + Linearize, M: Method<S>>(model: &S, method: M) -> Cause {
    Simulation::of(model, method).fixed(1e-3).expect_err("negative inertia").cause
}

#[test]
fn inertia_that_parameters_make_negative_is_refused_in_every_form() {
    let model = Coupled { b: 1.0 };
    let causes = [
        refused(&model, Geodesic),
        refused(&model, RungeKutta4),
        refused(&model, StormerVerlet::default()),
        refused(&model, ImplicitMidpoint::default()),
        refused(&model, BackwardEuler::default()),
        refused(&model, GeneralizedAlpha::with_spectral_radius(0.8)),
    ];
    for cause in causes {
        assert!(matches!(cause, Cause::Inertia { name, value } if name.as_str() == "y" && value == -0.5), "{cause:?}");
    }
    let cause = refused(&Creeping { b: 1.0 }, BackwardEuler::default());
    assert!(matches!(cause, Cause::Dissipation { name, value } if name.as_str() == "y" && value == -0.5), "{cause:?}");
}
