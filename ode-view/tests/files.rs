//! Files are written whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use ode_view::{Plot, ViewError};

/// A folder of this test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ode-view-files-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn plot() -> Plot {
    Plot::new().curve("x", [(0.0, 0.0), (1.0, 1.0)])
}

/// What a folder holds.
fn held(folder: &Path) -> Vec<String> {
    let name =
        |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = fs::read_dir(folder).expect("a folder").map(name).collect();
    names.sort();
    names
}

fn refused(path: impl AsRef<Path>) -> String {
    let error = plot().write(&path).expect_err("no place for a file");
    assert!(matches!(&error, ViewError::File { path: named, .. } if named == path.as_ref()), "{error:?}");
    error.to_string()
}

#[test]
fn missing_folders_are_made() {
    let folder = folder("made");
    let path = folder.join("a/deep/plot.svg");
    plot().write(&path).expect("a file");
    assert_eq!(fs::read_to_string(&path).expect("a file"), plot().svg().expect("a plot"));
    assert_eq!(held(&folder.join("a/deep")), ["plot.svg"]);
    plot().size(300, 300).write(&path).expect("the file again");
    assert!(fs::read_to_string(&path).expect("a file").contains("width=\"300\""));
}

#[test]
fn what_cannot_be_written_leaves_nothing() {
    let folder = folder("refused");
    fs::write(folder.join("file"), "mine").expect("a file");
    fs::create_dir(folder.join("folder.svg")).expect("a folder");
    let text = |path: &str| format!("cannot write `{}`: ", folder.join(path).display());
    // a file stands where a folder would have to be, and a folder where the file would be
    for path in ["file/plot.svg", "file/deep/plot.svg"] {
        let said = refused(folder.join(path));
        assert!(said.starts_with(&text(path)) && said.to_lowercase().contains("not a directory"), "{said}");
    }
    assert_eq!(refused(folder.join("folder.svg")), text("folder.svg") + "is a directory");
    assert!(refused("").starts_with("cannot write ``: "));
    assert_eq!(refused(".."), "cannot write `..`: is a directory");
    let long = "x".repeat(5000);
    assert!(refused(folder.join(&long)).starts_with(&text(&long)));
    assert_eq!(held(&folder), ["file", "folder.svg"]);
    assert_eq!(fs::read_to_string(folder.join("file")).expect("a file"), "mine");
}

#[test]
fn a_name_promises_what_the_file_is() {
    let folder = folder("endings");
    let error = plot().write("target/plot.jpg").expect_err("no such picture");
    assert_eq!(error.to_string(), "cannot write `target/plot.jpg`: its name must end with `.svg` or `.png`");
    plot().write(folder.join("plot.SVG")).expect("a file");
    plot().write(folder.join("plot")).expect("a file");
    assert_eq!(held(&folder), ["plot", "plot.SVG"]);
}

#[test]
fn a_file_that_may_not_be_written_stays() {
    let folder = folder("protected");
    let path = folder.join("plot.svg");
    fs::write(&path, "mine").expect("a file");
    let mut permissions = fs::metadata(&path).expect("a file").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("permissions");
    assert_eq!(refused(&path), format!("cannot write `{}`: permission denied", path.display()));
    // nor is it changed by a plot that cannot be drawn
    assert!(Plot::new().write(&path).is_err());
    assert_eq!(fs::read_to_string(&path).expect("a file"), "mine");
    assert_eq!(held(&folder), ["plot.svg"]);
}

#[test]
fn other_files_stay() {
    let folder = folder("others");
    fs::write(folder.join("plot.svg.part"), "mine").expect("a file");
    plot().write(folder.join("plot.svg")).expect("a file");
    assert_eq!(held(&folder), ["plot.svg", "plot.svg.part"]);
    let write = || (0..20).for_each(|_| plot().write(folder.join("same.svg")).expect("a file"));
    std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(write))));
    assert_eq!(held(&folder), ["plot.svg", "plot.svg.part", "same.svg"]);
    assert_eq!(fs::read_to_string(folder.join("same.svg")).expect("a file"), plot().svg().expect("a plot"));
}

#[cfg(unix)]
#[test]
fn links_and_devices_stay_what_they_are() {
    let folder = folder("links");
    fs::write(folder.join("file.svg"), "old").expect("a file");
    std::os::unix::fs::symlink(folder.join("file.svg"), folder.join("link.svg")).expect("a link");
    std::os::unix::fs::symlink("/dev/null", folder.join("null.svg")).expect("a link");
    for name in ["link.svg", "null.svg"] {
        plot().write(folder.join(name)).expect("a file");
        assert!(fs::symlink_metadata(folder.join(name)).expect("a link").is_symlink());
    }
    assert!(fs::read_to_string(folder.join("file.svg")).expect("a file").starts_with("<svg"));
    assert_eq!(held(&folder), ["file.svg", "link.svg", "null.svg"]);
}
