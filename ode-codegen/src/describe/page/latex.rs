//! Equations as LaTeX, for a document with the package amsmath.

use std::fmt::Write as _;

use crate::expr::{Applied, Notation, Sign, Term};

use super::super::letters::{Letters, Name, greek, pieces};
use super::super::sheet::{Index, Left};
use super::{Page, Word, rows, words};

/// What functions begin with.
const OPERATORS: [&str; 7] = ["\\sin", "\\cos", "\\tan", "\\exp", "\\ln", "\\arc", "\\operatorname"];

/// LaTeX.
pub(crate) struct Latex<'a> {
    out: String,
    letters: &'a Letters,
    /// the equations of a section: left sides and terms
    section: Option<Vec<(String, Vec<String>)>>,
}

impl<'a> Latex<'a> {
    /// An empty page, with the names of a model.
    pub(crate) fn new(letters: &'a Letters) -> Self {
        Self { out: String::new(), letters, section: None }
    }

    fn left(&self, left: &Left) -> String {
        match left {
            Left::Symbol(symbol) => self.name(symbol),
            Left::Rate(name) => self.name(&format!("der({name})")),
            Left::Law(label) => format!("{}:\\quad 0", subscript(&pieces(label))),
            Left::After(event, name) => format!("{}:\\quad {}^{{+}}", subscript(&pieces(event)), self.name(name)),
            Left::Entry(symbol, indices) => {
                let index = |index: &Index| match index {
                    Index::Name(shown) => self.name(shown),
                    Index::Label(label) => subscript(&pieces(label)),
                };
                let name = self.letters.name(symbol);
                let below = name.below.iter().map(|w| word(w, "mathrm"));
                let below: Vec<String> = below.chain(indices.iter().map(index)).collect();
                format!("{}_{{{}}}", word(&name.base, "mathit"), below.join(",\\,"))
            }
        }
    }

    fn formula(&self, formula: &str) -> String {
        let spelled = words(formula).map(|word| match word {
            Word::Sign(sign) => sign.to_owned(),
            Word::Name("0") => "0".to_owned(),
            Word::Name(name) => self.name(name),
            Word::OfPosition(name) => format!("{}(q)", self.name(name)),
            Word::Transposed(name) => self.power(&self.name(name), "\\mathsf{T}"),
        });
        spelled.collect::<Vec<_>>().join(" ")
    }

    fn end(&mut self) {
        let Some(equations) = self.section.take() else { return };
        self.out.push_str("\\begin{align*}\n");
        self.out.push_str(&rows::aligned(&equations));
        self.out.push_str("\\end{align*}\n");
    }
}

/// A word of letters: one in italics, a Greek one, or more of them upright or slanted.
fn word(word: &str, style: &str) -> String {
    let mut chars = word.chars();
    match (greek(word), chars.next(), chars.next()) {
        (Some(name), ..) => format!("\\{name}"),
        (_, Some(c), None) if c.is_ascii_alphanumeric() => c.to_string(),
        _ if word.bytes().all(|c| c.is_ascii_digit()) => word.to_owned(),
        _ => styled(word, style),
    }
}

fn styled(word: &str, style: &str) -> String {
    // TeX has letters beyond ASCII in text alone
    let style = if word.is_ascii() { style } else { "text" };
    format!("\\{style}{{{}}}", word.replace('_', "\\_"))
}

/// How many parentheses are open after a character.
fn nested(depth: &mut usize, c: char) -> usize {
    match c {
        '(' => *depth += 1,
        ')' => *depth = depth.saturating_sub(1),
        _ => {}
    }
    *depth
}

fn subscript(below: &[String]) -> String {
    below.iter().map(|w| word(w, "mathrm")).collect::<Vec<_>>().join(",")
}

fn spelled(name: &Name) -> String {
    let mut out = if name.verbatim { styled(&name.base, "mathit") } else { word(&name.base, "mathit") };
    if name.dots > 0 {
        // the dots stand in the place of its own
        out = match &*out {
            "i" | "j" => format!("\\{out}math"),
            _ => out,
        };
        out = format!("\\{}ot{{{out}}}", "d".repeat(name.dots));
    }
    if !name.below.is_empty() {
        let _ = write!(out, "_{{{}}}", subscript(&name.below));
    }
    out
}

