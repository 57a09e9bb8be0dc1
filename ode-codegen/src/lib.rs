//! The compiler behind `ode-model`'s `model!` macro, as an ordinary library.
//!
//! ```text
//! tokens ─parse→ ast::Model ─check→ Model ─derive→ Equations ─lower→ Program ─emit→ tokens
//! ```
//!
//! Every user error is found by `parse` or `check`, except the size budget and missing derivatives of external
//! functions, which are known after `lower`. Later phases cannot fail. The crate knows the runtime's paths, never its
//! types. It is a library so that users can snapshot the code generated for their models: `expand_file` of the feature
//! `source`. Tools that look inside find the phases in [`phases`].

extern crate proc_macro;

mod assembled;
mod chart;
mod check;
mod derive;
mod describe;
mod diagnostics;
mod emit;
mod expr;
mod external;
mod fallback;
mod families;
mod identifier;
mod lower;
mod model;
mod numbered;
mod parse;
pub mod phases;
mod places;
#[cfg(feature = "source")]
mod source;

#[cfg(feature = "source")]
pub use source::{SourceError, expand_file, expand_source, latex_file, latex_source};

use proc_macro2::TokenStream;
use quote::quote;

use derive::{Equations, Linearised};
use describe::{Description, Form, Names, Spelled};
use diagnostics::{Errors, Id, Message, Warning, lint, silence};
use expr::{Graph, RULES, Rules};
use lower::Program;
use model::{MAX_DENSE, Model};

/// Operations above which a model is reported as slow to build (M0902).
const SLOW_ABOVE: usize = 20_000;

/// A compiled model, with the result of each phase.
pub struct Compiled {
    /// what was meant
    pub model: Model,
    /// its mathematics
    pub equations: Equations,
    /// its straight-line code
    pub program: Program,
    /// its names
    pub names: Names,
    /// doubts to print
    pub warnings: Vec<Warning>,
}

impl Compiled {
    /// Everything that follows from a model; cannot fail.
    fn of(mut model: Model, warnings: Vec<Warning>) -> Self {
        let equations = derive::derive(&mut model);
        let program = {
            let branches = model.header.scalar.is_none() && !model.header.options.branch_free;
            lower::lower(&model, &equations, branches)
        };
        let names = Names::of(&model);
        Self { model, equations, program, names, warnings }
    }

    /// Its texts.
    pub fn description(&self) -> Description {
        describe::describe(&self.model, &self.equations, &self.program, &self.names)
    }

    /// K and D as expressions of the motion, which its typeset equations have.
    pub fn linearised(&self) -> Linearised {
        derive::linearised(&self.model, &self.equations)
    }

    /// Its equations as its page in rustdoc shows them: HTML.
    pub fn page(&self) -> String {
        describe::page(&self.model, &self.equations, &self.linearised(), &self.names)
    }

    /// Its equations in a form.
    pub fn spelled(&self, form: Form) -> Spelled {
        let linearised = (form != Form::Text).then(|| self.linearised());
        describe::spelled(&self.model, &self.equations, linearised.as_ref(), &self.names, form)
    }

    /// The expansion of the model.
    pub fn emit(&self) -> TokenStream {
        let Self { model, program, names, warnings, .. } = self;
        let description = &self.description();
        emit::emit(&emit::Emission { model, program, names, description: Some(description) }, warnings)
    }
}

