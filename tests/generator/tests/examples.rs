//! The models of the examples mean what their texts say.

use std::path::Path;

use ode_codegen::expr::RULES;
use ode_model_generator::examine::{Verdict, examine};
use ode_model_generator::texts;
use proc_macro2::TokenStream;

fn models_of(path: &Path) -> Vec<TokenStream> {
    texts::models(&std::fs::read_to_string(path).expect("a file")).expect("Rust")
}

#[test]
fn the_models_of_the_examples_mean_what_they_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let parts = models_of(&root.join("tests/parts/src/robot.rs"));
    let (mut count, mut compared) = (0, 0);
    for folder in ["examples"] {
        let mut files: Vec<_> =
            std::fs::read_dir(root.join(folder)).expect("a folder").map(|e| e.expect("a file").path()).collect();
        files.sort();
        for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "rs")) {
            let own = models_of(file);
            let known: Vec<TokenStream> = own.iter().chain(&parts).cloned().collect();
            for model in &own {
                let text = model.to_string();
                // functions of their own, which nothing here knows
                if text.contains("extern fn") || text.contains("pchip") || text.contains('$') {
                    continue;
                }
                let name: String = text.split_whitespace().skip_while(|w| *w != "struct").take(2).collect();
                eprintln!("{} {name}", file.display());
                match examine(RULES, model, &known, 2, 7) {
                    Verdict::Compiled(report) => {
                        assert!(report.differences.is_empty(), "{text}\n{:#?}", report.differences);
                        count += 1;
                        compared += report.compared;
                    }
                    Verdict::Refused(why) => eprintln!("refused: {why}"),
                    Verdict::Named(names) => panic!("{text}\n{names}"),
                }
            }
        }
    }
    assert!(count > 8 && compared > 1_000, "{count} models, {compared} numbers");
}
