//! Where families are used: by a name of the loop that runs over their set.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use super::{Families, Loop, Set};
use crate::diagnostics::{Errors, Id, Message, text};
use crate::identifier::bare;

/// Beside the loops no family can be read (M0703).
pub(super) fn outside(tokens: &TokenStream, families: &Families, errors: &mut Errors) {
    each(tokens, families, &mut |name, _, _| {
        let message = Message::new(Id::M0703, name, format!("`{name}` is a family, used outside a loop over its set"));
        errors.report(message.help("inside `for i in nodes { .. }` write its members, as in `x[i]`"));
    });
}

/// In a loop each family has an index, which runs over its set (M0702, M0703, M0706).
pub(super) fn inside(around: &Loop<'_>, families: &Families, sets: &[Set<'_>], errors: &mut Errors) {
    let set_name = |set: usize| sets.get(set).map_or_else(String::new, |set| set.name.to_string());
    each(&around.each.body, families, &mut |name, set, index| {
        let Some(index) = index else {
            let what = format!("family `{name}` is used without an index");
            let example =
                around.names.iter().find(|(_, of, _)| *of == set).map_or("i".to_owned(), |(n, ..)| n.to_string());
            errors
                .report(Message::new(Id::M0703, name, what).help(format!("one of its members is `{name}[{example}]`")));
            return;
        };
        let index: Vec<TokenTree> = index.into_iter().collect();
        let used = match index.as_slice() {
            [TokenTree::Ident(one)] => around.names.iter().find(|(n, ..)| n == &one),
            _ => None,
        };
        let shown = text(index.iter().cloned().collect::<TokenStream>());
        match used {
            Some((_, of, _)) if *of == set => {}
            Some((_, of, _)) => {
                let what = format!(
                    "`{name}[{shown}]`: `{shown}` runs over `{}`, but `{name}` is over `{}`",
                    set_name(*of),
                    set_name(set)
                );
                let joined = sets.get(*of).is_some_and(|of| of.of.contains(&set));
                let message = Message::new(Id::M0702, name, what);
                let help = format!("name what it joins: `for {shown} @ (i, j) in {}`", around.each.set);
                errors.report(if joined { message.help(help) } else { message });
            }
            None => {
                let what = format!("`{name}[{shown}]`: the index of a family is a name of the loop");
                let names: Vec<String> = around.names.iter().map(|(n, ..)| format!("`{n}`")).collect();
                let message = Message::new(Id::M0706, name, what)
                    .note(format!("the names of this loop are {}", names.join(", ")));
                errors
                    .report(message.help("another member is joined by a set of tuples, `set edges: (nodes, nodes);`"));
            }
        }
    });
}

/// Calls `see` with each use of a family, its set, and what stands in the brackets after it.
fn each(tokens: &TokenStream, families: &Families, see: &mut dyn FnMut(&Ident, usize, Option<TokenStream>)) {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for (k, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => each(&group.stream(), families, see),
            TokenTree::Ident(name) => {
                let field = k > 0 && matches!(&tokens[k - 1], TokenTree::Punct(p) if p.as_char() == '.');
                let Some(&set) = families.get(&bare(name)).filter(|_| !field) else { continue };
                let index = tokens.get(k + 1).and_then(|next| match next {
                    TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => Some(group.stream()),
                    _ => None,
                });
                see(name, set, index);
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
