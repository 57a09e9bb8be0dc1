//! What functions of a model read that follows from the state and the inputs.

use ode_runtime::{Layout, Name, Pattern};

/// The first of the functions that are asked for that reads an algebraic variable, or a velocity of a first-order
/// model, and what it reads.
pub(crate) fn follows(
    layout: &Layout<'_>,
    names: &[&str],
    pattern: Pattern<'_>,
    asked: impl Fn(&str) -> bool,
) -> Option<(Name, Name)> {
    let mut read = pattern.entries().filter(|&(_, column)| layout.direction(column).is_none());
    let (row, column) = read.find(|&(row, _)| names.get(row).is_some_and(|name| asked(name)))?;
    let mut variables = layout.steps.iter().chain(layout.v).chain(layout.z);
    let name = |name: Option<&&str>| Name::new(name.copied().unwrap_or(""));
    Some((name(names.get(row)), name(variables.nth(column))))
}
