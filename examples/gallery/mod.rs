//! Where the examples draw to, and whether the guide has what they draw.

use std::path::{Path, PathBuf};

/// A file of `target/gallery` in the workspace: an example may belong to a package below it.
pub(crate) fn file(name: &str) -> PathBuf {
    workspace().join("target/gallery").join(name)
}

fn workspace() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|path| path.join("examples/gallery").is_dir()).unwrap_or(package)
}

/// Draws, and fails where the guide has another picture of this name.
///
/// A test that includes an example for its model draws nothing: it may count what all threads allocate.
#[cfg(test)]
#[allow(dead_code, reason = "the guide has some of the pictures")]
pub(crate) fn assert_kept(name: &str, draw: impl FnOnce() -> Result<(), Box<dyn std::error::Error>>) {
    if module_path!().matches("::").count() > 1 {
        return;
    }
    draw().expect("a picture");
    let [drawn, kept] = [file(name), workspace().join("src/guide/gallery").join(name)];
    let text = |path: &Path| std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let same = is_same(&text(&drawn), &text(&kept));
    assert!(same, "the guide has another picture: copy {} to {}", drawn.display(), kept.display());
}

/// Whether two pictures differ by parts of a pixel only: another library of mathematics may round otherwise.
#[cfg(test)]
#[allow(dead_code, reason = "the guide has some of the pictures")]
fn is_same(drawn: &str, kept: &str) -> bool {
    let ((now, text), (then, old)) = (parts(drawn), parts(kept));
    text == old && now.len() == then.len() && now.iter().zip(&then).all(|(a, b)| (a - b).abs() < 0.25)
}

/// The numbers of a text, and the text between them.
#[cfg(test)]
#[allow(dead_code, reason = "the guide has some of the pictures")]
fn parts(text: &str) -> (Vec<f64>, Vec<&str>) {
    let is_number = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    let numbers = text.split(|c| !is_number(c)).filter_map(|part| part.parse().ok()).collect();
    (numbers, text.split(is_number).filter(|part| !part.is_empty()).collect())
}
