//! The lines of a figure in one frame, on the picture.

use ode_runtime::{Figure, Form, so3};

use super::view::View;

/// Half turns of a spring's coil.
const COILS: usize = 12;

/// A part of a figure. Its kind and its number of points are the same in every frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stroke {
    /// from point to point
    Path { points: Vec<[f64; 2]>, closed: bool },
    /// a circle
    Circle { middle: [f64; 2], radius: f64 },
    /// a circle that is seen from the side: where two radii end that are a quarter apart, from the middle
    Ellipse { middle: [f64; 2], axes: [[f64; 2]; 2] },
    /// a cylinder between two ellipses, whose second axes lie along it
    Tube { ends: [[f64; 2]; 2], axes: [[f64; 2]; 2] },
}

/// How metres become pixels; y points downward on the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    pub(super) view: View,
    /// pixels of a metre
    pub(super) scale: f64,
    /// where the origin is, in pixels
    pub(super) origin: [f64; 2],
    /// size of marks that do not grow with the picture: one, or nothing while the picture is measured
    pub(super) mark: f64,
}

impl Pen {
    /// Where a point of the model is on the picture.
    pub(super) fn place(&self, p: &[f64]) -> [f64; 2] {
        let [x, y] = self.view.project(p);
        [self.origin[0] + self.scale * x, self.origin[1] - self.scale * y]
    }

    /// The lines of a figure with these numbers.
    pub(super) fn outline(&self, figure: &Figure<String>, x: &[f64]) -> Vec<Stroke> {
        let n = if figure.space { 3 } else { 2 };
        let path = |points: &[f64], closed| Stroke::Path {
            points: points.chunks_exact(n).map(|p| self.place(p)).collect(),
            closed,
        };
        match figure.form {
            Form::Point => vec![Stroke::Circle { middle: self.place(x), radius: 4.0 * self.mark }],
            Form::Line | Form::Polyline => vec![path(x, false)],
            Form::Polygon => vec![path(x, true)],
            Form::Spring => vec![self.coil(&x[..n], &x[n..])],
            Form::Circle { turns } | Form::Disc { turns } if figure.space && turns => self.disc(x),
            Form::Circle { turns } | Form::Disc { turns } => {
                let radius = x[x.len() - 1].abs();
                let mut strokes = vec![Stroke::Circle { middle: self.place(&x[..2]), radius: radius * self.scale }];
                if turns {
                    strokes.push(path(&[x[0], x[1], x[0] + radius * x[2], x[1] + radius * x[3]], false));
                }
                strokes
            }
            Form::Arrow => self.arrow(&x[..n], &x[n..]),
            Form::Box if figure.space => self.block(x),
            Form::Box => vec![path(&rectangle(x), true)],
            Form::Sphere => vec![Stroke::Circle { middle: self.place(&x[..3]), radius: x[3].abs() * self.scale }],
            Form::Cylinder => vec![self.tube(&x[..3], &x[3..6], x[6].abs())],
            Form::Mesh(_) => self.axes(x),
            // A text is written, and what is not known is not drawn.
            _ => Vec::new(),
        }
    }

    /// A coil between two points, as wide as a mark.
    fn coil(&self, from: &[f64], to: &[f64]) -> Stroke {
        let (a, b) = (self.place(from), self.place(to));
        let along = [b[0] - a[0], b[1] - a[1]];
        let length = along[0].hypot(along[1]).max(f64::MIN_POSITIVE);
        let side = [-along[1] / length * 6.0 * self.mark, along[0] / length * 6.0 * self.mark];
        let at = |along_by: f64, side_by: f64| {
            [a[0] + along_by * along[0] + side_by * side[0], a[1] + along_by * along[1] + side_by * side[1]]
        };
        let turn = |k: usize| {
            let sign = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
            at(0.15 + 0.7 * (k as f64 + 0.5) / COILS as f64, sign)
        };
        let mut points = vec![a, at(0.15, 0.0)];
        points.extend((0..COILS).map(turn));
        points.extend([at(0.85, 0.0), b]);
        Stroke::Path { points, closed: false }
    }

