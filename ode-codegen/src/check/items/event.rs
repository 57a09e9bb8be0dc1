//! `event e when a < b { x = e; stop; }`: a guard that crosses zero, and the values after it.

use syn::{BinOp, Expr, Stmt};

use super::conditions::stored;
use crate::check::read::{Point, Reader, Sphere, mend};
use crate::check::values::Value;
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Node, Symbol, Triple};
use crate::model::{self, Crossing};
use crate::parse::ast::Event;

pub(super) fn event(r: &mut Reader<'_>, events: &mut Vec<model::Event>, event: &Event) {
    let label = r.label("event", &event.name);
    let guard = guard(r, event);
    let depth = r.here.locals.len();
    let (mut resets, mut stops) = (Resets::default(), false);
    for statement in &event.body.stmts {
        match statement {
            Stmt::Local(local) => r.local(local),
            Stmt::Expr(Expr::Path(path), _) if path.path.is_ident("stop") => stops = true,
            Stmt::Expr(Expr::Assign(assign), _) => assignment(r, &assign.left, &assign.right, &mut resets),
            other => {
                let message = Message::new(Id::M0233, other, "an event contains only assignments, `let`s and `stop;`");
                r.report(message.help(meant(other)));
            }
        }
    }
    r.here.locals.truncate(depth);
    if event.body.stmts.is_empty() {
        let message = Message::new(Id::M0233, &event.name, format!("event `{}` does nothing", event.name))
            .help("assign new values to velocities, positions, states or modes, or write `stop;`");
        r.report(message);
    }
    let Some((guard, crossing)) = guard else { return };
    resets.carry(r);
    events.push(model::Event { label, guard, crossing, resets: resets.scalars, stops });
}

/// How a statement that is none of these is written.
fn meant(statement: &Stmt) -> String {
    let Stmt::Expr(Expr::Binary(e), _) = statement else {
        return "choose between values: `x = if .. { a } else { b };`".to_owned();
    };
    let (of, by) = (text(&e.left), text(&e.right));
    match e.op {
        BinOp::AddAssign(_) => format!("write `{of} = {of} + {by};`"),
        BinOp::SubAssign(_) => format!("write `{of} = {of} - {by};`"),
        BinOp::MulAssign(_) => format!("write `{of} = {of} * {by};`"),
        BinOp::DivAssign(_) => format!("write `{of} = {of} / {by};`"),
        _ => "an assignment is `x = e;`".to_owned(),
    }
}

/// What an event assigns.
#[derive(Default)]
struct Resets {
    /// scalars, and their new values
    scalars: Vec<(Symbol, Node)>,
    /// points of the sphere, and their new velocities in space
    velocities: Vec<(Point, Triple)>,
}

impl Resets {
    /// A velocity on the sphere is stored along axes that move with its point.
    fn carry(&mut self, r: &mut Reader<'_>) {
        for (point, velocity) in &self.velocities {
            let new = |i: usize| {
                let symbol = Symbol::Q((point.block.q + i) as u32);
                let found = self.scalars.iter().find(|(s, _)| *s == symbol);
                found.map_or(point.frame.quaternion[i], |(_, value)| *value)
            };
            let rates = point.velocities(&mut r.graph, [0, 1, 2, 3].map(new), *velocity);
            for (i, rate) in rates.into_iter().enumerate() {
                let symbol = Symbol::V((point.block.v + i) as u32);
                self.scalars.iter_mut().filter(|(s, _)| *s == symbol).for_each(|(_, value)| *value = rate);
            }
        }
    }
}

/// a − b of `a < b`, and the direction in which it must cross zero.
fn guard(r: &mut Reader<'_>, event: &Event) -> Option<(Node, Crossing)> {
    let Expr::Binary(condition) = peeled(&event.condition) else { return no_guard(r, event) };
    let crossing = match condition.op {
        BinOp::Lt(_) | BinOp::Le(_) => Crossing::Falling,
        BinOp::Gt(_) | BinOp::Ge(_) => Crossing::Rising,
        BinOp::Eq(_) => Crossing::Either,
        _ => return no_guard(r, event),
    };
    let (left, right) = (r.eval(&condition.left), r.eval(&condition.right));
    let (left, right) = (r.expect_scalar(&left, &condition.left), r.expect_scalar(&right, &condition.right));
    let ((a, unit), (b, other)) = (left?, right?);
    r.same_unit(unit, other, condition)?;
    let guard = r.graph.sub(a, b);
    r.without_accelerations(&[guard], &event.condition)?;
    rated(r, event, guard)?;
    if !r.graph.any_depends(&[guard], |s| !matches!(s, Symbol::P(_))) {
        let what = format!("event `{}` never happens: `{}` does not change", event.name, text(&event.condition));
        let message = Message::new(Id::M0234, &event.condition, what)
            .note("an event happens when the difference of both sides crosses zero during a run")
            .help("compare something that moves; `require` compares parameters");
        r.report(message);
        return None;
    }
    Some((guard, crossing))
}

/// M0232: the rate of a guard must be known, to distinguish a crossing from a touch.
fn rated(r: &mut Reader<'_>, event: &Event, guard: Node) -> Option<()> {
    let what = match (r.input_of(&[guard]), r.algebraic_of(&[guard])) {
        (Some(input), _) => format!("input `{input}`"),
        (None, Some(variable)) => format!("algebraic variable `{variable}`"),
        (None, None) if r.first_order && r.graph.any_depends(&[guard], |s| matches!(s, Symbol::V(_))) => {
            "a velocity".to_owned()
        }
        (None, None) => return Some(()),
    };
    let why = format!("event `{}` depends on {what}, whose rate is not known", event.name);
    let message = Message::new(Id::M0232, &event.condition, why)
        .note("a guard is a function of time, coordinates, velocities, states, modes and parameters")
        .help("compare a `state` that follows it");
    r.report(message);
    None
}

