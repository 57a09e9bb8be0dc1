//! Gmsh MSH as text, versions 4.1 and 2.2: of its sections between `$Name` and `$EndName` nodes and elements are read.

use std::collections::HashMap;

use super::words::{Contents, number, place};
use crate::cells::Cells;
use crate::error::{Fault, Kind};

pub(super) fn read(text: &str) -> Result<Contents, Fault> {
    let mut lines = Lines { lines: text.lines().enumerate(), section: "the file".to_owned() };
    let blocks = lines.header()?;
    let mut nodes = Nodes::default();
    let mut cells = Cells::default();
    let (mut had_nodes, mut had_elements) = (false, false);
    while let Some((line, text)) = lines.filled() {
        let Some(name) = text.strip_prefix('$') else {
            return Err(Fault::Syntax { line: Some(line), what: format!("a section begins with `$`, not `{text}`") });
        };
        lines.section = format!("`${name}`");
        match name {
            "Nodes" => {
                had_nodes = true;
                if blocks {
                    nodes.blocks(&mut lines)?
                } else {
                    nodes.list(&mut lines)?
                }
                lines.end(name)?;
            }
            "Elements" => {
                had_elements = true;
                if blocks {
                    element_blocks(&mut lines, &nodes, &mut cells)?
                } else {
                    elements(&mut lines, &nodes, &mut cells)?
                }
                lines.end(name)?;
            }
            _ => while lines.next()?.1 != format!("$End{name}") {},
        }
    }
    for (had, within) in [(had_nodes, "the file, before `$Nodes`"), (had_elements, "the file, before `$Elements`")] {
        if !had {
            return Err(Fault::CutShort { within: within.to_owned() });
        }
    }
    Ok((nodes.points, cells))
}

/// The lines of a file that are left.
struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    /// what is being read
    section: String,
}

impl<'a> Lines<'a> {
    /// The next line that is not empty, and its number; `None` at the end.
    fn filled(&mut self) -> Option<(usize, &'a str)> {
        let next = self.lines.by_ref().find(|(_, text)| !text.trim().is_empty());
        next.map(|(k, text)| (k + 1, text.trim()))
    }

    /// The next line, in a section.
    fn next(&mut self) -> Result<(usize, &'a str), Fault> {
        self.filled().ok_or_else(|| Fault::CutShort { within: self.section.clone() })
    }

    /// The numbers of the next line.
    fn numbers<const N: usize>(&mut self, names: [&str; N]) -> Result<[usize; N], Fault> {
        let (line, text) = self.next()?;
        let (mut words, mut numbers) = (text.split_whitespace(), [0; N]);
        for (value, name) in numbers.iter_mut().zip(names) {
            *value = number(words.next(), line, name)?;
        }
        Ok(numbers)
    }

    fn end(&mut self, name: &str) -> Result<(), Fault> {
        let (line, text) = self.next()?;
        if text.strip_prefix("$End") == Some(name) {
            return Ok(());
        }
        Err(Fault::Syntax { line: Some(line), what: format!("`$End{name}` should stand here, not `{text}`") })
    }

    /// Reads the format: are nodes and elements in blocks?
    fn header(&mut self) -> Result<bool, Fault> {
        let (line, first) = self.next()?;
        let wrong = |line, what: &str| Err(Fault::Syntax { line: Some(line), what: what.to_owned() });
        if first != "$MeshFormat" {
            return wrong(line, "a file of Gmsh begins with `$MeshFormat`");
        }
        self.section = "`$MeshFormat`".to_owned();
        let (line, text) = self.next()?;
        let mut words = text.split_whitespace();
        let version = words.next().unwrap_or_default();
        if words.next() != Some("0") {
            return wrong(line, "the file is binary: save it as text, `Mesh.Binary = 0`");
        }
        let blocks = match version {
            "4.1" => true,
            "2.2" | "2.1" | "2" => false,
            _ => return wrong(line, "known versions are 4.1 and 2.2: `Mesh.MshFileVersion = 4.1`"),
        };
        self.end("MeshFormat")?;
        Ok(blocks)
    }
}

/// Nodes with the tags by which elements name them.
#[derive(Default)]
struct Nodes {
    points: Vec<[f64; 3]>,
    tags: HashMap<i64, usize>,
}

