//! Outputs, costs and their integrals along a run, against differences of the same run and identities.

use ode_model::integrators::*;
use ode_model::linalg::Labelled;
use ode_model::prelude::*;
use ode_model::solve::Projection;
use ode_model::{By, Differentiable, Method};

use crate::blocks::Near;
use crate::perturb::derivative;

model! {
    /// A bob with outputs and costs of everything they may read.
    pub struct Watched<T> {
        param m: Real = 1.2;
        param l: Real = 0.8;
        param w: Real = 0.3;
        coord r: Vec2;
        state z: Real;
        input u: Real = 0.3;
        kinetic = 0.5 * m * der(r).dot(der(r));
        potential = m * 9.81 * r.y;
        force push on r = vec2(u, 0.1 * der(r.x));
        constraint rod: r.dot(r) == sq(l);
        der(z) = r.x - w * z;
        output pull = rod.lambda * l + w * u;
        output up = m * der(der(r)).y + sq(r.x) + z * der(z);
        cost effort = w * sq(u) + m * der(r).dot(der(r));
        cost far = sq(r.x - w) + z * u;
        init r.x = 0.5 * w;
        guess r.y = -l;
        init der(r.x) = 0.7;
        init z = w;
    }
}

/// Outputs and costs at the end, and the integrals of costs by the trapezoidal rule.
fn watch<M: Method<Watched<f64>>>(model: &Watched<f64>, method: M, u: f64) -> Vec<f64> {
    let inputs = Constant([u]);
    let setup = Simulation::of(model, method).inputs(inputs).project(Projection::to(1e-13));
    let mut run = setup.fixed(0.02).expect("a start");
    let block = watched::U::from([u]);
    let costs = |x: &State<Watched<f64>>| model.costs(x.at(&block));
    let (mut last, mut t, mut sums) = (costs(run.state()), 0.0, [0.0; 2]);
    while run.state().t < 0.4 {
        run.step_towards(0.4).expect("a step");
        let (now, h) = (costs(run.state()), run.state().t - t);
        (0..2).for_each(|i| sums[i] += 0.5 * h * (last[i] + now[i]));
        (last, t) = (now, run.state().t);
    }
    let x = run.state();
    let outputs = model.outputs(x.at(&block), x.rates());
    [outputs.as_ref(), &last, &sums].concat()
}

fn check<M: Vary<Watched<f64>> + Copy>(method: M) {
    let model = Watched::<f64>::default();
    let setup = Simulation::of(&model, method).inputs(Constant([0.3])).project(Projection::to(1e-13));
    let run = setup.fixed(0.02).expect("a start").vary(&By::new().parameters().inputs());
    let mut run = run.expect("a linearisation");
    run.advance_to(0.4).expect("steps");
    let values = watch(&model, method, 0.3);
    for (k, sum) in run.cost_integrals().iter().enumerate() {
        assert!((sum - values[4 + k]).abs() < 1e-13, "{sum} {}", values[4 + k]);
    }
    let p = model.parameter_block();
    for k in 0..4 {
        let wanted = derivative(1e-4, |h| {
            let (mut p, mut u) = (p, 0.3);
            match k {
                3 => u += h,
                k => p.as_mut()[k] += h,
            }
            watch(&model.with_parameters(&p), method, u)
        });
        let column = |matrix: Labelled<f64>| matrix.column(k).iter().copied().collect::<Vec<_>>();
        let found = [run.output_jacobian(), run.cost_gradient(), run.cost_integral_gradient()].map(column);
        let near = Near { share: 1e-8, ..Near::differences(1e-4) };
        for (i, found) in found.iter().enumerate() {
            let (own, name) = (2 * i..2 * i + 2, &run.names()[k]);
            assert_eq!(near.mistake(&values[own.clone()], found, &wanted[own]), None, "{i} by {name}");
        }
    }
}

#[test]
fn outputs_and_costs_vary_as_their_differences() {
    check(DormandPrince8);
    check(GeneralizedAlpha::with_spectral_radius(0.8));
    check(ImplicitMidpoint::default());
}

model! {
    /// A ball on the ground, and the ways it has made.
    pub struct Hopping {
        param e: Real = 0.8;
        param g: Real = 9.81;
        coord y: Real;
        kinetic = 0.5 * sq(der(y));
        potential = g * y;
        event bounce when y < 0.0 { der(y) = -e * der(y); }
        cost way = der(y);
        cost squared = sq(der(y));
        init y = 0.3;
    }
}

/// ∫ ẏ dt = y − y₀: between bounces ẏ is linear in time, and the rule has its integral exactly.
#[test]
fn integrals_vary_with_the_times_of_events() {
    let model = Hopping::default();
    let run = Simulation::of(&model, RungeKutta4).fixed(0.05).expect("a start");
    let mut run = run.vary(&By::new().start_of("y").parameters()).expect("a linearisation");
    run.advance_to(1.0).expect("steps");
    assert!(run.run().statistics().events > 1);
    let (jacobian, gradient) = (run.jacobian(), run.cost_integral_gradient());
    assert_eq!(gradient.row_names(), ["way", "squared"]);
    assert_eq!(gradient.column_names(), ["y", "e", "g"]);
    assert!((run.cost_integrals()[0] - (run.run().state().q.y() - 0.3)).abs() < 1e-12);
    for (k, at_start) in [1.0, 0.0, 0.0].into_iter().enumerate() {
        let wanted = jacobian[(0, k)] - at_start;
        assert!((gradient[(0, k)] - wanted).abs() < 1e-11, "{}: {} {wanted}", run.names()[k], gradient[(0, k)]);
    }
}

model! {
    pub struct Pushed {
        param m: Real = 1.4;
        coord x: Real;
        input f: Real;
        kinetic = 0.5 * m * sq(der(x));
        force push on x = f;
        cost power = f * der(x);
        init x = 0.0;
        init der(x) = 0.3;
    }
}

/// ∫ f ẋ dt is what the kinetic energy grows by, over jumps of f.
#[test]
fn integrals_vary_with_values_at_knots() {
    let model = Pushed::default();
    let inputs = Piecewise::constant(&[0.0, 0.25, 0.6], &[[1.0], [-2.0], [0.5]]);
    let run = Simulation::of(&model, Heun).inputs(inputs).fixed(0.1).expect("a start");
    let mut run = run.vary(&By::new().inputs().parameters()).expect("a linearisation");
    run.advance_to(1.0).expect("steps");
    let (v, jacobian) = (run.run().state().v.x(), run.jacobian());
    assert!((run.cost_integrals()[0] - 0.7 * (v * v - 0.09)).abs() < 1e-14);
    for k in 0..4 {
        let by_mass = if k == 3 { 0.5 * (v * v - 0.09) } else { 0.0 };
        let wanted = 1.4 * v * jacobian[(1, k)] + by_mass;
        let found = run.cost_integral_gradient()[(0, k)];
        assert!((found - wanted).abs() < 1e-13, "{k}: {found} {wanted}");
    }
}
