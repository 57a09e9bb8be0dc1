//! Program → tokens: the struct, its typed blocks, its roles, its matrices and its texts. One file for each emitted
//! item.

mod blocks;
mod body;
pub(crate) mod carrier;
mod code;
mod events;
mod external;
mod family;
mod generics;
mod methods;
mod motion;
mod observed;
mod optimizable;
mod picture;
mod prepared;
mod products;
mod roles;
mod sensitive;
mod shadow;
mod shapes;
mod solves;
mod statements;
mod structure;
mod subs;
mod texts;
mod warnings;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use crate::describe::{Description, Names};
use crate::diagnostics::Warning;
use crate::identifier::{identifier, unraw};
use crate::lower::{Call, Program};
use crate::model::{Model, Param, Sub};

use code::{Code, Flavour, Lengths};

pub(crate) use family::{Assembled, family, shape as family_shape};
pub(crate) use shadow::shadow;
pub(crate) use structure::module_name;

/// What the self-test evaluates with dual numbers: values. Their derivatives come with the numbers, so a twin has none
/// of its own; what a trait asks for beside these is empty there, and is not called.
const EVALUATED: [Call; 10] = [
    Call::Prepare,
    Call::Forward,
    Call::Residual,
    Call::Constraint,
    Call::Outputs,
    Call::Guards,
    Call::Reset,
    Call::Conditions,
    Call::Guess,
    Call::MomentumRate,
];

/// What a struct is for, which says how much it has beside its kernels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// a user's model
    Model,
    /// the generic twin of an f64 struct, which the self-test evaluates
    Twin,
    /// what stands beside the loops of a model with sets, which is asked for what is over no set
    Beside,
    /// one loop of a model with sets
    Element,
    /// a coordinate of a model with sets, alone: only how it moves
    Field,
}

/// Everything an item is emitted from.
pub(crate) struct Emission<'a> {
    /// the model as it was meant
    pub model: &'a Model,
    /// what it does
    pub program: &'a Program,
    /// its names
    pub names: &'a Names,
    /// its texts; nobody reads those of an element of a model with sets
    pub description: Option<&'a Description>,
}

/// The spellings all items share.
struct Context<'a> {
    e: &'a Emission<'a>,
    flavour: Flavour,
    /// path of the runtime
    rt: String,
    /// name of the generated module
    module: String,
    /// the struct's name
    name: String,
    /// the name that errors say
    title: String,
    /// the same as a token, the user's where there is one
    ident: syn::Ident,
    /// its const generics
    lengths: crate::model::SetLengths,
    /// the parameters of subs are its own fields, as in a twin with another scalar and in elements of models with sets
    flat: bool,
    /// its visibility
    vis: syn::Visibility,
    /// attributes of every item but those of the struct alone
    attributes: TokenStream,
    purpose: Purpose,
}

impl<'a> Context<'a> {
    fn new(e: &'a Emission<'a>, flavour: Flavour) -> Self {
        let header = &e.model.header;
        Self {
            e,
            flavour,
            rt: format!("{}::runtime", header.options.facade.to_token_stream()).replace(' ', ""),
            module: module_name(&header.name.to_string()),
            name: header.name.to_string(),
            title: header.name.to_string(),
            ident: header.name.clone(),
            lengths: header.lengths.clone(),
            flat: false,
            vis: header.vis.clone(),
            attributes: TokenStream::new(),
            purpose: Purpose::Model,
        }
    }

    /// A part of a model with sets, whose name errors say.
    fn of_part(e: &'a Emission<'a>, purpose: Purpose, title: &str) -> Self {
        Self {
            purpose,
            title: title.to_owned(),
            flat: true,
            attributes: quote! { #[doc(hidden)] #[allow(dead_code, missing_docs, non_snake_case)] },
            ..Self::new(e, flavour(e))
        }
    }

    /// The generic twin of an f64 struct, beside it and only in tests: paths mean the same as in the model.
    fn twin(e: &'a Emission<'a>) -> Self {
        let mut twin = Self::new(e, Flavour::Generic("T".to_owned()));
        twin.name = format!("__{}Twin", unraw(&twin.name));
        twin.ident = identifier(&twin.name, Span::call_site());
        twin.module = format!("__{}_twin", unraw(&twin.module));
        twin.vis = syn::Visibility::Inherited;
        twin.flat = true;
        twin.purpose = Purpose::Twin;
        twin.attributes = quote! { #[cfg(test)] #[doc(hidden)] #[allow(dead_code, unused, missing_docs)] };
        twin
    }

    /// Are matrices stored without their zeros?
    fn is_sparse(&self) -> bool {
        self.e.program.layout.sparse
    }

    /// The type of a block without names: an array, on the heap where there are many.
    fn array(&self, len: usize) -> String {
        self.array_of(self.real(), len)
    }

    /// The same of other numbers.
    fn array_of(&self, number: &str, len: usize) -> String {
        if self.is_sparse() { format!("{}::Boxed<{number}, {len}>", self.rt) } else { format!("[{number}; {len}]") }
    }

    /// Items that need the runtime's feature `sparse`; without it they are left out.
    fn with_feature(&self, items: String) -> String {
        if self.is_sparse() { format!("{}::if_sparse! {{ {items} }}", self.rt) } else { items }
    }

    fn real(&self) -> &str {
        self.flavour.real()
    }

    /// Parameters that are fields of the struct itself.
    fn own(&self) -> impl Iterator<Item = &'a Param> {
        let (model, flat) = (self.e.model, self.flat);
        model.declared.params.iter().filter(move |p| flat || !model.nested(&p.declared.ident))
    }

    /// Fields of the struct that hold subs.
    fn subs(&self) -> &'a [Sub] {
        if self.flat { &[] } else { &self.e.model.declared.subs }
    }

