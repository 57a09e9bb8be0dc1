//! The texts of a model: names of scalars, the mathematics, the operation listing, sparsity. Users read and snapshot
//! them.

mod equations;
mod letters;
mod listing;
mod names;
mod page;
mod shared;
mod sheet;
mod summary;
mod units;

pub use names::Names;
pub(crate) use units::Units;

use crate::derive::Equations;
use crate::expr::{Graph, Symbol};
use crate::lower::Program;
use crate::model::Model;

use letters::Letters;
use page::{Latex, MathMl, Page, Plain};
use sheet::Sheet;

/// So many lines of equations are typeset: a browser shows them at once, and only rustdoc writes them.
const TYPESET_LINES: usize = 600;

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
    /// sparsity and cost
    pub after: String,
}

/// How equations are spelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// text, as in `EQUATIONS`
    Text,
    /// LaTeX, for documents with the package amsmath
    Latex,
    /// HTML with MathML
    MathMl,
}

/// The equations of a model in a form.
pub struct Spelled {
    /// all of them
    pub text: String,
    /// how the symbols are spelled
    pub names: Vec<(Symbol, String)>,
}

/// What the equations are written from.
struct Writer<'a> {
    sheet: Sheet,
    letters: Letters,
    /// of parameters among factors
    places: Vec<u32>,
    graph: &'a Graph,
    names: &'a Names,
}

impl<'a> Writer<'a> {
    fn new(model: &Model, e: &'a Equations, names: &'a Names) -> Self {
        let letters = Letters::of(model, names);
        let (sheet, places) = (Sheet::of(model, e, names, &letters), units::places(model));
        Self { sheet, letters, places, graph: &e.graph, names }
    }

    fn write(&self, page: impl Page, most: usize) -> String {
        equations::write(&self.sheet, self.graph, self.names, (self.letters.part(), &self.places), page, most)
    }

    fn spelled(&self, page: impl Page) -> Spelled {
        let names = self.names.symbols().map(|(symbol, name)| (symbol, page.name(name))).collect();
        Spelled { names, text: self.write(page, usize::MAX) }
    }
}

/// Describes a model. Cannot fail.
pub(crate) fn describe(model: &Model, e: &Equations, program: &Program, names: &Names) -> Description {
    let writer = Writer::new(model, e, names);
    let equations = writer.write(Plain::default(), usize::MAX);
    Description {
        listing: listing::listing(model, program, names),
        documentation: Documentation {
            before: summary::before(model),
            text: summary::block(&equations),
            after: summary::after(model, e, program, names),
        },
        equations,
    }
}

/// The equations of a model as its page in rustdoc shows them.
pub(crate) fn page(model: &Model, e: &Equations, names: &Names) -> String {
    let writer = Writer::new(model, e, names);
    writer.write(MathMl::new(&writer.letters), TYPESET_LINES)
}

/// The equations of a model in a form.
pub(crate) fn spelled(model: &Model, e: &Equations, names: &Names, form: Form) -> Spelled {
    let writer = Writer::new(model, e, names);
    match form {
        Form::Text => writer.spelled(Plain::default()),
        Form::Latex => writer.spelled(Latex::new(&writer.letters)),
        Form::MathMl => writer.spelled(MathMl::new(&writer.letters)),
    }
}
