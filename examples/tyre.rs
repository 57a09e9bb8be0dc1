//! A braked wheel: grip over slip from a Rust function, brake torque over time from a table.
//!
//! `cargo run --example tyre` prints speed and slip, and compares them with the wheel that rolls without slip.

use ode_model::prelude::*;
use ode_view::{Film, Plot};

mod gallery;
use ode_model::{Pchip, Scalar};

/// The magic formula of tyres, D sin(C arctan(B s)), over any scalar: its derivatives follow by dual numbers.
fn grip<T: Scalar>(slip: T) -> T {
    T::from_f64(1.1) * (T::from_f64(1.6) * (T::from_f64(12.0) * slip).atan()).sin()
}

/// Brake torque [N m] over time [s]: pressed within half a second, then held.
const PEDAL: [[f64; 2]; 5] = [[0.0, 0.0], [0.2, 80.0], [0.5, 300.0], [0.7, 300.0], [2.5, 300.0]];

model! {
    /// A quarter of a car on one wheel.
    pub struct Quarter<T> {
        param m: Real [kg] = 350.0;
        param j: Real [kg*m^2] = 1.2;
        param r: Real [m] = 0.31;
        param g: Real [m/s^2] = 9.81;
        coord x: Real [m];
        coord th: Angle;
        extern fn mu(slip: Real) -> Real { dual: grip }
        extern fn pedal(time: Real [s]) -> Real [N*m] { table: PEDAL }
        let slip = (r * der(th) - der(x)) / der(x);
        kinetic = 0.5 * m * sq(der(x)) + 0.5 * j * sq(der(th));
        force traction on x - r * th = mu(slip) * m * g;
        force brake on th = -pedal(t);
        init der(x) = 30.0;
        init r * der(th) = 30.0;
        show road = line(vec2(-3.0m, 0.0), vec2(72.0m, 0.0)) with { color: silver };
        show car = box(frame2(vec2(x, 0.9m), 0.0), vec2(4.0m, 1.0m));
        show rear = disc(vec2(x - 1.3m, r), r) with { color: black };
        show front = disc(vec2(x + 1.3m, r), r) with { color: black };
        output speed: Real [m/s] = der(x);
        output slip_now: Real = slip;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let car = Quarter::<f64>::default();
    let mut run = Simulation::of(&car, GeneralizedAlpha::with_spectral_radius(0.8)).fixed(1e-3)?;
    // without slip: (m + j/r²) a = −torque/r, and Simpson's rule is exact between the points of the table
    let pedal = Pchip::new(PEDAL);
    let braked: f64 = PEDAL
        .windows(2)
        .map(|p| {
            let (a, b) = (p[0][0], p[1][0]);
            (b - a) / 6.0 * (p[0][1] + 4.0 * pedal.derivative(0.5 * (a + b), 0) + p[1][1])
        })
        .sum();
    let (mut film, mut table) = (Film::of(&car), Table::of(&car));
    for k in 1..=5 {
        run.run(0.5 * f64::from(k), 0.025, |seen| {
            film.record(seen);
            table.record(seen);
        })?;
        let y = car.outputs(run.state().point(), run.state().rates());
        println!("t = {:.1} s  speed {:6.3} m/s  slip {:+.4}", run.state().t, y.speed(), y.slip_now());
    }
    film.svg().speed(0.5).width(800.0).write(gallery::file("tyre.svg"))?;
    Plot::over_time(&table, &["slip_now"])?.write(gallery::file("tyre_slip.svg"))?;
    let rolling = 30.0 - braked / (car.r * (car.m + car.j / car.r.powi(2)));
    println!("without slip {rolling:.3} m/s");
    assert!((run.state().v.x() - rolling).abs() < 0.02 * rolling);
    Ok(())
}
