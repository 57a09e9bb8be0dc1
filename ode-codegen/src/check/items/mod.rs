//! Items → the draft of a model: one file a kind of item.

mod bodies;
mod constraint;
mod coordinate;
mod declare;
mod energy;
mod event;
mod fields;
mod fix;
mod force;
mod freeze;
mod mass;
mod outputs;
mod rate;
mod soft;
mod solid;
mod start;
mod sub;

pub(crate) use declare::reserved;
pub(crate) use fix::accessor;

use proc_macro2::{Ident, Span};

use super::names::Local;
use super::units::{Named, Unit};
use super::value::{Quantity, Value};
use super::{Checker, Place};
use crate::diagnostics::{Id, Message, Warning, location, text};
use crate::expr::{Node, Symbol};
use crate::identifier::bare;
use crate::model::Shape;
use crate::parse::ast::{self, Item, Kind, UnitRule};

pub(super) use bodies::{Field, Weight, gravity};
pub(super) use constraint::order;
pub(super) use declare::{declarations, lacks_unit};
pub(super) use fix::{Grip, fixed};
pub(super) use outputs::{deferred, exported};
pub(super) use rate::algebraic_last;
pub(super) use start::overridden;
pub(super) use sub::{Binding, Own, fields, sound, targets, value as given};

/// An output or limit with the names of its loops, read after everything else.
pub(super) struct Later<'a> {
    item: &'a Item,
    place: Place,
    /// the model it is an item of
    scope: usize,
    locals: Vec<(String, Local)>,
    suffix: String,
}

/// Are units checked? Only where a parameter, coordinate or state has one, unless the model says otherwise.
pub(super) fn measured(ast: &ast::Model) -> bool {
    let has_unit = |item: &Item| match &item.kind {
        Kind::Declare(d) => {
            matches!(
                d.role,
                ast::Role::Param | ast::Role::Coord | ast::Role::State | ast::Role::Algebraic | ast::Role::Mode
            ) && d.unit.is_some()
        }
        _ => false,
    };
    match ast.options.units {
        UnitRule::Off => false,
        UnitRule::Strict => true,
        UnitRule::Check => ast.items.iter().any(has_unit),
    }
}

/// `unit rpm = 0.1 [rad/s];`
pub(super) fn units(c: &mut Checker<'_>, ast: &ast::Model) {
    for item in &ast.items {
        let Kind::Unit(unit) = &item.kind else { continue };
        if let Some(named) = declared_unit(c, unit) {
            c.units.declare(named);
        }
    }
}

fn declared_unit(c: &mut Checker<'_>, unit: &ast::UnitDeclaration) -> Option<Named> {
    // a suffix of a number, `3.0in`, has no r#
    let name = bare(&unit.name);
    if c.units.find(&name).is_some() {
        c.errors.report(Message::new(Id::M0102, &unit.name, format!("unit `{name}` is known already")));
        return None;
    }
    let base = match c.units.read(&unit.unit) {
        Ok(read) => read,
        Err(message) => {
            c.errors.report(message);
            // The name is known, so that its uses are not reported too.
            return Some(Named { name, scale: 1.0, dimension: super::Dimension::ONE });
        }
    };
    let mut scale = base.scale;
    if let Some(written) = &unit.scale {
        c.place = Place { item: format!("unit {name}"), constant: true, ..Place::default() };
        let value = c.eval(written);
        let (node, _) = c.expect_scalar(&value, written)?;
        match c.graph.value(node).filter(|v| *v > 0.0) {
            Some(factor) => scale *= factor,
            None => {
                c.errors.report(Message::new(Id::M0109, written, "the scale of a unit is a positive number"));
                return None;
            }
        }
    }
    Some(Named { name, scale, dimension: base.dimension })
}

