//! Rows of aligned equations in LaTeX that are not wider than the page: a long sum continues below.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

/// The width of a column of text in an article at 10 points; everything here is in points.
const PAGE: usize = 345;

/// The widths of the relation sign and its space, and of the space at the beginning of a further row.
const EQUALS: usize = 14;
const QUAD: usize = 10;

/// A row has at least so much space, however wide the left sides are.
const LEAST: usize = 120;

/// The widths of a letter, of one in a subscript or an exponent, and of a sign between terms.
const LETTER: usize = 5;
const SMALL: usize = 4;
const SIGN: usize = 12;

/// Equations, each a left side and terms with their signs, as the rows of an environment `align*`.
pub(super) fn aligned(equations: &[(String, Vec<String>)]) -> String {
    let widest = equations.iter().map(|(left, _)| width(left)).max().unwrap_or(0);
    let room = PAGE.saturating_sub(widest + EQUALS + QUAD).max(LEAST);
    let rows: Vec<String> = equations.iter().map(|(left, terms)| equation(left, terms, room)).collect();
    rows.join(" \\\\\n") + "\n"
}

fn equation(left: &str, terms: &[String], room: usize) -> String {
    let mut out = format!("  {left}");
    out.push_str(if terms.is_empty() { "" } else { " &= " });
    let mut taken = 0;
    for term in terms {
        let own = width(term);
        if taken > 0 && taken + own > room {
            out.push_str(" \\\\\n    &\\quad");
            taken = 0;
        }
        let _ = write!(out, "{term}");
        taken += own;
    }
    out
}

/// About how wide a text is.
fn width(latex: &str) -> usize {
    group(&mut latex.chars().peekable(), LETTER)
}

/// The width of what stands up to a closing brace or the end.
fn group(rest: &mut Peekable<Chars<'_>>, letter: usize) -> usize {
    let mut sum = 0;
    while let Some(c) = rest.next() {
        sum += match c {
            '}' => break,
            '{' => group(rest, letter),
            '_' | '^' => braces(rest, SMALL),
            '\\' => command(rest, letter),
            ' ' => 0,
            '+' | '-' | '<' if letter == LETTER => SIGN,
            '&' => 2 * letter,
            'm' | 'w' | 'A'..='Z' => 2 * letter - 1,
            _ => letter,
        };
    }
    sum
}

/// The width of `{ … }`.
fn braces(rest: &mut Peekable<Chars<'_>>, letter: usize) -> usize {
    match rest.next_if_eq(&'{') {
        Some(_) => group(rest, letter),
        None => 0,
    }
}

fn command(rest: &mut Peekable<Chars<'_>>, letter: usize) -> usize {
    let mut name = String::new();
    while let Some(c) = rest.next_if(char::is_ascii_alphabetic) {
        name.push(c);
    }
    match &*name {
        // `\,` and `\_`
        "" => rest.next().map_or(0, |_| letter / 2),
        "frac" => braces(rest, letter).max(braces(rest, letter)) + letter,
        "sqrt" => 2 * letter + braces(rest, letter),
        "begin" | "end" => {
            braces(rest, letter);
            2 * letter
        }
        // what follows has a width of its own
        "mathit" | "mathrm" | "text" | "dot" | "ddot" | "operatorname" => 0,
        "left" | "right" | "bigl" | "bigr" | "Bigl" | "Bigr" => 1,
        "le" | "land" | "lor" | "cdot" | "lnot" => SIGN,
        "quad" => QUAD,
        function if is_function(function) => letter * function.len() + 2,
        _ => letter + 1,
    }
}

fn is_function(name: &str) -> bool {
    ["sin", "cos", "tan", "exp", "ln"].iter().any(|function| name.contains(function))
}
