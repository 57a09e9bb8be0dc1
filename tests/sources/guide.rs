//! Pages of the guide against the sources: every message has its entry, and every test that a page names exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ode_codegen::phases::diagnostics::Id;

/// The sources below a folder, one after the other.
fn sources(folder: &Path) -> String {
    let mut found = String::new();
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.push_str(&sources(&path));
        } else {
            found.push_str(&fs::read_to_string(&path).expect("a text"));
        }
    }
    found
}

/// The page has a row for each message, which says what the catalogue says, and no others.
#[test]
fn every_message_has_an_entry() {
    let root = crate::root();
    let page = fs::read_to_string(root.join("src/guide/diagnostics.md")).expect("the page");
    let mut rows: Vec<(String, String)> = Vec::new();
    for line in page.lines().filter(|l| l.starts_with("| M0")) {
        let mut cells = line.split(" | ");
        let id = cells.next().unwrap_or_default().trim_start_matches("| ");
        rows.push((id.to_owned(), cells.next().unwrap_or_default().replace('\\', "")));
    }
    rows.sort();
    let catalogue: Vec<_> = Id::ALL.iter().map(|id| (id.name().to_owned(), id.says().to_owned())).collect();
    assert_eq!(rows, catalogue);
}

#[test]
fn every_message_is_given_somewhere() {
    let sources = sources(&crate::root().join("ode-codegen/src"));
    let unused: Vec<&Id> = Id::ALL.iter().filter(|id| !sources.contains(&format!("Id::{id}"))).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn every_test_that_the_comparison_names_exists() {
    let root = crate::root();
    let page = fs::read_to_string(root.join("src/guide/comparison.md")).expect("the page");
    let named: BTreeSet<_> = page.split('`').filter_map(|code| code.split_once(".rs::")).collect();
    assert!(named.len() > 40, "the tables name their tests");
    for (file, test) in named {
        let text = fs::read_to_string(root.join(format!("{file}.rs"))).unwrap_or_default();
        assert!(text.contains(&format!("#[test]\nfn {test}()")), "{file}.rs has no test {test}");
    }
    let (mut tables, mut inside) = (0, false);
    for line in page.lines() {
        let begins = line.ends_with("| shown by |");
        tables += u32::from(begins);
        inside = begins || inside && line.starts_with('|');
        let row = inside && !begins && !line.starts_with("| ---");
        assert!(!row || line.contains(".rs::"), "no test shows {line}");
    }
    assert_eq!(tables, 2);
}

/// How debug builds are made to run fast is said where one looks first, and on the page with the figures.
#[test]
fn the_readme_and_the_guide_give_the_same_profile() {
    let profile = |path: &str| {
        let page = fs::read_to_string(crate::root().join(path)).expect("a page");
        let (_, block) = page.split_once("```toml\n").expect("a profile");
        block.split("```").next().expect("an end").to_owned()
    };
    assert_eq!(profile("README.md"), profile("src/guide/running.md"));
    assert!(profile("README.md").contains("opt-level"));
}

#[test]
fn examples_begin_with_the_prelude() {
    for entry in fs::read_dir(crate::root().join("examples")).expect("examples") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a text");
        let uses: Vec<&str> = text.lines().filter(|line| line.starts_with("use ode_model::")).collect();
        assert!(uses.contains(&"use ode_model::prelude::*;"), "{} does not", path.display());
        // and needs no more than one other list
        assert!(uses.len() <= 2, "{}: {uses:?}", path.display());
    }
}

/// Every file, folder and test that `ARCHITECTURE.md` names exists; `C/` and `R/` are the tests of compiler and
/// runtime.
#[test]
fn the_architecture_names_what_exists() {
    let root = crate::root();
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("the page");
    assert!(page.lines().count() <= 250, "the page is short");
    let texts = crate::widths::texts();
    let paths: Vec<String> = texts.iter().map(|path| path.display().to_string()).collect();
    let code: String = texts.iter().map(|path| fs::read_to_string(path).expect("a text")).collect();
    let missing: Vec<String> = page
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| !name.contains([' ', '\n', '{']))
        .map(|name| name.replace("C/", "ode-codegen/tests/").replace("R/", "ode-runtime/tests/"))
        .filter(|name| {
            if name.ends_with(".rs") || name.ends_with(".md") {
                !paths.iter().any(|path| path.ends_with(&format!("/{name}")))
            } else if name.ends_with('/') {
                !paths.iter().any(|path| path.contains(&format!("/{name}")))
            } else {
                name.matches('_').count() > 1 && !code.contains(&format!("fn {name}("))
            }
        })
        .collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names what does not exist: {missing:?}");
}
