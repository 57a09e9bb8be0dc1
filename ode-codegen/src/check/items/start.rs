//! `init s = e;` and `guess s = e;`

use std::ops::Range;

use super::super::Checker;
use super::super::space::hamilton;
use super::super::value::{Frame, Value, shape_name};
use super::energy::span;
use crate::diagnostics::{Id, Message, location, text};
use crate::expr::{Function as F, Node, Symbol};
use crate::model::{self, Level, Space};
use crate::parse::ast::{Item, Start};
use quote::ToTokens;
use syn::Expr;

pub(super) fn start(c: &mut Checker<'_>, start: &Start, item: &Item) {
    let (target, written) = (&start.assign.target, &start.assign.value);
    c.here.place.accelerations = false;
    if let Some(message) = rate_of_rotation(c, target, item) {
        c.report(message);
        return;
    }
    let on = c.eval(target);
    if on.is_poison() {
        return;
    }
    let nodes = points(&on);
    let Some(level) = level(c, start, item, &nodes) else { return };
    let value = c.eval_adaptable(written);
    if value.is_poison() {
        return;
    }
    // a rotation of the plane starts from an angle
    let value = match (&on, value) {
        (Value::Frame(_), Value::Quantity(angle)) if angle.as_scalar().is_some() => {
            let node = angle.elements[0];
            let (cos, sin) = (c.graph.apply(F::Cos, &[node]), c.graph.apply(F::Sin, &[node]));
            let still = c.graph.constant(0.0);
            Value::Frame(Frame::turned(&mut c.graph, cos, sin, still))
        }
        (_, value) => value,
    };
    let value = match on.shape() {
        Some(shape) => c.expect_shape(value, &shape, written),
        None => value,
    };
    if value.is_poison() || units(c, start, &on, &value).is_none() || constant(c, start, &value).is_none() {
        return;
    }
    let mut rows = Vec::new();
    if differences(c, &on, &value, &mut rows).is_none() {
        let (wanted, found) = (on.name(), value.name());
        let message = Message::new(Id::M0604, written, format!("`{}` is {wanted}, and this is {found}", text(target)));
        let help = match on {
            Value::Rotation(_) => "a rotation is written `exp_so3(vec3(..))`, `rot_x(..)`, `rot_y(..)` or `rot_z(..)`",
            Value::Frame(_) => {
                "a rotation of the plane starts from its angle, a number; a frame by the coordinates it is made of"
            }
            _ => "a frame is written `frame(r, rotation)`",
        };
        c.report(message.help(help));
        return;
    }
    let label = format!("{} {}{}", item.keyword, c.scope().prefix, text(target));
    let tokens = target.to_token_stream();
    let value = points(&value);
    let start = model::Start { exact: start.exact, level, label, rows, on: nodes, value, span: span(target) };
    if c.here.scope != 0 {
        c.draft.inherited.insert(c.draft.starts.len(), c.here.scope);
    }
    c.draft.targets.push(tokens);
    c.draft.starts.push(start);
}

/// M0603: the velocity of a rotation has a name of its own.
fn rate_of_rotation(c: &Checker<'_>, target: &Expr, item: &Item) -> Option<Message> {
    let Expr::Call(call) = target else { return None };
    let (Expr::Path(function), Some(Expr::Path(argument))) = (&*call.func, call.args.first()) else { return None };
    let name = argument.path.get_ident().filter(|_| function.path.is_ident("der"))?;
    let coordinate = c.draft.coordinates.iter().find(|q| q.declared.ident == *name && q.space != Space::Flat)?;
    let word = &item.keyword;
    let what = format!("`{word} der({name})`: the velocity of a rotation is no derivative of its coordinates");
    let help = match &coordinate.velocity {
        Some(rate) => format!("write `{word} {rate} = ..;`"),
        None => format!(
            "give it a name: `coord ({name}, w): {};`, and write `{word} w = ..;`",
            shape_name(&coordinate.declared.shape)
        ),
    };
    Some(Message::new(Id::M0603, target, what).help(help))
}

/// The scalars a value is stored as: those of a rotation are its quaternion's.
pub(super) fn points(value: &Value) -> Vec<Node> {
    match value {
        Value::Frame(frame) => vec![frame.cos, frame.sin],
        Value::Rotation(rotation) => rotation.quaternion.to_vec(),
        Value::Frame3(frame) => frame.origin.iter().chain(&frame.rotation.quaternion).copied().collect(),
        Value::List(items) => items.iter().flat_map(points).collect(),
        other => other.scalars(),
    }
}

