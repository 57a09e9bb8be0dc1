//! `extern fn`: an external function.

use crate::check::names::Known;
use crate::check::read::Reader;
use crate::diagnostics::{Id, Message, text};
use crate::model::Shape;
use crate::parse::ast;

/// Makes the function known; M0807 and `false` unless it takes and gives numbers.
pub(super) fn external<'a>(r: &mut Reader<'a>, item: &'a ast::External) -> bool {
    let scalar = |ty: &ast::Type| ty.shape().is_none_or(|s| s == Shape::Scalar);
    let wrong = item.args.iter().map(|a| &a.ty).chain([&item.ty]).find(|ty| !scalar(ty));
    if let Some(ty) = wrong {
        let what = format!("an `extern fn` takes and returns numbers, not {}", text(&ty.tokens));
        r.report(Message::new(Id::M0807, &ty.tokens, what).help("take the components as arguments: `f(p.x, p.y)`"));
        return false;
    }
    if item.args.is_empty() {
        let what = format!("extern fn `{}` has no argument", item.name);
        r.report(Message::new(Id::M0807, &item.name, what).help("a number from outside is a `param`"));
        return false;
    }
    let arguments: Vec<String> = item.args.iter().map(|a| a.name.to_string()).collect();
    let external = r.external(item.name.clone(), arguments, item.source.clone());
    r.names.externals.insert(r.key(&item.name.to_string()), Known { item, external });
    true
}
