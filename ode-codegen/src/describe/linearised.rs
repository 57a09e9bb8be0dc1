//! How the equations of a model change with its motion, after them on a page: K and D.

use crate::derive::Linearised;
use crate::expr::Node;
use crate::model::{Model, Order};

use super::letters::Letters;
use super::names::Names;
use super::shared::shared;
use super::sheet::{Chapter, Left, Line, Section, Sheet, matrix, name};

/// The chapter with as many entries as `most` lines hold, with those of the terms that they share.
pub(super) fn chapter(
    model: &Model,
    linearised: &Linearised,
    sheet: &Sheet,
    (names, letters): (&Names, &Letters),
    most: usize,
) -> Chapter {
    let mut sections = sections(model, linearised, sheet, names);
    let known: Vec<Node> = sheet.chapters.iter().flat_map(|chapter| chapter.shared.iter().copied()).collect();
    let roots: Vec<Node> = sections.iter().flat_map(|s| s.lines.iter().map(|l| l.right)).collect();
    let width = |symbol| letters.name(&names.shown(symbol)).width();
    let shared = |count: usize| shared(&linearised.graph, &roots[..count], &known, &width);
    let counts: Vec<usize> = (1..=roots.len()).collect();
    let count = counts.partition_point(|&count| count + shared(count).len() <= most);
    let omitted = shorten(&mut sections, count);
    Chapter { title: "further shared terms", shared: shared(count), sections, omitted }
}

fn sections(model: &Model, linearised: &Linearised, sheet: &Sheet, names: &Names) -> Vec<Section> {
    let by_positions = match model.blocks().iter().any(|block| block.chart.turns()) {
        true => "stiffness matrix K, the derivatives by positions and along tangent directions of rotations of",
        false => "stiffness matrix K, the derivatives by positions of",
    };
    let matrix = |symbol, entries| matrix(symbol, name, &names.directions, &names.directions, entries);
    // M a = f says what is left where it is not solved
    let residual = sheet.form.first().map(|form| format!("r = {}", form.replace(['=', '+'], "-")));
    let stiffness = matrix("K", &linearised.stiffness);
    let mut sections = vec![Section { title: by_positions, formula: residual, lines: stiffness }];
    // models of first order have D in the place of M
    if model.header.options.order == Order::Second {
        let title = "damping matrix D, the derivatives by velocities of";
        sections.push(Section { title, formula: Some("r".to_owned()), lines: matrix("D", &linearised.damping) });
    }
    sections.retain(|section| !section.lines.is_empty());
    sections
}

/// Keeps so many lines, and says what is left out.
fn shorten(sections: &mut Vec<Section>, mut count: usize) -> Option<String> {
    let mut omitted = Vec::new();
    for section in &mut *sections {
        let kept = count.min(section.lines.len());
        count -= kept;
        let left_out = section.lines.split_off(kept);
        if let [Line { left: Left::Entry(symbol, _), .. }, ..] = left_out.as_slice() {
            omitted.push(format!("{} entries of {symbol}", left_out.len()));
        }
    }
    sections.retain(|section| !section.lines.is_empty());
    (!omitted.is_empty()).then(|| format!("… without {}, which the LaTeX file has", omitted.join(" and ")))
}
