//! Sums over sets, in outputs and figures beside the loops: `sum(nodes, |i| m[i] * x[i]) / sum(nodes, |i| m[i])`.
//!
//! Each sum is a loop with one hidden output, of the type and unit of what is added. The outputs and figures that read
//! sums are an element of their own, whose last parameters are these sums. So a derivative is a product of two that
//! elements have.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprCall, ExprClosure, Token};

use super::Set;
use super::held::mark;
use super::loops::{Loop, Sum, over};
use crate::diagnostics::{Errors, Id, Message};
use crate::identifier::identifier;
use crate::model::{Output, Shape};
use crate::parse::{self, ast, sets};
use ast::{Declare, Item, Kind, Name, Role, Type, TypeKind};

const SUM: &str = "sum";

/// Has the model a function of this name? What has not the form of a sum over a set is a call of it.
pub(super) fn is_declared(ast: &ast::Model) -> bool {
    ast.items.iter().any(|item| match &item.kind {
        Kind::Function(function) => function.name == SUM,
        Kind::External(function) => function.name == SUM,
        _ => false,
    })
}

/// The first sum over a set in a text.
pub(super) fn first(tokens: &TokenStream, declared: bool) -> Option<Ident> {
    let (mut rest, mut after_dot) = (tokens.clone().into_iter().peekable(), false);
    while let Some(token) = rest.next() {
        let found = match &token {
            TokenTree::Ident(name) if !after_dot => called(name, rest.peek(), declared).map(|_| name.clone()),
            TokenTree::Group(group) => first(&group.stream(), declared),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        after_dot = matches!(&token, TokenTree::Punct(p) if p.as_char() == '.');
    }
    None
}

/// The arguments of a sum, if a name and what stands behind it are one.
fn called(name: &Ident, behind: Option<&TokenTree>, declared: bool) -> Option<TokenStream> {
    let Some(TokenTree::Group(group)) = behind.filter(|_| *name == SUM) else { return None };
    let inside = (group.delimiter() == Delimiter::Parenthesis).then(|| group.stream());
    inside.filter(|inside| !declared || parts(inside).is_some())
}

/// The sums of a text become loops, with names in place of them.
pub(super) fn taken(
    tokens: &TokenStream,
    declared: bool,
    known: &[Set<'_>],
    loops: &mut Vec<Loop>,
    errors: &mut Errors,
) -> TokenStream {
    replaced(tokens, declared, &mut |name, arguments| {
        let own = hidden(loops.iter().filter(|each| each.sum == Some(Sum::Output)).count(), name.span());
        let output = |body: TokenStream| {
            let before = [identifier("output", own.span()), own.clone()].map(ToTokens::into_token_stream);
            before.into_iter().chain([mark('='), body, mark(';')]).collect()
        };
        loops.extend(added(name, arguments, (Sum::Output, &output), (known, declared), errors));
        own
    })
}

/// The first reaction or multiplier in a text: rows stand in other elements.
pub(super) fn multiplier(tokens: &TokenStream) -> Option<Ident> {
    let mut after_dot = false;
    for token in tokens.clone() {
        let found = match &token {
            TokenTree::Ident(name) => after_dot.then(|| name.clone()).filter(|n| n == "reaction" || n == "lambda"),
            TokenTree::Group(group) => multiplier(&group.stream()),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        after_dot = matches!(&token, TokenTree::Punct(p) if p.as_char() == '.');
    }
    None
}

/// The name of a sum in the texts of elements.
pub(super) fn hidden(number: usize, span: Span) -> Ident {
    identifier(&format!("__sum_{number}"), span)
}

/// A text with names in place of sums, which `see` gives.
fn replaced(tokens: &TokenStream, declared: bool, see: &mut dyn FnMut(&Ident, &TokenStream) -> Ident) -> TokenStream {
    let (mut out, mut rest, mut field) = (Vec::new(), tokens.clone().into_iter().peekable(), false);
    while let Some(token) = rest.next() {
        let after_dot = std::mem::replace(&mut field, matches!(&token, TokenTree::Punct(p) if p.as_char() == '.'));
        let called = match &token {
            TokenTree::Ident(name) if !after_dot => {
                called(name, rest.peek(), declared).map(|inside| (name.clone(), inside))
            }
            _ => None,
        };
        out.push(match (called, token) {
            (Some((name, inside)), _) => {
                rest.next();
                see(&name, &inside).into()
            }
            (None, TokenTree::Group(group)) => {
                let mut inside = proc_macro2::Group::new(group.delimiter(), replaced(&group.stream(), declared, see));
                inside.set_span(group.span());
                inside.into()
            }
            (None, token) => token,
        });
    }
    out.into_iter().collect()
}

/// The set, and what is added of each member.
fn parts(arguments: &TokenStream) -> Option<(Ident, ExprClosure)> {
    let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
    let arguments: Vec<Expr> = syn::parse::Parser::parse2(parser, arguments.clone()).ok()?.into_iter().collect();
    match <[Expr; 2]>::try_from(arguments).ok()? {
        [Expr::Path(set), Expr::Closure(each)] if each.inputs.len() == 1 => Some((set.path.get_ident()?.clone(), each)),
        _ => None,
    }
}

/// Is it the call of a sum?
pub(super) fn is_sum(call: &ExprCall, declared: bool) -> Option<Ident> {
    let Expr::Path(path) = &*call.func else { return None };
    let is_one = |name: &&Ident| **name == SUM && (!declared || parts(&call.args.to_token_stream()).is_some());
    path.path.get_ident().filter(is_one).cloned()
}

/// `sum(nodes, |i| e)` as a loop over the nodes, whose item `item` makes of e.
pub(super) fn added(
    name: &Ident,
    arguments: &TokenStream,
    (sum, item): (Sum, &dyn Fn(TokenStream) -> TokenStream),
    (known, declared): (&[Set<'_>], bool),
    errors: &mut Errors,
) -> Option<Loop> {
    let Some((set, each)) = parts(arguments) else {
        let message = Message::new(Id::M0007, name, "expected a set and what is added of each member");
        errors.report(message.help("write `sum(nodes, |i| m[i] * x[i].z)`, or `sum(edges, |e @ (i, j)| ..)`"));
        return None;
    };
    let pattern = sets::pattern(each.inputs.first()?).map_err(|message| errors.report(message)).ok()?;
    let added = each.body.to_token_stream();
    if first(&added, declared).is_some() {
        let instead = "a set of tuples, `set edges: (nodes, nodes);`, has a sum of its own";
        errors.report(parse::words::refuse(name, SUM, "sums over sets inside sums", instead));
        return None;
    }
    let body = item(added);
    if !parse::is_shallow(&body) {
        errors.report(parse::too_deep(name));
        return None;
    }
    let read = parse::again(body.clone());
    Some(Loop { sum: Some(sum), ..over(&set, &pattern, (body, read), known, errors)? })
}

/// The declaration of a sum as a parameter, from the output that it was.
pub(super) fn declared(output: &Output) -> Item {
    let of = &output.declared;
    let name = Name { ident: of.ident.clone(), velocity: None, over: None };
    let written = if of.unit.is_empty() { "1" } else { &of.unit };
    let unit = of.dimension.and_then(|_| written.parse().ok());
    let declare = Declare {
        role: Role::Param,
        names: vec![name],
        ty: Type { kind: of_shape(&of.shape), tokens: identifier("Real", of.ident.span()).into_token_stream() },
        unit: unit.map(|tokens| ast::Unit { tokens, span: of.ident.span() }),
        range: None,
        value: None,
    };
    let keyword = identifier("param", of.ident.span());
    Item { docs: Vec::new(), allows: Vec::new(), keyword, port: false, tangent: None, kind: Kind::Declare(declare) }
}

fn of_shape(shape: &Shape) -> TypeKind {
    match shape {
        Shape::Scalar => TypeKind::Real,
        Shape::Vector(n) => TypeKind::Vector(*n),
        Shape::Fields(names) => TypeKind::Vector(names.len()),
        Shape::Matrix(rows, columns) => TypeKind::Matrix(*rows, *columns),
        Shape::Array(n, inner) => TypeKind::Array(*n, Box::new(of_shape(inner))),
    }
}
