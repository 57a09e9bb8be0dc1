//! The texts of a model: names of scalars, the mathematics, the operation listing, sparsity. Users read and snapshot
//! them.

mod equations;
mod letters;
mod linearised;
mod listing;
mod names;
mod page;
mod shared;
mod sheet;
mod summary;
mod units;

pub use names::Names;
pub(crate) use units::Units;

use crate::derive::{Equations, Linearised};
use crate::expr::{Graph, Symbol};
use crate::lower::Program;
use crate::model::Model;

use equations::Source;
use letters::Letters;
use page::{Latex, MathMl, Page, Plain};
use sheet::Sheet;

/// So many lines of equations are typeset: a browser shows them at once, and only rustdoc writes them.
const TYPESET_LINES: usize = 600;

/// So many lines of K and D follow, with the terms that they share.
const LINEARISED_LINES: usize = 300;

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

    /// With K and D, up to so many lines.
    fn linearised(mut self, model: &Model, linearised: &'a Linearised, most: usize) -> Self {
        let chapter = linearised::chapter(model, linearised, &self.sheet, (self.names, &self.letters), most);
        self.sheet.chapters.push(chapter);
        Self { graph: &linearised.graph, ..self }
    }

    fn write(&self, page: impl Page, most: usize) -> String {
        let Self { graph, names, places, .. } = self;
        equations::write(&self.sheet, &Source { graph, names, part: self.letters.part(), places }, page, most)
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
pub(crate) fn page(model: &Model, e: &Equations, linearised: &Linearised, names: &Names) -> String {
    let writer = Writer::new(model, e, names).linearised(model, linearised, LINEARISED_LINES);
    writer.write(MathMl::new(&writer.letters), TYPESET_LINES)
}

/// The equations of a model in a form, with K and D if they are given.
pub(crate) fn spelled(
    model: &Model,
    e: &Equations,
    linearised: Option<&Linearised>,
    names: &Names,
    form: Form,
) -> Spelled {
    let writer = Writer::new(model, e, names);
    let writer = match linearised {
        Some(linearised) => writer.linearised(model, linearised, usize::MAX),
        None => writer,
    };
    match form {
        Form::Text => writer.spelled(Plain::default()),
        Form::Latex => writer.spelled(Latex::new(&writer.letters)),
        Form::MathMl => writer.spelled(MathMl::new(&writer.letters)),
    }
}
