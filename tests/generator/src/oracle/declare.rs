//! Reads the items of a model and of its subs into one list of each kind.

use std::collections::HashMap;
use std::rc::Rc;

use ode_codegen::phases::diagnostics::text;
use ode_codegen::phases::model::{Order, Space};
use ode_codegen::phases::parse::ast::{self, EnergyRole, Item, Kind, Model, Role, TypeKind};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Lit};

use super::names::{angle, suffixes};
use super::{Constraint, Entry, Env, Local, Motion, Oracle, Place, Preset, Scope, Written};
use crate::external;

/// A name without `r#`.
pub(super) fn bare(name: &Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

/// What a sub's parent gives it.
#[derive(Clone, Default)]
struct Gifts<'a> {
    /// what is read in place of an input or a parameter
    texts: HashMap<String, Written<'a>>,
    /// other defaults of parameters
    numbers: HashMap<String, Written<'a>>,
}

impl<'a> Oracle<'a> {
    /// Reads a model with its subs.
    pub fn new(model: &'a Model) -> Self {
        let mut oracle = Self {
            scopes: Vec::new(),
            names: super::Names::default(),
            places: Rc::default(),
            kinetic: Vec::new(),
            potential: Vec::new(),
            dissipation: Vec::new(),
            bodies: Vec::new(),
            springs: Vec::new(),
            gravity: None,
            masses: Vec::new(),
            forces: Vec::new(),
            constraints: Vec::new(),
            fixes: Vec::new(),
            rates: Vec::new(),
            starts: Vec::new(),
            outputs: Vec::new(),
            shown: Vec::new(),
            limits: Vec::new(),
            costs: Vec::new(),
            fits: Vec::new(),
            requires: Vec::new(),
            defaults: Vec::new(),
            origins: Default::default(),
            given: Vec::new(),
            events: Vec::new(),
            ranges: <_>::default(),
            frozen: model.options.freeze.all || !model.options.freeze.names.is_empty(),
            first_order: model.options.order == Order::First,
            found: <_>::default(),
            words: <_>::default(),
        };
        oracle.scope(model, String::new(), Gifts::default());
        oracle
    }

    /// Declares what a model holds, its subs in their places, then reads its items.
    fn scope(&mut self, model: &'a Model, prefix: String, gifts: Gifts<'a>) -> usize {
        let scope = self.scopes.len();
        self.scopes.push(Scope { prefix: prefix.clone(), names: <_>::default(), units: HashMap::new() });
        let env = Rc::new(Env { scope, locals: Vec::new() });
        for item in &model.items {
            if let Kind::Unit(unit) = &item.kind {
                let number = |s: &Expr| s.to_token_stream().to_string().parse::<f64>().expect("a number as scale");
                let scale = unit.scale.as_ref().map_or(1.0, number) * self.scale(scope, &unit.unit.tokens);
                self.scopes[scope].units.insert(unit.name.to_string(), scale);
            }
        }
        let mut bound = HashMap::new();
        self.bindings(&model.items, &env, &mut bound);
        for item in &model.items {
            match &item.kind {
                Kind::Declare(declare) => self.declared(model, declare, &env, &gifts),
                Kind::Sub(sub) => self.sub(model, sub, &env, &bound),
                Kind::Let(binding) if binding.indices.is_empty() => {
                    let text = Written { env: env.clone(), text: &binding.value };
                    self.name(scope, &binding.name, Entry::Text(text));
                }
                Kind::Function(function) => self.name(scope, &function.name, Entry::Function(function)),
                Kind::External(external) => {
                    let found = external::find(&external.source);
                    self.name(scope, &external.name, Entry::External(found));
                }
                _ => {}
            }
        }
        self.members(&model.items, &env);
        self.items(&model.items, &env);
        scope
    }

    /// How much of SI a unit is: `[own*m^2/s]`.
    fn scale(&self, scope: usize, unit: &TokenStream) -> f64 {
        let tokens: Vec<TokenTree> = unit.clone().into_iter().collect();
        let (mut scale, mut below, mut k) = (1.0, false, 0);
        while let Some(token) = tokens.get(k) {
            k += 1;
            let base = match token {
                TokenTree::Punct(sign) => {
                    below = sign.as_char() == '/';
                    continue;
                }
                TokenTree::Group(group) => self.scale(scope, &group.stream()),
                word => self.scopes[scope].units.get(&word.to_string()).copied().unwrap_or(1.0),
            };
            let mut power = 1.0;
            if tokens.get(k).is_some_and(|t| t.to_string() == "^") {
                let sign = tokens.get(k + 1).is_some_and(|t| t.to_string() == "-");
                k += if sign { 3 } else { 2 };
                power = ratio(&tokens[k - 1].to_string()) * if sign { -1.0 } else { 1.0 };
            }
            scale *= f64::powf(base, if below { -power } else { power });
        }
        scale
    }

