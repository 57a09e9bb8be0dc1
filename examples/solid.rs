//! A block of rubber with a hole, held at one end: 2575 tetrahedra from a file of Gmsh, which hang under their weight.
//!
//! `cargo run --release -p ode-model-large --example solid` compares bars with closed forms, and finds by Newton's
//! method where the block comes to rest. `target/gallery/solid.vtu` is its shape, for ParaView. `-- swing` lets it fall
//! from where it is without load, and writes `target/gallery/solid.pvd`, a second in 100 files. `-- small` does all of
//! it on few tetrahedra.
//!
//! `examples/data/bracket.msh` was made by Gmsh 4.15 from the text beside it.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use ode_model::prelude::*;
use ode_model::{
    Residual,
    analysis::{Eigenmodes, Stability},
    mesh::{Cells, Field, Kind, Mesh, Series},
};

model! {
    /// A compressible neo-Hookean solid of linear tetrahedra.
    pub struct Solid {
        set nodes;
        set tets: (nodes, nodes, nodes, nodes);
        set held: nodes;
        /// nodes that cannot move along x, y and z
        set rollers_x: nodes;
        set rollers_y: nodes;
        set rollers_z: nodes;
        /// Lamé's numbers
        param mu: Real [Pa];
        param lambda: Real [Pa];
        param g: Real [m/s^2] = 9.81;
        /// of a node: its share of the mass, where it is without load, and what pulls on it
        param m[nodes]: Real [kg];
        param p[nodes]: Vec3 [m];
        param load[nodes]: Vec3 [N] = vec3(0.0, 0.0, 0.0);
        /// of a tetrahedron: its volume, and the gradients of its shape functions as rows
        param volume[tets]: Real [m^3];
        param shape[tets]: Mat3 [1/m];
        coord (x, v)[nodes]: Vec3 [m];
        for i in nodes {
            kinetic = 0.5 * m[i] * v[i].dot(v[i]);
            potential = m[i] * g * x[i].z - load[i].dot(x[i]);
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
            let grown = ln(f1.dot(f2.cross(f3)));
            potential = volume[e] * (0.5 * mu * (i1 - 3.0 - 2.0 * grown) + 0.5 * lambda * sq(grown));
        }
        for i in held {
            fix x[i] = p[i];
        }
        for i in rollers_x {
            constraint wall_x: x[i].x == p[i].x;
        }
        for i in rollers_y {
            constraint wall_y: x[i].y == p[i].y;
        }
        for i in rollers_z {
            constraint wall_z: x[i].z == p[i].z;
        }
    }
}

/// What it is made of: Young's modulus in Pa, Poisson's number, and density in kg/m³.
struct Material {
    young: f64,
    poisson: f64,
    density: f64,
}

const RUBBER: Material = Material { young: 3e5, poisson: 0.4, density: 1000.0 };

impl Material {
    /// Lamé's numbers μ and λ.
    fn lame(&self) -> [f64; 2] {
        let mu = 0.5 * self.young / (1.0 + self.poisson);
        [mu, 2.0 * mu * self.poisson / (1.0 - 2.0 * self.poisson)]
    }
}

/// A solid of a mesh, without anything that holds it.
fn solid(mesh: &Mesh, of: &Material) -> Result<solid::Builder, Box<dyn Error>> {
    let [mu, lambda] = of.lame();
    let builder = Solid::builder()
        .nodes(mesh.points().len())
        .tets(mesh.tetrahedra()?)
        .held([])
        .rollers_x([])
        .rollers_y([])
        .rollers_z([])
        .mu(mu)
        .lambda(lambda)
        .m(mesh.shares()?.iter().map(|share| of.density * share))
        .p(mesh.points().to_vec())
        .volume(mesh.volumes()?)
        .shape(mesh.gradients()?);
    Ok(builder)
}

/// A solid on rollers, on the coordinate planes through a corner.
fn free(mesh: &Mesh, of: &Material, corner: [f64; 3]) -> Result<solid::Builder, Box<dyn Error>> {
    let [x, y, z] = std::array::from_fn(|k| mesh.nodes_where(|p| (p[k] - corner[k]).abs() < 1e-12));
    Ok(solid(mesh, of)?.rollers_x(x).rollers_y(y).rollers_z(z))
}

/// The state without load.
fn unloaded(solid: &Solid) -> State<Solid> {
    let mut x = State::neutral(solid);
    solid.guess(&mut x.q, &mut x.v, &mut x.z);
    x
}

/// Largest force that nothing balances, in N.
fn unbalanced(solid: &Solid, x: &State<Solid>) -> f64 {
    let mut residual = Residual::zeros(&solid.layout());
    solid.residual(x.point(), x.rates(), &mut residual);
    residual.r.iter().fold(0.0, |most, r| most.max(r.abs()))
}

