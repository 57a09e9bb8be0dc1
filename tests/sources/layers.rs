//! The invariants of `ARCHITECTURE.md` that can be read off the sources, and two that can be seen from outside.

use std::fs;
use std::path::{Path, PathBuf};

/// A file of a crate: the module it belongs to (first name below `src`) and its text without comments.
struct Source {
    path: PathBuf,
    module: String,
    text: String,
}

/// The files below `crate/src`, in order.
fn sources(krate: &str) -> Vec<Source> {
    let root = crate::root().join(krate).join("src");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let first = path.strip_prefix(&root).expect("below src").components().next().expect("a name");
            let module = Path::new(first.as_os_str()).with_extension("").display().to_string();
            let text = fs::read_to_string(&path).expect("a text");
            let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            found.push(Source { path, module, text: code.join("\n") });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 10, "{krate} has sources");
    found
}

/// What stands between `before` and the end of the name, wherever `before` occurs.
fn names<'a>(text: &'a str, before: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(before).map(move |(at, _)| {
        let rest = &text[at + before.len()..];
        &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())]
    })
}

/// Modules that know each other share a layer; a module sees its own layer and those before it.
fn layered(krate: &str, layers: &[&[&str]]) {
    let layer = |module: &str| layers.iter().position(|l| l.contains(&module));
    for Source { path, module, text } in sources(krate) {
        if module == "lib" {
            continue;
        }
        let own = layer(&module).unwrap_or_else(|| panic!("{module} has no layer: add it here and to ARCHITECTURE.md"));
        for seen in names(&text, "crate::") {
            if let Some(other) = layer(seen) {
                assert!(other <= own, "{} is of `{module}` and must not see `{seen}`", path.display());
            }
        }
    }
}

#[test]
fn no_arrow_runs_upward() {
    layered(
        "ode-codegen",
        &[
            &["identifier"],
            &["diagnostics"],
            &["expr"],
            &["chart"],
            &["model"],
            &["parse"],
            &["check"],
            &["derive"],
            &["lower"],
            &["describe"],
            &["emit"],
            &["external", "fallback", "source"],
        ],
    );
    layered(
        "ode-runtime",
        &[
            &[
                "arc", "shadow", "error", "scalar", "stumpff", "outside", "linalg", "system", "names", "adapt",
                "damping",
            ],
            &["state", "rotations", "so3", "build", "dual", "pchip", "differentiable", "history"],
            &["input"],
            &["method", "scheme"],
            &["solve"],
            &["start", "integrators", "selftest"],
            &["analysis"],
            &["control", "events", "setup", "simulation", "change", "statistics", "checkpoint", "saved", "reports"],
            &["record", "sweep"],
        ],
    );
    // What cannot see `diagnostics` cannot report a mistake.
    for Source { path, module, text } in sources("ode-codegen") {
        if ["derive", "lower", "describe"].contains(&module.as_str()) {
            let seen: Vec<&str> =
                names(&text, "crate::").filter(|s| ["diagnostics", "parse", "check"].contains(s)).collect();
            assert!(seen.is_empty(), "{} sees {seen:?}", path.display());
        }
    }
}

#[test]
fn only_linalg_names_nalgebra() {
    for Source { path, module, text } in sources("ode-runtime") {
        assert!(module == "linalg" || !text.contains("nalgebra"), "{} names nalgebra", path.display());
    }
    for krate in ["ode-codegen", "ode-macros"] {
        let manifest = fs::read_to_string(crate::root().join(krate).join("Cargo.toml"));
        let manifest = manifest.expect("a manifest");
        assert!(
            !manifest.contains("nalgebra") && !manifest.contains("ode-runtime"),
            "{krate} knows the runtime's paths only"
        );
    }
}

#[test]
fn unit_tests_of_the_compiler_are_run() {
    for Source { path, module, text } in sources("ode-codegen") {
        let run = ["expr", "identifier"].contains(&module.as_str());
        assert!(
            run || !text.contains("mod tests {"),
            "{}: ode-codegen/tests/units.rs lacks `{module}`",
            path.display()
        );
    }
}

#[test]
fn tokens_come_from_emit() {
    for Source { path, module, text } in sources("ode-codegen") {
        let quotes = text.match_indices("quote!").any(|(at, _)| !text[..at].ends_with("parse_"));
        assert!(!quotes || ["emit", "fallback", "lib"].contains(&module.as_str()), "{} quotes tokens", path.display());
    }
}

#[test]
fn identifiers_have_one_door() {
    for Source { path, module, text } in sources("ode-codegen") {
        for call in ["Ident::new", "format_ident!", "parse_str"] {
            assert!(module == "identifier" || !text.contains(call), "{} calls {call}", path.display());
        }
    }
}

#[test]
fn calculus_ends_with_derive() {
    for Source { path, module, text } in sources("ode-codegen") {
        if ["lower", "describe", "emit"].contains(&module.as_str()) {
            for call in [".gradient(", ".jvp(", ".vjp(", "sparse::jacobian("] {
                assert!(!text.contains(call), "{} calls {call}", path.display());
            }
        }
    }
}

#[test]
fn the_same_model_gives_the_same_bytes() {
    // Every hash map of a process is seeded anew, so an iteration over one shows within a few rounds.
    for example in ["cart_pole", "slider_crank"] {
        let path = crate::example(example);
        let first = ode_codegen::expand_file(&path).expect("a model");
        for _ in 0..5 {
            assert!(ode_codegen::expand_file(&path).expect("a model") == first, "{example} expands to something else");
        }
    }
}

#[test]
fn a_mistake_keeps_the_shape_of_the_item() {
    let text =
        "pub struct Oscillator { param k: Real = 1.0; coord x: Real; kinetic = 0.5 * sq(der(x)); potential = k * y; }";
    let shape = ode_codegen::expand(text.parse().expect("tokens")).to_string();
    for part in ["compile_error", "pub struct Oscillator", "pub k : f64", "pub mod oscillator", "pub struct Lambda"] {
        assert!(shape.contains(part), "{part} is missing from {shape}");
    }
}
