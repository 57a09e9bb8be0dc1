//! A coin that rolls upright without slipping: constraints on velocities, against the closed form of its circle.

use ode_model::prelude::*;
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// Knife-edge / rolling coin on a plane: Pfaffian constraints.
    pub struct Coin<T> {
        param m: Real [kg] = 0.1;
        param r: Real [m] = 0.02;
        param: Real [kg*m^2] { ja = 2.0e-5; jt = 1.0e-5; }
        coord p: Vec2 [m];
        coord roll, yaw: Angle;
        kinetic = 0.5 * m * der(p).dot(der(p)) + 0.5 * ja * sq(der(roll)) + 0.5 * jt * sq(der(yaw));
        /// velocity-level equation, linear in the velocities: detected as nonholonomic
        constraint no_slip: der(p) == r * der(roll) * vec2(cos(yaw), sin(yaw));

        // upright: its axis lies level, and it stands on its rim
        show coin = disc(frame(vec3(p.x, p.y, r), rot_z(yaw) * rot_x(PI / 2.0) * rot_z(-roll)), r);
        show contact = point(vec3(p.x, p.y, 0.0)) with { color: crimson };

        init p = vec2(0.0, 0.0);
        init yaw = 0.0;
        init der(roll) = 25.0;
        init der(yaw) = 2.0;
        guess roll = 0.0;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let coin = Coin::<f64>::default();
    // nothing turns the coin, so that it rolls at v = r φ̇ on a circle of radius v / ψ̇, once around
    let (speed, turn, end) = (coin.r * 25.0, 2.0, std::f64::consts::PI);
    let at = |t: f64| (speed / turn * (turn * t).sin(), speed / turn * (1.0 - (turn * t).cos()));

    let mut run = Simulation::of(&coin, Geodesic).project(Projection::to(1e-12)).adaptive(1e-10)?;
    let (mut film, mut table) = (Film::of(&coin), Table::of(&coin));
    run.run(end, end / 120.0, |seen| {
        film.record(seen);
        table.record(seen);
    })?;
    film.svg().speed(0.5).trace("contact")?.write(gallery::file("coin.svg"))?;
    Plot::phase(&table, "p.x", "p.y")?.equal_aspect().write(gallery::file("coin_path.svg"))?;

    let (state, (x, y)) = (run.state(), at(end));
    println!("after {end:.3} s at {:?}, on the circle at ({x}, {y})", state.q.p());
    assert!((state.q.p()[0] - x).abs() < 1e-8 && (state.q.p()[1] - y).abs() < 1e-8);

    // the ground holds the coin on its circle: |λ| = m v ψ̇
    let [gx, gy] = state.lambda.no_slip();
    assert!((gx.hypot(gy) - coin.m * speed * turn).abs() < 1e-9);

    // an implicit method makes A v + b zero at the end of each step
    let mut run = Simulation::of(&coin, GeneralizedAlpha::with_spectral_radius(0.9)).fixed(1e-3)?;
    run.advance_to(end)?;
    assert!(run.drift()?.1 < 1e-9);
    assert!((run.state().q.p()[0] - x).abs() < 1e-5);
    Ok(())
}
