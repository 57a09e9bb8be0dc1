//! The shadow of a model: the user's own tokens as Rust for an editor. It never runs, and rustc never asks for it: the
//! expansion of a model holds a call that makes it, which exists only for `cfg(rust_analyzer)`; see `emit::carrier`.
//!
//! An editor follows a token of the model to the tokens of the expansion with the same span, and analyses those. So
//! every name is declared once, as a documented constant with the user's token, and every expression follows `let _ =`,
//! over one type, `Quantity`. Constants have documentation, are visible in nested functions and need no order. A `let`
//! cannot shadow them, so arguments, indices and `let`s of blocks are constants too, each in a scope of its own. The
//! documentation repeats the text, so it follows the expressions: to complete a word, an editor adds letters to it, and
//! finds the place in the shadow only if nothing before it has changed.
//!
//! It is made from tokens, not from the syntax tree: a model that is being typed is always wrong somewhere, but its
//! names and expressions must be found. Unknown items contribute their expressions.

mod expression;
mod item;

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::parse::{self, ast};

/// The shadow of a model; nothing where its text has no body.
pub(crate) fn shadow(ast: &ast::Model) -> TokenStream {
    let body = ast.tokens.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
        _ => None,
    });
    let Some(body) = body else { return TokenStream::new() };
    let facade = super::carrier::facade(ast);
    let scalar = ast.scalar.as_ref().map(|t| quote! { type #t = f64; });
    let mut shadow = Shadow::default();
    let mut scope = Scope::default();
    for length in &ast.lengths.params {
        scope.declare(&length.ident, &doc(&format!("`{}`", crate::diagnostics::text(length))));
    }
    shadow.items(body, &mut scope);
    for (ident, docs) in std::mem::take(&mut shadow.lists) {
        scope.declare(&ident, &docs);
    }
    let labels = shadow.labels(&scope);
    let (names, statements, units) = (&scope.names, &scope.statements, &shadow.units);
    quote! { #facade::runtime::__shadow! { { #scalar #statements #names #labels } { #units } } }
}

/// The parts collected for the whole model.
#[derive(Default)]
struct Shadow {
    /// names of items that expressions do not read, or only by their fields: they are found last
    labels: Vec<(Ident, TokenStream)>,
    /// names of lists, whose members are defined in loops and read anywhere
    lists: Vec<(Ident, TokenStream)>,
    /// names of sub-models, whose parts only their own model knows
    subs: BTreeSet<String>,
    /// units, which have names of their own
    units: TokenStream,
}

/// Names and statements of one pair of braces.
#[derive(Default)]
struct Scope {
    taken: BTreeSet<String>,
    names: TokenStream,
    statements: TokenStream,
}

impl Scope {
    /// A documented constant for the name. A name that is taken gets a hidden one.
    fn declare(&mut self, ident: &Ident, docs: &TokenStream) {
        let constant = constant(ident, docs);
        if self.taken.insert(ident.to_string()) {
            self.names.extend(constant);
        } else {
            self.names.extend(quote! { { #constant } });
        }
    }

    /// The scope as a block.
    fn block(&self) -> TokenStream {
        let (names, statements) = (&self.names, &self.statements);
        quote! { { #statements #names } }
    }
}

/// Nothing for a word that Rust reserves, which has been reported.
fn constant(ident: &Ident, docs: &TokenStream) -> TokenStream {
    if syn::parse2::<Ident>(ident.to_token_stream()).is_err() {
        return TokenStream::new();
    }
    quote! { #docs const #ident: __Q = __Q; }
}

/// A text as documentation.
fn doc(text: &str) -> TokenStream {
    quote! { #[doc = #text] }
}

impl Shadow {
    fn items(&mut self, body: TokenStream, scope: &mut Scope) {
        let items: Vec<Vec<TokenTree>> = parse::pieces(body).into_iter().map(|i| i.into_iter().collect()).collect();
        for pair in items.iter().flat_map(|i| i.windows(2)) {
            if let [TokenTree::Ident(word), TokenTree::Ident(name)] = pair
                && word == "sub"
            {
                self.subs.insert(name.to_string());
            }
        }
        for item in &items {
            self.item(item, scope);
        }
    }

    /// Labels beside the names of the model, where `rod.lambda` finds them.
    fn labels(&mut self, scope: &Scope) -> TokenStream {
        let mut own = Scope { taken: scope.taken.clone(), ..Scope::default() };
        for (ident, docs) in std::mem::take(&mut self.labels) {
            own.declare(&ident, &docs);
        }
        own.names
    }
}

/// The group's delimiters around other tokens.
fn regroup(group: &Group, inner: TokenStream) -> TokenTree {
    let mut made = Group::new(group.delimiter(), inner);
    made.set_span(group.span());
    TokenTree::Group(made)
}

fn is_punct(token: &TokenTree, ch: char) -> bool {
    matches!(token, TokenTree::Punct(p) if p.as_char() == ch)
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

fn group_of(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<&Group> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

/// The value that stands for every number.
fn quantity() -> TokenTree {
    TokenTree::Ident(crate::identifier::identifier("__Q", Span::call_site()))
}
