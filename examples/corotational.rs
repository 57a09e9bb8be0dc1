//! A bar of corotational tetrahedra, with the exact tangent, twisted by its ends.
//!
//! `cargo run --release -p ode-model-large --example corotational`. The energy ψ = μ ‖F − R‖² + λ/2 (tr S − 3)² is that
//! of linear elasticity in a frame that turns with the element, F = R S. It needs no R: ‖F − R‖² = tr FᵀF − 2 tr S + 3,
//! and tr S is the largest root of a quartic in the invariants of FᵀF. That root is an `extern fn`, whose derivatives
//! are those of an implicit function, so K lacks no term. Many programs leave those of R out.
//!
//! Reference: B. Smith, F. de Goes, T. Kim, Analytic Eigensystems for Isotropic Distortion Energies, ACM Trans. Graph.
//! 38 (2019), on ψ by invariants of S.

use std::error::Error;
use std::path::Path;

use ode_model::prelude::*;
use ode_model::{
    Residual,
    mesh::{Mesh, Series},
};

model! {
    /// A solid of linear tetrahedra that turn as they like, moved by some of its nodes.
    pub struct Corotational {
        set nodes;
        set tets: (nodes, nodes, nodes, nodes);
        set driven: nodes;
        /// Lamé's numbers
        param mu: Real [Pa];
        param lambda: Real [Pa];
        param m[nodes]: Real [kg];
        param p[nodes]: Vec3 [m];
        param volume[tets]: Real [m^3];
        param shape[tets]: Mat3 [1/m];
        /// how driven nodes are put, and how fast each turns about the x axis
        param stretch: Vec3 = vec3(1.0, 1.0, 1.0);
        param turn[driven]: Real [rad/s];
        coord (x, v)[nodes]: Vec3 [m];
        extern fn trace_of_stretch(i1: Real, i2: Real, j: Real) -> Real {
            value: trace_of_stretch, gradient: trace_gradient, hessian: trace_hessian
        }
        for i in nodes {
            kinetic = 0.5 * m[i] * v[i].dot(v[i]);
            guess x[i] = p[i];
        }
        for e @ (a, b, c, d) in tets {
            let d1 = x[b] - x[a];
            let d2 = x[c] - x[a];
            let d3 = x[d] - x[a];
            // the columns of the deformation gradient F = [d1 d2 d3] shape
            let s1 = shape[e] * vec3(1.0, 0.0, 0.0);
            let s2 = shape[e] * vec3(0.0, 1.0, 0.0);
            let s3 = shape[e] * vec3(0.0, 0.0, 1.0);
            let f1 = s1.x * d1 + s1.y * d2 + s1.z * d3;
            let f2 = s2.x * d1 + s2.y * d2 + s2.z * d3;
            let f3 = s3.x * d1 + s3.y * d2 + s3.z * d3;
            let i1 = f1.dot(f1) + f2.dot(f2) + f3.dot(f3);
            // the minors of FᵀF: squares of the areas that pairs of columns span
            let n1 = f2.cross(f3);
            let n2 = f3.cross(f1);
            let n3 = f1.cross(f2);
            let i2 = n1.dot(n1) + n2.dot(n2) + n3.dot(n3);
            let s = trace_of_stretch(i1, i2, f1.dot(n1));
            potential = volume[e] * (mu * (i1 - 2.0 * s + 3.0) + 0.5 * lambda * sq(s - 3.0));
        }
        for h @ i in driven {
            fix x[i] = rot_x(turn[h] * t).rotate(vec3(stretch.x * p[i].x, stretch.y * p[i].y, stretch.z * p[i].z));
        }
    }
}

/// tr S of F = R S by i1 = tr FᵀF, i2 = ½ (i1² − tr (FᵀF)²) and j = det F: the largest root of
/// (s² − i1)² = 8 j s + 4 i2.
/// Beyond it the quartic is convex, and √(3 i1) is beyond it, so Newton's iterates fall to it.
fn trace_of_stretch(i1: f64, i2: f64, j: f64) -> f64 {
    let mut s = (3.0 * i1).sqrt();
    for _ in 0..100 {
        let a = s * s - i1;
        let next = s - (a * a - 8.0 * j * s - 4.0 * i2) / (4.0 * s * a - 8.0 * j);
        if next.partial_cmp(&s) != Some(std::cmp::Ordering::Less) {
            return s;
        }
        s = next;
    }
    s
}

