//! The results of checking: mistakes, uncertainties that follow from them, and warnings.

use crate::diagnostics::{Errors, Message, Warning};

/// Mistakes and warnings so far, and what is uncertain because of mistakes.
pub(crate) struct Reports<'a> {
    errors: &'a mut Errors,
    warnings: Vec<Warning>,
    /// what is uncertain because of a mistake
    pub(crate) doubts: Doubts,
    /// a sub has mistakes that are reported where its model is
    pub(crate) silent: bool,
}

/// What is uncertain because of a mistake, so that rules on the whole model add no messages that follow from it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Doubts {
    /// the number of coordinates
    pub(crate) coordinates: bool,
    /// the inertia of coordinates
    pub(crate) inertia: bool,
    /// the rows of constraints
    pub(crate) constraints: bool,
    /// the rates of states
    pub(crate) rates: bool,
}

impl Doubts {
    /// Nothing is certain.
    pub(crate) fn all() -> Self {
        Doubts { coordinates: true, inertia: true, rates: true, constraints: true }
    }
}

impl<'a> Reports<'a> {
    /// Adds to the mistakes that are known already.
    pub(crate) fn new(errors: &'a mut Errors) -> Self {
        Reports { errors, warnings: Vec::new(), doubts: Doubts::default(), silent: false }
    }

    /// Adds a mistake.
    pub(crate) fn report(&mut self, message: Message) {
        self.errors.report(message);
    }

    /// Adds a warning; the same text at the same place counts once.
    pub(crate) fn warn(&mut self, warning: Warning) {
        let place = |w: &Warning| (w.span.start().line, w.span.start().column);
        if !self.warnings.iter().any(|w| w.id == warning.id && w.text == warning.text && place(w) == place(&warning)) {
            self.warnings.push(warning);
        }
    }

    /// Number of reports so far. It counts every mistake, even if its message is known already.
    pub(crate) fn count(&self) -> usize {
        self.errors.reported()
    }

    /// Is nothing wrong so far?
    pub(crate) fn is_clean(&self) -> bool {
        self.errors.is_empty()
    }

    /// The warnings so far.
    pub(crate) fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The warnings of a model without mistakes, those in its subs included.
    pub(crate) fn finish(self) -> Option<Vec<Warning>> {
        (self.is_clean() && !self.silent).then_some(self.warnings)
    }
}
