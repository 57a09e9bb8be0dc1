//! Algebraic variables: equations of index 1 beside states and coordinates.

use ode_model::Solvable;
use ode_model::prelude::*;

use crate::erased::{Erased, Shared};
use crate::{begin, close, near};

model! {
    /// A capacitor that a source charges through a resistor and a diode: one nonlinear equation.
    pub struct Rectifier {
        param r: Real [ohm] = 100.0;
        param c: Real [A*s/V] = 1.0e-3;
        param i_s: Real [A] = 1.0e-12;
        param v_t: Real [V] = 0.025;
        param v_0: Real [V] = 5.0;
        state u: Real [V];
        /// voltage across the diode
        algebraic v_d: Real [V];
        constraint diode: v_d + r * i_s * (exp(v_d / v_t) - 1.0) == v_0 - u;
        let i = i_s * (exp(v_d / v_t) - 1.0);
        der(u) = i / c;
        guess v_d = 0.0;
        output current: Real [A] = i;
    }
}
model! {
    /// A slider on a rail, pushed by a force that an equation gives; two more equations, coupled and linear.
    pub struct Coupled<T> {
        param k: Real = 2.0;
        algebraic f, g: Real;
        coord x: Real;
        state z: Real;
        algebraic w: [Real; 2];
        input u: Real = 0.5;
        kinetic = 0.5 * sq(der(x));
        force push on x = -f - 0.1 * der(x);
        constraint spring: f + 0.1 * f.powi(3) == k * x + 0.2 * g + u * sin(t);
        constraint mix: g - 0.3 * f == z;
        constraint pair: [w[0] + 0.5 * w[1], w[1] - 0.25 * w[0]] == [x + z, der(x)];
        der(z) = w[0] - z * w[1] - 0.5 * z;
        init x = 1.0;
        init z = 0.3;
        guess f = 1.0;
        output both: Vec2 = vec2(f * g, w[1]);
        cost sum = sq(f) + w[0] * x;
    }
}

/// W(x) eˣ: Lambert's function by its definition, from the logarithm down.
fn lambert(x: f64) -> f64 {
    let mut w = if x > 3.0 { x.ln() - x.ln().ln() } else { 0.5 };
    for _ in 0..60 {
        w -= (w * w.exp() - x) / (w.exp() * (w + 1.0));
    }
    w
}

/// v + r i_s (e^(v/v_t) − 1) = e: v = e + r i_s − v_t W(r i_s/v_t · e^((e + r i_s)/v_t)).
fn diode(e: f64) -> f64 {
    let (a, v_t) = (100.0 * 1e-12, 0.025);
    e + a - v_t * lambert(a / v_t * ((e + a) / v_t).exp())
}

#[test]
fn the_diode_is_where_lambert_says() {
    // W(1), the omega constant
    close(lambert(1.0), 0.567_143_290_409_783_8);
    close(lambert(std::f64::consts::E), 1.0);
    let model = Rectifier::default();
    assert_eq!((rectifier::NZ, rectifier::LAYOUT.algebraic, rectifier::LAYOUT.z), (2, 1, &["u", "v_d"][..]));
    let mut run = Simulation::of(&model, Geodesic).adaptive(1e-10).expect("a start");
    near(run.state().z.v_d(), diode(5.0), 1e-12);
    run.run(1.0, 0.1, |x| near(x.z.v_d(), diode(5.0 - x.z.u()), 1e-11)).expect("steps");
    assert!(run.state().zdot.array()[1] == 0.0 && run.state().z.u() > 4.3);
    let implicit = GeneralizedAlpha::with_spectral_radius(0.5);
    let mut other = Simulation::of(&model, implicit).fixed(1e-3).expect("a start");
    other.run(1.0, 0.25, |x| near(x.z.v_d(), diode(5.0 - x.z.u()), 1e-9)).expect("steps");
    near(other.state().z.u(), run.state().z.u(), 1e-5);
}

fn end<S: Solvable<Real = f64>>(model: &S, method: &dyn Erased<S>, h: f64) -> State<S> {
    let mut run = Simulation::of(model, Shared(method)).fixed(h).expect("a start");
    run.advance_to(1.0).expect("steps");
    run.state().clone()
}

#[test]
fn every_method_has_its_order_with_algebraic_variables() {
    let model = Coupled::<f64>::default();
    let mut run = Simulation::of(&model, Geodesic).adaptive(1e-13).expect("a start");
    run.advance_to(1.0).expect("steps");
    let exact = run.state().clone();
    assert_eq!(coupled::LAYOUT.z, ["z", "f", "g", "w[0]", "w[1]"]);
    let [f, g, x, z] = [exact.z.f(), exact.z.g(), exact.q.x(), exact.z.z()];
    close(f + 0.1 * f.powi(3), 2.0 * x + 0.2 * g + 0.5 * 1.0f64.sin());
    close(g - 0.3 * f, z);
    let order = |claimed: f64, error: &dyn Fn(f64) -> f64| {
        let (coarse, fine) = (error(0.02), error(0.005));
        let order = (coarse / fine).log(4.0);
        assert!((order - claimed).abs() < 0.2, "order {order}, not {claimed}: errors {coarse:e} {fine:e}");
    };
    let off = |x: State<Coupled<f64>>| (x.q.x() - exact.q.x()).abs().max((x.z.z() - exact.z.z()).abs());
    order(1.0, &|h| off(end(&model, &SemiExplicitEuler::explicit(), h)));
    order(1.0, &|h| off(end(&model, &SemiExplicitEuler::implicit_position(), h)));
    order(1.0, &|h| off(end(&model, &SemiExplicitEuler::implicit_velocity(), h)));
    order(1.0, &|h| off(end(&model, &BackwardEuler::default(), h)));
    order(2.0, &|h| off(end(&model, &GeneralizedAlpha::with_spectral_radius(0.8), h)));
    order(1.0, &|h| off(end(&model, &SymplecticEuler::momenta_first(), h)));
    order(1.0, &|h| off(end(&model, &SymplecticEuler::positions_first(), h)));
    order(2.0, &|h| off(end(&model, &StormerVerlet::default(), h)));
    order(2.0, &|h| off(end(&model, &ImplicitMidpoint::default(), h)));
    order(4.0, &|h| off(end(&model, &Composition::suzuki(StormerVerlet::default()), 4.0 * h)));
    order(4.0, &|h| off(end(&model, &Geodesic, 4.0 * h)));
    // whose last stage is the end of the step
    let state = end(&model, &DormandPrince, 0.1);
    let [f, g, x, z] = [state.z.f(), state.z.g(), state.q.x(), state.z.z()];
    close(f + 0.1 * f.powi(3), 2.0 * x + 0.2 * g + 0.5 * 1.0f64.sin());
    close(g - 0.3 * f, z);
}

#[test]
fn what_has_no_solution_is_named() {
    // v + r i_s (e^(v/v_t) − 1) is finite, so that with a negative resistance there is no v for a large e
    let model = Rectifier::builder().r(-1.0e9).build().expect("a model");
    let error = Simulation::of(&model, Geodesic).fixed(1e-3).map(|_| ()).expect_err("no solution");
    assert!(error.to_string().contains("v_d"), "{error}");
    let x = begin(&model);
    assert_eq!(x.z.v_d(), 0.0);
}
