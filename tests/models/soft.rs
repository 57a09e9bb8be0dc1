//! Rows that yield: compliance and relaxation against springs, dampers and their limits.

use ode_model::integrators::{
    BackwardEuler, GeneralizedAlpha, Geodesic, ImplicitMidpoint, SemiExplicitEuler, StormerVerlet, SymplecticEuler,
};
use ode_model::prelude::*;
use ode_model::solve::Projection;
use ode_model::{BuildError, Method, RowKind, Simulation, System};

use crate::{begin, close, near};

model! {
    /// A mass that a row holds softly.
    pub struct Soft {
        param m: Real [kg] = 2.0;
        param e: Real [m/N] = 1.0e-2;
        param tau: Real [s] = 5.0e-3;
        coord x: Real [m];
        kinetic = 0.5 * m * sq(der(x));
        constraint hold: x == 0.1 * 1.0m with { compliance: e, relax: tau };
        init x = 0.4;
        init der(x) = -1.0;
        output pull: Real [N] = hold.lambda;
    }
}
model! {
    /// The same with a spring of stiffness 1/e and a damper τ/e.
    pub struct Sprung {
        param m: Real [kg] = 2.0;
        param e: Real [m/N] = 1.0e-2;
        param tau: Real [s] = 5.0e-3;
        coord x: Real [m];
        kinetic = 0.5 * m * sq(der(x));
        potential = 0.5 * sq(x - 0.1 * 1.0m) / e;
        dissipation = 0.5 * tau / e * sq(der(x));
        init x = 0.4;
        init der(x) = -1.0;
    }
}
model! {
    /// Relaxation alone: what is off decays.
    pub struct Settling<T> {
        param m: Real [kg] = 2.0;
        param tau: Real [s] = 0.1;
        coord r: Vec2 [m];
        kinetic = 0.5 * m * der(r).dot(der(r));
        potential = 3.0N * r.y;
        constraint line: r.y == 0.5 * r.x + 0.2 * sin(3.0 * t / 1.0s) * 1.0m with { relax: tau };
        init r = vec2(0.3, 1.0);
        init der(r.x) = 0.7;
    }
}
model! {
    /// A wheel that slips in proportion to what it transmits.
    pub struct Slipping {
        param m: Real [kg] = 2.0;
        param give: Real [m/s/N] = 0.05;
        coord (x, v): Real [m];
        coord y: Real [m];
        kinetic = 0.5 * m * sq(v) + 0.5kg * sq(der(y));
        constraint grip: v == 0.0 with { compliance: give };
        init v = 3.0;
    }
}
model! {
    /// Every kind of row at once, compliances of their own, states and rotations aside.
    pub struct Everything<T> {
        param m: Real [kg] = 1.1;
        param l: Real [m] = 0.8;
        param e: Vec2 [m/N] = vec2(0.02, 0.05);
        param tau: Real [s] = 0.03;
        param slip: Real [m/s/N] = 0.4;
        coord (p, v): [Vec2; 2] [m];
        coord th: Angle;
        kinetic = 0.5 * m * v[0].dot(v[0]) + 0.5 * m * (1.0 + sq(sin(th))) * v[1].dot(v[1])
            + 0.5 * m * sq(l) * sq(der(th));
        potential = 2.0N * p[0].y + 0.7J * cos(th);
        constraint edge: v[0].dot(vec2(-sin(th), cos(th))) == 0.1 * l * th / 1.0s;
        constraint weld: p[1] - p[0] == l * vec2(cos(th), sin(th)) + 0.1 * t * vec2(l, l) / 1.0s
            with { compliance: e, relax: tau };
        constraint rail: p[1].y == 0.3 * sq(p[1].x) / l;
        constraint drag: cos(th) * v[1].x == sin(th) * v[1].y + 0.2 * l * der(th) with { compliance: slip };
        constraint lean: th == 0.4 * p[0].x / l with { relax: 2.0 * tau };
        guess p[1] = vec2(0.8, 0.2);
        output pull: Vec2 [N] = weld.lambda;
        output drag: Real [N] = drag.lambda;
        guess p[0].x = 0.0;
        guess p[0].y = 0.0;
        guess th = 0.0;
    }
}
model! {
    /// A pendulum on a rod that gives.
    pub struct Elastic {
        param m: Real [kg] = 1.0;
        param l: Real [m] = 0.5;
        param e: Real [m/N] = 1.0e-8;
        coord r: Vec2 [m];
        kinetic = 0.5 * m * der(r).dot(der(r));
        potential = m * 9.81 * 1.0N / 1.0kg * r.y;
        constraint rod: norm(r) == l with { compliance: e };
        init r = vec2(l, 0.0);
    }
}
model! {
    /// A pendulum on a rod that does not.
    pub struct Stiff {
        param m: Real [kg] = 1.0;
        param l: Real [m] = 0.5;
        coord r: Vec2 [m];
        kinetic = 0.5 * m * der(r).dot(der(r));
        potential = m * 9.81 * 1.0N / 1.0kg * r.y;
        constraint rod: norm(r) == l;
        init r = vec2(l, 0.0);
    }
}

