//! What a user sees: a folder of models with mistakes for each kind of rule, one of runs with mistakes, and the
//! compiler's whole answer beside each. Models whose mistakes the macro alone tells are one program, in `mistakes.rs`
//! of their folder; a program of its own shows what rustc says beside it, or what of a model stays.
//!
//! The `.stderr` files are those of the toolchain named in `.ci/run`; `TRYBUILD=overwrite cargo test --test ui` writes
//! them anew. A warning is shown by denying it; models without any are in `tests/silence`.

/// The kinds of rules.
const FOLDERS: [&str; 12] = [
    "parse",
    "names",
    "shapes",
    "units",
    "dynamics",
    "constraints",
    "composition",
    "external",
    "not_yet",
    "sets",
    "warnings",
    "runs",
];

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    for folder in FOLDERS {
        cases.compile_fail(format!("{folder}/*.rs"));
    }
}
