//! Subs and their names, seen from the model around.

use quote::ToTokens;
use syn::Expr;

use super::reader::Reader;
use crate::check::names::{Sort, Subs};
use crate::check::values::Value;
use crate::diagnostics::{Id, Message, listed, location, similar, text, with_article};
use crate::identifier::unraw;
use crate::parse::ast::Kind;

impl Reader<'_> {
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
            if self.names.labels.contains_key(&("constraint", key)) {
                let message =
                    Message::new(Id::M0123, expr, format!("`{name}` is a constraint of `{sub}`, not a value"))
                        .help(format!("its multiplier is `{sub}.{name}.lambda`"));
                return self.wrong(message);
            }
            let near = similar(&name, self.names.below(&prefix)).map(|n| format!("did you mean `{sub}.{n}`?"));
            let listed = || listed(&name, self.names.below(&prefix)).map(|names| format!("its names are {names}"));
            let help = near.or_else(listed);
            let message =
                Message::new(Id::M0101, member.to_token_stream(), format!("cannot find `{name}` in sub `{sub}`"))
                    .note(format!("`{sub}` is a `{child}`"))
                    .maybe_help(help);
            return self.wrong(message);
        };
        match (global.sort, &global.value) {
            (Sort::Broken, _) => Value::Poison,
            (Sort::Let | Sort::List | Sort::Function, _) => {
                let (sort, place) = (with_article(global.sort.word()), location(global.ident.span()));
                let what = format!("`{name}` is {sort} of `{child}` and is not visible from outside");
                let message = Message::new(Id::M0127, member.to_token_stream(), what)
                    .note(format!("it is declared at {place}"))
                    .help(format!("make it an output of `{child}`: `output {name} = ..;`"));
                self.wrong(message)
            }
            (_, Some(value)) => value.clone(),
            (_, None) => self.force(&key),
        }
    }
}
