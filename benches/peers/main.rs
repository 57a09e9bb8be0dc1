//! Whole runs compared with those of other programs on the same models, in one table.
//!
//! `cargo bench --bench peers`. Peers that are not installed are left out: Simbody (`benches/peers/geodesic.cpp`, a C++
//! compiler and Debian's libsimbody-dev) and Exudyn (`benches/peers/multibody.py`, `pip install exudyn`, with
//! `PEERS_PYTHON` naming the interpreter). Times are the least of many runs, in rounds in which all take turns. They
//! are those of a quiet machine: other work slows some programs more than others.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark is a program that prints")]

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use ode_model::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic, Multipliers};
use ode_model::solve::Projection;
use ode_model::{Method, Simulation, Solvable, State};

#[path = "../models/pendulum.rs"]
mod pendulum;
#[path = "../models/slider_crank.rs"]
mod slider_crank;
use pendulum::Pendulum;
use slider_crank::SliderCrank;

/// Crank, rod and slider at t = 1, their x and y, then their angles: 128-bit extrapolation.
const SLIDER_CRANK: [f64; 9] = [
    9.771_349_284_425_171e-3,
    7.436_074_726_064_662e-2,
    0.177_958_225_796_575_83,
    7.436_074_726_064_662e-2,
    0.336_373_753_024_301_3,
    0.0,
    20.289_696_169_820_996,
    -0.438_871_913_114_014_7,
    0.0,
];
/// The pendulum at t = 1: closed form.
const PENDULUM: [f64; 2] = [-0.986_291_751_131_9, -0.165_010_853_125_5];

/// A measured row: what, whose, nanoseconds a step, and a remark.
struct Row {
    what: &'static str,
    whose: &'static str,
    ns: f64,
    remark: String,
}

/// Steps of 1e-3 from 0 to 1: nanoseconds each, and the largest error of q.
fn fixed<S: Solvable<Real = f64>, M: Method<S> + Copy>(system: &S, method: M, end: &[f64]) -> (f64, f64) {
    let (mut least, mut error) = (f64::INFINITY, 0.0);
    for _ in 0..200 {
        let mut run = Simulation::of(black_box(system), method).fixed(1e-3).expect("a start");
        let clock = Instant::now();
        run.advance_to(1.0).expect("steps");
        least = least.min(clock.elapsed().as_secs_f64() * 1e9 / run.statistics().taken as f64);
        let x: &State<S> = run.state();
        error = x.q.as_ref().iter().zip(end).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    }
    (least, error)
}

/// Attempted steps under error control from 0 to 20: nanoseconds each, and how many.
fn geodesic(accuracy: f64, tolerance: f64) -> (f64, u64) {
    let pendulum = black_box(Pendulum { g: 13.750_371_637_329_454, ..Pendulum::default() });
    let (mut least, mut attempted) = (f64::INFINITY, 0);
    for _ in 0..200 {
        let setup = Simulation::of(&pendulum, Geodesic).project(Projection::to(tolerance));
        let mut run = setup.adaptive_from(accuracy, 0.1).expect("a start");
        let clock = Instant::now();
        run.advance_to(20.0).expect("steps");
        attempted = run.statistics().attempted;
        least = least.min(clock.elapsed().as_secs_f64() * 1e9 / attempted as f64);
    }
    (least, attempted)
}

fn ours() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |what, (ns, error): (f64, f64)| {
        rows.push(Row { what, whose: "this", ns, remark: format!("error {error:.2e}") });
    };
    let (crank, pendulum) = (SliderCrank::default(), Pendulum::default());
    let alpha = GeneralizedAlpha::with_spectral_radius(0.8);
    let plain = GeneralizedAlpha { multipliers: Multipliers::OfScheme, ..alpha };
    add("generalised-α, slider-crank", fixed(&crank, alpha, &SLIDER_CRANK));
    add("the same, λ of the scheme", fixed(&crank, plain, &SLIDER_CRANK));
    add("generalised-α, pendulum", fixed(&pendulum, alpha, &PENDULUM));
    add("backward Euler, pendulum", fixed(&pendulum, BackwardEuler::default(), &PENDULUM));
    let once = BackwardEuler { multipliers: Multipliers::OfScheme, ..BackwardEuler::linearized() };
    add("linearised backward Euler, λ of the scheme", fixed(&pendulum, once, &PENDULUM));
    for (what, accuracy, tolerance) in GEODESIC {
        let (ns, attempted) = geodesic(accuracy, tolerance);
        rows.push(Row { what, whose: "this", ns, remark: format!("{attempted} attempted") });
    }
    rows
}

