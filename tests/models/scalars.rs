//! Models over other scalars: f32, and dual numbers through a whole run's formulas.

use ode_model::prelude::*;
use ode_model::{Dual, Scalar};

use crate::{begin, near};

model! {
    pub struct Pendulum<T> {
        param m: Real [kg] = 1.0;
        param l: Real [m] = 1.0;
        param g: Real [m/s^2] = 9.81;
        require l > 0.0, "a rod has a length";
        coord (r, v): Vec2 [m];
        kinetic = 0.5 * m * v.dot(v);
        potential = m * g * r.y;
        constraint rod: r.dot(r) == sq(l);
        init r = vec2(l, 0.0);
        init v = vec2(0.0, 0.0);
        output tension: Real [N] = -2.0 * l * rod.lambda;
    }
}

#[test]
fn a_run_in_single_precision_follows_the_one_in_double() {
    let double = Pendulum::<f64>::builder().l(0.8).build().expect("a model");
    let single = double.cast::<f32>();
    assert_eq!(single.l, 0.8f32);
    let mut fine = Simulation::of(&double, GeneralizedAlpha::with_spectral_radius(0.8)).fixed(1e-2).expect("a start");
    let mut coarse =
        Simulation::of(&single, GeneralizedAlpha::with_spectral_radius(0.8f32)).fixed(1e-2).expect("a start");
    fine.advance_to(1.0).expect("steps");
    coarse.advance_to(1.0).expect("steps in f32");
    for (x, y) in fine.state().q.array().iter().zip(coarse.state().q.as_array()) {
        near(*x, f64::from(*y), 1e-3);
    }
    let mut adaptive =
        Simulation::of(&single, Geodesic).project(Projection::to(1e-4)).adaptive(1e-4).expect("a start in f32");
    adaptive.advance_to(1.0).expect("steps in f32");
    near(f64::from(adaptive.state().q.r()[0]), fine.state().q.r()[0], 2e-2);
    let built = pendulum::Builder::<f32>::new().l(0.5).build().expect("a model in f32");
    assert_eq!(built.parameters(), [1.0, 0.5, 9.81f32]);
    assert!(pendulum::Builder::<f32>::new().l(-0.5).build().is_err());
}

#[test]
fn dual_numbers_carry_a_parameter_through_the_equations() {
    // ∂f/∂m of the weight, and ∂(tension)/∂l at a state, against the model's own derivatives
    let plain = Pendulum::<f64>::default();
    let mut dual = plain.cast::<Dual<f64>>();
    dual.m.eps = 1.0;
    let mut x = begin(&plain);
    x.lambda.set_rod(-3.0);
    let mut y = State::neutral(&dual);
    y.q = x.q.array().map(Dual::from_f64).into();
    y.lambda.set_rod(Dual::from_f64(-3.0));
    let u = pendulum::U::default();
    assert_eq!(dual.force(y.at(&pendulum::U::default())).v()[1].eps, -9.81);
    assert_eq!(plain.residual_by_parameter(x.at(&u), x.rates())[(1, 0)], 9.81);
    let mut by_l = plain.cast::<Dual<f64>>();
    by_l.l.eps = 1.0;
    let tension = by_l.outputs(y.at(&pendulum::U::default()), y.rates()).tension();
    assert_eq!((tension.re, tension.eps), (6.0, 6.0));
    assert_eq!(plain.output_by_parameter(x.at(&u), x.rates())[(0, 1)], 6.0);
    assert_eq!(by_l.constraint_values(y.at(&pendulum::U::default())).rod().eps, -2.0);
    assert_eq!(plain.constraint_by_parameter(x.at(&u), x.rates())[(0, 1)], -2.0);
}
