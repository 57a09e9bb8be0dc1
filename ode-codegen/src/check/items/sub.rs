//! `sub` and `bind`: the models a model is composed of, flattened into its one graph.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Expr, Member};

use super::super::names::{Local, Sort};
use super::super::scope::{Pending, Scope, Wanted};
use super::super::value::Value;
use super::super::{Checker, Doubts, Here, Place, literal};
use super::declare::{self, register};
use crate::diagnostics::{Id, Message, compact, location, similar, text};
use crate::expr::{Node, Symbol};
use crate::identifier::{bare, unraw};
use crate::model::{self, Order, Supply};
use crate::parse::ast::{self, Declare, Item, Kind, Role, Sub};

/// A parameter of a sub as its own type counts them.
pub(in crate::check) enum Own {
    /// scalars that are parameters of the whole model
    Parameter(std::ops::Range<usize>),
    /// scalars of a name that the model gives
    Given(String),
}

/// `bind motor.v = volt;`
pub(in crate::check) struct Binding<'a> {
    pending: Pending<'a>,
    /// where the input is named
    target: &'a Expr,
    value: &'a Expr,
    /// an input of this name was found
    used: bool,
}

/// The names of a sub, below its own.
pub(super) fn declare<'a>(c: &mut Checker<'a>, sub: &'a Sub, position: usize) {
    if c.here.scope == 0 {
        declare::field(c, "sub", &sub.name);
    }
    let scopes = c.names.subs.get(&c.key(&sub.name.to_string())).map(|s| s.scopes.clone()).unwrap_or_default();
    let broken = scopes.is_empty();
    let sort = if broken { Sort::Broken } else { Sort::Sub };
    if !register(c, &sub.name, sort, position, broken.then_some(Value::Poison)) || broken {
        c.reports.doubts = Doubts::all();
        return;
    }
    given_twice(c, sub);
    for scope in scopes {
        let mistakes = c.reports.count();
        let child = c.scopes[scope].ast;
        c.scopes[scope].declared = true;
        c.within(scope, |c| declare::declarations(c, child));
        unknown_params(c, sub, scope);
        // A mistake in one element is in all of them.
        if c.reports.count() > mistakes {
            c.reports.doubts = Doubts::all();
            return;
        }
    }
}

/// The model of a sub, if nothing is wrong with it.
pub(in crate::check) fn sound<'a>(c: &mut Checker<'a>, ast: &'a ast::Model, sub: &'a Sub) -> Option<&'a ast::Model> {
    let sound = known(c, ast, sub) && scalar(c, ast, sub) && order(c, ast, sub);
    ast.child(sub).and_then(|child| child.model.as_ref()).filter(|_| sound)
}

/// M0224: what moves by forces and what moves by accelerations are not one model.
fn order(c: &mut Checker<'_>, ast: &ast::Model, sub: &Sub) -> bool {
    let Some(child) = ast.child(sub).and_then(|c| c.model.as_ref()) else { return false };
    let moves = child.items.iter().any(|i| matches!(&i.kind, Kind::Declare(d) if d.role == Role::Coord));
    if !moves || (child.options.order == Order::First) == c.first_order {
        return true;
    }
    let (own, other) = if c.first_order { ("first", "second") } else { ("second", "first") };
    let what = format!("`{}` is a model of {other} order, and this one of {own}", sub.child());
    let message = Message::new(Id::M0224, &sub.ty, what).help("write `#[model(order = 1)]` on both or on none");
    c.report(message);
    false
}

/// M0803, M0810: is there a model to read? One with mistakes has told them where it is written.
fn known(c: &mut Checker<'_>, ast: &ast::Model, sub: &Sub) -> bool {
    if ast.recursive(sub) {
        let name = sub.child();
        let message =
            Message::new(Id::M0803, &sub.path, format!("sub-model `{name}` contains `{name}`: recursive composition"))
                .note("what a model holds is part of it, so it cannot hold itself");
        c.report(message);
        return false;
    }
    let Some(child) = ast.child(sub) else {
        let message = Message::new(Id::M0810, &sub.path, format!("the model `{}` is not known here", text(&sub.path)))
            .note("`model!` asks for it by its macro; a text is expanded with the models that stand in it");
        c.report(message);
        return false;
    };
    if let Some(why) = &child.unread {
        let message =
            Message::new(Id::M0810, &sub.path, format!("the model `{}` cannot be read here: {why}", sub.child()))
                .help("compile both models with one version of the crate");
        c.report(message);
        return false;
    }
    c.reports.silent |= child.model.is_none();
    child.model.is_some()
}

