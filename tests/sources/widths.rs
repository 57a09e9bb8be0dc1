//! No line of code, comment or prose is wider than the formatter's width, wherever a line can be broken.

use std::fs;
use std::path::{Path, PathBuf};

const WIDTH: usize = 120;

/// The `.rs` and `.md` files of the workspace that people write, in order.
pub(crate) fn texts() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![crate::root().to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() {
                // neither is written by people
                if name != "target" && !name.starts_with('.') {
                    folders.push(path);
                }
            } else if (name.ends_with(".rs") || name.ends_with(".md")) && !generated(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(found.len() > 300, "the workspace has texts");
    found
}

/// The random models that a run of the generator writes.
fn generated(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with("tests/compiled/models"))
}

/// The characters of a line that could move to the next one. A row of a table and a line with an address count as
/// nothing. In code, text between quotation marks does not count.
fn breakable(line: &str, code: bool) -> usize {
    let text = line.trim_start();
    let (comment, prose) = match text.strip_prefix("//") {
        Some(rest) if code => (true, rest.trim_start_matches(['/', '!', ' '])),
        _ => (false, text),
    };
    if ((comment || !code) && prose.starts_with('|')) || line.contains("://") {
        return 0;
    }
    if comment || !code {
        return line.chars().count();
    }
    line.split('"').step_by(2).map(|part| part.chars().count()).sum()
}

/// Which lines of a text are too wide, counted from one.
fn wide(text: &str, code: bool) -> Vec<usize> {
    let wide = text.lines().enumerate().filter(|(_, line)| breakable(line, code) > WIDTH);
    wide.map(|(at, _)| at + 1).collect()
}

#[test]
fn no_line_is_wider_than_the_formatter_makes_it() {
    let mut found = Vec::new();
    for path in texts() {
        let text = fs::read_to_string(&path).expect("a text");
        let lines = wide(&text, path.extension().is_some_and(|e| e == "rs"));
        found.extend(lines.iter().map(|line| format!("{}:{line}", path.display())));
    }
    assert!(found.is_empty(), "wider than {WIDTH} characters: {found:#?}");
}

#[test]
fn a_wide_line_is_found() {
    let words = "word ".repeat(24);
    for (text, code) in [
        (format!("{words}w"), false),
        (format!("/// {words}"), true),
        (format!("let x = f({});", "y, ".repeat(40)), true),
        (format!("// \"{words}\""), true),
        (format!("{}\n{words}w", "short"), false),
    ] {
        assert_eq!(wide(&text, code), [text.lines().count()], "{text}");
    }
    for (text, code) in [
        ("ü".repeat(WIDTH), false),
        (format!("| {words} |"), false),
        (format!("//! | {words} |"), true),
        (format!("let text = \"{words}\";"), true),
        (format!("[1]: https://example.org/{}", "x".repeat(WIDTH)), false),
    ] {
        assert!(wide(&text, code).is_empty(), "{text}");
    }
}
