//! A cart-pole from the model to its controller: operating point, linear steps, LQR at 50 Hz with a bounded force, and
//! a Kalman filter that sees two encoders.

use std::cell::RefCell;
use std::f64::consts::PI;

use ode_control::{Ekf, Feedback, Linearizer, Lqr, Pole, Trim};
use ode_model::prelude::*;
use ode_model::{StepMap, integrators::RungeKutta4, linalg::SMatrix};
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// A pole on a cart that a force drives.
    pub struct CartPole {
        param m_c: Real [kg] = 1.0;
        param m_p: Real [kg] = 0.1;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        param c_x: Real [N*s/m] = 0.05;
        coord x: Real [m];
        /// 0 = hanging down
        coord th: Angle;
        input u: Real [N] in -10.0..=10.0;
        let tip = vec2(x + l * sin(th), -l * cos(th));
        kinetic = 0.5 * m_c * sq(der(x)) + 0.5 * m_p * der(tip).dot(der(tip));
        potential = m_p * g * tip.y;
        dissipation = 0.5 * c_x * sq(der(x));
        force drive on x = u;
        /// what the encoders read
        output cart: Real [m] = x;
        output pole: Angle = th;
        init x = 0.4;
        init th = 2.85;
        show rail = line(vec2(-0.6m, 0.0), vec2(0.6m, 0.0)) with { color: silver };
        show body = box(frame2(vec2(x, 0.0), 0.0), vec2(0.2m, 0.1m));
        show rod = line(vec2(x, 0.0), tip);
        show mass = disc(tip, 0.03m);
    }
}

/// Noise of the encoders: uniform, of this standard deviation.
fn noise(seed: &mut u64, deviation: f64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    12f64.sqrt() * deviation * ((*seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5)
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (model, h) = (CartPole::default(), 0.02);

    // where it is to stay, the steps of 20 ms about that point, and the gain
    let upright = Trim::of(&model).hold("th", PI)?.hold("x", 0.0)?.free("u")?.solve()?;
    let mut map = StepMap::of(&model, RungeKutta4, &[])?;
    let steps = Linearizer::of(&model).step(&mut map, &upright.state, upright.inputs, h)?.system;
    let regulator = Lqr::of(&steps).state("x", 1.0)?.state("th", 10.0)?.input("u", 0.01)?.solve()?;
    let feedback = Feedback::of(&model, &upright.state, upright.inputs, &regulator.gain)?;
    println!("K =\n{}", regulator.gain);
    assert!(regulator.poles.iter().all(Pole::is_stable));

    // an estimate that begins elsewhere, with steps of the same method, and the encoders
    let mut guess = upright.state.clone();
    guess.q.set_th(3.0);
    let spread = SMatrix::<f64, 4, 4>::from_diagonal(&[0.2, 0.1, 0.1, 0.1].into());
    let ekf = Ekf::new(&model, RungeKutta4, &guess, spread)?;
    let encoders = ekf.sensor(["cart", "pole"])?;
    let (process, measured) = (SMatrix::identity() * 1e-6, SMatrix::<f64, 2, 2>::from_diagonal(&[1e-6, 1e-5].into()));

    // the loop: measure, correct, decide, predict
    let (ekf, mut seed, mut innovations) = (RefCell::new(ekf), 1, Vec::new());
    let mut run = Simulation::of(&model, DormandPrince8)
        .sampled(h, |now, u| {
            let mut ekf = ekf.borrow_mut();
            let z = [now.q.x() + noise(&mut seed, 1e-3), now.q.th() + noise(&mut seed, 3e-3)];
            let corrected = ekf.update(&encoders, z, &measured).expect("a finite measurement");
            innovations.push(corrected.nis);
            feedback.apply(ekf.state(), u);
            ekf.predict(*u, h, &process).expect("a finite step");
        })
        .adaptive(1e-9)?;
    let (mut table, mut film) = (Table::of(&model), Film::of(&model));
    run.run(5.0, 0.04, |seen| {
        table.record(seen);
        film.record(seen);
    })?;
    film.svg().width(480.0).write(gallery::file("cart_pole_balanced.svg"))?;
    Plot::over_time(&table, &["x"])?.write(gallery::file("cart_pole_balanced_position.svg"))?;
    Plot::over_time(&table, &["u"])?.write(gallery::file("cart_pole_balanced_force.svg"))?;

    let end = run.state();
    println!("x = {:.4} m, th − π = {:.4} after {} s", end.q.x(), end.q.th() - PI, end.t);
    assert!(end.q.x().abs() < 0.02 && (end.q.th() - PI).abs() < 0.02);
    // two degrees of freedom: the filter believes its measurements as much as it should
    let nis = innovations.iter().skip(50).sum::<f64>() / (innovations.len() - 50) as f64;
    assert!(nis > 0.8 && nis < 3.0, "{nis}");
    Ok(())
}