/// M0811: parent and child compute in one scalar.
fn scalar(c: &mut Checker<'_>, ast: &ast::Model, sub: &Sub) -> bool {
    let Some(child) = ast.child(sub).and_then(|c| c.model.as_ref()) else { return false };
    let (path, argument) = (text(&sub.path), sub.argument());
    let wanted = match (&ast.scalar, &child.scalar) {
        (Some(t), Some(_)) => Some(t.to_string()),
        (None, Some(_)) if argument.as_deref() == Some("f64") => return true,
        (Some(t), None) => {
            let what = format!("`{path}` computes in f64, and this model in `{t}`");
            let help = format!("declare it for any scalar: `struct {}<T>`", sub.child());
            c.report(Message::new(Id::M0811, &sub.ty, what).help(help));
            return false;
        }
        (None, _) => None,
    };
    if argument == wanted {
        return true;
    }
    let right = wanted.as_ref().map_or(path.clone(), |t| format!("{path}<{t}>"));
    let what = format!("sub `{}` computes in the scalar of this model", sub.name);
    c.report(Message::new(Id::M0811, &sub.ty, what).help(format!("write `{right}`")));
    false
}

/// M0809: fields of `with` are parameters, once each.
fn given_twice(c: &mut Checker<'_>, sub: &Sub) {
    for (k, (name, _)) in sub.with.iter().enumerate() {
        if sub.with[..k].iter().any(|(n, _)| n == name) {
            c.report(Message::new(Id::M0809, name, format!("parameter `{name}` is given twice")));
        }
    }
}

fn unknown_params(c: &mut Checker<'_>, sub: &Sub, scope: usize) {
    let model = c.scopes[scope].ast;
    let free = |p: &ast::Field<'_>| !model.options.freeze.holds(p.ident);
    let params: Vec<String> = model.params().filter(free).map(|p| bare(p.ident)).collect();
    for (name, _) in &sub.with {
        if params.contains(&bare(name)) {
            continue;
        }
        let near =
            similar(&name.to_string(), params.iter().map(String::as_str)).map(|p| format!("did you mean `{p}`?"));
        let mut message =
            Message::new(Id::M0809, name, format!("`{}` has no param `{name}`", sub.child())).maybe_help(near);
        if declared(model, &name.to_string()).is_some_and(|d| d.role == Role::Input) {
            message = message.help(format!("it is an input: `bind {}.{name} = ..;`", sub.name));
        } else if !params.is_empty() {
            message = message.help(format!("its params are {}", quoted(params.iter().map(String::as_str))));
        }
        c.report(message);
    }
}

fn quoted<'b>(names: impl Iterator<Item = &'b str>) -> String {
    names.map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}

/// The declaration of a name in a model.
fn declared<'b>(model: &'b ast::Model, name: &str) -> Option<&'b Declare> {
    model.items.iter().find_map(|item| match &item.kind {
        Kind::Declare(d) if d.names.iter().any(|n| n.ident == name) => Some(d),
        _ => None,
    })
}

/// Notes what the model binds, before any input is declared.
pub(super) fn bindings<'a>(c: &mut Checker<'a>, ast: &'a ast::Model) {
    for (position, item) in ast.items.iter().enumerate() {
        match &item.kind {
            Kind::Bind(_) => bind(c, item, position, &ast.allows, &[]),
            Kind::For(each) => rounds(c, each, position, &ast.allows, &mut Vec::new()),
            _ => {}
        }
    }
}

