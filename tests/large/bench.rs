//! Linearly implicit steps of a chain of masses on damped springs, beside Eigen's SparseLU on the same matrices.
//!
//! `RUSTFLAGS="-C target-cpu=native" cargo bench -p ode-model-large`. The peer needs a C++ compiler and Debian's
//! libeigen3-dev, and is left out otherwise. Both take turns; the least of several rounds counts.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark is a program that prints")]

mod chain;

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use chain::{Chain, Ten};
use ode_model::integrators::{BackwardEuler, Multipliers};
use ode_model::{Linearize, Simulation, Solvable, State};

const STEPS: u32 = 20;

/// The least microseconds of a step, and the last coordinate after the last.
fn ours<S: Solvable<Real = f64> + Linearize>(model: &S, q: &[f64]) -> (f64, f64) {
    let method = BackwardEuler { multipliers: Multipliers::OfScheme, ..BackwardEuler::linearized() };
    let mut x: State<S> = State::neutral(model);
    x.q.as_mut().copy_from_slice(q);
    let (mut least, mut end) = (f64::INFINITY, 0.0);
    for _ in 0..40 {
        let mut run = Simulation::of(black_box(model), method).given(x.clone()).fixed(0.01).expect("a start");
        let clock = Instant::now();
        run.advance_to(0.01 * f64::from(STEPS)).expect("steps");
        least = least.min(clock.elapsed().as_secs_f64() * 1e6 / f64::from(STEPS));
        end = run.state().q.as_ref().last().copied().unwrap_or(f64::NAN);
    }
    (least, end)
}

/// The same of the peer, for each number of masses.
fn peer(program: &Path, counts: &[usize]) -> Option<Vec<(f64, f64)>> {
    let arguments = counts.iter().map(|n| n.to_string());
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines()
        .map(|line| {
            let mut numbers = line.split(' ').skip(1).map(str::parse);
            Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
        })
        .collect()
}

fn build() -> Option<std::path::PathBuf> {
    let program = std::env::temp_dir().join("ode-model-eigen");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/eigen.cpp");
    let mut compiler = Command::new("c++");
    compiler.args(["-O3", "-DNDEBUG", "-march=native", "-I/usr/include/eigen3"]).arg(source).arg("-o").arg(&program);
    compiler.status().ok().filter(std::process::ExitStatus::success).map(|_| program)
}

fn main() {
    let counts = [10, 100, 1000];
    let program = build();
    let mut found = [(f64::INFINITY, 0.0); 3];
    let mut theirs = [(f64::INFINITY, 0.0); 3];
    for _ in 0..5 {
        for (best, &count) in found.iter_mut().zip(&counts) {
            let chain = Chain::new(count - 1);
            let one = if count == 10 { ours(&Ten::default(), chain.q()) } else { ours(&chain, chain.q()) };
            *best = (best.0.min(one.0), one.1);
        }
        let rows = program.as_deref().and_then(|program| peer(program, &counts)).unwrap_or_default();
        for (best, one) in theirs.iter_mut().zip(rows) {
            *best = (best.0.min(one.0), one.1);
        }
    }
    println!("masses     ours     Eigen   Eigen / ours   last coordinate of each");
    for ((count, ours), theirs) in counts.iter().zip(found).zip(theirs) {
        let ratio = theirs.0 / ours.0;
        println!("{count:6} {:8.2} {:9.2} {ratio:14.2}   {:.6} {:.6}", ours.0, theirs.0, ours.1, theirs.1);
    }
}
