//! Thousands of magnetic pendulums, let go at rest from every point of a square: above which of three magnets does each
//! come to rest? All run side by side, in the lanes of vector registers and on all cores.

use ode_model::prelude::*;
use ode_model::{Ensemble, F64x8};
use ode_view::Plot;

mod gallery;

model! {
    /// A bob that a weak spring pulls to the middle, above three magnets in a plane.
    pub struct Magnetic<T> {
        /// stiffness of the pull to the middle
        param k: Real [N/m] = 0.5;
        param c: Real [N*s/m] = 0.2;
        /// strength of each magnet
        param strength: [Real; 3] [N*m^2] = [1.0, 1.0, 1.0];
        /// height of the bob above the magnets
        param height: Real [m] = 0.25;

        coord (r, v): Vec2 [m];

        let magnet = [vec2(1.0m, 0.0m), vec2(-0.5m, 0.866m), vec2(-0.5m, -0.866m)];
        kinetic = 0.5 * 1.0kg * v.dot(v);
        potential = 0.5 * k * r.dot(r);
        for i in 0..3 {
            let away = r - magnet[i];
            potential = -strength[i] / sqrt(away.dot(away) + sq(height));
        }
        dissipation = 0.5 * c * v.dot(v);
        init v = vec2(0.0, 0.0);
    }
}

/// Pendulums along a side of the square: fewer where nothing is optimised.
const SIDE: usize = if cfg!(debug_assertions) { 10 } else { 128 };

/// Where one begins.
fn start(k: usize) -> [f64; 2] {
    let along = |i: usize| 3.0 * ((i as f64 + 0.5) / SIDE as f64 - 0.5);
    [along(k % SIDE), along(k / SIDE)]
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Magnetic::<f64>::default();
    let models = std::iter::repeat_n(model.clone(), SIDE * SIDE);
    let mut all = Ensemble::<Magnetic<F64x8>, _>::of(models, RungeKutta4)
        .given(|k, model| State { q: start(k).into(), ..State::neutral(model) })
        .fixed(0.02)?;
    all.advance_parallel(40.0, |_done| {})?;

    // which magnet is nearest
    let angle = |x: &State<Magnetic<f64>>| x.q.r()[1].atan2(x.q.r()[0]).rem_euclid(std::f64::consts::TAU);
    let nearest = |x: &State<Magnetic<f64>>| (angle(x) / (std::f64::consts::TAU / 3.0)).round() as usize % 3;
    let mut found = [const { Vec::new() }; 3];
    for (k, x) in all.states().enumerate() {
        let [right, up] = start(k);
        found[nearest(&x)].push((right, up));
    }
    let [right, upper, lower] = found;
    println!("{} pendulums: {} right, {} upper left, {} lower left", all.len(), right.len(), upper.len(), lower.len());

    // the square is its own mirror image, and what runs in lanes is what runs alone
    assert!(upper.len().abs_diff(lower.len()) <= SIDE * SIDE / 50);
    let mut alone = Simulation::of(&model, RungeKutta4)
        .given(State { q: start(7).into(), ..State::neutral(&model) })
        .fixed(0.02)?;
    alone.advance_to(40.0)?;
    let seventh = all.state(7).ok_or("there are more")?;
    assert_eq!(seventh.q, alone.state().q);

    Plot::new()
        .points("right", right)
        .points("upper left", upper)
        .points("lower left", lower)
        .title("where pendulums begin that come to rest above each magnet")
        .equal_aspect()
        .size(700, 640)
        .write(gallery::file("magnetic_pendulum.svg"))?;
    Ok(())
}
