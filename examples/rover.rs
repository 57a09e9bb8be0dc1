//! A rover: a cart on a wheel that a motor drives, the motor a model of its own, the tyre's friction a Rust function.
//!
//! `cargo run --example rover` starts it under a constant voltage and compares its speed with that of a rigid drive.

use ode_model::prelude::*;
use ode_view::{Film, Plot};

mod gallery;

/// Friction of the tyre over its slip speed [m/s].
mod tyre {
    use ode_model::Scalar;

    /// 0.8 tanh(s / 0.1)
    pub(crate) fn mu<T: Scalar>(slip: T) -> T {
        T::from_f64(0.8) * (T::from_f64(10.0) * slip).tanh()
    }

    /// ∂mu/∂s
    pub(crate) fn mu_grad<T: Scalar>(slip: T) -> [T; 1] {
        let tanh = (T::from_f64(10.0) * slip).tanh();
        [T::from_f64(8.0) * (T::ONE - tanh * tanh)]
    }
}

model! {
    /// DC motor, first-order electrical side.
    pub struct DcMotor<T> {
        param r: Real [ohm] = 1.0;
        param l: Real [H] = 1.0e-3;
        /// torque constant
        param k: Real [N*m/A] = 0.05;
        input v: Real [V];
        input rate: Real [rad/s];
        state i: Real [A];
        der(i) = (v - r * i - k * rate) / l;
        output tau: Real [N*m] = k * i;
    }
}

model! {
    /// Cart with a motor and tyre friction from a user function.
    pub struct Rover<T> {
        param m: Real [kg] = 10.0;
        param g: Real [m/s^2] = 9.81;
        param r_w: Real [m] = 0.1;
        param j_w: Real [kg*m^2] = 0.01;
        input volt: Real [V] in -24.0..=24.0;
        coord x: Real [m];
        coord th: Angle;
        sub motor: DcMotor<T> with { r: 0.5 };
        bind motor.v = volt;
        bind motor.rate = der(th);
        /// friction coefficient from slip speed, with its derivative
        extern fn mu(slip: Real [m/s]) -> Real { value: crate::tyre::mu, gradient: crate::tyre::mu_grad }
        fn slip_speed(rate: Real [rad/s], speed: Real [m/s]) -> Real [m/s] { r_w * rate - speed }
        let n = m * g;
        kinetic = 0.5 * m * sq(der(x)) + 0.5 * j_w * sq(der(th));
        force drive on th = motor.tau;
        force traction on x - r_w * th = mu(slip_speed(der(th), der(x))) * n;
        limit speed: der(x) in -5.0..=5.0;
        let axle = vec2(x, r_w);
        show road = line(vec2(-0.5m, 0.0), vec2(2.5m, 0.0)) with { color: silver };
        show wheel = disc(frame2(axle, -th), r_w);
        show cart = box(frame2(axle + vec2(0.0, 0.15m), 0.0), vec2(0.5m, 0.12m));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rover = Rover::<f64>::default();
    let volt = 2.0;
    let input = Constant([volt]);
    let mut run = Simulation::of(&rover, GeneralizedAlpha::with_spectral_radius(0.5)).inputs(input).fixed(2e-2)?;
    // without slip and inductance: j ω̇ = k (V − k ω) / R
    let (k, r) = (rover.motor.k, rover.motor.r);
    let j = rover.j_w + rover.m * rover.r_w.powi(2);
    let (mut film, mut table) = (Film::of(&rover), Table::of(&rover));
    run.run(5.0, 0.05, |seen| {
        film.record(seen);
        table.record(seen);
    })?;
    film.svg().write(gallery::file("rover.svg"))?;
    for step in 1..=5 {
        run.run(10.0 * f64::from(step), 0.5, |seen| table.record(seen))?;
        let x = run.state();
        let rigid = volt / k * (1.0 - (-k * k * x.t / (j * r)).exp());
        println!(
            "t = {:2.0} s  {:.3} m/s, {:.3} A, rigid drive {:.3} m/s",
            x.t,
            x.v.x(),
            x.z.motor_i(),
            rigid * rover.r_w
        );
        assert!((x.v.th() - rigid).abs() < 0.01 * rigid);
    }
    Plot::over_time(&table, &["der(x)"])?.write(gallery::file("rover_speed.svg"))?;
    Plot::over_time(&table, &["motor.i"])?.write(gallery::file("rover_current.svg"))?;
    Ok(())
}
