//! Invariants of rotations: energy and momenta of the heavy top, its steady precession, norms, joints, reversibility,
//! interpolation.

use crate::common::rigid::{Chart, Rod, Top};
use crate::common::{On, Plant, on};
use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic, Implicit, SemiExplicitEuler};
use ode_runtime::solve::{Newton, Projection};
use ode_runtime::{Cause, Constraint, Method, Nominal, Simulation, Start, State, System, so3, wrap};

/// Nutating: 0.3 rad from the vertical, spinning at 4 rad/s, with moments (1, 1, 0.5) and weight 1.
fn heavy(chart: Chart) -> Top {
    Top { inertia: [1.0, 1.0, 0.5], weight: 1.0, chart, attitude: so3::exp(&[0.3, 0.0, 0.0]), rate: [0.0, 0.2, 4.0] }
}

/// Energy, momentum about the vertical, momentum about the figure axis.
fn constants(top: &Top, x: &State<On<Top>>) -> [f64; 3] {
    [top.energy(&x.q, &x.v), top.momentum(&x.q, &x.v)[2], top.inertia[2] * top.body_rate(&x.q, &x.v)[2]]
}

/// Largest change of the constants over 3 s.
fn drift<M: Method<On<Top>>>(chart: Chart, method: M, h: f64) -> [f64; 3] {
    let top = heavy(chart);
    let system = on(top);
    let mut run = Simulation::of(&system, method).fixed(h).expect("a start");
    let first = constants(&top, run.state());
    let mut largest = [0.0_f64; 3];
    run.run(3.0, 0.25, |x| {
        let now = constants(&top, x);
        largest = std::array::from_fn(|i| largest[i].max((now[i] - first[i]).abs()));
    })
    .expect("steps");
    largest
}

#[track_caller]
fn constants_to_order<M: Method<On<Top>> + Copy>(name: &str, method: M, claimed: f64, h: f64) {
    for chart in [Chart::Body, Chart::Space] {
        let (coarse, fine) = (drift(chart, method, h), drift(chart, method, h / 4.0));
        for (what, one, two) in
            [("energy", coarse[0], fine[0]), ("p_φ", coarse[1], fine[1]), ("p_ψ", coarse[2], fine[2])]
        {
            let order = (one / two).log(4.0);
            // A constant may be kept exactly, or to a higher order.
            assert!(one < 1e-13 || order > claimed - 0.25, "{name}, {chart:?}: {what} off by {one:e} and {two:e}");
        }
    }
}

#[test]
fn constants_of_the_heavy_top_are_kept_to_the_order_of_the_method() {
    constants_to_order("explicit", SemiExplicitEuler::explicit(), 1.0, 1.0 / 128.0);
    constants_to_order("implicit in q", SemiExplicitEuler::implicit_position(), 1.0, 1.0 / 128.0);
    constants_to_order("implicit in v", SemiExplicitEuler::implicit_velocity(), 1.0, 1.0 / 128.0);
    constants_to_order("backward Euler", BackwardEuler::default(), 1.0, 1.0 / 128.0);
    constants_to_order("linearised", BackwardEuler::linearized(), 1.0, 1.0 / 128.0);
    constants_to_order("generalised-α", GeneralizedAlpha::with_spectral_radius(0.8), 2.0, 1.0 / 32.0);
    constants_to_order("Newmark", GeneralizedAlpha::newmark(0.5, 0.25), 2.0, 1.0 / 32.0);
    constants_to_order("Geodesic", Geodesic, 4.0, 1.0 / 16.0);
}

#[test]
fn steady_precession_keeps_its_nutation() {
    // I₃ ω₃ φ̇ − I₁ φ̇² cos θ = m g l: the slow root.
    let (one, three, weight, spin, theta) = (5e-3, 8e-4, 0.5 * 9.81 * 0.1, 150.0, 0.3_f64);
    let momentum: f64 = three * spin;
    let root = (momentum * momentum - 4.0 * one * theta.cos() * weight).sqrt();
    let precession = (momentum - root) / (2.0 * one * theta.cos());
    let attitude = so3::exp(&[theta, 0.0, 0.0]);
    let rate = [0.0, precession * theta.sin(), spin];
    let system = on(Top { inertia: [one, one, three], weight, chart: Chart::Body, attitude, rate });
    let mut run = Simulation::of(&system, Geodesic).adaptive(1e-9).expect("a start");
    run.run(10.0, 0.1, |x| {
        let axis = so3::rotate(&x.q, &[0.0, 0.0, 1.0]);
        let nutation = axis[0].hypot(axis[1]).atan2(axis[2]);
        assert!((nutation - theta).abs() < 1e-6, "t = {}: nutation {nutation}", x.t);
        // φ = φ̇ t from the −y direction, into which the axis leans at first.
        let lead = axis[0].atan2(-axis[1]) - precession * x.t;
        assert!(wrap(lead).abs() < 1e-5, "t = {}: precession is off by {lead}", x.t);
    })
    .expect("steps");
}

