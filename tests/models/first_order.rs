//! Models of first order, D(q) v = f: where friction holds what inertia would.

use ode_model::Solvable;
use ode_model::prelude::*;

use crate::erased::{Erased, Shared};
use crate::{begin, close, near};

model! {
    /// A bead in a fluid, held by a trap that moves, on a band that moves too.
    #[model(order = 1)]
    pub struct Trap {
        param c: Real [N*s/m] = 2.0;
        param k: Real [N/m] = 6.0;
        param w: Real [rad/s] = 4.0;
        param a: Real [m] = 0.5;
        param band: Real [m/s] = 0.3;
        coord x: Real [m];
        dissipation = 0.5 * c * sq(der(x) - band);
        potential = 0.5 * k * sq(x - a * sin(w * t));
        init x = 1.0;
        output speed: Real [m/s] = der(x);
    }
}
model! {
    /// A pendulum in syrup, in Cartesian coordinates.
    #[model(order = 1)]
    pub struct Syrup<T> {
        param m: Real [kg] = 1.5;
        param l: Real [m] = 0.8;
        param g: Real [m/s^2] = 9.81;
        param c: Real [N*s/m] = 7.0;
        coord r: Vec2 [m];
        mass r = c;
        potential = m * g * r.y;
        constraint rod: r.dot(r) == sq(l);
        init r.x = l * sin(2.0);
        guess r.y = l;
        output tension: Real [N] = -2.0 * l * rod.lambda;
    }
}
model! {
    /// Everything at once: D(q) with entries off its diagonal, a force by an input, a driven coordinate, and a state
    /// that reads velocities.
    #[model(order = 1)]
    pub struct Mixed<T> {
        param k: Real = 1.3;
        param tau: Real = 0.4;
        coord x, y: Real;
        coord th: Angle;
        state lag: Real;
        input u: Real = 0.2;
        mass (x, y) = [[2.0 + sq(x), 0.3 * cos(th)], [0.3 * cos(th), 1.0]];
        dissipation = 0.5 * sq(der(x) + 0.5 * der(y) - sin(t)) + 0.1 * (1.0 + sq(x)) * sq(der(th));
        potential = 0.5 * k * (sq(x - y) + sq(y)) - cos(th);
        force pull on x * y = 0.1 * u + 0.2 * lag;
        constraint drive: th - 0.2 * x == 0.1 * sin(2.0 * t);
        der(lag) = (der(y) + x - lag) / tau;
        init x = 0.8;
        init y = -0.4;
        init lag = 0.1;
        output v: Vec2 = vec2(der(x), der(lag));
        cost effort = sq(der(y)) + sq(lag);
        guess th = 0.0;
    }
}
model! {
    /// A bead on a guide that moves, in two rows that are one.
    #[model(order = 1)]
    pub struct Guided {
        param k: Real = 1.0;
        coord x, y: Real;
        dissipation = 0.5 * (sq(der(x)) + sq(der(y)));
        potential = 0.5 * k * sq(x - y);
        constraint guide: y == 0.4 * x + 0.1 * sin(2.0 * t);
        constraint again: 2.0 * y == 0.8 * x + 0.2 * sin(2.0 * t) with { redundant };
        init x = 0.3;
        guess y = 0.1;
    }
}

/// c ẋ = −k (x − a sin ω t) + c b: x = b c/k + A sin ω t + B cos ω t + C e^(−k t/c).
fn trapped(t: f64) -> f64 {
    let (rate, w) = (3.0, 4.0);
    let scale = 0.5 * rate / (rate * rate + w * w);
    let (a, b) = (scale * rate, -scale * w);
    0.1 + a * (w * t).sin() + b * (w * t).cos() + (1.0 - 0.1 - b) * (-rate * t).exp()
}

/// tan θ/2 of the angle from the lowest point decays at the rate m g/(c l).
fn sunk(t: f64) -> [f64; 2] {
    let rate = 1.5 * 9.81 / (7.0 * 0.8);
    let th = 2.0 * ((1.0f64.tan()) * (-rate * t).exp()).atan();
    [0.8 * th.sin(), -0.8 * th.cos()]
}

fn end<S: Solvable<Real = f64>>(model: &S, method: &dyn Erased<S>, h: f64) -> State<S> {
    let mut run = Simulation::of(model, Shared(method)).fixed(h).expect("a start");
    run.advance_to(1.0).expect("steps");
    run.state().clone()
}

#[track_caller]
fn order(claimed: f64, error: impl Fn(f64) -> f64) {
    let (coarse, fine) = (error(0.01), error(0.0025));
    let order = (coarse / fine).log(4.0);
    assert!((order - claimed).abs() < 0.12, "order {order}, not {claimed}: errors {coarse:e} {fine:e}");
}

