//! Wavefront OBJ: `v x y z`, `l i j ...`, `f i j k ...`, counted from 1, or from the last vertex back with a minus.
//!
//! Libraries that read it are made for drawing: they number vertices anew in each group, so that parts which share
//! nodes come apart, or know coordinates in single precision.

use super::words::{Contents, number, place};
use crate::cells::Cells;
use crate::error::{Fault, Kind};

/// What says how a surface looks, names its parts, or marks points.
const SKIPPED: [&str; 20] = [
    "vt",
    "vn",
    "vp",
    "p",
    "g",
    "o",
    "s",
    "mg",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
    "call",
    "csh",
];

pub(super) fn read(text: &str) -> Result<Contents, Fault> {
    let (mut points, mut cells) = (Vec::new(), Cells::default());
    for (line, text) in logical(text) {
        let mut words = text.split_whitespace();
        match words.next() {
            None => {}
            Some("v") => points.push(place(&mut words, line)?),
            Some("l") => {
                let nodes = nodes(words, line, points.len(), (Kind::Line, cells.next(Kind::Line)))?;
                enough(&nodes, 2, line)?;
                cells.add_path(&nodes);
            }
            Some("f") => {
                let nodes = nodes(words, line, points.len(), (Kind::Triangle, cells.next(Kind::Triangle)))?;
                enough(&nodes, 3, line)?;
                cells.add_face(&nodes);
            }
            Some(other) if SKIPPED.contains(&other) => {}
            Some(other) => {
                return Err(Fault::Syntax { line: Some(line), what: format!("`{other}` is not known") });
            }
        }
    }
    Ok((points, cells))
}

/// Lines without comments, with the number of the first of those that a `\` at the end joins.
fn logical(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut joined = false;
    for (k, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim_end();
        let (line, goes_on) = line.strip_suffix('\\').map_or((line, false), |line| (line, true));
        match lines.last_mut().filter(|_| joined) {
            Some((_, last)) => {
                last.push(' ');
                last.push_str(line);
            }
            None => lines.push((k + 1, line.to_owned())),
        }
        joined = goes_on;
    }
    lines
}

/// The nodes of an element: of `7/1/3` the first number.
fn nodes<'a>(
    words: impl Iterator<Item = &'a str>,
    line: usize,
    count: usize,
    (kind, element): (Kind, usize),
) -> Result<Vec<usize>, Fault> {
    words
        .map(|word| {
            let node: i64 = number(word.split('/').next(), line, "a node")?;
            let known = i64::try_from(count).unwrap_or(i64::MAX);
            let index = if node < 0 { node.checked_add(known) } else { node.checked_sub(1) };
            let index = index.and_then(|index| usize::try_from(index).ok()).filter(|&index| index < count);
            index.ok_or(Fault::MissingNode { kind, number: element, node })
        })
        .collect()
}

fn enough(nodes: &[usize], least: usize, line: usize) -> Result<(), Fault> {
    if nodes.len() >= least {
        return Ok(());
    }
    Err(Fault::Syntax { line: Some(line), what: format!("{} nodes instead of {least} or more", nodes.len()) })
}
