//! What other languages write and Rust does not parse: `30.0 deg`, `2.0 x`, `c ? a : b`, `a and b`, `x += 1.0`, `.5`,
//! `q[0:2]`, `if c then a`.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

use super::words;
use crate::diagnostics::{Id, Message, text};
use crate::identifier::is_keyword;

/// The message for the first such place in tokens that do not parse.
pub(super) fn slip(tokens: &TokenStream) -> Option<Message> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let keyword = tokens.iter().find_map(|token| match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        _ => None,
    });
    let has_shares = keyword.is_some_and(|word| word == "der" || word == "balance");
    let declares = matches!(tokens.first(), Some(TokenTree::Ident(word)) if words::declares(&word.to_string()));
    let here = tokens.windows(2).enumerate().find_map(|(at, pair)| {
        let bar = |token: &TokenTree| is_sign(token, '|');
        let message = match pair {
            [TokenTree::Punct(sign), next] if bar(&pair[0]) => {
                let or = bar(next) || (at > 0 && bar(&tokens[at - 1]));
                let help = "write `abs(x)`, or `norm(v)` of a vector";
                (!or).then(|| Message::new(Id::M0007, sign, "`|` is no sign of a size").help(help))
            }
            [TokenTree::Punct(sign), next] => operator(sign.as_char(), &pair[0], next, has_shares),
            [before, TokenTree::Ident(name)] => beside(before, &name.to_string(), &pair[1]),
            [TokenTree::Ident(name), TokenTree::Group(group)] => before_group(name, group),
            _ => None,
        };
        let help = match tokens.get(at + 2) {
            _ if declares => Some("the unit of a declaration follows its type: `Real [m]`".to_owned()),
            Some(sign) if is_sign(sign, '/') || is_sign(sign, '^') => {
                Some("a compound unit stands in brackets: `param k: Real [m/s^2] = 9.81;`".to_owned())
            }
            _ => None,
        };
        let same_line = pair[0].span().start().line == pair[1].span().start().line;
        let number = same_line && text(&pair[0]).ends_with(char::is_numeric);
        message.map(|m| if number { m.maybe_help(help) } else { m })
    });
    here.or_else(|| point(&tokens)).or_else(|| {
        tokens.iter().find_map(|token| match token {
            TokenTree::Group(group) => slip(&group.stream()),
            _ => None,
        })
    })
}

fn operator(sign: char, at: &TokenTree, next: &TokenTree, has_shares: bool) -> Option<Message> {
    let assigns = matches!(next, TokenTree::Punct(p) if p.as_char() == '=');
    match sign {
        '?' => Some(Message::new(Id::M0007, at, "`? :` is no operator of Rust").help("write `if c { a } else { b }`")),
        '+' | '-' | '*' | '/' if assigns && !has_shares => Some(
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
    if name == "then" && !matches!(before, TokenTree::Punct(_)) {
        let message = Message::new(Id::M0007, at, "`then` is no word of Rust");
        return Some(message.help("write `if c { a } else { b }`"));
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

/// `q[0:2]`, and calls of what is a word of Rust.
fn before_group(name: &Ident, group: &Group) -> Option<Message> {
    let word = name.to_string();
    match group.delimiter() {
        Delimiter::Bracket if group.stream().into_iter().any(|t| is_sign(&t, ':')) => {
            Some(Message::new(Id::M0007, group, "an array has no slices").help(format!("name elements: `{word}[0]`")))
        }
        Delimiter::Parenthesis if is_keyword(&word) && !words::joins(&word) && !words::is_item(&word) => {
            Some(Message::new(Id::M0007, name, format!("`{word}` is a Rust keyword, not a function")))
                .map(|m| m.maybe_help((word == "where").then(|| "write `if c { a } else { b }`".to_owned())))
        }
        _ => None,
    }
}

/// `.5`
fn point(tokens: &[TokenTree]) -> Option<Message> {
    tokens.windows(3).find_map(|three| match three {
        [TokenTree::Punct(before), point, TokenTree::Literal(digits)]
            if before.as_char() != '.' && is_sign(point, '.') =>
        {
            let number = text(digits);
            let message = Message::new(Id::M0007, point, "a number begins with a digit");
            number.starts_with(|c: char| c.is_ascii_digit()).then(|| message.help(format!("write `0.{number}`")))
        }
        _ => None,
    })
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(p) if p.as_char() == sign)
}
