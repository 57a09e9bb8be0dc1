//! The bounds of ranges: of inputs and of limits.

use quote::ToTokens;

use crate::check::read::Reader;
use crate::check::values::Unit;
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Node, Symbol};
use crate::parse::ast::Range;

/// Both ends of a range: numbers or expressions of parameters in the unit of what they bound.
pub(super) fn bounds(
    r: &mut Reader<'_>,
    range: &Range,
    what: &str,
    bounded: &dyn ToTokens,
    unit: Unit,
) -> Option<(Node, Node)> {
    let mut ends = Vec::new();
    for written in [&range.low, &range.high] {
        let value = r.eval_adaptable(written);
        let (node, has) = r.expect_scalar(&value, written)?;
        if has.unify(unit).is_none() {
            let name = text(bounded);
            let text = format!("range bound of {what} has unit [{has}], but `{name}` has unit [{unit}]");
            r.report(Message::new(Id::M0512, written, text));
            return None;
        }
        if r.graph.any_depends(&[node], |s| !matches!(s, Symbol::P(_))) {
            let text = format!("range bound of {what} depends on more than parameters");
            r.report(
                Message::new(Id::M0512, written, text).help("bound a difference: `limit gap: x - y in 0.0..=1.0;`"),
            );
            return None;
        }
        ends.push(node);
    }
    let [low, high] = <[Node; 2]>::try_from(ends).ok()?;
    if let (Some(a), Some(b)) = (r.graph.value(low), r.graph.value(high))
        && a > b
    {
        let text = format!("range of {what} is empty: {a} is above {b}");
        r.report(Message::new(Id::M0512, &range.low, text).help(format!("write `{b:?}..={a:?}`")));
        return None;
    }
    Some((low, high))
}
