//! The models of the examples mean what their texts say.

use std::path::Path;

use ode_codegen::phases::expr::RULES;
use ode_model_generator::examine::{Verdict, examine};
use ode_model_generator::texts;
use proc_macro2::TokenStream;

fn models_of(path: &Path) -> Vec<TokenStream> {
    texts::models(&std::fs::read_to_string(path).expect("a file")).expect("Rust")
}

/// Models whose external functions nothing here knows.
const UNKNOWN: [&str; 5] = ["Rover", "Quarter", "Crank", "Guarded", "Wrong"];

/// Models of points of the sphere that start opposite to e_z or in lists, or that events assign: the oracle has no
/// words for these yet. `tests/sphere.rs` looks at them.
const ON_SPHERES: [&str; 5] = ["Double", "Pole", "Kicked", "Everything", "Thrown"];

#[test]
fn the_models_of_the_project_mean_what_they_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let parts = models_of(&root.join("tests/parts/src/robot.rs"));
    let (mut count, mut compared, mut unknown, mut fragments, mut sets) = (0, 0, Vec::new(), 0, 0);
    for folder in ["examples", "tests/models", "tests/parts/src"] {
        let mut files: Vec<_> =
            std::fs::read_dir(root.join(folder)).expect("a folder").map(|e| e.expect("a file").path()).collect();
        files.sort();
        for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "rs")) {
            let own = models_of(file);
            let known: Vec<TokenStream> = own.iter().chain(&parts).cloned().collect();
            for model in &own {
                let (text, name) = (model.to_string(), texts::name(model));
                // what `macro_rules!` completes
                if text.contains('$') {
                    fragments += 1;
                    continue;
                }
                // the oracle has no words for sets: `tests/large` compares such models with those written out
                if texts::declares_sets(model) {
                    sets += 1;
                    continue;
                }
                if file.ends_with("sphere.rs") && ON_SPHERES.contains(&name.as_str()) {
                    continue;
                }
                if text.contains("extern fn") || text.contains("pchip") {
                    unknown.push(name);
                    continue;
                }
                match examine(RULES, model, &known, 2, 7) {
                    Verdict::Compiled(report) => {
                        assert!(report.differences.is_empty(), "{}: {name}\n{:#?}", file.display(), report.differences);
                        count += 1;
                        compared += report.compared;
                    }
                    other => panic!("{}: {name}: {other:?}", file.display()),
                }
            }
        }
    }
    assert_eq!(unknown, UNKNOWN);
    assert!(
        count > 100 && compared > 10_000 && 8 * (fragments + sets) < count,
        "{count} models, {compared} numbers, {fragments} fragments, {sets} with sets"
    );
}
