//! Every message with its whole text: `front_messages.txt` holds models and what is said about them.
//!
//! A block is `#### title`, items or a whole struct, `----`, and the messages. Items stand in the model of their title:
//! `(plain)`, without units, or `(measured)`. After a change of wording, `BLESS=1 cargo test` writes the file anew;
//! read the difference.

use ode_codegen::compile;
use ode_codegen::phases::diagnostics::Id;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/front_messages.txt");
const PLAIN: &str = "pub struct P<T> {\n    coord x: Real;\n    kinetic = 0.5 * sq(der(x));\n";
const MEASURED: &str =
    "pub struct P<T> {\n    param m: Real [kg] = 1.0;\n    coord x: Real [m];\n    kinetic = 0.5 * m * sq(der(x));\n";

/// Errors in the order of the text, or warnings.
fn messages(source: &str) -> String {
    let Ok(tokens) = source.parse() else { return "no tokens".to_owned() };
    let texts: Vec<String> = match compile(tokens) {
        Ok(compiled) => compiled.warnings.iter().map(|w| format!("warning: {}", w.text)).collect(),
        Err(errors) => errors.into_iter().map(|e| format!("error: {e}")).collect(),
    };
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

/// Each id of the catalogue has a block.
#[test]
fn every_id_has_a_block() {
    let file = std::fs::read_to_string(FILE).expect("the file of messages");
    let missing: Vec<&Id> = Id::ALL.iter().filter(|id| !file.contains(&format!("#### {id}"))).collect();
    assert!(missing.is_empty(), "no block for {missing:?}");
}
