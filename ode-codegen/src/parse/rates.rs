//! `der(z) = g;` and `balance y += e;`, and shares of them.

use syn::parse::ParseStream;
use syn::{BinOp, Expr, ExprBinary, Token};

use super::ast::{Rate, Share};
use super::input::{Parsed, expected_form, expression, unexpected};
use crate::diagnostics::{Id, Message};

/// `(z) = g`, `(z) += g`: the keyword was the name of the function.
pub(super) fn rate(input: ParseStream<'_>) -> Parsed<Rate> {
    let form = "der(z) = g;";
    if !input.peek(syn::token::Paren) {
        return Err(unexpected(input, "a state in parentheses").help(format!("write `{form}`")));
    }
    let (target, share, value) = share(input, form)?;
    match target {
        Expr::Paren(inner) => Ok(Rate { target: *inner.expr, value, share }),
        other => Err(expected_form(&other, form).note("left of `=` stands one `der(..)`")),
    }
}

/// `y += e`
pub(super) fn balance(input: ParseStream<'_>) -> Parsed<Rate> {
    let form = "balance y += e;";
    if input.peek(Token![=]) || input.peek(Token![+=]) || input.peek(Token![-=]) {
        return Err(unexpected(input, &format!("an algebraic variable, as in `{form}`")));
    }
    match share(input, form)? {
        (target, Some(share), value) => Ok(Rate { target, value, share: Some(share) }),
        (target, None, _) => Err(Message::new(Id::M0007, &target, format!("expected `{form}`"))
            .note("the shares of all items are added, and their sum vanishes")),
    }
}

/// `left = right`, `left += right` or `left -= right` in one expression.
fn share(input: ParseStream<'_>, form: &str) -> Parsed<(Expr, Option<Share>, Expr)> {
    match expression(input, &format!("as in `{form}`"))? {
        Expr::Assign(assign) => Ok((*assign.left, None, *assign.right)),
        Expr::Binary(ExprBinary { left, op: BinOp::AddAssign(_), right, .. }) => {
            Ok((*left, Some(Share::Added), *right))
        }
        Expr::Binary(ExprBinary { left, op: BinOp::SubAssign(_), right, .. }) => {
            Ok((*left, Some(Share::Taken), *right))
        }
        other => Err(expected_form(&other, form)),
    }
}
