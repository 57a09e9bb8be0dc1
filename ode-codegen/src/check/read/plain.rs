//! Plain numbers where a unit is wanted: how they get it.

use syn::{Expr, Lit, UnOp};

use crate::check::values::{Unit, Units};
use crate::diagnostics::text;

/// Is it a number without a suffix, perhaps with a sign?
pub(crate) fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(literal) => is_bare(&literal.lit),
        Expr::Unary(e) => matches!(e.op, UnOp::Neg(_)) && is_number(&e.expr),
        _ => false,
    }
}

/// Is it a number without a suffix?
pub(super) fn is_bare(literal: &Lit) -> bool {
    match literal {
        Lit::Int(n) => n.suffix().is_empty(),
        Lit::Float(n) => n.suffix().is_empty(),
        _ => false,
    }
}

/// How plain numbers, of this type, get the unit that is wanted.
pub(crate) fn in_unit(written: &Expr, ty: &str, wanted: Unit) -> Option<String> {
    let Unit::Known(dimension) = wanted else { return None };
    let number = text(written);
    match Units::of(dimension).filter(|_| is_number(written)) {
        _ if wanted == Unit::ONE => None,
        Some(unit) if number.ends_with('.') => Some(format!("write `{number}0{unit}`")),
        Some(unit) => Some(format!("write `{number}{unit}`")),
        None => Some(format!("declare it: `param k: {ty} [{wanted}] = {number};`")),
    }
}

/// How one of two operands gets the unit of the other, if it is a plain number; otherwise the factor between them.
pub(crate) fn one_unit<'e>(operands: impl IntoIterator<Item = &'e Expr>, a: Unit, b: Unit) -> String {
    let wanted = if a.is_one() { b } else { a };
    let plain = operands.into_iter().find(|operand| is_number(operand)).filter(|_| a.is_one() || b.is_one());
    let factor = || format!("they differ by a factor of [{}]", a.div(b));
    plain.and_then(|number| in_unit(number, "Real", wanted)).unwrap_or_else(factor)
}

/// The digits of a whole number, perhaps with a sign.
pub(super) fn integer(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Paren(e) => integer(&e.expr),
        Expr::Unary(e) if matches!(e.op, UnOp::Neg(_)) => integer(&e.expr).map(|n| format!("-{n}")),
        Expr::Lit(e) => match &e.lit {
            Lit::Int(n) if n.suffix().is_empty() => Some(n.base10_digits().to_owned()),
            _ => None,
        },
        _ => None,
    }
}