    /// No field has the struct's type parameter.
    fn unused_scalar(&self) -> bool {
        self.flavour != Flavour::Concrete && self.own().next().is_none() && self.subs().is_empty()
    }

    fn number(&self, value: f64) -> String {
        match &self.flavour {
            Flavour::Concrete => format!("{value:?}"),
            Flavour::Generic(t) => format!("{t}::from_f64({value:?})"),
        }
    }

    /// The numbers of a record where nothing is said.
    fn origin(&self, record: &str) -> String {
        let numbers = self.e.program.record(record).map_or(&[][..], |r| &r.origin);
        numbers.iter().map(|x| self.number(*x)).collect::<Vec<_>>().join(", ")
    }

    /// Is this a user's, with names, texts and methods?
    fn is_model(&self) -> bool {
        self.purpose == Purpose::Model
    }

    /// Is this the generic twin of an f64 struct, whose external functions are over f64?
    fn is_twin(&self) -> bool {
        self.purpose == Purpose::Twin
    }

    /// Is this a part of a model with sets, which nobody sees?
    fn is_hidden(&self) -> bool {
        self.is_element() || self.purpose == Purpose::Field
    }

    /// Is this an element of a model with sets?
    fn is_element(&self) -> bool {
        matches!(self.purpose, Purpose::Beside | Purpose::Element)
    }

    /// Is this asked for the bounds of inputs?
    fn bounds_inputs(&self) -> bool {
        matches!(self.purpose, Purpose::Model | Purpose::Beside)
    }

    /// Whether the item has the kernel of a call, if the model has it.
    fn has(&self, call: Call) -> bool {
        match self.purpose {
            Purpose::Model => true,
            Purpose::Twin => EVALUATED.contains(&call),
            Purpose::Element if call == Call::Bounds => self.e.program.len("H") > 0,
            Purpose::Beside | Purpose::Element => call.is_of_elements(self.e.model.header.is_varied()),
            Purpose::Field => false,
        }
    }

    /// Does it refuse parameters? The whole asks `Beside` for those that are over no set, and sees itself whether those
    /// of members are finite.
    fn is_checked(&self) -> bool {
        match self.purpose {
            Purpose::Model | Purpose::Beside => true,
            Purpose::Element => !self.e.model.requires.is_empty(),
            Purpose::Twin | Purpose::Field => false,
        }
    }

    /// A call of a kernel, with the caller's expression for each array; empty if the item does not have it.
    fn call(&self, call: Call, expression: impl Fn(&str) -> String) -> String {
        if !self.has(call) {
            return String::new();
        }
        self.code().call(&self.e.program[call], expression)
    }

    fn code(&self) -> Code<'_> {
        let (m, program) = (self.e.model, self.e.program);
        let forward = &program[Call::Forward];
        Code {
            flavour: &self.flavour,
            names: self.e.names,
            parameters: shapes::parameter_fields(m, self.flat).into(),
            lengths: Lengths {
                nq: m.nq(),
                nv: m.nv(),
                nz: m.nz(),
                modes: m.modes(),
                nu: m.nu(),
                nc: m.nc(),
                turns: program.turns(),
                rows: program.len("Rows"),
                all_rows: m.nv() + m.nz() + 3 * m.nc(),
                columns: program.len("Direction"),
                all_columns: 3 * m.nv() + m.nz() + m.nc() + m.nu() + 1,
                prepared: program[Call::Prepare].len("values"),
                mass: forward.len("mass"),
                jacobian: forward.len("jacobian"),
                tangent: program[Call::Tangent].len("tangent"),
                factor: 0,
                unknowns: m.nc(),
            },
            lanes: None,
            blocks: solves::blocks(self).into(),
            fused: false,
            always: self.is_hidden(),
        }
    }
}

/// Concrete numbers, or a type parameter.
fn flavour(e: &Emission<'_>) -> Flavour {
    match &e.model.header.scalar {
        Some(t) => Flavour::Generic(t.to_string()),
        None => Flavour::Concrete,
    }
}

/// The whole expansion.
pub(crate) fn emit(e: &Emission<'_>, warnings: &[Warning]) -> TokenStream {
    let header = &e.model.header;
    let cx = Context::new(e, flavour(e));
    let structure = structure::structure(&cx);
    let core = core(&cx);
    let texts = texts::texts(&cx);
    let warnings = warnings::warnings(warnings);
    let selftest = header.options.selftest.then(|| selftest(e, &cx));
    let needs = needs_sparse(&cx);
    quote! {
        #needs
        #structure
        #core
        #texts
        #warnings
        #selftest
    }
}

