//! `residual`: rows of a sum of squares.

use proc_macro2::{Ident, Span};

use super::declared::accessor;
use super::energy::span;
use crate::check::read::Reader;
use crate::diagnostics::{Id, Message, with_article};
use crate::expr::Node;
use crate::identifier::identifier;
use crate::model::{Fit, Shape};
use crate::parse::ast::Energy;

/// Rows of a sum of squares: of any shape and unit.
pub(super) fn residual(r: &mut Reader<'_>, fits: &mut Vec<Fit>, energy: &Energy) {
    let ident = match &energy.name {
        Some(name) => {
            let spelled = r.spelled(name);
            accessor(r, "residual", &spelled);
            let label = r.label("residual", name);
            r.labelled(name, label)
        }
        None => unnamed(r, fits.len(), span(&energy.value)),
    };
    // an item with a mistake has a name, and one number
    let (value, shape) = rows(r, energy).unwrap_or((Vec::new(), Shape::Scalar));
    fits.push(Fit { ident, value, shape });
}

fn rows(r: &mut Reader<'_>, energy: &Energy) -> Option<(Vec<Node>, Shape)> {
    let value = r.eval(&energy.value);
    if value.is_poison() {
        return None;
    }
    let Some(shape) = value.shape() else {
        let what = format!("{} cannot be a residual", with_article(&value.name()));
        r.report(Message::new(Id::M0509, &energy.value, what).help("take its `.origin` or `.angle`"));
        return None;
    };
    r.without_accelerations(&value.scalars(), &energy.value)?;
    Some((value.scalars(), shape))
}

/// `residual_0`: the first number that is no name.
fn unnamed(r: &mut Reader<'_>, mut number: usize, span: Span) -> Ident {
    let name = loop {
        let name = format!("residual_{number}");
        if !r.names.labels.contains_key(&("residual", name.clone())) {
            break name;
        }
        number += 1;
    };
    let ident = identifier(&name, span);
    r.names.labels.insert(("residual", name), span);
    ident
}
