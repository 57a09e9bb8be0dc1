//! The mathematics of a model on a page, with shared subexpressions named rather than repeated.

use crate::expr::{Graph, Node, Printer};

use super::names::Names;
use super::page::Page;
use super::shared::numbered;
use super::sheet::{Left, Sheet};

/// Writes a sheet on a page, up to so many lines. `part` is the letter of shared terms, `places` are those of
/// parameters among factors.
pub(super) fn write<P: Page>(
    sheet: &Sheet,
    graph: &Graph,
    names: &Names,
    (part, places): (&str, &[u32]),
    mut page: P,
    most: usize,
) -> String {
    let fixed = graph.fixed();
    let shared = numbered(&sheet.shared, part);
    let mut lines = 0;
    page.open(&sheet.name, &sheet.form);
    if !sheet.repeated.is_empty() {
        page.section("multipliers that are not unique, of redundant constraints and of those that they repeat");
    }
    for left in &sheet.repeated {
        page.lone(left);
    }
    let mut printed = |page: &mut P, left: &Left, right: Node, written_out: bool| {
        lines += 1;
        if lines > most {
            return;
        }
        let terms = {
            let printer = Printer {
                graph,
                symbol: &|s| names.shown(s),
                named: &|n: Node| shared.get(&n).cloned(),
                fixed: &fixed,
                places,
                notation: &*page,
            };
            if written_out { printer.definition(right) } else { printer.terms(right) }
        };
        page.line(left, &terms);
    };
    let definitions = sheet.shared.iter().enumerate().map(|(k, &node)| (Left::Symbol(format!("{part}{k}")), node));
    let definitions: Vec<(Left, Node)> = definitions.collect();
    if !definitions.is_empty() {
        page.section("shared terms");
    }
    for (left, node) in &definitions {
        printed(&mut page, left, *node, true);
    }
    let mut taken = definitions.len();
    for section in &sheet.sections {
        if taken < most {
            page.section(section.title);
        }
        taken += section.lines.len();
        for line in &section.lines {
            printed(&mut page, &line.left, line.right, false);
        }
    }
    if lines > most {
        page.remark(&format!("… {} more lines in EQUATIONS", lines - most));
    }
    page.finish()
}
