//! The shape of a model with mistakes: struct, fields, methods and blocks. The rest of the user's code still finds
//! these names, so one mistake stays one message.
//!
//! The emitted code is a model without mechanics, made like any model: everything that `check` understood, and one
//! number for each other name in the text.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};

use crate::Compiled;
use crate::check::{accessor, reserved, understood};
use crate::diagnostics::text;
use crate::expr::{Graph, Node};
use crate::identifier::{bare, identifier};
use crate::model::{
    Constraint, Coordinate, Declarations, Declared, Energy, Fit, Force, Hold, Input, Level, Limit, MAX_DENSE, Mode,
    Model, Output, Param, Shape, Space, State, Storage, Sub, Supply,
};
use crate::parse::ast::{self, EnergyRole, Item, Kind, Role};

/// Unknowns beyond which a shape is not kept: written out, few models have more.
const MOST_UNKNOWNS: usize = 2000;

/// Items of subs and of loops beyond which a shape is not kept.
const MOST_ITEMS: usize = 2000;

/// The item's shape; nothing where the text has no name.
pub(crate) fn shape(ast: &ast::Model) -> TokenStream {
    let Some(model) = understood(ast) else { return TokenStream::new() };
    let mut kept = Kept::of(model);
    let mut places = Vec::new();
    collect(ast, "", &mut places);
    for place in &places {
        kept.add(ast, place);
    }
    kept.unnamed(&places);
    Compiled::of(still(kept.model), Vec::new()).emit()
}

/// An item with what stands before its names, and what loops put after them.
struct Place<'a> {
    prefix: String,
    suffix: String,
    item: &'a Item,
}

/// The items of a model, of its loops and of its subs.
fn collect<'a>(ast: &'a ast::Model, prefix: &str, places: &mut Vec<Place<'a>>) {
    rounds(&ast.items, prefix, "", places);
    for item in &ast.items {
        let Kind::Sub(sub) = &item.kind else { continue };
        let child = ast.child(sub).and_then(|c| c.model.as_ref()).filter(|_| !ast.recursive(sub));
        let Some(child) = child else { continue };
        for k in 0..sub.count.unwrap_or(1) {
            if places.len() > MOST_ITEMS {
                return;
            }
            let index = sub.count.map_or(String::new(), |_| format!("[{k}]"));
            collect(child, &format!("{prefix}{}{index}.", bare(&sub.name)), places);
        }
    }
}

fn rounds<'a>(items: &'a [Item], prefix: &str, suffix: &str, places: &mut Vec<Place<'a>>) {
    for item in items {
        if let Kind::For(each) = &item.kind {
            for i in each.range.clone() {
                if places.len() > MOST_ITEMS {
                    return;
                }
                rounds(&each.items, prefix, &format!("{suffix}_{i}"), places);
            }
        } else {
            places.push(Place { prefix: prefix.to_owned(), suffix: suffix.to_owned(), item });
        }
    }
}

/// A model, and its taken names by what distinguishes them.
struct Kept {
    model: Model,
    taken: HashSet<(&'static str, String)>,
}

impl Kept {
    /// Names that occur once and can be accessors.
    fn of(mut m: Model) -> Self {
        let mut taken = HashSet::new();
        let mut free = |kind: &'static str, ident: &Ident| !reserved(ident) && taken.insert((kind, bare(ident)));
        m.declared.subs.retain(|s| free("name", &s.ident));
        let params = m.declared.params.len();
        m.declared.params.retain(|p| free("name", &p.declared.ident));
        m.declared.coordinates.retain(|q| free("name", &q.declared.ident));
        for q in &mut m.declared.coordinates {
            q.velocity = q.velocity.take().filter(|v| free("name", v));
        }
        m.declared.states.retain(|z| free("name", &z.declared.ident));
        m.declared.modes.retain(|z| free("name", &z.declared.ident));
        m.declared.inputs.retain(|u| free("name", &u.declared.ident));
        m.observed.outputs.retain(|y| free("name", &y.declared.ident));
        m.constraints.retain(|c| free("constraint", &c.ident));
        m.observed.limits.retain(|l| free("limit", &l.ident));
        m.observed.fits.retain(|e| free("residual", &e.ident));
        // Parameters of subs are counted: all of them are known, or none.
        if m.declared.params.len() < params || m.declared.subs.iter().any(|s| s.elements.is_none()) {
            let Declarations { params, subs, shown, .. } = &mut m.declared;
            params.retain(|p| !shown.contains_key(&bare(&p.declared.ident)));
            subs.iter_mut().for_each(|sub| sub.elements = None);
        }
        for law in &m.flow.laws {
            taken.insert(("constraint", identifier(law, Span::call_site()).to_string()));
        }
        Kept { model: m, taken }
    }