/// A million where code is optimised; a step of a build for debugging takes a hundred times as long.
const STEPS: u32 = if cfg!(debug_assertions) { 2_000 } else { 1_000_000 };

/// Largest departure of |q| from 1 over many steps.
fn norm_error<M: Method<On<Top>>>(method: M) -> f64 {
    let system = on(heavy(Chart::Body));
    let mut run = Simulation::of(&system, method).fixed(0.01).expect("a start");
    let mut largest = 0.0_f64;
    for _ in 0..STEPS {
        run.step_towards(1e5).expect("a step");
        let norm = run.state().q.iter().map(|x| x * x).sum::<f64>().sqrt();
        largest = largest.max((norm - 1.0).abs());
    }
    largest
}

#[test]
fn norms_stay_one() {
    // Steps alone; without `normalize`, round-off adds up.
    let (mut q, mut bare) = (so3::exp(&[0.3, 0.0, 0.0]), so3::exp(&[0.3, 0.0, 0.0]));
    let norm = |q: &[f64; 4]| q.iter().map(|x| x * x).sum::<f64>().sqrt();
    for k in 0..1_000_000 {
        let step = [0.01 * f64::from(k % 7), 0.02, -0.05];
        q = so3::retract(&q, &step);
        bare = so3::product(&bare, &so3::exp(&step));
        assert!((norm(&q) - 1.0).abs() < 1e-14);
    }
    assert!((norm(&bare) - 1.0).abs() > 1e-13);
    let errors = std::thread::scope(|scope| {
        [
            scope.spawn(|| norm_error(SemiExplicitEuler::explicit())),
            scope.spawn(|| norm_error(SemiExplicitEuler::implicit_position())),
            scope.spawn(|| norm_error(SemiExplicitEuler::implicit_velocity())),
            scope.spawn(|| norm_error(BackwardEuler::default())),
            scope.spawn(|| norm_error(BackwardEuler::linearized())),
            scope.spawn(|| norm_error(GeneralizedAlpha::with_spectral_radius(0.8))),
            scope.spawn(|| norm_error(Geodesic)),
        ]
        .map(|run| run.join().expect("a run"))
    });
    assert!(errors.iter().all(|error| *error < 1e-14), "{errors:?}");
}

/// Largest |Φ| and |Φ̇| at the ends of the steps of one second.
fn off_joint<M: Method<On<Rod>>>(method: M, h: f64, projection: Option<f64>) -> [f64; 2] {
    let system = on(Rod);
    let mut setup = Simulation::of(&system, method);
    if let Some(tolerance) = projection {
        setup = setup.project(Projection::to(tolerance));
    }
    let mut run = setup.fixed(h).expect("a start");
    let mut largest = [0.0_f64; 2];
    while run.state().t < 1.0 {
        run.step_towards(1.0).expect("a step");
        let (phi, rate) = run.drift().expect("finite");
        largest = [largest[0].max(phi), largest[1].max(rate)];
    }
    largest
}

#[test]
fn a_joint_drifts_as_the_methods_say() {
    // Index 3: Φ to Newton's tolerance, Φ̇ to the order of the method.
    for (claimed, run) in [
        (1.0, (|h| off_joint(BackwardEuler::default(), h, None)) as fn(f64) -> [f64; 2]),
        (2.0, |h| off_joint(GeneralizedAlpha::with_spectral_radius(0.8), h, None)),
    ] {
        let (coarse, fine) = (run(0.02), run(0.005));
        assert!(coarse[0] < 1e-9 && fine[0] < 1e-9, "{coarse:?} {fine:?}");
        let order = (coarse[1] / fine[1]).log(4.0);
        assert!((order - claimed).abs() < 0.25, "{coarse:?} {fine:?}");
    }
    // Accelerations from G a + γ = 0: Φ drifts as the error does.
    let (coarse, fine) = (off_joint(Geodesic, 0.04, None), off_joint(Geodesic, 0.01, None));
    let order = (coarse[0] / fine[0]).log(4.0);
    assert!((order - 4.0).abs() < 0.4, "{coarse:?} {fine:?}");
    for run in [
        off_joint(Geodesic, 0.04, Some(1e-12)),
        off_joint(SemiExplicitEuler::explicit(), 0.005, Some(1e-12)),
        off_joint(SemiExplicitEuler::implicit_velocity(), 0.005, Some(1e-12)),
    ] {
        assert!(run[0] < 1e-12 && run[1] < 1e-12, "{run:?}");
    }
}

