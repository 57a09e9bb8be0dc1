//! A lattice mast of a thousand bars: three legs, braced by rings and diagonals, loaded by weights and wind.
//!
//! `cargo run --release -p ode-model-large --example truss`. Its equilibrium is found by Newton's method, which
//! converges quadratically, and compared with closed forms. Then the loads are put on at once, and it sways in five
//! methods.

use std::error::Error;
use std::f64::consts::TAU;
use std::time::Instant;

use ode_model::prelude::*;
use ode_model::{Method, Residual};

model! {
    /// Bars with stiffness and damping between nodes.
    pub struct Truss {
        set nodes;
        set bars: (nodes, nodes);
        set supports: nodes;
        param m: Real [kg] = 40.0;
        /// of a bar: Young's modulus times area, its length, and damping as a time, c = lag k
        param ea: Real [N] = 1.0e8;
        param rest[bars]: Real [m];
        param lag: Real [s] = 1.0e-4;
        /// where nodes are without load, and what pulls on them
        param p[nodes]: Vec3 [m];
        param load[nodes]: Vec3 [N];
        coord (x, v)[nodes]: Vec3 [m];
        for i in nodes {
            kinetic = 0.5 * m * v[i].dot(v[i]);
            potential = -load[i].dot(x[i]);
            guess x[i] = p[i];
        }
        for b @ (i, j) in bars {
            let length = norm(x[j] - x[i]);
            potential = 0.5 * ea / rest[b] * sq(length - rest[b]);
            dissipation = 0.5 * lag * ea / rest[b] * sq(der(length));
        }
        for i in supports {
            fix x[i] = p[i];
        }
    }
}

/// A storey, in m, and its legs.
const HEIGHT: f64 = 1.5;
const LEGS: usize = 3;

/// A mast of so many storeys. What a node weighs, what stands on each node of the top, and the wind on a node are in N.
/// Each storey has as many bars as unknowns: 3 for each leg.
fn mast(storeys: usize, [weight, top, wind]: [f64; 3]) -> Result<Truss, Box<dyn Error>> {
    let node = |storey: usize, leg: usize| storey * LEGS + leg % LEGS;
    let (mut places, mut bars, mut loads) = (Vec::new(), Vec::new(), Vec::new());
    for storey in 0..=storeys {
        for leg in 0..LEGS {
            let angle = TAU * leg as f64 / LEGS as f64;
            places.push([4.0 * angle.cos(), 4.0 * angle.sin(), HEIGHT * storey as f64]);
            loads.push([wind, 0.0, -weight - if storey == storeys { top } else { 0.0 }]);
            if storey > 0 {
                let own = node(storey, leg);
                bars.push([node(storey - 1, leg), own]);
                bars.push([node(storey - 1, leg + 1), own]);
                bars.push([own, node(storey, leg + 1)]);
            }
        }
    }
    let lengths: Vec<f64> = bars.iter().map(|&[i, j]| norm(less(places[j], places[i]))).collect();
    let builder = Truss::builder().nodes(places.len()).bars(bars).supports(0..LEGS);
    Ok(builder.rest(lengths).p(places).load(loads).build()?)
}

