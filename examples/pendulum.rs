//! A pendulum in Cartesian coordinates: an index-3 DAE, integrated with projection, against its closed form.

use ode_model::prelude::*;
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// Planar pendulum in Cartesian coordinates (index-3 DAE).
    #[model(derive(Clone, Debug))]
    pub struct Pendulum<T> {
        /// bob mass
        param m: Real [kg] = 1.0;
        /// rod length
        param l: Real [m] = 1.0;
        /// gravitational acceleration
        param g: Real [m/s^2] = 9.81;
        require m > 0.0, "the bob mass must be positive";

        /// bob position and velocity
        coord (r, v): Vec2 [m];

        kinetic = 0.5 * m * v.dot(v);
        potential = m * g * r.y;

        /// the rod; its tension is `-2 * l * rod.lambda` (force on the bob = G^T lambda = 2 lambda r)
        constraint rod: r.dot(r) == sq(l);

        init r = vec2(l, 0.0);
        init v = vec2(0.0, 0.0);

        output angle: Angle = atan2(r.x, -r.y);
        show rod = line(vec2(0.0, 0.0), r);
        show bob = disc(r, 0.08m) with { color: crimson };
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pendulum = Pendulum::builder().l(1.0).build()?;
    let mut run = Simulation::of(&pendulum, Geodesic).project(Projection::to(1e-11)).adaptive(1e-10)?;

    // released at rest from the horizontal: θ(10 s) in closed form, by elliptic functions
    let (mut film, mut table) = (Film::of(&pendulum), Table::of(&pendulum));
    run.run(10.0, 1.0 / 30.0, |seen| {
        film.record(seen);
        table.record(seen);
    })?;
    film.svg().width(480.0).write(gallery::file("pendulum.svg"))?;
    Plot::over_time(&table, &["r.x", "r.y"])?.write(gallery::file("pendulum_path.svg"))?;

    let [x, y] = run.state().q.r();
    println!("r(10 s) = ({x:.9}, {y:.9}), {:?}", run.statistics());
    assert!((x - 0.275_087_462_576_116_9).abs() < 1e-7 && (y + 0.961_419_205_099_125_1).abs() < 1e-7);

    // the rod's tension is −2 l λ: centripetal force plus the weight's share
    let state = run.state();
    let tension = -2.0 * pendulum.l * state.lambda.rod();
    let [vx, vy] = state.v.v();
    let expected = pendulum.m * ((vx * vx + vy * vy) / pendulum.l - pendulum.g * y / pendulum.l);
    assert!((tension - expected).abs() < 1e-6 * expected.abs());
    Ok(())
}
