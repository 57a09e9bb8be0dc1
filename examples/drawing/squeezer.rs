//! The squeezer's motion as an SVG: its angles over time, and the mechanism at several instants.

use std::path::PathBuf;

use ode_model::State;
use plotters::prelude::*;

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
    let path = folder.join("squeezer.svg");
    {
        let root = SVGBackend::new(&path, (1200, 560)).into_drawing_area();
        root.fill(&WHITE)?;
        let (left, right) = root.split_horizontally(600);
        angles(&left, film)?;
        mechanism(&right, model, film)?;
        root.present()?;
    }
    Ok(path)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// The five angles that stay small, over time; the crank's turns are left to the other picture.
fn angles(area: &Area<'_>, film: &[State<Squeezer>]) -> Result<(), Box<dyn std::error::Error>> {
    let end = film.last().map_or(0.03, |s| s.t);
    let mut chart = ChartBuilder::on(area)
        .margin(16)
        .caption("angles", ("sans-serif", 20))
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d(0.0..end, -0.8..1.4)?;
    chart.configure_mesh().x_desc("t [s]").y_desc("[rad]").draw()?;
    type Angle = fn(&State<Squeezer>) -> f64;
    let series: [(&str, Angle, RGBColor); 5] = [
        ("gamma", |s| s.q.gamma(), RGBColor(31, 119, 180)),
        ("delta", |s| s.q.delta(), RGBColor(214, 39, 40)),
        ("eps", |s| s.q.eps(), RGBColor(44, 160, 44)),
        ("phi", |s| s.q.phi(), RGBColor(148, 103, 189)),
        ("omega", |s| s.q.omega(), RGBColor(255, 127, 14)),
    ];
    for (name, angle, colour) in series {
        chart
            .draw_series(LineSeries::new(film.iter().map(|s| (s.t, angle(s))), colour.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}

/// The mechanism at a few instants, the later the darker.
fn mechanism(
    area: &Area<'_>,
    model: &AndrewsSqueezer<f64>,
    film: &[State<Squeezer>],
) -> Result<(), Box<dyn std::error::Error>> {
    let mut chart = ChartBuilder::on(area)
        .margin(16)
        .caption("mechanism, t = 0 (light) to 0.03 s (dark)", ("sans-serif", 20))
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d(-0.085..0.035, -0.035..0.085)?;
    chart.configure_mesh().x_desc("x [m]").y_desc("y [m]").draw()?;
    let instants = 6;
    for k in 0..=instants {
        let state = &film[k * (film.len() - 1) / instants];
        let strength = 0.15 + 0.85 * k as f64 / instants as f64;
        for (i, link) in links(model, state).into_iter().enumerate() {
            // the spring is drawn apart from the bodies
            let colour = if i == 4 { RGBColor(214, 39, 40) } else { RGBColor(31, 60, 120) };
            chart.draw_series(LineSeries::new(link, colour.mix(strength).stroke_width(2)))?;
        }
    }
    let ground = [(0.0, 0.0), (model.a[0], model.a[1]), (model.b[0], model.b[1]), (model.c[0], model.c[1])];
    chart.draw_series(ground.iter().map(|&point| Circle::new(point, 4, BLACK.filled())))?;
    Ok(())
}
