//! `bind`: the values of the inputs of subs.

use std::collections::BTreeMap;

use syn::{Expr, Member};

use crate::check::names::Sort;
use crate::check::read::{Reader, start};
use crate::check::scope::{Here, Place, Scope};
use crate::check::waiting::{Pending, Wanted};
use crate::diagnostics::{Id, Message, compact, location, text, with_article};
use crate::identifier::{bare, unraw};
use crate::parse::ast::{self, Declare, Item, Kind, Role};

/// `bind motor.v = volt;`
struct Binding<'a> {
    pending: Pending<'a>,
    /// where the input is named
    target: &'a Expr,
    value: &'a Expr,
    /// an input of this name was found
    used: bool,
}

/// The bindings of inputs, by their whole names.
#[derive(Default)]
pub(crate) struct Bindings<'a>(BTreeMap<String, Binding<'a>>);

impl<'a> Bindings<'a> {
    /// The value of a bound input, read with the shape and unit of its declaration in the scope.
    pub(super) fn bound(&mut self, key: &str, declare: &'a Declare, scope: usize) -> Option<Pending<'a>> {
        let binding = self.0.get_mut(key)?;
        binding.used = true;
        let kind = Some(Wanted::Given(binding.value, declare, scope));
        Some(Pending { kind, ..binding.pending.clone() })
    }
}

/// Records the bindings of the model, before any input is declared.
pub(super) fn bindings<'a>(r: &mut Reader<'a>, all: &mut Bindings<'a>, ast: &'a ast::Model) {
    for (position, item) in ast.items.iter().enumerate() {
        match &item.kind {
            Kind::Bind(_) => bind(r, all, item, position, &ast.allows, &[]),
            Kind::For(each) => rounds(r, all, each, position, &ast.allows, &[]),
            _ => {}
        }
    }
}

fn rounds<'a>(
    r: &mut Reader<'a>,
    all: &mut Bindings<'a>,
    each: &'a ast::For,
    position: usize,
    allows: &[String],
    lets: &[&'a ast::Let],
) {
    if !each.any(|kind| matches!(kind, Kind::Bind(_))) {
        return;
    }
    r.rounds(each, |r, item| match &item.kind {
        Kind::Bind(_) => bind(r, all, item, position, allows, &r.lets_above(each, lets)),
        Kind::For(inner) => rounds(r, all, inner, position, allows, &r.lets_above(each, lets)),
        _ => {}
    });
}

fn bind<'a>(
    r: &mut Reader<'a>,
    all: &mut Bindings<'a>,
    item: &'a Item,
    position: usize,
    allows: &[String],
    lets: &[&'a ast::Let],
) {
    let Kind::Bind(assign) = &item.kind else { return };
    let (target, value) = (&assign.target, &assign.value);
    let Some(key) = target_key(r, target) else { return };
    if let Some(earlier) = all.0.get(&key) {
        let place = location(start(earlier.target));
        let message = Message::new(Id::M0812, target, format!("input `{key}` is bound twice"))
            .note(format!("it is bound at {place}"));
        r.report(message);
        return;
    }
    let allows = allows.iter().chain(&item.allows).cloned().collect();
    let place =
        Place { item: format!("bind {key}"), position, accelerations: true, outputs: false, allows, constant: false };
    let here = Here { place, suffix: String::new(), ..r.here.clone() };
    // the value to evaluate is known when the input is declared
    let pending = Pending { kind: None, here, lets: lets.to_vec() };
    all.0.insert(key, Binding { pending, target, value, used: false });
}

/// The whole name of what a `bind` names; `None` after a mistake.
fn target_key(r: &mut Reader<'_>, target: &Expr) -> Option<String> {
    if let Expr::Field(field) = target
        && let Member::Named(name) = &field.member
    {
        match r.sub_scope(&field.base) {
            Some(Ok(scope)) => return Some(format!("{}{}", r.scopes[scope].prefix, bare(name))),
            Some(Err(())) => return None,
            None if r.is_broken_sub(&field.base) => return None,
            None => {
                let what = format!("`{}` is not a sub of this model", text(&field.base));
                r.report(Message::new(Id::M0804, &field.base, what).help("declare it: `sub motor: DcMotor;`"));
                return None;
            }
        }
    }
    let message = Message::new(Id::M0804, target, format!("`{}` is not an input of a sub", text(target)))
        .help("write `bind motor.v = ..;` with the name of a sub and of its input");
    r.report(message);
    None
}

/// M0804: every `bind` has found its input.
pub(crate) fn targets(r: &mut Reader<'_>, bindings: &Bindings<'_>) {
    let lost: Vec<(String, Expr)> =
        bindings.0.iter().filter(|(_, b)| !b.used).map(|(key, b)| (key.clone(), b.target.clone())).collect();
    for (key, target) in lost {
        let Some((sub, name)) = key.rsplit_once('.') else { continue };
        let declared = |s: &&Scope<'_>| s.declared && s.prefix.strip_suffix('.') == Some(sub);
        let Some(scope) = r.scopes.iter().find(declared) else { continue };
        let (model, outer) = (scope.ast, r.scopes[scope.parent].prefix.clone());
        let child = model.name.as_ref().map(ToString::to_string).unwrap_or_default();
        let sort = r.names.whole(&key).map(|g| g.sort);
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
                format!("`{name}` is {} of `{child}`, and only inputs are bound", with_article(sort.word())),
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
        r.report(message);
    }
}

/// Checks `bind` itself, so that its mistakes are reported whether or not the input is read.
pub(crate) fn bound(r: &mut Reader<'_>, assign: &ast::Assign) {
    if let Expr::Field(field) = &assign.target
        && let Some(Ok(scope)) = r.sub_scope(&field.base)
    {
        let key = format!("{}{}", r.scopes[scope].prefix, unraw(&text(&field.member)));
        r.force(&key);
    }
}
