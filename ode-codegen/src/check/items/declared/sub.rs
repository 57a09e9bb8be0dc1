//! `sub`: the fields of the struct that hold the models it is composed of.

use crate::check::read::Reader;
use crate::check::scope::Own;
use crate::expr::Node;
use crate::identifier::bare;
use crate::model::{self, Supply};
use crate::parse::ast::{self, Kind};

/// The fields of the struct that hold subs.
pub(crate) fn fields(r: &mut Reader<'_>, ast: &ast::Model) {
    for item in &ast.items {
        let Kind::Sub(sub) = &item.kind else { continue };
        let Some(subs) = r.names.subs.get(&bare(&sub.name)).cloned() else { continue };
        let elements = subs.scopes.iter().map(|scope| sources(r, *scope)).collect();
        r.declared.subs.push(model::Sub {
            ident: sub.name.clone(),
            docs: item.docs.clone(),
            ty: sub.ty.clone(),
            count: sub.count,
            elements: Some(elements),
        });
    }
}

fn sources(r: &mut Reader<'_>, scope: usize) -> Vec<Supply> {
    let mut all = Vec::new();
    for own in &r.scopes[scope].params {
        match own {
            Own::Parameter(scalars) => all.extend(scalars.clone().map(Supply::Parameter)),
            Own::Given(key) => {
                let value = r.names.whole(key).and_then(|g| g.value.clone());
                let nodes: Vec<Node> = value.map(|v| v.scalars()).unwrap_or_default();
                all.extend(nodes.into_iter().map(Supply::Given));
            }
        }
    }
    all
}
