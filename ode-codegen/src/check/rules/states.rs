//! M0223: every state has a rate.

use crate::check::Checker;
use crate::diagnostics::Message;

/// One equation for each scalar of each state.
pub(super) fn rates(c: &mut Checker<'_>) {
    for k in 0..c.draft.states.len() {
        let declared = &c.draft.states[k].declared;
        let scalars = declared.first..declared.first + declared.shape.len();
        let Some(missing) = scalars.into_iter().find(|i| !c.draft.rates.contains_key(i)) else { continue };
        let (ident, name) = (declared.ident.clone(), c.state_name(missing));
        let message = Message::new("M0223", &ident, format!("state `{name}` has no rate"))
            .note("a state changes by its equation alone: without one nothing determines it")
            .help(format!("write `der({name}) = ..;`, or make it a `param` or an `input`"));
        c.errors.report(message);
    }
}