    /// The names of an item that are not there yet.
    fn add(&mut self, ast: &ast::Model, place: &Place<'_>) {
        match &place.item.kind {
            // a port without a type may be a frame, which is no number
            Kind::Declare(d) if d.role == Role::Output && frame(place.item, d) => {}
            Kind::Declare(declare) => {
                for name in &declare.names {
                    let shape = declare.ty.shape().unwrap_or(Shape::Scalar);
                    self.declare(ast, place, declare.role, &name.ident, shape);
                    self.default(declare, &name.ident);
                }
            }
            Kind::Sub(sub) => self.sub(ast, place, sub),
            Kind::Constraint(c) => self.label(place, "constraint", &c.name),
            Kind::Limit(l) => self.label(place, "limit", &l.name),
            Kind::Show(_) => self.model.observed.picture = Some(Vec::new()),
            Kind::Energy(e) => {
                let word = e.role.word();
                e.name.iter().for_each(|name| self.label(place, word, name));
            }
            Kind::Force(f) => self.label(place, "force", &f.name),
            Kind::Fix(fix) => {
                let name = identifier(&accessor(&format!("fix {}", text(&fix.target))), Span::call_site());
                let fixed = |c: &&Constraint| c.label.starts_with("fix ");
                // the target may be anything, and its name another
                if self.model.constraints.iter().filter(fixed).count() == 0 {
                    self.label(place, "constraint", &name);
                }
            }
            Kind::Broken(names) => {
                let word = place.item.keyword.to_string();
                for name in names {
                    match Role::of(&word) {
                        Some(role) => self.declare(ast, place, role, name, Shape::Scalar),
                        None => self.label(place, &word, name),
                    }
                }
            }
            _ => {}
        }
    }

    /// A declaration, or nothing where the name is taken or cannot be an accessor.
    fn declare(&mut self, ast: &ast::Model, place: &Place<'_>, role: Role, ident: &Ident, shape: Shape) {
        // those of a sub belong to the sub
        let given = !place.prefix.is_empty() && matches!(role, Role::Param | Role::Input);
        if given || (role == Role::Param && ast.options.freeze.holds(ident)) {
            return;
        }
        let Some(ident) = self.free("name", place, ident) else { return };
        let len = shape.len();
        let (unit, docs) = (String::new(), Vec::new());
        let declared = Declared { ident, shape: shape.clone(), angle: false, unit, dimension: None, docs, first: 0 };
        let m = &mut self.model;
        match role {
            Role::Param => {
                m.declared.params.push(Param { declared, default: Some(vec![0.0; len]), scale: 1.0, symmetric: false });
            }
            Role::Coord => {
                let (velocity, space) = (None, Space::Flat);
                m.declared.coordinates.push(Coordinate { declared, velocity, space, rate: shape, first_rate: 0 });
            }
            Role::State | Role::Algebraic => m.declared.states.push(State { declared, algebraic: false }),
            Role::Mode => m.declared.modes.push(Mode { declared, start: vec![0.0; len] }),
            Role::Input => m.declared.inputs.push(Input { declared, default: vec![0.0; len], range: None }),
            Role::Output => m.observed.outputs.push(Output { declared, value: Vec::new() }),
        }
    }

    /// A written default counts as one, even with a mistake.
    fn default(&mut self, declare: &ast::Declare, ident: &Ident) {
        let param = self.model.declared.params.iter_mut().find(|p| p.declared.ident == *ident);
        if let Some(param) = param.filter(|p| declare.value.is_some() && p.default.is_none()) {
            param.default = Some(vec![0.0; param.declared.shape.len()]);
        }
    }

