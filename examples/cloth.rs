//! A stiff sheet hung at two corners: 10 × 10 nodes on springs, compared with a reference.
//!
//! `cargo run --release -p ode-model-large --example cloth`, and with `-- explicit` five explicit methods. The springs
//! are stiff and strongly damped beside the slow fall of the sheet, so methods that resolve each oscillation need many
//! more steps than implicit ones, and than explicit ones that dampers do not hold.

use std::error::Error;
use std::time::Instant;

use ode_model::Method;
use ode_model::prelude::*;

model! {
    /// Masses on springs with dampers along them.
    pub struct Cloth {
        set nodes;
        set springs: (nodes, nodes);
        set pinned: nodes;
        param m: Real [kg];
        param g: Real [m/s^2] = 9.81;
        param p[nodes]: Vec3 [m];
        param k[springs]: Real [N/m];
        param rest[springs]: Real [m];
        /// of the dampers, as a time: c = lag k
        param lag: Real [s] = 5.0e-4;
        coord (x, v)[nodes]: Vec3 [m];
        for i in nodes {
            mass x[i] = m;
            potential = m * g * x[i].z;
            guess x[i] = p[i];
        }
        for s @ (i, j) in springs {
            let length = norm(x[j] - x[i]);
            potential = 0.5 * k[s] * sq(length - rest[s]);
            dissipation = 0.5 * lag * k[s] * sq(der(length));
        }
        for i in pinned {
            fix x[i] = p[i];
        }
    }
}

/// The sheet: a metre wide, n × n nodes, flat, with the corners of the last row pinned.
pub(crate) fn sheet(n: usize) -> Result<Cloth, Box<dyn Error>> {
    let at = |p: usize| [p % n, p / n].map(|k| k as f64 / (n - 1) as f64);
    let (mut springs, mut stiff) = (Vec::new(), Vec::new());
    // neighbours, diagonals, and the nodes next but one, which resist bending
    let ways = [(1, 0, 1e5), (0, 1, 1e5), (1, 1, 4e4), (-1, 1, 4e4), (2, 0, 50.0), (0, 2, 50.0)];
    for p in 0..n * n {
        for (right, up, k) in ways {
            let to = (p % n).checked_add_signed(right).map(|column| [column, p / n + up]);
            if let Some([column, row]) = to.filter(|to| to.iter().all(|&k| k < n)) {
                springs.push([p, row * n + column]);
                stiff.push(k);
            }
        }
    }
    let lengths: Vec<f64> = springs.iter().map(|&[i, j]| (at(i)[0] - at(j)[0]).hypot(at(i)[1] - at(j)[1])).collect();
    let cloth = Cloth::builder()
        .nodes(n * n)
        .springs(springs)
        .pinned([n * (n - 1), n * n - 1])
        .m(0.3 / (n * n) as f64)
        .p((0..n * n).map(|p| [at(p)[0], at(p)[1], 0.0]))
        .k(stiff)
        .rest(lengths)
        .build()?;
    Ok(cloth)
}

/// Where nodes are after a second.
const REFERENCE: &str = include_str!("../tests/large/references/cloth.txt");

/// Runs for a second, and fails where a node is more than a millimetre from where it should be.
fn fall<M: Method<Cloth>>(
    name: &str,
    start: Result<Simulation<'_, Cloth, M>, StartError>,
) -> Result<(), Box<dyn Error>> {
    let clock = Instant::now();
    let mut run = start?;
    run.advance_to(1.0)?;
    let wall = clock.elapsed().as_secs_f64();
    let found = run.system().x(&run.state().q);
    let lines = REFERENCE.lines().filter(|line| !line.starts_with('#'));
    let mut off = 0.0_f64;
    for (line, x) in lines.zip(found) {
        for (wanted, x) in line.split(' ').zip(x) {
            off = off.max((wanted.parse::<f64>()? - x).abs());
        }
    }
    println!("{name:<20} {:>8} {wall:>8.2} {off:>8.1e}", run.statistics().taken);
    assert!(off < 1e-3, "{name}");
    Ok(())
}

/// Steps that resolve the slow motion: matrices serve for many of them.
pub(crate) fn implicit(cloth: &Cloth) -> Result<(), Box<dyn Error>> {
    let newton = Newton { reuse: Reuse::automatic(), tolerance: 1e-12, ..Newton::default() };
    let multipliers = Multipliers::OfScheme;
    let method = GeneralizedAlpha { newton, multipliers, ..GeneralizedAlpha::with_spectral_radius(0.8) };
    fall("generalised-alpha", Simulation::of(cloth, method).fixed(2e-4))
}

/// Steps that the dampers hold below 2e-5 s, but for those of the last.
fn explicit(cloth: &Cloth) -> Result<(), Box<dyn Error>> {
    fall("semi-explicit Euler", Simulation::of(cloth, SemiExplicitEuler::explicit()).fixed(1.4e-5))?;
    fall("leapfrog", Simulation::of(cloth, Leapfrog::default()).fixed(1.4e-5))?;
    fall("Runge-Kutta 4", Simulation::of(cloth, RungeKutta4).fixed(2e-5))?;
    fall("Bogacki-Shampine", Simulation::of(cloth, BogackiShampine).adaptive(1e-4))?;
    fall("Chebyshev", Simulation::of(cloth, Chebyshev::<8>).fixed(2.5e-4))
}

fn main() -> Result<(), Box<dyn Error>> {
    let cloth = sheet(10)?;
    println!("{:<20} {:>8} {:>8} {:>8}", "method", "steps", "wall [s]", "off [m]");
    implicit(&cloth)?;
    // some 200,000 steps: for a release build
    if std::env::args().nth(1).as_deref() == Some("explicit") {
        explicit(&cloth)?;
    }
    Ok(())
}
