//! A slider-crank driven by a prescribed crank angle: the multiplier of the driver is the motor's torque.

use ode_model::prelude::*;
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// Slider-crank driven by a prescribed crank angle (rheonomic constraint).
    pub struct SliderCrank<T> {
        param: Real [m] { l1 = 0.1; l2 = 0.3; }
        param: Real [kg] { m1 = 0.2; m2 = 0.3; m3 = 0.5; }
        param g: Real [m/s^2] = 9.81;
        /// final crank speed and run-up time
        param omega: Real [rad/s] = 10.0;
        param t_up: Real [s] = 1.0;
        param c: Real [N*s/m] = 0.1;

        /// crank and rod angle, slider position
        coord th, ph: Angle;
        coord s: Real [m];

        let pin = l1 * vec2(cos(th), sin(th));
        let crank = frame2(0.5 * pin, th);
        let rod = frame2(pin + 0.5 * l2 * vec2(cos(ph), sin(ph)), ph);

        body b1 on crank { mass: m1, inertia: m1 * sq(l1) / 12.0 }
        body b2 on rod { mass: m2, inertia: m2 * sq(l2) / 12.0 }
        kinetic piston = 0.5 * m3 * sq(der(s));
        gravity = vec2(0.0, -g);
        dissipation = 0.5 * c * sq(der(s));

        constraint closure: pin + l2 * vec2(cos(ph), sin(ph)) == vec2(s, 0.0);
        /// smooth run-up to constant speed; the multiplier is the motor torque
        constraint driver: th == if t < t_up { 0.5 * omega * sq(t) / t_up } else { omega * (t - 0.5 * t_up) };

        init th = 0.0;
        guess ph = 0.0;
        guess s = l1 + l2;

        show guide = line(vec2(0.15m, 0.0), vec2(0.45m, 0.0)) with { color: silver };
        show wheel = circle(frame2(vec2(0.0, 0.0), th), l1) with { color: silver };
        show crank = line(vec2(0.0, 0.0), pin);
        show rod = line(pin, vec2(s, 0.0));
        show piston = box(frame2(vec2(s, 0.0), 0.0), vec2(0.08m, 0.06m));
        show pin = point(pin) with { color: black };

        output torque: Real [N*m] = driver.lambda;
        output piston_accel: Real [m/s^2] = der2(s);
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = SliderCrank::<f64>::default();
    let mut run = Simulation::of(&model, GeneralizedAlpha::with_spectral_radius(0.8)).fixed(1e-3)?;
    let (mut film, mut table) = (Film::of(&model), Table::of(&model));
    run.run(2.0, 0.01, |seen| {
        film.record(seen);
        table.record(seen);
    })?;
    film.svg().speed(0.4).width(480.0).write(gallery::file("slider_crank.svg"))?;
    Plot::over_time(&table, &["torque"])?.write(gallery::file("slider_crank_torque.svg"))?;
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target");
    std::fs::create_dir_all(&folder)?;
    table.write_csv(std::fs::File::create(folder.join("slider_crank.csv"))?)?;

    let state = run.state();
    let y = model.outputs(state.point(), state.rates());
    println!("torque {:.4} N m, piston acceleration {:.3} m/s² at {} s", y.torque(), y.piston_accel(), state.t);

    // work and energy: the motor's power is the rate of the mechanical energy plus what friction takes
    let angle = model.omega * (2.0 - 0.5 * model.t_up);
    assert!((state.q.th() - angle).abs() < 1e-9);
    let closure = model.constraint_values(state.point());
    assert!(closure.array().iter().all(|phi| phi.abs() < 1e-9));
    Ok(())
}
