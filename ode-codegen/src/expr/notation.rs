//! What mathematics is spelled with: the pieces that a printer asks for.

/// A sign between two expressions, or before one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is the sign of its name")]
pub(crate) enum Sign {
    Plus,
    Minus,
    /// before the first term of a sum
    Negative,
    Less,
    LessEq,
    And,
    Or,
    Not,
}

/// A function with what it is applied to.
pub(crate) struct Applied<'a> {
    /// its name in text
    pub function: &'a str,
    /// an exponent that stands at the name: sin²
    pub power: Option<i32>,
    /// its arguments
    pub arguments: &'a [String],
    /// one argument needs no parentheses: sin θ
    pub bare: bool,
}

/// A way to spell mathematics. A printer walks through an expression and asks for its pieces, so every way shows the
/// same terms and factors in the same order.
pub(crate) trait Notation {
    /// Does a page have two dimensions? There a fraction, a root and an exponent show what they span without
    /// parentheses.
    fn is_set(&self) -> bool;
    /// A sign, with its spaces.
    fn sign(&self, sign: Sign) -> &'static str;
    /// A number that is not negative, in its shortest exact digits.
    fn number(&self, digits: &str) -> String;
    /// A scalar of the model, by its name in text.
    fn name(&self, shown: &str) -> String;
    /// Parentheses.
    fn group(&self, inner: &str) -> String;
    /// Factors in a row.
    fn product(&self, factors: &[String]) -> String;
    /// Factors over divisors; there is at least one divisor.
    fn fraction(&self, over: &[String], under: &[String]) -> String;
    /// A power of a single piece.
    fn power(&self, base: &str, exponent: &str) -> String;
    /// A square root, where the page has two dimensions.
    fn root(&self, inner: &str) -> String;
    /// A function of arguments.
    fn call(&self, applied: &Applied<'_>) -> String;
    /// One of two values.
    fn choice(&self, condition: &str, yes: &str, no: &str) -> String;
}
