//! `body`, `spring` and `gravity`: energies made from frames and points.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::Expr;

use super::super::units::Unit;
use super::super::value::{Frame, Quantity, Value};
use super::super::{Checker, Dimension};
use super::energy::{alone, expect_unit};
use super::fields::fields;
use super::solid;
use crate::diagnostics::{Id, Message, first_span, location, text};
use crate::expr::{Function as F, Node, Symbol};
use crate::model::{Energy, Shape};
use crate::parse::ast::{Bodied, Item};

/// A body's mass and centre of mass, on which gravity acts.
pub(in crate::check) struct Weight {
    pub(super) name: String,
    pub(super) mass: Node,
    /// its centre of mass, two numbers in the plane and three in space
    pub(super) at: Vec<Node>,
    pub(super) span: Span,
    /// number of the body in space
    pub(super) solid: Option<usize>,
}

/// The field of gravity.
pub(in crate::check) struct Field {
    value: Vec<Node>,
    written: TokenStream,
}

/// ½ m |der(origin)|² + ½ J der(angle)²
pub(super) fn body(c: &mut Checker<'_>, body: &Bodied) {
    let name = c.label("kinetic", &body.name);
    if c.first_order {
        let help = "the coefficient of the velocities is a `dissipation` or a `mass`";
        return c.of_second_order(&body.name, "a first-order model has no bodies", help);
    }
    let frame = c.eval(&body.on);
    if one_kind(c, body, &frame).is_none() {
        return;
    }
    if let Value::Frame3(frame) = &frame {
        return solid::body(c, body, &name, frame);
    }
    let fields = fields(c, "body", &body.name, &body.fields, &[("mass", true), ("inertia", true)]);
    let (Some(frame), Some(fields)) = (as_frame(c, &body.on, &frame), fields) else { return };
    let mass = number(c, body, &fields, "mass", Dimension::KILOGRAM);
    let inertia = number(c, body, &fields, "inertia", Dimension::whole([2, 1, 0, 0, 0]));
    let (Some(Some(mass)), Some(Some(inertia))) = (mass, inertia) else { return };
    let pose = [frame.origin[0], frame.origin[1], frame.angle];
    if c.moves_by_itself(&pose, &body.on).is_none() {
        return;
    }
    let [x, y, _] = c.rates(pose);
    let rates = [x, y, frame.spin];
    if let Unit::Known(_) = frame.unit
        && expect_unit(c, &format!("the origin of `{}`", text(&body.on)), frame.unit, Dimension::METRE, &body.on)
            .is_none()
    {
        return;
    }
    if !c.depends(&rates, |s| matches!(s, Symbol::V(_))) {
        let message = Message::new(Id::M0212, &body.on, format!("body `{}` does not move", body.name))
            .note("its frame does not depend on any coordinate");
        c.report(message);
        return;
    }
    let (x, y, w) = (c.graph.square(rates[0]), c.graph.square(rates[1]), c.graph.square(rates[2]));
    let speed = c.graph.add(x, y);
    let (linear, angular) = (c.graph.mul(mass, speed), c.graph.mul(inertia, w));
    let twice = c.graph.add(linear, angular);
    let value = c.graph.scale(0.5, twice);
    if alone(c, "body", value, &body.on).is_none() {
        return;
    }
    c.draft.kinetic.push(Energy { name: name.clone(), value, span: body.name.span() });
    let at = frame.origin.to_vec();
    c.draft.weights.push(Weight { name, mass, at, span: body.name.span(), solid: None });
}

/// M0241: bodies are all of the plane or all of space.
fn one_kind(c: &mut Checker<'_>, body: &Bodied, frame: &Value) -> Option<()> {
    let space = match frame {
        Value::Frame(_) => false,
        Value::Frame3(_) => true,
        _ => return Some(()),
    };
    let Some(other) = c.draft.weights.iter().find(|w| w.solid.is_some() != space) else { return Some(()) };
    let (own, theirs) = if space { ("in space", "in the plane") } else { ("in the plane", "in space") };
    let what = format!("body `{}` moves {own}, body `{}` {theirs}", body.name, other.name);
    let message = Message::new(Id::M0241, &body.on, what)
        .help("a planar body in space sits on `frame(vec3(x, y, 0.0), rot_z(th))`");
    c.report(message);
    None
}

fn as_frame(c: &mut Checker<'_>, at: &Expr, value: &Value) -> Option<Frame> {
    match value {
        Value::Poison => None,
        Value::Frame(frame) => Some(frame.clone()),
        other => {
            let message = Message::new(Id::M0509, at, format!("expected a frame, found {}", other.name()))
                .help("a body sits on a frame: `let b = frame2(p, th);`, in space `let b = frame(p, rot_z(th));`; a point mass is a `kinetic` energy");
            c.report(message);
            None
        }
    }
}

