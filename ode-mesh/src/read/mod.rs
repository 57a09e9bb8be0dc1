//! Files of meshes. Readers report what the text says; [`Mesh::new`](crate::Mesh::new) checks what it means.

mod msh;
mod obj;
mod vtk;
mod words;

use std::fs;
use std::path::Path;

use self::words::Contents;
use crate::error::Fault;

/// Reads a file in the format that its name says.
pub(crate) fn file(path: &Path) -> Result<Contents, Fault> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let bytes = || fs::read(path).map_err(Fault::File);
    match ending.as_str() {
        "obj" => obj::read(text(&bytes()?).as_ref()),
        "msh" => msh::read(text(&bytes()?).as_ref()),
        "vtk" => vtk::legacy(&bytes()?),
        "vtu" | "vtp" => vtk::xml(&bytes()?),
        _ => Err(Fault::Ending { known: &["obj", "msh", "vtk", "vtu", "vtp"] }),
    }
}

/// The text of a file, without the mark that some editors begin it with.
fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes))
}
