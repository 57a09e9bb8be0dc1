//! `output`, `limit` and `show`, read after everything else.

use super::bounds::bounds;
use super::declared::accessor;
use super::show::show;
use crate::check::draft::Later;
use crate::check::read::Reader;
use crate::check::values::Unit;
use crate::diagnostics::{Id, Message, compact, with_article};
use crate::model::{self, Declared, Observed};
use crate::parse::ast::{Declare, Item, Kind, Limit, TypeKind};

/// Outputs, limits and figures, now that every multiplier is known.
pub(super) fn deferred(r: &mut Reader<'_>, observed: &mut Observed, later: Vec<Later<'_>>) {
    for later in later {
        let Later { item, here } = later;
        r.at(here, |r| match &item.kind {
            Kind::Declare(d) => output(r, &mut observed.outputs, d, item),
            Kind::Limit(l) => limit(r, &mut observed.limits, l, item),
            Kind::Show(s) => show(r, observed.picture.get_or_insert_default(), s),
            _ => {}
        });
    }
}

fn output(r: &mut Reader<'_>, outputs: &mut Vec<model::Output>, d: &Declare, item: &Item) {
    for name in &d.names {
        let value = r.force(&r.key(&name.ident.to_string()));
        // a frame is seen by other models alone
        let Some(shape) = value.shape() else { continue };
        let (unit, dimension) = match (&d.unit, value.unit()) {
            (Some(written), Unit::Any) => (compact(&written.tokens), r.read_unit(written).dimension()),
            (Some(written), unit) => (compact(&written.tokens), unit.dimension()),
            (None, unit @ Unit::Known(_)) if !unit.is_one() => (unit.to_string(), unit.dimension()),
            (None, unit) => (String::new(), unit.dimension()),
        };
        let first = outputs.iter().map(|o| o.declared.shape.len()).sum();
        let angle = *d.ty.kind.innermost() == TypeKind::Angle;
        let (ident, docs) = (r.spelled(&name.ident), item.docs.clone());
        let declared = Declared { ident, shape, angle, unit, dimension, docs, first };
        outputs.push(model::Output { declared, value: value.scalars() });
    }
}

fn limit(r: &mut Reader<'_>, limits: &mut Vec<model::Limit>, limit: &Limit, item: &Item) {
    let spelled = r.spelled(&limit.name);
    accessor(r, "limit", &spelled);
    let label = r.label("limit", &limit.name);
    // a limit has derivatives by the state and inputs alone
    r.here.place.accelerations = false;
    let value = r.eval(&limit.value);
    let range = match &limit.range {
        Some(range) => bounds(r, range, &format!("limit `{}`", limit.name), &limit.value, value.unit()),
        None => None,
    };
    if value.is_poison() {
        return;
    }
    if r.without_accelerations(&value.scalars(), &limit.value).is_none() {
        return;
    }
    let Some(shape) = value.shape() else {
        r.report(Message::new(Id::M0509, &limit.value, format!("{} cannot be limited", with_article(&value.name()))));
        return;
    };
    let ident = r.labelled(&limit.name, label);
    limits.push(model::Limit { ident, value: value.scalars(), shape, range, docs: item.docs.clone() });
}
