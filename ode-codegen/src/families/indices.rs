//! The body of a loop with numbers in place of its names: `x[j] - x[i]` is `x[1] - x[0]` in the text of an element.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};

use super::Families;
use crate::identifier::bare;

/// The tokens with the place of each name among the members of its set. Families have an index, see `uses`.
pub(super) fn numbered(tokens: &TokenStream, of: &dyn Fn(&Ident) -> Option<usize>, families: &Families) -> TokenStream {
    let mut family = false;
    let mut field = false;
    let numbered = tokens.clone().into_iter().map(|token| {
        let indexed = std::mem::take(&mut family);
        family = matches!(&token, TokenTree::Ident(name) if !field && families.contains_key(&bare(name)));
        field = matches!(&token, TokenTree::Punct(mark) if mark.as_char() == '.');
        match token {
            TokenTree::Group(group) => {
                let place = place(&group, of).filter(|_| indexed && group.delimiter() == Delimiter::Bracket);
                let inside = place.map_or_else(|| numbered(&group.stream(), of, families), TokenStream::from);
                let mut new = Group::new(group.delimiter(), inside);
                new.set_span(group.span());
                TokenTree::Group(new)
            }
            other => other,
        }
    });
    numbered.collect()
}

/// The place of a name that stands alone in brackets.
fn place(group: &Group, of: &dyn Fn(&Ident) -> Option<usize>) -> Option<TokenTree> {
    let mut inside = group.stream().into_iter();
    let (Some(TokenTree::Ident(name)), None) = (inside.next(), inside.next()) else { return None };
    let mut literal = Literal::usize_unsuffixed(of(&name)?);
    literal.set_span(name.span());
    Some(literal.into())
}
