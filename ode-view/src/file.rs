//! Files that are written whole or not at all.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::ViewError;

/// The ending of a file's name, one of those that it can have; the first of them where it has none.
pub(crate) fn ending(path: &Path, known: &'static [&'static str]) -> Result<&'static str, ViewError> {
    let Some(ending) = path.extension() else { return Ok(known[0]) };
    let found = known.iter().find(|known| ending.eq_ignore_ascii_case(known));
    found.copied().ok_or_else(|| ViewError::Ending { path: path.to_owned(), known })
}

/// Writes the file beside its place first, and moves it there when it is whole. Missing folders are made.
pub(crate) fn write(path: &Path, contents: &[u8]) -> Result<(), ViewError> {
    whole(path, contents).map_err(|cause| ViewError::File { path: path.to_owned(), cause })
}

fn whole(path: &Path, contents: &[u8]) -> io::Result<()> {
    // Moving would replace what is not a file, as `/dev/stdout`, and the link instead of the file that it leads to.
    let place = match fs::metadata(path) {
        Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if there.permissions().readonly() => return Err(io::ErrorKind::PermissionDenied.into()),
        Ok(there) if !there.is_file() => return fs::write(path, contents),
        Ok(_) => &fs::canonicalize(path)?,
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Err(error),
        Err(_) => path,
    };
    let name = place.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    if let Some(folder) = place.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    // No other file has this name, nor has what is written to the same place meanwhile.
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut part = name.to_owned();
    part.push(format!(".{}-{}.part", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    let part = place.with_file_name(part);
    let written = fs::write(&part, contents).and_then(|()| fs::rename(&part, place));
    if written.is_err() {
        // What is left of it is of no use, and may not be there.
        let _ = fs::remove_file(&part);
    }
    written
}