/// x and ẋ of m ẍ + τ/e ẋ + (x − 0.1)/e = 0.
fn oscillation(t: f64) -> (f64, f64) {
    let (m, e, tau, x0, v0) = (2.0, 1.0e-2, 5.0e-3, 0.3, -1.0_f64);
    let decay = 0.5 * tau / (e * m);
    let w: f64 = (1.0_f64 / (e * m) - decay * decay).sqrt();
    let (s, c) = (w * t).sin_cos();
    let b = (v0 + decay * x0) / w;
    let fall = (-decay * t).exp();
    (0.1 + fall * (x0 * c + b * s), fall * ((b * w - decay * x0) * c - (x0 * w + decay * b) * s))
}

#[test]
fn a_compliant_row_is_a_spring_and_a_damper() {
    let model = Soft::default();
    assert_eq!(model.layout().kinds, [RowKind::Compliant]);
    assert_eq!(model.layout().jacobian.nnz(), 0);
    let mut run = Simulation::of(&model, Geodesic).adaptive(1e-11).expect("a start");
    // λ of the start follows from the row: Φ + τ Φ̇ + E λ = 0
    close(run.state().lambda.hold(), -(0.3 - 5.0e-3) / 1.0e-2);
    run.advance_to(1.3).expect("steps");
    let (x, v) = oscillation(1.3);
    near(run.state().q.x(), x, 1e-9);
    near(run.state().v.x(), v, 1e-8);
    near(run.state().lambda.hold(), -(x - 0.1 + 5.0e-3 * v) / 1.0e-2, 1e-6);
    let x = run.state();
    assert_eq!(model.outputs(x.at(&soft::U::default()), x.rates()).pull(), x.lambda.hold());
}

/// Where a method ends on either model with steps of 1/100.
fn ends<M: Method<Soft> + Method<Sprung> + Copy>(method: M) -> [[f64; 2]; 2] {
    let (soft, sprung) = (Soft::default(), Sprung::default());
    let mut a = Simulation::of(&soft, method).fixed(0.01).expect("a start");
    a.advance_to(0.7).expect("steps");
    let mut b = Simulation::of(&sprung, method).fixed(0.01).expect("a start");
    b.advance_to(0.7).expect("steps");
    [[a.state().q.x(), a.state().v.x()], [b.state().q.x(), b.state().v.x()]]
}

#[test]
fn every_method_takes_the_steps_it_takes_with_the_spring() {
    let pairs = [
        ends(SemiExplicitEuler::explicit()),
        ends(SemiExplicitEuler::implicit_position()),
        ends(SemiExplicitEuler::implicit_velocity()),
        ends(BackwardEuler::default()),
        ends(BackwardEuler::linearized()),
        ends(GeneralizedAlpha::with_spectral_radius(0.8)),
        ends(GeneralizedAlpha::hht(-0.2)),
        ends(SymplecticEuler::momenta_first()),
        ends(SymplecticEuler::positions_first()),
        ends(StormerVerlet::default()),
        ends(ImplicitMidpoint::default()),
        ends(Geodesic),
    ];
    for [[x, v], [y, w]] in pairs {
        near(x, y, 1e-12);
        near(v, w, 1e-11);
    }
}

#[test]
fn a_step_of_backward_euler_is_that_of_extended_position_based_dynamics() {
    // Δλ = −(C + h v) / (w + α/h²) per h², M. Macklin, M. Müller, N. Chentanez, XPBD, 2016, eq. (18), for one mass
    // without damping
    let model = Soft::builder().tau(0.0).build().expect("a model");
    let h = 0.02;
    let mut run = Simulation::of(&model, BackwardEuler::default()).fixed(h).expect("a start");
    run.step_towards(h).expect("a step");
    let lambda = -(0.3 - h) / (1.0e-2 + h * h / 2.0);
    near(run.state().lambda.hold(), lambda, 1e-10);
    near(run.state().v.x(), -1.0 + h * lambda / 2.0, 1e-12);
}

