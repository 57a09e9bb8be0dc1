//! What models expand to: the same bytes each time, in pieces that rustc compiles, within a budget that is counted.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

const EXAMPLES: [&str; 5] = ["cart_pole", "double_pendulum", "pendulum", "slider_crank", "squeezer"];
const CHAIN: &str = include_str!("../../examples/chain.rs");

/// The text between the braces of a file's `model! { … }`.
fn model_of(text: &str) -> &str {
    let start = text.find("model! {").expect("a model") + "model! {".len();
    let mut depth = 1;
    let end = text[start..].find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    });
    &text[start..start + end.expect("a closing brace")]
}

fn example(name: &str) -> String {
    let text = std::fs::read_to_string(crate::example(name)).expect("an example");
    model_of(&text).to_owned()
}

fn expand(model: &str) -> String {
    ode_codegen::expand(model.parse().expect("tokens")).to_string()
}

/// Each model is a test of its own, so that they run side by side.
fn expansions_are_one(name: &str, rounds: usize) {
    let model = example(name);
    let first = expand(&model);
    assert!(first.len() > 10_000 && !first.contains("compile_error"));
    for round in 1..rounds {
        assert!(expand(&model) == first, "{name} expands to something else in round {round}");
    }
}

#[test]
fn a_hundred_expansions_of_a_cart_pole_are_one() {
    expansions_are_one("cart_pole", 100);
}

#[test]
fn a_hundred_expansions_of_a_pendulum_are_one() {
    expansions_are_one("pendulum", 100);
}

#[test]
fn a_hundred_expansions_of_a_slider_crank_are_one() {
    expansions_are_one("slider_crank", 100);
}

#[test]
fn expansions_of_a_squeezer_are_one() {
    expansions_are_one("squeezer", 3);
}

/// Where the child process writes what it expanded.
const CHILD: &str = "ODE_MODEL_EXPANSION_OF_CHILD";

#[test]
fn another_process_expands_to_the_same_bytes() {
    let all = || EXAMPLES.iter().map(|name| expand(&example(name))).collect::<Vec<_>>().join("\n");
    if let Some(path) = std::env::var_os(CHILD) {
        std::fs::write(path, all()).expect("written");
        return;
    }
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("expansion-{}.txt", std::process::id()));
    let own = std::env::current_exe().expect("this test");
    let child = Command::new(own)
        .args(["--exact", "expansion::another_process_expands_to_the_same_bytes"])
        .env(CHILD, &path)
        .output()
        .expect("a second process");
    assert!(child.status.success(), "{child:?}");
    let other = std::fs::read_to_string(&path).expect("what the child wrote");
    std::fs::remove_file(&path).expect("removed");
    assert!(other.len() > 100_000 && other == all(), "another process expands to something else");
}

#[test]
fn operations_are_counted() {
    // A rise is a regression, unless the model changed: INSTA_UPDATE=always cargo test -p ode-model-sources
    let mut text = String::new();
    let chain = ("chain", model_of(CHAIN).to_owned());
    for (name, model) in EXAMPLES.map(|name| (name, example(name))).into_iter().chain([chain]) {
        let compiled = ode_codegen::compile(model.parse().expect("tokens")).expect("a model without mistakes");
        let _ = writeln!(text, "{name}: {}", compiled.program.ops().total());
        for kernel in compiled.program.kernels() {
            let _ = writeln!(text, "  {} {}", kernel.name, kernel.ops.total());
        }
    }
    insta::assert_snapshot!(text);
}

/// `let`s and other statements, and operators and calls, of each function of a formatted source.
fn functions(source: &str) -> Vec<(String, usize, usize)> {
    let mut found: Vec<(String, usize, usize)> = Vec::new();
    for line in source.lines() {
        let code = line.trim();
        if let Some(rest) = code.split("fn ").nth(1).filter(|_| code.starts_with("fn ") || code.starts_with("pub fn "))
        {
            found.push((rest.split(['(', '<']).next().unwrap_or("").to_owned(), 0, 0));
        }
        if let (Some(own), true) = (found.last_mut(), line.starts_with("            ")) {
            own.1 += usize::from(code.starts_with("let ") || (code.contains("] = ") && !code.starts_with("//")));
            own.2 += [" + ", " - ", " * ", " / ", ".sin()", ".cos()", ".sqrt()", ".recip()"]
                .iter()
                .map(|op| code.matches(op).count())
                .sum::<usize>();
            own.2 += 2 * code.matches(".multiply_add(").count();
            // a line that continues an expression begins with its operator
            own.2 += usize::from(["+ ", "- ", "* ", "/ "].iter().any(|op| code.starts_with(op)));
        }
    }
    found
}

#[test]
fn no_function_is_too_large_for_rustc() {
    // the second chain is the first one's twin in its self-test
    let twin = model_of(CHAIN).replacen("struct Chain", "struct Chain<T>", 1);
    for text in [example("squeezer"), model_of(CHAIN).to_owned(), twin] {
        let source = ode_codegen::expand_source(&format!("model! {{ {text} }}")).expect("a model");
        let functions = functions(&source);
        let largest = functions.iter().map(|f| f.2).max().expect("functions");
        assert!(largest > 300, "the count counts: {largest}");
        for (name, statements, operations) in functions {
            assert!(operations <= 500, "{name} has {operations} operations");
            assert!(statements <= 1000, "{name} has {statements} statements");
        }
    }
}

#[test]
fn a_model_over_budget_is_refused_by_name_and_a_larger_budget_accepts_it() {
    let refused = |text: &str| ode_codegen::compile(text.parse().expect("tokens")).err().map(|e| e.to_string());
    let model = model_of(CHAIN);
    assert_eq!(refused(model), None);
    let capped = model.replacen("pub struct", "#[model(max_ops = 2_000)] pub struct", 1);
    let message = refused(&capped).expect("M0901");
    assert!(message.contains("[M0901]") && message.contains("(limit 2000)"), "{message}");
    assert!(message.contains("largest: tangent"), "{message}");
    // the advice is sound
    let advice = message.split("max_ops = ").nth(1).and_then(|m| m.split(')').next()).expect("a number");
    assert_eq!(refused(&model.replacen("pub struct", &format!("#[model(max_ops = {advice})] pub struct"), 1)), None);
}

#[test]
fn a_text_with_all_its_models_can_be_expanded() {
    let source = ode_codegen::expand_file(crate::example("rover")).expect("the motor and the rover");
    assert!(source.contains("pub motor: DcMotor<T>") && source.contains("fn motor_i(&self)"), "{source}");
    let again = ode_codegen::expand_file(crate::example("rover")).expect("the motor and the rover");
    assert_eq!(source, again, "the same text gives the same code");
    let alone = "model! { struct Cart { coord x: Real; mass x = 1.0; sub motor: lib::Motor; } }";
    let refused = ode_codegen::expand_source(alone).expect_err("nobody knows the motor");
    assert!(refused.to_string().contains("the model `lib::Motor` is not known here"), "{refused}");
}