fn rounds<'a>(
    c: &mut Checker<'a>,
    each: &'a ast::For,
    position: usize,
    allows: &[String],
    lets: &mut Vec<&'a ast::Let>,
) {
    let (depth, above) = (c.here.locals.len(), lets.len());
    for i in each.range.clone() {
        c.here.locals.push((each.index.to_string(), Local::Index(i)));
        for item in &each.items {
            match &item.kind {
                Kind::Let(binding) => lets.push(binding),
                Kind::Bind(_) if c.step(&item.keyword) => bind(c, item, position, allows, lets),
                Kind::For(inner) => rounds(c, inner, position, allows, lets),
                _ => {}
            }
        }
        c.here.locals.truncate(depth);
        lets.truncate(above);
    }
}

fn bind<'a>(c: &mut Checker<'a>, item: &'a Item, position: usize, allows: &[String], lets: &[&'a ast::Let]) {
    let Kind::Bind(assign) = &item.kind else { return };
    let (target, value) = (&assign.target, &assign.value);
    let Some(key) = target_key(c, target) else { return };
    if let Some(earlier) = c.bindings.get(&key) {
        let place = location(literal::start(earlier.target));
        let message = Message::new(Id::M0812, target, format!("input `{key}` is bound twice"))
            .note(format!("it is bound at {place}"));
        c.report(message);
        return;
    }
    let allows = allows.iter().chain(&item.allows).cloned().collect();
    let place = Place { item: format!("bind {key}"), position, accelerations: true, allows, constant: false };
    let here = Here { scope: c.here.scope, locals: c.here.locals.clone(), suffix: String::new(), place };
    // what to evaluate is known when the input is declared
    let pending = Pending { kind: None, here, lets: lets.to_vec() };
    c.bindings.insert(key, Binding { pending, target, value, used: false });
}

/// The whole name of what a `bind` names; `None` after a mistake.
fn target_key(c: &mut Checker<'_>, target: &Expr) -> Option<String> {
    if let Expr::Field(field) = target
        && let Member::Named(name) = &field.member
    {
        match c.sub_scope(&field.base) {
            Some(Ok(scope)) => return Some(format!("{}{}", c.scopes[scope].prefix, bare(name))),
            Some(Err(())) => return None,
            None if c.is_broken_sub(&field.base) => return None,
            None => {
                let what = format!("`{}` is not a sub of this model", text(&field.base));
                c.report(Message::new(Id::M0804, &field.base, what).help("declare it: `sub motor: DcMotor;`"));
                return None;
            }
        }
    }
    let message = Message::new(Id::M0804, target, format!("`{}` is not an input of a sub", text(target)))
        .help("write `bind motor.v = ..;` with the name of a sub and of its input");
    c.report(message);
    None
}

/// The input or parameter is given by the model around: it is declared, but is none of the whole model's own.
pub(super) fn supplied<'a>(c: &mut Checker<'a>, d: &'a Declare, name: &'a ast::Name, position: usize) -> bool {
    let frozen = d.role == Role::Param && c.scope().ast.options.freeze.holds(&name.ident);
    if c.here.scope == 0 || frozen {
        return false;
    }
    let key = c.key(&name.ident.to_string());
    let sort = match d.role {
        Role::Param => Sort::Param,
        Role::Input => Sort::Input,
        _ => return false,
    };
    let (scope, parent) = (c.here.scope, c.scope().parent);
    let pending = match d.role {
        Role::Param => match given(c, &name.ident) {
            Some(expr) if !is_constant(expr) => {
                if parent == 0 {
                    let top = c.scopes[scope].top;
                    c.scopes[top].params.push(Own::Given(key.clone()));
                }
                let kind = Some(Wanted::Given(expr, d, scope));
                let all = c.scopes[parent].ast.items.len();
                let item = format!("bind {key}");
                let place = Place { item, position: all, accelerations: true, ..Place::default() };
                Pending { kind, here: Here { scope: parent, place, ..Here::default() }, lets: Vec::new() }
            }
            _ => return false,
        },
        _ => match c.bindings.get_mut(&key) {
            Some(binding) => {
                binding.used = true;
                let kind = Some(Wanted::Given(binding.value, d, scope));
                Pending { kind, ..binding.pending.clone() }
            }
            None => {
                unbound(c, d, &name.ident, &key);
                register(c, &name.ident, Sort::Broken, position, Some(Value::Poison));
                return true;
            }
        },
    };
    if register(c, &name.ident, sort, position, None) {
        c.pending.insert(key, pending);
    }
    true
}

