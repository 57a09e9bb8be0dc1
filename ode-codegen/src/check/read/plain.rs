//! Plain numbers where a unit is wanted: how they get it.

use syn::{BinOp, Expr, Lit, UnOp};

use crate::check::values::{Dimension, Unit, Units};
use crate::diagnostics::{Message, text};

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
    let name = if dimension == Dimension::whole([1, 0, -2, 0, 0]) { "g" } else { "k" };
    match Units::of(dimension).filter(|_| is_number(written)) {
        _ if wanted == Unit::ONE => None,
        Some(unit) if number.ends_with('.') => Some(format!("write `{number}0{unit}`")),
        Some(unit) => Some(format!("write `{number}{unit}`")),
        None => Some(format!("declare it: `param {name}: {ty} [{wanted}] = {number};`")),
    }
}

/// Adds how what is written gets the unit that is wanted: a plain number is given it, else the factor between them is
/// named, which may be the unit of the one number in a product.
pub(crate) fn mend(message: Message, written: &Expr, has: Unit, wanted: Unit) -> Message {
    let plain = in_unit(written, "Real", wanted).filter(|_| has.is_one() && is_number(written));
    match plain {
        Some(help) => message.help(help),
        None => message.help(factor(has, wanted)).maybe_help(lacks(written, has, wanted)),
    }
}

/// The same, for operands that should have one unit and have two.
pub(crate) fn mend_either(message: Message, operands: &[&Expr], a: Unit, b: Unit) -> Message {
    let wanted = if a.is_one() { b } else { a };
    let plain = operands.iter().find(|operand| is_number(operand)).filter(|_| a.is_one() || b.is_one());
    if let Some(number) = plain {
        return mend(message, number, Unit::ONE, wanted);
    }
    let message = message.help(factor(a, b));
    match operands {
        [left, right] => match (lacks(left, a, b), lacks(right, b, a)) {
            (Some(help), None) | (None, Some(help)) => message.help(help),
            _ => message,
        },
        _ => message,
    }
}

fn factor(has: Unit, wanted: Unit) -> String {
    format!("they differ by a factor of [{}]", has.div(wanted))
}

/// The unit that the one number among the factors would need.
fn lacks(written: &Expr, has: Unit, wanted: Unit) -> Option<String> {
    let mut numbers = Vec::new();
    factors(written, &mut numbers);
    let [number] = numbers.as_slice() else { return None };
    let lacking = wanted.div(has);
    // Of inverse units are few constants: a factor is forgotten elsewhere.
    let mended = in_unit(number, "Real", lacking).filter(|_| !lacking.to_string().starts_with('1'))?;
    Some(format!("if `{}` has a unit, {mended}", text(number)))
}

/// The plain numbers that multiply a value, without the halves of energies.
fn factors<'e>(expr: &'e Expr, numbers: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Lit(literal) if is_bare(&literal.lit) && text(expr).parse() != Ok(0.5) => numbers.push(expr),
        Expr::Paren(e) => factors(&e.expr, numbers),
        Expr::Group(e) => factors(&e.expr, numbers),
        Expr::Unary(e) if matches!(e.op, UnOp::Neg(_)) => factors(&e.expr, numbers),
        Expr::Binary(e) if matches!(e.op, BinOp::Mul(_)) => {
            factors(&e.left, numbers);
            factors(&e.right, numbers);
        }
        Expr::Binary(e) if matches!(e.op, BinOp::Div(_)) => factors(&e.left, numbers),
        _ => {}
    }
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