/// Expands the tokens inside `model! { … }`. Mistakes become `compile_error!`s beside the shape of the item. Editors
/// get the shadow of the text in any case.
///
/// A model with subs whose text is not known yet expands to a request for it, and the macro of a model asks for its
/// equations, see `emit::carrier`. So does an editor for the shadow.
pub fn expand(tokens: TokenStream) -> TokenStream {
    if let Some(model) = parse::composed::asked(&tokens, parse::composed::SHADOW) {
        return emit::shadow(&parse::parse(model).0);
    }
    if let Some(model) = parse::composed::asked(&tokens, parse::composed::PAGE) {
        let page = compile(model).map(|compiled| compiled.page()).unwrap_or_default();
        return quote! { #page };
    }
    let (ast, mut errors) = parse::parse(tokens);
    if let Some(question) = emit::carrier::ask(&ast) {
        return question;
    }
    let shadow = emit::carrier::shadow(&ast);
    let item = match ast.has_sets() {
        true => assembled::expand(&ast, &mut errors),
        false => compile_checked(&ast, &mut errors, RULES).map(|compiled| compiled.emit()),
    };
    match item {
        Some(item) if errors.is_empty() => {
            let carrier = emit::carrier::carrier(&ast, true);
            quote! { #item #carrier #shadow }
        }
        _ => {
            let of_sets = if ast.has_sets() { assembled::shape(&ast) } else { None };
            let shape = of_sets.unwrap_or_else(|| fallback::shape(&ast));
            let carrier = emit::carrier::carrier(&ast, false);
            let error = errors.finish().err().map(syn::Error::into_compile_error);
            quote! { #shape #carrier #error #shadow }
        }
    }
}

/// Compiles the tokens inside `model! { … }`.
///
/// # Errors
/// Every mistake of the model, each at its tokens.
pub fn compile(tokens: TokenStream) -> Result<Compiled, syn::Error> {
    compile_with(RULES, tokens)
}

/// Does the text speak of sets?
#[cfg(feature = "source")]
fn has_sets(tokens: &TokenStream) -> bool {
    parse::parse(tokens.clone()).0.has_sets()
}

/// The expansion of a model with sets; `None` of another.
#[cfg(feature = "source")]
fn expand_sets(tokens: &TokenStream) -> Option<Result<TokenStream, syn::Error>> {
    let (ast, mut errors) = parse::parse(tokens.clone());
    ast.has_sets().then(|| {
        let expansion = assembled::expand(&ast, &mut errors);
        errors.finish().map(|()| expansion.unwrap_or_default())
    })
}

/// [`compile`] with another table of rules, so that tests can check that a wrong rule is noticed.
///
/// # Errors
/// As [`compile`].
pub fn compile_with(rules: Rules, tokens: TokenStream) -> Result<Compiled, syn::Error> {
    let (ast, mut errors) = parse::parse(tokens);
    if ast.has_sets() {
        let expansion = assembled::expand(&ast, &mut errors);
        errors.finish()?;
        let several = "a model with sets is several programs, not one";
        return Err(expansion.map_or_else(broken, |_| syn::Error::new_spanned(&ast.name, several)));
    }
    let compiled = compile_checked(&ast, &mut errors, rules);
    errors.finish()?;
    compiled.ok_or_else(broken)
}

/// What is said of a model whose mistakes are reported elsewhere.
fn broken() -> syn::Error {
    syn::Error::new(proc_macro2::Span::call_site(), "the model has no name, or one of its subs has mistakes")
}

/// The pipeline. `None` when there are errors.
fn compile_checked(ast: &parse::ast::Model, errors: &mut Errors, rules: Rules) -> Option<Compiled> {
    let (model, warnings) = check::check(ast, Graph::with_rules(rules), errors)?;
    if !errors.is_empty() {
        return None;
    }
    solvable(&model, errors)?;
    let mut compiled = Compiled::of(model, warnings);
    within_budget(&mut compiled, &ast.allows, errors)?;
    external::supplied(&compiled.model, &compiled.program, errors)?;
    Some(compiled)
}

/// M0901 and M0902: rustc takes about 0.15 ms an operation.
fn within_budget(compiled: &mut Compiled, allows: &[String], errors: &mut Errors) -> Option<()> {
    let Compiled { model, program, warnings, .. } = compiled;
    let (ops, limit) = (program.ops().total(), model.header.options.max_ops);
    let name = &model.header.name;
    if ops > limit {
        let mut kernels: Vec<_> = program.counted().collect();
        kernels.sort_by_key(|k| std::cmp::Reverse(k.ops.total()));
        let largest: Vec<String> = kernels.iter().take(3).map(|k| format!("{} {}", k.name, k.ops.total())).collect();
        errors.report(
            Message::new(Id::M0901, name, format!("this model expands to {ops} operations (limit {limit})"))
                .note(format!("largest: {}", largest.join(", ")))
                .help(format!(
                    "move repeated parts to `let`, or set `#[model(max_ops = {})]`",
                    ops.next_multiple_of(10_000)
                )),
        );
        return None;
    }
    if ops > SLOW_ABOVE && !silence(allows, lint(Id::M0902)) {
        let seconds = ops as f64 * 1.5e-4;
        let text = format!("{ops} operations; expect about {seconds:.1} s of release build time for this model");
        let lines = ["help: name repeated parts with `let`, or `#[allow(large_model)]`"];
        warnings.push(Warning::new(Id::M0902, name.span(), text, &lines));
    }
    Some(())
}

/// M0905: dense solvers have static sizes. Known before the work of deriving the equations.
fn solvable(model: &Model, errors: &mut Errors) -> Option<()> {
    if model.is_sparse() || model.unknowns() <= MAX_DENSE {
        return Some(());
    }
    let (nv, nc) = (model.nv(), model.nc());
    let conditions = model.unknowns() - nv - nc;
    let message = format!("this model has {nv} velocities and {nc} constraint rows");
    errors.report(
        Message::new(Id::M0905, &model.header.name, message)
            .note(format!(
                "with its {conditions} exact initial conditions a solve has more than {MAX_DENSE} unknowns, the limit of \
                 `storage = dense`"
            ))
            .help("leave the option out: large models are sparse"),
    );
    None
}
