//! The numbers after `=` of a declaration.

use proc_macro2::Ident;

use crate::check::read::{Reader, is_literal, mend};
use crate::check::scope::Place;
use crate::check::values::Unit;
use crate::diagnostics::{Id, Message, text, with_article};
use crate::model::Declared;
use crate::parse::ast::Declare;

/// The numbers of a default, in SI.
pub(super) fn constant(
    r: &mut Reader<'_>,
    written: &syn::Expr,
    declared: &Declared,
    unit: Unit,
    scale: f64,
) -> Option<Vec<f64>> {
    let name = &declared.ident;
    r.here.place = Place { item: format!("default of {name}"), constant: true, ..Place::default() };
    let value = r.eval_adaptable(written);
    let value = r.expect_shape(value, &declared.shape, written);
    if value.is_poison() {
        return None;
    }
    if value.measured().iter().any(|(_, u)| u.unify(unit).is_none()) {
        let has = value.unit();
        let what = format!("`{name}` is declared with unit [{unit}], but its default has unit [{has}]");
        r.report(mend(Message::new(Id::M0507, written, what), written, has, unit));
        return None;
    }
    // A number without a unit is counted in the declared one.
    let scale = if is_literal(written) { scale } else { 1.0 };
    let numbers: Option<Vec<f64>> = value.scalars().iter().map(|n| r.graph.value(*n).map(|v| v * scale)).collect();
    if numbers.is_none() {
        r.report(Message::new(
            Id::M0109,
            written,
            format!("the default of `{name}` is not a number: `{}`", text(written)),
        ));
    }
    numbers
}

/// M0009: moving quantities have a start, not a default.
pub(super) fn no_default(r: &mut Reader<'_>, d: &Declare, ident: &Ident) {
    let Some(value) = &d.value else { return };
    let written = text(value);
    r.report(
        Message::new(Id::M0009, value, format!("{} has no default", with_article(d.role.word())))
            .help(format!("write `init {ident} = {written};` or `guess {ident} = {written};`")),
    );
}

/// The numbers after `=`, zeros without.
pub(super) fn numbers(r: &mut Reader<'_>, d: &Declare, declared: &Declared, unit: Unit) -> Vec<f64> {
    let zeros = vec![0.0; declared.shape.len()];
    match &d.value {
        Some(written) => constant(r, written, declared, unit, 1.0).unwrap_or(zeros),
        None => zeros,
    }
}