#[test]
fn what_is_off_relaxes() {
    let model = Settling::<f64>::default();
    assert_eq!(model.layout().kinds, [RowKind::Nonholonomic]);
    let off = |r: [f64; 2], t: f64| r[1] - 0.5 * r[0] - 0.2 * (3.0 * t).sin();
    let mut run = Simulation::of(&model, Geodesic).project(Projection::to(1e-12)).adaptive(1e-11).expect("a start");
    // the start keeps the positions, which are off, and gives them the speed to come back
    assert_eq!(run.state().q.r(), [0.3, 1.0]);
    run.advance_to(0.25).expect("steps");
    near(off(run.state().q.r(), 0.25), 0.85 * (-2.5f64).exp(), 1e-9);
    // backward Euler: Φ⁺ (1 + h/τ) = Φ for a row that is linear in q
    let h = 0.02;
    let mut run = Simulation::of(&model, BackwardEuler::default()).fixed(h).expect("a start");
    run.step_towards(h).expect("a step");
    let rate = run.state().v.r();
    let moved = rate[1] - 0.5 * rate[0] - 0.6 * (3.0 * h).cos();
    near(moved, -off(run.state().q.r(), h) / 0.1, 1e-9);
}

#[test]
fn a_compliant_row_of_velocities_is_a_damper() {
    let model = Slipping::default();
    let mut run = Simulation::of(&model, Geodesic).adaptive(1e-11).expect("a start");
    close(run.state().lambda.grip(), -60.0);
    run.advance_to(0.2).expect("steps");
    near(run.state().v.v(), 3.0 * (-0.2f64 / (2.0 * 0.05)).exp(), 1e-9);
}

#[test]
fn stiff_rows_end_in_rigid_ones() {
    let rigid = Stiff::default();
    let method = GeneralizedAlpha::with_spectral_radius(0.6);
    let mut reference = Simulation::of(&rigid, method).fixed(1e-3).expect("a start");
    reference.advance_to(0.4).expect("steps");
    let mut before = f64::INFINITY;
    for e in [1e-6, 1e-8, 1e-10, 1e-12] {
        let model = Elastic::builder().e(e).build().expect("a model");
        let mut run = Simulation::of(&model, method).fixed(1e-3).expect("a start");
        run.advance_to(0.4).expect("steps");
        let (x, exact) = (run.state(), reference.state());
        let pairs = x.q.r().into_iter().zip(exact.q.r());
        let error = pairs.fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(error < 100.0 * e.max(1e-11) && error < before.max(1e-9), "{error:e} at {e:e}");
        near(x.lambda.rod(), exact.lambda.rod(), 1e-2 + 1e5 * e);
        before = error;
    }
}

#[test]
fn rows_of_every_kind_stand_in_order() {
    let model = Everything::<f64>::default();
    assert_eq!(model.layout().constraints, ["weld.x", "weld.y", "rail", "edge", "drag", "lean"]);
    let kinds = [
        RowKind::Compliant,
        RowKind::Compliant,
        RowKind::Holonomic,
        RowKind::Nonholonomic,
        RowKind::Compliant,
        RowKind::Nonholonomic,
    ];
    assert_eq!(model.layout().kinds, kinds);
    let x = begin(&model);
    let u = everything::U::default();
    assert_eq!(model.constraint_values(x.at(&u)).weld(), [0.0; 2]);
    // methods that share nothing but the model agree
    let mut explicit =
        Simulation::of(&model, Geodesic).project(Projection::to(1e-11)).adaptive(1e-10).expect("a start");
    explicit.advance_to(0.3).expect("steps");
    let method = GeneralizedAlpha::with_spectral_radius(0.8);
    let mut implicit = Simulation::of(&model, method).fixed(5e-4).expect("a start");
    implicit.advance_to(0.3).expect("steps");
    for (a, b) in explicit.state().q.array().iter().zip(implicit.state().q.as_array()) {
        near(*a, *b, 1e-6);
    }
    for (a, b) in explicit.state().lambda.array().iter().zip(implicit.state().lambda.as_array()) {
        near(*a, *b, 2e-4 * (1.0 + a.abs()));
    }
}

#[test]
fn a_compliance_is_positive() {
    match Soft::builder().e(0.0).build() {
        Err(BuildError::Required { param: "e", message, .. }) => {
            assert_eq!(message, "the compliance of `hold` must be positive");
        }
        other => panic!("{other:?}"),
    }
    assert!(Soft::builder().tau(-1.0).build().is_err());
    assert!(Soft::builder().tau(0.0).build().is_ok());
}
