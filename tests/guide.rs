//! Pages of the guide against the sources: every message has its entry, and every test that a page names exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// `M` and four digits, wherever they stand behind `before`.
fn ids(text: &str, before: &str) -> BTreeSet<String> {
    let start = format!("{before}M0");
    let found = text.match_indices(&start).map(|(at, _)| text[at + before.len()..].chars().take(5).collect::<String>());
    found.filter(|id| id.len() == 5 && id[1..].bytes().all(|b| b.is_ascii_digit())).collect()
}

/// The ids that the files below `folder` give as literals.
fn reported(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(reported(&path));
        } else {
            found.extend(ids(&fs::read_to_string(&path).expect("a text"), "\""));
        }
    }
    found
}

#[test]
fn every_message_has_an_entry() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let reported = reported(&root.join("ode-codegen/src"));
    let page = fs::read_to_string(root.join("src/guide/diagnostics.md")).expect("the page");
    let described = ids(&page, "| ");
    assert!(reported.len() > 50, "ids are found in the sources");
    let missing: Vec<_> = reported.difference(&described).collect();
    let surplus: Vec<_> = described.difference(&reported).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "without entry: {missing:?}; entry without message: {surplus:?}");
}

#[test]
fn every_test_that_the_comparison_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
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