/// All items in the order of the text; outputs and limits are put off.
pub(super) fn body<'a>(c: &mut Checker<'a>, ast: &'a ast::Model) {
    for (position, item) in ast.items.iter().enumerate() {
        let mistakes = c.errors.reported();
        one(c, item, position, &ast.allows);
        if c.errors.reported() > mistakes {
            let inert = matches!(&item.kind, Kind::Energy(e) if e.role != ast::EnergyRole::Kinetic)
                || matches!(
                    &item.kind,
                    Kind::Force(_)
                        | Kind::Rate(_)
                        | Kind::Spring(_)
                        | Kind::Gravity(_)
                        | Kind::Start(_)
                        | Kind::Require(_)
                        | Kind::Event(_)
                );
            c.doubts.inertia |= !inert && !matches!(item.kind, Kind::Constraint(_));
            c.doubts.constraints |= !inert;
            c.doubts.rates |= matches!(item.kind, Kind::For(_) | Kind::Broken(_));
        }
    }
}

fn one<'a>(c: &mut Checker<'a>, item: &'a Item, position: usize, allows: &[String]) {
    let place = Place {
        item: title(item),
        position,
        accelerations: false,
        allows: allows.iter().chain(&item.allows).cloned().collect(),
        constant: false,
    };
    match &item.kind {
        Kind::Declare(d) if d.role == ast::Role::Output => return later(c, item, place),
        Kind::Limit(_) | Kind::Fix(_) => return later(c, item, place),
        Kind::For(each) => return rounds(c, each, position, allows),
        _ => c.place = place,
    }
    match &item.kind {
        Kind::Declare(d) if c.suffix.is_empty() => declare::ranges(c, d),
        Kind::Let(binding) => name(c, binding),
        Kind::Sub(sub) => sub::body(c, sub),
        Kind::Bind(assign) => sub::bound(c, assign),
        Kind::Energy(energy) => energy::energy(c, energy),
        Kind::Mass(assign) => mass::mass(c, assign),
        Kind::Force(force) => force::force(c, force),
        Kind::Body(body) => bodies::body(c, body),
        Kind::Spring(spring) => bodies::spring(c, spring),
        Kind::Gravity(value) => bodies::field(c, value, item),
        Kind::Constraint(constraint) => constraint::constraint(c, constraint, &item.docs),
        Kind::Rate(assign) => rate::rate(c, assign),
        Kind::Start(start) => start::start(c, start, item),
        Kind::Require(require) => outputs::require(c, require),
        Kind::Event(event) => event::event(c, event),
        Kind::Declare(_)
        | Kind::Limit(_)
        | Kind::Fix(_)
        | Kind::For(_)
        | Kind::Function(_)
        | Kind::External(_)
        | Kind::Unit(_)
        | Kind::Broken(_) => {}
    }
}

/// What to call an item in a message: `force drive`.
fn title(item: &Item) -> String {
    let word = &item.keyword;
    match &item.kind {
        Kind::Let(binding) => format!("let {}", binding.name),
        Kind::Energy(energy) => energy.name.as_ref().map_or(word.to_string(), |name| format!("{word} {name}")),
        Kind::Mass(assign) => format!("mass {}", text(&assign.target)),
        Kind::Force(force) => format!("{word} {}", force.name),
        Kind::Body(body) | Kind::Spring(body) => format!("{word} {}", body.name),
        Kind::Constraint(constraint) => format!("constraint {}", constraint.name),
        Kind::Rate(rate) => format!("der({})", text(&rate.target)),
        Kind::Fix(fix) => format!("{word} {}", text(&fix.target)),
        Kind::Start(start) => format!("{word} {}", text(&start.assign.target)),
        Kind::Limit(limit) => format!("limit {}", limit.name),
        Kind::Event(event) => format!("event {}", event.name),
        _ => word.to_string(),
    }
}

/// `let a = e;`
fn name(c: &mut Checker<'_>, binding: &ast::Let) {
    let name = binding.name.to_string();
    if c.suffix.is_empty() {
        c.force(&c.names.key(&name));
    } else {
        let value = self::binding(c, binding);
        c.names.locals.push((name, Local::Value(value)));
    }
}

