//! Equations as MathML in HTML, which browsers set without a script.
//!
//! Each term is an element of its own: a browser breaks a long sum between them, at the width of any window.

use std::fmt::Write as _;

use crate::expr::{Applied, Notation, Sign, Term};

use super::super::letters::{Letters, Name, greek, letter, pieces};
use super::super::sheet::{Index, Left};
use super::{Page, Word, words};

/// Between factors; no sign is seen.
const TIMES: &str = "<mo>\u{2062}</mo>";

/// Between factors one of which has a word: a thin space.
const SPACE: &str = "<mo rspace=\".17em\">\u{2062}</mo>";

/// MathML.
pub(crate) struct MathMl<'a> {
    out: String,
    letters: &'a Letters,
    /// is a list of equations open?
    listing: bool,
}

impl<'a> MathMl<'a> {
    /// An empty page, with the names of a model.
    pub(crate) fn new(letters: &'a Letters) -> Self {
        Self { out: "<div>".to_owned(), letters, listing: false }
    }

    fn left(&self, left: &Left) -> String {
        match left {
            Left::Symbol(symbol) => self.name(symbol),
            Left::Rate(name) => self.name(&format!("der({name})")),
            Left::Law(label) => format!("{}<mo>:</mo><mn>0</mn>", row(&subscript(&pieces(label)))),
            Left::After(event, name) => {
                let new = self.power(&self.name(name), "<mo>+</mo>");
                format!("{}<mo>:</mo>{new}", row(&subscript(&pieces(event))))
            }
            Left::Entry(symbol, indices) => {
                let index = |index: &Index| match index {
                    Index::Name(shown) => vec![self.name(shown)],
                    Index::Label(label) => subscript(&pieces(label)),
                };
                let name = self.letters.name(symbol);
                let mut below = subscript(&name.below);
                below.extend(indices.iter().flat_map(index));
                format!("<msub>{}{}</msub>", word(&name.base), row(&below))
            }
        }
    }

    fn formula(&self, formula: &str) -> String {
        let spelled = words(formula).map(|word| match word {
            Word::Sign("-") => self.sign(Sign::Minus).to_owned(),
            Word::Sign(sign) => format!("<mo>{sign}</mo>"),
            Word::Name("0") => "<mn>0</mn>".to_owned(),
            Word::Name(name) => self.name(name),
            Word::OfPosition(name) => self.name(name) + &self.group("<mi>q</mi>"),
            Word::Transposed(name) => self.power(&self.name(name), "<mi mathvariant=\"normal\">T</mi>"),
        });
        spelled.collect()
    }

    fn end(&mut self) {
        self.out.push_str(if self.listing { "</div>\n" } else { "" });
        self.listing = false;
    }
}

/// Is there a name of several letters in the text?
fn wordy(text: &str) -> bool {
    text.split("<mi>").skip(1).any(|name| name.split('<').next().is_some_and(|name| name.chars().count() > 1))
}