fn peeled(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => peeled(&inner.expr),
        Expr::Group(inner) => peeled(&inner.expr),
        other => other,
    }
}

/// M0232
fn no_guard(r: &mut Reader<'_>, event: &Event) -> Option<(Node, Crossing)> {
    let written = text(&event.condition);
    let message = Message::new(Id::M0232, &event.condition, format!("`{written}` cannot be the guard of an event"))
        .note("an event happens when the difference of two numbers crosses zero")
        .help("write `a < b` or `a > b` for one direction, `a == b` for both");
    r.report(message);
    None
}

/// One new value; it reads the values before the event.
fn assignment(r: &mut Reader<'_>, target: &Expr, written: &Expr, resets: &mut Resets) {
    let on = r.eval(target);
    let value = r.eval_adaptable(written);
    if on.is_poison() {
        return;
    }
    let (scalars, _) = paired(r, &on, &on, &mut Vec::new());
    let symbols: Option<Vec<Symbol>> = scalars.iter().map(|&n| assignable(r, n)).collect();
    let Some(symbols) = symbols.filter(|s| !s.is_empty()) else { return refused(r, target, &scalars) };
    if let Some(twice) = symbols.iter().find(|s| resets.scalars.iter().any(|(earlier, _)| earlier == *s)) {
        let before = resets.scalars.iter().position(|(earlier, _)| earlier == twice).map_or(0, |at| at + 1);
        let message = Message::new(Id::M0231, target, format!("`{}` is assigned twice in one event", text(target)))
            .note(format!("all right-hand sides read the values before the event; assignment {before} has set it"))
            .help("write one assignment");
        r.report(message);
        return;
    }
    let value = match (&on, on.shape()) {
        (Value::Rotation(_), _) | (Value::Frame3(_), _) => value,
        (_, Some(shape)) => r.expect_shape(value, &shape, written),
        _ => value,
    };
    if value.is_poison() {
        return;
    }
    for ((_, wanted), (_, has)) in on.measured().into_iter().zip(value.measured()) {
        if wanted.unify(has).is_none() {
            let what = format!("reset assigns a quantity of a different unit: `{wanted}` and `{has}`");
            r.report(mend(Message::new(Id::M0515, written, what), written, has, wanted));
            return;
        }
    }
    let (_, nodes) = paired(r, &on, &value, &mut resets.velocities);
    if nodes.len() != symbols.len() || on.name() != value.name() {
        let what = format!("`{}` is {}, and this is {}", text(target), on.name(), value.name());
        r.report(Message::new(Id::M0509, written, what));
        return;
    }
    if r.without_accelerations(&nodes, written).is_some() {
        resets.scalars.extend(symbols.into_iter().zip(nodes));
    }
}

/// The scalars of a target and of its new value, and the velocities on the sphere among them.
fn paired(r: &mut Reader<'_>, on: &Value, value: &Value, rates: &mut Vec<(Point, Triple)>) -> (Vec<Node>, Vec<Node>) {
    stored(r, (on, value), &mut |r, sphere, target| match sphere {
        Sphere::Point(point) => Some((point.frame.quaternion.to_vec(), point.towards(&mut r.graph, target).to_vec())),
        Sphere::Velocity(_) if r.first_order => None,
        Sphere::Velocity(point) => {
            let scalars = point.frame.rate[..2].to_vec();
            rates.push((point, target));
            Some((scalars.clone(), scalars))
        }
    })
}

/// A scalar of the state or a mode.
fn assignable(r: &Reader<'_>, node: Node) -> Option<Symbol> {
    let symbol = r.graph.as_symbol(node)?;
    match symbol {
        Symbol::Q(_) | Symbol::Mode(_) => Some(symbol),
        // forces determine them
        Symbol::V(_) => (!r.first_order).then_some(symbol),
        // an algebraic variable is determined by its equation
        Symbol::Z(_) => r.algebraic_of(&[node]).is_none().then_some(symbol),
        _ => None,
    }
}

/// M0230
fn refused(r: &mut Reader<'_>, target: &Expr, scalars: &[Node]) {
    let name = text(target);
    let has = |of: fn(Symbol) -> bool| r.graph.any_depends(scalars, of);
    let message = Message::new(Id::M0230, target, format!("an event cannot assign `{name}`"));
    let message = if r.first_order && has(|s| matches!(s, Symbol::V(_))) {
        message.note("forces determine the velocities of a first-order model")
    } else if has(|s| matches!(s, Symbol::V(_))) {
        message.help("assign a velocity itself: `der(x) = ..;`")
    } else if has(|s| matches!(s, Symbol::Q(_))) {
        message.help("assign a coordinate itself: `x = ..;`")
    } else if has(|s| matches!(s, Symbol::U(_))) {
        message.note("an input is given from outside").help("declare a `mode` for what the event decides")
    } else if has(|s| matches!(s, Symbol::P(_))) {
        message.note("a param is constant in a run").help("declare a `mode` with its value")
    } else if r.algebraic_of(scalars).is_some() {
        message.note("its equation determines an algebraic variable").help("assign what the equation reads")
    } else {
        message.help("it assigns velocities, positions, states and modes")
    };
    r.report(message);
}
