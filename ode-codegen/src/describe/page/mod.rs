//! Pages of equations: what a sheet is written on, in text, LaTeX and MathML.
//!
//! All three have the order of a textbook, so that a line of one is found in the others. MathML is written where
//! rustdoc asks for it. LaTeX is a function beside `expand_source`, not a const: who writes a paper wants a file that a
//! script or a test keeps up to date, and no other build should write it.

mod latex;
mod mathml;
mod plain;
mod rows;

use crate::expr::{Notation, Term};

use super::sheet::Left;

pub(super) use latex::Latex;
pub(super) use mathml::MathMl;
pub(super) use plain::Plain;

/// A notation with lines and titles.
pub(super) trait Page: Notation {
    /// The name of the model and the form of its equations.
    fn open(&mut self, name: &str, form: &[String]);
    /// Begins lines of a kind, which are about a formula.
    fn section(&mut self, title: &str, formula: Option<&str>);
    /// A line without a right side.
    fn lone(&mut self, left: &Left);
    /// An equation: the terms of its right side in a row.
    fn line(&mut self, left: &Left, right: &[Term]);
    /// What is left out.
    fn remark(&mut self, text: &str);
    /// All of it.
    fn finish(self) -> String;
}

/// The words of a formula in text, and the signs between them.
enum Word<'a> {
    Name(&'a str),
    /// M(q)
    OfPosition(&'a str),
    /// Gᵀ
    Transposed(&'a str),
    Sign(&'a str),
}

/// Reads a formula such as `M(q) a = f + G^T lambda`.
fn words(formula: &str) -> impl Iterator<Item = Word<'_>> {
    formula.split(' ').map(|word| match (word.strip_suffix("(q)"), word.strip_suffix("^T")) {
        (Some(of), _) => Word::OfPosition(of),
        (_, Some(of)) => Word::Transposed(of),
        _ if ["=", "+", "-"].contains(&word) => Word::Sign(word),
        _ => Word::Name(word),
    })
}