    /// A shaft and a head, which is as large as a mark, and no longer than the shaft.
    fn arrow(&self, from: &[f64], vector: &[f64]) -> Vec<Stroke> {
        let end: Vec<f64> = from.iter().zip(vector).map(|(a, v)| a + v).collect();
        let (a, b) = (self.place(from), self.place(&end));
        let along = [b[0] - a[0], b[1] - a[1]];
        let length = along[0].hypot(along[1]);
        let head = (10.0 * self.mark).min(length) / length.max(f64::MIN_POSITIVE);
        let (back, side) = ([head * along[0], head * along[1]], [-0.4 * head * along[1], 0.4 * head * along[0]]);
        let foot = [b[0] - back[0], b[1] - back[1]];
        let barbs = [[foot[0] + side[0], foot[1] + side[1]], [foot[0] - side[0], foot[1] - side[1]]];
        let shaft = Stroke::Path { points: vec![a, b], closed: false };
        vec![shaft, Stroke::Path { points: vec![barbs[0], b, barbs[1]], closed: false }]
    }

    /// A circle in the x-y plane of a pose in space, and a spoke along its x axis.
    fn disc(&self, x: &[f64]) -> Vec<Stroke> {
        let middle = self.place(&x[..3]);
        let [a, b] = [[x[7], 0.0, 0.0], [0.0, x[7], 0.0]].map(|end| self.place(&posed(x, end)));
        let axes = [a, b].map(|end| [end[0] - middle[0], end[1] - middle[1]]);
        vec![Stroke::Ellipse { middle, axes }, Stroke::Path { points: vec![middle, a], closed: false }]
    }

    /// A cylinder between the middles of its ends.
    fn tube(&self, from: &[f64], to: &[f64], radius: f64) -> Stroke {
        let ends = [from, to].map(|p| self.place(p));
        let along = [ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]];
        let (seen, length) = (along[0].hypot(along[1]), self.scale * norm(&[0, 1, 2].map(|i| to[i] - from[i])));
        // The shorter it looks, the wider its ends do; from the end, any direction is across.
        let (short, r) = (if length > 0.0 { (seen / length).min(1.0) } else { 0.0 }, self.scale * radius);
        let [x, y] = if seen > 1e-9 * length { along.map(|a| a / seen) } else { [0.0, 1.0] };
        let deep = r * (1.0 - short * short).sqrt();
        Stroke::Tube { ends, axes: [[-r * y, r * x], [deep * x, deep * y]] }
    }

    /// The edges of a block on a pose in space.
    fn block(&self, x: &[f64]) -> Vec<Stroke> {
        let half = [x[7] / 2.0, x[8] / 2.0, x[9] / 2.0];
        let corner = |sx: f64, sy: f64, sz: f64| self.place(&posed(x, [sx * half[0], sy * half[1], sz * half[2]]));
        let ring = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
        let face = |z: f64| Stroke::Path { points: ring.iter().map(|&(a, b)| corner(a, b, z)).collect(), closed: true };
        let edge =
            |&(a, b): &(f64, f64)| Stroke::Path { points: vec![corner(a, b, -1.0), corner(a, b, 1.0)], closed: false };
        [face(-1.0), face(1.0)].into_iter().chain(ring.iter().map(edge)).collect()
    }

    /// The axes of a pose in space, as long as a mark.
    fn axes(&self, x: &[f64]) -> Vec<Stroke> {
        let length = 20.0 * self.mark / self.scale;
        let axis = |i: usize| {
            let mut end = [0.0; 3];
            end[i] = length;
            Stroke::Path { points: vec![self.place(&x[..3]), self.place(&posed(x, end))], closed: false }
        };
        (0..3).map(axis).collect()
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |length: f64, x| length.hypot(*x))
}

/// A point given in the axes of a pose (x, y, z, quaternion).
pub(super) fn posed(pose: &[f64], p: [f64; 3]) -> [f64; 3] {
    let turned = so3::rotate(&[pose[3], pose[4], pose[5], pose[6]], &p);
    [pose[0] + turned[0], pose[1] + turned[1], pose[2] + turned[2]]
}

/// The corners of a box (x, y, cos, sin, edges) of the plane.
fn rectangle(x: &[f64]) -> [f64; 8] {
    let (c, s, a, b) = (x[2], x[3], x[4] / 2.0, x[5] / 2.0);
    let mut corners = [0.0; 8];
    for (corner, (u, v)) in corners.chunks_exact_mut(2).zip([(a, b), (-a, b), (-a, -b), (a, -b)]) {
        corner.copy_from_slice(&[x[0] + c * u - s * v, x[1] + s * u + c * v]);
    }
    corners
}
