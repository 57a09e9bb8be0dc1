//! The guide has the pictures that the examples draw.
//!
//! After a change that is meant: `BLESS=1 cargo test --test gallery`, and look at them.

#![allow(clippy::duplicate_mod, clippy::print_stdout, reason = "each example is a program of its own")]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "../examples/cart_pole.rs"]
mod cart_pole;
#[path = "../examples/chain.rs"]
mod chain;
#[path = "../examples/quadrotor.rs"]
mod quadrotor;
#[path = "../examples/slider_crank.rs"]
mod slider_crank;
#[path = "../examples/squeezer.rs"]
mod squeezer;
#[path = "../examples/top.rs"]
mod top;

/// An example that draws pictures of the guide.
type Example = (&'static str, fn() -> Result<(), Box<dyn Error>>);

const EXAMPLES: [Example; 6] = [
    ("cart_pole", cart_pole::main),
    ("chain", chain::main),
    ("quadrotor", quadrotor::main),
    ("slider_crank", slider_crank::main),
    ("squeezer", squeezer::main),
    ("top", top::main),
];

/// Most bytes of a picture: all of them are on one page.
const BYTES: usize = 100_000;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The pictures of the guide.
fn kept() -> Vec<PathBuf> {
    let folder = fs::read_dir(root().join("src/guide/gallery")).expect("the folder");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).expect("a name")
}

/// The examples draw `squeezer.svg` or `squeezer_angles.svg`.
fn is_drawn_by(picture: &Path, example: &str) -> bool {
    let rest = name(picture).strip_prefix(example);
    rest.is_some_and(|rest| rest == ".svg" || rest.starts_with('_'))
}

#[test]
fn the_guide_has_what_the_examples_draw() {
    for (example, main) in EXAMPLES {
        main().unwrap_or_else(|error| panic!("{example}: {error}"));
    }
    for picture in kept() {
        let drawn = root().join("target/gallery").join(name(&picture));
        let now = text(&drawn);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&picture, &now).expect("the picture");
        }
        assert!(is_same(&now, &text(&picture)), "{} is another picture; see the head of this file", drawn.display());
        assert!(now.len() < BYTES, "{} has {} bytes", drawn.display(), now.len());
    }
}

#[test]
fn every_picture_has_its_example_and_its_place() {
    let page = text(&root().join("src/guide/gallery.rs"));
    for picture in kept() {
        let count = EXAMPLES.iter().filter(|(example, _)| is_drawn_by(&picture, example)).count();
        assert_eq!(count, 1, "{}", picture.display());
        assert!(page.contains(&format!("gallery/{}", name(&picture))), "{} is on no page", picture.display());
    }
    for (example, _) in EXAMPLES {
        assert!(kept().iter().any(|picture| is_drawn_by(picture, example)), "{example} is drawn for nothing");
        assert!(page.contains(&format!("`examples/{example}.rs`")), "{example} is not on the page");
    }
}

/// Whether two pictures differ by parts of a pixel only: another library of mathematics may round otherwise.
fn is_same(drawn: &str, kept: &str) -> bool {
    let ((now, text), (then, old)) = (parts(drawn), parts(kept));
    text == old && now.len() == then.len() && now.iter().zip(&then).all(|(a, b)| (a - b).abs() < 0.25)
}

/// The numbers of a text, and the text between them.
fn parts(text: &str) -> (Vec<f64>, Vec<&str>) {
    let is_number = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    let numbers = text.split(|c| !is_number(c)).filter_map(|part| part.parse().ok()).collect();
    (numbers, text.split(is_number).filter(|part| !part.is_empty()).collect())
}

#[test]
fn a_picture_that_differs_is_noticed() {
    assert!(is_same("<path d=\"M1 2.5\"/>", "<path d=\"M1.1 2.4\"/>"));
    for other in ["<path d=\"M1 2\"/>", "<path d=\"L1 2.5\"/>", "<path d=\"M1 2.5 3\"/>", ""] {
        assert!(!is_same("<path d=\"M1 2.5\"/>", other), "{other}");
    }
}
