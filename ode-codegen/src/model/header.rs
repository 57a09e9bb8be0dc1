//! The struct that a model is written as: its name, its attributes and what its options ask for.

use proc_macro2::Ident;

/// Name, attributes and options of the struct.
pub struct Header {
    /// `pub`, `pub(crate)` or nothing
    pub vis: syn::Visibility,
    /// name of the struct
    pub name: Ident,
    /// the scalar type parameter, `None` for an f64 struct
    pub scalar: Option<Ident>,
    /// the const generics
    pub lengths: SetLengths,
    /// doc comment, one line each, without the leading space
    pub docs: Vec<String>,
    /// attributes to repeat on the struct, `#[model(..)]` taken out
    pub attrs: Vec<syn::Attribute>,
    /// the options of `#[model(..)]`
    pub options: Options,
    /// a small model of a model with sets
    pub element: bool,
    /// it is evaluated for each member of a set
    pub repeated: bool,
    /// its parameters that are lengths of sets, by which nothing is differentiated
    pub counts: Vec<Ident>,
}

impl Header {
    /// Are steps and runs differentiated? Elements have what that takes only where it is asked for, since it adds
    /// half to their code.
    pub(crate) fn is_varied(&self) -> bool {
        !self.element || self.options.emit.partials
    }
}

/// The const generics of the struct: lengths of sets, which only rustc knows.
#[derive(Clone, Default)]
pub struct SetLengths {
    /// as written, in their order
    pub params: Vec<syn::ConstParam>,
    /// how many of them stand before the scalar
    pub before: usize,
    /// names of others, about which something has been said
    pub refused: Vec<Ident>,
}

/// The options of `#[model(..)]`.
pub struct Options {
    /// `derive(..)` paths for the struct
    pub derives: Vec<syn::Path>,
    /// path of the facade crate, `::ode_model` unless `crate = path`
    pub facade: syn::Path,
    /// most operations a model may expand to (M0901)
    pub max_ops: usize,
    /// emit the derivative self-test
    pub selftest: bool,
    /// further derivatives to emit
    pub emit: Emit,
    /// compute both sides of every choice
    pub branch_free: bool,
    /// what depends on parameters alone is computed when these are given
    pub prepared: bool,
    /// sines and cosines one by one, as the platform gives them
    pub platform_sines: bool,
    /// the unknowns of the equations of motion
    pub order: Order,
    /// how matrices are stored, if that is asked for
    pub storage: Option<Storage>,
}

/// How the matrices of a model are stored, and its linear systems solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// all entries
    Dense,
    /// those that are not zero by their structure
    Sparse,
}

/// Products with derivatives that are emitted when they are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Emit {
    /// J d
    pub jvp: bool,
    /// Jᵀ w
    pub vjp: bool,
    /// ∂²(w·rows) d
    pub hvp: bool,
    /// ∂²(w·rows)
    pub hessian: bool,
    /// the derivatives of every row of a model with sets; other models always have them
    pub partials: bool,
    /// what a linearised step takes, in one call
    pub linearized: bool,
}

impl Emit {
    /// Are there products, or second derivatives?
    pub(crate) fn has_products(self) -> bool {
        self.jvp || self.vjp || self.hvp || self.hessian
    }
}

/// The unknowns of the equations of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// D(q) v = f: velocities
    First,
    /// M(q) a = f: accelerations
    Second,
}
