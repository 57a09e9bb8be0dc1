//! M0513's help: the unit that the uses of a name ask for, found by trying.

use std::collections::BTreeMap;

use super::items::{self, Hints, Supposed};
use super::reports::Reports;
use super::values::Dimension;
use super::whole::Whole;
use crate::diagnostics::Errors;
use crate::expr::Graph;
use crate::parse::ast::{self, Kind, Role};

/// Models with more items, or more names without a unit, are not tried: each trial reads the model once.
const MOST_ITEMS: usize = 80;
const MOST_NAMES: usize = 4;

/// For each name without a unit, the unit with which the model has no unit mistakes, if there is only one.
pub(super) fn units(ast: &ast::Model) -> BTreeMap<String, Dimension> {
    let names: Vec<String> = ast
        .items
        .iter()
        .filter_map(|item| match &item.kind {
            Kind::Declare(d) if d.role != Role::Output && items::lacks_unit(d) => Some(d),
            _ => None,
        })
        .flat_map(|d| d.names.iter().map(|n| n.ident.to_string()))
        .collect();
    if names.len() > MOST_NAMES || ast.items.len() > MOST_ITEMS {
        return BTreeMap::new();
    }
    let only = |name: String| {
        let mut fitting = candidates().filter(|&dimension| fits(ast, &name, dimension));
        let found = fitting.next().filter(|_| fitting.next().is_none())?;
        Some((name, found))
    };
    names.into_iter().filter_map(only).collect()
}

/// Products of small powers of m, kg and s.
fn candidates() -> impl Iterator<Item = Dimension> {
    let powers = (-3..=3).flat_map(|m| (-1..=1).flat_map(move |kg| (-4..=2).map(move |s| [m, kg, s, 0, 0])));
    powers.map(Dimension::whole)
}

fn fits(ast: &ast::Model, name: &str, dimension: Dimension) -> bool {
    let mut errors = Errors::new();
    let supposed = Some(Supposed { name: name.to_owned(), dimension });
    Whole::read(ast, Graph::new(), Reports::new(&mut errors), &Hints { supposed, ..Hints::default() });
    !errors.messages().iter().any(|m| m.id().name().starts_with("M05"))
}