/// A field as one number: `None` after a mistake, `Some(None)` if it is not given.
pub(super) fn number(
    c: &mut Checker<'_>,
    item: &Bodied,
    fields: &[(&'static str, Expr)],
    name: &str,
    wanted: Dimension,
) -> Option<Option<Node>> {
    let Some((_, written)) = fields.iter().find(|(f, _)| *f == name) else { return Some(None) };
    let value = c.eval_adaptable(written);
    if let (Value::Quantity(Quantity { shape: Shape::Matrix(..), .. }), "inertia") = (&value, name) {
        let message = Message::new(Id::M0509, written, format!("expected Real, found {}", value.name()))
            .note("a planar body turns about one axis")
            .help("a body in space sits on `frame(p, r)`");
        c.report(message);
        return None;
    }
    let (node, unit) = c.expect_scalar(&value, written)?;
    c.without_accelerations(&[node], written)?;
    expect_unit(c, &format!("`{name}` of `{}`", item.name), unit, wanted, written)?;
    Some(Some(node))
}

/// ½ k (|q − p| − rest)², and ½ c (rate of |q − p|)²
pub(super) fn spring(c: &mut Checker<'_>, spring: &Bodied) {
    let name = c.label("potential", &spring.name);
    let ends = ends(c, spring);
    let fields = fields(c, "spring", &spring.name, &spring.fields, &[("k", true), ("rest", false), ("damping", false)]);
    let (Some(difference), Some(fields)) = (ends, fields) else { return };
    let stiffness = Dimension::whole([0, 1, -2, 0, 0]);
    let k = number(c, spring, &fields, "k", stiffness);
    let rest = number(c, spring, &fields, "rest", Dimension::METRE);
    let damping = number(c, spring, &fields, "damping", Dimension::whole([0, 1, -1, 0, 0]));
    let (Some(Some(k)), Some(rest), Some(damping)) = (k, rest, damping) else { return };
    let squares: Vec<Node> = difference.iter().map(|d| c.graph.square(*d)).collect();
    let square = c.graph.sum(squares);
    let length = c.graph.apply(F::Root, &[square]);
    let stretch = match rest {
        Some(rest) if !c.graph.is_zero(rest) => {
            let stretch = c.graph.sub(length, rest);
            c.graph.square(stretch)
        }
        _ => square,
    };
    let twice = c.graph.mul(k, stretch);
    let value = c.graph.scale(0.5, twice);
    if alone(c, "spring", value, &spring.on).is_none() {
        return;
    }
    c.draft.potential.push(Energy { name: name.clone(), value, span: spring.name.span() });
    if let Some(damping) = damping {
        let seeds = super::super::functions::seeds(c);
        let rates = c.graph.jvp(&[length], &seeds);
        let squares: Vec<Node> = rates.iter().map(|r| c.graph.square(*r)).collect();
        let square = c.graph.sum(squares);
        let twice = c.graph.mul(damping, square);
        let value = c.graph.scale(0.5, twice);
        if alone(c, "spring", value, &spring.on).is_none() {
            return;
        }
        c.draft.dissipation.push(Energy { name, value, span: spring.name.span() });
    }
}

/// The difference of a spring's two ends.
fn ends(c: &mut Checker<'_>, spring: &Bodied) -> Option<Vec<Node>> {
    let wrong = |c: &mut Checker<'_>| {
        let message = Message::new(Id::M0509, &spring.on, "a spring has two ends")
            .help(format!("write `spring {} on (p, q) {{ k: .., rest: .. }}`", spring.name));
        c.report(message);
        None
    };
    let Expr::Tuple(pair) = &spring.on else { return wrong(c) };
    let written: Vec<&Expr> = pair.elems.iter().collect();
    let [p, q] = written.as_slice() else { return wrong(c) };
    let (a, b) = (c.eval(p), c.eval(q));
    if a.is_poison() || b.is_poison() {
        return None;
    }
    let points = matches!((&a, &b), (Value::Quantity(_), Value::Quantity(_)));
    if !points || a.shape() != b.shape() || a.scalars().len() != b.scalars().len() {
        let what = format!("the ends of a spring are two points, found {} and {}", a.name(), b.name());
        let help =
            if matches!((&a, &b), (Value::Frame(_) | Value::Frame3(_), _) | (_, Value::Frame(_) | Value::Frame3(_))) {
                Some("the point of a frame is `b.origin`".to_owned())
            } else {
                None
            };
        c.report(Message::new(Id::M0509, &spring.on, what).maybe_help(help));
        return None;
    }
    for (value, at) in [(&a, p), (&b, q)] {
        expect_unit(c, &format!("`{}`", text(at)), value.unit(), Dimension::METRE, at)?;
    }
    let pairs = a.scalars().into_iter().zip(b.scalars());
    let difference: Vec<Node> = pairs.map(|(a, b)| c.graph.sub(b, a)).collect();
    if c.depends(&difference, |s| matches!(s, Symbol::V(_) | Symbol::A(_) | Symbol::Lambda(_))) {
        c.report(Message::new(
            Id::M0202,
            &spring.on,
            "the ends of a spring are positions, and these depend on a velocity",
        ));
        return None;
    }
    if !c.depends(&difference, |s| matches!(s, Symbol::Q(_))) {
        c.report(Message::new(Id::M0212, &spring.on, format!("spring `{}` has ends that do not move", spring.name)));
        return None;
    }
    Some(difference)
}

/// `gravity = g;`
///
/// There is one field a model, that of the root; a sub's holds where the sub stands alone.
pub(super) fn field(c: &mut Checker<'_>, written: &Expr, item: &Item) {
    if c.here.scope != 0 {
        let sub = c.scope().prefix.trim_end_matches('.').to_owned();
        c.draft.fields.push(sub);
        return;
    }
    if let Some(earlier) = &c.draft.gravity {
        let message = Message::new(Id::M0210, &item.keyword, "two `gravity` items; there is one field per model")
            .note(format!("previous one at {}", location(first_span(&earlier.written))));
        c.report(message);
        return;
    }
    let value = c.eval_adaptable(written);
    if value.is_poison() || c.without_accelerations(&value.scalars(), written).is_none() {
        return;
    }
    let field = value.scalars();
    if !matches!(value, Value::Quantity(_)) || !matches!(field.len(), 2 | 3) {
        let what = format!("expected Vec2 or Vec3, found {}", value.name());
        let message = Message::new(Id::M0509, written, what)
            .help("gravity is a vector of the plane, `vec2(0.0, -g)`, or of space, `vec3(0.0, 0.0, -g)`");
        c.report(message);
        return;
    }
    let acceleration = Dimension::whole([1, 0, -2, 0, 0]);
    if expect_unit(c, "gravity", value.unit(), acceleration, written).is_none() {
        return;
    }
    if c.depends(&field, |s| matches!(s, Symbol::Q(_) | Symbol::V(_))) {
        let message = Message::new(
            Id::M0202,
            written,
            "`gravity` is one field for the whole model, and this depends on the state",
        )
        .help("write a `potential` or a `force`");
        c.report(message);
        return;
    }
    if field.iter().any(|g| alone(c, "gravity", *g, written).is_none()) {
        return;
    }
    c.draft.gravity = Some(Field { value: field, written: written.to_token_stream() });
}

/// M0210: a sub has weight where it stands alone, and the model around says nothing of it.
fn weightless(c: &mut Checker<'_>) {
    let Some(sub) = c.draft.fields.first().cloned() else { return };
    let name = c.scopes[0].ast.name.clone();
    let message = Message::new(Id::M0210, name, format!("sub `{sub}` has `gravity`, and this model has none"))
        .note("there is one field per model, and it is that of the outermost")
        .help("write `gravity = ..;`, zero for none");
    c.report(message);
}

/// −m g·p of every body.
pub(in crate::check) fn gravity(c: &mut Checker<'_>) {
    let Some(field) = c.draft.gravity.take() else { return weightless(c) };
    for body in std::mem::take(&mut c.draft.weights) {
        if body.at.len() != field.value.len() {
            let (n, place) = if body.solid.is_some() { (3, "in space") } else { (2, "in the plane") };
            let what = format!("expected Vec{n}, found Vec{}: body `{}` moves {place}", field.value.len(), body.name);
            c.report(Message::new(Id::M0509, &field.written, what));
            return;
        }
        let terms: Vec<Node> = field.value.iter().zip(&body.at).map(|(g, p)| c.graph.mul(*g, *p)).collect();
        let work = c.graph.sum(terms);
        let work = c.graph.mul(body.mass, work);
        let value = c.graph.neg(work);
        if let Some(solid) = body.solid.and_then(|i| c.draft.bodies.get_mut(i)) {
            solid.weight = Some(c.draft.potential.len());
        }
        c.draft.potential.push(Energy { name: format!("gravity_{}", body.name), value, span: body.span });
    }
    c.draft.space = <[Node; 3]>::try_from(field.value).ok();
}
