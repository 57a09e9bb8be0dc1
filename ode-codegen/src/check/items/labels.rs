//! Names of items: the user's, those inside loops and subs, and those in generated code.

use proc_macro2::{Ident, Span};

use crate::check::read::Reader;
use crate::diagnostics::{Id, Message, first_span, location};
use crate::identifier::{bare, identifier, spelling};

impl Reader<'_> {
    /// How the generated code spells a name of this scope: `leg.q` is `leg_q`.
    pub(crate) fn spelled(&mut self, ident: &Ident) -> Ident {
        if self.here.scope == 0 {
            return ident.clone();
        }
        let shown = format!("{}{}", self.scope().prefix, bare(ident));
        self.spell(shown)
    }

    /// How the generated code spells the label of an item inside its loops.
    pub(crate) fn labelled(&mut self, ident: &Ident, label: String) -> Ident {
        match (self.here.scope, self.here.suffix.is_empty()) {
            (0, true) => ident.clone(),
            (0, false) => identifier(&label, ident.span()),
            _ => self.spell(label),
        }
    }

    /// As [`Reader::spelled`], of a name with everything before it.
    pub(crate) fn spell(&mut self, shown: String) -> Ident {
        let spelling = spelling(&shown);
        let at = self.scope().anchor.as_ref().map(|a| first_span(&a.tokens));
        let ident = identifier(&spelling, at.unwrap_or_else(Span::call_site));
        match self.declared.shown.get(&spelling).cloned() {
            Some(earlier) if earlier != shown => self.collide(&ident, &shown, &earlier),
            Some(_) => {}
            None => {
                self.declared.shown.insert(spelling, shown);
            }
        }
        ident
    }

    /// Label of an item inside its loops; M0102 if the keyword has it already.
    pub(crate) fn label(&mut self, keyword: &'static str, name: &Ident) -> String {
        let label = format!("{}{}", self.key(&name.to_string()), self.here.suffix);
        match self.names.labels.get(&(keyword, label.clone())).copied() {
            Some(span) => {
                // Constraints are known by name before they are read.
                if keyword != "constraint" || !same(span, name.span()) {
                    let message = Message::new(Id::M0102, name, format!("`{label}` is declared twice in this model"))
                        .note(format!("previous `{keyword}` of this name at {}", location(span)));
                    self.report(message);
                }
            }
            None => {
                self.names.labels.insert((keyword, label.clone()), name.span());
            }
        }
        label
    }

    /// M0106 at a spelling.
    pub(crate) fn collide(&mut self, at: &Ident, name: &str, other: &str) {
        let what = format!("two names collide in the generated API: `{other}` and `{name}` are both spelled `{at}`");
        let message = Message::new(Id::M0106, at, what).help("rename one, or the sub");
        self.reports.report(message);
    }
}

fn same(a: Span, b: Span) -> bool {
    a.start() == b.start() && a.file() == b.file()
}