fn less(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

fn norm(a: [f64; 3]) -> f64 {
    a.iter().map(|a| a * a).sum::<f64>().sqrt()
}

/// Largest distance of coordinates.
fn apart(a: &State<Truss>, b: &State<Truss>) -> f64 {
    a.q.iter().zip(&b.q).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

/// Largest force that nothing balances.
fn unbalanced(truss: &Truss, x: &State<Truss>) -> f64 {
    let mut residual = Residual::zeros(&truss.layout());
    truss.residual(x.point(), x.rates(), &mut residual);
    residual.r.iter().fold(0.0, |most, r| most.max(r.abs()))
}

/// The unloaded state.
fn unloaded(truss: &Truss) -> State<Truss> {
    let mut x = State::neutral(truss);
    truss.guess(&mut x.q, &mut x.v, &mut x.z);
    x
}

/// The equilibrium under all loads, compared with what statics knows of it.
fn stand(truss: &Truss) -> Result<State<Truss>, Box<dyn Error>> {
    let mut seen = Vec::new();
    let statics = Statics { judge: false, ..Statics::default() };
    let (x, found) = statics.watched(truss, &Nominal, unloaded(truss), |x| seen.push(x.clone()))?;
    let moves: Vec<f64> = seen.windows(2).map(|two| apart(&two[0], &two[1])).collect();
    println!("{} bars, {} iterations of Newton's method:", truss.bars().len(), found.iterations);
    for (moved, x) in moves.iter().zip(&seen[1..]) {
        println!("    moves {moved:.1e} m, leaves {:.1e} N unbalanced", unbalanced(truss, x));
    }
    assert!(moves.windows(2).all(|two| two[1] < 5.0 * two[0].powi(2) + 1e-10), "each is the square of the one before");

    // the supports carry what pulls at the nodes, and its moment about the foot where nodes are now
    let (mut force, mut moment) = ([0.0; 3], [0.0; 3]);
    let reactions = x.lambda.as_chunks().0;
    let pulls = truss.load.iter().zip(truss.x(&x.q));
    for (f, at) in pulls.chain(reactions.iter().zip(truss.x(&x.q))) {
        for k in 0..3 {
            force[k] += f[k];
            moment[k] += at[(k + 1) % 3] * f[(k + 2) % 3] - at[(k + 2) % 3] * f[(k + 1) % 3];
        }
    }
    let (force, moment, tip) = (norm(force), norm(moment), truss.x(&x.q)[truss.nodes() - 1]);
    println!("balance to {force:.1e} N and {moment:.1e} N m; the top sinks and leans to {tip:.3?}");
    assert!(force < 1e-5 && moment < 1e-4);
    Ok(x)
}

/// Small displacements under weights on the top alone: bars are as many as unknowns, so only legs carry them.
fn compress(storeys: usize) -> Result<(), Box<dyn Error>> {
    let truss = mast(storeys, [0.0, 1.0, 0.0])?;
    let x = Statics::linear(&truss, &Nominal, unloaded(&truss))?;
    let height = HEIGHT * storeys as f64;
    let sinks = height - truss.x(&x.q)[truss.nodes() - 1][2];
    let expected = height / truss.ea;
    println!("a newton on each leg: sinks {sinks:.9e} m, by hand {expected:.9e} m");
    assert!((sinks / expected - 1.0).abs() < 1e-6);
    Ok(())
}

/// Runs from the unloaded state, and fails where work, energy and heat do not balance.
fn sway<M: Method<Truss>>(truss: &Truss, (name, bound): (&str, f64), method: M) -> Result<(), Box<dyn Error>> {
    let (step, end) = (2e-4, 0.04);
    let total = |x: &State<Truss>| {
        let energy = truss.energy(x.point());
        (energy.kinetic + energy.potential, energy.dissipation)
    };
    let clock = Instant::now();
    let mut run = Simulation::of(truss, method).fixed(step)?;
    let (before, mut power) = total(run.state());
    let (mut heat, mut after) = (0.0, before);
    run.run(end, step, |x| {
        let (energy, now) = total(x);
        heat += 0.5 * step * (power + now);
        (after, power) = (energy, now);
    })?;
    let off = (after + heat - before) / heat;
    println!("{name:<20} {:>8.2} {heat:>8.1} {off:>8.1e}", clock.elapsed().as_secs_f64());
    assert!(off.abs() < bound && run.drift()?.0 < 1e-12, "{name}");
    Ok(())
}

/// All this for a mast of so many storeys.
pub(crate) fn load(storeys: usize) -> Result<(), Box<dyn Error>> {
    compress(storeys)?;
    let truss = mast(storeys, [200.0, 1e4, 20.0])?;
    let rest = stand(&truss)?;

    println!("{:<20} {:>8} {:>8} {:>8}", "method", "wall [s]", "heat [J]", "balance");
    sway(&truss, ("generalised-alpha", 1e-2), GeneralizedAlpha::with_spectral_radius(0.8))?;
    sway(&truss, ("BDF2", 1e-1), Bdf2::default())?;
    sway(&truss, ("implicit midpoint", 1e-2), ImplicitMidpoint::default())?;
    sway(&truss, ("Runge-Kutta 4", 1e-2), RungeKutta4)?;
    sway(&truss, ("leapfrog", 3e-2), Leapfrog::default())?;

    // nothing moves from where forces balance
    let method = GeneralizedAlpha::with_spectral_radius(0.8);
    let mut run = Simulation::of(&truss, method).given(rest.clone()).fixed(0.01)?;
    run.advance_to(1.0)?;
    let moved = apart(run.state(), &rest);
    println!("in a second from the equilibrium it moves {moved:.1e} m");
    assert!(moved < 1e-7);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    load(112)
}
