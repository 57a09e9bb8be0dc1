//! `init s = e;` and `guess s = e;`

use quote::ToTokens;
use syn::Expr;

use super::conditions::{conditions, picked, points, stored};
use super::energy::span;
use super::turns::degrees;
use crate::check::draft::Starts;
use crate::check::read::{Reader, Sphere, mend};
use crate::check::values::{Frame, Value, hamilton, shape_name};
use crate::diagnostics::{Id, Message, location, text};
use crate::expr::{Function as F, Node, Symbol, Triple};
use crate::model::{self, Level, Space};
use crate::parse::ast::{Item, Start};

pub(super) fn start(r: &mut Reader<'_>, starts: &mut Starts, start: &Start, item: &Item) {
    let (target, written) = (&start.assign.target, &start.assign.value);
    r.here.place.accelerations = false;
    if let Some(message) = rate_of_rotation(r, target, item) {
        r.report(message);
        return;
    }
    let on = r.eval(target);
    if on.is_poison() {
        return;
    }
    let nodes = points(&on);
    if !start.exact && guessed_rate(r, &on, target) {
        return;
    }
    let Some(level) = level(r, starts, start, item, &nodes) else { return };
    let value = r.eval_adaptable(written);
    if value.is_poison() {
        return;
    }
    let value = from_angle(r, &on, value);
    let value = match on.shape() {
        Some(shape) => r.expect_shape(value, &shape, written),
        None => value,
    };
    if value.is_poison() || units(r, start, &on, &value).is_none() || constant(r, start, &value).is_none() {
        return;
    }
    if level == Level::State && r.algebraic_of(&nodes).is_none() && timed(r, start, &value) {
        return;
    }
    degrees(r, &on, &value, target, written);
    let mut rows = Vec::new();
    if differences(r, (&on, &value), written, &mut rows).is_none() {
        let (wanted, found) = (on.name(), value.name());
        let message = Message::new(Id::M0604, written, format!("`{}` is {wanted}, and this is {found}", text(target)));
        let help = match on {
            Value::Rotation(_) => "a rotation is written `exp_so3(vec3(..))`, `rot_x(..)`, `rot_y(..)` or `rot_z(..)`",
            Value::Frame(_) => {
                "a planar rotation starts from its angle, a number; a frame from the coordinates it is made of"
            }
            _ => "a frame is written `frame(r, rotation)`",
        };
        r.report(message.help(help));
        return;
    }
    let label = format!("{} {}{}", item.keyword, r.scope().prefix, text(target));
    let tokens = target.to_token_stream();
    let (on, value) = stored(r, (&on, &value), &mut |r, sphere, target| match sphere {
        Sphere::Point(point) => Some((point.frame.quaternion.to_vec(), r.pointing(&point, target).to_vec())),
        // the axes of a velocity are known only when the run begins
        Sphere::Velocity(_) => None,
    });
    let start = model::Start { exact: start.exact, level, label, rows, on, value, span: span(target) };
    if let Some(earlier) = contradicted(r, starts, &start) {
        r.report(twice(target, earlier));
        return;
    }
    if r.here.scope != 0 {
        starts.inherited.insert(starts.all.len(), r.here.scope);
    }
    starts.targets.push(tokens);
    starts.all.push(start);
}

/// An exact start, of the same scope, of a number that is now given another value.
fn contradicted<'s>(r: &Reader<'_>, starts: &'s Starts, start: &model::Start) -> Option<&'s model::Start> {
    // A rotation has fewer conditions than numbers, and two sets of numbers.
    let plain = |s: &model::Start| s.exact && s.rows.len() == s.on.len();
    let known = |s: &model::Start, k: usize| s.value.get(k).and_then(|value| r.graph.value(*value));
    let differs = |earlier: &model::Start| {
        earlier.on.iter().enumerate().any(|(i, on)| {
            let again = start.on.iter().position(|again| again == on && r.graph.as_symbol(*on).is_some());
            again.and_then(|k| Some(known(earlier, i)? != known(start, k)?)).unwrap_or(false)
        })
    };
    said_here(r, starts).filter(|s| plain(s)).find(|s| plain(start) && differs(s))
}