#[test]
fn methods_that_step_momenta_refuse_what_has_none() {
    let model = Trap::default();
    let refused = [
        Simulation::of(&model, SymplecticEuler::momenta_first()).fixed(0.1).map(|_| ()),
        Simulation::of(&model, StormerVerlet::default()).fixed(0.1).map(|_| ()),
        Simulation::of(&model, Composition::suzuki(StormerVerlet::default())).fixed(0.1).map(|_| ()),
        Simulation::of(&model, ImplicitMidpoint::default()).fixed(0.1).map(|_| ()),
    ];
    for outcome in refused {
        let text = outcome.expect_err("no momenta").to_string();
        assert_eq!(
            text,
            "start at t = 0: `Trap` is a first-order model and has no momenta, but this method steps momenta"
        );
    }
}

#[test]
fn a_start_has_the_velocities_of_its_positions() {
    let model = Trap::default();
    let run = Simulation::of(&model, Geodesic).fixed(0.1).expect("a start");
    let x = run.state();
    close(x.v.x(), 0.3 - 3.0 * 1.0);
    assert_eq!((x.a.x(), trap::LAYOUT.order), (0.0, ode_model::Order::First));
    let u = trap::U::default();
    close(model.mass(x.at(&u))[(0, 0)], 2.0);
    close(model.force(x.at(&u)).x(), -6.0 + 0.6);
    close(model.force_by_position(x.at(&u))[(0, 0)], -6.0);
    close(model.outputs(x.at(&u), x.rates()).speed(), -2.7);
    assert!(Trap::EQUATIONS.starts_with("Trap: D v = f\n"), "{}", Trap::EQUATIONS);
    assert!(Trap::EQUATIONS.contains("D[x, x] = c"), "{}", Trap::EQUATIONS);
}

/// The largest error on the way to t = 1.
fn off(model: &Trap, method: &dyn Erased<Trap>, h: f64) -> f64 {
    let mut run = Simulation::of(model, Shared(method)).fixed(h).expect("a start");
    let mut worst = 0.0_f64;
    run.run(1.0, 0.1, |x| {
        // v belongs to q
        near(x.v.x(), 0.3 - 3.0 * (x.q.x() - 0.5 * (4.0 * x.t).sin()), 1e-9);
        worst = worst.max((x.q.x() - trapped(x.t)).abs());
    })
    .expect("steps");
    worst
}

#[test]
fn every_method_has_its_order_on_a_trapped_bead() {
    let model = Trap::default();
    order(1.0, |h| off(&model, &SemiExplicitEuler::explicit(), h));
    order(1.0, |h| off(&model, &SemiExplicitEuler::implicit_position(), h));
    order(1.0, |h| off(&model, &SemiExplicitEuler::implicit_velocity(), h));
    order(1.0, |h| off(&model, &BackwardEuler::default(), h));
    order(1.0, |h| off(&model, &BackwardEuler::linearized(), h));
    order(2.0, |h| off(&model, &GeneralizedAlpha::with_spectral_radius(0.8), h));
    order(2.0, |h| off(&model, &GeneralizedAlpha::with_spectral_radius(0.0), h));
    order(4.0, |h| off(&model, &Geodesic, h));
    order(1.0, |h| off(&model, &SemiExplicitPair, h));
    order(2.0, |h| off(&model, &Heun, h));
    order(3.0, |h| off(&model, &BogackiShampine, h));
    order(2.0, |h| off(&model, &Bdf2::default(), h));
    assert!(Simulation::of(&model, Leapfrog::default()).fixed(0.1).is_err(), "it is made of accelerations");
}

#[test]
fn constraints_hold_velocities() {
    let model = Syrup::default();
    let exact = sunk(1.0);
    let error = |x: State<Syrup<f64>>| {
        let [a, b] = x.q.r();
        (a - exact[0]).hypot(b - exact[1])
    };
    order(1.0, |h| error(end(&model, &SemiExplicitEuler::explicit(), h)));
    order(1.0, |h| error(end(&model, &BackwardEuler::default(), h)));
    order(2.0, |h| error(end(&model, &GeneralizedAlpha::with_spectral_radius(0.8), h)));
    order(4.0, |h| error(end(&model, &Geodesic, h)));
    // by error, projected: λ = m g y/(2 l²), the velocity along the circle
    let mut run = Simulation::of(&model, Geodesic).project(Projection::to(1e-12)).adaptive(1e-11).expect("a start");
    let u = syrup::U::default();
    run.run(1.0, 0.25, |x| {
        let [a, b] = x.q.r();
        let want = sunk(x.t);
        near((a - want[0]).hypot(b - want[1]), 0.0, 1e-9);
        near(x.lambda.rod(), 1.5 * 9.81 * b / (2.0 * 0.64), 1e-8);
        let [va, vb] = x.v.r();
        near(a * va + b * vb, 0.0, 1e-9);
        near(model.outputs(x.at(&u), x.rates()).tension(), -1.5 * 9.81 * b / 0.8, 1e-7);
    })
    .expect("steps");
    assert!(run.drift().expect("finite").1 < 1e-12);
}