/// Its slopes 1/(2 d) · (a, 1, 2 s), with a = ½ (s² − i1) and d = s a − j. It is positive unless two stretches vanish.
fn trace_gradient(i1: f64, i2: f64, j: f64) -> [f64; 3] {
    let s = trace_of_stretch(i1, i2, j);
    let a = 0.5 * (s * s - i1);
    let d = s * a - j;
    [0.5 * a / d, 0.5 / d, s / d]
}

/// The slopes of these.
fn trace_hessian(i1: f64, i2: f64, j: f64) -> [[f64; 3]; 3] {
    let s = trace_of_stretch(i1, i2, j);
    let a = 0.5 * (s * s - i1);
    let d = s * a - j;
    let slopes = [0.5 * a / d, 0.5 / d, s / d];
    let mut hessian = [[0.0; 3]; 3];
    for k in 0..3 {
        let along_s = slopes[k];
        let along_a = s * along_s - if k == 0 { 0.5 } else { 0.0 };
        let along_d = a * along_s + s * along_a - if k == 2 { 1.0 } else { 0.0 };
        hessian[0][k] = 0.5 * (along_a * d - a * along_d) / (d * d);
        hessian[1][k] = -0.5 * along_d / (d * d);
        hessian[2][k] = (along_s * d - s * along_d) / (d * d);
    }
    hessian
}

/// Young's modulus in Pa and Poisson's number.
const YOUNG: f64 = 1e5;
const POISSON: f64 = 0.3;

/// A bar whose driven nodes turn at these rates, in rad/s.
fn bar(mesh: &Mesh, driven: Vec<usize>, rate: impl Fn([f64; 3]) -> f64) -> Result<Corotational, Box<dyn Error>> {
    let mu = 0.5 * YOUNG / (1.0 + POISSON);
    Ok(Corotational::builder()
        .nodes(mesh.points().len())
        .tets(mesh.tetrahedra()?)
        .turn(driven.iter().map(|&node| rate(mesh.points()[node])).collect::<Vec<_>>())
        .driven(driven)
        .mu(mu)
        .lambda(2.0 * mu * POISSON / (1.0 - 2.0 * POISSON))
        .m(mesh.shares()?.iter().map(|share| 1000.0 * share))
        .p(mesh.points().to_vec())
        .volume(mesh.volumes()?)
        .shape(mesh.gradients()?)
        .build()?)
}

/// Equilibrium at time t from a state, and the forces that were left, in N.
fn settle(
    bar: &Corotational,
    t: f64,
    mut x: State<Corotational>,
) -> Result<(State<Corotational>, Vec<f64>), Box<dyn Error>> {
    x.t = t;
    let (mut left, mut residual) = (Vec::new(), Residual::zeros(&bar.layout()));
    let statics = Statics { judge: false, ..Statics::default() };
    let (x, _) = statics.watched(bar, &Nominal, x, |x| {
        bar.residual(x.point(), x.rates(), &mut residual);
        left.push(residual.r.iter().fold(0.0_f64, |most, r| most.max(r.abs())));
    })?;
    Ok((x, left))
}

fn unloaded(bar: &Corotational) -> State<Corotational> {
    let mut x = State::neutral(bar);
    bar.guess(&mut x.q, &mut x.v, &mut x.z);
    x
}

/// The whole surface is stretched and turned: the inside follows exactly, and the end is pulled by E A (a − 1).
fn patch(bricks: [usize; 3]) -> Result<(), Box<dyn Error>> {
    let mesh = Mesh::block([1.0, 0.2, 0.2], bricks)?;
    let mut bar = bar(&mesh, mesh.boundary(), |_| 1.0)?;
    let (a, t) = (1.3, 2.0_f64);
    let b = 1.0 - POISSON * (a - 1.0);
    bar.stretch = [a, b, b];
    // one step is enough for the nodes, and ends the search; the next begins with forces that balance there
    let (x, _) = settle(&bar, t, unloaded(&bar))?;
    let (x, left) = settle(&bar, t, x)?;
    let off = bar.x(&x.q).iter().zip(mesh.points()).fold(0.0_f64, |most, (x, p)| {
        let (y, z) = (b * (t.cos() * p[1] - t.sin() * p[2]), b * (t.sin() * p[1] + t.cos() * p[2]));
        most.max((x[0] - a * p[0]).abs()).max((x[1] - y).abs()).max((x[2] - z).abs())
    });
    let ends = bar.driven().iter().zip(x.lambda.as_chunks::<3>().0).filter(|(node, _)| mesh.points()[**node][0] == 1.0);
    let pull: f64 = ends.map(|(_, force)| force[0]).sum();
    let expected = YOUNG * 0.04 * (a - 1.0);
    println!("{} tetrahedra stretched and turned: inside {off:.1e} m off", bar.tets().len());
    println!("    the end is pulled by {pull:.9} N, by hand {expected:.9} N");
    assert!(off < 1e-12 && left[left.len() - 1] < 1e-9 && (pull / expected - 1.0).abs() < 1e-9);
    Ok(())
}

