//! Where the examples draw to. `tests/gallery.rs` compares what the guide has with it.

use std::path::{Path, PathBuf};

/// A file of `target/gallery` in the workspace: an example may belong to a package below it.
pub(crate) fn file(name: &str) -> PathBuf {
    workspace().join("target/gallery").join(name)
}

fn workspace() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|path| path.join("examples/gallery").is_dir()).unwrap_or(package)
}
