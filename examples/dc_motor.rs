//! A model that only has first-order states: the current of a DC motor after a step of voltage, against the closed
//! form.

use ode_model::prelude::*;
use ode_view::Plot;

mod gallery;

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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let motor = DcMotor::builder().build()?;
    // 12 V on a rotor that a load turns at 100 rad/s
    let u = dc_motor::U::from([12.0, 100.0]);
    let mut run = Simulation::of(&motor, Geodesic).inputs(Constant(u)).adaptive(1e-10)?;

    let (steady, lag) = ((12.0 - motor.k * 100.0) / motor.r, motor.l / motor.r);
    let mut table = Table::of(&motor);
    println!("t [ms]    i [A]  tau [N m]");
    run.run(5e-3, 0.5e-3, |x| {
        table.record(x);
        let (i, tau) = (x.z.i(), motor.outputs(x.at(&u), x.rates()).tau());
        println!("{:6.2} {i:8.4} {tau:10.5}", 1e3 * x.t);
        // i(t) = (v − k ω)/r (1 − e^(−t r/l))
        assert!((i - steady * (1.0 - (-x.t / lag).exp())).abs() < 1e-8);
        assert!((tau - motor.k * i).abs() < 1e-15);
    })?;
    Plot::over_time(&table, &["i"])?.marks().write(gallery::file("dc_motor_current.svg"))?;

    // the rate of a state belongs to it: l di/dt = v − r i − k ω
    let x = run.state();
    assert!((x.zdot.i() - (steady - x.z.i()) / lag).abs() < 1e-9);
    println!("{}", DcMotor::<f64>::EQUATIONS);
    Ok(())
}
