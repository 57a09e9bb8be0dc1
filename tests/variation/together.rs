//! Everything at once: chosen steps, events, projections and knots, or a controller, in one run; backwards against
//! forwards, and both against differences of the run with its steps held.

use ode_model::integrators::*;
use ode_model::prelude::*;
use ode_model::solve::{Metric, Projection};
use ode_model::{By, Differentiable, Estimates, Inputs};

use crate::blocks::Near;
use crate::costs;
use crate::gradients::check_with;
use crate::perturb::{derivative, tangent};

model! {
    /// A bob on a rod between two walls, pushed, with heat that the impacts leave.
    pub struct Walled<T> {
        param m: Real = 1.2;
        param l: Real = 0.8;
        param e: Real = 0.9;
        param c: Real = 0.1;
        param wall: Real = 0.4;
        coord r: Vec2;
        state w: Real;
        input u: Real = 0.3;
        kinetic = 0.5 * m * (1.0 + 0.1 * sq(r.x)) * der(r).dot(der(r));
        potential = m * 9.81 * r.y;
        dissipation = 0.5 * c * der(r).dot(der(r));
        force push on r = vec2(u + 0.2 * w, 0.0);
        der(w) = -0.5 * w + 0.1 * r.x;
        constraint rod: r.dot(r) == sq(l);
        event right when r.x > wall { der(r.x) = -e * der(r.x); w = w + c; }
        event left when r.x < -wall { der(r.x) = -e * der(r.x); w = 0.8 * w - c; }
        cost way = w + r.x * der(r.x);
        cost effort = sq(u - w) + c * sq(der(r.y));
        init r.x = 0.3;
        guess r.y = -0.7;
        init der(r.x) = 1.9;
        init w = 0.2;
    }
}

const KNOTS: [f64; 4] = [0.0, 0.17, 0.5, 0.71];
const VALUES: [[f64; 1]; 4] = [[1.4], [-2.0], [0.9], [3.0]];
const END: f64 = 1.7;
/// Checkpoints from which most steps are made again, and none; the numbers between are those of shorter runs.
const REMADE_AND_KEPT: [usize; 2] = [4, 1000];

/// Starts of a run with knots, in one metric or the other.
fn walled<'a, M: Vary<Walled<f64>> + Estimates + Copy>(
    model: &'a Walled<f64>,
    method: M,
    metric: Metric,
    linear: bool,
) -> Simulation<'a, Walled<f64>, M, Piecewise<'static, f64, [f64; 1]>> {
    let inputs = if linear { Piecewise::linear(&KNOTS, &VALUES) } else { Piecewise::constant(&KNOTS, &VALUES) };
    let how = Projection { metric, ..Projection::to(1e-11) };
    let setup = Simulation::of(model, method).inputs(inputs).project(how).weights([0.7, 1.6].into());
    setup.adaptive(1e-4).expect("a start")
}

fn backwards<M: Vary<Walled<f64>> + Estimates + Copy>(method: M) {
    let model = Walled::<f64>::default();
    let mut run = walled(&model, method, Metric::Mass, true);
    run.advance_to(END).expect("steps");
    let counts = run.statistics();
    assert!(counts.events >= 2 && counts.restarts >= 3 && counts.projections > 0, "{counts:?}");
    for metric in [Metric::Mass, Metric::Weights] {
        check_with(|| walled(&model, method, metric, metric == Metric::Mass), END, &REMADE_AND_KEPT);
        costs::agree(|| walled(&model, method, metric, metric == Metric::Weights), END);
    }
    // and by a controller that reads all of it
    let start = || {
        let setup = Simulation::of(&model, method).sampled(0.13, |now, u| {
            u.set_u(1.5 * (3.0 * now.t).cos() - now.v.r()[0] * now.q.r()[1] + now.z.w());
        });
        let setup = setup.input_derivative(|now, d| {
            let (dq, dv) = (d.q.as_ref()[1], d.v.as_ref()[0]);
            d.u.set_u(-4.5 * (3.0 * now.t).sin() * d.t - dv * now.q.r()[1] - now.v.r()[0] * dq + d.z.w());
        });
        setup.project(Projection::to(1e-11)).adaptive(1e-4).expect("a start")
    };
    check_with(start, END, &REMADE_AND_KEPT);
    costs::agree(start, END);
}