/// A part of a model with sets: a struct without a page, texts, builder and solvers.
fn part(e: &Emission<'_>, purpose: Purpose, title: &str) -> TokenStream {
    let cx = Context::of_part(e, purpose, title);
    let (structure, core) = (structure::structure(&cx), core(&cx));
    quote! { #structure #core }
}

/// An error at the model's name where its matrices are sparse and the runtime has none.
fn needs_sparse(cx: &Context<'_>) -> TokenStream {
    if cx.is_sparse() { needs_sparse_at(&cx.ident, &cx.e.model.header.options.facade) } else { TokenStream::new() }
}

fn needs_sparse_at(name: &syn::Ident, facade: &syn::Path) -> TokenStream {
    let span = name.span();
    // every token of the call at the name: rustc underlines from the first to the last
    let facade = facade.to_token_stream().into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    quote_spanned! { span => #(#facade)*::runtime::needs_sparse!(); }
}

/// Module, roles and methods. A twin has only what the self-test asks for.
fn core(cx: &Context<'_>) -> TokenStream {
    let blocks = blocks::module(cx);
    let rt = &cx.rt;
    let mut items = roles::roles(cx);
    if cx.purpose != Purpose::Field {
        items += &structure::parameters(cx);
    }
    if cx.is_element() {
        items += &observed::observable(cx);
        items += &sensitive::sensitive(cx);
        items += &optimizable::optimizable(cx);
        if cx.is_checked() {
            items += &structure::checked(cx);
        }
    }
    if cx.is_model() {
        items += &cx.with_feature(solves::solves(cx) + &methods::methods(cx));
        items += &observed::observable(cx);
        items += &picture::pictured(cx);
        items += &sensitive::sensitive(cx);
        items += &optimizable::optimizable(cx);
        items += &structure::construction(cx);
    }
    let items = parse(&items);
    let (external, attributes) = (external::external(cx), &cx.attributes);
    let scalar = parse(&format!("use {rt}::Scalar as _; use {rt}::Block as _;"));
    let aliases = subs::aliases(cx);
    quote! {
        #attributes
        #blocks
        #attributes
        #[allow(
            unused, clippy::all, clippy::pedantic, clippy::nursery, missing_docs, non_snake_case,
            reason = "generated code"
        )]
        const _: () = {
            #scalar
            #external
            #aliases
            #items
        };
    }
}

/// The emitted derivative check. An f64 struct is checked against a generic twin that exists in tests only.
fn selftest(e: &Emission<'_>, cx: &Context<'_>) -> TokenStream {
    if e.model.declared.params.iter().any(|p| p.default.is_none()) {
        return TokenStream::new();
    }
    let (rt, name) = (&cx.rt, &cx.name);
    let test = identifier(&format!("__{}_derivatives", unraw(&cx.module)), Span::call_site());
    let (twin, real, dual) = match cx.flavour {
        Flavour::Generic(_) => (TokenStream::new(), format!("{name}<f64>"), format!("{name}<{rt}::Dual<f64>>")),
        Flavour::Concrete => {
            let twin = Context::twin(e);
            let (structure, core) = (structure::structure(&twin), core(&twin));
            let dual = format!("{}<{rt}::Dual<f64>>", twin.name);
            (quote! { #structure #core }, name.clone(), dual)
        }
    };
    let second = dual.replacen(&format!("{rt}::Dual<f64>"), &format!("{rt}::Dual<{rt}::Dual<f64>>"), 1);
    let products = products::selftest(cx, &real, &second);
    let call = parse(&format!("{rt}::selftest::check::<{real}, {dual}>()"));
    let partials = sensitive::is_sensitive(cx).then(|| {
        let calls = [
            parse(&format!("{rt}::selftest::check_partials::<{real}, {dual}>()")),
            parse(&format!("{rt}::selftest::check_curvature::<{real}, {second}>()")),
        ];
        quote! { #(::core::assert_eq!(#calls, ::core::result::Result::Ok(()));)* }
    });
    quote! {
        #twin
        #[cfg(test)]
        #[test]
        #[allow(unnameable_test_items)]
        fn #test() {
            ::core::assert_eq!(#call, ::core::result::Result::Ok(()));
            #partials
        }
        #products
    }
}

/// Parses text this crate has written itself.
///
/// Inside rustc this uses rustc's own lexer: proc-macro2 would check with its fallback first, which costs ten times the
/// rest.
fn parse(text: &str) -> TokenStream {
    let tokens = if proc_macro::is_available() {
        text.parse::<proc_macro::TokenStream>().ok().map(TokenStream::from)
    } else {
        text.parse::<TokenStream>().ok()
    };
    tokens.unwrap_or_else(|| {
        let message = "internal error of ode-model: the generated code does not lex";
        quote! { ::core::compile_error!(#message); }
    })
}