const ROUNDS: usize = 5;

/// Takes over what is less than before.
fn least(rows: &mut Vec<Row>, found: Vec<Row>) {
    for new in found {
        match rows.iter_mut().find(|row| row.what == new.what && row.whose == new.whose) {
            Some(row) => row.ns = row.ns.min(new.ns),
            None => rows.push(new),
        }
    }
}

const GEODESIC: [(&str, f64, f64); 3] = [
    ("Geodesic, pendulum, 1e-3", 1e-3, 1e-4),
    ("Geodesic, pendulum, 1e-6", 1e-6, 1e-10),
    ("Geodesic, pendulum, 1e-9", 1e-9, 1e-10),
];

/// Output of a command that succeeds.
fn output(command: &mut Command) -> Option<String> {
    let done = command.output().ok().filter(|done| done.status.success())?;
    String::from_utf8(done.stdout).ok()
}

fn simbody(folder: &Path) -> Option<Vec<Row>> {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("geodesic");
    let mut compile = Command::new("c++");
    compile.args(["-O3", "-DNDEBUG", "-w", "-std=c++17", "-I/usr/include/simbody", "-o"]).arg(&program);
    output(compile.arg(folder.join("geodesic.cpp")).arg("-lSimTKcommon"))?;
    let text = output(&mut Command::new(&program))?;
    let rows = text.lines().zip(GEODESIC).filter_map(|(line, (what, ..))| {
        let mut words = line.split_whitespace().skip(2);
        let (attempted, ns) = (words.next()?, words.next()?.parse().ok()?);
        Some(Row { what, whose: "Simbody", ns, remark: format!("{attempted} attempted") })
    });
    Some(rows.collect())
}

fn exudyn(folder: &Path) -> Option<Vec<Row>> {
    let python = std::env::var("PEERS_PYTHON").unwrap_or_else(|_| "python3".into());
    let text = output(Command::new(python).arg(folder.join("multibody.py")))?;
    let rows = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let what = match words.next()? {
            "slider_crank" => "generalised-α, slider-crank",
            "pendulum" => "generalised-α, pendulum",
            _ => return None,
        };
        let (us, error): (f64, f64) = (words.nth(1)?.parse().ok()?, words.next()?.parse().ok()?);
        Some(Row { what, whose: "Exudyn", ns: 1e3 * us, remark: format!("error {error:.2e}") })
    });
    Some(rows.collect())
}

/// Nanoseconds of a dependent addition: four cycles on the cores this is compared on.
fn calibration() -> f64 {
    let sample = |_| {
        let (clock, mut x, y) = (Instant::now(), black_box(1.0_f64), black_box(1e-9_f64));
        for _ in 0..100_000 {
            x += y;
        }
        black_box(x);
        clock.elapsed().as_secs_f64() * 1e4
    };
    (0..200).map(sample).fold(f64::INFINITY, f64::min)
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers");
    println!("calibration: one dependent f64 addition {:.3} ns", calibration());
    if let Ok(load) = std::fs::read_to_string("/proc/loadavg") {
        println!("load of the machine: {}", load.trim());
    }
    let (mut rows, mut peers) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        least(&mut rows, ours());
        for (name, found) in [("Simbody", simbody(&folder)), ("Exudyn", exudyn(&folder))] {
            match found {
                Some(found) => least(&mut peers, found),
                None if round == 0 => println!("{name} is not installed: left out"),
                None => {}
            }
        }
    }
    println!("{:<44} {:>8} {:>10} {:>8}", "a step of", "whose", "ns", "ratio");
    for row in &rows {
        let Row { what, whose, ns, remark } = row;
        println!("{what:<44} {whose:>8} {ns:>10.1} {:>8} {remark}", "");
        for Row { whose, ns: theirs, remark, .. } in peers.iter().filter(|peer| peer.what == row.what) {
            println!("{:<44} {whose:>8} {theirs:>10.1} {:>8.2} {remark}", "", theirs / ns);
        }
    }
}
