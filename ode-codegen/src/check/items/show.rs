//! `show`: figures of a model's picture.

use proc_macro2::Ident;
use syn::{Expr, Lit};

use super::colors;
use super::fields::fields;
use crate::check::read::Reader;
use crate::check::values::{Dimension, Unit, Value};
use crate::diagnostics::{Id, Message, similar, text};
use crate::expr::Node;
use crate::model::{Figure, Form, Shape};
use crate::parse::ast::Show;

/// What a form is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// a position
    Point,
    /// positions, the rest of the arguments
    Points,
    /// a position of the plane, or a frame
    Middle,
    /// a frame
    Frame,
    /// a number of metres
    Length,
    /// a vector of metres
    Vector,
    /// a number
    Number,
    /// the path of a file, in quotes
    File,
}

use Part::{File, Frame, Length, Middle, Number, Point, Points, Vector};

/// A form of the language.
struct Row {
    word: &'static str,
    parts: &'static [Part],
    /// how the parts are written
    written: &'static str,
    /// it has no place in the plane
    solid: bool,
    form: fn(&Parts) -> Form,
}

const FORMS: &[Row] = &[
    flat("point", &[Point], "p", |_| Form::Point),
    flat("line", &[Point, Point], "p, q", |_| Form::Line),
    flat("polyline", &[Points], "p, q, ..", |_| Form::Polyline),
    flat("polygon", &[Points], "p, q, r, ..", |_| Form::Polygon),
    flat("spring", &[Point, Point], "p, q", |_| Form::Spring),
    flat("circle", &[Middle, Length], "p, radius", |parts| Form::Circle { turns: parts.turns }),
    flat("disc", &[Middle, Length], "p, radius", |parts| Form::Disc { turns: parts.turns }),
    flat("arrow", &[Point, Vector], "p, v", |_| Form::Arrow),
    flat("box", &[Frame, Vector], "frame, edges", |_| Form::Box),
    flat("text", &[Point, Number], "p, value", |parts| Form::Text(parts.unit.clone())),
    solid("sphere", &[Point, Length], "p, radius", |_| Form::Sphere),
    solid("cylinder", &[Point, Point, Length], "p, q, radius", |_| Form::Cylinder),
    solid("mesh", &[File, Frame], "\"part.glb\", frame", |parts| Form::Mesh(parts.file.clone())),
];

const fn flat(word: &'static str, parts: &'static [Part], written: &'static str, form: fn(&Parts) -> Form) -> Row {
    Row { word, parts, written, solid: false, form }
}

const fn solid(word: &'static str, parts: &'static [Part], written: &'static str, form: fn(&Parts) -> Form) -> Row {
    Row { word, parts, written, solid: true, form }
}

/// One figure.
pub(super) fn show(r: &mut Reader<'_>, figures: &mut Vec<Figure>, show: &Show) {
    let name = r.label("show", &show.name);
    let (parts, color) = (parts(r, show), color(r, show));
    let (Some((row, parts)), Some(color)) = (parts, color) else { return };
    let space = parts.dimension == Some(3);
    if in_its_place(r, figures, show, row, space).is_some() {
        figures.push(Figure { name, form: (row.form)(&parts), space, color, value: parts.numbers });
    }
}

/// The arguments of a form.
#[derive(Default)]
struct Parts {
    numbers: Vec<Node>,
    /// two or three, from the first position on
    dimension: Option<usize>,
    /// the middle is a frame
    turns: bool,
    /// path of the file
    file: String,
    /// unit of the number
    unit: String,
}