impl Nodes {
    fn blocks(&mut self, lines: &mut Lines<'_>) -> Result<(), Fault> {
        let [blocks, ..] = lines.numbers(["a number of blocks", "a number of nodes"])?;
        for _ in 0..blocks {
            let (line, text) = lines.next()?;
            let count: usize = number(text.split_whitespace().nth(3), line, "the number of nodes in a block")?;
            let mut tags = Vec::new();
            for _ in 0..count {
                let (line, text) = lines.next()?;
                tags.push((line, number(Some(text), line, "a node's tag")?));
            }
            for (tagged, tag) in tags {
                let (line, text) = lines.next()?;
                self.add(tagged, tag, place(&mut text.split_whitespace(), line)?)?;
            }
        }
        Ok(())
    }

    fn list(&mut self, lines: &mut Lines<'_>) -> Result<(), Fault> {
        let [count] = lines.numbers(["a number of nodes"])?;
        for _ in 0..count {
            let (line, text) = lines.next()?;
            let mut words = text.split_whitespace();
            let tag = number(words.next(), line, "a node's tag")?;
            self.add(line, tag, place(&mut words, line)?)?;
        }
        Ok(())
    }

    fn add(&mut self, line: usize, tag: i64, place: [f64; 3]) -> Result<(), Fault> {
        if self.tags.insert(tag, self.points.len()).is_some() {
            return Err(Fault::Syntax { line: Some(line), what: format!("node {tag} is there twice") });
        }
        self.points.push(place);
        Ok(())
    }
}

fn element_blocks(lines: &mut Lines<'_>, nodes: &Nodes, cells: &mut Cells) -> Result<(), Fault> {
    let [blocks, ..] = lines.numbers(["a number of blocks", "a number of elements"])?;
    for _ in 0..blocks {
        // an entity may have a tag below 0
        let (line, text) = lines.next()?;
        let mut words = text.split_whitespace().skip(2);
        let form = number(words.next(), line, "the type of elements")?;
        let count: usize = number(words.next(), line, "the number of elements in a block")?;
        for _ in 0..count {
            let (line, text) = lines.next()?;
            let mut words = text.split_whitespace();
            let tag = number(words.next(), line, "an element's tag")?;
            element(words, line, (form, tag), nodes, cells)?;
        }
    }
    Ok(())
}

fn elements(lines: &mut Lines<'_>, nodes: &Nodes, cells: &mut Cells) -> Result<(), Fault> {
    let [count] = lines.numbers(["a number of elements"])?;
    for _ in 0..count {
        let (line, text) = lines.next()?;
        let mut words = text.split_whitespace();
        let tag = number(words.next(), line, "an element's tag")?;
        let form = number(words.next(), line, "the type of an element")?;
        let labels: usize = number(words.next(), line, "the number of tags")?;
        element(words.skip(labels), line, (form, tag), nodes, cells)?;
    }
    Ok(())
}

/// An element of a form of Gmsh.
fn element<'a>(
    mut words: impl Iterator<Item = &'a str>,
    line: usize,
    (form, tag): (usize, usize),
    nodes: &Nodes,
    cells: &mut Cells,
) -> Result<(), Fault> {
    let (kind, corners) = match form {
        1 => (Kind::Line, 2),
        2 => (Kind::Triangle, 3),
        3 => (Kind::Triangle, 4),
        4 => (Kind::Tetrahedron, 4),
        15 => return Ok(()),
        _ => {
            let cell = match form {
                5 => "a hexahedron".to_owned(),
                6 => "a prism".to_owned(),
                7 => "a pyramid".to_owned(),
                8..=14 | 16.. => format!("an element of higher order (type {form})"),
                _ => format!("type {form}"),
            };
            return Err(Fault::Unsupported { cell, number: tag });
        }
    };
    let mut joined = [0; 4];
    for place in &mut joined[..corners] {
        let node = number(words.next(), line, "a node")?;
        let missing = || Fault::MissingNode { kind, number: cells.next(kind), node };
        *place = *nodes.tags.get(&node).ok_or_else(missing)?;
    }
    match form {
        1 => cells.add_path(&joined[..2]),
        4 => cells.tetrahedra.push(joined),
        _ => cells.add_face(&joined[..corners]),
    }
    Ok(())
}