/// The expression `with` gives a parameter.
pub(super) fn given<'a>(c: &Checker<'a>, name: &Ident) -> Option<&'a Expr> {
    c.scope().with.iter().find(|(n, _)| bare(n) == bare(name)).map(|(_, expr)| expr)
}

/// Is an expression made of numbers alone, with or without units?
pub(super) fn is_constant(expr: &Expr) -> bool {
    fn names(tokens: proc_macro2::TokenStream) -> bool {
        let mut tokens = tokens.into_iter().peekable();
        let mut field = false;
        while let Some(token) = tokens.next() {
            match token {
                proc_macro2::TokenTree::Ident(ident) => {
                    let called = matches!(tokens.peek(), Some(proc_macro2::TokenTree::Group(_)));
                    if !field && !called && ident != "PI" && ident != "TAU" {
                        return true;
                    }
                    field = false;
                }
                proc_macro2::TokenTree::Group(group) => {
                    field = false;
                    if names(group.stream()) {
                        return true;
                    }
                }
                proc_macro2::TokenTree::Punct(p) => field = p.as_char() == '.',
                proc_macro2::TokenTree::Literal(_) => field = false,
            }
        }
        false
    }
    !names(expr.to_token_stream())
}

/// M0805
fn unbound(c: &mut Checker<'_>, d: &Declare, name: &Ident, key: &str) {
    let sub = key.rsplit_once('.').map_or("", |(sub, _)| sub).to_owned();
    let unit = d.unit.as_ref().map_or(String::new(), |u| format!(" [{}]", compact(&u.tokens)));
    let ty = if d.ty.tokens.is_empty() { "Real".to_owned() } else { text(&d.ty.tokens) };
    let own = format!("input {name}: {ty}{unit}; bind {sub}.{name} = {name};");
    let at = c.scope().anchor.as_ref().map(|a| a.tokens.clone()).unwrap_or_default();
    let message = Message::new(Id::M0805, at, format!("input `{name}` of sub `{sub}` is not bound"));
    let message = match sub.rsplit_once('[') {
        Some((array, "0]")) => {
            let n = c.names.subs.get(array).map_or(0, |s| s.scopes.len());
            message.help(format!("bind it in each: `for i in 0..{n} {{ bind {array}[i].{name} = ..; }}`"))
        }
        _ => message.help(format!("`bind {sub}.{name} = ..;` or forward it: `{own}`")),
    };
    c.reports.report(message);
}

/// M0804: every `bind` has found its input.
pub(in crate::check) fn targets(c: &mut Checker<'_>) {
    let lost: Vec<(String, Expr)> =
        c.bindings.iter().filter(|(_, b)| !b.used).map(|(key, b)| (key.clone(), b.target.clone())).collect();
    for (key, target) in lost {
        let Some((sub, name)) = key.rsplit_once('.') else { continue };
        let declared = |s: &&Scope<'_>| s.declared && s.prefix.strip_suffix('.') == Some(sub);
        let Some(scope) = c.scopes.iter().find(declared) else { continue };
        let (model, outer) = (scope.ast, c.scopes[scope.parent].prefix.clone());
        let child = model.name.as_ref().map(ToString::to_string).unwrap_or_default();
        let sort = c.names.whole(&key).map(|g| g.sort);
        if sort == Some(Sort::Broken) {
            continue;
        }
        let mut inputs = Vec::new();
        for item in &model.items {
            let Kind::Declare(d) = &item.kind else { continue };
            if d.role == Role::Input {
                let unit = d.unit.as_ref().map_or(String::new(), |u| format!(" [{}]", compact(&u.tokens)));
                inputs.extend(d.names.iter().map(|n| format!("`{}`{unit}", n.ident)));
            }
        }
        let sub = sub.strip_prefix(&outer).unwrap_or(sub);
        let message = match sort {
            Some(sort) => Message::new(
                Id::M0804,
                &target,
                format!("`{name}` is a {} of `{child}`, and only inputs are bound", sort.word()),
            ),
            None => Message::new(Id::M0804, &target, format!("sub `{sub}`: no input `{name}` in `{child}`")),
        };
        let message = match (sort, inputs.is_empty()) {
            (Some(Sort::Param), _) => {
                message.help(format!("give it with the sub: `sub {sub}: {child} with {{ {name}: .. }};`"))
            }
            (_, true) => message.help(format!("`{child}` has no inputs")),
            (_, false) => message.help(format!("inputs are {}", inputs.join(", "))),
        };
        c.report(message);
    }
}