#[test]
fn backwards_as_forwards() {
    backwards(DormandPrince);
    backwards(Bdf2::default());
    backwards(GeneralizedAlpha::with_spectral_radius(0.8));
}

/// A run in steps to given times and to the events and knots between.
fn replayed<U: Inputs<Walled<f64>>>(model: &Walled<f64>, inputs: U, ends: &[f64]) -> State<Walled<f64>> {
    let how = Projection::to(1e-13);
    let mut run = Simulation::of(model, Verner9).inputs(inputs).project(how).fixed(1.0).expect("a start");
    for &end in ends {
        while run.state().t < end {
            run.step_towards(end).expect("a step");
        }
    }
    run.state().clone()
}

#[test]
fn forwards_as_differences_with_steps_held() {
    let model = Walled::<f64>::default();
    let start = || {
        let setup = Simulation::of(&model, Verner9).inputs(Piecewise::linear(&KNOTS, &VALUES));
        setup.project(Projection::to(1e-13)).adaptive(1e-8).expect("a start")
    };
    let mut ends = Vec::new();
    let mut run = start();
    while run.state().t < END {
        run.step_towards(END).expect("a step");
        ends.push(run.state().t);
    }
    assert!(run.statistics().events >= 2);
    let mut varied = start().vary(&By::new().inputs().parameters()).expect("a linearisation");
    varied.advance_to(END).expect("steps");
    let (x, jacobian) = (varied.run().state(), varied.jacobian());
    assert_eq!(x, run.state());
    for (k, name) in varied.names().iter().enumerate() {
        let wanted = derivative(2e-4, |h| {
            let (mut p, mut values) = (model.parameter_block(), VALUES);
            values.as_flattened_mut().iter_mut().chain(p.as_mut()).nth(k).into_iter().for_each(|x| *x += h);
            let moved = model.with_parameters(&p);
            tangent(&model, x, &replayed(&moved, Piecewise::linear(&KNOTS, &values), &ends))
        });
        let found: Vec<f64> = jacobian.column(k).iter().copied().collect();
        assert_eq!(Near::differences(2e-4).mistake_of(&model, x, &found, &wanted), None, "{name}");
    }
}

/// What is recorded while a run varies is what a plain run records.
#[test]
fn tables_are_recorded_on_the_way() {
    let model = Walled::<f64>::default();
    let start = || walled(&model, DormandPrince, Metric::Mass, true);
    let (mut plain, mut table) = (start(), Table::of(&model));
    let mut run = start().vary(&By::new().parameters()).expect("a linearisation");
    let mut way = start().reversible(&By::new().parameters(), 3).expect("room");
    let (mut forwards, mut backwards) = (Table::of(&model), Table::of(&model));
    while plain.state().t < END {
        plain.step_towards(END).expect("a step");
        run.step_towards(END).expect("a step");
        way.step_towards(END).expect("a step");
        table.record(&plain.now());
        forwards.record(&run.run().now());
        backwards.record(&way.run().now());
    }
    assert!(table.rows().eq(forwards.rows()) && table.rows().eq(backwards.rows()));
    // a gradient on the way changes nothing of what follows
    let mut way = start().reversible(&By::new().parameters(), 3).expect("room");
    for end in [0.3, 0.6, END] {
        way.advance_to(end).expect("steps");
        way.gradient(|passed, by| passed.integral(1, 1.0, by)).expect("a gradient");
    }
    let mut plain = start();
    [0.3, 0.6, END].into_iter().for_each(|end| plain.advance_to(end).expect("steps"));
    assert_eq!(way.run().state(), plain.state());
}
