//! Equations in text.

use crate::Equation;
use crate::token::Token;

/// The equations of a text, in order.
pub(crate) fn equations(text: &str) -> Vec<Equation> {
    let mut section = String::new();
    let mut found = Vec::new();
    for line in text.lines().skip(1) {
        match (line.strip_prefix("  "), line.is_empty()) {
            (_, true) => {}
            (None, _) => section = line.to_owned(),
            (Some(equation), _) => {
                if let Some((left, right)) = equation.split_once(" = ") {
                    found.push(Equation { section: section.clone(), left: left.to_owned(), right: tokens(right) });
                }
            }
        }
    }
    found
}

/// A name with its path and its indices: `der(hub[0].x)`, `j[0,1]`.
fn name(text: &str) -> usize {
    if let Some(inner) = text.strip_prefix("der(") {
        return "der(".len() + name(inner) + ")".len();
    }
    let end = |text: &str| text.find(|c: char| !(c.is_alphanumeric() || "_.".contains(c))).unwrap_or(text.len());
    let mut length = end(text);
    while text[length..].starts_with('[') {
        length += text[length..].find(']').expect("a bracket") + 1;
        length += end(&text[length..]);
    }
    length
}

fn tokens(text: &str) -> Vec<Token> {
    let (mut out, mut rest) = (Vec::new(), text);
    while let Some(c) = rest.chars().next() {
        let length;
        if c.is_ascii_digit() {
            let end = rest.find(|c: char| !(c.is_ascii_digit() || ".e".contains(c))).unwrap_or(rest.len());
            let exponent = if rest[..end].ends_with('e') { 1 + digits(&rest[end + 1..]) } else { 0 };
            length = end + exponent;
            out.push(Token::Number(rest[..length].parse().expect("a number")));
        } else if c.is_alphabetic() || c == '_' {
            length = name(rest);
            let word = &rest[..length];
            out.push(match word {
                "if" => Token::Sign('?'),
                "else" => Token::Sign(':'),
                _ if rest[length..].starts_with('(') => Token::Function(word.to_owned()),
                _ => Token::Name(word.to_owned()),
            });
        } else {
            let double = [("<=", '≤'), ("&&", '∧'), ("||", '∨')].into_iter().find(|(sign, _)| rest.starts_with(sign));
            length = double.map_or(c.len_utf8(), |(sign, _)| sign.len());
            match double {
                Some((_, sign)) => out.push(Token::Sign(sign)),
                None if c == '!' => out.push(Token::Sign('¬')),
                None if c == ' ' => {}
                None => out.push(Token::Sign(c)),
            }
        }
        rest = &rest[length..];
    }
    out
}

fn digits(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())
}
