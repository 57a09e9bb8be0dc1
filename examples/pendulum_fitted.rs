//! The length and the damping of a pendulum, from the angles that an encoder has read.

use ode_control::{Doubt, Fit, Log};
use ode_model::prelude::*;
use ode_view::Plot;

mod gallery;

/// Times in s, and angles in rad with normal errors of [`SIGMA`]; some are lost. `data/pendulum.py` made them.
const READ: &str = include_str!("data/pendulum.csv");

/// The standard deviation of a reading, in rad.
const SIGMA: f64 = 0.01;

/// What is not known, the value that the readings were made with, and SciPy's estimate with its standard deviation.
const UNKNOWN: [(&str, f64, f64, f64); 5] = [
    ("l", 0.62, 0.619907476766, 0.000202863),
    ("c", 0.025, 0.0250172938931, 0.000152648),
    ("start of th", 1.1, 1.10100624141, 0.0019949),
    ("start of der(th)", -0.7, -0.704403200539, 0.00939528),
    ("offset of angle", 0.03, 0.030560148895, 0.000671729),
];

model! {
    /// A bob on a rod; its bearing has viscous friction.
    pub struct Pendulum {
        param m: Real [kg] = 0.4;
        param l: Real [m] = 0.8;
        param c: Real [N*m*s/rad] = 0.01;
        param g: Real [m/s^2] = 9.81;
        coord th: Angle;
        kinetic = 0.5 * m * sq(l * der(th));
        potential = -m * g * l * cos(th);
        dissipation = 0.5 * c * sq(der(th));
        output angle: Real [rad] = th;
        init th = 1.0;
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (model, log) = (Pendulum::default(), Log::read_csv(READ.as_bytes(), "t", &["angle"])?);

    // what is not known: two parameters, how it was released, and where the encoder has its zero
    let fit = || Fit::of(&model).log(&log).measured("angle", SIGMA).parameter("l").parameter("c");
    let fitted = fit().between("c", 0.0, 1.0).start_of("th").start_of("der(th)").offset("angle").solve()?;
    print!("{fitted}");
    assert!(fitted.ending.converged() && fitted.doubts.is_empty());
    for (name, truth, estimate, deviation) in UNKNOWN {
        let (low, high) = fitted.interval(name, 0.99)?.ok_or("not determined")?;
        println!("{name}: {truth} is between {low:.5} and {high:.5}");
        assert!(low < truth && truth < high, "{name}");
        assert!((fitted.value(name)? - estimate).abs() < 1e-4 * deviation, "{name}");
        assert!((fitted.covariance.at(name, name)?.sqrt() - deviation).abs() < 1e-4 * deviation, "{name}");
    }
    // 227 readings less five unknowns: χ² is between these with a probability of 99 %
    let reduced = fitted.reduced_chi_square();
    println!("reduced χ² {reduced:.3} with {} degrees of freedom", fitted.freedom);
    assert!(fitted.freedom == 222 && reduced > 171.5 / 222.0 && reduced < 280.0 / 222.0);

    let of = &fitted.residuals[0];
    let plot = Plot::new().across("t [s]").upward("angle [rad]").columns("predicted", of, "t", "angle.predicted")?;
    let plot = plot.points("measured", of.column("t")?.zip(of.column("angle.measured")?));
    plot.write(gallery::file("pendulum_fitted.svg"))?;
    let (across, upward) = ("t [s]", "predicted − measured [rad]");
    let residuals = of.column("t")?.zip(of.column("angle.residual")?);
    let plot = Plot::new().across(across).upward(upward).points(upward, residuals);
    plot.write(gallery::file("pendulum_fitted_residuals.svg"))?;

    // a pendulum does not show its mass: only c/m is in its motion, and the fit says so
    let vague = fit().parameter("m").start_of("th").start_of("der(th)").offset("angle").solve()?;
    vague.doubts.iter().for_each(|doubt| println!("with the mass: {doubt}"));
    let [Doubt::Confounded { names }] = &vague.doubts[..] else { return Err("the mass cannot be known".into()) };
    assert!(["c", "m"].iter().all(|name| names.iter().any(|other| other == name)) && names.len() == 2);
    Ok(())
}