#[test]
fn a_start_turns_and_moves_by_the_least_there_is() {
    let system = on(Rod);
    let mut x = State::neutral(&system);
    system.guess(&mut x.q, &mut x.v, &mut x.z);
    // Across the arm by e. J = [1, −R [l]×] with |l| = ½, so J Jᵀ = 1 + ¼ across, of which the place takes its share.
    let (e, turn) = (1e-5, [x.q[3], x.q[4], x.q[5], x.q[6]]);
    let across = so3::rotate(&turn, &[0.6, 0.8, 0.0]);
    (0..3).for_each(|i| x.q[i] += e * across[i]);
    let started = Start::default().solve_from(&system, &Nominal, x.clone()).expect("consistent");
    for i in 0..3 {
        let moved = started.q[i] - x.q[i];
        assert!((moved + e / 1.25 * across[i]).abs() < 1e-10, "{moved:e}");
    }
    let angle = so3::local(&turn, &[started.q[3], started.q[4], started.q[5], started.q[6]]);
    // −R (l × δ) = −0.2 e across, with l = (0, 0, −½): δ = 0.4 e (0.8, −0.6, 0) or its negative, by the sign of the
    // cross product.
    let size = angle.iter().map(|x| x * x).sum::<f64>().sqrt();
    assert!((size - 0.4 * e).abs() < 1e-10 && angle[2].abs() < 1e-10, "{angle:?}");
    let mut c = Constraint::zeros(&system.layout());
    system.constraint(started.at(&[]), &mut c);
    assert!(c.phi.iter().chain(&c.rate).all(|x| x.abs() < 1e-14), "{c:?}");
}

/// There and back: 200 steps, v reversed, 200 steps; how far from the start.
fn there_and_back(method: GeneralizedAlpha<f64>, chart: Chart) -> f64 {
    let top = heavy(chart);
    let system = on(top);
    let mut run = Simulation::of(&system, method).fixed(0.02).expect("a start");
    run.advance_to(4.0).expect("steps");
    let mut x = run.state().clone();
    x.v = x.v.map(|v| -v);
    let mut back = Simulation::of(&system, method).given_with_rates(x).fixed(0.02).expect("a start");
    back.advance_to(8.0).expect("steps");
    let (q, v, _) = top.guess();
    let x = back.state();
    let turned = so3::local(&q, &x.q);
    turned.iter().copied().chain((0..3).map(|i| x.v[i] + v[i])).fold(0.0, |m, x| m.max(x.abs()))
}

#[test]
fn symmetric_methods_find_their_way_back() {
    for chart in [Chart::Body, Chart::Space, Chart::Cayley] {
        for method in [GeneralizedAlpha::with_spectral_radius(1.0), GeneralizedAlpha::newmark(0.5, 0.25)] {
            let off = there_and_back(method, chart);
            assert!(off < 1e-12, "{chart:?}: {off:e}");
        }
        // One that damps does not.
        let off = there_and_back(GeneralizedAlpha::with_spectral_radius(0.8), chart);
        assert!(off > 1e-7, "{chart:?}: {off:e}");
    }
}

#[test]
fn interpolation_of_rotations_is_of_order_4() {
    for chart in [Chart::Body, Chart::Space, Chart::Cayley] {
        let system = on(heavy(chart));
        let error = |h: f64| {
            let mut exact = Simulation::of(&system, Geodesic).adaptive(1e-14).expect("a start");
            let mut run = Simulation::of(&system, Geodesic).fixed(h).expect("a start");
            let mut largest = [0.0_f64; 2];
            run.run_through(h, 0.25 * h, |x| {
                exact.advance_to(x.t).expect("steps");
                let y = exact.state();
                let turned = so3::local(&y.q, &x.q).iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                let faster = (0..3).fold(0.0_f64, |m, i| m.max((x.v[i] - y.v[i]).abs()));
                largest = [largest[0].max(turned), largest[1].max(faster)];
            })
            .expect("a step");
            largest
        };
        let (coarse, fine) = (error(0.08), error(0.02));
        for (one, two) in coarse.iter().zip(fine) {
            let order = (one / two).log(4.0);
            // One step's error in v may be of higher order where its fourth derivative vanishes.
            assert!(order > 3.75, "{chart:?}: {coarse:?} {fine:?}");
        }
    }
}

