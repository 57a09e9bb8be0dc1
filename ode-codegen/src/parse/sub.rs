//! `sub motor: DcMotor<T> with { r: 0.5 };` and the models that are known under such types.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Expr, LitInt, Path, PathArguments, Token};

use super::ast::{Kind, Model};
use super::input::{Parsed, braces, brackets, eat_word, expression, name, unexpected};
use super::{sets, types, words};
use crate::diagnostics::{Id, Message, compact, text};
use crate::identifier::bare;

/// `sub motor: DcMotor<T> with { r: 0.5 };`, `sub motor[joints]: DcMotor<T>;` of each member of a set
#[derive(Clone)]
pub struct Sub {
    /// the name
    pub name: Ident,
    /// the set that has one for each member
    pub over: Option<Ident>,
    /// the child's path without arguments: the struct's, and that of the macro that carries its text
    pub path: Path,
    /// the child's type as written, with its argument
    pub ty: Path,
    /// `[Wheel<T>; 4]`: how many
    pub count: Option<usize>,
    /// parameters given here
    pub with: Vec<(Ident, Expr)>,
    /// only what it declares is read: its items stand in another element of a model with sets
    pub declared: bool,
}

/// The model of a sub.
pub struct Child {
    /// what its macro gave: `@compose { model } { sub } …`, or the model alone
    pub tokens: TokenStream,
    /// the model; `None` if it has mistakes, which are reported where it is written
    pub model: Option<Model>,
    /// why a model without mistakes cannot be read here
    pub unread: Option<String>,
}

impl Sub {
    /// The argument between `<` and `>`.
    pub fn argument(&self) -> Option<String> {
        match self.ty.segments.last().map(|s| &s.arguments) {
            Some(PathArguments::AngleBracketed(arguments)) => Some(compact(&arguments.args)),
            _ => None,
        }
    }

    /// The child's name: the last word of its path.
    pub fn child(&self) -> String {
        self.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default()
    }
}

impl Model {
    /// One sub for each model it is composed of, in the order of the text. A model is no part of itself.
    pub fn parts(&self) -> Vec<&Sub> {
        let mut parts: Vec<&Sub> = Vec::new();
        for item in &self.items {
            let Kind::Sub(sub) = &item.kind else { continue };
            if !self.recursive(sub) && !parts.iter().any(|p| same(p, sub)) {
                parts.push(sub);
            }
        }
        parts
    }

    /// Is the sub a model of this one's own name, in its own module?
    pub fn recursive(&self, sub: &Sub) -> bool {
        let Some(name) = &self.name else { return false };
        let words: Vec<&Ident> = sub.path.segments.iter().map(|s| &s.ident).collect();
        match words.as_slice() {
            [word] => *word == name || *word == "Self",
            [first, word] => *first == "self" && *word == name,
            _ => false,
        }
    }

    /// The model of a sub; an error where there is none to read (M0803, M0810), without a message where that model has
    /// mistakes, which are reported where it is written.
    pub fn known(&self, sub: &Sub) -> Result<&Model, Option<Message>> {
        let name = sub.child();
        if self.recursive(sub) {
            let what = format!("sub-model `{name}` contains `{name}`: recursive composition");
            let message = Message::new(Id::M0803, &sub.path, what);
            return Err(Some(message.note("a sub is part of its model, so a model cannot contain itself")));
        }
        let Some(child) = self.child(sub) else {
            let what = format!("the model `{}` is not known here", text(&sub.path));
            let message = Message::new(Id::M0810, &sub.path, what);
            let why = "`model!` finds it through its macro; a text is expanded with the models that it contains";
            return Err(Some(message.note(why)));
        };
        if let Some(why) = &child.unread {
            let message = Message::new(Id::M0810, &sub.path, format!("the model `{name}` cannot be read here: {why}"));
            return Err(Some(message.help("compile both models with one version of the crate")));
        }
        match &child.model {
            Some(model) if model.has_sets() => {
                let instead = format!("the items of `{name}` in this model");
                Err(Some(words::refuse(&sub.path, "sub", "subs that have sets themselves", &instead)))
            }
            model => model.as_ref().ok_or(None),
        }
    }