/// The value of `let a = e;`.
pub(super) fn binding(c: &mut Checker<'_>, binding: &ast::Let) -> Value {
    // Whoever uses it must not use accelerations where they are not known.
    c.place.accelerations = true;
    let value = c.eval(&binding.value);
    c.declared_value(value, binding.ty.as_ref(), binding.unit.as_ref(), &binding.name, &binding.value)
}

fn later<'a>(c: &mut Checker<'a>, item: &'a Item, mut place: Place) {
    place.accelerations = true;
    let (locals, suffix) = (c.names.locals.clone(), c.suffix.clone());
    let later = Later { item, place, scope: c.scope, locals, suffix };
    c.draft.later.push(later);
}

/// A literal range unrolls: its items once a round, with the index in the place of its name.
fn rounds<'a>(c: &mut Checker<'a>, each: &'a ast::For, position: usize, allows: &[String]) {
    for i in each.range.clone() {
        let mistakes = c.errors.reported();
        if c.exhausted() {
            return;
        }
        let depth = c.names.locals.len();
        let outer = c.suffix.clone();
        c.suffix = format!("{outer}_{i}");
        c.names.locals.push((each.index.to_string(), Local::Index(i)));
        for item in &each.items {
            if !c.step(&item.keyword) {
                break;
            }
            one(c, item, position, allows);
        }
        c.names.locals.truncate(depth);
        c.suffix = outer;
        // A mistake in one round is in all of them.
        if c.errors.reported() > mistakes {
            return;
        }
    }
}

/// A value of a shape from its scalars in order.
pub(super) fn shaped(shape: &Shape, nodes: &mut dyn Iterator<Item = Node>, unit: Unit) -> Value {
    match shape {
        Shape::Array(n, inner) => Value::List((0..*n).map(|_| shaped(inner, nodes, unit)).collect()),
        shape => {
            let elements = nodes.take(shape.len()).collect();
            Quantity { shape: shape.clone(), elements, unit }.into()
        }
    }
}

impl<'a> Checker<'a> {
    /// Adds a warning; the same text at the same place counts once.
    pub(crate) fn warn(&mut self, warning: Warning) {
        // What a sub says it has said where its model is.
        if self.scope != 0 {
            return;
        }
        let place = |w: &Warning| (w.span.start().line, w.span.start().column);
        if !self.warnings.iter().any(|w| w.id == warning.id && w.text == warning.text && place(w) == place(&warning)) {
            self.warnings.push(warning);
        }
    }

    /// The unit in brackets; a mistake in it is reported.
    pub(crate) fn read_unit(&mut self, unit: &ast::Unit) -> Unit {
        match self.read_scaled(unit) {
            (unit, 1.0) => unit,
            (_, scale) => {
                let group = proc_macro2::Group::new(proc_macro2::Delimiter::Bracket, unit.tokens.clone());
                let mut group = proc_macro2::TokenTree::Group(group);
                group.set_span(unit.span);
                let what = format!("unit `{}` is {scale} of the SI unit", text(&unit.tokens));
                let message = Message::new(Id::M0516, group, what)
                    .note("a model computes in SI; only the default and builder setter of a `param` are scaled")
                    .help("write the SI unit here");
                self.errors.report(message);
                Unit::Unknown
            }
        }
    }

    /// The unit in brackets and its size in SI.
    pub(crate) fn read_scaled(&mut self, unit: &ast::Unit) -> (Unit, f64) {
        if !self.measured {
            return (Unit::Unknown, 1.0);
        }
        match self.units.read(unit) {
            Ok(read) => (Unit::Known(read.dimension), read.scale),
            Err(message) => {
                self.errors.report(message);
                (Unit::Unknown, 1.0)
            }
        }
    }