fn parts(r: &mut Reader<'_>, show: &Show) -> Option<(&'static Row, Parts)> {
    let word = show.form.to_string();
    let Some(row) = FORMS.iter().find(|row| row.word == word) else {
        unknown(r, &show.form, &word);
        return None;
    };
    let many = row.parts == [Points];
    let n = show.arguments.len();
    if !many && n != row.parts.len() {
        let found = format!("{n} argument{}", if n == 1 { "" } else { "s" });
        wrong_count(r, show, row, &found);
        return None;
    }
    let mut parts = Parts::default();
    let mut complete = true;
    for (i, argument) in show.arguments.iter().enumerate() {
        let part = if many { Points } else { row.parts[i] };
        complete &= parts.read(r, part, argument).is_some();
    }
    if complete && many && parts.numbers.len() < 2 * parts.dimension.unwrap_or(1) {
        wrong_count(r, show, row, "fewer than 2 points");
        return None;
    }
    complete.then_some((row, parts))
}

/// M0129
fn unknown(r: &mut Reader<'_>, at: &Ident, word: &str) {
    let words = || FORMS.iter().map(|row| row.word);
    let near = similar(word, words()).map(|form| format!("did you mean `{form}`?"));
    let message = Message::new(Id::M0129, at, format!("`{word}` is nothing that can be drawn"))
        .maybe_help(near)
        .help(format!("there are: {}", words().collect::<Vec<_>>().join(", ")));
    r.report(message);
}

fn wrong_count(r: &mut Reader<'_>, show: &Show, row: &Row, found: &str) {
    let Row { word, written, .. } = row;
    let message = Message::new(Id::M0122, &show.form, format!("`{word}` takes ({written}), found {found}"));
    let help = format!("write `show {} = {word}({written});`", show.name);
    r.report(message.help(help));
}

impl Parts {
    /// Reads one argument.
    fn read(&mut self, r: &mut Reader<'_>, part: Part, at: &Expr) -> Option<()> {
        if part == File {
            self.file = path(r, at)?;
            return Some(());
        }
        let value = r.eval_adaptable(at);
        match (part, value) {
            (_, value) if value.is_poison() => None,
            (Middle | Frame, Value::Frame(frame)) => {
                self.turns = true;
                self.place(r, 2, frame.unit, at)?;
                self.numbers.extend([frame.origin[0], frame.origin[1], frame.cos, frame.sin]);
                Some(())
            }
            (Middle | Frame, Value::Frame3(frame)) => {
                self.turns = true;
                self.place(r, 3, frame.unit, at)?;
                self.numbers.extend(frame.origin.iter().chain(&frame.rotation.quaternion));
                Some(())
            }
            (Length, value) => {
                let (node, unit) = r.expect_scalar(&value, at)?;
                metres(r, unit, at)?;
                self.numbers.push(node);
                Some(())
            }
            (Number, value) => {
                let (node, unit) = r.expect_scalar(&value, at)?;
                self.unit = if unit.is_one() { String::new() } else { unit.to_string() };
                self.numbers.push(node);
                Some(())
            }
            (Points, Value::List(points)) => points.iter().try_for_each(|point| self.position(r, part, point, at)),
            (_, value) => self.position(r, part, &value, at),
        }
    }

    /// A point, or a vector of metres.
    fn position(&mut self, r: &mut Reader<'_>, part: Part, value: &Value, at: &Expr) -> Option<()> {
        match value {
            Value::Quantity(q) if part != Frame && matches!(q.shape, Shape::Vector(2 | 3)) => {
                let n = q.elements.len();
                if part == Middle && n == 3 {
                    let message = Message::new(Id::M0509, at, "expected a frame, found Vec3")
                        .note("in space a disc lies about the z axis of a frame")
                        .help("write `frame(p, rot_x(..))`");
                    r.report(message);
                    return None;
                }
                self.place(r, n, q.unit, at)?;
                self.numbers.extend(&q.elements);
                Some(())
            }
            other => {
                let wanted = if part == Frame { "a frame" } else { "Vec2 or Vec3" };
                let help = match (part, other) {
                    (Frame, _) => Some("make one: `frame2(p, th)`, in space `frame(p, rot_z(th))`"),
                    (_, Value::Frame(_) | Value::Frame3(_)) => Some("the point of a frame is `b.origin`"),
                    _ => None,
                };
                let message = Message::new(Id::M0509, at, format!("expected {wanted}, found {}", other.name()));
                r.report(message.maybe_help(help.map(str::to_owned)));
                None
            }
        }
    }

