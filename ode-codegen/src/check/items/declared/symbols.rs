//! The scalars of declared names.

use crate::check::read::Reader;
use crate::check::values::{Unit, Value, shaped};
use crate::expr::{Node, Symbol};
use crate::model::Declared;
use crate::parse::ast::TypeKind;

/// The value of a declared name: one symbol a scalar. The halves of a symmetric matrix are one.
pub(super) fn symbols(
    r: &mut Reader<'_>,
    declared: &Declared,
    kind: &TypeKind,
    of: fn(u32) -> Symbol,
    unit: Unit,
    first: usize,
) -> Value {
    let symmetric = *kind.innermost() == TypeKind::SymMat3;
    let upper = |i: usize| {
        let (block, row, column) = (i / 9 * 9, i % 9 / 3, i % 3);
        if symmetric && row > column { block + 3 * column + row } else { i }
    };
    let nodes: Vec<Node> = (0..declared.shape.len()).map(|i| r.graph.symbol(of((first + upper(i)) as u32))).collect();
    shaped(&declared.shape, &mut nodes.into_iter(), unit)
}
