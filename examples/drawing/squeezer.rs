//! The squeezer's motion as an SVG: its angles over time, and the mechanism at several instants.

use std::path::PathBuf;

use ode_model::State;

use super::plot::{Axis, Plot, SIDE};
use crate::{AndrewsSqueezer, Squeezer};

/// Joints of the mechanism at a state, link by link, in metres.
fn links(p: &AndrewsSqueezer<f64>, state: &State<Squeezer>) -> Vec<Vec<(f64, f64)>> {
    let q = &state.q;
    let (beta, gamma, delta, eps) = (q.beta(), q.gamma(), q.delta(), q.eps());
    let theta = q.theta();
    let add = |(x, y): (f64, f64), r: f64, angle: f64| (x + r * angle.cos(), y + r * angle.sin());
    let (a, b, c) = ((p.a[0], p.a[1]), (p.b[0], p.b[1]), (p.c[0], p.c[1]));
    let crank = add((0.0, 0.0), p.rr, beta);
    let joint = add(crank, -p.d, beta + theta);
    // body 3 carries the spring at D; bodies 4 and 6 hang on bodies 5 and 7
    let spring = (b.0 + p.sd * gamma.cos() + p.sc * gamma.sin(), b.1 + p.sd * gamma.sin() - p.sc * gamma.cos());
    let elbow_5 = add(a, p.zt, delta);
    let elbow_7 = (a.0 + p.u * eps.sin(), a.1 - p.u * eps.cos());
    vec![
        vec![(0.0, 0.0), crank, joint],
        vec![b, joint, spring, b],
        vec![a, elbow_5, joint],
        vec![a, elbow_7, joint],
        vec![spring, c],
    ]
}

/// Draws `target/squeezer.svg` and returns its path.
pub(crate) fn draw(
    model: &AndrewsSqueezer<f64>,
    film: &[State<Squeezer>],
) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target");
    std::fs::create_dir_all(&folder)?;
    let mut svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{SIDE}\">\n", 2.0 * SIDE);
    svg.push_str("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    angles(&mut svg, film);
    mechanism(&mut svg, model, film);
    svg.push_str("</svg>\n");
    let path = folder.join("squeezer.svg");
    std::fs::write(&path, svg)?;
    Ok(path)
}

/// The five angles that stay small, over time; the crank's turns are left to the other picture.
fn angles(svg: &mut String, film: &[State<Squeezer>]) {
    let end = film.last().map_or(0.03, |s| s.t);
    let mut plot = Plot::new(svg, 0.0, "angles", Axis("t [s]", 0.0, end), Axis("[rad]", -0.8, 1.4));
    type Angle = fn(&State<Squeezer>) -> f64;
    let series: [(&str, Angle, &str); 5] = [
        ("gamma", |s| s.q.gamma(), "#1f77b4"),
        ("delta", |s| s.q.delta(), "#d62728"),
        ("eps", |s| s.q.eps(), "#2ca02c"),
        ("phi", |s| s.q.phi(), "#9467bd"),
        ("omega", |s| s.q.omega(), "#ff7f0e"),
    ];
    for (name, angle, colour) in series {
        plot.line(film.iter().map(|s| (s.t, angle(s))), colour, 1.0);
        plot.name(name, colour);
    }
}

/// The mechanism at a few instants, the later the darker.
fn mechanism(svg: &mut String, model: &AndrewsSqueezer<f64>, film: &[State<Squeezer>]) {
    let title = "mechanism, t = 0 (light) to 0.03 s (dark)";
    let mut plot = Plot::new(svg, SIDE, title, Axis("x [m]", -0.085, 0.035), Axis("y [m]", -0.035, 0.085));
    let instants = 6;
    for k in 0..=instants {
        let state = &film[k * (film.len() - 1) / instants];
        let strength = 0.15 + 0.85 * k as f64 / instants as f64;
        for (i, link) in links(model, state).into_iter().enumerate() {
            // the spring is drawn apart from the bodies
            plot.line(link, if i == 4 { "#d62728" } else { "#1f3c78" }, strength);
        }
    }
    for ground in [[0.0, 0.0], model.a, model.b, model.c] {
        plot.dot((ground[0], ground[1]));
    }
}
