//! A double pendulum in minimal coordinates: energy over time by an error-controlled method.

use ode_model::prelude::*;
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// Double pendulum with point masses; absolute angles.
    pub struct DoublePendulum<T> {
        param m: [Real; 2] [kg] = [1.0, 1.0];
        param l: [Real; 2] [m] = [1.0, 1.0];
        param g: Real [m/s^2] = 9.81;

        coord th: [Angle; 2];

        let p1 = l[0] * vec2(sin(th[0]), -cos(th[0]));
        let p2 = p1 + l[1] * vec2(sin(th[1]), -cos(th[1]));

        kinetic = 0.5 * m[0] * der(p1).dot(der(p1)) + 0.5 * m[1] * der(p2).dot(der(p2));
        potential = g * (m[0] * p1.y + m[1] * p2.y);

        init th = [PI / 2.0, PI / 2.0];
        init der(th) = [0.0, 0.0];

        output tip: Vec2 [m] = p2;
        show rods = polyline(vec2(0.0, 0.0), p1, p2);
        show upper = disc(p1, 0.08m);
        show lower = disc(p2, 0.08m) with { color: crimson };
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = DoublePendulum::<f64>::default();
    println!("{}", DoublePendulum::<f64>::EQUATIONS);

    let mut run = Simulation::of(&model, Geodesic).adaptive(1e-10)?;
    let total = |e: ode_model::Energy<f64>| e.kinetic + e.potential;
    let before = total(model.energy(run.state().point()));
    let (mut film, mut table) = (Film::of(&model), Table::of(&model));
    run.run(10.0, 1.0 / 30.0, |seen| {
        film.record(seen);
        table.record(seen);
    })?;
    film.svg().trace("lower")?.write(gallery::file("double_pendulum.svg"))?;
    Plot::phase(&table, "th[0]", "th[1]")?.write(gallery::file("double_pendulum_angles.svg"))?;

    let after = total(model.energy(run.state().point()));
    println!("energy {before:.6} J at 0 s, {after:.6} J at 10 s, {} steps", run.statistics().taken);
    assert!((after - before).abs() < 1e-6);
    Ok(())
}
