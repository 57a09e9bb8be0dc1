//! `fix x;`, `fix x along n;`, `fix x = e;`: rows that hold coordinates.
//!
//! A row, not an elimination. Taking the coordinate out of q would change nv, move its column of M, K and D to the
//! right-hand side, need a second path for the reaction, and q̈ with its derivatives for prescribed motion. As a row it
//! works in every method, start, sensitivity and self-test, and its multiplier is the reaction. The price is one more
//! unknown. It is eliminated at once, because its row of G has one entry.

use quote::ToTokens;
use syn::Expr;

use super::conditions::{Condition, conditions, picked};
use super::constraint::of_multiplier;
use crate::check::draft::{Later, Starts};
use crate::check::names::Multiplier;
use crate::check::notes::Grip;
use crate::check::read::{Reader, mend};
use crate::check::values::{Dimension, Unit, Value};
use crate::diagnostics::{Id, Message, first_span, text};
use crate::expr::{Graph, Node, Symbol};
use crate::identifier::identifier;
use crate::model::{self, Hold, Level, Shape};
use crate::parse::ast::{Fix, Kind};

/// All `fix` items, now that every start is known.
pub(super) fn fixed(
    r: &mut Reader<'_>,
    constraints: &mut Vec<model::Constraint>,
    starts: &mut Starts,
    fixes: Vec<Later<'_>>,
) {
    r.notes.unread_fix = false;
    for Later { item, mut here } in fixes {
        let Kind::Fix(fix) = &item.kind else { continue };
        // a row has the name of what it holds, without its loops
        here.suffix.clear();
        here.place.accelerations = false;
        r.at(here, |r| {
            if hold(r, constraints, starts, fix, &item.docs).is_none() {
                r.reports.doubts.constraints = true;
            }
        });
    }
}

/// Adds the rows of one item; `None` after a mistake.
fn hold(
    r: &mut Reader<'_>,
    constraints: &mut Vec<model::Constraint>,
    given: &mut Starts,
    fix: &Fix,
    docs: &[String],
) -> Option<()> {
    let target = r.eval(&fix.target);
    let (shape, on) = coordinate(r, fix, &target)?;
    let position = |node: &Node| match r.graph.as_symbol(*node) {
        Some(Symbol::Q(i)) => i,
        _ => 0,
    };
    let places: Vec<u32> = on.iter().map(position).collect();
    let direction = match &fix.along {
        Some(along) => Some(direction(r, fix, along, &target)?),
        None => None,
    };
    let name = name(r, &places);
    let shape = if direction.is_some() { Shape::Scalar } else { shape };
    let unit = target.unit().mul(direction.as_ref().map_or(r.unit(Dimension::ONE), |(_, unit)| *unit));
    let prescribed = match &fix.value {
        Some(written) => Some(prescribed(r, fix, written, &shape, unit)?),
        None => None,
    };
    let starts = match prescribed {
        None => Some(starts(r, &given.all, fix, &name, &places)?),
        Some(_) => None,
    };
    let first: usize = constraints.iter().map(|k| k.rows.len()).sum();
    let one = r.graph.constant(1.0);
    // Row by row, the positions and their weights.
    let rows: Vec<Vec<(usize, Node)>> = match &direction {
        Some((weights, _)) => vec![weights.iter().copied().enumerate().collect()],
        None => (0..on.len()).map(|i| vec![(i, one)]).collect(),
    };
    let mut values = Vec::new();
    for (k, row) in rows.iter().enumerate() {
        let terms: Vec<Node> = row
            .iter()
            .map(|&(i, weight)| {
                let off = starts.as_ref().map_or(on[i], |starts| r.graph.sub(on[i], starts[i]));
                r.graph.mul(weight, off)
            })
            .collect();
        let sum = r.graph.sum(terms);
        values.push(prescribed.as_ref().map_or(sum, |values| r.graph.sub(sum, values[k])));
        let grips = row.iter().map(|&(i, share)| Grip { position: places[i], share, row: first + k });
        r.notes.grips.extend(grips);
    }
    if starts.is_some() && direction.is_none() {
        release(r, given, &places);
    }
    declare(r, constraints, fix, &name, (values, shape, unit), docs)
}

