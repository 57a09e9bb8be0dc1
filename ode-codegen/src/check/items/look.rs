//! Bodies, springs and points as they look where nothing is shown.

use std::collections::BTreeSet;

use super::show::apart;
use crate::check::draft::Bodies;
use crate::check::read::Reader;
use crate::check::values::Dimension;
use crate::diagnostics::{Id, Message};
use crate::expr::{Node, Symbol};
use crate::model::{Coordinate, Figure, Form, Shape, Space};

/// Adds the look of the model, and that of each of its subs, if it shows nothing of its own.
pub(super) fn plain(r: &mut Reader<'_>, picture: &mut Option<Vec<Figure>>, bodies: &Bodies, springs: &[Figure]) {
    let figures = picture.get_or_insert_default();
    let shown: BTreeSet<String> = figures.iter().map(|figure| owner(&figure.name).to_owned()).collect();
    let points = points(r);
    let mut drawn = BTreeSet::new();
    let all = bodies.weights.iter().filter_map(|body| body.figure.as_ref()).chain(springs).chain(&points);
    // A body and the point that it is at may have one name.
    let all = all.filter(|figure| !shown.contains(owner(&figure.name)) && drawn.insert(&figure.name));
    figures.extend(all.cloned());
    // What has a mistake has its own message.
    let Some(name) = r.scope().ast.name.as_ref().filter(|_| r.reports.count() == 0) else { return };
    let other = figures.first().and_then(|first| figures.iter().find(|figure| figure.space != first.space));
    let message = match (figures.first(), other) {
        (None, _) => Message::new(Id::M0129, name, format!("`{name}` has nothing to show"))
            .note("it has no `body`, no `spring` and no vector of metres among its coordinates"),
        (Some(first), Some(other)) => Message::new(Id::M0241, name, apart(&other.name, other.space, &first.name))
            .note("`#[model(show)]` draws bodies, springs and vectors of metres where nothing is shown"),
        (Some(_), None) => return,
    };
    r.report(message.help("say what to draw: `show rod = line(p, q);`"));
}

/// The model or sub that something belongs to, by its name: `leg` of `leg.rod`.
fn owner(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(owner, _)| owner)
}

/// The coordinates that are points: those of which `show p = point(p);` would be accepted.
fn points(r: &mut Reader<'_>) -> Vec<Figure> {
    let Reader { graph, declared, .. } = r;
    let point = |coordinate: &Coordinate| {
        let Coordinate { declared: point, space: Space::Flat, .. } = coordinate else { return None };
        let Shape::Vector(n @ (2 | 3)) = point.shape else { return None };
        let value: Vec<Node> = (point.first..point.first + n).map(|i| graph.symbol(Symbol::Q(i as u32))).collect();
        let (name, in_metres) = (declared.shown(&point.ident), point.dimension.is_none_or(|d| d == Dimension::METRE));
        in_metres.then_some(Figure { name, form: Form::Point, space: n == 3, color: None, value })
    };
    declared.coordinates.iter().filter_map(point).collect()
}
