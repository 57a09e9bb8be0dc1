//! The texts of a model: names of scalars, the mathematics, the operation listing, sparsity. Users read and snapshot
//! them.

mod equations;
mod letters;
mod listing;
mod names;
mod page;
mod sheet;
mod summary;

pub use names::Names;

use crate::derive::Equations;
use crate::lower::Program;
use crate::model::Model;

use letters::Letters;
use page::{Latex, MathMl, Plain};
use sheet::Sheet;

/// The texts of a model.
pub struct Description {
    /// M, f, Φ, G and the rest, as mathematics
    pub equations: String,
    /// every kernel as a listing, with the user's line for each statement
    pub listing: String,
    /// the struct's page in rustdoc
    pub documentation: Documentation,
}

/// What the struct's documentation has, in Markdown.
pub struct Documentation {
    /// coordinates, parameters, constraints, outputs
    pub before: String,
    /// the equations as text, for editors
    pub text: String,
    /// the equations in MathML, for browsers
    pub typeset: String,
    /// sparsity and cost
    pub after: String,
}

/// Describes a model. Cannot fail.
pub(crate) fn describe(model: &Model, e: &Equations, program: &Program, names: &Names) -> Description {
    let (sheet, letters) = (Sheet::of(model, e, names), Letters::of(model, names));
    let equations = equations::write(&sheet, &e.graph, names, letters.part(), Plain::default(), usize::MAX);
    let page = MathMl::new(&letters);
    Description {
        listing: listing::listing(model, program, names),
        documentation: Documentation {
            before: summary::before(model),
            text: summary::block(&equations),
            typeset: equations::write(&sheet, &e.graph, names, letters.part(), page, summary::LINES),
            after: summary::after(model, e, program, names),
        },
        equations,
    }
}

/// The equations of a model in LaTeX.
pub(crate) fn latex(model: &Model, e: &Equations, names: &Names) -> String {
    let (sheet, letters) = (Sheet::of(model, e, names), Letters::of(model, names));
    equations::write(&sheet, &e.graph, names, letters.part(), Latex::new(&letters), usize::MAX)
}
