//! What runs cost, over events and knots: backwards as forwards.

use ode_model::integrators::*;
use ode_model::prelude::*;
use ode_model::variation::{Controls, Direction};
use ode_model::{By, Sensitive, Solvable};

use crate::gradients::{Ball, by, scales};
use crate::observed::Hopping;

model! {
    /// A cart with a cost of its state, its input and its parameters.
    pub struct Tracked<T> {
        param m: Real = 1.3;
        param k: Real = 2.1;
        param w: Real = 0.4;
        coord x: Real;
        state z: Real;
        algebraic y: Real;
        input u: Real = 0.3;
        kinetic = 0.5 * m * sq(der(x));
        potential = 0.5 * k * sq(x);
        force push on x = u + 0.1 * y;
        der(z) = x - z;
        constraint law: y + 0.2 * y.powi(3) == z + 0.3 * u;
        cost effort = w * sq(u);
        cost track = sq(x - w) + 0.3 * sq(der(x)) + k * sq(z) * u + w * sq(y);
        init x = 0.6;
        init z = 0.2;
        guess y = 0.4 * w;
    }
}

/// A sum of the integrals of two costs, and the second again at the end.
pub fn agree<'a, S, M, U>(start: impl Fn() -> Simulation<'a, S, M, U>, end: f64)
where
    S: Solvable<Real = f64> + Sensitive + 'a,
    M: Vary<S>,
    U: Controls<S>,
{
    let mut forward = start().vary(&by()).expect("a linearisation");
    forward.advance_to(end).expect("steps");
    let (integrals, last) = (forward.cost_integral_gradient(), forward.cost_gradient());
    let mut run = start().reversible(&by(), 5).expect("room");
    run.advance_to(end).expect("steps");
    let found = run.gradient(|passed, by| {
        let last = if passed.is_last() { passed.cost(1, 1.0, by) } else { 0.0 };
        last + passed.integral(0, 1.0, by) + passed.integral(1, 2.0, by)
    });
    let found = found.expect("a gradient");
    let value = |way: &[f64]| way[0] + 2.0 * way[1];
    let integral = run.gradient(|passed, by| passed.integral(0, 1.0, by) + passed.integral(1, 2.0, by));
    let off = integral.expect("a gradient").value - value(forward.cost_integrals());
    assert!(off.abs() < 1e-13 * found.value.abs(), "{off}");
    assert_eq!(run.names(), forward.names());
    let wanted = |k| integrals[(0, k)] + 2.0 * integrals[(1, k)] + last[(1, k)];
    let wanted: Vec<f64> = (0..found.by.len()).map(wanted).collect();
    let scales = scales(run.run().system(), &wanted);
    for ((name, scale), (found, wanted)) in run.names().iter().zip(scales).zip(found.by.iter().zip(&wanted)) {
        assert!((found - wanted).abs() <= 1e-12 * scale, "{name}: {found} instead of {wanted}, scale {scale}");
    }
}

#[test]
fn costs_of_the_model_have_gradients() {
    fn each<M: Vary<Tracked<f64>> + Copy>(method: M) {
        let model = Tracked::<f64>::default();
        agree(|| Simulation::of(&model, method).fixed(0.02).expect("a start"), 0.5);
        // with inputs that jump, or turn, and by a controller, which reads what jumps with its own output
        let (knots, values) = ([0.0, 0.13, 0.3, 0.42], [[0.6], [-0.9], [0.4], [1.3]]);
        for inputs in [Piecewise::constant(&knots, &values), Piecewise::linear(&knots, &values)] {
            for end in [0.5, 0.3] {
                agree(|| Simulation::of(&model, method).inputs(inputs).fixed(0.02).expect("a start"), end);
            }
        }
        let law = |now: &State<Tracked<f64>>, u: &mut tracked::U<f64>| u.set_u(now.z.y() * now.z.y() - now.v.x());
        let derivative = |now: Moment<'_, Tracked<f64>>, d: &mut Direction<Tracked<f64>>| {
            d.u.set_u(2.0 * now.z.y() * d.z.y() - d.v.x());
        };
        let start = || Simulation::of(&model, method).sampled(0.07, law).input_derivative(derivative);
        agree(|| start().fixed(0.02).expect("a start"), 0.5);
    }
    each(RungeKutta4);
    each(GeneralizedAlpha::with_spectral_radius(0.8));
    each(SemiExplicitEuler::explicit());
}

#[test]
fn costs_that_jump_at_events_too() {
    fn each<M: Vary<Ball<f64>> + Copy>(method: M) {
        let ball = Ball::<f64>::default();
        let (knots, values) = ([0.0, 0.13, 0.3, 0.42], [[0.6], [-0.9], [0.4], [1.3]]);
        agree(|| Simulation::of(&ball, method).fixed(0.02).expect("a start"), 0.8);
        let inputs = Piecewise::constant(&knots, &values);
        agree(|| Simulation::of(&ball, method).inputs(inputs).fixed(0.02).expect("a start"), 0.8);
    }
    each(DormandPrince);
    each(GeneralizedAlpha::with_spectral_radius(0.8));
}

#[test]
fn a_cost_that_does_not_exist_is_refused() {
    let model = Hopping::default();
    let mut run = Simulation::of(&model, Heun).fixed(0.05).expect("a start").reversible(&By::new(), 4).expect("room");
    run.advance_to(0.2).expect("steps");
    let refused =
        [run.gradient(|passed, by| passed.cost(7, 1.0, by)), run.gradient(|passed, by| passed.integral(7, 1.0, by))];
    for error in refused {
        let error = error.expect_err("no such cost").to_string();
        assert!(error.ends_with("share of a cost cannot be NaN"), "{error}");
    }
    // and a sum that is too large for a number
    let error = run.gradient(|_, _| f64::MAX).expect_err("too large").to_string();
    assert!(error.ends_with("sum of the shares of a cost cannot be inf"), "{error}");
}

/// The first impact is at t = √(2 y/g), with the speed √(2 g y).
#[test]
fn the_time_of_an_event_and_the_state_before_it_can_cost() {
    let model = Hopping::default();
    let start = || Simulation::of(&model, RungeKutta4).fixed(0.05).expect("a start");
    let mut run = start().reversible(&By::new().start_of("y").parameters(), 4).expect("room");
    run.advance_to(0.4).expect("steps");
    let (y, g) = (0.3_f64, 9.81_f64);
    let time = run.gradient(|passed, by| {
        let Some(before) = passed.before else { return 0.0 };
        by.event_time = 1.0;
        before.state.t
    });
    let time = time.expect("a gradient");
    let t = (2.0 * y / g).sqrt();
    assert_eq!(run.names(), ["y", "e", "g"]);
    let near = |found: &[f64], wanted: [f64; 3]| {
        found.iter().zip(wanted).for_each(|(x, y)| assert!((x - y).abs() < 1e-10, "{found:?} {wanted:?}"));
    };
    assert!((time.value - t).abs() < 1e-12);
    near(&time.by, [0.5 * t / y, 0.0, -0.5 * t / g]);
    // the energy of the impact, ½ v² = g y
    let energy = run.gradient(|passed, by| {
        let Some(before) = passed.before else { return 0.0 };
        let (v, a) = (before.state.v.y(), before.state.a.y());
        by.before.v.set_y(v);
        by.event_time = v * a;
        0.5 * v * v
    });
    near(&energy.expect("a gradient").by, [g, 0.0, y]);
}
