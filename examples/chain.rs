//! A chain of twenty links in minimal coordinates: the kinetic energy of every link moves every angle above it.

use ode_model::prelude::*;
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// Point masses on massless rods; absolute angles, 0 = hanging.
    pub struct Chain {
        param m: Real [kg] = 0.1;
        param l: Real [m] = 0.05;
        param g: Real [m/s^2] = 9.81;
        param c: Real [N*m*s] = 0.0;
        coord th: [Angle; 20];

        for i in 0..20 {
            let rod = l * vec2(sin(th[i]), -cos(th[i]));
            let p[i] = if i == 0 { rod } else { p[i - 1] + rod };
        }
        for i in 0..20 {
            kinetic = 0.5 * m * der(p[i]).dot(der(p[i]));
            potential = m * g * p[i].y;
            dissipation = 0.5 * c * sq(der(th[i]));
            init th[i] = 0.5 + 0.05 * i;
        }
        output tip: Vec2 [m] = p[19];
        show links = polyline(p) with { color: steelblue };
        show hook = line(vec2(0.0, 0.0), p[0]) with { color: steelblue };
        show end = point(p[19]) with { color: crimson };
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let chain = Chain::builder().c(1e-6).build()?;
    let mut run = Simulation::of(&chain, GeneralizedAlpha::with_spectral_radius(0.9)).fixed(1e-3)?;
    let total = |e: ode_model::Energy<f64>| e.kinetic + e.potential;
    let before = total(chain.energy(run.state().point()));
    let (mut film, mut table) = (Film::of(&chain), Table::of(&chain));
    run.run(1.0, 0.01, |seen| {
        film.record(seen);
        table.record(seen);
    })?;
    film.svg().speed(0.2).width(480.0).trace("end")?.write(gallery::file("chain.svg"))?;
    Plot::phase(&table, "tip.x", "tip.y")?.equal_aspect().write(gallery::file("chain_tip.svg"))?;

    let after = total(chain.energy(run.state().point()));
    let [x, y] = chain.outputs(run.state().point(), run.state().rates()).tip();
    println!("tip at ({x:.3}, {y:.3}) m, energy {before:.4} J then {after:.4} J, {} operations generated", Chain::OPS);
    assert!(after < before, "friction takes energy");
    Ok(())
}
