//! Three struts that float among nine cables: a tensegrity from a Wavefront file, whose lines are its members.
//!
//! `cargo run --release -p ode-model-large --example tensegrity`. To a turn of its top the prism is stiff by the
//! tension of its cables alone, which is in K = ∂r/∂q and not in the stiffness of its members. Newton's method finds
//! its shape from a bad guess, and `target/gallery/tensegrity.vtu` has it for ParaView, with the forces.

use std::error::Error;
use std::path::Path;

use ode_model::prelude::*;
use ode_model::{
    Residual,
    analysis::Stability,
    mesh::{Cells, Field, Mesh},
};

model! {
    /// Struts, and cables that do not push.
    pub struct Tensegrity {
        set nodes;
        set struts: (nodes, nodes);
        set cables: (nodes, nodes);
        set held: nodes;
        param m: Real [kg] = 0.1;
        /// stiffness times length, of struts and cables
        param ea: Real [N] = 1.0e5;
        param ca: Real [N] = 1.0e4;
        /// lengths without load
        param long[struts]: Real [m];
        param rest[cables]: Real [m];
        param p[nodes]: Vec3 [m];
        param load[nodes]: Vec3 [N] = vec3(0.0, 0.0, 0.0);
        coord (x, v)[nodes]: Vec3 [m];
        for i in nodes {
            kinetic = 0.5 * m * v[i].dot(v[i]);
            potential = -load[i].dot(x[i]);
            guess x[i] = p[i];
        }
        for s @ (i, j) in struts {
            potential = 0.5 * ea / long[s] * sq(norm(x[j] - x[i]) - long[s]);
        }
        for c @ (i, j) in cables {
            let longer = norm(x[j] - x[i]) - rest[c];
            potential = if longer > 0.0 { 0.5 * ca / rest[c] * sq(longer) } else { 0.0 };
        }
        for i in held {
            fix x[i] = p[i];
        }
    }
}

/// The first lines of the file are the struts.
const STRUTS: usize = 3;

/// The prism of a mesh, its lower nodes held: struts of 2.2 m, cables of 1.6 m around and of 1 m upwards.
fn prism(mesh: &Mesh) -> Result<Tensegrity, Box<dyn Error>> {
    let lines = mesh.lines()?;
    let (struts, cables) = lines.split_at(STRUTS);
    let level = |&[i, j]: &[usize; 2]| mesh.points()[i][2] == mesh.points()[j][2];
    Ok(Tensegrity::builder()
        .nodes(mesh.points().len())
        .struts(struts.to_vec())
        .cables(cables.to_vec())
        .held(mesh.nodes_where(|p| p[2] == 0.0))
        .long(vec![2.2; struts.len()])
        .rest(cables.iter().map(|cable| if level(cable) { 1.6 } else { 1.0 }))
        .p(mesh.points().to_vec())
        .build()?)
}

/// Pull of each member in N, in the order of the file; struts push.
fn pulls(prism: &Tensegrity, x: &[[f64; 3]]) -> Vec<f64> {
    let length = |&[i, j]: &[usize; 2]| (0..3).map(|k| (x[j][k] - x[i][k]).powi(2)).sum::<f64>().sqrt();
    let struts = prism.struts().iter().zip(prism.long.iter()).map(|(s, long)| prism.ea * (length(s) / long - 1.0));
    let cables = prism.cables().iter().zip(prism.rest.iter());
    struts.chain(cables.map(|(c, rest)| (prism.ca * (length(c) / rest - 1.0)).max(0.0))).collect()
}

/// Its shape, by Newton's method: near the end each residual is as the square of the one before.
fn settle(prism: &Tensegrity) -> Result<State<Tensegrity>, Box<dyn Error>> {
    let mut start = State::neutral(prism);
    prism.guess(&mut start.q, &mut start.v, &mut start.z);
    let (mut left, mut residual) = (Vec::new(), Residual::zeros(&prism.layout()));
    let (x, found) = Statics::default().watched(prism, &Nominal, start, |x| {
        prism.residual(x.point(), x.rates(), &mut residual);
        left.push(residual.r.iter().fold(0.0_f64, |most, r| most.max(r.abs())));
    })?;
    println!("{} iterations leave, in N,", found.iterations);
    println!("    {}", left.iter().map(|r| format!("{r:.1e}")).collect::<Vec<_>>().join(", "));
    let near: Vec<&[f64]> = left.windows(2).filter(|two| two[0] < 100.0).collect();
    assert!(near.len() > 1 && near.iter().all(|two| two[1] < 1e-2 * two[0].powi(2) + 1e-8));
    assert_eq!(found.stability, Stability::Stable);
    Ok(x)
}

/// The prism at rest, with a folder for its picture.
pub(crate) fn float(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mesh = Mesh::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/prism.obj"))?;
    let mut prism = prism(&mesh)?;
    let state = settle(&prism)?;
    let x = prism.x(&state.q);

    // forces on a node of the top balance where a strut turns by 150 degrees, whatever it is made of
    let [i, j] = prism.struts()[0];
    let turn = (x[j][1].atan2(x[j][0]) - x[i][1].atan2(x[i][0])).to_degrees();
    let pulls = pulls(&prism, x);
    println!("struts turn by {turn:.9} degrees; pulls in N: {pulls:.2?}");
    assert!((turn - 150.0).abs() < 1e-7);
    // and upwards, strut and cable on one node: forces by length are opposite
    let of = |member: usize, [i, j]: [usize; 2]| {
        pulls[member] / (0..3).map(|k| (x[j][k] - x[i][k]).powi(2)).sum::<f64>().sqrt()
    };
    let upward = prism.cables().len() - STRUTS;
    let both = of(0, prism.struts()[0]) + of(STRUTS + upward, prism.cables()[upward]);
    assert!(both.abs() < 1e-8 && pulls[STRUTS..].iter().all(|&pull| pull > 0.0));

    let shape = Mesh::new(x.to_vec(), Cells { lines: mesh.lines()?, ..Cells::default() })?;
    shape.write(folder.join("tensegrity.vtu"), &[Field::scalars("pull", &pulls).of_cells()])?;

    // a weight on the top
    prism.load.iter_mut().skip(STRUTS).for_each(|load| load[2] = -50.0);
    let loaded = settle(&prism)?;
    let carried: f64 = loaded.lambda.iter().skip(2).step_by(3).sum();
    println!("under 150 N it sinks by {:.4} m, and is carried with {carried:.6} N", x[j][2] - prism.x(&loaded.q)[j][2]);
    assert!((carried - 150.0).abs() < 1e-6);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    float(Path::new("target/gallery"))
}