    fn name(&mut self, scope: usize, name: &Ident, entry: Entry<'a>) {
        self.scopes[scope].names.insert(bare(name), entry);
    }

    /// What is bound to the inputs of subs, by their whole name below this model.
    fn bindings(&self, items: &'a [Item], env: &Rc<Env<'a>>, bound: &mut HashMap<String, Written<'a>>) {
        let mut env = env.clone();
        for item in items {
            match &item.kind {
                Kind::Bind(bind) => {
                    let target = self.spelled(&bind.target, &env);
                    bound.insert(target, Written { env: env.clone(), text: &bind.value });
                }
                Kind::Let(binding) if is_local(&env, binding) => env = with_let(&env, binding),
                Kind::For(each) => {
                    for i in each.range.clone() {
                        self.bindings(&each.items, &with_index(&env, &each.index, i), bound);
                    }
                }
                _ => {}
            }
        }
    }

    /// `motor[n].v` with the number for `n`.
    pub(super) fn spelled(&self, target: &Expr, env: &Env<'a>) -> String {
        match target {
            Expr::Field(e) => format!("{}.{}", self.spelled(&e.base, env), e.member.to_token_stream()),
            Expr::Index(e) => format!("{}[{}]", self.spelled(&e.expr, env), self.index(&e.index, env)),
            other => other.to_token_stream().to_string().trim_start_matches("r#").to_owned(),
        }
    }

    fn sub(&mut self, model: &'a Model, sub: &'a ast::Sub, env: &Rc<Env<'a>>, bound: &HashMap<String, Written<'a>>) {
        let child = model.child(sub).and_then(|c| c.model.as_ref()).expect("the text of a sub");
        let (prefix, name) = (self.scopes[env.scope].prefix.clone(), bare(&sub.name));
        let mut scopes = Vec::new();
        for i in 0..sub.count.unwrap_or(1) {
            let own = if sub.count.is_some() { format!("{name}[{i}]") } else { name.clone() };
            let mut gifts = Gifts::default();
            for (target, text) in bound {
                if let Some(input) = target.strip_prefix(&format!("{own}.")) {
                    gifts.texts.insert(input.to_owned(), text.clone());
                }
            }
            for (parameter, value) in &sub.with {
                let kind = if mentions_names(value) { &mut gifts.texts } else { &mut gifts.numbers };
                kind.insert(bare(parameter), Written { env: env.clone(), text: value });
            }
            scopes.push(self.scope(child, format!("{prefix}{own}."), gifts));
        }
        self.name(env.scope, &sub.name, Entry::Subs(scopes));
    }

    fn declared(&mut self, model: &'a Model, d: &'a ast::Declare, env: &Rc<Env<'a>>, gifts: &Gifts<'a>) {
        let (scope, kind) = (env.scope, &d.ty.kind);
        for name in &d.names {
            let own = format!("{}{}", self.scopes[scope].prefix, bare(&name.ident));
            let all = |rate| suffixes(kind, rate).into_iter().map(|s| format!("{own}{s}")).collect::<Vec<_>>();
            if let Some(gift) = gifts.texts.get(&bare(&name.ident)) {
                // what the root says; its subs say the rest when they are made
                if d.role == Role::Param && gift.env.scope == 0 {
                    self.given.push(gift.clone());
                }
                self.name(scope, &name.ident, Entry::Text(gift.clone()));
                continue;
            }
            let scale = d.unit.as_ref().map_or(1.0, |unit| self.scale(scope, &unit.tokens));
            let own_default = d.value.as_ref().map(|text| Written { env: env.clone(), text });
            let default = gifts.numbers.get(&bare(&name.ident)).cloned().or(own_default);
            let default = default.map(|text| Preset { scale: if literal(text.text) { scale } else { 1.0 }, text });
            let names = &mut self.names;
            let entry = match d.role {
                Role::Param if model.options.freeze.holds(&name.ident) => {
                    Entry::Frozen(default.expect("the value of a frozen parameter"), kind)
                }
                Role::Param => {
                    self.defaults.push((default, suffixes(kind, false).len()));
                    Entry::Parameter(push(&mut names.p, all(false)), kind)
                }
                Role::Input => {
                    let first = push(&mut names.u, all(false));
                    self.origins[0].push((default, suffixes(kind, false).len()));
                    let range = d.range.as_ref().map(|r| {
                        let of = |text| Written { env: env.clone(), text };
                        (of(&r.low), of(&r.high))
                    });
                    self.ranges[0].push((suffixes(kind, false).len(), range));
                    Entry::Input(first, kind)
                }
                Role::Mode => {
                    self.origins[1].push((default, suffixes(kind, false).len()));
                    Entry::Mode(push(&mut names.modes, all(false)), kind)
                }
                Role::State | Role::Algebraic => {
                    let all = all(false);
                    names.algebraic.extend(all.iter().map(|_| d.role == Role::Algebraic));
                    Entry::State(push(&mut names.z, all), kind)
                }
                Role::Output => {
                    let text = d.value.as_ref().expect("the value of an output");
                    let text = Written { env: env.clone(), text };
                    self.outputs.push((own.clone(), text.clone()));
                    Entry::Text(text)
                }
                Role::Coord => self.coordinate(scope, kind, name, &own),
            };
            self.name(scope, &name.ident, entry);
        }
    }