/// What vanishes where the two are one; `None` where they cannot be compared.
fn differences(c: &mut Checker<'_>, on: &Value, value: &Value, rows: &mut Vec<Node>) -> Option<()> {
    match (on, value) {
        (Value::Rotation(on), Value::Rotation(value)) => {
            // the vector part of the turn from one to the other: of q and −q it is the same rotation's
            let back = value.inverse(&mut c.graph);
            let turn = hamilton(&mut c.graph, back.quaternion, on.quaternion);
            rows.extend(turn[1..].iter().map(|&x| c.graph.scale(2.0, x)));
        }
        (Value::Frame(on), Value::Frame(value)) => {
            // a rotation of the plane; the point of a frame starts by itself
            if on.origin.iter().chain(&value.origin).any(|&x| !c.graph.is_zero(x)) {
                return None;
            }
            // the sine of the angle between them
            let (a, b) = (c.graph.mul(on.sin, value.cos), c.graph.mul(on.cos, value.sin));
            rows.push(c.graph.sub(a, b));
        }
        (Value::Frame3(on), Value::Frame3(value)) => {
            rows.extend(c.graph.minus(on.origin, value.origin));
            let (on, value) = (Value::Rotation(on.rotation.clone()), Value::Rotation(value.rotation.clone()));
            return differences(c, &on, &value, rows);
        }
        (Value::List(on), Value::List(value)) if on.len() == value.len() => {
            for (on, value) in on.iter().zip(value) {
                differences(c, on, value, rows)?;
            }
        }
        (Value::Quantity(on), Value::Quantity(value)) if on.elements.len() == value.elements.len() => {
            for (&on, &value) in on.elements.iter().zip(&value.elements) {
                rows.push(c.graph.sub(on, value));
            }
        }
        _ => return None,
    }
    Some(())
}

/// M0604: only positions, velocities and states start somewhere.
fn level(c: &mut Checker<'_>, start: &Start, item: &Item, nodes: &[Node]) -> Option<Level> {
    let target = &start.assign.target;
    let has = |c: &Checker<'_>, of: fn(Symbol) -> bool| c.depends(nodes, of);
    c.without_accelerations(nodes, target)?;
    if let Some(input) = c.input_of(nodes) {
        let message = Message::new(
            Id::M0604,
            target,
            format!("`{}` on input `{input}`: an input is given during a run", item.keyword),
        )
        .help("an input has a default: `input u: Real = 0.0;`");
        c.report(message);
        return None;
    }
    if let Some(state) = c.state_of(nodes) {
        return own(c, start, item, nodes, &state);
    }
    if has(c, |s| matches!(s, Symbol::V(_))) {
        if c.first_order {
            let what = format!("`{}` on a velocity, which follows from the positions", item.keyword);
            c.of_second_order(target, what, "say where it starts");
            return None;
        }
        return Some(Level::Velocity);
    }
    if has(c, |s| matches!(s, Symbol::Q(_))) {
        return Some(Level::Position);
    }
    let message = match has(c, |s| matches!(s, Symbol::P(_))) {
        true => Message::new(Id::M0604, target, format!("`{}` on a param: params have defaults", item.keyword))
            .help(format!("write `param {}: Real = {};`", text(target), text(&start.assign.value))),
        false => Message::new(
            Id::M0604,
            target,
            format!("`{}` on `{}`, which is not part of the state", item.keyword, text(target)),
        ),
    };
    c.report(message);
    None
}

/// A state starts by itself (M0604), and once (M0601).
fn own(c: &mut Checker<'_>, start: &Start, item: &Item, nodes: &[Node], state: &str) -> Option<Level> {
    let target = &start.assign.target;
    if !nodes.iter().all(|n| matches!(c.graph.as_symbol(*n), Some(Symbol::Z(_)))) {
        let what = format!("`{}` on `{}`: a state starts at a value of its own", item.keyword, text(target));
        let help = format!("write `{} {state} = ..;`", item.keyword);
        c.report(Message::new(Id::M0604, target, what).help(help));
        return None;
    }
    if start.exact
        && let Some(variable) = c.algebraic_of(nodes)
    {
        let what = format!("`init` on algebraic variable `{variable}`, which its equation determines");
        c.report(Message::new(Id::M0604, target, what).help(format!("write `guess {variable} = ..;`")));
        return None;
    }
    let twice = |s: &&model::Start| s.exact && s.level == Level::State && s.on.iter().any(|n| nodes.contains(n));
    if let (true, Some(earlier)) = (start.exact, c.draft.starts.iter().find(twice)) {
        let place = location(earlier.span);
        let what = format!("too many exact initial conditions: `{}` starts twice", text(target));
        let message = Message::new(Id::M0601, target, what)
            .note(format!("the first is at {place}"))
            .help("delete one, or change it to `guess`");
        c.report(message);
        return None;
    }
    Some(Level::State)
}

