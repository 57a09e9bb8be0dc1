//! Subs of a model with sets: the names that they add to the whole, and how elements hold them.
//!
//! In the text of an element `sub leg[robots]: Leg` is `sub leg: [Leg; 2]` where two names run over the set. One
//! element has the items of the sub; the others read no more than its names. So `check` reads what stands in a sub as
//! in any model, and its coordinates, states and parameters are families of the whole: `x` is `leg_x` there, shown as
//! `leg[3].x`.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::Expr;

use super::bindings::Binding;
use super::{Set, known};
use crate::diagnostics::{Errors, Id, Message, location};
use crate::identifier::{bare, identifier, spelling, unraw};
use crate::parse::{self, ast, sub};
use ast::{Declare, Item, Kind, Role};

/// Stands for the number of a member in names, until it is known.
const OWN: &str = "[#0]";

/// A sub of the model.
pub(crate) struct Part<'a> {
    /// as it was written
    pub(super) sub: &'a ast::Sub,
    /// the set that has one for each member
    pub(crate) set: Option<usize>,
    /// what it adds to the whole, in the order in which an element declares it
    pub(super) inner: Vec<Inner<'a>>,
    /// its text has items that gravity is read for, or gravity of its own, which asks for that of the whole
    pub(super) heavy: bool,
    /// coordinates and rates whose start its text reads
    begun: Vec<Begun>,
}

/// A coordinate, state, parameter, mode or output of a sub, or of one in it.
pub(super) struct Inner<'a> {
    /// its declaration
    pub(super) declare: &'a Declare,
    /// its name there
    pub(super) name: &'a ast::Name,
    /// the item
    pub(super) item: &'a Item,
    /// the model that declares it
    pub(super) of: &'a ast::Model,
    /// what stands before it, below the sub: `[0].motor.`, `.`
    path: String,
}

/// A coordinate, or a rate, whose start is read where the sub is, if the whole says it.
struct Begun {
    /// `leg.p`, `leg.motor.th`; of a rate `leg.w` and `der(leg.p`
    name: String,
    /// why it is read
    why: &'static str,
}

impl Part<'_> {
    /// Its name.
    pub(crate) fn name(&self) -> String {
        bare(&self.sub.name)
    }

    /// Why its text reads the start of this coordinate, `leg[i].p`, or of its rate, if it does.
    pub(super) fn reads(&self, target: &Expr) -> Option<&'static str> {
        let target = dotted(target)?;
        self.begun.iter().find(|begun| is_part(&target, &begun.name)).map(|begun| begun.why)
    }

    /// The names of Rust that it adds to the whole, and its own.
    pub(super) fn names(&self) -> Vec<(Ident, Option<Role>)> {
        let of = |inner: &Inner<'_>| {
            let names =
                [Some(&inner.name.ident), inner.name.velocity.as_ref()].map(|name| Some(self.spelled(inner, name?)));
            names.into_iter().flatten().map(|name| (name, Some(inner.declare.role))).collect::<Vec<_>>()
        };
        // a name of the text alone
        std::iter::once((self.sub.name.clone(), Some(Role::Param))).chain(self.inner.iter().flat_map(of)).collect()
    }

    /// A name of it as the whole shows it: `leg[#0].x`, `base.x`.
    pub(super) fn shown(&self, inner: &Inner<'_>, name: &Ident) -> String {
        let member = if self.set.is_some() { OWN } else { "" };
        format!("{}{member}{}{}", self.name(), inner.path, bare(name))
    }

    /// The same as a name of Rust: `leg_x`.
    pub(super) fn spelled(&self, inner: &Inner<'_>, name: &Ident) -> Ident {
        identifier(&spelling(&format!("{}{}{}", self.name(), inner.path, bare(name))), self.sub.name.span())
    }

    /// The same in an element, at a place of its list: `leg_1_x`.
    pub(super) fn placed(&self, inner: &Inner<'_>, place: Option<usize>) -> Ident {
        let place = place.map_or_else(String::new, |place| format!("[{place}]"));
        let shown = format!("{}{place}{}{}", self.name(), inner.path, bare(&inner.name.ident));
        identifier(&spelling(&shown), self.sub.name.span())
    }
}

