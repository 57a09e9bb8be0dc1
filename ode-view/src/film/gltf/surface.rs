//! The surfaces of unit solids, as triangles, and the lines of what has no surface.

use std::f64::consts::{PI, TAU};

use super::placed::Solid;

/// Corners of a circle.
const AROUND: usize = 24;
/// Turns of a coil.
const COILS: usize = 6;

/// A radius and a height.
type Pair = (f64, f64);

/// Triangles, or a line through the points.
pub(super) struct Surface {
    pub(super) points: Vec<[f64; 3]>,
    /// outward; none for a line
    pub(super) normals: Vec<[f64; 3]>,
    /// three for a triangle; none for a line
    pub(super) triangles: Vec<u16>,
}

impl Surface {
    /// Nothing for what cannot be seen.
    pub(super) fn of(solid: Solid) -> Option<Self> {
        Some(match solid {
            Solid::Ball => {
                let band = |k: usize| (PI * k as f64 / 12.0).sin_cos();
                Self::turned(&(0..=12).map(|k| (band(k), band(k))).collect::<Vec<_>>())
            }
            // Along the axis outward, along the side, and back: an edge has two normals.
            Solid::Rod => {
                let (out, up, down) = ((1.0, 0.0), (0.0, 1.0), (0.0, -1.0));
                let profile = [((0.0, 1.0), up), ((1.0, 1.0), up), ((1.0, 1.0), out), ((1.0, 0.0), out)];
                Self::turned(&[&profile[..], &[((1.0, 0.0), down), ((0.0, 0.0), down)]].concat())
            }
            Solid::Cone => {
                let (side, down) = ((0.5_f64.sqrt(), 0.5_f64.sqrt()), (0.0, -1.0));
                Self::turned(&[((0.0, 1.0), side), ((1.0, 0.0), side), ((1.0, 0.0), down), ((0.0, 0.0), down)])
            }
            Solid::Cube => Self::cube(),
            Solid::Ring => {
                let corner = |k: usize| (TAU * k as f64 / AROUND as f64).sin_cos();
                Self::line((0..=AROUND).map(|k| [corner(k).1, corner(k).0, 0.0]).collect())
            }
            Solid::Coil => {
                let count = COILS * AROUND;
                let corner = |k: usize| {
                    let (s, c) = (TAU * k as f64 / AROUND as f64).sin_cos();
                    [c, s, k as f64 / count as f64]
                };
                Self::line((0..=count).map(corner).collect())
            }
            Solid::Place => return None,
        })
    }

    fn line(points: Vec<[f64; 3]>) -> Self {
        Self { points, normals: Vec::new(), triangles: Vec::new() }
    }

    /// A profile of pairs (radius, z), each with its normal, from the top to the bottom, turned about the z axis.
    fn turned(profile: &[(Pair, Pair)]) -> Self {
        let mut surface = Self::line(Vec::new());
        for k in 0..=AROUND {
            let (s, c) = (TAU * k as f64 / AROUND as f64).sin_cos();
            for &((r, z), (out, up)) in profile {
                surface.points.push([r * c, r * s, z]);
                surface.normals.push([out * c, out * s, up]);
            }
        }
        let n = profile.len() as u16;
        for k in 0..AROUND as u16 {
            for i in 0..n - 1 {
                let (a, b) = (k * n + i, (k + 1) * n + i);
                surface.triangles.extend([a, a + 1, b, b, a + 1, b + 1]);
            }
        }
        surface
    }

    fn cube() -> Self {
        let mut surface = Self::line(Vec::new());
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let first = surface.points.len() as u16;
                for (u, v) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
                    let (mut point, mut normal) = ([0.0; 3], [0.0; 3]);
                    (point[axis], point[(axis + 1) % 3], point[(axis + 2) % 3]) = (0.5 * side, u, v);
                    normal[axis] = side;
                    surface.points.push(point);
                    surface.normals.push(normal);
                }
                let order: [u16; 6] = if side > 0.0 { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
                surface.triangles.extend(order.map(|corner| first + corner));
            }
        }
        surface
    }
}