/// A word of letters, a number, or a Greek letter.
fn word(word: &str) -> String {
    match greek(word).and_then(letter) {
        Some(letter) => format!("<mi>{letter}</mi>"),
        None if word.bytes().all(|c| c.is_ascii_digit()) => format!("<mn>{word}</mn>"),
        None => format!("<mi>{}</mi>", escaped(word)),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn subscript(below: &[String]) -> Vec<String> {
    below.iter().map(|w| word(w)).collect()
}

/// Pieces with commas between them, as one.
fn row(pieces: &[String]) -> String {
    match pieces {
        [one] => one.clone(),
        many => format!("<mrow>{}</mrow>", many.join("<mo>,</mo>")),
    }
}

fn spelled(name: &Name) -> String {
    let mut out = if name.verbatim { format!("<mi>{}</mi>", escaped(&name.base)) } else { word(&name.base) };
    if name.dots > 0 {
        let dots = if name.dots == 1 { "˙" } else { "¨" };
        // `accent` would set them into the letter where there is no font for mathematics
        out = format!("<mover>{out}<mo mathsize=\"1.4em\">{dots}</mo></mover>");
    }
    match name.below.as_slice() {
        [] => out,
        below => format!("<msub>{out}{}</msub>", row(&subscript(below))),
    }
}

impl Notation for MathMl<'_> {
    fn is_set(&self) -> bool {
        true
    }

    fn sign(&self, sign: Sign) -> &'static str {
        match sign {
            Sign::Plus => "<mo>+</mo>",
            Sign::Minus => "<mo>−</mo>",
            Sign::Negative => "<mo form=\"prefix\">−</mo>",
            Sign::Less => "<mo>&lt;</mo>",
            Sign::LessEq => "<mo>≤</mo>",
            Sign::And => "<mo>∧</mo>",
            Sign::Or => "<mo>∨</mo>",
            Sign::Not => "<mo>¬</mo>",
        }
    }

    fn number(&self, digits: &str) -> String {
        let power = |power: &str| match power.strip_prefix('-') {
            Some(power) => format!("<msup><mn>10</mn><mrow><mo>−</mo><mn>{power}</mn></mrow></msup>"),
            None => format!("<msup><mn>10</mn><mn>{power}</mn></msup>"),
        };
        match digits.split_once('e') {
            Some(("1" | "1.0", exponent)) => power(exponent),
            Some((mantissa, exponent)) => format!("<mn>{mantissa}</mn><mo>⋅</mo>{}", power(exponent)),
            None => format!("<mn>{digits}</mn>"),
        }
    }

    fn name(&self, shown: &str) -> String {
        spelled(&self.letters.name(shown))
    }

    fn group(&self, inner: &str) -> String {
        // what grows stands apart from what it holds
        let tall = ["<mfrac>", "<msqrt>", "<mtable>", "<mo>("].iter().any(|piece| inner.contains(piece));
        match tall {
            true => format!("<mrow><mo>(</mo>{inner}<mo>)</mo></mrow>"),
            false => format!("<mrow><mo stretchy=\"false\">(</mo>{inner}<mo stretchy=\"false\">)</mo></mrow>"),
        }
    }

    fn product(&self, factors: &[String]) -> String {
        let mut out = String::new();
        let mut last = "";
        for factor in factors {
            let times = if wordy(last) || wordy(factor) { SPACE } else { TIMES };
            out.push_str(if last.is_empty() { "" } else { times });
            out.push_str(factor);
            last = factor;
        }
        out
    }

    fn fraction(&self, over: &[String], under: &[String]) -> String {
        let over = if over.is_empty() { "<mn>1</mn>".to_owned() } else { self.product(over) };
        format!("<mfrac><mrow>{over}</mrow><mrow>{}</mrow></mfrac>", self.product(under))
    }

    fn power(&self, base: &str, exponent: &str) -> String {
        let exponent = match exponent.strip_prefix("<mn>").and_then(|rest| rest.strip_suffix("</mn>")) {
            Some(digits) if !digits.contains('<') => exponent.to_owned(),
            _ => format!("<mrow>{exponent}</mrow>"),
        };
        // the exponent of x₁² stands above the index
        match base.strip_prefix("<msub>").and_then(|rest| rest.strip_suffix("</msub>")) {
            Some(inner) => format!("<msubsup>{inner}{exponent}</msubsup>"),
            None => format!("<msup>{base}{exponent}</msup>"),
        }
    }

    fn root(&self, inner: &str) -> String {
        format!("<msqrt>{inner}</msqrt>")
    }

    fn call(&self, applied: &Applied<'_>) -> String {
        let name = match applied.function {
            inverse @ ("asin" | "acos" | "atan") => format!("<mi>arc{}</mi>", &inverse[1..]),
            other => format!("<mi>{}</mi>", escaped(other)),
        };
        let name = applied.power.map_or(name.clone(), |n| format!("<msup>{name}<mn>{n}</mn></msup>"));
        match applied.bare {
            true => format!("<mrow>{name}<mo rspace=\".17em\">\u{2061}</mo>{}</mrow>", applied.arguments.concat()),
            false => {
                let arguments = self.group(&applied.arguments.join("<mo>,</mo>"));
                format!("<mrow>{name}<mo>\u{2061}</mo>{arguments}</mrow>")
            }
        }
    }

    fn choice(&self, condition: &str, yes: &str, no: &str) -> String {
        let row = |value: &str, condition: &str| format!("<mtr><mtd>{value}</mtd><mtd>{condition}</mtd></mtr>");
        let rows = row(yes, condition) + &row(no, "<mtext>otherwise</mtext>");
        format!("<mrow><mo>{{</mo><mtable>{rows}</mtable></mrow>")
    }
}

impl Page for MathMl<'_> {
    fn open(&mut self, _: &str, form: &[String]) {
        let form: Vec<String> = form.iter().map(|f| format!("<math>{}</math>", self.formula(f))).collect();
        let _ = writeln!(self.out, "<p>{}</p>", form.join(", "));
    }

    fn section(&mut self, title: &str, formula: Option<&str>) {
        self.end();
        // what does not fit continues further to the right
        let style = "display:flex;flex-direction:column;gap:.6em;margin:0 0 1em;padding:.3em 0 .5em 4em;\
            text-indent:-2em;overflow:auto hidden";
        let formula = formula.map(|formula| format!(" <math>{}</math>", self.formula(formula))).unwrap_or_default();
        let _ = writeln!(self.out, "<p>{}{formula}</p>\n<div style=\"{style}\">", escaped(title));
        self.listing = true;
    }

    fn lone(&mut self, left: &Left) {
        let _ = writeln!(self.out, "<div><math>{}</math></div>", self.left(left));
    }

    fn line(&mut self, left: &Left, right: &[Term]) {
        let _ = write!(self.out, "<div><math>{}<mo>=</mo></math>", self.left(left));
        for Term { sign, text } in right {
            let sign = sign.replacen("<mo>", "<mo form=\"infix\" lspace=\"0\">", 1);
            let _ = write!(self.out, " <math displaystyle=\"true\">{sign}{text}</math>");
        }
        self.out.push_str("</div>\n");
    }

    fn remark(&mut self, text: &str) {
        self.end();
        let _ = writeln!(self.out, "<p>{}</p>", escaped(text));
    }

    fn finish(mut self) -> String {
        self.end();
        self.out + "</div>\n\n"
    }
}
