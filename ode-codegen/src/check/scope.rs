//! Scopes: the root model and the subs in it, each with names, units and items of its own in one graph.
//!
//! A name of a sub is known by its whole path, `leg.q` or `wheel[0].x`. What a sub says is read with its path in front
//! and nothing else of its surroundings; what is bound to it is read in the scope that binds. So values are asked for
//! when they are needed, whatever the order of the text: see [`Checker::force`].

use proc_macro2::Ident;
use quote::ToTokens;
use syn::Expr;

use super::names::{Global, Local, Sort};
use super::units::Units;
use super::value::Value;
use super::{Checker, items};
use crate::diagnostics::{Anchor, Id, Message, location, text};
use crate::identifier::{bare, identifier, spelling, unraw};
use crate::parse::ast::{self, Item, Kind};

/// A model of the composition.
pub(crate) struct Scope<'a> {
    /// its text
    pub(crate) ast: &'a ast::Model,
    /// what stands before its names: nothing at the root, `leg.`, `wheel[0].`
    pub(crate) prefix: String,
    /// the scope it is a sub of
    pub(crate) parent: usize,
    /// the sub of the root it is part of
    pub(crate) top: usize,
    /// where messages about it stand; `None` at the root
    pub(crate) anchor: Option<Anchor>,
    /// parameters given by the parent, in the order of the text
    pub(crate) with: &'a [(Ident, Expr)],
    /// its names are declared
    pub(crate) declared: bool,
    /// of a sub of the root: its parameters as its own type counts them
    pub(in crate::check) params: Vec<items::Own>,
    /// the units it knows
    pub(crate) units: Units,
    /// units are checked
    pub(crate) measured: bool,
}

/// Where something is read: all that changes at the border of a scope.
#[derive(Clone, Default)]
pub(crate) struct Here {
    /// the scope that is read
    pub(crate) scope: usize,
    /// names of loops, blocks and functions, innermost last
    pub(crate) locals: Vec<(String, Local)>,
    /// suffix of labels inside unrolled loops: `_0_2`
    pub(crate) suffix: String,
    /// the item that is read
    pub(crate) place: Place,
}

impl Here {
    /// A name of a loop, block or function, innermost first.
    pub(crate) fn local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|(n, _)| n == name).map(|(_, local)| local)
    }
}

/// What is allowed where an expression stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    /// the item, for messages: `force drive`
    pub(crate) item: String,
    /// number of the item in the text: a `let` below it cannot be seen
    pub(crate) position: usize,
    /// accelerations and multipliers are allowed
    pub(crate) accelerations: bool,
    /// `#[allow(..)]` of the item and of the model
    pub(crate) allows: Vec<String>,
    /// a default: no names are known
    pub(crate) constant: bool,
}

/// Subs by name: their scopes in order.
#[derive(Clone)]
pub(crate) struct Subs {
    /// one for each element
    pub(crate) scopes: Vec<usize>,
    /// declared as an array
    pub(crate) array: bool,
}

/// A value that is known once it is asked for.
#[derive(Clone)]
pub(crate) struct Pending<'a> {
    /// what to evaluate
    pub(crate) kind: Option<Wanted<'a>>,
    /// where it is written
    pub(crate) here: Here,
    /// names of the loops around it, those above it
    pub(crate) lets: Vec<&'a ast::Let>,
}