/// Where it comes to rest. Steps that do not help are halved; near the end each residual is as the square of the one
/// before, because the tangent is exact.
fn settle(solid: &Solid) -> Result<State<Solid>, Box<dyn Error>> {
    let mut left = Vec::new();
    let clock = Instant::now();
    let (x, found) =
        Statics::default().watched(solid, &Nominal, unloaded(solid), |x| left.push(unbalanced(solid, x)))?;
    println!("    {} iterations in {:.1} s leave, in N,", found.iterations, clock.elapsed().as_secs_f64());
    assert_eq!(found.stability, Stability::Stable);
    println!("    {}", left.iter().map(|r| format!("{r:.1e}")).collect::<Vec<_>>().join(", "));
    let relative: Vec<f64> = left.iter().map(|r| r / left[0]).collect();
    let near = relative.windows(2).filter(|two| two[0] < 1e-2);
    assert!(near.clone().count() >= 1 && near.into_iter().all(|two| two[1] < 20.0 * two[0].powi(2) + 1e-9));
    Ok(x)
}

/// A bar that is pulled: half as long again, against the one number that its uniform stretch follows from.
fn pull(bricks: [usize; 3]) -> Result<(), Box<dyn Error>> {
    let size = [1.0, 0.2, 0.2];
    let mesh = Mesh::block(size, bricks)?;
    let [mu, lambda] = RUBBER.lame();
    // across a the bar is free: ∂ψ/∂b = 0 with the stretches a, b, b
    let (a, mut b) = (1.5, 1.0);
    for _ in 0..50 {
        let slope = |b: f64| mu * (b * b - 1.0) + lambda * (a * b * b).ln();
        b -= slope(b) / (2.0 * mu * b + 2.0 * lambda / b);
    }
    let traction = mu * (a - 1.0 / a) + lambda * (a * b * b).ln() / a;

    // on each face of the end a third of its force for each corner
    let mut load = vec![[0.0; 3]; mesh.points().len()];
    let end = |face: &[usize; 3]| face.iter().all(|&node| mesh.points()[node][0] == size[0]);
    let faces = Cells { triangles: mesh.surface()?.into_iter().filter(end).collect(), ..Cells::default() };
    let faces = Mesh::new(mesh.points().to_vec(), faces)?;
    for (face, area) in faces.triangles()?.iter().zip(faces.areas()?) {
        face.iter().for_each(|&node| load[node][0] += traction * area / 3.0);
    }
    let bar = free(&mesh, &RUBBER, [0.0; 3])?.load(load).g(0.0).build()?;
    println!("a bar of {} tetrahedra is pulled by {traction:.0} Pa:", bar.tets().len());
    let x = settle(&bar)?;
    let off = bar.x(&x.q).iter().zip(mesh.points()).fold(0.0_f64, |most, (x, p)| {
        most.max((x[0] - a * p[0]).abs()).max((x[1] - b * p[1]).abs()).max((x[2] - b * p[2]).abs())
    });
    println!("    stretches {a} and {b:.6}, nodes are {off:.1e} m off");
    assert!(off < 1e-9);
    Ok(())
}

/// A stiff bar that hangs from its top: ρ g L²/2E longer.
fn hang(bricks: [usize; 3]) -> Result<(), Box<dyn Error>> {
    let (length, steel) = (1.0, Material { young: 1e7, poisson: 0.0, density: 1000.0 });
    let mesh = Mesh::block([0.1, 0.1, length], bricks)?;
    let bar = free(&mesh, &steel, [0.0, 0.0, length])?.build()?;
    println!("a bar of {} tetrahedra hangs:", bar.tets().len());
    let x = settle(&bar)?;
    let foot = mesh.nodes_where(|p| p[2] == 0.0);
    let longer = foot.iter().map(|&node| -bar.x(&x.q)[node][2]).sum::<f64>() / foot.len() as f64;
    let expected = steel.density * bar.g * length.powi(2) / (2.0 * steel.young);
    println!("    {longer:.6e} m longer, by hand {expected:.6e} m");
    assert!((longer / expected - 1.0).abs() < 1e-3);
    Ok(())
}

/// A bar that is held at one end and let ring: its first mode bends it at 3.516 √(E I/ρ A L⁴) in either direction, as
/// Euler and Bernoulli say of slender bars. Linear tetrahedra are too stiff where they bend, the less the finer.
fn ring(bricks: [usize; 3], within: f64) -> Result<(), Box<dyn Error>> {
    let (length, width, of) = (1.0, 0.1, Material { young: 1e7, poisson: 0.0, density: 1000.0 });
    let mesh = Mesh::block([width, width, length], bricks)?;
    let bar = solid(&mesh, &of)?.held(mesh.nodes_where(|p| p[2] == 0.0)).g(0.0).build()?;
    let (x, _) = Statics { residual: 1e-9, ..Statics::default() }.solve(&bar, &Nominal, unloaded(&bar))?;
    let modes = Eigenmodes::lowest(&bar, &Nominal, &x, 1e-9, 2)?;
    let expected = 3.516 * (of.young * width.powi(2) / (12.0 * of.density)).sqrt() / length.powi(2);
    let found = modes.frequencies();
    println!("a bar of {} tetrahedra rings at {found:.3?} rad/s, by hand {expected:.3} rad/s", bar.tets().len());
    assert!(found.iter().all(|w| *w > 0.98 * expected && *w < within * expected));
    Ok(())
}