/// The subs of a model. Those that cannot be read are left out.
pub(super) fn of<'a>(ast: &'a ast::Model, sets: &[Set<'_>], errors: &mut Errors) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    for item in &ast.items {
        let Kind::Sub(sub) = &item.kind else { continue };
        let set = match &sub.over {
            Some(over) => match known(over, sets, errors) {
                Some(set) => Some(set),
                None => continue,
            },
            None => None,
        };
        match ast.known(sub) {
            Ok(child) => match refused(sub, child, ast.options.emit.partials) {
                Some(message) => errors.report(message),
                None => parts.push(part(sub, set, child)),
            },
            Err(message) => message.into_iter().for_each(|message| errors.report(message)),
        }
    }
    parts
}

fn part<'a>(sub: &'a ast::Sub, set: Option<usize>, child: &'a ast::Model) -> Part<'a> {
    let (mut inner, mut heavy) = (Vec::new(), false);
    for k in 0..sub.count.unwrap_or(1) {
        let index = sub.count.map_or_else(String::new, |_| format!("[{k}]"));
        collect(child, &sub.with, &format!("{index}."), &mut inner, &mut heavy);
    }
    let mut begun = Vec::new();
    where_they_start(child, &bare(&sub.name), &mut begun);
    Part { sub, set, inner, heavy, begun }
}

/// The coordinates of a model, and of the models in it, that `fix` holds without a value, or `init` starts.
fn where_they_start(model: &ast::Model, path: &str, begun: &mut Vec<Begun>) {
    for item in model.items.iter().flat_map(Item::flat) {
        match &item.kind {
            Kind::Fix(fix) if fix.value.is_none() => {
                let target = dotted(&fix.target);
                let name = target.as_deref().and_then(|target| target.split('.').next());
                let why = "holds it where it starts, by `fix` without a value";
                begun.extend(name.map(|name| Begun { name: format!("{path}.{name}"), why }));
            }
            Kind::Start(start) if start.exact => {
                let target = dotted(&start.assign.target);
                let started = target.map(|target| started(model, &target, path)).unwrap_or_default();
                let why = "starts it exactly, by `init`";
                begun.extend(started.into_iter().map(|name| Begun { name, why }));
            }
            Kind::Sub(sub) => {
                if let Some(child) = model.child(sub).and_then(|child| child.model.as_ref()) {
                    where_they_start(child, &format!("{path}.{}", bare(&sub.name)), begun);
                }
            }
            _ => {}
        }
    }
}

/// What an exact start of a model starts, as the whole may call it: a coordinate, or a rate under both of its names.
fn started(model: &ast::Model, target: &str, path: &str) -> Vec<String> {
    let (mut inner, mut found) = (Vec::new(), Vec::new());
    collect(model, &[], "", &mut inner, &mut false);
    for Inner { name, path: below, .. } in inner.iter().filter(|inner| inner.declare.role == Role::Coord) {
        let below = outside_brackets(below);
        let known = |name: &Ident| format!("{below}{}", bare(name));
        let (own, rate) = (known(&name.ident), name.velocity.as_ref().map(known));
        let is_rate = is_part(target, &format!("der({own}")) || rate.as_ref().is_some_and(|rate| is_part(target, rate));
        if is_rate {
            found.push(format!("der({path}.{own}"));
            found.extend(rate.map(|rate| format!("{path}.{rate}")));
        } else if is_part(target, &own) {
            found.push(format!("{path}.{own}"));
        }
    }
    found
}

/// What a model declares, with the models in it. Inputs are bound, and parameters that an expression gives are that.
fn collect<'a>(model: &'a ast::Model, with: &[(Ident, Expr)], path: &str, all: &mut Vec<Inner<'a>>, heavy: &mut bool) {
    for item in &model.items {
        let asks = |kind: &Kind| matches!(kind, Kind::Body(_) | Kind::Spring(_) | Kind::Gravity(_));
        *heavy |= item.flat().iter().any(|item| asks(&item.kind));
        match &item.kind {
            Kind::Declare(declare) => {
                let given = |name: &Ident| sub::given(with, name).is_some_and(|given| !sub::is_constant(given));
                let own = |name: &&ast::Name| match declare.role {
                    Role::Param => !given(&name.ident) && !model.options.freeze.holds(&name.ident),
                    role => role != Role::Input,
                };
                let names = declare.names.iter().filter(own);
                all.extend(names.map(|name| Inner { declare, name, item, of: model, path: path.to_owned() }));
            }
            Kind::Sub(sub) => {
                let Some(child) = model.child(sub).and_then(|child| child.model.as_ref()) else { continue };
                for k in 0..sub.count.unwrap_or(1) {
                    let index = sub.count.map_or_else(String::new, |_| format!("[{k}]"));
                    collect(child, &sub.with, &format!("{path}{}{index}.", bare(&sub.name)), all, heavy);
                }
            }
            _ => {}
        }
    }
}