/// K along a direction, by the tangent and by differences of fourth order of the residual.
fn compare(bar: &Corotational, x: &State<Corotational>) -> f64 {
    let forces = |step: f64| {
        let mut at = x.clone();
        for (k, q) in at.q.iter_mut().enumerate() {
            *q += step * (1.7 * k as f64).sin();
        }
        let mut residual = Residual::zeros(&bar.layout());
        bar.residual(at.point(), at.rates(), &mut residual);
        residual.r.to_vec()
    };
    let h = 1e-4;
    let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|k| forces(k * h));
    let direction: Vec<f64> = (0..a.len()).map(|k| (1.7 * k as f64).sin()).collect();
    let k = bar.stiffness(x.point(), x.rates());
    let mut by_tangent = vec![0.0; a.len()];
    for (value, (row, column)) in &k {
        by_tangent[row] += value * direction[column];
    }
    let by_differences = |n: usize| (a[n] - d[n] + 8.0 * (c[n] - b[n])) / (12.0 * h);
    let largest = by_tangent.iter().fold(0.0_f64, |most, f| most.max(f.abs()));
    (0..a.len()).fold(0.0_f64, |most, n| most.max((by_tangent[n] - by_differences(n)).abs())) / largest
}

/// An end is turned by a right angle, step by step, and the torque is the slope of the energy.
fn twist(bricks: [usize; 3], file: &Path) -> Result<(), Box<dyn Error>> {
    let mesh = Mesh::block([1.0, 0.2, 0.2], bricks)?;
    // the axis is in the middle
    let points = mesh.points().iter().map(|&[x, y, z]| [x, y - 0.1, z - 0.1]).collect();
    let mesh = Mesh::new(points, mesh.cells().clone())?;
    let bar = bar(&mesh, mesh.nodes_where(|p| p[0] == 0.0 || p[0] == 1.0), |p| p[0])?;
    let mut series = Series::new(file, &mesh)?;
    let mut x = unloaded(&bar);
    println!("{} tetrahedra are twisted:", bar.tets().len());
    let mut left = Vec::new();
    for angle in [0.4, 0.8, 1.2, 1.6] {
        (x, left) = settle(&bar, angle, x)?;
        series.write(angle, bar.x(&x.q), &[])?;
    }
    println!(
        "    the last step leaves, in N, {}",
        left.iter().map(|r| format!("{r:.1e}")).collect::<Vec<_>>().join(", ")
    );
    let largest = left.iter().fold(0.0_f64, |most, &r| most.max(r));
    let relative: Vec<f64> = left.iter().skip(1).map(|r| r / largest).collect();
    let near: Vec<&[f64]> = relative.windows(2).filter(|two| two[0] < 1e-2).collect();
    assert!(near.len() > 1 && near.iter().all(|two| two[1] < 20.0 * two[0].powi(2) + 1e-10));

    let off = compare(&bar, &x);
    println!("    K is within {off:.1e} of differences");
    assert!(off < 1e-8);

    let forces = x.lambda.as_chunks::<3>().0;
    let torque: f64 = bar
        .driven()
        .iter()
        .zip(forces)
        .zip(bar.turn.iter())
        .map(|((i, f), turn)| {
            let at = bar.x(&x.q)[*i];
            turn * (at[1] * f[2] - at[2] * f[1])
        })
        .sum();
    let energy = |angle: f64| -> Result<f64, Box<dyn Error>> {
        let (x, _) = settle(&bar, angle, x.clone())?;
        Ok(bar.energy(x.point()).potential)
    };
    let slope = (energy(1.6 - 0.02)? - energy(1.6 + 0.02)? + 8.0 * (energy(1.6 + 0.01)? - energy(1.6 - 0.01)?)) / 0.12;
    println!("    torque {torque:.6} N m, slope of the energy {slope:.6} N m");
    assert!((torque / slope - 1.0).abs() < 1e-6);
    Ok(())
}

/// All of it at a size, with files in a folder.
pub(crate) fn turn(bricks: [usize; 3], folder: &Path) -> Result<(), Box<dyn Error>> {
    patch(bricks)?;
    twist(bricks, &folder.join("corotational.pvd"))
}

fn main() -> Result<(), Box<dyn Error>> {
    turn([10, 2, 2], Path::new("target/gallery"))
}