/// The starts that the same model says: a surrounding one has the last word.
fn said_here<'s>(r: &Reader<'_>, starts: &'s Starts) -> impl Iterator<Item = &'s model::Start> {
    let here = r.here.scope;
    let is_here = move |index: usize| starts.inherited.get(&index).copied().unwrap_or(0) == here;
    starts.all.iter().enumerate().filter(move |(index, _)| is_here(*index)).map(|(_, start)| start)
}

/// M0601 for what starts twice.
fn twice(target: &Expr, earlier: &model::Start) -> Message {
    let what = format!("too many exact initial conditions: `{}` starts twice", text(target));
    Message::new(Id::M0601, target, what)
        .note(format!("the first is at {}", location(earlier.span)))
        .help("delete one, or change it to `guess`")
}

/// A rotation of the plane starts from an angle.
fn from_angle(r: &mut Reader<'_>, on: &Value, value: Value) -> Value {
    match (on, value) {
        (Value::Frame(_), Value::Quantity(angle)) if angle.as_scalar().is_some() => {
            let node = angle.elements[0];
            let (cos, sin) = (r.graph.apply(F::Cos, &[node]), r.graph.apply(F::Sin, &[node]));
            let still = r.graph.constant(0.0);
            Value::Frame(Frame::turned(&mut r.graph, cos, sin, still))
        }
        (_, value) => value,
    }
}

/// M0603: the velocity of a rotation has a name of its own.
fn rate_of_rotation(r: &Reader<'_>, target: &Expr, item: &Item) -> Option<Message> {
    let Expr::Call(call) = target else { return None };
    let (Expr::Path(function), Some(Expr::Path(argument))) = (&*call.func, call.args.first()) else { return None };
    let name = argument.path.get_ident().filter(|_| function.path.is_ident("der"))?;
    let turns = |space: Space| !matches!(space, Space::Flat | Space::S2);
    let coordinate = r.declared.coordinates.iter().find(|q| q.declared.ident == *name && turns(q.space))?;
    let word = &item.keyword;
    let what = format!("`{word} der({name})`: the velocity of a rotation is not the derivative of its coordinates");
    let help = match &coordinate.velocity {
        Some(rate) => format!("write `{word} {rate} = ..;`"),
        None => format!(
            "give it a name: `coord ({name}, w): {};`, and write `{word} w = ..;`",
            shape_name(&coordinate.declared.shape)
        ),
    };
    Some(Message::new(Id::M0603, target, what).help(help))
}

/// M0603: the velocity of a point of the sphere has no scalars of its own.
fn guessed_rate(r: &mut Reader<'_>, on: &Value, target: &Expr) -> bool {
    if let Value::List(items) = on {
        return items.iter().any(|item| guessed_rate(r, item, target));
    }
    let Value::Quantity(quantity) = on else { return false };
    let found = matches!(r.on_sphere(&quantity.elements), Some(Sphere::Velocity(_)));
    if found {
        let written = text(target);
        let what = format!("`guess {written}`: the velocity of a point of the sphere is stored along axes of its own");
        let message = Message::new(Id::M0603, target, what)
            .note("a run that begins chooses them; what is exact is solved for, and a guess is not");
        r.report(message.help(format!("write `init {written} = ..;`")));
    }
    found
}

/// M0604: a point of the sphere has length 1, checked with the defaults.
fn unit_length(r: &mut Reader<'_>, target: Triple, written: &Expr) {
    let defaults = r.declared.defaults();
    let square = r.graph.inner(target, target);
    let at = |s: Symbol| match s {
        Symbol::P(i) => defaults.get(i as usize).copied().flatten().unwrap_or(f64::NAN),
        _ => f64::NAN,
    };
    let square = r.graph.evaluate(&[square], &at).first().copied().unwrap_or(1.0);
    let length = square.sqrt();
    if (length - 1.0).abs() > 1e-5 {
        let what = format!("a point of the sphere starts at a vector of length {length}");
        let help = format!("write `unit({})`", text(written));
        r.report(Message::new(Id::M0604, written, what).note("its length is 1").help(help));
    }
}

