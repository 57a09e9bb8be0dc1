//! A sheet that falls, stepped implicitly without factors: from a thousand springs to a million.
//!
//! `cargo run --release -p ode-model-large --example million_springs`, and with `-- --springs 1000000` up to as many,
//! from as many as `--from` says; with `--direct` the steps are solved by elimination, for comparison. It prints and
//! draws what a step takes: time, iterations and memory. How many threads there are is what `RAYON_NUM_THREADS` says,
//! and changes no bit.

#[path = "gallery/mod.rs"]
mod gallery;

use std::error::Error;
use std::f64::consts::PI;
use std::time::Instant;

use ode_model::prelude::*;
use ode_model::{Linearize, Solvable};
use ode_view::{Plot, Progress};

model! {
    /// Masses on damped springs.
    pub struct Sheet {
        set nodes;
        set springs: (nodes, nodes);
        set pinned: nodes;
        param m: Real [kg];
        param g: Real [m/s^2] = 9.81;
        param p[nodes]: Vec3 [m];
        param k: Real [N/m] = 200.0;
        param rest[springs]: Real [m];
        /// of the dampers, as a time: c = lag k
        param lag: Real [s] = 1.0e-3;
        coord (x, v)[nodes]: Vec3 [m];
        for i in nodes {
            mass x[i] = m;
            potential = m * g * x[i].z;
            guess x[i] = p[i];
        }
        for s @ (i, j) in springs {
            let length = norm(x[j] - x[i]);
            potential = 0.5 * k * sq(length - rest[s]);
            dissipation = 0.5 * lag * k * sq(der(length));
        }
        for i in pinned {
            fix x[i] = p[i];
        }
    }
}

/// Seconds of a step, and steps that are measured.
const STEP: f64 = 1e-3;
const STEPS: u32 = 2;

/// The sheet: a metre wide, n × n nodes with springs to neighbours and along diagonals, raised in the middle, so that
/// they are stretched. Two corners are pinned.
fn sheet(n: usize) -> Result<Sheet, Box<dyn Error>> {
    let at = |p: usize| [p % n, p / n].map(|k| k as f64 / (n - 1) as f64);
    let mut springs = Vec::new();
    for p in 0..n * n {
        for (right, up) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            let to = (p % n).checked_add_signed(right).map(|column| [column, p / n + up]);
            if let Some([column, row]) = to.filter(|to| to.iter().all(|&k| k < n)) {
                springs.push([p, row * n + column]);
            }
        }
    }
    let lengths: Vec<f64> = springs.iter().map(|&[i, j]| (at(i)[0] - at(j)[0]).hypot(at(i)[1] - at(j)[1])).collect();
    let sheet = Sheet::builder()
        .nodes(n * n)
        .springs(springs)
        .pinned([n * (n - 1), n * n - 1])
        .m(0.3 / (n * n) as f64)
        .p((0..n * n).map(at).map(|[x, y]| [x, y, 0.02 * (PI * x).sin() * (PI * y).sin()]))
        .rest(lengths)
        .build()?;
    Ok(sheet)
}

/// What steps of a sheet take.
struct Taken {
    springs: usize,
    /// seconds of the fastest step
    wall: f64,
    /// of a step
    iterations: f64,
    residual: f64,
    /// bytes, where the system says so
    memory: Option<f64>,
    /// a node at the end
    end: [f64; 3],
}

/// Steps a sheet; `show` hears after each step.
fn steps<S: Solvable<Real = f64> + Linearize<V = Vec<f64>, Q = Vec<f64>>>(
    system: &S,
    springs: usize,
    show: impl Fn(),
) -> Result<Taken, Box<dyn Error>> {
    let mut run = Simulation::of(system, BackwardEuler::linearized()).fixed(STEP)?;
    let mut wall = f64::INFINITY;
    for step in 1..=STEPS {
        let clock = Instant::now();
        run.advance_to(f64::from(step) * STEP)?;
        wall = wall.min(clock.elapsed().as_secs_f64());
        show();
    }
    let work = run.statistics().work;
    let iterations = work.linear_iterations as f64 / f64::from(STEPS);
    let q = &run.state().q;
    let end = q.as_chunks::<3>().0.get(q.len() / 6).copied().unwrap_or_default();
    Ok(Taken { springs, wall, iterations, residual: work.linear_residual, memory: memory(), end })
}

/// The most memory that this process had, in bytes.
fn memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024.0 * line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()?)
}

/// Nodes along an edge, of about half a decade more springs each.
fn sizes(springs: [usize; 2]) -> impl Iterator<Item = usize> {
    let [from, to] = springs.map(|springs| springs as f64);
    let edge = |springs: f64| (springs / 4.0).sqrt().ceil() as usize + 1;
    (0..)
        .map(move |half| from.max(4.0) * 10_f64.powf(0.5 * f64::from(half)))
        .take_while(move |&s| s <= 1.01 * to)
        .map(edge)
}

pub(crate) fn fall(springs: [usize; 2], direct: bool) -> Result<(), Box<dyn Error>> {
    println!("{:>9} {:>10} {:>11} {:>9} {:>8}  a node in m", "springs", "step [s]", "iterations", "residual", "GB");
    let mut all = Vec::new();
    for n in sizes(springs) {
        let sheet = sheet(n)?;
        let count = sheet.springs().len();
        let bar = Progress::new(&format!("{count} springs"), 0.0, f64::from(STEPS));
        let taken = match direct {
            true => steps(&sheet, count, || bar.advance(1.0))?,
            false => steps(&Iterative::new(sheet)?.to(1e-8)?, count, || bar.advance(1.0))?,
        };
        drop(bar);
        assert!(direct || taken.iterations > 0.0 && taken.residual <= 1e-8);
        let Taken { springs, wall, iterations, residual, memory, end: [x, y, z] } = taken;
        let memory = memory.map_or_else(|| "?".to_owned(), |bytes| format!("{:.3}", bytes * 1e-9));
        println!("{springs:>9} {wall:>10.4} {iterations:>11.0} {residual:>9.1e} {memory:>8}  {x:.9} {y:.9} {z:.9}");
        all.push(taken);
    }
    draw(&all)
}

/// Time, iterations and memory over the number of springs.
fn draw(all: &[Taken]) -> Result<(), Box<dyn Error>> {
    let plot = |label: &str, of: &dyn Fn(&Taken) -> Option<f64>| {
        let points = all.iter().filter_map(|taken| Some((taken.springs as f64, of(taken)?)));
        Plot::new().log_across().log_upward().marks().across("springs").upward(label).curve(label, points)
    };
    plot("a step [s]", &|taken| Some(taken.wall)).write(gallery::file("million_springs.svg"))?;
    plot("iterations a step", &|taken| Some(taken.iterations))
        .write(gallery::file("million_springs_iterations.svg"))?;
    plot("memory [GB]", &|taken| Some(1e-9 * taken.memory?)).write(gallery::file("million_springs_memory.svg"))?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let count = |name: &str, otherwise: usize| {
        let word = asked.iter().skip_while(|&word| word != name).nth(1);
        word.map_or(Ok(otherwise), |word| word.parse::<usize>())
    };
    fall([count("--from", 1_000)?, count("--springs", 10_000)?], asked.iter().any(|word| word == "--direct"))
}
