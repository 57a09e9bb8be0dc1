//! Doc comments and `#[allow(..)]` on items and on the struct.

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Lit, Meta, Path, Token};

use super::ast::Tangent;
use super::input::Parsed;
use super::words;
use crate::diagnostics::{Id, Lint, Message, lint_named, lints, similar, text};
use crate::model::Stiffness;

/// Doc comment and silenced lints of an item.
#[derive(Clone, Default)]
pub(super) struct Notes {
    /// doc comment, one line each, without the leading space
    pub(super) docs: Vec<String>,
    /// silenced lints
    pub(super) allows: Vec<String>,
    /// `#[port]`
    pub(super) port: Option<Path>,
    /// `#[inline]`
    pub(super) inline: Option<Path>,
    /// `#[tangent(psd)]`
    pub(super) tangent: Option<Tangent>,
}

/// Attributes of an item.
pub(super) fn notes(attrs: &[Attribute]) -> Parsed<Notes> {
    let mut notes = Notes::default();
    for attr in attrs {
        if let Some(line) = doc(attr) {
            notes.docs.push(line);
        } else if attr.path().is_ident("allow") {
            for path in paths(attr)? {
                notes.allows.push(lint(&path)?);
            }
        } else if attr.path().is_ident("port") && matches!(attr.meta, Meta::Path(_)) {
            notes.port = Some(attr.path().clone());
        } else if attr.path().is_ident("inline") && matches!(attr.meta, Meta::Path(_)) {
            notes.inline = Some(attr.path().clone());
        } else if attr.path().is_ident("tangent") {
            notes.tangent = Some(tangent(attr, notes.tangent.is_some())?);
        } else {
            let word = text(attr.path());
            return Err(match word.as_str() {
                "inline" | "port" | "cfg" => words::refuse(attr, &format!("#[{word}]"), "attributes of this kind", ""),
                _ => Message::new(Id::M0904, attr.path(), format!("unknown attribute `#[{word}]` on an item"))
                    .help("items take doc comments and `#[allow(..)]`"),
            });
        }
    }
    Ok(notes)
}

/// A line of a doc comment without its leading space.
pub(super) fn doc(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attr.meta else { return None };
    if !meta.path.is_ident("doc") {
        return None;
    }
    match &meta.value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(line) => {
                let line = line.value();
                Some(line.strip_prefix(' ').unwrap_or(&line).trim_end().to_owned())
            }
            _ => None,
        },
        _ => None,
    }
}

/// The stiffness of `#[tangent(psd)]`; `again` after another one.
fn tangent(attr: &Attribute, again: bool) -> Parsed<Tangent> {
    let words: Vec<&str> = Stiffness::WORDS.iter().map(|(word, _)| *word).collect();
    let listed = format!("`#[tangent(..)]` takes one of `{}`", words.join("`, `"));
    if again {
        return Err(Message::new(Id::M0904, attr, "a second stiffness of one energy").help("leave one of them out"));
    }
    let Meta::List(list) = &attr.meta else {
        return Err(Message::new(Id::M0904, attr, "`#[tangent]` does not say which stiffness").help(listed));
    };
    let Ok(word) = syn::parse2::<proc_macro2::Ident>(list.tokens.clone()) else {
        let what = format!("expected one word in `#[tangent({})]`", text(&list.tokens));
        return Err(Message::new(Id::M0904, attr, what).help(listed));
    };
    let known = Stiffness::WORDS.iter().find(|(known, _)| word == known);
    let Some(&(_, stiffness)) = known else {
        let near = similar(&word.to_string(), words.iter().copied()).map(|near| format!("did you mean `{near}`?"));
        let message = Message::new(Id::M0904, &word, format!("unknown stiffness `{word}` in `#[tangent(..)]`"));
        return Err(message.maybe_help(near).help(listed));
    };
    Ok(Tangent { word, stiffness })
}

/// The paths of `#[allow(a, b)]`.
pub(super) fn paths(attr: &Attribute) -> Parsed<Vec<Path>> {
    let parser = Punctuated::<Path, Token![,]>::parse_terminated;
    Ok(attr.parse_args_with(parser)?.into_iter().collect())
}

fn lint(path: &Path) -> Parsed<String> {
    if let Some(lint) = lint_of(path) {
        return Ok(lint.name.to_owned());
    }
    let word = text(path);
    let help = similar(&word, lints()).map(|l| format!("did you mean `{l}`?"));
    let all: Vec<&str> = lints().collect();
    Err(Message::new(Id::M0904, path, format!("unknown lint `{word}` in #[allow(..)]"))
        .maybe_help(help)
        .help(format!("lints of a model: {}", all.join(", "))))
}

/// The lint of the language that a path names.
pub(super) fn lint_of(path: &Path) -> Option<&'static Lint> {
    lint_named(&path.get_ident()?.to_string())
}