/// A guide that moves, written twice: a start knows no velocities yet.
#[test]
fn dependent_rows_may_move() {
    let model = Guided::default();
    let x = Start::default().solve(&model, &Nominal).expect("a start");
    // without the force along the guide: 1.16 ẋ = −0.6 k (x − y) − 0.08
    let speed = (-0.6 * (0.3 - 0.12) - 0.08) / 1.16;
    close(x.q.y(), 0.12);
    close(x.v.x(), speed);
    close(x.v.y(), 0.4 * speed + 0.2);
    let x = end(&model, &Geodesic, 0.01);
    near(x.q.y(), 0.4 * x.q.x() + 0.1 * 2.0_f64.sin(), 1e-8);
    near(x.v.y(), 0.4 * x.v.x() + 0.2 * 2.0_f64.cos(), 1e-8);
}

#[test]
fn a_step_of_the_linearised_method_is_that_of_the_textbook() {
    // SOFA's first-order implicit Euler: [D − h K] v = f, x ← x + h v
    let mut model = Trap::default();
    (model.a, model.band) = (0.0, 0.0);
    let mut run = Simulation::of(&model, BackwardEuler::linearized()).fixed(0.1).expect("a start");
    run.step_towards(0.1).expect("a step");
    close(run.state().q.x(), 1.0 / (1.0 + 0.1 * 3.0));
    close(run.state().v.x(), -6.0 / (2.0 + 0.1 * 6.0));
}

#[test]
fn implicit_methods_stand_stiff_models() {
    // rate 10⁶: after the first step the bead follows the trap, x ≈ a sin(ω t) − a ω/rate cos(ω t)
    let model = Trap::builder().k(2e6).build().expect("a model");
    let follows = |x: &State<Trap>| near(x.q.x(), 0.5 * (4.0 * x.t).sin() - 0.5e-6 * 4.0 * (4.0 * x.t).cos(), 1e-6);
    let mut run = Simulation::of(&model, BackwardEuler::default()).fixed(0.01).expect("a start");
    run.advance_to(1.0).expect("steps");
    follows(run.state());
    let mut run = Simulation::of(&model, GeneralizedAlpha::with_spectral_radius(0.0)).fixed(0.01).expect("a start");
    run.advance_to(1.0).expect("steps");
    follows(run.state());
}

#[test]
fn all_methods_agree_on_a_model_with_everything() {
    let model = Mixed::default();
    let mut run = Simulation::of(&model, Geodesic).project(Projection::to(1e-12)).adaptive(1e-12).expect("a start");
    run.advance_to(1.0).expect("steps");
    let exact = run.state().clone();
    let error = |x: State<Mixed<f64>>| {
        let pairs = x.q.as_array().iter().zip(exact.q.as_array()).chain(x.z.as_array().iter().zip(exact.z.as_array()));
        pairs.fold(0.0, |m, (a, b)| f64::max(m, (a - b).abs()))
    };
    order(1.0, |h| error(end(&model, &SemiExplicitEuler::explicit(), h)));
    order(1.0, |h| error(end(&model, &SemiExplicitEuler::implicit_position(), h)));
    order(1.0, |h| error(end(&model, &SemiExplicitEuler::implicit_velocity(), h)));
    order(1.0, |h| error(end(&model, &BackwardEuler::default(), h)));
    order(1.0, |h| error(end(&model, &BackwardEuler::linearized(), h)));
    order(2.0, |h| error(end(&model, &GeneralizedAlpha::with_spectral_radius(0.9), h)));
    order(4.0, |h| error(end(&model, &Geodesic, 4.0 * h)));
    // rates read the velocities of the same instant
    let u = mixed::U::from([0.2]);
    let rate = (exact.v.y() + exact.q.x() - exact.z.lag()) / 0.4;
    close(exact.zdot.lag(), rate);
    close(model.outputs(exact.at(&u), exact.rates()).v()[1], rate);
    let x = begin(&model);
    close(model.force(x.at(&u)).th(), 0.0);
}

#[test]
fn damping_in_proportion_is_refused() {
    let refused = Rayleigh::new(Trap::default(), 0.1, 0.0).expect_err("no accelerations to oppose");
    let sentence = "`Trap` is a first-order model: forces determine its velocities, which cannot be damped";
    assert_eq!(refused.to_string(), sentence);
}