    fn coordinate(&mut self, scope: usize, kind: &'a TypeKind, name: &'a ast::Name, own: &str) -> Entry<'a> {
        let (q, v) = (self.names.q.len(), self.names.v.len());
        self.names.q.extend(suffixes(kind, false).into_iter().map(|s| format!("{own}{s}")));
        self.names.angles.extend(suffixes(kind, false).iter().map(|_| angle(kind)));
        let prefix = self.scopes[scope].prefix.clone();
        self.names.v.extend(suffixes(kind, true).into_iter().map(|s| match &name.velocity {
            Some(velocity) => format!("{prefix}{}{s}", bare(velocity)),
            None => format!("der({own}{s})"),
        }));
        let places = Rc::make_mut(&mut self.places);
        spread(kind, places, (q, v));
        if let Some(velocity) = &name.velocity {
            self.name(scope, velocity, Entry::Velocity(v, kind));
        }
        Entry::Position(q, kind)
    }

    /// Everything that is said, in the order of the text.
    fn items(&mut self, items: &'a [Item], env: &Rc<Env<'a>>) {
        let mut env = env.clone();
        for item in items {
            let prefix = self.scopes[env.scope].prefix.clone();
            let at = |text: &'a Expr| Written { env: env.clone(), text };
            match &item.kind {
                Kind::Let(binding) if is_local(&env, binding) => env = with_let(&env, binding),
                Kind::Energy(e) => {
                    let text = at(&e.value);
                    match e.role {
                        EnergyRole::Kinetic => self.kinetic.push(text),
                        EnergyRole::Potential => self.potential.push(text),
                        EnergyRole::Dissipation => self.dissipation.push(text),
                        EnergyRole::Cost => self.costs.push(text),
                        EnergyRole::Residual => self.fits.push(text),
                    }
                }
                Kind::Mass(m) => self.masses.push((at(&m.value), &m.target)),
                Kind::Force(force) => self.forces.push((at(&force.value), force)),
                Kind::Body(body) => self.bodies.push((at(&body.on), &body.fields)),
                Kind::Spring(spring) => self.springs.push((at(&spring.on), &spring.fields)),
                Kind::Gravity(value) if env.scope == 0 => self.gravity = Some(at(value)),
                Kind::Constraint(c) => {
                    let name = self.label(&env, &bare(&c.name));
                    self.constraints.push(Constraint { env: env.clone(), item: c, name });
                }
                Kind::Rate(rate) => self.rates.push((at(&rate.value), &rate.target)),
                Kind::Fix(fix) => self.fixes.push((at(&fix.target), fix)),
                Kind::Start(start) => {
                    let label = format!("{} {prefix}{}", item.keyword, text(&start.assign.target));
                    self.starts.push((at(&start.assign.target), start, label));
                }
                Kind::Limit(limit) => {
                    let range = limit.range.as_ref().map(|r| (at(&r.low), at(&r.high)));
                    self.limits.push(at(&limit.value));
                    self.ranges[1].push((0, range));
                }
                Kind::Show(show) => self.shown.push((env.clone(), show)),
                Kind::Require(require) => self.requires.push(at(&require.condition)),
                Kind::Event(event) => self.events.push((at(&event.condition), event)),
                Kind::For(each) => {
                    for i in each.range.clone() {
                        self.items(&each.items, &with_index(&env, &each.index, i));
                    }
                }
                _ => {}
            }
        }
    }
}

