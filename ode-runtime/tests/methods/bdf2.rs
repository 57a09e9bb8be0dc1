//! The backward differentiation formula of order 2 in steps of changing size.

use crate::common::on;
use crate::common::plants::{Oscillator, Pendulum};
use ode_runtime::Simulation;
use ode_runtime::integrators::Bdf2;

/// The pendulum at t = 1: closed form.
const PENDULUM: [f64; 4] = [-0.986_291_751_131_9, -0.165_010_853_125_5, -0.296_905_515_916_2, 1.774_643_641_112_7];

#[test]
fn errors_follow_the_accuracy_as_order_2_has_it() {
    let pendulum = on(Pendulum::standard());
    let error = |accuracy: f64| {
        let mut run = Simulation::of(&pendulum, Bdf2::default()).adaptive(accuracy).expect("a start");
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        while run.state().t < 1.0 {
            let t = run.state().t;
            run.step_towards(1.0).expect("a step");
            let h = run.state().t - t;
            // the last step is cut by the end
            if run.state().t < 1.0 {
                (least, most) = (least.min(h), most.max(h));
            }
        }
        assert!(most > 1.5 * least, "steps of one size only: {least} to {most}");
        let x = run.state();
        x.q.iter().chain(&x.v).zip(PENDULUM).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(1e-6), error(1e-9));
    // A step of size h makes an error h³, and there are 1/h of them: errors as the accuracy to the power 2/3.
    let power = (coarse / fine).log10() / 3.0;
    assert!((power - 2.0 / 3.0).abs() < 0.08, "power {power}: {coarse:e}, {fine:e}");
}

#[test]
fn steps_outgrow_a_motion_that_has_died() {
    // x'' = −10⁶ (x − 10⁻⁶) − 2·10³ x': at rest long before t = 1, and stiff.
    let stiff = on(Oscillator { m: 1.0, k: 1e6, c: 2e3, w: 1.0, x: 1e-3, v: 0.0 });
    let mut run = Simulation::of(&stiff, Bdf2::default()).adaptive(1e-8).expect("a start");
    run.advance_to(1e3).expect("steps");
    assert!(run.statistics().attempted < 2000, "{:?}", run.statistics());
    assert!((run.state().q[0] - 1e-6).abs() < 1e-12, "{:?}", run.state());
}

#[test]
fn reports_cost_few_attempts() {
    let pendulum = on(Pendulum::standard());
    let mut run = Simulation::of(&pendulum, Bdf2::default()).adaptive(1e-6).expect("a start");
    for report in 1..=40 {
        run.advance_to(0.0247 * f64::from(report)).expect("steps");
    }
    let s = run.statistics();
    assert!(s.error_failures * 8 < s.taken, "{} of {} steps failed", s.error_failures, s.taken);
}