    /// A value against the type and unit it is declared with.
    pub(crate) fn declared_value(
        &mut self,
        value: Value,
        ty: Option<&ast::Type>,
        unit: Option<&ast::Unit>,
        name: &Ident,
        at: &dyn quote::ToTokens,
    ) -> Value {
        let value = match ty.filter(|ty| !ty.tokens.is_empty()) {
            Some(ty) => self.of_type(value, &ty.kind, at),
            None => value,
        };
        if value.is_poison() {
            return value;
        }
        let declared = match unit {
            Some(unit) => self.read_unit(unit),
            None if ty.is_some_and(|ty| *ty.kind.innermost() == ast::TypeKind::Angle) => {
                self.unit(super::Dimension::ONE)
            }
            None => return value,
        };
        let fits = match &value {
            Value::Frame(_) | Value::Frame3(_) => value.unit().unify(declared).is_some(),
            Value::Rotation(_) => declared.is_one(),
            _ => value.measured().iter().all(|(_, u)| u.unify(declared).is_some()),
        };
        if fits {
            return value;
        }
        let has = value.unit();
        let what = format!("`{name}` is declared with unit [{declared}], but its value has unit [{has}]");
        let message = Message::new(Id::M0507, at.to_token_stream(), what)
            .help(format!("they differ by a factor of [{}]", has.div(declared)));
        self.report(message)
    }

    /// A value of a written type: a motion where that is one, numbers otherwise.
    fn of_type(&mut self, value: Value, kind: &ast::TypeKind, at: &dyn quote::ToTokens) -> Value {
        use crate::model::Space;
        use ast::TypeKind as T;
        let wanted = match (kind, &value) {
            (T::Broken, _) | (_, Value::Poison) => return Value::Poison,
            (T::Frame2 | T::Space(Space::SO2), Value::Frame(_))
            | (T::Frame3 | T::Space(Space::SE3), Value::Frame3(_))
            | (T::Space(Space::SO3 | Space::SO3World), Value::Rotation(_)) => return value,
            (T::Frame2, _) => "Frame2",
            (T::Frame3, _) => "Frame3",
            _ => {
                return match kind.shape() {
                    Some(shape) => self.expect_shape(value, &shape, at),
                    None => Value::Poison,
                };
            }
        };
        let what = format!("expected {wanted}, found {}", value.name());
        self.report(Message::new(Id::M0509, at.to_token_stream(), what))
    }

    /// Label of an item inside its loops; M0102 if the keyword has it already.
    pub(crate) fn label(&mut self, keyword: &'static str, name: &Ident) -> String {
        let label = format!("{}{}", self.names.key(&name.to_string()), self.suffix);
        match self.draft.labels.get(&(keyword, label.clone())).copied() {
            // Constraints are known by name before they are read.
            Some(span) if keyword != "constraint" || same(span, name.span()) => {
                if keyword != "constraint" {
                    let message = Message::new(Id::M0102, name, format!("`{label}` is declared twice in this model"))
                        .note(format!("previous `{keyword}` of this name at {}", location(span)));
                    self.errors.report(message);
                }
            }
            Some(span) => {
                let message = Message::new(Id::M0102, name, format!("`{label}` is declared twice in this model"))
                    .note(format!("previous `{keyword}` of this name at {}", location(span)));
                self.errors.report(message);
            }
            None => {
                self.draft.labels.insert((keyword, label.clone()), name.span());
            }
        }
        label
    }

    /// M0404 where an item that is not an output depends on an acceleration, a rate or a multiplier, by way of a `let`.
    pub(crate) fn without_accelerations(&mut self, nodes: &[Node], at: &dyn quote::ToTokens) -> Option<()> {
        if !self.depends(nodes, |s| matches!(s, Symbol::A(_) | Symbol::Zdot(_) | Symbol::Lambda(_))) {
            return Some(());
        }
        let item = self.place.item.clone();
        let unknown = match self.depends(nodes, |s| matches!(s, Symbol::A(_) | Symbol::Lambda(_))) {
            true => "an acceleration or a multiplier",
            false => "the rate of a state",
        };
        let message = Message::new(Id::M0404, at.to_token_stream(), format!("`{item}` depends on {unknown}"))
            .note("they are unknowns of the model, known in `output` only");
        self.errors.report(message);
        None
    }

