//! Every message with its whole text: `front_messages.txt` holds models and what is said about them.
//!
//! A block is `#### title`, items or a whole struct, `----`, and the messages. Items stand in the model of their title:
//! `(plain)`, without units, or `(measured)`. After a change of wording, `BLESS=1 cargo test` writes the file anew; read
//! the difference.

use ode_codegen::check::check;
use ode_codegen::expr::Graph;
use ode_codegen::parse::parse;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/front_messages.txt");
const PLAIN: &str = "pub struct P<T> {\n    coord x: Real;\n    kinetic = 0.5 * sq(der(x));\n";
const MEASURED: &str =
    "pub struct P<T> {\n    param m: Real [kg] = 1.0;\n    coord x: Real [m];\n    kinetic = 0.5 * m * sq(der(x));\n";

/// Errors in the order of the text, then warnings.
fn messages(source: &str) -> String {
    let Ok(tokens) = source.parse() else { return "no tokens".to_owned() };
    let (ast, mut errors) = parse(tokens);
    let checked = check(&ast, Graph::new(), &mut errors);
    let mut texts: Vec<String> = errors.messages().iter().map(|m| format!("error: {}", m.text())).collect();
    if let Some((_, warnings)) = checked {
        texts.extend(warnings.iter().map(|w| format!("warning: {}", w.text)));
    }
    if texts.is_empty() { "nothing".to_owned() } else { texts.join("\n") }
}

fn whole(title: &str, source: &str) -> String {
    match title {
        t if t.ends_with("(plain)") => format!("{PLAIN}{source}\n}}"),
        t if t.ends_with("(measured)") => format!("{MEASURED}{source}\n}}"),
        _ => source.to_owned(),
    }
}

#[test]
fn messages_are_as_written() {
    let file = std::fs::read_to_string(FILE).expect("the file of messages");
    let (mut anew, mut wrong) = (String::new(), Vec::new());
    for block in file.split("#### ").skip(1) {
        let (title, rest) = block.split_once('\n').expect("a title");
        let (source, expected) = rest.split_once("\n----\n").expect("a source and messages");
        let found = messages(&whole(title, source));
        if found.trim() != expected.trim() {
            wrong.push(format!("#### {title}\n{source}\nexpected:\n{}\nfound:\n{found}\n", expected.trim()));
        }
        let id = title.split(' ').next().unwrap_or_default();
        if id.starts_with('M') && !found.contains(&format!("[{id}]")) {
            wrong.push(format!("#### {title}: the message is not {id} but\n{found}\n"));
        }
        anew.push_str(&format!("#### {title}\n{source}\n----\n{found}\n\n"));
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(FILE, anew).expect("the file of messages");
    } else {
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// Each id of the catalogue that is in the language today has a block.
#[test]
fn every_id_has_a_block() {
    let file = std::fs::read_to_string(FILE).expect("the file of messages");
    let mut ids: Vec<&str> = Vec::new();
    for source in SOURCES {
        let mut rest = *source;
        while let Some(at) = rest.find("\"M0") {
            let id = &rest[at + 1..at + 6];
            if !ids.contains(&id) {
                ids.push(id);
            }
            rest = &rest[at + 6..];
        }
    }
    assert!(ids.len() > 60, "{ids:?}");
    let missing: Vec<&&str> = ids.iter().filter(|id| !file.contains(&format!("#### {id}"))).collect();
    assert!(missing.is_empty(), "no block for {missing:?}");
}

/// Where ids are written.
const SOURCES: &[&str] = &[
    include_str!("../src/diagnostics.rs"),
    include_str!("../src/parse/attributes.rs"),
    include_str!("../src/parse/declare.rs"),
    include_str!("../src/parse/depth.rs"),
    include_str!("../src/parse/external.rs"),
    include_str!("../src/parse/input.rs"),
    include_str!("../src/parse/item.rs"),
    include_str!("../src/parse/loops.rs"),
    include_str!("../src/parse/mod.rs"),
    include_str!("../src/parse/options.rs"),
    include_str!("../src/parse/split.rs"),
    include_str!("../src/parse/types.rs"),
    include_str!("../src/check/access.rs"),
    include_str!("../src/check/collisions.rs"),
    include_str!("../src/check/condition.rs"),
    include_str!("../src/check/expression.rs"),
    include_str!("../src/check/functions/elementary.rs"),
    include_str!("../src/check/functions/frames.rs"),
    include_str!("../src/check/functions/kinks.rs"),
    include_str!("../src/check/functions/mod.rs"),
    include_str!("../src/check/functions/motion.rs"),
    include_str!("../src/check/functions/space.rs"),
    include_str!("../src/check/functions/outside.rs"),
    include_str!("../src/check/functions/vectors.rs"),
    include_str!("../src/check/items/bodies.rs"),
    include_str!("../src/check/items/constraint.rs"),
    include_str!("../src/check/items/declare.rs"),
    include_str!("../src/check/items/energy.rs"),
    include_str!("../src/check/items/force.rs"),
    include_str!("../src/check/items/freeze.rs"),
    include_str!("../src/check/items/mass.rs"),
    include_str!("../src/check/items/mod.rs"),
    include_str!("../src/check/items/outputs.rs"),
    include_str!("../src/check/items/rate.rs"),
    include_str!("../src/check/items/solid.rs"),
    include_str!("../src/check/items/start.rs"),
    include_str!("../src/check/items/sub.rs"),
    include_str!("../src/check/scope.rs"),
    include_str!("../src/parse/composed.rs"),
    include_str!("../src/parse/sub.rs"),
    include_str!("../src/check/literal.rs"),
    include_str!("../src/check/mod.rs"),
    include_str!("../src/check/names.rs"),
    include_str!("../src/check/operators.rs"),
    include_str!("../src/check/rules/constraints.rs"),
    include_str!("../src/check/rules/inertia.rs"),
    include_str!("../src/check/rules/mod.rs"),
    include_str!("../src/check/rules/start.rs"),
    include_str!("../src/check/rules/states.rs"),
    include_str!("../src/check/rules/unstarted.rs"),
    include_str!("../src/check/rules/usage.rs"),
    include_str!("../src/check/units.rs"),
];