/// The shape and positions of what is held: a coordinate that is a number or a vector, or a part of one.
fn coordinate(r: &mut Reader<'_>, fix: &Fix, target: &Value) -> Option<(Shape, Vec<Node>)> {
    if target.is_poison() {
        return None;
    }
    let nodes = target.scalars();
    let plain = |r: &Reader<'_>, n: &Node| match r.graph.as_symbol(*n) {
        Some(Symbol::Q(i)) => {
            r.declared.blocks().iter().any(|b| b.q == i as usize && b.chart == crate::chart::Chart::Line)
        }
        _ => false,
    };
    if let Some(shape) = target.shape()
        && !nodes.is_empty()
        && nodes.iter().all(|n| plain(r, n))
    {
        return Some((shape, nodes));
    }
    let written = text(&fix.target);
    if r.on_sphere(&nodes).is_some() {
        let what = format!("`fix {written}`: a point of the sphere cannot be fixed");
        let message = Message::new(Id::M0310, &fix.target, what)
            .note("its three components are two degrees of freedom: a row for each would be one too many");
        r.report(message.help(format!("hold two of them: `constraint hold: vec2({written}.x, {written}.y) == ..;`")));
        return None;
    }
    if let Some(message) = motion(fix, target, &written) {
        r.report(message);
        return None;
    }
    let message = Message::new(Id::M0310, &fix.target, format!("`{written}` is not a coordinate"))
        .note("`fix` holds a coordinate of numbers, or a component or element of one")
        .help(format!("hold an expression by `constraint hold: {written} == ..;`"));
    r.report(message);
    None
}

/// M0310: a rotation is held by rows on its vector, a frame by those and its point.
fn motion(fix: &Fix, target: &Value, written: &str) -> Option<Message> {
    let row = match target {
        Value::Frame(_) => format!("constraint hold: {written}.angle == 0.0;"),
        Value::Rotation(_) => format!("constraint hold: log_so3({written}) == vec3(0.0, 0.0, 0.0);"),
        Value::Frame3(_) => {
            format!("constraint hold: log_so3({written}.rotation) == vec3(0.0, 0.0, 0.0);` and `fix {written}.origin;")
        }
        Value::List(items) => return items.first().and_then(|first| motion(fix, first, &format!("{written}[0]"))),
        Value::Poison | Value::Quantity(_) => return None,
    };
    let what = format!("`fix {}`: a rotation cannot be fixed", text(&fix.target));
    let message = Message::new(Id::M0310, &fix.target, what)
        .note("`fix` holds a coordinate of numbers, or a component or element of one");
    Some(message.help(format!("constrain its rotation: `{row}`")))
}

/// The direction of `along`, in parameters, with its unit.
fn direction(r: &mut Reader<'_>, fix: &Fix, along: &Expr, target: &Value) -> Option<(Vec<Node>, Unit)> {
    let value = r.eval(along);
    let value = r.expect_shape(value, &target.shape()?, along);
    if value.is_poison() {
        return None;
    }
    let nodes = value.scalars();
    let what = format!("the direction in which `{}` is held", text(&fix.target));
    if r.graph.any_depends(&nodes, |s| !matches!(s, Symbol::P(_))) {
        let message = Message::new(Id::M0312, along, format!("{what} depends on more than parameters"))
            .help("hold an expression of positions and time by a `constraint`");
        r.report(message);
        return None;
    }
    if nodes.iter().all(|n| r.graph.is_zero(*n)) {
        r.report(Message::new(Id::M0312, along, format!("{what} is zero")));
        return None;
    }
    Some((nodes, value.unit()))
}

/// `= e`: known without the state.
fn prescribed(r: &mut Reader<'_>, fix: &Fix, written: &Expr, shape: &Shape, unit: Unit) -> Option<Vec<Node>> {
    let value = r.eval_adaptable(written);
    let value = r.expect_shape(value, shape, written);
    if value.is_poison() {
        return None;
    }
    let name = text(&fix.target);
    if let Some((_, has)) = value.measured().into_iter().find(|(_, has)| has.unify(unit).is_none()) {
        let what = format!("`{name}` has unit [{unit}], but what it is held at has unit [{has}]");
        r.report(mend(Message::new(Id::M0505, written, what), written, has, unit));
        return None;
    }
    let nodes = value.scalars();
    if r.graph.any_depends(&nodes, |s| !matches!(s, Symbol::P(_) | Symbol::Time)) {
        let (on, help) = match r.input_of(&nodes) {
            Some(input) => (format!("input `{input}`"), "drive it by a force, or prescribe its motion".to_owned()),
            None => (
                "the state".to_owned(),
                format!("if it follows positions, write `constraint hold: {name} == {};`", text(written)),
            ),
        };
        let message = Message::new(Id::M0312, written, format!("what `{name}` is held at may not depend on {on}"))
            .note("a prescribed value is a function of time and parameters")
            .help(help);
        r.report(message);
        return None;
    }
    Some(nodes)
}

