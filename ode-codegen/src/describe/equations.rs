//! The mathematics of a model on a page, with shared subexpressions named rather than repeated.

use std::collections::HashMap;

use crate::expr::{Graph, Node, Printer, Term};

use super::names::Names;
use super::page::Page;
use super::sheet::{Chapter, Left, Line, Sheet};

/// What lines are written from.
pub(super) struct Source<'a> {
    pub(super) graph: &'a Graph,
    pub(super) names: &'a Names,
    /// the letter of shared terms
    pub(super) part: &'a str,
    /// those of parameters among factors
    pub(super) places: &'a [u32],
}

/// Writes a sheet on a page: of its equations up to so many lines.
pub(super) fn write<P: Page>(sheet: &Sheet, source: &Source<'_>, mut page: P, most: usize) -> String {
    page.open(&sheet.name, &sheet.form);
    if !sheet.repeated.is_empty() {
        page.section("multipliers that are not unique, of redundant constraints and of those that they repeat", None);
    }
    for left in &sheet.repeated {
        page.lone(left);
    }
    let mut lines = Lines { source, fixed: source.graph.fixed(), named: HashMap::new() };
    let mut most = most;
    for chapter in &sheet.chapters {
        lines.chapter(&mut page, chapter, most);
        // that of what follows is its own
        most = usize::MAX;
    }
    page.finish()
}

/// Lines, with the terms that have names so far.
struct Lines<'a> {
    source: &'a Source<'a>,
    fixed: Vec<bool>,
    named: HashMap<Node, String>,
}

impl Lines<'_> {
    fn chapter<P: Page>(&mut self, page: &mut P, chapter: &Chapter, most: usize) {
        let first = self.named.len();
        let name = |k: usize| format!("{}{}", self.source.part, first + k);
        let definitions: Vec<Line> = (chapter.shared.iter().enumerate())
            .map(|(k, &right)| Line { left: Left::Symbol(name(k)), right })
            .collect();
        self.named.extend(chapter.shared.iter().enumerate().map(|(k, &node)| (node, name(k))));
        let shared = (chapter.title, None, definitions.as_slice(), true);
        let others = chapter.sections.iter().map(|s| (s.title, s.formula.as_deref(), s.lines.as_slice(), false));
        let mut room = most;
        let mut omitted = 0;
        for (title, formula, lines, written_out) in [shared].into_iter().chain(others) {
            let kept = room.min(lines.len());
            (room, omitted) = (room - kept, omitted + lines.len() - kept);
            if kept > 0 {
                page.section(title, formula);
            }
            for line in &lines[..kept] {
                let terms = self.terms(page, line.right, written_out);
                page.line(&line.left, &terms);
            }
        }
        if omitted > 0 {
            page.remark(&format!("… {omitted} more lines in EQUATIONS"));
        }
        if let Some(omitted) = &chapter.omitted {
            page.remark(omitted);
        }
    }

    fn terms<P: Page>(&self, page: &P, right: Node, written_out: bool) -> Vec<Term> {
        let printer = Printer {
            graph: self.source.graph,
            symbol: &|s| self.source.names.shown(s),
            named: &|n: Node| self.named.get(&n).cloned(),
            fixed: &self.fixed,
            places: self.source.places,
            notation: page,
        };
        if written_out { printer.definition(right) } else { printer.terms(right) }
    }
}
