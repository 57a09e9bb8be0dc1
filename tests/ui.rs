//! What a user sees: a folder of models with mistakes for each kind of rule, and rustc's whole answer beside each.
//!
//! The `.stderr` files are those of the toolchain named in `.ci/run`; `BLESS=1 cargo test --test ui` writes those that
//! differ. A warning is shown by denying it; models without any are in `tests/silence`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::{env, fs, thread};

/// The kinds of rules.
const FOLDERS: [&str; 10] =
    ["parse", "names", "shapes", "units", "dynamics", "constraints", "composition", "outside", "not_yet", "warnings"];

/// The libraries that the models are compiled with, as cargo has built them for the other tests: those of an example that
/// uses all.
fn libraries() -> Vec<PathBuf> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--workspace", "--example", "quadruped", "--message-format", "json"]);
    let built = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let messages = String::from_utf8(built.stdout).expect("JSON");
    let names = messages.split('"').filter(|text| text.ends_with(".rlib") && text.contains("/libode_model"));
    let libraries: Vec<PathBuf> = names.filter(|name| Path::new(name).is_file()).map(PathBuf::from).collect();
    assert!(libraries.iter().any(|path| path.parent().is_some_and(|p| p.ends_with("deps"))), "{messages}");
    libraries
}

/// A line of rustc's, with paths as on every machine. What it quotes of the project's own sources is left without line
/// numbers, which change; `foreign` says whether a line belongs to such a quotation.
fn placed(line: &str, foreign: &mut bool) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    let arrow = ["-->", ":::"].iter().any(|arrow| line.trim_start().starts_with(arrow));
    if arrow || line.is_empty() {
        *foreign = arrow && !line.contains("/tests/ui/");
    }
    match (arrow, *foreign) {
        (true, false) => line.replace(&format!("{root}/"), ""),
        (true, true) => line.split_inclusive(".rs").next().unwrap_or(line).to_owned(),
        (false, true) => line.replace(|c: char| c.is_ascii_digit(), " "),
        (false, false) => line.replace(root, "$DIR"),
    }
}

/// What rustc says to the model of a file, with paths as on every machine and without its closing lines.
fn answer(model: &Path, libraries: &[PathBuf]) -> Result<String, String> {
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition=2024", "--emit=metadata", "--diagnostic-width=140", "--color=never"]);
    rustc.args(["--check-cfg=cfg(docsrs,test)", "--out-dir", env!("CARGO_TARGET_TMPDIR")]);
    for library in libraries {
        let file = library.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let name = file.trim_start_matches("lib").split('-').next().unwrap_or_default();
        rustc.arg("--extern").arg(format!("{name}={}", library.display()));
        rustc.arg("-L").arg(format!("dependency={}", library.with_file_name("deps").display()));
        rustc.arg("-L").arg(format!("dependency={}", library.with_file_name("").display()));
    }
    let output = rustc.arg(model).output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        return Err(format!("is compiled\n{text}"));
    }
    let closing = ["error: aborting due to", "Some errors have detailed", "For more information about"];
    let lines = text.lines().filter(|line| !closing.iter().any(|closing| line.starts_with(closing)));
    let mut foreign = false;
    let placed = lines.map(|line| placed(line, &mut foreign));
    Ok(placed.collect::<Vec<_>>().join("\n").trim().to_owned())
}

/// Compares the answer to a model with the file beside it, or writes that; says what is wrong.
fn judge(model: &Path, libraries: &[PathBuf]) -> Option<String> {
    let expected = model.with_extension("stderr");
    let name = model.display();
    let found = match answer(model, libraries) {
        Ok(found) => found,
        Err(e) => return Some(format!("{name} {e}")),
    };
    let wanted = fs::read_to_string(&expected).unwrap_or_default();
    if wanted.trim() == found {
        None
    } else if env::var_os("BLESS").is_some() {
        fs::write(&expected, format!("{found}\n")).err().map(|e| format!("{name}: {e}"))
    } else {
        Some(format!("{name}\nexpected:\n{wanted}\nfound:\n{found}\n"))
    }
}

#[test]
fn messages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let files = FOLDERS.iter().flat_map(|folder| fs::read_dir(root.join(folder)).expect("a folder of models"));
    let mut models: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    models.retain(|path| path.extension().is_some_and(|e| e == "rs"));
    assert!(models.len() > 150, "models are found: {}", models.len());
    models.sort();
    let libraries = libraries();
    let (rest, wrong) = (Mutex::new(models), Mutex::new(Vec::new()));
    let next = || rest.lock().expect("no thread has panicked").pop();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(model) = next() {
                    if let Some(text) = judge(&model, &libraries) {
                        wrong.lock().expect("no thread has panicked").push(text);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no thread has panicked");
    assert!(wrong.is_empty(), "{} models:\n{}", wrong.len(), wrong.join("\n"));
}
