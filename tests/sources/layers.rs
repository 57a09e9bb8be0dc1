//! The invariants of `ARCHITECTURE.md` that can be read off the sources, and two that can be seen from outside.

use std::collections::{BTreeMap, BTreeSet};
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
    let layer = |module: &Module| layers.iter().position(|l| module.first().is_some_and(|m| l.contains(&m.as_str())));
    for (module, seen) in arrows(krate, usize::MAX).into_iter().filter(|(module, _)| !module.is_empty()) {
        let own =
            layer(&module).unwrap_or_else(|| panic!("{module:?} has no layer: add it here and to ARCHITECTURE.md"));
        let above: Vec<&Module> = seen.iter().filter(|other| layer(other) > Some(own)).collect();
        assert!(above.is_empty(), "{module:?} must not see {above:?}");
    }
}

#[test]
fn no_arrow_runs_upward() {
    layered(
        "ode-codegen",
        &[
            &["identifier", "numbered", "places"],
            &["diagnostics"],
            &["expr"],
            &["chart"],
            &["model"],
            &["parse"],
            &["families"],
            &["check"],
            &["derive"],
            &["lower"],
            &["describe"],
            &["emit"],
            &["assembled", "external", "fallback", "source", "phases"],
        ],
    );
    layered(
        "ode-runtime",
        &[
            &["shadow"],
            &["numbers"],
            &["error"],
            &["model"],
            &["linalg"],
            &["families"],
            &["solve"],
            &["variation"],
            &["adaptors", "selftest", "integrators"],
            &["analysis", "events", "step_size"],
            &["keep"],
            &["run"],
        ],
    );
    layered(
        "ode-control",
        &[
            &["dense", "deviation", "follows", "matrix", "stages"],
            &["consistency"],
            &["filter", "fit", "linear", "optimal", "riccati", "trim"],
            &["lqr", "mpc"],
            &["feedback"],
            &["guide"],
        ],
    );
    layered("ode-mesh", &[&["error"], &["cells", "size"], &["read"], &["mesh"], &["series", "shapes", "topology"]]);
    layered("ode-view", &[&["color", "error", "number"], &["file"], &["film", "plot", "progress"]]);
    // What cannot see `diagnostics` cannot report a mistake.
    for Source { path, module, text } in sources("ode-codegen") {
        if ["derive", "lower", "describe"].contains(&module.as_str()) {
            let seen: Vec<&str> =
                names(&text, "crate::").filter(|s| ["diagnostics", "parse", "check"].contains(s)).collect();
            assert!(seen.is_empty(), "{} sees {seen:?}", path.display());
        }
    }
}

/// A module of a crate as the names of its path: `["check", "items", "fix"]`.
type Module = Vec<String>;

/// The module that a file is, by what stands behind `src` in its path.
fn module_of(path: &Path) -> Module {
    let path = path.with_extension("");
    let names: Vec<String> = path.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let below = names.iter().rposition(|name| name == "src").expect("below src");
    names[below + 1..].iter().filter(|name| *name != "mod" && *name != "lib").cloned().collect()
}

/// The paths in one tree of a `use`: `a::{b, c::{d, e as f}}` are `a::b`, `a::c::d` and `a::c::e`.
fn paths_of(tree: &str) -> Vec<String> {
    let Some(open) = tree.find('{') else {
        return vec![tree.split(" as ").next().unwrap_or_default().trim().to_owned()];
    };
    let (before, inside) = (tree[..open].trim(), &tree[open + 1..tree.rfind('}').expect("a closed brace")]);
    let (mut depth, mut start, mut branches) = (0, 0, Vec::new());
    for (at, c) in inside.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                branches.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    branches.push(&inside[start..]);
    let branches = branches.into_iter().filter(|branch| !branch.trim().is_empty());
    branches.flat_map(paths_of).map(|rest| format!("{before}{rest}")).collect()
}

/// Every path that a file's `use`s name, and whether it is handed on.
fn uses(text: &str) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    for (start, handed) in [("use ", false), ("pub use ", true), ("pub(crate) use ", true), ("pub(super) use ", true)] {
        for (at, _) in text.match_indices(&format!("\n{start}")) {
            let rest = &text[at + 1 + start.len()..];
            let paths = paths_of(&rest[..rest.find(';').expect("a whole use")]);
            found.extend(paths.into_iter().map(|path| (handed, path)));
        }
    }
    found
}

