//! The solids of a figure in one frame, each a unit solid that is moved, turned and stretched.

use ode_runtime::{Figure, Form, so3};

/// A solid of unit size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Solid {
    /// of radius 1 about the origin
    Ball,
    /// of radius 1 about the z axis, from 0 to 1
    Rod,
    /// of radius 1 about the z axis, from 0 to 1, where its tip is
    Cone,
    /// of edge 1 about the origin
    Cube,
    /// a circle of radius 1 in the x-y plane
    Ring,
    /// of radius 1 about the z axis, from 0 to 1
    Coil,
    /// nothing to see: a place with a name
    Place,
}

/// A solid where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) solid: Solid,
    pub(super) translation: [f64; 3],
    /// w, x, y, z
    pub(super) rotation: [f64; 4],
    pub(super) scale: [f64; 3],
}

const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// The solids of a figure with these numbers; a line is as thick as `thin`. Their kinds are the same in every frame.
pub(super) fn placed(figure: &Figure<String>, x: &[f64], thin: f64) -> Vec<Placed> {
    let n = if figure.space { 3 } else { 2 };
    let points = |x: &[f64]| -> Vec<[f64; 3]> { x.chunks_exact(n).map(point).collect() };
    let edges = |points: &[[f64; 3]]| -> Vec<Placed> {
        points.windows(2).map(|pair| between(Solid::Rod, pair[0], pair[1], thin)).collect()
    };
    match &figure.form {
        Form::Point => vec![ball(point(&x[..n]), 2.0 * thin)],
        Form::Line | Form::Polyline => edges(&points(x)),
        Form::Polygon => {
            let mut corners = points(x);
            corners.extend(corners.first().copied());
            edges(&corners)
        }
        Form::Spring => vec![between(Solid::Coil, point(&x[..n]), point(&x[n..]), 4.0 * thin)],
        Form::Circle { turns } => round(Solid::Ring, figure.space, *turns, x, thin),
        Form::Disc { turns } => round(Solid::Rod, figure.space, *turns, x, thin),
        Form::Arrow => arrow(point(&x[..n]), point(&x[n..]), thin),
        Form::Box => {
            let (translation, rotation, edges) = pose(figure.space, x);
            let depth = edges.get(2).copied().unwrap_or(2.0 * thin);
            vec![Placed { solid: Solid::Cube, translation, rotation, scale: [edges[0], edges[1], depth] }]
        }
        Form::Sphere => vec![ball(point(&x[..3]), x[3].abs())],
        Form::Cylinder => vec![between(Solid::Rod, point(&x[..3]), point(&x[3..6]), x[6].abs())],
        Form::Mesh(_) => {
            let (translation, rotation, _) = pose(figure.space, x);
            vec![Placed { solid: Solid::Place, translation, rotation, scale: [1.0; 3] }]
        }
        Form::Text(_) => {
            let translation = point(&x[..n]);
            vec![Placed { solid: Solid::Place, translation, rotation: UPRIGHT, scale: [1.0; 3] }]
        }
        // What is not known is not drawn.
        _ => Vec::new(),
    }
}

/// A point; those of the plane lie at z = 0.
fn point(p: &[f64]) -> [f64; 3] {
    [p[0], p[1], p.get(2).copied().unwrap_or(0.0)]
}

/// Where a pose is and how it is turned, and the numbers after it.
fn pose(space: bool, x: &[f64]) -> ([f64; 3], [f64; 4], &[f64]) {
    if space {
        // Of unit length but for round-off: the file wants it better.
        let length = x[3..7].iter().fold(0.0, |length: f64, x| length.hypot(*x));
        return ([x[0], x[1], x[2]], [3, 4, 5, 6].map(|i| x[i] / length), &x[7..]);
    }
    let half = 0.5 * x[3].atan2(x[2]);
    ([x[0], x[1], 0.0], [half.cos(), 0.0, 0.0, half.sin()], &x[4..])
}

fn ball(translation: [f64; 3], radius: f64) -> Placed {
    Placed { solid: Solid::Ball, translation, rotation: UPRIGHT, scale: [radius; 3] }
}

/// A solid along the z axis, from one point to another.
fn between(solid: Solid, from: [f64; 3], to: [f64; 3], radius: f64) -> Placed {
    let along = [0, 1, 2].map(|i| to[i] - from[i]);
    let length = along[0].hypot(along[1]).hypot(along[2]);
    Placed { solid, translation: from, rotation: turned_to(along, length), scale: [radius, radius, length] }
}

/// The shortest turn of the z axis to a direction.
fn turned_to(along: [f64; 3], length: f64) -> [f64; 4] {
    // A vector without a direction points upward, and straight down is half a turn about x.
    let cosine = if length > 0.0 { along[2] / length } else { 1.0 };
    if cosine < -1.0 + 1e-12 {
        return [0.0, 1.0, 0.0, 0.0];
    }
    let w = (0.5 * (1.0 + cosine)).sqrt();
    let [x, y] = if length > 0.0 { [-along[1], along[0]].map(|a| a / length / (2.0 * w)) } else { [0.0; 2] };
    let norm = (w * w + x * x + y * y).sqrt();
    [w / norm, x / norm, y / norm, 0.0]
}

/// A disc or its outline, with a spoke if it turns.
fn round(solid: Solid, space: bool, turns: bool, x: &[f64], thin: f64) -> Vec<Placed> {
    let radius = x[x.len() - 1].abs();
    if !turns {
        return vec![Placed { solid, translation: point(&x[..2]), rotation: UPRIGHT, scale: [radius, radius, thin] }];
    }
    let (translation, rotation, _) = pose(space, x);
    let rim = so3::rotate(&rotation, &[radius, 0.0, 0.0]);
    let end = [0, 1, 2].map(|i| translation[i] + rim[i]);
    let flat = Placed { solid, translation, rotation, scale: [radius, radius, thin] };
    vec![flat, between(Solid::Rod, translation, end, thin)]
}

/// A shaft and a head that is a fifth of it.
fn arrow(from: [f64; 3], vector: [f64; 3], thin: f64) -> Vec<Placed> {
    let [neck, tip] = [0.8, 1.0].map(|part| [0, 1, 2].map(|i| from[i] + part * vector[i]));
    vec![between(Solid::Rod, from, neck, thin), between(Solid::Cone, neck, tip, 3.0 * thin)]
}
