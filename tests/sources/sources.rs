//! What can be read off the sources, the guide and the expansions of models.

mod expansion;
mod guide;
mod latex;
mod layers;
mod recorded;
mod shadow;
mod snapshots;
mod texts;
mod widths;

use std::path::{Path, PathBuf};

/// The workspace.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The file of an example.
fn example(name: &str) -> PathBuf {
    root().join("examples").join(name).with_extension("rs")
}