    /// All of a figure lies in the plane, or in space, and is given in metres.
    fn place(&mut self, r: &mut Reader<'_>, n: usize, unit: Unit, at: &Expr) -> Option<()> {
        let first = *self.dimension.get_or_insert(n);
        if first != n {
            let what = format!("`{}` has {n} components, but the first part of the figure has {first}", text(at));
            r.report(Message::new(Id::M0508, at, what));
            return None;
        }
        metres(r, unit, at)
    }
}

fn metres(r: &mut Reader<'_>, unit: Unit, at: &Expr) -> Option<()> {
    if unit.unify(r.unit(Dimension::METRE)).is_some() {
        return Some(());
    }
    let scale = unit.div(r.unit(Dimension::METRE));
    let message = Message::new(Id::M0502, at, format!("`{}` is drawn in metres, but has unit [{unit}]", text(at)))
        .help(match unit.is_one() {
            true => "write a length, as `0.1m`, or multiply by one".to_owned(),
            false => format!("divide by a param of [{scale}], which says what a metre of the picture stands for"),
        });
    r.report(message);
    None
}

/// A path in quotes.
fn path(r: &mut Reader<'_>, at: &Expr) -> Option<String> {
    match at {
        Expr::Lit(literal) if let Lit::Str(path) = &literal.lit => Some(path.value()),
        other => {
            let message = Message::new(Id::M0509, other, "expected the path of a file in quotes");
            r.report(message.help("write `mesh(\"part.glb\", frame)`"));
            None
        }
    }
}

/// `with { color: red }`; the inner `None` is the reader's choice.
fn color(r: &mut Reader<'_>, show: &Show) -> Option<Option<[u8; 3]>> {
    let fields = fields(r, "figure", &show.name, &show.with, &[("color", false)])?;
    let Some((_, written)) = fields.first() else { return Some(None) };
    let word = text(written);
    if let Some((_, color)) = colors::ALL.iter().find(|(name, _)| *name == word) {
        return Some(Some(*color));
    }
    let words = || colors::ALL.iter().map(|(name, _)| *name);
    let near = similar(&word, words()).map(|name| format!("did you mean `{name}`?"));
    let message = Message::new(Id::M0129, written, format!("there is no color `{word}`"))
        .maybe_help(near)
        .help(format!("there are: {}", words().collect::<Vec<_>>().join(", ")));
    r.report(message);
    None
}

/// M0241: a solid has no place in the plane, and a picture is all of the plane or all of space.
fn in_its_place(r: &mut Reader<'_>, figures: &[Figure], show: &Show, row: &Row, space: bool) -> Option<()> {
    if row.solid && !space {
        let message = Message::new(Id::M0241, &show.form, format!("a {} is drawn in space", row.word))
            .help("in the plane there are `disc`, `line` and `box`");
        r.report(message);
        return None;
    }
    let Some(other) = figures.iter().find(|figure| figure.space != space) else { return Some(()) };
    r.report(of_two_spaces(&show.name, space, &other.name));
    None
}

/// M0241 at a figure, of which another is not of the same space.
pub(crate) fn of_two_spaces(name: &Ident, space: bool, other: &str) -> Message {
    let message = Message::new(Id::M0241, name, apart(&name.to_string(), space, other));
    message.help("a point (x, y) of the plane is `vec3(x, y, 0.0)` in space")
}

/// What is said of a figure and another that is not of its space.
pub(super) fn apart(name: &str, space: bool, other: &str) -> String {
    let (own, theirs) = if space { ("in space", "in the plane") } else { ("in the plane", "in space") };
    format!("`{name}` is drawn {own}, `{other}` {theirs}")
}