/// What a pending value comes from.
#[derive(Clone)]
pub(crate) enum Wanted<'a> {
    /// a `let`
    Let(&'a ast::Let),
    /// an `output` of a sub
    Output(&'a ast::Declare, &'a Item, &'a Ident),
    /// what an input is bound to, or a parameter given: the declaration and its scope
    Given(&'a Expr, &'a ast::Declare, usize),
}

impl<'a> Scope<'a> {
    /// The scope of a model that stands alone; its names are not declared yet.
    pub(crate) fn of(ast: &'a ast::Model) -> Self {
        let measured = items::measured(ast);
        Scope {
            ast,
            prefix: String::new(),
            parent: 0,
            top: 0,
            anchor: None,
            with: &[],
            declared: false,
            params: Vec::new(),
            units: Units::new(),
            measured,
        }
    }
}

impl<'a> Checker<'a> {
    /// Opens the scopes of a model's subs, and of theirs.
    pub(crate) fn open(&mut self, ast: &'a ast::Model) {
        for item in &ast.items {
            let Kind::Sub(sub) = &item.kind else { continue };
            if self.names.subs.contains_key(&self.key(&sub.name.to_string())) {
                continue;
            }
            let Some(child) = items::sound(self, ast, sub) else { continue };
            let mut opened = Vec::new();
            for k in 0..sub.count.unwrap_or(1) {
                let index = sub.count.map_or(String::new(), |_| format!("[{k}]"));
                opened.push(self.open_one(child, sub, &index));
                if !self.step(&item.keyword) {
                    break;
                }
            }
            let key = self.key(&sub.name.to_string());
            self.names.subs.insert(key, Subs { scopes: opened.clone(), array: sub.count.is_some() });
            for scope in opened {
                self.within(scope, |c| c.open(child));
            }
        }
    }

    fn open_one(&mut self, child: &'a ast::Model, sub: &'a ast::Sub, index: &str) -> usize {
        let (parent, own) = (self.here.scope, self.scopes.len());
        let prefix = format!("{}{}{index}.", self.scope().prefix, bare(&sub.name));
        let shown = prefix.trim_end_matches('.').to_owned();
        let anchor = self.scopes[parent].anchor.clone().unwrap_or_else(|| Anchor {
            tokens: sub.name.to_token_stream(),
            sub: String::new(),
            model: String::new(),
        });
        let anchor = Some(Anchor { sub: shown, model: sub.child(), ..anchor });
        let top = if parent == 0 { own } else { self.scopes[parent].top };
        let scope = Scope { prefix, parent, top, anchor, with: &sub.with, ..Scope::of(child) };
        self.scopes.push(scope);
        self.within(own, |c| items::units(c, child));
        own
    }

    /// The scope that is read.
    pub(crate) fn scope(&self) -> &Scope<'a> {
        &self.scopes[self.here.scope]
    }

    /// The whole name of a name of this scope: `leg.q`.
    pub(crate) fn key(&self, name: &str) -> String {
        format!("{}{}", self.scope().prefix, unraw(name))
    }

    /// A name of this scope.
    pub(crate) fn global(&self, name: &str) -> Option<&Global> {
        self.names.whole(&self.key(name))
    }

    /// Reads something elsewhere; what follows is read where it was before.
    pub(crate) fn at<R>(&mut self, here: Here, read: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.here, here);
        let result = read(self);
        self.here = outer;
        result
    }

    /// Reads something in a scope. Nothing of the surroundings is seen there.
    pub(crate) fn within<R>(&mut self, scope: usize, read: impl FnOnce(&mut Self) -> R) -> R {
        let place = self.here.place.clone();
        self.at(Here { scope, place, ..Here::default() }, read)
    }

    /// How the generated code spells a name of this scope: `leg.q` is `leg_q`.
    pub(crate) fn spelled(&mut self, ident: &Ident) -> Ident {
        if self.here.scope == 0 {
            return ident.clone();
        }
        let shown = format!("{}{}", self.scope().prefix, bare(ident));
        self.spell(shown)
    }

    /// How the generated code spells the label of an item inside its loops.
    pub(crate) fn labelled(&mut self, ident: &Ident, label: String) -> Ident {
        match (self.here.scope, self.here.suffix.is_empty()) {
            (0, true) => ident.clone(),
            (0, false) => identifier(&label, ident.span()),
            _ => self.spell(label),
        }
    }

    /// As [`Checker::spelled`], of a name with everything before it.
    pub(crate) fn spell(&mut self, shown: String) -> Ident {
        let spelling = spelling(&shown);
        let at = self.scope().anchor.as_ref().map(|a| crate::diagnostics::first_span(&a.tokens));
        let ident = identifier(&spelling, at.unwrap_or_else(proc_macro2::Span::call_site));
        match self.draft.shown.get(&spelling).cloned() {
            Some(earlier) if earlier != shown => self.collide(&ident, &shown, &earlier),
            Some(_) => {}
            None => {
                self.draft.shown.insert(spelling, shown);
            }
        }
        ident
    }

    /// A name as the user writes it: `leg.q` for what the generated code spells `leg_q`.
    pub(crate) fn shown(&self, ident: &Ident) -> String {
        let name = bare(ident);
        self.draft.shown.get(&name).cloned().unwrap_or(name)
    }

    /// The sub an expression names, if it names one: `leg`, `wheel[2]`, `robot.leg`. `Err` after a mistake.
    pub(crate) fn sub_scope(&mut self, expr: &Expr) -> Option<Result<usize, ()>> {
        match expr {
            Expr::Paren(e) => self.sub_scope(&e.expr),
            Expr::Group(e) => self.sub_scope(&e.expr),
            Expr::Index(e) => {
                let (subs, name) = match self.subs_of(&e.expr)? {
                    Ok(found) => found,
                    Err(()) => return Some(Err(())),
                };
                let Some(k) = self.index(&e.index) else { return Some(Err(())) };
                let found = usize::try_from(k).ok().and_then(|k| subs.scopes.get(k).copied());
                if !subs.array || found.is_none() {
                    let what = match subs.array {
                        true => format!("`{name}` has {} elements; index {k} is out of range", subs.scopes.len()),
                        false => format!("`{name}` is one sub and has no elements"),
                    };
                    self.report(Message::new(Id::M0510, &e.index, what));
                    return Some(Err(()));
                }
                found.map(Ok)
            }
            _ => match self.subs_of(expr)? {
                Err(()) => Some(Err(())),
                Ok((subs, name)) if subs.array => {
                    let n = subs.scopes.len();
                    let message = Message::new(Id::M0510, expr, format!("`{name}` is an array of {n} subs"))
                        .help(format!("name one: `{name}[0]`"));
                    self.report(message);
                    Some(Err(()))
                }
                Ok((subs, _)) => subs.scopes.first().copied().map(Ok),
            },
        }
    }

    /// Does the expression name a sub whose model has mistakes?
    pub(crate) fn is_broken_sub(&self, expr: &Expr) -> bool {
        let mut expr = expr;
        loop {
            expr = match expr {
                Expr::Index(e) => &e.expr,
                Expr::Field(e) => &e.base,
                Expr::Paren(e) => &e.expr,
                Expr::Path(path) => {
                    let Some(name) = path.path.get_ident() else { return false };
                    let subs = self.scope().ast.items.iter().filter_map(|item| match &item.kind {
                        Kind::Sub(sub) => Some(&sub.name),
                        Kind::Broken(names) => names.first(),
                        _ => None,
                    });
                    return subs.into_iter().any(|n| n == name);
                }
                _ => return false,
            }
        }
    }

    /// The subs of a name: `leg`, `robot.leg`.
    fn subs_of(&mut self, expr: &Expr) -> Option<Result<(Subs, String), ()>> {
        let (key, name) = match expr {
            Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                if self.here.local(&name).is_some() {
                    return None;
                }
                (self.key(&name), name)
            }
            Expr::Field(field) => {
                let name = unraw(&text(&field.member)).to_owned();
                match self.sub_scope(&field.base)? {
                    Err(()) => return Some(Err(())),
                    Ok(scope) => (format!("{}{name}", self.scopes[scope].prefix), name),
                }
            }
            _ => return None,
        };
        self.names.subs.get(&key).cloned().map(|subs| Ok((subs, name)))
    }

    /// `leg.foot`: a name of a sub, seen from outside.
    pub(crate) fn member(&mut self, scope: usize, member: &dyn ToTokens, expr: &Expr) -> Value {
        let name = unraw(&text(member)).to_owned();
        let (prefix, model) = (self.scopes[scope].prefix.clone(), self.scopes[scope].ast);
        let key = format!("{prefix}{name}");
        let child = model.name.as_ref().map(ToString::to_string).unwrap_or_default();
        let sub = prefix.trim_end_matches('.').to_owned();
        let Some(global) = self.names.whole(&key) else {
            if self.draft.labels.contains_key(&("constraint", key)) {
                let message =
                    Message::new(Id::M0123, expr, format!("`{name}` is a constraint of `{sub}`, not a value"))
                        .help(format!("its multiplier is `{sub}.{name}.lambda`"));
                return self.wrong(message);
            }
            let near = crate::diagnostics::similar(&name, self.names.below(&prefix)).map(str::to_owned);
            let message =
                Message::new(Id::M0101, member.to_token_stream(), format!("cannot find `{name}` in sub `{sub}`"))
                    .note(format!("`{sub}` is a `{child}`"))
                    .maybe_help(near.map(|n| format!("did you mean `{sub}.{n}`?")));
            return self.wrong(message);
        };
        match (global.sort, &global.value) {
            (Sort::Broken, _) => Value::Poison,
            (Sort::Let | Sort::Function, _) => {
                let (sort, place) = (global.sort.word(), location(global.ident.span()));
                let what = format!("`{name}` is a {sort} of `{child}` and is not seen from outside");
                let message = Message::new(Id::M0127, member.to_token_stream(), what.replace("``", "`"))
                    .note(format!("it is declared at {place}"))
                    .help(format!("make it an output of `{child}`: `output {name} = ..;`"));
                self.wrong(message)
            }
            (_, Some(value)) => value.clone(),
            (_, None) => self.force(&key),
        }
    }

    /// The value of a name that is evaluated when it is asked for. A name that needs itself is M0806.
    pub(crate) fn force(&mut self, key: &str) -> Value {
        if let Some(value) = self.names.whole(key).and_then(|g| g.value.clone()) {
            return value;
        }
        let Some(pending) = self.pending.get(key).cloned() else { return Value::Poison };
        if self.asked.iter().any(|(k, _)| k == key) {
            self.algebraic_loop(key);
            return Value::Poison;
        }
        let at = match &pending.kind {
            Some(Wanted::Given(expr, ..)) if pending.here.scope == 0 => Some((*expr).to_token_stream()),
            _ => None,
        };
        self.asked.push((key.to_owned(), at));
        let Pending { kind, here, lets } = pending;
        let value = self.at(here, |c| {
            for binding in lets {
                let value = items::binding(c, binding);
                c.here.locals.push((binding.name.to_string(), Local::Value(value)));
            }
            match kind {
                Some(Wanted::Let(binding)) => items::binding(c, binding),
                Some(Wanted::Output(declare, item, name)) => items::exported(c, declare, item, name),
                Some(Wanted::Given(expr, declare, scope)) => items::given(c, key, expr, declare, scope),
                None => Value::Poison,
            }
        });
        self.asked.pop();
        self.names.set_whole(key, value.clone());
        value
    }

    /// M0806
    fn algebraic_loop(&mut self, key: &str) {
        let from = self.asked.iter().position(|(k, _)| k == key).unwrap_or_default();
        let round = &self.asked[from..];
        let at = round.iter().find_map(|(_, at)| at.clone()).unwrap_or_default();
        // what is written in the models, their `let`s apart
        let seen = |k: &&str| self.names.whole(k).is_some_and(|g| g.sort != Sort::Let);
        let mut names: Vec<&str> = round.iter().map(|(k, _)| k.as_str()).filter(seen).collect();
        names.extend(names.first().copied());
        let message = Message::new(Id::M0806, at, format!("algebraic loop: {}", names.join(" -> ")))
            .note("outputs that depend on inputs directly cannot be bound in a cycle")
            .help("break it with a `state`, or solve for the value");
        self.reports.report(message);
    }
}