/// Mean stretch of each tetrahedron, √(tr FᵀF / 3).
fn stretches(solid: &Solid, x: &[[f64; 3]]) -> Vec<f64> {
    let of = |(&[a, b, c, d], shape): (&[usize; 4], &[[f64; 3]; 3])| {
        let edges = [b, c, d].map(|node| -> [f64; 3] { std::array::from_fn(|k| x[node][k] - x[a][k]) });
        let entry = |i: usize, j: usize| (0..3).map(|k| edges[k][i] * shape[k][j]).sum::<f64>();
        ((0..9).map(|ij| entry(ij / 3, ij % 3).powi(2)).sum::<f64>() / 3.0).sqrt()
    };
    solid.tets().iter().zip(solid.shape.iter()).map(of).collect()
}

/// A block held at x = 0.
fn block(mesh: &Mesh) -> Result<Solid, Box<dyn Error>> {
    Ok(solid(mesh, &RUBBER)?.held(mesh.nodes_where(|p| p[0] < 1e-9)).build()?)
}

/// The block sags, and what holds it carries its weight.
fn sag(mesh: &Mesh, file: &Path) -> Result<(), Box<dyn Error>> {
    let block = block(mesh)?;
    println!("a block of {} tetrahedra sags:", block.tets().len());
    let x = settle(&block)?;
    let lowest = block.x(&x.q).iter().fold(f64::INFINITY, |least, x| least.min(x[2]));
    let (weight, carried) = (block.g * block.m.iter().sum::<f64>(), x.lambda.iter().skip(2).step_by(3).sum::<f64>());
    println!("    to {lowest:.4} m, {weight:.6} N on what holds it: {carried:.6} N");
    assert!((carried / weight - 1.0).abs() < 1e-9);
    let stretch = stretches(&block, block.x(&x.q));
    let shape = Mesh::new(block.x(&x.q).to_vec(), mesh.cells().clone())?;
    shape.write(file, &[Field::scalars("stretch", &stretch).of_cells()])?;
    Ok(())
}

/// The same block falls from where it is without load: so many frames of 0.01 s.
fn swing(mesh: &Mesh, file: &Path, frames: u32) -> Result<(), Box<dyn Error>> {
    let block = block(mesh)?;
    let mut series = Series::new(file, mesh)?;
    let mut run = Simulation::of(&block, GeneralizedAlpha::with_spectral_radius(0.8)).fixed(0.01)?;
    let total = |x: &State<Solid>| {
        let energy = block.energy(x.point());
        (energy.kinetic, energy.kinetic + energy.potential)
    };
    let (_, before) = total(run.state());
    let mut fastest = 0.0_f64;
    for frame in 0..=frames {
        run.advance_to(0.01 * f64::from(frame))?;
        let x = run.state();
        let (points, stretch) = (block.x(&x.q), stretches(&block, block.x(&x.q)));
        let fields = [Field::vectors("velocity", block.v(&x.v)), Field::scalars("stretch", &stretch).of_cells()];
        series.write(x.t, points, &fields)?;
        fastest = fastest.max(total(x).0);
    }
    let (_, after) = total(run.state());
    println!("a fall of {} s: energy changes by {:.1e} of what moved", run.state().t, (after - before) / fastest);
    assert!((after - before).abs() < 2e-2 * fastest);
    Ok(())
}

/// All of it at a small size, with files in a folder.
pub(crate) fn small(folder: &Path) -> Result<(), Box<dyn Error>> {
    pull([4, 1, 1])?;
    hang([1, 1, 8])?;
    ring([3, 3, 20], 1.3)?;
    let block = Mesh::block([0.4, 0.1, 0.1], [6, 2, 2])?;
    sag(&block, &folder.join("solid.vtu"))?;
    swing(&block, &folder.join("solid.pvd"), 5)?;
    let last = Mesh::read(folder.join("solid/000005.vtu"))?;
    assert_eq!(last.cells(), block.cells());
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new("target/gallery");
    let asked = std::env::args().nth(1);
    if asked.as_deref() == Some("small") {
        return small(folder);
    }
    pull([10, 2, 2])?;
    hang([2, 2, 20])?;
    ring([4, 4, 40], 1.15)?;
    let mesh = Mesh::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/bracket.msh"))?;
    let mesh = mesh.only(Kind::Tetrahedron)?;
    if asked.as_deref() == Some("swing") {
        return swing(&mesh, &folder.join("solid.pvd"), 100);
    }
    sag(&mesh, &folder.join("solid.vtu"))
}
