//! M0106: names that the generated code gives to its own methods.

use proc_macro2::Ident;

use crate::check::read::Reader;
use crate::diagnostics::{Id, Message};
use crate::identifier::bare;
use crate::parse::ast::{self, Role};

/// Names the generated code gives to its own methods beside the accessors of coordinates, states, inputs and outputs.
const METHODS: [&str; 18] = [
    "new",
    "from",
    "into",
    "clone",
    "default",
    "eq",
    "fmt",
    "index",
    "index_mut",
    "as_slice",
    "as_mut_slice",
    "array",
    "as_array",
    "array_mut",
    "as_ref",
    "as_mut",
    "zeros",
    "energy",
];

/// Names of the builder's own methods.
const BUILDER: [&str; 3] = ["build", "builder", "new"];

/// M0106: a name of the user and a method of the generated code.
pub(super) fn collisions(r: &mut Reader<'_>, role: Role, name: &ast::Name) {
    match role {
        // the parameters of a sub are fields of its own type
        Role::Param if r.here.scope == 0 => field(r, role.word(), &name.ident),
        Role::Param => {}
        Role::Coord | Role::State | Role::Algebraic | Role::Mode | Role::Input | Role::Output => {
            let ident = r.spelled(&name.ident);
            accessor(r, role.word(), &ident);
        }
    }
}

/// M0106 for a name that becomes a field, and so a method of the builder.
pub(super) fn field(r: &mut Reader<'_>, word: &str, ident: &Ident) {
    if BUILDER.contains(&bare(ident).as_str()) {
        collision(r, word, ident);
    }
}

/// M0106 for a name that becomes an accessor: of a coordinate, input, output, constraint or limit.
pub(crate) fn accessor(r: &mut Reader<'_>, word: &str, ident: &Ident) {
    let name = bare(ident);
    if METHODS.contains(&name.as_str()) || name.starts_with("set_") {
        collision(r, word, ident);
    }
}

fn collision(r: &mut Reader<'_>, word: &str, ident: &Ident) {
    let name = bare(ident);
    let what = format!("two names collide in the generated API: {word} `{name}` and the built-in method `{name}()`");
    r.report(Message::new(Id::M0106, ident, what).help(format!("rename it, e.g. `{name}_0` or `e_total`")));
}

/// Has the generated API a method of this name?
pub(crate) fn reserved(ident: &Ident) -> bool {
    let name = bare(ident);
    METHODS.contains(&name.as_str()) || BUILDER.contains(&name.as_str()) || name.starts_with("set_")
}
