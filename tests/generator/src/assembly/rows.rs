//! Rows of an element at one of its members, among those of the whole: of rates and algebraic variables, and of exact
//! starts.

use ode_codegen::Compiled;
use ode_codegen::phases::families::{Element, Family};

use super::places;

/// For each row of ż − g and −F its place: that of the state, or that of the equation.
///
/// An element has the row of an equation at the variable that it determines. The whole has rows in the order of text.
pub(super) fn rates(
    (own, whole): (&Compiled, &Compiled),
    z: &[usize],
    labelled: &dyn Fn(&String) -> String,
) -> Result<Vec<usize>, String> {
    let (laws, mut rows) = (&own.model.flow.laws, z.to_vec());
    let of_laws = places(&whole.model.flow.laws, laws.iter().map(labelled))?;
    let first = whole.model.nz() - whole.model.na();
    // behind those that rates have a share in, and before balances
    let given = own.model.flow.shares.as_deref().unwrap_or_default();
    let given = given.get(..given.len().saturating_sub(own.model.flow.balances.len())).unwrap_or_default();
    let determined = given.get(given.len().saturating_sub(laws.len())..).unwrap_or_default();
    for (&own, place) in determined.iter().zip(of_laws) {
        *rows.get_mut(own).ok_or_else(|| format!("{laws:?} determine {determined:?}"))? = first + place;
    }
    for balance in &own.model.flow.balances {
        let name = balanced(&whole.names.z[z[balance.scalar]]);
        rows[balance.scalar] = first + places(&whole.model.flow.laws, std::iter::once(name))?[0];
    }
    Ok(rows)
}

/// The row of the model written out that has all shares of an algebraic variable: `balanced_y_2.x` of `y[2].x`.
fn balanced(variable: &str) -> String {
    let end = variable.find(']').map_or(variable.len(), |end| end + 1);
    let (member, rest) = variable.split_at(end);
    format!("balanced_{}{rest}", member.replace('[', "_").replace(']', ""))
}

/// The name of an exact start in the whole: `init norm(x[1] - x[0])` is `init norm(x[2] - x[0])` of what joins 0 and 2.
pub(super) fn start((family, element): (&Family<'_>, &Element), name: &str, tuple: &[usize]) -> String {
    let member = |word: &str, entry: usize| -> Option<usize> {
        let is_of = |field: usize| {
            let field = &family.fields[field];
            field.name == word || field.velocity.as_ref().is_some_and(|velocity| velocity == word)
        };
        let mut slots = element.slots.iter().filter(|slot| is_of(slot.field));
        let sub = || element.subs.iter().find(|(of, _)| of == word)?.1.get(entry).copied();
        let given = || element.given.iter().find(|given| given.name == word)?.ends.as_ref()?.get(entry).copied();
        slots.nth(entry).and_then(|slot| slot.end).or_else(sub).or_else(given).map(|end| tuple[end])
    };
    let (mut out, mut rest) = (String::new(), name);
    while let Some((before, after)) = rest.split_once('[') {
        out.push_str(before);
        let word = out.rsplit(|c: char| c != '_' && !c.is_alphanumeric()).next().unwrap_or_default();
        // what a sub declares is no member of this model
        let whole = !out[..out.len() - word.len()].ends_with('.');
        let (entry, after) = after.split_once(']').unwrap_or((after, ""));
        let found = entry.parse().ok().filter(|_| whole).and_then(|entry| member(word, entry));
        out.push_str(&format!("[{}]", found.map_or_else(|| entry.to_owned(), |found| found.to_string())));
        rest = after;
    }
    out + rest
}

/// Places of conditions of which some have one name: those of a name follow each other as in the text.
pub(super) fn apart<'p>(places: impl Iterator<Item = &'p mut usize>, names: &[String]) {
    let mut used = vec![false; names.len()];
    for place in places {
        let free = (*place..names.len()).find(|&other| !used[other] && names[other] == names[*place]);
        *place = free.unwrap_or(*place);
        used[*place] = true;
    }
}
