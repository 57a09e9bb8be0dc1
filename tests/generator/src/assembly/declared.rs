//! What a model with sets declares: its sets, the defaults of parameters, and where modes begin.

use ode_codegen::phases::families::Parts;
use ode_codegen::phases::model::Declared;
use ode_codegen::phases::parse::ast::{Length, Members};

use crate::random::Set;

/// Does the compiler read of the sets what the model says?
pub(super) fn said(parts: &Parts<'_>, sets: &[Set]) -> Result<(), String> {
    for (of, set) in parts.family.sets.iter().zip(sets) {
        let found = match (of.length, of.members) {
            (Some(Length::Literal(count)), None) => Some(format!("const {count}")),
            (Some(Length::Named(length)), None) => Some(format!("const {length}")),
            (None, Some(Members::Chain(_))) => Some("chain".to_owned()),
            (None, Some(Members::List(list))) => {
                let joined = |members: &[(usize, _)]| members.iter().map(|(member, _)| *member).collect::<Vec<_>>();
                let found: Vec<Vec<usize>> = list.iter().map(|(_, members)| joined(members)).collect();
                let wanted: Vec<&[usize]> = set.members.iter().map(|member| &member[1..]).collect();
                if found == wanted { set.said.clone() } else { Some(format!("{found:?}")) }
            }
            (None, None) => None,
            (Some(_), Some(_)) => Some("a length and members".to_owned()),
        };
        if found != set.said || of.name != set.name.as_str() {
            return Err(format!("set {} has {found:?}, not {:?}", of.name, set.said));
        }
    }
    Ok(())
}

/// The defaults of parameters, each that of all members.
pub(super) fn defaults(parts: &Parts<'_>, names: &[String]) -> Vec<f64> {
    let params = parts.params.model.declared.params.iter();
    of_all(parts, params.filter_map(|param| Some((&param.declared, param.default.as_ref()?))), names)
}

/// Where modes begin, each that of all members.
pub(super) fn beginnings(parts: &Parts<'_>, names: &[String]) -> Vec<f64> {
    of_all(parts, parts.params.model.declared.modes.iter().map(|mode| (&mode.declared, &mode.start)), names)
}

/// The values of what has these names.
fn of_all<'p>(
    parts: &Parts<'_>,
    all: impl Iterator<Item = (&'p Declared, &'p Vec<f64>)>,
    names: &[String],
) -> Vec<f64> {
    let mut found = vec![f64::NAN; names.len()];
    for (declared, values) in all {
        let shown = parts.params.model.declared.shown(&declared.ident);
        let (base, rest) = shown.split_once("[#0]").map_or((shown.as_str(), None), |(base, rest)| (base, Some(rest)));
        let is_of = |name: &String| {
            let name = name.strip_prefix(base)?;
            let name = match rest {
                Some(rest) => name.strip_prefix('[')?.split_once(']')?.1.strip_prefix(rest)?,
                None => name,
            };
            (name.is_empty() || name.starts_with(['.', '['])).then_some(())
        };
        let own = (0..names.len()).filter(|&place| is_of(&names[place]).is_some());
        own.zip(values.iter().cycle()).for_each(|(place, &value)| found[place] = value);
    }
    found
}
