//! Members of sets that the model says itself.

use super::{Length, Members, Set};
use crate::diagnostics::{Id, Message, text};

/// Each member joins as many as the set says (M0702), of which those exist that can be counted here (M0705).
pub(super) fn members(set: &Set<'_>, sets: &[Set<'_>]) -> Result<(), Message> {
    match set.members {
        None => Ok(()),
        Some(Members::Chain(word)) => match set.of.as_slice() {
            [first, others @ ..] if !others.is_empty() && others.iter().all(|of| of == first) => Ok(()),
            _ => {
                let what = format!("`{word}` joins neighbours of one set, and `{}` does not", set.name);
                let help = "write `set edges: (nodes, nodes) = chain;`, or `(nodes, nodes, nodes)` for three in a row";
                Err(Message::new(Id::M0702, word, what).help(help))
            }
        },
        Some(Members::List(list)) => {
            for (k, (written, joined)) in list.iter().enumerate() {
                if joined.len() != set.of.len() {
                    let (expected, found) = (set.of.len(), joined.len());
                    let members = if expected == 1 { "member" } else { "members" };
                    let what =
                        format!("`{}` joins {expected} {members}, and `{}` are {found}", set.name, text(written));
                    return Err(Message::new(Id::M0702, written, what));
                }
                for ((member, literal), &of) in joined.iter().zip(&set.of) {
                    let Some((of, &Length::Literal(count))) = sets.get(of).and_then(|of| Some((of, of.length?))) else {
                        continue;
                    };
                    if *member >= count {
                        let what = format!("`{}[{k}]` names member {member}, but `{}` has {count}", set.name, of.name);
                        let message = Message::new(Id::M0705, literal, what);
                        return Err(message.help(format!("members are counted from 0: the last is {}", count - 1)));
                    }
                }
            }
            Ok(())
        }
    }
}
