//! Bodies, springs and points as they look where nothing is shown.

use std::collections::BTreeSet;

use proc_macro2::Ident;

use super::show::apart;
use crate::check::draft::Bodies;
use crate::check::read::Reader;
use crate::check::values::Dimension;
use crate::diagnostics::{Id, Message};
use crate::expr::{Node, Symbol};
use crate::model::{Coordinate, Figure, Form, Shape, Space};
use crate::parse::ast::Points;

/// Adds the look of the model, and that of each of its subs, if it shows nothing of its own.
pub(super) fn plain(r: &mut Reader<'_>, picture: &mut Option<Vec<Figure>>, bodies: &Bodies, springs: &[Figure]) {
    let (element, shows) = (r.scope().ast.element, r.scope().ast.look.shows);
    let figures = picture.get_or_insert_default();
    let mut shown: BTreeSet<String> = figures.iter().map(|figure| owner(&figure.name).to_owned()).collect();
    if shows {
        shown.insert(String::new());
    }
    let points = points(r);
    let mut drawn = BTreeSet::new();
    let all = bodies.weights.iter().filter_map(|body| body.figure.as_ref()).chain(springs).chain(&points);
    // A body and the point that it is at may have one name.
    let all = all.filter(|figure| !shown.contains(owner(&figure.name)) && drawn.insert(&figure.name));
    figures.extend(all.cloned());
    // Elements are told about all of the picture together.
    if element {
        return *picture = picture.take().filter(|figures| !figures.is_empty());
    }
    // What has a mistake has its own message.
    let Some(name) = r.scope().ast.name.as_ref().filter(|_| r.reports.count() == 0) else { return };
    let other = figures.first().and_then(|first| figures.iter().find(|figure| figure.space != first.space));
    let message = match (figures.first(), other) {
        (None, _) => nothing(name),
        (Some(first), Some(other)) => Message::new(Id::M0241, name, apart(&other.name, other.space, &first.name))
            .note("`#[model(show)]` draws bodies, springs and vectors of metres where nothing is shown"),
        (Some(_), None) => return,
    };
    r.report(message.help("say what to draw: `show rod = line(p, q);`"));
}

/// M0129: no figure that nobody wrote.
pub(crate) fn nothing(name: &Ident) -> Message {
    Message::new(Id::M0129, name, format!("`{name}` has nothing to show"))
        .note("it has no `body`, no `spring` and no vector of metres among its coordinates")
}

/// The model or sub that something belongs to, by its name: `leg` of `leg.rod`.
fn owner(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(owner, _)| owner)
}

/// The coordinates that are points: those of which `show p = point(p);` would be accepted.
fn points(r: &mut Reader<'_>) -> Vec<Figure> {
    let look = &r.scope().ast.look.points;
    let Reader { graph, declared, .. } = r;
    let point = |coordinate: &Coordinate| {
        let Coordinate { declared: point, space: Space::Flat, .. } = coordinate else { return None };
        let name = declared.shown(&point.ident);
        let (shape, place) = match (look, &point.shape) {
            (Points::All, shape) => (shape, 0),
            (Points::Sub(sub), shape) => (shape, name.strip_prefix(sub.as_str())?.starts_with('[').then_some(0)?),
            (Points::Members(of), Shape::Array(_, one)) => (&**one, of.iter().find(|(own, _)| *own == name)?.1),
            (Points::Members(_), _) => return None,
        };
        let Shape::Vector(n @ (2 | 3)) = *shape else { return None };
        let first = point.first + place * n;
        let value: Vec<Node> = (first..first + n).map(|i| graph.symbol(Symbol::Q(i as u32))).collect();
        let in_metres = point.dimension.is_none_or(|d| d == Dimension::METRE);
        in_metres.then_some(Figure { name, form: Form::Point, space: n == 3, color: None, value })
    };
    declared.coordinates.iter().filter_map(point).collect()
}
