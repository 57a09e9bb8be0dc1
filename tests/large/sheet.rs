//! The stiff sheet of examples/cloth.rs with 10 × 10 and 32 × 32 nodes, for a second, compared with references and
//! with other programs in the same run: seconds of the processor, not of the clock, and the largest error of a
//! coordinate. `-- 10` or `-- 32` asks for one of them.
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=native" cargo bench -p ode-model-large --bench sheet
//! ```
//!
//! The peers need a C++ compiler, Debian's libsundials-dev and libsuitesparse-dev, and are left out otherwise. Each has
//! the tolerances that reach the accuracy asked for in the least time, of those that were tried; those of 32 × 32 nodes
//! take a minute each, and CVODE's BDF with KLU two, without reaching it.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark is a program that prints; the model is that of another program"
)]

#[path = "../../examples/cloth.rs"]
mod cloth;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use cloth::Cloth;
use ode_model::Method;
use ode_model::integrators::Multipliers;
use ode_model::prelude::*;

/// A sheet, and how accurate its positions after a second have to be.
struct Task {
    side: usize,
    /// in `references`
    file: &'static str,
    /// m
    accuracy: f64,
    rounds: usize,
    /// arguments of the peers: a method, relative and absolute tolerance
    peers: &'static [[&'static str; 3]],
}

const TASKS: [Task; 2] = [
    Task {
        side: 10,
        file: "cloth.txt",
        accuracy: 1e-3,
        rounds: 3,
        peers: &[["klu", "3e-7", "3e-8"], ["gmres", "1e-6", "1e-6"], ["dopri5", "1e-3", "1e-3"]],
    },
    Task {
        side: 32,
        file: "cloth32.txt",
        // runs of DOPRI5 with tolerances of 1e-6 and 1e-9 differ by 1e-3 m, so less says little, and rounding alone
        // decides which of ours reaches this
        accuracy: 3e-3,
        rounds: 1,
        peers: &[["gmres", "1e-6", "1e-6"], ["dopri5", "1e-4", "1e-4"]],
    },
];

/// What a run took and missed.
#[derive(Clone, Copy)]
struct Row {
    seconds: f64,
    off: f64,
    steps: u64,
}

impl Row {
    fn print(self, name: &str, task: &Task) {
        let Self { seconds, off, steps } = self;
        let verdict = if off < task.accuracy { "" } else { "  missed" };
        println!("{name:<40} {seconds:>8.3} s {off:>10.1e} m {steps:>8} steps{verdict}");
    }
}

fn references() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("references")
}

/// Seconds that this thread had a processor, or of the clock where the system does not tell.
fn processor(since: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = text.split(' ').next().and_then(|spent| spent.parse::<f64>().ok());
    spent.map_or_else(|| since.elapsed().as_secs_f64(), |spent| spent * 1e-9)
}

fn ours<M: Method<Cloth> + Copy>(task: &Task, cloth: &Cloth, method: M, h: f64) -> Row {
    let text = std::fs::read_to_string(references().join(task.file)).expect("a reference");
    let number = |number: &str| number.parse::<f64>().expect("a number");
    let wanted: Vec<f64> =
        text.lines().filter(|line| !line.starts_with('#')).flat_map(|line| line.split(' ')).map(number).collect();
    let mut row = Row { seconds: f64::INFINITY, off: f64::NAN, steps: 0 };
    for _ in 0..task.rounds {
        let clock = Instant::now();
        let begun = processor(clock);
        let mut run = Simulation::of(cloth, method).fixed(h).expect("a start");
        run.advance_to(1.0).expect("a run");
        let seconds = processor(clock) - begun;
        let found = run.system().x(&run.state().q).iter().flatten();
        let off = found.zip(&wanted).fold(0.0, |off: f64, (x, wanted)| off.max((x - wanted).abs()));
        row = Row { seconds: row.seconds.min(seconds), off, steps: run.statistics().taken };
    }
    row
}

fn build() -> Option<PathBuf> {
    let program = std::env::temp_dir().join("ode-model-sheet");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/sheet.cpp");
    let mut compiler = Command::new("c++");
    compiler.args(["-O3", "-march=native", "-ffast-math", "-I/usr/include/suitesparse"]).arg(source);
    let libraries = ["cvode", "nvecserial", "sunmatrixsparse", "sunlinsolklu", "sunlinsolspgmr"];
    compiler.arg("-o").arg(&program).args(libraries.map(|name| format!("-lsundials_{name}")));
    compiler.status().ok().filter(std::process::ExitStatus::success).map(|_| program)
}

fn peer(program: &Path, task: &Task, arguments: [&str; 3]) -> Option<Row> {
    let mut row = None;
    for _ in 0..task.rounds {
        let mut command = Command::new(program);
        command.arg(task.side.to_string()).arg(references().join(task.file)).args(arguments);
        let output = command.output().ok().filter(|output| output.status.success())?;
        let text = String::from_utf8(output.stdout).ok()?;
        let mut numbers = text.split(' ').map(str::parse::<f64>);
        let mut next = || numbers.next()?.ok();
        let (seconds, off, steps) = (next()?, next()?, next()? as u64);
        let least = row.map_or(seconds, |row: Row| row.seconds.min(seconds));
        row = Some(Row { seconds: least, off, steps });
    }
    row
}

/// The least seconds of those that reach the accuracy.
fn best(rows: impl Iterator<Item = Row>, task: &Task) -> f64 {
    rows.filter(|row| row.off < task.accuracy).map(|row| row.seconds).fold(f64::INFINITY, f64::min)
}

fn measure(task: &Task, program: Option<&Path>) {
    println!("\n{0} × {0} nodes, {1:e} m", task.side, task.accuracy);
    let cloth = cloth::sheet(task.side).expect("a sheet");
    // a matrix of 32 × 32 nodes costs some forty iterations
    let (reuse, tolerance) = match task.side {
        10 => (Reuse::automatic(), 1e-12),
        _ => (Reuse::Automatic { slowest: 0.4 }, 1e-8),
    };
    let newton = Newton { reuse, tolerance, ..Newton::default() };
    let multipliers = Multipliers::OfScheme;
    let implicit = GeneralizedAlpha { newton, multipliers, ..GeneralizedAlpha::with_spectral_radius(0.8) };
    let explicit = match task.side {
        10 => ours(task, &cloth, Chebyshev::<8>, 2.5e-4),
        _ => ours(task, &cloth, Chebyshev::<25>, 2.5e-4),
    };
    let rows = [("Chebyshev", explicit), ("generalised-α, ρ = 0.8", ours(task, &cloth, implicit, 2e-4))];
    rows.iter().for_each(|(name, row)| row.print(name, task));
    let ours = best(rows.iter().map(|(_, row)| *row), task);
    let peers =
        task.peers.iter().filter_map(|arguments| Some((arguments.join(" "), peer(program?, task, *arguments)?)));
    let peers: Vec<(String, Row)> = peers.collect();
    peers.iter().for_each(|(name, row)| row.print(name, task));
    let theirs = best(peers.iter().map(|(_, row)| *row), task);
    println!("best of ours / best of the peers {:.2}", ours / theirs);
    assert!(ours.is_finite(), "none of ours is accurate");
}

fn main() {
    let program = build();
    if let Some(program) = &program {
        let version = Command::new(program).output().map(|output| output.stdout).unwrap_or_default();
        println!("peers: {}", String::from_utf8_lossy(&version).trim());
    }
    let asked: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    for task in TASKS.iter().filter(|task| asked.is_empty() || asked.contains(&task.side)) {
        measure(task, program.as_deref());
    }
}
