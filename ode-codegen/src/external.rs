//! M0801: every derivative that generated code calls must be available. The calls are known after `lower`.

use crate::diagnostics::{Errors, Id, Message};
use crate::lower::{Called, Program};
use crate::model::{External, Model, Source};

/// Reports each external function of which a derivative is missing.
pub(crate) fn supplied(model: &Model, program: &Program, errors: &mut Errors) -> Option<()> {
    let calls = program.calls();
    for (index, external) in model.externals.iter().enumerate() {
        let own = calls.iter().filter(|c| c.partial.external.index() == index);
        if let Some(order) = own.map(|c: &Called| c.partial.order()).max() {
            missing(external, order, errors);
        }
    }
    errors.is_empty().then_some(())
}

fn missing(external: &External, order: usize, errors: &mut Errors) {
    let Source::Written { gradient, hessian, .. } = &external.source else { return };
    let (name, n) = (&external.ident, external.arguments.len());
    let (what, add) = match (order, gradient, hessian) {
        (0, ..) | (1, Some(_), _) | (2, Some(_), Some(_)) => return,
        (1, None, _) => ("derivative", format!("add `gradient: path` of a function that returns `[T; {n}]`, or ")),
        (2, Some(_), None) => {
            ("second derivative", format!("add `hessian: path` of a function that returns `[[T; {n}]; {n}]`, or "))
        }
        (2, None, Some(_)) => {
            ("first derivative", format!("add `gradient: path` of a function that returns `[T; {n}]`, or "))
        }
        (2, None, None) => ("derivatives", "add `gradient: path` and `hessian: path`, or ".to_owned()),
        _ => ("derivative of third order", String::new()),
    };
    errors.report(
        Message::new(Id::M0801, name, format!("extern fn `{name}` has no {what}"))
            .note(format!("the equations of this model use its derivatives up to order {order}"))
            .help(format!("{add}make the Rust function generic over `T: Scalar` and write `{{ dual: path }}`")),
    );
}