impl Notation for Latex<'_> {
    fn is_set(&self) -> bool {
        true
    }

    fn sign(&self, sign: Sign) -> &'static str {
        match sign {
            Sign::Plus => " + ",
            Sign::Minus => " - ",
            Sign::Negative => "-",
            Sign::Less => " < ",
            Sign::LessEq => " \\le ",
            Sign::And => " \\land ",
            Sign::Or => " \\lor ",
            Sign::Not => "\\lnot ",
        }
    }

    fn number(&self, digits: &str) -> String {
        match digits.split_once('e') {
            Some(("1" | "1.0", power)) => format!("10^{{{power}}}"),
            Some((mantissa, power)) => format!("{mantissa} \\cdot 10^{{{power}}}"),
            None => digits.to_owned(),
        }
    }

    fn name(&self, shown: &str) -> String {
        spelled(&self.letters.name(shown))
    }

    fn group(&self, inner: &str) -> String {
        if ["\\frac", "\\begin", "\\sqrt"].iter().any(|command| inner.contains(command)) {
            return format!("\\left( {inner} \\right)");
        }
        // larger ones around others
        match inner.chars().scan(0, |depth, c| Some(nested(depth, c))).max() {
            None | Some(0) => format!("({inner})"),
            Some(1) => format!("\\bigl({inner}\\bigr)"),
            Some(_) => format!("\\Bigl({inner}\\Bigr)"),
        }
    }

    fn product(&self, factors: &[String]) -> String {
        let mut out = String::new();
        let mut last = "";
        for factor in factors {
            // words need a space that letters do not need, and that LaTeX sets before functions
            let words = [last, factor].iter().any(|text| text.contains("\\mathit") || text.contains("\\text"));
            let space = if words && !OPERATORS.iter().any(|f| factor.starts_with(f)) { "\\," } else { " " };
            out.push_str(if last.is_empty() { "" } else { space });
            out.push_str(factor);
            last = factor;
        }
        out
    }

    fn fraction(&self, over: &[String], under: &[String]) -> String {
        let over = if over.is_empty() { "1".to_owned() } else { self.product(over) };
        format!("\\frac{{{over}}}{{{}}}", self.product(under))
    }

    fn power(&self, base: &str, exponent: &str) -> String {
        format!("{base}^{{{exponent}}}")
    }

    fn root(&self, inner: &str) -> String {
        format!("\\sqrt{{{inner}}}")
    }

    fn call(&self, applied: &Applied<'_>) -> String {
        let mut out = match applied.function {
            known @ ("sin" | "cos" | "tan" | "sinh" | "cosh" | "tanh" | "exp" | "ln") => format!("\\{known}"),
            inverse @ ("asin" | "acos" | "atan") => format!("\\arc{}", &inverse[1..]),
            other => format!("\\operatorname{{{}}}", other.replace('_', "\\_")),
        };
        if let Some(power) = applied.power {
            let _ = write!(out, "^{{{power}}}");
        }
        match applied.bare {
            true => format!("{out} {}", applied.arguments.concat()),
            false => out + &self.group(&applied.arguments.join(", ")),
        }
    }

    fn choice(&self, condition: &str, yes: &str, no: &str) -> String {
        format!("\\begin{{cases}} {yes} & {condition} \\\\ {no} & \\text{{otherwise}} \\end{{cases}}")
    }
}

impl Page for Latex<'_> {
    fn open(&mut self, name: &str, form: &[String]) {
        let form: Vec<String> = form.iter().map(|formula| self.formula(formula)).collect();
        let name = name.replace('_', "\\_");
        let _ = writeln!(
            self.out,
            "% needs \\usepackage{{amsmath}}\n\\begingroup\\allowdisplaybreaks\n\\paragraph{{{name}}} \\({}\\)",
            form.join(",\\quad ")
        );
    }

    fn section(&mut self, title: &str, formula: Option<&str>) {
        self.end();
        let formula = formula.map(|formula| format!(" \\({}\\)", self.formula(formula))).unwrap_or_default();
        let _ = writeln!(self.out, "\n\\noindent {title}{formula}");
        self.section = Some(Vec::new());
    }

    fn lone(&mut self, left: &Left) {
        let left = self.left(left);
        self.section.get_or_insert_default().push((left, Vec::new()));
    }

    fn line(&mut self, left: &Left, right: &[Term]) {
        let terms = right.iter().map(|Term { sign, text }| format!("{sign}{text}")).collect();
        let left = self.left(left);
        self.section.get_or_insert_default().push((left, terms));
    }

    fn remark(&mut self, text: &str) {
        self.end();
        let _ = writeln!(self.out, "\n% {text}");
    }

    fn finish(mut self) -> String {
        self.end();
        self.out + "\\endgroup\n"
    }
}
