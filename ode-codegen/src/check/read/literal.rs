//! Numbers: literals with and without a unit, and expressions made of them alone.

use proc_macro2::Span;
use quote::ToTokens;
use syn::{Expr, ExprLit, Lit, UnOp};

use super::functions;
use super::plain::is_bare;
use super::reader::Reader;
use crate::check::values::{Quantity, Unit, Value};
use crate::diagnostics::{Id, Message};
use crate::identifier::identifier;

impl Reader<'_> {
    /// A literal: every number is real; a suffix is its unit.
    pub(crate) fn literal(&mut self, literal: &ExprLit) -> Value {
        let (digits, suffix, span) = match &literal.lit {
            Lit::Int(n) => (n.base10_digits().to_owned(), n.suffix().to_owned(), n.span()),
            Lit::Float(n) => (n.base10_digits().to_owned(), n.suffix().to_owned(), n.span()),
            Lit::Bool(b) => {
                let message = Message::new(Id::M0123, b, "a truth value is not a number")
                    .help("choose between numbers: `if .. { 1.0 } else { 0.0 }`");
                return self.wrong(message);
            }
            other => {
                let message = Message::new(Id::M0124, other, "only numbers are values in a model expression");
                return self.wrong(message);
            }
        };
        match digits.parse::<f64>() {
            Ok(value) if value.is_finite() => self.with_suffix(value, &suffix, span, literal),
            _ => {
                let message = Message::new(Id::M0125, literal, "this number is too large for an f64");
                self.wrong(message)
            }
        }
    }

    fn with_suffix(&mut self, value: f64, suffix: &str, span: Span, literal: &ExprLit) -> Value {
        if suffix.is_empty() {
            return self.number(value);
        }
        if matches!(suffix, "f64" | "f32" | "i32" | "u32" | "i64" | "u64" | "usize" | "isize") {
            let message = Message::new(
                Id::M0116,
                literal,
                format!("`{suffix}` is a type of Rust, and every number here is real"),
            )
            .help("drop the suffix; a suffix in a model is a unit: `0.3m`");
            return self.wrong(message);
        }
        match self.scope().units.find(suffix) {
            Some(named) => {
                let unit = self.unit(named.dimension);
                Quantity::scalar(self.graph.constant(value * named.scale), unit).into()
            }
            None => {
                let name = if suffix.eq_ignore_ascii_case("pi") { "PI" } else { suffix };
                let known = name == "PI" || self.is_declared(name);
                let message = match known {
                    true => Message::new(
                        Id::M0506,
                        literal,
                        format!("a name behind a number is its unit, and `{suffix}` is none"),
                    )
                    .help(format!("a product is `{value:?} * {name}`")),
                    false => self.scope().units.unknown(&identifier("unit", span), suffix),
                };
                self.wrong(message)
            }
        }
    }

    /// Reads an expression where numbers alone take the unit of their target: defaults, initial values, ranges.
    pub(crate) fn eval_adaptable(&mut self, expr: &Expr) -> Value {
        let value = self.eval(expr);
        if is_literal(expr) { any_unit(value) } else { value }
    }
}

/// The value in any unit.
fn any_unit(value: Value) -> Value {
    match value {
        Value::Quantity(q) => Value::Quantity(Quantity { unit: Unit::Any, ..q }),
        Value::List(items) => Value::List(items.into_iter().map(any_unit).collect()),
        other => other,
    }
}

/// Is the expression made of plain numbers alone?
pub(crate) fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(literal) => is_bare(&literal.lit),
        Expr::Path(path) => path.path.get_ident().is_some_and(|i| i == "PI" || i == "TAU"),
        Expr::Paren(e) => is_literal(&e.expr),
        Expr::Group(e) => is_literal(&e.expr),
        Expr::Unary(e) => matches!(e.op, UnOp::Neg(_)) && is_literal(&e.expr),
        Expr::Binary(e) => is_literal(&e.left) && is_literal(&e.right),
        Expr::Array(e) => e.elems.iter().all(is_literal),
        Expr::Repeat(e) => is_literal(&e.expr),
        Expr::Call(e) => {
            let known = |name: &syn::Ident| functions::find(&name.to_string()).is_some();
            let known = matches!(&*e.func, Expr::Path(p) if p.path.get_ident().is_some_and(known));
            known && e.args.iter().all(is_literal)
        }
        Expr::MethodCall(e) => is_literal(&e.receiver) && e.args.iter().all(is_literal),
        _ => false,
    }
}

/// The first token of an expression, found without printing it.
pub(crate) fn start(expr: &Expr) -> Span {
    let mut expr = expr;
    loop {
        expr = match expr {
            Expr::Binary(e) => &e.left,
            Expr::MethodCall(e) => &e.receiver,
            Expr::Field(e) => &e.base,
            Expr::Index(e) => &e.expr,
            Expr::Call(e) => &e.func,
            Expr::Cast(e) => &e.expr,
            Expr::Try(e) => &e.expr,
            Expr::Assign(e) => &e.left,
            Expr::Lit(e) => return e.lit.span(),
            Expr::Path(e) => {
                return e.path.segments.first().map_or_else(Span::call_site, |s| s.ident.span());
            }
            Expr::Paren(e) => return e.paren_token.span.open(),
            Expr::Unary(e) => {
                return match e.op {
                    UnOp::Neg(t) => t.span,
                    UnOp::Not(t) => t.span,
                    _ => Span::call_site(),
                };
            }
            Expr::If(e) => return e.if_token.span,
            Expr::Array(e) => return e.bracket_token.span.open(),
            Expr::Block(e) => return e.block.brace_token.span.open(),
            other => return crate::diagnostics::first_span(&other.to_token_stream()),
        };
    }
}