fn units(c: &mut Checker<'_>, start: &Start, on: &Value, value: &Value) -> Option<()> {
    for ((_, wanted), (_, has)) in on.measured().into_iter().zip(value.measured()) {
        if wanted.unify(has).is_none() {
            let target = text(&start.assign.target);
            let what = format!("`{target}` has unit [{wanted}], but its initial value has unit [{has}]");
            let message = Message::new(Id::M0507, &start.assign.value, what)
                .help(format!("they differ by a factor of [{}]", has.div(wanted)));
            c.report(message);
            return None;
        }
    }
    Some(())
}

/// The value of a condition is known before the run.
fn constant(c: &mut Checker<'_>, start: &Start, value: &Value) -> Option<()> {
    let nodes = points(value);
    if !c.depends(&nodes, |s| !matches!(s, Symbol::P(_) | Symbol::Time)) {
        return Some(());
    }
    let (target, written) = (text(&start.assign.target), text(&start.assign.value));
    let message =
        Message::new(Id::M0605, &start.assign.value, format!("the initial value of `{target}` depends on the state"))
            .help(match &start.assign.value {
                _ if value.scalars().is_empty() => "start it from numbers and parameters".to_owned(),
                syn::Expr::Path(_) | syn::Expr::Call(_) => {
                    format!("put the state on the left: `init {target} - {written} = 0.0;`")
                }
                _ => format!("put the state on the left: `init {target} - ({written}) = 0.0;`"),
            });
    c.report(message);
    None
}

/// A start of a sub gives way to one of a model around it, condition by condition.
pub(in crate::check) fn overridden(c: &mut Checker<'_>) {
    let inherited = std::mem::take(&mut c.draft.inherited);
    let inside = |c: &Checker<'_>, mut inner: usize, outer: usize| {
        while inner != 0 && inner != outer {
            inner = c.scopes[inner].parent;
        }
        inner == outer
    };
    let scope = |i: &usize| inherited.get(i).copied().unwrap_or(0);
    let mut kept = Vec::new();
    for (i, start) in c.draft.starts.iter().enumerate() {
        let others: Vec<&Node> = (0..c.draft.starts.len())
            .filter(|j| scope(j) != scope(&i) && inside(c, scope(&i), scope(j)))
            .flat_map(|j| &c.draft.starts[j].on)
            .collect();
        let free = |on: &Node| c.graph.as_symbol(*on).is_none() || !others.contains(&on);
        let mut all = conditions(c, start);
        all.retain(|one| start.on[one.on.clone()].iter().all(&free));
        kept.push(all);
    }
    let (starts, targets) = (std::mem::take(&mut c.draft.starts), std::mem::take(&mut c.draft.targets));
    for ((start, tokens), kept) in starts.into_iter().zip(targets).zip(kept) {
        if !kept.is_empty() {
            c.draft.starts.push(picked(&start, &kept));
            c.draft.targets.push(tokens);
        }
    }
}

/// One condition of a start: a number with its row, or the quaternion of a rotation with three.
#[derive(Clone)]
pub(super) struct Condition {
    pub(super) on: Range<usize>,
    pub(super) rows: Range<usize>,
}

/// What a start says, condition by condition; all at once where its target is no list of coordinates.
pub(super) fn conditions(c: &Checker<'_>, start: &model::Start) -> Vec<Condition> {
    let blocks = c.blocks();
    let (mut on, mut row) = (0, 0);
    let mut all = Vec::new();
    while on < start.on.len() {
        let block = match c.graph.as_symbol(start.on[on]) {
            Some(Symbol::Q(i)) => blocks.iter().find(|b| b.q == i as usize),
            _ => None,
        };
        let (points, rows) = block.map_or((1, 1), |b| (b.chart.positions(), b.chart.velocities()));
        all.push(Condition { on: on..on + points, rows: row..row + rows });
        (on, row) = (on + points, row + rows);
    }
    match on == start.on.len() && row == start.rows.len() {
        true => all,
        false => vec![Condition { on: 0..start.on.len(), rows: 0..start.rows.len() }],
    }
}

/// Some conditions of a start.
pub(super) fn picked(start: &model::Start, kept: &[Condition]) -> model::Start {
    let of = |nodes: &[Node], range: &dyn Fn(&Condition) -> Range<usize>| -> Vec<Node> {
        kept.iter().flat_map(|one| nodes[range(one)].to_vec()).collect()
    };
    model::Start {
        exact: start.exact,
        level: start.level,
        label: start.label.clone(),
        rows: of(&start.rows, &|one| one.rows.clone()),
        on: of(&start.on, &|one| one.on.clone()),
        value: of(&start.value, &|one| one.on.clone()),
        span: start.span,
    }
}