/// The value of an input that is bound, or of a parameter that is given: read where it is written, in the shape and unit of
/// its declaration.
pub(in crate::check) fn value(c: &mut Checker<'_>, key: &str, expr: &Expr, d: &Declare, scope: usize) -> Value {
    let value = c.eval_adaptable(expr);
    let Some(shape) = d.ty.shape() else { return Value::Poison };
    let value = c.expect_shape(value, &shape, expr);
    if value.is_poison() {
        return value;
    }
    let unit = c.within(scope, |c| declare::unit_of(c, d));
    if value.measured().iter().any(|(_, has)| has.unify(unit).is_none()) {
        let has = value.unit();
        let what = format!("`{key}` has unit [{unit}], but this has unit [{has}]");
        let message =
            Message::new(Id::M0507, expr, what).help(format!("they differ by a factor of [{}]", has.div(unit)));
        return c.wrong(message);
    }
    if d.role == Role::Param && c.depends(&value.scalars(), |s| !matches!(s, Symbol::P(_))) {
        let message = Message::new(Id::M0809, expr, format!("`{key}` is given by more than parameters"))
            .note("a parameter does not change during a run")
            .help("make it an input of the sub, and `bind` it");
        return c.wrong(message);
    }
    value
}

/// The items of a sub, where it stands in the text.
pub(super) fn body(c: &mut Checker<'_>, sub: &Sub) {
    let scopes = c.names.subs.get(&c.key(&sub.name.to_string())).map(|s| s.scopes.clone()).unwrap_or_default();
    for scope in scopes.into_iter().filter(|s| c.scopes[*s].declared).collect::<Vec<_>>() {
        let mistakes = c.reports.count();
        let (child, prefix) = (c.scopes[scope].ast, c.scopes[scope].prefix.clone());
        for (name, _) in &sub.with {
            c.force(&format!("{prefix}{}", bare(name)));
        }
        c.within(scope, |c| super::body(c, child));
        // A mistake in one element is in all of them.
        if c.reports.count() > mistakes {
            return;
        }
    }
}

/// `bind` where it stands, so that its mistakes are reported whether or not the input is read.
pub(super) fn bound(c: &mut Checker<'_>, assign: &ast::Assign) {
    if let Expr::Field(field) = &assign.target
        && let Some(Ok(scope)) = c.sub_scope(&field.base)
    {
        let key = format!("{}{}", c.scopes[scope].prefix, unraw(&text(&field.member)));
        c.force(&key);
    }
}

/// The fields of the struct that hold subs.
pub(in crate::check) fn fields(c: &mut Checker<'_>, ast: &ast::Model) {
    for item in &ast.items {
        let Kind::Sub(sub) = &item.kind else { continue };
        let Some(subs) = c.names.subs.get(&bare(&sub.name)).cloned() else { continue };
        let elements = subs.scopes.iter().map(|scope| sources(c, *scope)).collect();
        c.draft.subs.push(model::Sub {
            ident: sub.name.clone(),
            docs: item.docs.clone(),
            ty: sub.ty.clone(),
            count: sub.count,
            elements: Some(elements),
        });
    }
}

fn sources(c: &mut Checker<'_>, scope: usize) -> Vec<Supply> {
    let mut all = Vec::new();
    for own in &c.scopes[scope].params {
        match own {
            Own::Parameter(scalars) => all.extend(scalars.clone().map(Supply::Parameter)),
            Own::Given(key) => {
                let value = c.names.whole(key).and_then(|g| g.value.clone());
                let nodes: Vec<Node> = value.map(|v| v.scalars()).unwrap_or_default();
                all.extend(nodes.into_iter().map(Supply::Given));
            }
        }
    }
    all
}