/// An expression that vanishes where the two are equal; `None` if they cannot be compared.
fn differences(r: &mut Reader<'_>, (on, value): (&Value, &Value), written: &Expr, rows: &mut Vec<Node>) -> Option<()> {
    match (on, value) {
        (Value::Rotation(on), Value::Rotation(value)) => {
            // the vector part of the rotation between the two: q and −q are the same rotation
            let back = value.inverse(&mut r.graph);
            let turn = hamilton(&mut r.graph, back.quaternion, on.quaternion);
            rows.extend(turn[1..].iter().map(|&x| r.graph.scale(2.0, x)));
        }
        (Value::Frame(on), Value::Frame(value)) => {
            // a planar rotation; the point of a frame starts separately
            if on.origin.iter().chain(&value.origin).any(|&x| !r.graph.is_zero(x)) {
                return None;
            }
            // the sine of the angle between them
            let (a, b) = (r.graph.mul(on.sin, value.cos), r.graph.mul(on.cos, value.sin));
            rows.push(r.graph.sub(a, b));
        }
        (Value::Frame3(on), Value::Frame3(value)) => {
            rows.extend(r.graph.minus(on.origin, value.origin));
            let (on, value) = (Value::Rotation(on.rotation.clone()), Value::Rotation(value.rotation.clone()));
            return differences(r, (&on, &value), written, rows);
        }
        (Value::List(on), Value::List(value)) if on.len() == value.len() => {
            for (on, value) in on.iter().zip(value) {
                differences(r, (on, value), written, rows)?;
            }
        }
        (Value::Quantity(on), Value::Quantity(value)) if on.elements.len() == value.elements.len() => {
            if let Ok(target) = Triple::try_from(value.elements.as_slice())
                && let Some(Sphere::Point(point)) = r.on_sphere(&on.elements)
            {
                unit_length(r, target, written);
                // the residual of the target, along the two perpendicular axes
                rows.extend([0, 1].map(|k| r.graph.inner(point.axis(k), target)));
                return Some(());
            }
            for (&on, &value) in on.elements.iter().zip(&value.elements) {
                rows.push(r.graph.sub(on, value));
            }
        }
        _ => return None,
    }
    Some(())
}

/// M0604: only positions, velocities and states start somewhere.
fn level(r: &mut Reader<'_>, given: &Starts, start: &Start, item: &Item, nodes: &[Node]) -> Option<Level> {
    let target = &start.assign.target;
    let has = |r: &Reader<'_>, of: fn(Symbol) -> bool| r.graph.any_depends(nodes, of);
    r.without_accelerations(nodes, target)?;
    if let Some(input) = r.input_of(nodes) {
        let message = Message::new(
            Id::M0604,
            target,
            format!("`{}` on input `{input}`: an input is given during a run", item.keyword),
        )
        .help("an input has a default: `input u: Real = 0.0;`");
        r.report(message);
        return None;
    }
    if let Some(state) = r.state_of(nodes) {
        return own(r, given, start, item, nodes, &state);
    }
    if has(r, |s| matches!(s, Symbol::V(_))) {
        if r.first_order {
            let what = format!("`{}` on a velocity, which follows from the positions", item.keyword);
            r.of_second_order(target, what, "say where it starts");
            return None;
        }
        return Some(Level::Velocity);
    }
    if has(r, |s| matches!(s, Symbol::Q(_))) {
        return Some(Level::Position);
    }
    let (word, shown) = (&item.keyword, text(target));
    let default = format!("write the default where `{shown}` is declared: `= {};`", text(&start.assign.value));
    let message = match has(r, |s| matches!(s, Symbol::P(_))) {
        true => Message::new(Id::M0604, target, format!("`{word}` on a param: params have defaults")).help(default),
        false => Message::new(Id::M0604, target, format!("`{word}` on `{shown}`, which is not part of the state"))
            .maybe_help(has(r, |s| matches!(s, Symbol::Mode(_))).then_some(default)),
    };
    r.report(message);
    None
}

