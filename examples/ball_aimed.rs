//! A ball that is thrown so that after three impacts on the ground it is at a given place at a given time: Newton's
//! iterations on the derivatives of the run, which pass the impacts exactly.

use ode_model::prelude::*;
use ode_model::{By, linalg::SVector};
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// A ball in the air, and the ground on which it bounces.
    pub struct Ball {
        param m: Real [kg] = 0.06;
        param g: Real [m/s^2] = 9.81;
        /// drag over the square of the speed
        param c: Real [kg/m] = 1.2e-3;
        /// what an impact leaves of the velocity upward and along the ground
        param e: Real = 0.85;
        param slip: Real = 0.9;
        /// with which velocity it is thrown, and to where
        param throw: Vec2 [m/s] = vec2(1.5, -2.0);
        param target: Vec2 [m] = vec2(4.0, 0.4);
        coord (r, v): Vec2 [m];
        mode bounces: Real = 0.0;
        kinetic = 0.5 * m * v.dot(v);
        potential = m * g * r.y;
        force drag on r = -c * norm(v) * v;
        event impact when r.y < 0.0 {
            v = vec2(slip * v.x, -e * v.y);
            bounces = bounces + 1.0;
        }
        init r = vec2(0.0, 1.0);
        init v = throw;
        output miss: Vec2 [m] = r - target;
        show ground = line(vec2(-0.2m, 0.0), vec2(4.5m, 0.0)) with { color: gray };
        show target = circle(target, 0.06m) with { color: gray };
        show ball = disc(r, 0.03m) with { color: crimson };
    }
}

/// When it is to be there.
const TIME: f64 = 2.25;

/// The path of a throw.
fn path(ball: &Ball, film: &mut Film) -> Result<Table, Box<dyn std::error::Error>> {
    let (mut table, mut run) = (Table::of(ball), Simulation::of(ball, Verner9).adaptive(1e-9)?);
    run.run(TIME, 0.025, |seen| {
        table.record(seen);
        film.record(seen);
    })?;
    Ok(table)
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut ball = Ball::default();
    let first = path(&ball, &mut Film::of(&ball))?;

    let mut misses = Vec::new();
    let impacts = loop {
        let run = Simulation::of(&ball, Verner9).adaptive(1e-12)?;
        let mut run = run.vary(&By::new().parameter("throw"))?;
        run.advance_to(TIME)?;
        let x = run.run().state();
        let miss = SVector::from(ball.outputs(x.at(&ball::U::default()), x.rates()).miss());
        println!("thrown with {:.6?} m/s: {:.1e} m off, {} impacts", ball.throw, miss.norm(), x.modes.bounces());
        misses.push(miss.norm());
        if miss.norm() < 1e-10 || misses.len() > 10 {
            break x.modes.bounces();
        }
        // two conditions, two unknowns: Newton's step
        let jacobian = run.output_jacobian().fixed::<2, 2>()?;
        let step = jacobian.lu().solve(&miss).ok_or("no throw changes where it is")?;
        ball.throw = [ball.throw[0] - step[0], ball.throw[1] - step[1]];
    };
    // quadratic: no miss is more than twice the square of the one before, until round-off is left
    assert!(misses.len() <= 7 && misses.last().is_some_and(|miss| *miss < 1e-10));
    assert!(misses.windows(2).all(|pair| pair[1] < 2.0 * pair[0].powi(2) + 1e-12));
    assert_eq!(impacts, 3.0);

    let mut film = Film::of(&ball);
    let aimed = path(&ball, &mut film)?;
    film.svg().speed(0.5).width(640.0).trace("ball")?.write(gallery::file("ball_aimed.svg"))?;
    Plot::new()
        .equal_aspect()
        .across("r.x [m]")
        .upward("r.y [m]")
        .columns("first throw", &first, "r.x", "r.y")?
        .columns("aimed", &aimed, "r.x", "r.y")?
        .points("target", [(ball.target[0], ball.target[1])])
        .write(gallery::file("ball_aimed_paths.svg"))?;
    Ok(())
}