    /// The model of a sub, if it is known.
    pub fn child(&self, sub: &Sub) -> Option<&Child> {
        let at = self.parts().iter().position(|p| same(p, sub))?;
        self.children.get(at)
    }
}

/// The expression of a name in `with`.
pub(crate) fn given<'a>(with: &'a [(Ident, Expr)], name: &Ident) -> Option<&'a Expr> {
    with.iter().find(|(n, _)| bare(n) == bare(name)).map(|(_, expr)| expr)
}

/// Is an expression made of numbers alone, with or without units? What `with` gives is a default then.
pub(crate) fn is_constant(expr: &Expr) -> bool {
    fn names(tokens: TokenStream) -> bool {
        let mut tokens = tokens.into_iter().peekable();
        let mut field = false;
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(ident) => {
                    let called = matches!(tokens.peek(), Some(TokenTree::Group(_)));
                    if !field && !called && ident != "PI" && ident != "TAU" {
                        return true;
                    }
                    field = false;
                }
                TokenTree::Group(group) => {
                    field = false;
                    if names(group.stream()) {
                        return true;
                    }
                }
                TokenTree::Punct(p) => field = p.as_char() == '.',
                TokenTree::Literal(_) => field = false,
            }
        }
        false
    }
    !names(expr.to_token_stream())
}

fn same(a: &Sub, b: &Sub) -> bool {
    compact(&a.path) == compact(&b.path)
}

/// The text after `sub`.
pub(super) fn sub(input: ParseStream<'_>) -> Parsed<Sub> {
    let name = name(input, "sub")?;
    let over = match input.peek(syn::token::Bracket) {
        true => Some(sets::of_members(input, &name)?),
        false => None,
    };
    let form = format!("`: Model`, as in `sub {name}: Model<T>;`");
    input.parse::<Token![:]>().map_err(|_| unexpected(input, &form))?;
    let (ty, count) = match input.peek(syn::token::Bracket) {
        true if over.is_some() => {
            let instead = "a sub of its own for each, `sub left[carts]: Wheel; sub right[carts]: Wheel;`";
            return Err(words::refuse(&name, &name.to_string(), "arrays of subs of each member", instead));
        }
        true => array(input)?,
        false => (model(input)?, None),
    };
    let mut path = ty.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = PathArguments::None;
    }
    if let Some(inner) = path.segments.iter().find(|s| !s.arguments.is_none()) {
        return Err(Message::new(Id::M0007, inner, "only the last word of a model's path has an argument"));
    }
    let mut with = Vec::new();
    if eat_word(input, "with").is_some() {
        let content = braces(input)?;
        while !content.is_empty() {
            let field = content.call(Ident::parse_any)?;
            content.parse::<Token![:]>().map_err(|_| unexpected(&content, &format!("`:` after `{field}`")))?;
            with.push((field, expression(&content, "after `:`")?));
            if !content.is_empty() {
                content.parse::<Token![,]>().map_err(|_| unexpected(&content, "`,`"))?;
            }
        }
    }
    Ok(Sub { name, over, path, ty, count, with, declared: false })
}

fn model(input: ParseStream<'_>) -> Parsed<Path> {
    if !(input.peek(Ident::peek_any) || input.peek(Token![::])) {
        return Err(unexpected(input, "the path of a model, such as `DcMotor<T>`"));
    }
    Ok(input.parse()?)
}

/// `[Wheel<T>; 4]`
fn array(input: ParseStream<'_>) -> Parsed<(Path, Option<usize>)> {
    let content = brackets(input)?;
    let ty = model(&content)?;
    content.parse::<Token![;]>().map_err(|_| unexpected(&content, "`; 4`, the number of subs"))?;
    if !content.peek(LitInt) {
        let token: TokenStream = content.parse()?;
        return Err(types::const_generic(&token));
    }
    let literal: LitInt = content.parse()?;
    let count: usize = literal.base10_parse()?;
    if !(1..=MOST).contains(&count) {
        let message = Message::new(Id::M0108, literal.to_token_stream(), format!("an array of {count} subs"));
        return Err(message.note(format!("an array has 1 to {MOST} subs; each is unrolled")));
    }
    match content.is_empty() {
        true => Ok((ty, Some(count))),
        false => Err(unexpected(&content, "`]`")),
    }
}

/// Most subs of one array.
const MOST: usize = 256;