    /// Declares one row for a label of this kind.
    fn label(&mut self, place: &Place<'_>, word: &str, name: &Ident) {
        let label = format!("{}{}{}", place.prefix, bare(name), place.suffix);
        let (shape, docs, span) = (Shape::Scalar, Vec::new(), name.span());
        match word {
            "constraint" => {
                let Some(ident) = self.free("constraint", place, name) else { return };
                let (rows, level, soft, unit) = (Vec::new(), Hold::Position, Vec::new(), String::new());
                self.model.constraints.push(Constraint {
                    ident,
                    label,
                    rows,
                    level,
                    soft,
                    redundant: false,
                    first: 0,
                    shape,
                    unit,
                    dimensions: Vec::new(),
                    docs,
                });
            }
            "limit" => {
                let Some(ident) = self.free("limit", place, name) else { return };
                self.model.observed.limits.push(Limit { ident, value: Vec::new(), shape, range: None, docs });
            }
            "residual" => {
                let Some(ident) = self.free("residual", place, name) else { return };
                self.model.observed.fits.push(Fit { ident, value: Vec::new(), shape });
            }
            "cost" if !self.model.observed.costs.iter().any(|c| c.name == label) => self.cost(label, span),
            "force" | "torque" if !self.model.forces.iter().any(|f| f.name == label) => {
                let (on, value, level) = (Vec::new(), Vec::new(), Level::Position);
                self.model.forces.push(Force { name: label, level, on, value, span });
            }
            _ => {}
        }
    }

    fn cost(&mut self, name: String, span: Span) {
        let value: Node = self.model.graph.constant(0.0);
        self.model.observed.costs.push(Energy::new(name, value, span));
    }