/// A state starts by itself (M0604), and once (M0601).
fn own(r: &mut Reader<'_>, given: &Starts, start: &Start, item: &Item, nodes: &[Node], state: &str) -> Option<Level> {
    let target = &start.assign.target;
    if !nodes.iter().all(|n| matches!(r.graph.as_symbol(*n), Some(Symbol::Z(_)))) {
        let what = format!("`{}` on `{}`: a state starts at a value of its own", item.keyword, text(target));
        let help = format!("write `{} {state} = ..;`", item.keyword);
        r.report(Message::new(Id::M0604, target, what).help(help));
        return None;
    }
    if start.exact
        && let Some(variable) = r.algebraic_of(nodes)
    {
        let what = format!("`init` on algebraic variable `{variable}`, which its equation determines");
        r.report(Message::new(Id::M0604, target, what).help(format!("write `guess {variable} = ..;`")));
        return None;
    }
    let same = |s: &&model::Start| s.exact && s.level == Level::State && s.on.iter().any(|n| nodes.contains(n));
    let earlier = said_here(r, given).find(same);
    if let (true, Some(earlier)) = (start.exact, earlier) {
        r.report(twice(target, earlier));
        return None;
    }
    Some(Level::State)
}

fn units(r: &mut Reader<'_>, start: &Start, on: &Value, value: &Value) -> Option<()> {
    for ((_, wanted), (_, has)) in on.measured().into_iter().zip(value.measured()) {
        if wanted.unify(has).is_none() {
            let target = text(&start.assign.target);
            let what = format!("`{target}` has unit [{wanted}], but its initial value has unit [{has}]");
            r.report(mend(Message::new(Id::M0507, &start.assign.value, what), &start.assign.value, has, wanted));
            return None;
        }
    }
    Some(())
}

/// The value of a condition is known before the run.
fn constant(r: &mut Reader<'_>, start: &Start, value: &Value) -> Option<()> {
    let nodes = points(value);
    if !r.graph.any_depends(&nodes, |s| !matches!(s, Symbol::P(_) | Symbol::Time)) {
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
    r.report(message);
    None
}

/// M0605: a state has no equation at the start that could be solved for any time.
fn timed(r: &mut Reader<'_>, start: &Start, value: &Value) -> bool {
    let depends = r.graph.any_depends(&points(value), |s| s == Symbol::Time);
    if depends {
        let what = format!("the initial value of state `{}` depends on time", text(&start.assign.target));
        let message = Message::new(Id::M0605, &start.assign.value, what);
        r.report(message.help("give it as a parameter: a state starts at its value, whenever a run begins"));
    }
    depends
}

/// A start in a surrounding model overrides that of a sub, condition by condition.
pub(super) fn overridden(r: &Reader<'_>, given: &mut Starts) {
    let inherited = std::mem::take(&mut given.inherited);
    let inside = |r: &Reader<'_>, mut inner: usize, outer: usize| {
        while inner != 0 && inner != outer {
            inner = r.scopes[inner].parent;
        }
        inner == outer
    };
    let scope = |i: &usize| inherited.get(i).copied().unwrap_or(0);
    let mut kept = Vec::new();
    for (i, start) in given.all.iter().enumerate() {
        let others: Vec<&Node> = (0..given.all.len())
            .filter(|j| scope(j) != scope(&i) && inside(r, scope(&i), scope(j)))
            .flat_map(|j| &given.all[j].on)
            .collect();
        let free = |on: &Node| !others.contains(&on);
        let mut all = conditions(r, start);
        all.retain(|one| start.on[one.on.clone()].iter().all(&free));
        kept.push(all);
    }
    let (starts, targets) = (std::mem::take(&mut given.all), std::mem::take(&mut given.targets));
    for ((start, tokens), kept) in starts.into_iter().zip(targets).zip(kept) {
        if !kept.is_empty() {
            given.all.push(picked(&start, &kept));
            given.targets.push(tokens);
        }
    }
}