/// Every path that the code of a file writes down: those of its `use`s, but for those that hand on what stands below
/// the file, and others that begin with `crate` or `super`.
fn paths(text: &str) -> Vec<String> {
    let above = |path: &str| path.starts_with("crate") || path.starts_with("super");
    let mut found: Vec<String> =
        uses(text).into_iter().filter(|(handed, path)| !handed || above(path)).map(|(_, path)| path).collect();
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let rest = &text[at..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(rest.len());
            // what goes on in braces is a `use`, and `super` of a module within the file is the file
            let inner = start == "super::" && text[..at].ends_with("    use ");
            found.extend((!inner && !rest[..end].ends_with("::")).then(|| rest[..end].to_owned()));
        }
    }
    found
}

/// The modules of a crate, and the paths behind the names that they hand on.
struct Modules {
    all: BTreeSet<Module>,
    handed: BTreeMap<(Module, String), String>,
}

impl Modules {
    fn of(files: &[Source]) -> Self {
        let mut handed = BTreeMap::new();
        for file in files {
            for (_, path) in uses(&file.text).into_iter().filter(|(handed, _)| *handed) {
                let name = path.rsplit("::").next().expect("a name").trim().to_owned();
                handed.insert((module_of(&file.path), name), path);
            }
        }
        Self { all: files.iter().map(|f| module_of(&f.path)).collect(), handed }
    }

    /// The file that a path in a module leads to: the longest beginning of it that is a module of the crate, or where
    /// what that module hands on comes from.
    fn target(&self, own: &Module, path: &str) -> Option<Module> {
        let mut place = own.clone();
        for (i, name) in path.split("::").map(str::trim).enumerate() {
            let next = match name {
                "crate" if i == 0 => Module::new(),
                "self" => place.clone(),
                "super" => place[..place.len().checked_sub(1)?].to_vec(),
                name => place.iter().cloned().chain([name.to_owned()]).collect(),
            };
            if !self.all.contains(&next) {
                // without a prefix it is a crate, where it is no module below
                let here = (i > 0).then_some(place.clone())?;
                let behind = self.handed.get(&(place.clone(), name.to_owned()));
                return behind.and_then(|path| self.target(&place, path)).or(Some(here));
            }
            place = next;
        }
        Some(place)
    }
}

/// Modules in import circles, with their imports: those left after repeatedly removing modules that import nothing and
/// those that nothing imports.
fn circle(mut arrows: BTreeMap<Module, BTreeSet<Module>>) -> BTreeMap<Module, BTreeSet<Module>> {
    loop {
        let seen: BTreeSet<Module> = arrows.values().flatten().cloned().collect();
        let ends = |(module, sees): &(&Module, &BTreeSet<Module>)| sees.is_empty() || !seen.contains(*module);
        let free: BTreeSet<Module> = arrows.iter().filter(ends).map(|(module, _)| module.clone()).collect();
        if free.is_empty() {
            return arrows;
        }
        arrows.retain(|module, _| !free.contains(module));
        arrows.values_mut().for_each(|sees| sees.retain(|module| !free.contains(module)));
    }
}

/// Who sees whom in a crate, with paths cut to so many names: each file by itself, or whole folders.
fn arrows(krate: &str, depth: usize) -> BTreeMap<Module, BTreeSet<Module>> {
    let files = sources(krate);
    let modules = Modules::of(&files);
    let cut = |module: &Module| -> Module { module.iter().take(depth).cloned().collect() };
    let mut arrows: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for Source { path, text, .. } in &files {
        let own = module_of(path);
        let seen = paths(text).into_iter().filter_map(|path| modules.target(&own, &path));
        let seen = seen.map(|m| cut(&m)).filter(|m| !m.is_empty() && *m != cut(&own));
        arrows.entry(cut(&own)).or_default().extend(seen);
    }
    arrows
}

/// Those within `check`.
fn arrows_in_check(depth: usize) -> BTreeMap<Module, BTreeSet<Module>> {
    let within = |module: &Module| module.first().is_some_and(|first| first == "check");
    let mut arrows = arrows("ode-codegen", depth);
    arrows.retain(|module, _| within(module));
    arrows.values_mut().for_each(|seen| seen.retain(within));
    assert!(arrows.len() > 10, "check has files");
    arrows
}

