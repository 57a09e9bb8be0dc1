//! Examines many random models: `cargo run --release -p ode-model-generator -- --models 100000 --seed 0`, or those of
//! a file:
//! `-- --file tests/models/mechanics.rs`. With `--seed 1 --every 8` they are models with sets. `--seed 41 --text` shows
//! one.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::time::Instant;

use ode_codegen::phases::expr::RULES;
use ode_model_generator::examine::{Outcome, examine, examined, shrunk};
use ode_model_generator::random::{Model, kinds};
use ode_model_generator::texts;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |name: &str, otherwise: u64| {
        let at = arguments.iter().position(|a| a == name);
        at.and_then(|at| arguments.get(at + 1)).and_then(|n| n.parse().ok()).unwrap_or(otherwise)
    };
    let (first, count) = (number("--seed", 0), number("--models", 1000));
    if let Some(path) = arguments.iter().position(|a| a == "--file").and_then(|at| arguments.get(at + 1)) {
        return file(path);
    }
    if arguments.iter().any(|a| a == "--text") {
        let model = Model::of_seed(first);
        println!("{}\n{}\n{:?}", model.parts.join("\n"), model.text(), model.sets);
        return;
    }
    if arguments.iter().any(|a| a == "--sample") {
        return sample(first, count);
    }
    // what goes wrong is reported with its seed
    std::panic::set_hook(Box::new(|_| {}));
    let start = Instant::now();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut blocks: BTreeMap<&'static str, usize> = BTreeMap::new();
    let (mut compared, mut undefined, mut worst) = (0_usize, 0_usize, 0.0_f64);
    let mut slowest = (0.0, 0);
    let every = number("--every", 1).max(1);
    for (seed, done) in (first..).step_by(every as usize).zip(1..=count) {
        let begin = Instant::now();
        let outcome = examined(RULES, seed, 1);
        let seconds = begin.elapsed().as_secs_f64();
        if seconds > slowest.0 {
            slowest = (seconds, seed);
        }
        match &outcome {
            Outcome::Agrees(report) => {
                compared += report.compared;
                undefined += report.undefined;
                worst = worst.max(report.worst);
                report.blocks.iter().for_each(|&(block, n)| *blocks.entry(block).or_default() += n);
            }
            Outcome::Refused(message) if arguments.iter().any(|a| a == "--refused") => {
                println!("seed {seed}: {message}")
            }
            Outcome::Refused(_) => {}
            _ => {
                let model = shrunk(RULES, seed, 1);
                println!("seed {seed}: {outcome:?}\n{}\n{}\n{:?}\n", model.parts.join("\n"), model.text(), model.sets);
            }
        }
        *counts.entry(outcome.kind()).or_default() += 1;
        if done % 1000 == 0 || done == count {
            println!("{done} models, {compared} numbers, {:.0} s: {counts:?}", start.elapsed().as_secs_f64());
            let _ = std::io::stdout().flush();
        }
    }
    println!("{compared} numbers compared, {undefined} undefined on both sides, worst {worst:.1e}\n{blocks:#?}");
    println!("seed {} took longest, {:.2} s", slowest.1, slowest.0);
}

/// Names seeds of short models that agree and have all kinds among them.
fn sample(first: u64, count: u64) {
    let length = |seed: u64| {
        let model = Model::of_seed(seed);
        model.text().len() + model.parts.iter().map(String::len).sum::<usize>()
    };
    let mut left = kinds::all();
    while !left.is_empty() {
        let gain = |seed: &u64| {
            let new = kinds::of(&Model::of_seed(*seed)).intersection(&left).count();
            new as f64 / (400 + length(*seed)) as f64
        };
        // what is compiled has its numbers in the text, and no members to be given
        let whole = |seed: &u64| Model::of_seed(*seed).sets.is_empty();
        let mut seeds: Vec<u64> =
            (first..first + count).filter(|seed| whole(seed) && gain(seed) > 0.0 && length(*seed) < 2600).collect();
        seeds.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
        let Some(seed) = seeds.into_iter().find(|seed| matches!(examined(RULES, *seed, 1), Outcome::Agrees(_))) else {
            break;
        };
        let model = Model::of_seed(seed);
        let there = kinds::of(&model);
        left.retain(|kind| !there.contains(kind));
        println!("{seed} {} {} characters, left {}", model.head.replace('\n', " "), length(seed), left.len());
    }
    println!("not there: {left:?}");
}

/// Examines the models of a file.
fn file(path: &str) {
    let text = std::fs::read_to_string(path).expect("a file");
    let models = texts::models(&text).expect("Rust");
    for model in &models {
        let verdict = std::panic::catch_unwind(|| examine(RULES, model, &models, 3, 7));
        println!("{}: {verdict:?}", texts::name(model));
    }
}