    /// Costs and residuals without names, by their number.
    fn unnamed(&mut self, places: &[Place<'_>]) {
        let count = |role: EnergyRole| {
            let broken = |item: &Item| matches!(item.kind, Kind::Broken(_)) && item.keyword == role.word();
            let is = |item: &Item| matches!(&item.kind, Kind::Energy(e) if e.role == role) || broken(item);
            places.iter().filter(|p| is(p.item)).count()
        };
        for k in self.model.observed.costs.len()..count(EnergyRole::Cost) {
            self.cost(format!("cost_{k}"), Span::call_site());
        }
        for k in self.model.observed.fits.len()..count(EnergyRole::Residual) {
            let ident = identifier(&format!("residual_{k}"), Span::call_site());
            if self.taken.insert(("residual", bare(&ident))) {
                self.model.observed.fits.push(Fit { ident, value: Vec::new(), shape: Shape::Scalar });
            }
        }
    }

    fn sub(&mut self, ast: &ast::Model, place: &Place<'_>, sub: &ast::Sub) {
        let Some(ty) = child_type(ast, sub).filter(|_| place.prefix.is_empty()) else { return };
        let Some(ident) = self.free("name", place, &sub.name) else { return };
        self.model.declared.subs.push(Sub { ident, docs: Vec::new(), ty, count: sub.count, elements: None });
    }

    /// A name as the generated code spells it, if nothing has it and it can be an accessor.
    fn free(&mut self, kind: &'static str, place: &Place<'_>, ident: &Ident) -> Option<Ident> {
        let shown = format!("{}{}{}", place.prefix, bare(ident), place.suffix);
        let spelled = if shown == bare(ident) { ident.clone() } else { identifier(&shown, ident.span()) };
        if reserved(&spelled) || !self.taken.insert((kind, bare(&spelled))) {
            return None;
        }
        if !place.prefix.is_empty() {
            self.model.declared.shown.insert(bare(&spelled), shown);
        }
        Some(spelled)
    }
}

/// May the output be a frame?
fn frame(item: &Item, output: &ast::Declare) -> bool {
    use ast::TypeKind;
    let motion = matches!(output.ty.kind, TypeKind::Frame2 | TypeKind::Frame3 | TypeKind::Space(_));
    motion || (item.port && output.ty.tokens.is_empty())
}

/// The model without mechanics: nothing moves, and all is zero.
fn still(mut m: Model) -> Model {
    m.graph = Graph::new();
    let zero = m.graph.constant(0.0);
    m.header.attrs.clear();
    m.header.options.selftest = false;
    layout(&mut m);
    m.observed.outputs.iter_mut().for_each(|y| y.value = vec![zero; y.declared.shape.len()]);
    for limit in &mut m.observed.limits {
        (limit.value, limit.range) = (vec![zero; limit.shape.len()], None);
    }
    m.observed.fits.iter_mut().for_each(|e| e.value = vec![zero; e.shape.len()]);
    m.observed.costs.iter_mut().for_each(|c| c.value = zero);
    m.observed.picture.iter_mut().for_each(Vec::clear);
    m.declared.inputs.iter_mut().for_each(|u| u.range = None);
    m.declared.states.iter_mut().for_each(|z| z.algebraic = false);
    for force in &mut m.forces {
        (force.on, force.value) = (Vec::new(), Vec::new());
    }
    for constraint in &mut m.constraints {
        constraint.rows = vec![zero; constraint.shape.len()];
        (constraint.level, constraint.soft) = (Hold::Position, Vec::new());
    }
    for supply in m.declared.subs.iter_mut().flat_map(|s| s.elements.iter_mut().flatten().flatten()) {
        if let Supply::Given(node) = supply {
            *node = zero;
        }
    }
    m.flow.rates = vec![zero; m.nz()];
    (m.flow.laws, m.events, m.starts, m.requires, m.externals) = Default::default();
    (m.energies.kinetic, m.energies.potential, m.energies.dissipation, m.mass) = Default::default();
    (m.space.frames, m.space.bodies, m.space.gravity) = Default::default();
    m
}

/// Counts scalars again. A model too small for a solve gets one unknown.
fn layout(m: &mut Model) {
    let dense = m.header.options.storage == Some(Storage::Dense);
    let most = if dense { MAX_DENSE } else { MOST_UNKNOWNS };
    let mut unknowns = 0;
    let (mut q, mut v, mut row) = (0, 0, 0);
    for c in &mut m.declared.coordinates {
        if unknowns + c.rate.len() > most {
            (c.declared.shape, c.rate, c.space) = (Shape::Scalar, Shape::Scalar, Space::Flat);
        }
        (c.declared.first, c.first_rate) = (q, v);
        (q, v) = (q + c.declared.shape.len(), v + c.rate.len());
        unknowns += c.rate.len();
    }
    m.constraints.retain_mut(|c| {
        c.first = row;
        unknowns += c.shape.len();
        row += if unknowns > most { 0 } else { c.shape.len() };
        unknowns <= most
    });
    number(m.declared.params.iter_mut().map(|p| &mut p.declared));
    number(m.declared.states.iter_mut().map(|z| &mut z.declared));
    number(m.declared.modes.iter_mut().map(|z| &mut z.declared));
    number(m.declared.inputs.iter_mut().map(|u| &mut u.declared));
    number(m.observed.outputs.iter_mut().map(|y| &mut y.declared));
}

fn number<'a>(all: impl Iterator<Item = &'a mut Declared>) {
    let mut next = 0;
    for declared in all {
        declared.first = next;
        next += declared.shape.len();
    }
}

/// The type of a sub over the model's scalar; `None` where it has none.
fn child_type(ast: &ast::Model, sub: &ast::Sub) -> Option<syn::Path> {
    let child = ast.child(sub).filter(|_| !ast.recursive(sub))?;
    let mut ty = sub.path.clone();
    match (&ast.scalar, &child.model) {
        (_, None) => return Some(sub.ty.clone()),
        (Some(_), Some(child)) if child.scalar.is_none() => return None,
        (Some(t), _) => {
            let last = ty.segments.last_mut()?;
            last.arguments = syn::PathArguments::AngleBracketed(syn::parse_quote!(<#t>));
        }
        (None, _) => {}
    }
    Some(ty)
}