#[test]
fn no_circle_in_check() {
    for depth in [usize::MAX, 2] {
        let left = circle(arrows_in_check(depth));
        assert!(left.is_empty(), "modules of check see each other in a circle: {left:#?}");
    }
}

#[test]
fn no_circle_in_the_runtime() {
    for depth in [usize::MAX, 1] {
        let left = circle(arrows("ode-runtime", depth));
        assert!(left.is_empty(), "modules of the runtime see each other in a circle: {left:#?}");
    }
}

#[test]
fn no_circle_in_control() {
    for depth in [usize::MAX, 1] {
        let left = circle(arrows("ode-control", depth));
        assert!(left.is_empty(), "modules of control see each other in a circle: {left:#?}");
    }
}

#[test]
fn no_circle_in_the_mesh() {
    for depth in [usize::MAX, 1] {
        let left = circle(arrows("ode-mesh", depth));
        assert!(left.is_empty(), "modules of the mesh see each other in a circle: {left:#?}");
    }
}

#[test]
fn no_circle_in_the_view() {
    for depth in [usize::MAX, 1] {
        let left = circle(arrows("ode-view", depth));
        assert!(left.is_empty(), "modules of the view see each other in a circle: {left:#?}");
    }
}

/// An arrow is found by the name of an item that two modules have handed on.
#[test]
fn names_that_are_handed_on_lead_to_their_file() {
    let modules = Modules::of(&sources("ode-runtime"));
    let run = vec!["run".to_owned(), "setup".to_owned()];
    for (path, file) in [
        ("crate::Real", "numbers/scalar"),
        ("crate::solve::Newton", "solve/limits"),
        ("crate::analysis::Held", "adaptors/held"),
        ("crate::linalg::Field", "numbers/field"),
        ("crate::integrators::Verner9", "integrators/runge_kutta/high_order"),
    ] {
        let found = modules.target(&run, path).expect("a file").join("/");
        assert_eq!(found, file, "{path}");
    }
}

#[test]
fn expressions_see_no_draft_and_rules_no_reader() {
    let arrows = arrows_in_check(2);
    for (module, unseen) in [
        ("read", &["draft", "items", "whole", "rules"][..]),
        ("items", &["whole", "rules"]),
        ("rules", &["read", "items"]),
    ] {
        let own = vec!["check".to_owned(), module.to_owned()];
        for other in unseen {
            let other = vec!["check".to_owned(), (*other).to_owned()];
            assert!(!arrows[&own].contains(&other), "{own:?} must not see {other:?}");
        }
    }
}

#[test]
fn only_linalg_names_nalgebra() {
    for Source { path, module, text } in sources("ode-runtime") {
        let may = module == "linalg" || path.ends_with("numbers/field.rs");
        assert!(may || !text.contains("nalgebra"), "{} names nalgebra", path.display());
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

/// Without optimisation a forced copy makes code longer, and nothing faster.
#[test]
fn inlining_is_not_forced_beside_debug_assertions() {
    for Source { path, text, .. } in sources("ode-runtime") {
        let forced = text.match_indices("inline(always)");
        for (at, _) in forced {
            let line = text[..at].rsplit('\n').next().unwrap_or_default();
            assert!(line.trim() == "#[cfg_attr(not(debug_assertions),", "{} forces it always", path.display());
        }
    }
}

#[test]
fn unit_tests_of_the_compiler_are_run() {
    for Source { path, module, text } in sources("ode-codegen") {
        let run = ["expr", "identifier", "numbered", "places"].contains(&module.as_str())
            || path.ends_with("derive/eliminated.rs")
            || path.ends_with("elimination/order.rs")
            || path.ends_with("lower/fingerprints.rs")
            || path.components().any(|part| part.as_os_str() == "algebra");
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
            for call in [".gradient(", ".jvp(", ".vjp(", ".eliminated(", "sparse::jacobian("] {
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
    for part in ["compile_error", "pub struct Oscillator", "pub k : f64", "pub mod oscillator", "pub type Lambda"] {
        assert!(shape.contains(part), "{part} is missing from {shape}");
    }
}