#[test]
fn steps_end_before_half_a_turn() {
    // Pure spin: the error estimate is zero, whatever the step.
    let spin = 50.0;
    let system = on(Top { rate: [0.0, 0.0, spin], ..heavy(Chart::Body) });
    let system = on(Top { weight: 0.0, attitude: [1.0, 0.0, 0.0, 0.0], ..system.0 });
    let mut run = Simulation::of(&system, Geodesic).adaptive(1e-6).expect("a start");
    run.run_through(2.0, 0.013, |x| {
        let off = wrap(2.0 * x.q[3].atan2(x.q[0]) - spin * x.t);
        assert!(off.abs() < 1e-12, "t = {}: off by {off}", x.t);
    })
    .expect("steps");
    assert!(run.statistics().attempt_failures > 0 && run.statistics().taken > 30, "{:?}", run.statistics());
    // Of one's own choosing, it is an error.
    let mut run = Simulation::of(&system, Geodesic).fixed(0.07).expect("a start");
    let cause = run.advance_to(1.0).expect_err("3.5 rad").cause;
    assert!(matches!(cause, Cause::HalfTurn { name } if name.as_str().starts_with("w.")), "{cause}");
    assert_eq!(run.state().t, 0.0);
}

#[test]
fn the_form_implicit_in_q_is_simbodys_in_the_chart_of_cayley() {
    let top = heavy(Chart::Cayley);
    let system = on(top);
    let h = 0.05;
    let mut run = Simulation::of(&system, SemiExplicitEuler::implicit_position()).fixed(h).expect("a start");
    let (q, v) = (run.state().q, run.state().v);
    // q⁺ = q + h N(q⁺) v by repeated substitution, which contracts by h |v|/2; then to norm 1.
    let mut next = q;
    for _ in 0..60 {
        let rate = so3::qdot(&next, &v);
        next = std::array::from_fn(|i| q[i] + h * rate[i]);
    }
    let norm = next.iter().map(|x| x * x).sum::<f64>().sqrt();
    run.advance_to(h).expect("a step");
    for (a, b) in run.state().q.iter().zip(next) {
        assert!((a - b / norm).abs() < 1e-15, "{a} is not {}", b / norm);
    }
}

#[test]
fn newton_converges_quadratically_on_a_rotation() {
    // Half a radian a step. With the derivative by q in place of that by the step, corrections would shrink by a
    // constant factor only.
    for chart in [Chart::Body, Chart::Space, Chart::Cayley] {
        let system = on(Top { weight: 20.0, ..heavy(chart) });
        let mut run = Simulation::of(&system, BackwardEuler::default()).fixed(0.125).expect("a start");
        run.advance_to(2.5).expect("steps");
        let iterations = run.statistics().work.iterations;
        assert!(iterations <= 20 * 4, "{chart:?}: {iterations} iterations in 20 steps");
    }
}

#[test]
fn an_iteration_that_fails_names_an_entry_of_the_quaternion() {
    let system = on(heavy(Chart::Body));
    let newton = Newton { iterations: 1, tolerance: 1e-15, constraint: 1e-9, ..Newton::default() };
    let method = BackwardEuler { solve: Implicit::Newton(newton), ..BackwardEuler::default() };
    let mut run = Simulation::of(&system, method).fixed(0.1).expect("a start");
    let cause = run.advance_to(0.1).expect_err("one iteration").cause;
    assert!(matches!(cause, Cause::Newton { name, .. } if name.as_str().starts_with("q.")), "{cause}");
}

#[test]
fn single_precision_keeps_the_norm_and_the_order_of_its_digits() {
    let top = heavy(Chart::Body);
    let single = On::<_, f32>(top, std::marker::PhantomData);
    let double = on(top);
    let method = GeneralizedAlpha::with_spectral_radius(0.8_f32);
    let mut short = Simulation::of(&single, method).fixed(0.01).expect("a start");
    let mut long = Simulation::of(&double, GeneralizedAlpha::with_spectral_radius(0.8)).fixed(0.01).expect("a start");
    short.advance_to(2.0).expect("steps");
    long.advance_to(2.0).expect("steps");
    let q = short.state().q.map(f64::from);
    assert!(so3::local(&q, &long.state().q).iter().all(|x| x.abs() < 1e-4), "{q:?}");
    assert!((q.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-6);
}