/// The starting values, at which a coordinate is held if `fix` gives no value.
fn starts(r: &mut Reader<'_>, given: &[model::Start], fix: &Fix, name: &str, places: &[u32]) -> Option<Vec<Node>> {
    let find = |r: &Reader<'_>, place: &u32| {
        let given = |exact: bool| {
            let starts = given.iter().filter(|s| s.level == Level::Position && s.exact == exact);
            let mut pairs = starts.flat_map(|s| s.on.iter().zip(&s.value));
            pairs.rfind(|(on, _)| r.graph.as_symbol(**on) == Some(Symbol::Q(*place))).map(|(_, value)| *value)
        };
        // an exact start overrides a guess
        given(true).or_else(|| given(false))
    };
    let found: Option<Vec<Node>> = places.iter().map(|place| find(r, place)).collect();
    let Some(values) = found else {
        // The start may be among the mistakes.
        if !r.reports.is_clean() {
            return None;
        }
        let message = Message::new(Id::M0311, &fix.target, format!("`fix {name}` has no value to hold `{name}` at"))
            .note("without a value it is held at its start, which no `init` or `guess` gives")
            .help(format!("write `init {name} = ..;`, or `fix {name} = ..;`"));
        r.report(message);
        return None;
    };
    if r.graph.any_depends(&values, |s| s == Symbol::Time) {
        let message = Message::new(Id::M0312, &fix.target, format!("`{name}` starts at a value that depends on time"))
            .help(format!("prescribe it: `fix {name} = ..;`"));
        r.report(message);
        return None;
    }
    Some(values)
}

/// A coordinate held at its start needs no exact condition, because the row contains it. Its guess comes last, to
/// override other guesses of the same coordinate.
fn release(r: &Reader<'_>, starts: &mut Starts, places: &[u32]) {
    let is_held = |g: &Graph, n: &Node| matches!(g.as_symbol(*n), Some(Symbol::Q(i)) if places.contains(&i));
    let mut k = 0;
    for _ in 0..starts.all.len() {
        let start = &starts.all[k];
        let (held, free): (Vec<Condition>, Vec<Condition>) = conditions(r, start)
            .into_iter()
            .partition(|one| start.on[one.on.clone()].iter().all(|n| is_held(&r.graph, n)));
        if held.is_empty() || !start.exact {
            k += 1;
            continue;
        }
        let known = model::Start { exact: false, ..picked(start, &held) };
        let rest = (!free.is_empty()).then(|| picked(start, &free));
        let tokens = starts.targets[k].clone();
        starts.all.push(known);
        starts.targets.push(tokens);
        match rest {
            Some(rest) => {
                starts.all[k] = rest;
                k += 1;
            }
            None => {
                starts.all.remove(k);
                starts.targets.remove(k);
            }
        }
    }
}

/// `x`, `x[1].y`: the common part of the positions' names.
fn name(r: &Reader<'_>, places: &[u32]) -> String {
    let names: Vec<String> = places.iter().map(|i| r.declared.position_name(*i as usize)).collect();
    let Some(first) = names.first() else { return String::new() };
    if names.len() == 1 {
        return first.clone();
    }
    let common = first.char_indices().map(|(at, ch)| at + ch.len_utf8());
    let length = common.rev().find(|end| names.iter().all(|n| n.starts_with(&first[..*end]))).unwrap_or(0);
    let common = &first[..length];
    let end = match common.rfind(['.', '[']) {
        // `r.` of `r.x` and `r.y`, `p[` of `p[0]` and `p[1]`
        Some(at) if !common[at..].ends_with(']') => at,
        _ => length,
    };
    common[..end].to_owned()
}

/// Adds the constraint: `fix x` in texts, `fix_x` in code.
fn declare(
    r: &mut Reader<'_>,
    constraints: &mut Vec<model::Constraint>,
    fix: &Fix,
    name: &str,
    (rows, shape, unit): (Vec<Node>, Shape, Unit),
    docs: &[String],
) -> Option<()> {
    let mut label = format!("fix {name}");
    if let Some(along) = &fix.along {
        label.push_str(" along");
        if let Expr::Path(path) = along {
            label = format!("{label} {}", text(path));
        }
    }
    let known = |label: &str| constraints.iter().filter(|k| k.label == label).count();
    if known(&label) > 0 && fix.along.is_none() {
        let message =
            Message::new(Id::M0308, &fix.target, format!("`{name}` is fixed twice")).help("delete one of the two");
        r.report(message);
        return None;
    }
    let again = (2..).map(|k| format!("{label} {k}")).find(|other| known(other) == 0);
    if known(&label) > 0 {
        label = again.unwrap_or(label);
    }
    let span = first_span(&fix.target.to_token_stream());
    let ident = identifier(&accessor(&label), span);
    let key = format!("{}{}", r.key(&ident.to_string()), r.here.suffix);
    let first = constraints.iter().map(|k| k.rows.len()).sum();
    r.names.multipliers.insert(key, Multiplier { first, shape: shape.clone(), unit, broken: false, algebraic: false });
    let (unit, dimensions) = (of_multiplier(r, unit), vec![unit.dimension(); rows.len()]);
    let (level, soft, docs, redundant) = (Hold::Position, Vec::new(), docs.to_vec(), false);
    let held = model::Constraint { ident, label, rows, level, soft, redundant, first, shape, unit, dimensions, docs };
    constraints.push(held);
    Some(())
}

/// `fix x[1].y` → `fix_x_1_y`
pub(crate) fn accessor(label: &str) -> String {
    let words = label.split(|ch: char| !(ch.is_alphanumeric() || ch == '_'));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
}
