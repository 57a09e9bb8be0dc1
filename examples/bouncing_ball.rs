//! A ball on a vibrating table, and on one that stands still, where its impacts have a closed form.

use ode_model::prelude::*;
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// Ball bouncing on a vibrating table.
    pub struct Ball<T> {
        param m: Real [kg] = 0.1;
        param g: Real [m/s^2] = 9.81;
        /// restitution
        param e: Real = 0.8;
        param amp: Real [m] = 0.01;
        param w: Real [rad/s] = 30.0;
        coord y: Real [m];
        mode bounces: Real = 0.0;
        kinetic = 0.5 * m * sq(der(y));
        potential = m * g * y;
        let table = amp * sin(w * t);
        event impact when y < table {
            der(y) = der(table) - e * (der(y) - der(table));
            bounces = bounces + 1.0;
        }
        init y = 0.5;
        output surface: Real [m] = table;
        show table = line(vec2(-0.15m, table), vec2(0.15m, table)) with { color: gray };
        show ball = disc(vec2(0.0, y + 0.02m), 0.02m) with { color: crimson };
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ball = Ball::<f64>::default();
    let mut run = Simulation::of(&ball, Geodesic).fixed(1e-3)?;
    // The table never falls faster than the ball (amp w² < g), so in the end the ball does not leave it.
    let (mut film, mut table) = (Film::of(&ball), Table::of(&ball));
    let outcome = Outcome::of(run.run(5.0, 0.01, |seen| {
        film.record(seen);
        table.record(seen);
    }))?;
    film.svg().width(400.0).write(gallery::file("bouncing_ball.svg"))?;
    Plot::over_time(&table, &["y", "surface"])?.write(gallery::file("bouncing_ball_height.svg"))?;
    let (x, table) = (run.state(), ball.amp * (ball.w * run.state().t).sin());
    println!("vibrating table: {} impacts until t = {}: {outcome:?}", x.modes.bounces(), x.t);
    assert!(matches!(outcome, Outcome::Zeno { .. }) && (x.q.y() - table).abs() < 1e-12);

    // Still: the first after √(2h/g), each flight shorter than the last by e, and no end of them before t₀ (1 + e) / (1
    // − e).
    let still = Ball::<f64>::builder().amp(0.0).build()?;
    let first = (2.0 * 0.5 / still.g).sqrt();
    let mut run = Simulation::of(&still, Geodesic).fixed(0.01)?;
    let mut expected = first;
    let ended = loop {
        match run.step_towards(10.0)? {
            Outcome::Reached => {}
            Outcome::Event { event, time } => {
                let n = run.state().modes.bounces() as i32;
                assert!((time - expected).abs() < 1e-10, "{event} {n} at {time}");
                expected += 2.0 * first * still.e.powi(n);
            }
            outcome => break outcome,
        }
    };
    let Outcome::Zeno { event, time } = ended else { return Err(format!("{ended:?}").into()) };
    let end = first * (1.0 + still.e) / (1.0 - still.e);
    println!("still table: `{event}` without end at t = {time}, by the closed form {end}");
    assert!((time - end).abs() < 1e-10);
    Ok(())
}
