//! What several elements add to one equation: the rows of constraints over sums, and balances.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::{self, Errors, Id, Message};
use crate::families::{self, Family};
use crate::model::{self, Hold, Shape};
use crate::{Compiled, check};

/// M0508, M0505 and M0301: what is added to the rows of a constraint is of one shape and unit, and something moves. No
/// term is without rows.
pub(super) fn added(family: &Family<'_>, elements: &[Compiled], errors: &mut Errors) {
    let of = |owner: usize| {
        let all = family.elements.iter().zip(elements);
        all.filter(move |(element, _)| element.shared == Some(owner)).map(|(_, compiled)| compiled)
    };
    let owners = family.elements.iter().enumerate().filter(|(k, element)| element.shared == Some(*k)).map(|(k, _)| k);
    for owner in owners {
        let terms =
            || of(owner).flat_map(|compiled| compiled.model.constraints.iter().map(move |term| (compiled, term)));
        let Some((_, first)) = terms().next() else { continue };
        let mut known = first.dimensions.clone();
        let name = &first.label;
        for (compiled, other) in terms() {
            if first.shape != other.shape {
                let what = format!(
                    "the terms of constraint `{name}` must have the same shape: {} and {}",
                    check::shape_name(&first.shape),
                    check::shape_name(&other.shape)
                );
                let zero =
                    |term: &model::Constraint| term.rows.iter().all(|row| compiled.equations.graph.is_zero(*row));
                let zeros = match &first.shape {
                    Shape::Vector(n @ (2 | 3)) if zero(other) => {
                        Some(format!("a vector of zeros is `vec{n}({})`", vec!["0.0"; *n].join(", ")))
                    }
                    _ => None,
                };
                errors.report(Message::new(Id::M0508, &other.ident, what).maybe_help(zeros));
                continue;
            }
            let differs = known.iter_mut().zip(&other.dimensions).find_map(|(known, other)| {
                let (a, b) = (*known.get_or_insert((*other)?), (*other)?);
                (a != b).then_some((a, b))
            });
            if let Some((a, b)) = differs {
                let what = format!("the terms of constraint `{name}` must have the same unit: `{a}` and `{b}`");
                errors.report(Message::new(Id::M0505, &other.ident, what));
            }
        }
        if of(owner).any(|compiled| compiled.model.constraints.is_empty()) {
            let what = format!("a term of constraint `{name}` has no rows");
            errors.report(Message::new(Id::M0508, &first.ident, what));
        }
        let moves = |compiled: &Compiled| compiled.program.pattern("JACOBIAN").is_some_and(|g| !g.indices.is_empty());
        if !of(owner).any(moves) {
            errors.report(check::holds_nothing(&first.ident, name));
        }
    }
}

/// Rows to which one term adds velocities are of velocities: terms of positions are compiled again as parts of these.
pub(super) fn levelled(
    family: &mut Family<'_>,
    elements: &mut [Compiled],
    compile: &mut dyn FnMut(&families::Element) -> Option<Compiled>,
) -> Option<()> {
    let is_rated = |(_, compiled): &(&families::Element, &Compiled)| {
        compiled.model.constraints.iter().any(|term| term.level == Hold::Velocity)
    };
    let all = family.elements.iter().zip(elements.iter());
    let rated: BTreeSet<usize> = all.filter(is_rated).filter_map(|(element, _)| element.shared).collect();
    for (element, compiled) in family.elements.iter_mut().zip(elements) {
        let is_here = element.shared.is_some_and(|owner| rated.contains(&owner));
        if is_here && compiled.model.constraints.iter().any(|term| term.level == Hold::Position) {
            element.model.adds = Some(Hold::Velocity);
            *compiled = compile(element)?;
        }
    }
    Some(())
}

/// M0505: the shares of a balance are of one unit, in whichever loops they stand.
pub(super) fn balanced(family: &Family<'_>, elements: &[Compiled], fields: &[Compiled], errors: &mut Errors) {
    let mut known = BTreeMap::new();
    for (element, Compiled { model, .. }) in family.elements.iter().zip(elements) {
        // where each slot's scalars end among the element's states
        let nz = |slot: &families::Slot| fields.get(slot.field).map_or(0, |field| field.model.nz());
        for model::Balance { scalar, dimension, at } in &model.flow.balances {
            let mut first = 0;
            let slot = element.slots.iter().find_map(|slot| {
                let own = scalar.checked_sub(first)?;
                first += nz(slot);
                (*scalar < first).then_some((slot.field, own))
            });
            let Some((key, dimension)) = slot.zip(*dimension) else { continue };
            let earlier = *known.entry(key).or_insert(dimension);
            if earlier != dimension {
                let name = element.as_written(&diagnostics::text(at));
                let units = format!("`{earlier}` and `{dimension}`");
                let what = format!("the shares of balance `{name}` must have the same unit: {units}");
                errors.report(Message::new(Id::M0505, at, what).note("what is added is of one unit in all loops"));
            }
        }
    }
}
