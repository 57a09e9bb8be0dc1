//! `gravity`: one field for the whole model, and the weight of every body in it.

use quote::ToTokens;
use syn::Expr;

use super::energy::{alone, expect_unit};
use crate::check::draft::{Bodies, Field};
use crate::check::read::Reader;
use crate::check::values::{Dimension, Value};
use crate::diagnostics::{Id, Message, first_span, location};
use crate::expr::{Node, Symbol};
use crate::model::Energy;
use crate::parse::ast::Item;

/// `gravity = g;`
///
/// A model has one field, that of the root; a sub's is used when the sub stands alone.
pub(super) fn field(r: &mut Reader<'_>, bodies: &mut Bodies, written: &Expr, item: &Item) {
    if r.here.scope != 0 {
        let sub = r.scope().prefix.trim_end_matches('.').to_owned();
        bodies.fields_of_subs.push(sub);
        return;
    }
    if let Some(earlier) = &bodies.field {
        let message = Message::new(Id::M0210, &item.keyword, "two `gravity` items; there is one field per model")
            .note(format!("previous one at {}", location(first_span(&earlier.written))));
        r.report(message);
        return;
    }
    let value = r.eval_adaptable(written);
    if value.is_poison() || r.without_accelerations(&value.scalars(), written).is_none() {
        return;
    }
    let field = value.scalars();
    if !matches!(value, Value::Quantity(_)) || !matches!(field.len(), 2 | 3) {
        let what = format!("expected Vec2 or Vec3, found {}", value.name());
        let message = Message::new(Id::M0509, written, what)
            .help("gravity is a vector of the plane, `vec2(0.0, -g)`, or of space, `vec3(0.0, 0.0, -g)`");
        r.report(message);
        return;
    }
    let acceleration = Dimension::whole([1, 0, -2, 0, 0]);
    if expect_unit(r, "gravity", value.unit(), acceleration, written).is_none() {
        return;
    }
    if r.graph.any_depends(&field, |s| matches!(s, Symbol::Q(_) | Symbol::V(_))) {
        let message = Message::new(
            Id::M0202,
            written,
            "`gravity` is one field for the whole model, and this depends on the state",
        )
        .help("write a `potential` or a `force`");
        r.report(message);
        return;
    }
    if field.iter().any(|g| alone(r, "gravity", *g, written).is_none()) {
        return;
    }
    bodies.field = Some(Field { value: field, written: written.to_token_stream() });
}

/// M0210: the sub has weight when it stands alone, and the surrounding model does not state a field.
fn weightless(r: &mut Reader<'_>, bodies: &Bodies) {
    let Some(sub) = bodies.fields_of_subs.first().cloned() else { return };
    let name = r.scopes[0].ast.name.clone();
    let message = Message::new(Id::M0210, name, format!("sub `{sub}` has `gravity`, and this model has none"))
        .note("there is one field, that of the outermost model")
        .help("write `gravity = ..;`, zero for none");
    r.report(message);
}

/// −m g·p of every body.
pub(super) fn gravity(r: &mut Reader<'_>, bodies: &mut Bodies, potential: &mut Vec<Energy>) {
    let Some(field) = bodies.field.take() else { return weightless(r, bodies) };
    for body in std::mem::take(&mut bodies.weights) {
        if body.at.len() != field.value.len() {
            let (n, place) = if body.solid.is_some() { (3, "in space") } else { (2, "in the plane") };
            let what = format!("expected Vec{n}, found Vec{}: body `{}` moves {place}", field.value.len(), body.name);
            r.report(Message::new(Id::M0509, &field.written, what));
            return;
        }
        let terms: Vec<Node> = field.value.iter().zip(&body.at).map(|(g, p)| r.graph.mul(*g, *p)).collect();
        let work = r.graph.sum(terms);
        let work = r.graph.mul(body.mass, work);
        let value = r.graph.neg(work);
        if let Some(solid) = body.solid.and_then(|i| bodies.solids.get_mut(i)) {
            solid.weight = Some(potential.len());
        }
        potential.push(Energy::new(format!("gravity_{}", body.name), value, body.span));
    }
    bodies.gravity = <[Node; 3]>::try_from(field.value).ok();
}