    /// A name of a position scalar: `th`, `r.x`.
    pub(crate) fn position_name(&self, i: usize) -> String {
        match self.draft.coordinates.iter().find(|q| q.declared.holds(i)) {
            Some(q) => {
                let suffix = q.declared.shape.suffixes().get(i - q.declared.first).cloned().unwrap_or_default();
                format!("{}{suffix}", self.shown(&q.declared.ident))
            }
            None => format!("q[{i}]"),
        }
    }

    /// What a velocity scalar is written as: `der(th)`, `v.x`.
    pub(crate) fn velocity_name(&self, i: usize) -> String {
        let Some(q) = self.coordinate_of(i) else { return format!("v[{i}]") };
        let suffix = q.rate.suffixes().get(i - q.first_rate).cloned().unwrap_or_default();
        match &q.velocity {
            Some(name) => format!("{}{suffix}", self.shown(name)),
            None => format!("der({}{suffix})", self.shown(&q.declared.ident)),
        }
    }

    /// A name of a state scalar.
    pub(crate) fn state_name(&self, i: usize) -> String {
        match self.draft.states.iter().find(|z| z.declared.holds(i)) {
            Some(z) => {
                let suffix = z.declared.shape.suffixes().get(i - z.declared.first).cloned().unwrap_or_default();
                format!("{}{suffix}", self.shown(&z.declared.ident))
            }
            None => format!("z[{i}]"),
        }
    }

    /// Is a scalar of z algebraic?
    pub(in crate::check) fn is_algebraic(&self, i: usize) -> bool {
        self.draft.states.iter().any(|z| z.algebraic && z.declared.holds(i))
    }

    /// The name of an algebraic variable the nodes depend on.
    pub(in crate::check) fn algebraic_of(&self, nodes: &[Node]) -> Option<String> {
        self.graph.reach(nodes).into_iter().find_map(|n| match self.graph.as_symbol(n) {
            Some(Symbol::Z(i)) if self.is_algebraic(i as usize) => Some(self.state_name(i as usize)),
            _ => None,
        })
    }

    /// The name of a state the nodes depend on.
    pub(in crate::check) fn state_of(&self, nodes: &[Node]) -> Option<String> {
        self.graph.reach(nodes).into_iter().find_map(|n| match self.graph.as_symbol(n) {
            Some(Symbol::Z(i)) => Some(self.state_name(i as usize)),
            _ => None,
        })
    }

    /// The coordinate a velocity scalar belongs to.
    pub(crate) fn coordinate_of(&self, velocity: usize) -> Option<&crate::model::Coordinate> {
        self.draft.coordinates.iter().find(|q| (q.first_rate..q.first_rate + q.rate.len()).contains(&velocity))
    }

    /// The velocity of a position scalar, where it is the rate of it.
    pub(crate) fn velocity_of(&self, position: usize) -> Option<usize> {
        let coordinate = self.draft.coordinates.iter().find(|q| q.declared.holds(position))?;
        (coordinate.space == crate::model::Space::Flat)
            .then_some(coordinate.first_rate + position - coordinate.declared.first)
    }

    /// What a direction of motion is called: the coordinate it moves, or its velocity where that is no rate of one.
    pub(crate) fn direction_name(&self, i: usize) -> String {
        match self.coordinate_of(i) {
            Some(q) if q.space == crate::model::Space::Flat => self.position_name(q.declared.first + i - q.first_rate),
            _ => self.velocity_name(i),
        }
    }

    /// Number of velocity scalars.
    pub(crate) fn freedom(&self) -> usize {
        self.draft.coordinates.iter().map(|q| q.rate.len()).sum()
    }

    /// The positions in blocks that move together.
    pub(crate) fn blocks(&self) -> Vec<crate::chart::Block> {
        self.draft.coordinates.iter().flat_map(crate::model::Coordinate::blocks).collect()
    }
}

fn same(a: Span, b: Span) -> bool {
    a.start() == b.start() && a.file() == b.file()
}
