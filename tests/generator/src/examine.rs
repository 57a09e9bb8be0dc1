//! One model, from its text to a report.

use ode_codegen::phases::expr::Rules;
use ode_codegen::phases::families::{Parts, parts};
use ode_codegen::phases::parse::{parse, with_parts};
use ode_codegen::{Compiled, compile_with};
use proc_macro2::TokenStream;

use crate::assembly::Assembly;
use crate::compare::{Case, Report};
use crate::oracle::Oracle;
use crate::random::{Model, Random, Set};

/// What became of a text.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// it compiles; where it differs is in the report
    Compiled(Report),
    /// refused, with the message
    Refused(String),
    /// what the oracle calls otherwise than the compiler
    Named(String),
}

/// Compiles a model, differentiating by `rules`, and compares it with its text at some points.
pub fn examine(rules: Rules, model: &TokenStream, parts: &[TokenStream], points: usize, seed: u64) -> Verdict {
    let tokens = with_parts(model, parts);
    confront(rules, tokens.clone(), tokens, points, seed)
}

/// Compares the compiled program with the text. A test that plants a fault gives two texts: the second is what a faulty
/// compiler would have read.
pub fn confront(rules: Rules, read: TokenStream, said: TokenStream, points: usize, seed: u64) -> Verdict {
    match compile_with(rules, read) {
        Ok(compiled) => compared(&compiled, said, points, seed),
        Err(error) => Verdict::Refused(error.to_string()),
    }
}

/// Compares what was compiled with what is said.
pub fn compared(compiled: &Compiled, said: TokenStream, points: usize, seed: u64) -> Verdict {
    let (ast, _) = parse(said);
    let oracle = Oracle::new(&ast);
    let case = match Case::new(compiled, &oracle) {
        Ok(case) => case,
        Err(names) => return Verdict::Named(names),
    };
    let mut random = Random::new(seed);
    let mut report = Report::default();
    for _ in 0..points {
        case.compare(&mut random, &mut report);
    }
    Verdict::Compiled(report)
}

/// Examines a model with sets, of which these have members, beside the same model written out.
pub fn examine_members(
    rules: Rules,
    model: TokenStream,
    sets: &[Set],
    written: TokenStream,
    points: usize,
    seed: u64,
) -> Verdict {
    let (ast, mut errors) = parse(model);
    let parts = parts(&ast, &mut errors, rules);
    match (parts, errors.finish()) {
        (Some(parts), Ok(())) => confront_members(rules, &parts, sets, written, points, seed),
        (_, refused) => {
            let why = refused.map_or_else(|e| e.to_string(), |()| "it has no name".to_owned());
            let other = compile_with(rules, written).map_or_else(|e| e.to_string(), |_| "accepted".to_owned());
            Verdict::Refused(format!("{why}\nwritten out: {other}"))
        }
    }
}

/// Compares a model with sets, which was taken apart, with the same model written out, and that with its text.
pub fn confront_members(
    rules: Rules,
    parts: &Parts<'_>,
    sets: &[Set],
    written: TokenStream,
    points: usize,
    seed: u64,
) -> Verdict {
    let whole = match compile_with(rules, written.clone()) {
        Ok(whole) => whole,
        Err(error) => return Verdict::Refused(error.to_string()),
    };
    let mut report = match compared(&whole, written.clone(), points, seed) {
        Verdict::Compiled(report) => report,
        other => return other,
    };
    let (ast, _) = parse(written);
    let oracle = Oracle::new(&ast);
    match (Assembly::new(parts, &whole, sets), Case::new(&whole, &oracle)) {
        (Ok(assembly), Ok(case)) => {
            let mut random = Random::new(seed);
            (0..points).for_each(|_| case.added(&assembly, &mut random, &mut report));
            Verdict::Compiled(report)
        }
        (Err(names), _) | (_, Err(names)) => Verdict::Named(names),
    }
}

/// What became of the model of a seed.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// its kernels are those of its text
    Agrees(Report),
    /// refused, with the message
    Refused(String),
    /// they differ, or the names do
    Differs(String),
    /// something panicked
    Panics(String),
}

impl Outcome {
    /// In a word, and for a refusal its number.
    pub fn kind(&self) -> String {
        match self {
            Outcome::Agrees(_) => "agrees".into(),
            Outcome::Refused(message) => {
                let id = message.split_once("[M").and_then(|(_, rest)| rest.get(..4));
                id.map_or_else(|| "refused".to_owned(), |id| format!("M{id}"))
            }
            Outcome::Differs(_) => "differs".into(),
            Outcome::Panics(_) => "panics".into(),
        }
    }
}

/// Examines the model of a seed.
pub fn examined(rules: Rules, seed: u64, points: usize) -> Outcome {
    outcome(rules, &Model::of_seed(seed), seed, points)
}

/// Examines a model.
pub fn outcome(rules: Rules, model: &Model, seed: u64, points: usize) -> Outcome {
    // positions of earlier texts are not needed any more, and would be kept
    proc_macro2::extra::invalidate_current_thread_spans();
    let tokens = |text: &str| text.parse::<TokenStream>().expect("tokens");
    let run = || {
        let parts: Vec<TokenStream> = model.parts.iter().map(|p| tokens(p)).collect();
        let own = tokens(&model.text());
        if model.sets.is_empty() {
            return examine(rules, &own, &parts, points, seed);
        }
        let written = tokens(&model.written_out().text());
        let [own, written] = [own, written].map(|model| with_parts(&model, &parts));
        examine_members(rules, own, &model.sets, written, points, seed)
    };
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)) {
        Ok(Verdict::Compiled(report)) if report.differences.is_empty() => Outcome::Agrees(report),
        Ok(Verdict::Compiled(report)) => {
            let first: Vec<_> = report.differences.iter().take(4).collect();
            Outcome::Differs(format!("{first:?}"))
        }
        Ok(Verdict::Refused(message)) => Outcome::Refused(message),
        Ok(Verdict::Named(names)) => Outcome::Differs(names),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            Outcome::Panics(text.or(panic.downcast_ref::<&str>().map(|s| (*s).to_owned())).unwrap_or_default())
        }
    }
}

/// The model of a seed without the items that its fault does not need.
pub fn shrunk(rules: Rules, seed: u64, points: usize) -> Model {
    let mut model = Model::of_seed(seed);
    let kind = outcome(rules, &model, seed, points).kind();
    loop {
        let mut smaller = None;
        for i in (0..model.items.len()).rev() {
            let mut without = model.clone();
            without.items.remove(i);
            if outcome(rules, &without, seed, points).kind() == kind {
                smaller = Some(without);
                break;
            }
        }
        match smaller {
            Some(found) => model = found,
            None => return model,
        }
    }
}
