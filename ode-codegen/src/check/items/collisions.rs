//! M0106: two names with one spelling. `leg.q` and `leg_q` are two names to the user, and one to Rust.

use std::collections::BTreeMap;

use proc_macro2::Ident;

use crate::check::draft::Draft;
use crate::check::read::Reader;
use crate::diagnostics::{Id, Message};
use crate::identifier::{bare, identifier};

/// Items whose labels become accessors.
const LABELLED: [&str; 3] = ["constraint", "limit", "residual"];

/// The struct and its module, which is named in lower case.
pub(super) fn module(r: &mut Reader<'_>, name: &Ident) {
    let spelled = bare(name);
    if spelled.contains(char::is_uppercase) {
        return;
    }
    let what = format!("two names collide in the generated API: struct `{spelled}` and its module `{spelled}`");
    let message = Message::new(Id::M0106, name, what);
    r.report(message.help("begin the name of the struct with a capital letter, as Rust does"));
}

/// Names of the root that are spelled as one of a sub, and accessors of one block that are spelled the same.
pub(super) fn collisions(r: &mut Reader<'_>, draft: &Draft<'_>) {
    let mut found: Vec<(Ident, String, String)> = Vec::new();
    for (spelling, shown) in &r.declared.shown {
        let label = |word: &&'static str| r.names.labels.get(&(*word, spelling.clone())).copied();
        let named = r.names.whole(spelling).map(|g| g.ident.clone());
        let labelled = || LABELLED.iter().find_map(label).map(|span| identifier(spelling, span));
        if let Some(at) = named.or_else(labelled) {
            found.push((at, spelling.clone(), shown.clone()));
        }
    }
    let constraints = draft.constraints.iter().map(|k| (&k.ident, k.label.clone())).collect();
    let limits = draft.observed.limits.iter().map(|l| (&l.ident, r.declared.shown(&l.ident))).collect();
    let fits = draft.observed.fits.iter().map(|f| (&f.ident, r.declared.shown(&f.ident))).collect();
    let blocks: [Vec<(&Ident, String)>; 3] = [constraints, limits, fits];
    for accessors in blocks {
        let mut spelled: BTreeMap<String, String> = BTreeMap::new();
        for (ident, shown) in accessors {
            let earlier = spelled.insert(bare(ident), shown.clone());
            let known = |(at, ..): &(Ident, String, String)| bare(at) == bare(ident);
            // one name for two is M0102
            if let Some(earlier) = earlier.filter(|e| *e != shown && !found.iter().any(known)) {
                found.push((ident.clone(), shown, earlier));
            }
        }
    }
    for (at, name, other) in found {
        r.collide(&at, &name, &other);
    }
}
