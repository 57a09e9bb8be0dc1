//! What other languages write and Rust does not parse: `30.0 deg`, `2.0 x`, `c ? a : b`, `a and b`, `x += 1.0`.

use proc_macro2::{TokenStream, TokenTree};

use super::words;
use crate::diagnostics::{Id, Message, text};

/// The message for the first such place in tokens that do not parse.
pub(super) fn slip(tokens: &TokenStream) -> Option<Message> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let declares = matches!(tokens.first(), Some(TokenTree::Ident(word)) if words::declares(&word.to_string()));
    let here = tokens.windows(2).find_map(|pair| {
        let message = match pair {
            [TokenTree::Punct(sign), next] => operator(sign.as_char(), &pair[0], next),
            [before, TokenTree::Ident(name)] => beside(before, &name.to_string(), &pair[1]),
            _ => None,
        };
        let help = declares.then(|| "the unit of a declaration follows its type: `Real [m]`".to_owned());
        let same_line = pair[0].span().start().line == pair[1].span().start().line;
        let number = same_line && text(&pair[0]).ends_with(char::is_numeric);
        message.map(|m| if number { m.maybe_help(help) } else { m })
    });
    here.or_else(|| {
        tokens.iter().find_map(|token| match token {
            TokenTree::Group(group) => slip(&group.stream()),
            _ => None,
        })
    })
}

fn operator(sign: char, at: &TokenTree, next: &TokenTree) -> Option<Message> {
    let assigns = matches!(next, TokenTree::Punct(p) if p.as_char() == '=');
    match sign {
        '?' => Some(Message::new(Id::M0007, at, "`? :` is no operator of Rust").help("write `if c { a } else { b }`")),
        '+' | '-' | '*' | '/' if assigns => Some(
            Message::new(Id::M0007, at, format!("`{sign}=` assigns, and an item does not"))
                .help("write `=`; energies add up, and so do forces on the same position"),
        ),
        _ => None,
    }
}

/// An operand and a name side by side.
fn beside(before: &TokenTree, name: &str, at: &TokenTree) -> Option<Message> {
    let sign = match name {
        "and" => "&&",
        "or" => "||",
        _ => "",
    };
    if !sign.is_empty() && !matches!(before, TokenTree::Punct(_)) {
        let message = Message::new(Id::M0007, at, format!("`{name}` is no operator of Rust"));
        return Some(message.help(format!("write `{sign}`")));
    }
    let TokenTree::Literal(number) = before else { return None };
    let number = text(number);
    let plain = number.starts_with(|c: char| c.is_ascii_digit()) && !number.ends_with(char::is_alphabetic);
    let line = |token: &TokenTree| token.span().start().line;
    if plain && line(at) > line(before) {
        return Some(Message::new(Id::M0007, before, format!("expected `;` or an operator after `{number}`")));
    }
    (plain && !words::joins(name)).then(|| {
        Message::new(Id::M0007, at, format!("expected an operator between `{number}` and `{name}`"))
            .help(format!("a unit stands right behind its number, `{number}{name}`; a product is `{number} * {name}`"))
    })
}
