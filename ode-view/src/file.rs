//! Files that are written whole or not at all.

use std::fs;
use std::io;
use std::path::Path;

use crate::ViewError;

/// Writes the file beside its place first, and moves it there when it is whole. Missing folders are made.
pub(crate) fn write(path: &Path, contents: &[u8]) -> Result<(), ViewError> {
    whole(path, contents).map_err(|cause| ViewError::File { path: path.to_owned(), cause })
}

fn whole(path: &Path, contents: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut part = name.to_owned();
    part.push(".part");
    let part = path.with_file_name(part);
    let written = fs::write(&part, contents).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // What is left of it is of no use, and may not be there.
        let _ = fs::remove_file(&part);
    }
    written
}