/// Adds names to a list, and gives the place of the first.
fn push(list: &mut Vec<String>, names: Vec<String>) -> usize {
    let first = list.len();
    list.extend(names);
    first
}

/// A name of a loop, which is none of the model.
pub(super) fn is_local(env: &Env<'_>, binding: &ast::Let) -> bool {
    binding.indices.is_empty() && !env.locals.is_empty()
}

pub(super) fn with_let<'a>(env: &Rc<Env<'a>>, binding: &'a ast::Let) -> Rc<Env<'a>> {
    let text = Written { env: env.clone(), text: &binding.value };
    let mut inner = (**env).clone();
    inner.locals.push((bare(&binding.name), Local::Text(text)));
    Rc::new(inner)
}

pub(super) fn with_index<'a>(env: &Rc<Env<'a>>, name: &Ident, i: i64) -> Rc<Env<'a>> {
    let mut inner = (**env).clone();
    inner.locals.push((bare(name), Local::Index(i)));
    Rc::new(inner)
}

/// The blocks of a coordinate.
fn spread(kind: &TypeKind, places: &mut Vec<Place>, (q, v): (usize, usize)) -> (usize, usize) {
    let one = |places: &mut Vec<Place>, motion| {
        let place = Place { motion, q, v };
        places.push(place);
        (q + place.positions(), v + place.freedom())
    };
    match kind {
        TypeKind::Array(n, inner) => (0..*n).fold((q, v), |at, _| spread(inner, places, at)),
        TypeKind::Vector(n) => (0..*n).fold((q, v), |at, _| spread(&TypeKind::Real, places, at)),
        TypeKind::Matrix(r, c) => (0..r * c).fold((q, v), |at, _| spread(&TypeKind::Real, places, at)),
        TypeKind::Space(Space::SO2) => one(places, Motion::Circle),
        TypeKind::Space(Space::SO3) => one(places, Motion::Body),
        TypeKind::Space(Space::SO3World) => one(places, Motion::World),
        TypeKind::Space(Space::S2) => one(places, Motion::Sphere),
        TypeKind::Space(Space::SE3) => {
            let at = spread(&TypeKind::Vector(3), places, (q, v));
            spread(&TypeKind::Space(Space::SO3), places, at)
        }
        _ => one(places, Motion::Line),
    }
}

/// Plain numbers alone, which count in the unit of what they belong to.
pub(super) fn literal(text: &Expr) -> bool {
    match text {
        Expr::Lit(e) => match &e.lit {
            Lit::Int(n) => n.suffix().is_empty(),
            Lit::Float(n) => n.suffix().is_empty(),
            _ => false,
        },
        Expr::Array(e) => e.elems.iter().all(literal),
        Expr::Call(e) => e.args.iter().all(literal),
        Expr::MethodCall(e) => literal(&e.receiver) && e.args.iter().all(literal),
        Expr::Binary(e) => literal(&e.left) && literal(&e.right),
        other => !mentions_names(other) && inner(other).is_none_or(literal),
    }
}

/// `2`, `(1/2)`
fn ratio(text: &str) -> f64 {
    let text: String = text.chars().filter(|c| !matches!(c, '(' | ')' | ' ')).collect();
    let (above, below) = text.split_once('/').unwrap_or((&text, "1"));
    let number = |digits: &str| digits.parse::<f64>().expect("a power");
    number(above) / number(below)
}

/// What a sign or parentheses stand around.
fn inner(text: &Expr) -> Option<&Expr> {
    match text {
        Expr::Unary(e) => Some(&e.expr),
        Expr::Paren(e) => Some(&e.expr),
        Expr::Group(e) => Some(&e.expr),
        _ => None,
    }
}

/// Does an expression read a name, other than functions and constants?
fn mentions_names(text: &Expr) -> bool {
    match text {
        Expr::Path(p) => !(p.path.is_ident("PI") || p.path.is_ident("TAU")),
        Expr::Unary(e) => mentions_names(&e.expr),
        Expr::Paren(e) => mentions_names(&e.expr),
        Expr::Group(e) => mentions_names(&e.expr),
        Expr::Binary(e) => mentions_names(&e.left) || mentions_names(&e.right),
        Expr::Call(e) => e.args.iter().any(mentions_names),
        Expr::MethodCall(e) => mentions_names(&e.receiver) || e.args.iter().any(mentions_names),
        Expr::Array(e) => e.elems.iter().any(mentions_names),
        Expr::Field(e) => mentions_names(&e.base),
        Expr::Index(e) => mentions_names(&e.expr),
        _ => false,
    }
}