/// What a sub of a model with sets, with or without derivatives, may not contain yet.
fn refused(sub: &ast::Sub, child: &ast::Model, partials: bool) -> Option<Message> {
    for item in child.items.iter().flat_map(Item::flat) {
        let (what, instead) = match &item.kind {
            Kind::Energy(energy) if energy.role.is_of_optimisers() && !partials => {
                let instead = "ask for these: `#[model(emit(partials))]`".to_owned();
                ("costs of subs of models with sets, without their derivatives,".to_owned(), instead)
            }
            Kind::Sub(inner) => {
                match child.child(inner).and_then(|model| refused(sub, model.model.as_ref()?, partials)) {
                    Some(message) => return Some(message),
                    None => continue,
                }
            }
            _ => continue,
        };
        let message = parse::words::refuse(&sub.path, &item.keyword.to_string(), &what, &instead);
        return Some(message.note(format!("`{}` has one at {}", sub.child(), location(item.keyword.span()))));
    }
    None
}

/// `leg.motor.i` of `leg[r].motor.i`, and `der(leg.x)` of a rate; `None` of what is computed.
pub(super) fn dotted(target: &Expr) -> Option<String> {
    match target {
        Expr::Paren(inner) => dotted(&inner.expr),
        Expr::Group(inner) => dotted(&inner.expr),
        Expr::Index(of) => dotted(&of.expr),
        Expr::Field(of) => Some(format!("{}.{}", dotted(&of.base)?, unraw(&of.member.to_token_stream().to_string()))),
        Expr::Call(_) => rated(target).map(|of| Some(format!("der({})", dotted(of)?)))?,
        Expr::Path(path) => path.path.get_ident().map(bare),
        _ => None,
    }
}

/// `x` of `der(x)`.
pub(super) fn rated(target: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = target else { return None };
    match (&*call.func, call.args.first()) {
        (Expr::Path(path), Some(of)) if path.path.is_ident("der") && call.args.len() == 1 => Some(of),
        _ => None,
    }
}

/// Is it what has this name, or a part of it?
pub(super) fn is_part(target: &str, name: &str) -> bool {
    target.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ')']))
}

/// `leg.motor.i` of `leg [ r ] . motor . i`.
pub(super) fn outside_brackets(text: &str) -> String {
    let mut depth = 0_usize;
    let mut is_outside = |mark: char| {
        depth = if mark == ']' { depth.saturating_sub(1) } else { depth + usize::from(mark == '[') };
        depth == 0 && mark != ']' && !mark.is_whitespace()
    };
    text.chars().filter(|mark| is_outside(*mark)).collect()
}

/// M0805: every input is bound, in a loop over all members.
pub(super) fn unbound(ast: &ast::Model, parts: &[Part<'_>], bindings: &[Binding], errors: &mut Errors) {
    for part in parts {
        let Some(child) = ast.child(part.sub).and_then(|child| child.model.as_ref()) else { continue };
        let inputs = child.items.iter().filter_map(|item| match &item.kind {
            Kind::Declare(d) if d.role == Role::Input => Some(&d.names),
            _ => None,
        });
        let Some(over) = part.sub.over.as_ref() else { continue };
        for input in inputs.flatten() {
            let (sub, input) = (part.name(), bare(&input.ident));
            if bindings.iter().any(|binding| binding.is_of(&sub, &input)) {
                continue;
            }
            let what = format!("input `{input}` of sub `{sub}` is not bound");
            let help = format!("bind it for each member: `for i in {over} {{ bind {sub}[i].{input} = ..; }}`");
            errors.report(Message::new(Id::M0805, &part.sub.name, what).help(help));
        }
    }
}
