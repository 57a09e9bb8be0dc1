//! The words that the compiler knows against those that editors get.

use std::fs;

fn source(path: &str) -> String {
    fs::read_to_string(crate::root().join(path)).expect("a source")
}

/// The part of a text from `start` to the next `end`.
fn part<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let rest = &text[text.find(start).unwrap_or_else(|| panic!("{start} is in the source")) + start.len()..];
    &rest[..rest.find(end).expect("an end")]
}

/// The first string literals behind `before`.
fn literals<'a>(text: &'a str, before: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(before).filter_map(move |(at, _)| text[at + before.len()..].split('"').next())
}

#[test]
fn editors_know_every_function() {
    let (table, shadow) =
        (source("ode-codegen/src/check/read/functions/table.rs"), source("ode-runtime/src/shadow.rs"));
    let rows = part(&table, "const ROWS", "\n];");
    let names: Vec<&str> =
        ["plain(\"", "row(\"", "name: \""].into_iter().flat_map(|before| literals(rows, before)).collect();
    assert!(names.len() > 50, "functions are found: {names:?}");
    for name in names {
        let known = shadow.contains(&format!("    {name}(")) || shadow.contains(&format!("pub fn {name}<"));
        assert!(known, "`{name}` needs its line in ode-runtime/src/shadow.rs");
    }
}

#[test]
fn editors_know_every_unit() {
    let (table, shadow) = (source("ode-codegen/src/check/values/known.rs"), source("ode-runtime/src/shadow.rs"));
    let units = part(&shadow, "pub mod units", "\n}");
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("    (\"") && line.contains(", [")).collect();
    assert!(rows.len() > 10, "units are found");
    for row in rows {
        let name = row.split('"').nth(1).expect("a name");
        assert!(units.lines().any(|line| line.trim() == name), "`{name}` needs its line in ode-runtime/src/shadow.rs");
    }
}

#[test]
fn editors_know_every_form_and_color() {
    let shadow = source("ode-runtime/src/shadow.rs");
    let (table, colors) =
        (source("ode-codegen/src/check/items/show.rs"), source("ode-codegen/src/check/items/colors.rs"));
    let forms: Vec<&str> = ["flat(\"", "solid(\""].iter().flat_map(|before| literals(&table, before)).collect();
    assert!(forms.len() > 10, "forms are found: {forms:?}");
    let known = part(&shadow, "\nforms! {", "\n}");
    for form in forms {
        let found = known.lines().any(|line| line.trim().trim_start_matches("r#") == form);
        assert!(found, "`{form}` needs its line in ode-runtime/src/shadow.rs");
    }
    let known: Vec<&str> = part(&shadow, "\ncolors! {", "\n}").split_whitespace().collect();
    let colors: Vec<&str> = literals(&colors, "    (\"").collect();
    assert!(colors.len() > 10 && colors == known, "{colors:?} {known:?}");
}

#[test]
fn editors_know_what_stands_behind_a_dot() {
    let (parts, shadow) = (source("ode-codegen/src/check/read/parts.rs"), source("ode-runtime/src/shadow.rs"));
    let fields = part(&shadow, "pub struct Parts", "\n}");
    let names: Vec<&str> = ["name == \"", "(_, \"", "frame), \""].iter().flat_map(|b| literals(&parts, b)).collect();
    assert!(names.contains(&"reaction") && names.len() > 6, "parts are found: {names:?}");
    for name in names {
        assert!(fields.contains(&format!("pub {name}: ")), "`{name}` needs its line in ode-runtime/src/shadow.rs");
    }
}

#[test]
fn the_picture_of_an_editor_shows_what_it_gets() {
    let picture = source("src/guide/editor.svg");
    let texts = |class: &str| -> Vec<String> {
        let of_class = picture.lines().filter(|line| line.contains(&format!("class=\"{class}\"")));
        of_class.filter_map(|line| Some(line.split_once('>')?.1.split('<').next()?.to_owned())).collect()
    };
    let expanded = |text: &str| ode_codegen::expand(text.parse().expect("tokens")).to_string();
    let model = texts("code").join("\n");
    assert!(!expanded(&model).contains("compile_error"), "{model}");
    let (shadow, hover) = (expanded(&format!("@shadow {{ {model} }}")), texts("hover"));
    assert_eq!(hover.len(), 3, "{hover:?}");
    // rust-analyzer prints the value of a constant; the rest is documentation
    assert!(shadow.contains(&hover[0].replace("m: __Q = Quantity", "m : __Q = __Q")), "{shadow}");
    assert!(hover[1..].iter().all(|line| shadow.contains(line)), "{hover:?} in {shadow}");
    let words = source("ode-runtime/src/shadow.rs");
    for name in texts("completion") {
        assert!(words.contains(&format!("pub {name}: ")) || words.contains(&format!("    {name}();")), "{name}");
    }
    let about = texts("part").join(" ");
    assert!(words.contains(about.trim_end_matches(" …").trim_end_matches(',')), "{about}");
}
