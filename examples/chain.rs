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

        let e0 = l * vec2(sin(th[0]), -cos(th[0]));
        let e1 = e0 + l * vec2(sin(th[1]), -cos(th[1]));
        let e2 = e1 + l * vec2(sin(th[2]), -cos(th[2]));
        let e3 = e2 + l * vec2(sin(th[3]), -cos(th[3]));
        let e4 = e3 + l * vec2(sin(th[4]), -cos(th[4]));
        let e5 = e4 + l * vec2(sin(th[5]), -cos(th[5]));
        let e6 = e5 + l * vec2(sin(th[6]), -cos(th[6]));
        let e7 = e6 + l * vec2(sin(th[7]), -cos(th[7]));
        let e8 = e7 + l * vec2(sin(th[8]), -cos(th[8]));
        let e9 = e8 + l * vec2(sin(th[9]), -cos(th[9]));
        let e10 = e9 + l * vec2(sin(th[10]), -cos(th[10]));
        let e11 = e10 + l * vec2(sin(th[11]), -cos(th[11]));
        let e12 = e11 + l * vec2(sin(th[12]), -cos(th[12]));
        let e13 = e12 + l * vec2(sin(th[13]), -cos(th[13]));
        let e14 = e13 + l * vec2(sin(th[14]), -cos(th[14]));
        let e15 = e14 + l * vec2(sin(th[15]), -cos(th[15]));
        let e16 = e15 + l * vec2(sin(th[16]), -cos(th[16]));
        let e17 = e16 + l * vec2(sin(th[17]), -cos(th[17]));
        let e18 = e17 + l * vec2(sin(th[18]), -cos(th[18]));
        let e19 = e18 + l * vec2(sin(th[19]), -cos(th[19]));
        let p = [
            e0, e1, e2, e3, e4, e5, e6, e7, e8, e9,
            e10, e11, e12, e13, e14, e15, e16, e17, e18, e19,
        ];
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
