//! What a user sees: a folder of models with mistakes for each kind of rule, and the compiler's whole answer beside each.
//!
//! The `.stderr` files are those of the toolchain named in `.ci/run`; `TRYBUILD=overwrite cargo test --test ui` writes them
//! anew. A warning is shown by denying it.

/// The kinds of rules.
const FOLDERS: [&str; 10] =
    ["parse", "names", "shapes", "units", "dynamics", "constraints", "composition", "outside", "not_yet", "warnings"];

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    for folder in FOLDERS {
        cases.compile_fail(format!("tests/ui/{folder}/*.rs"));
    }
}

/// Apart from the others: beside a test that runs, `trybuild` would build every case on its own.
#[test]
fn silence() {
    trybuild::TestCases::new().pass("tests/ui/pass/*.rs");
}
