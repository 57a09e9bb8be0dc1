//! The generated code as formatted source, for snapshots.

use std::fmt;
use std::path::Path;

use quote::ToTokens;
use syn::visit::Visit;

use crate::describe::Form;
use proc_macro2::TokenStream;

/// Why no source could be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum SourceError {
    /// the file cannot be read
    Read(std::io::Error),
    /// the file is not Rust, or a model in it has mistakes
    Syntax(syn::Error),
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "cannot read the file: {error}"),
            Self::Syntax(error) => {
                let at = error.span().start();
                write!(f, "{}:{}: {error}", at.line, at.column + 1)
            }
        }
    }
}

impl std::error::Error for SourceError {}

/// What every `model! { … }` in a file expands to, in order, formatted; without the self-test, which is not part of a
/// user's program.
///
/// # Errors
/// The file cannot be read or parsed, or a model in it has mistakes.
pub fn expand_file(path: impl AsRef<Path>) -> Result<String, SourceError> {
    expand_source(&std::fs::read_to_string(path).map_err(SourceError::Read)?)
}

/// As [`expand_file`], of a text. A model may hold those of the same text.
///
/// # Errors
/// The text cannot be parsed, or a model in it has mistakes.
pub fn expand_source(text: &str) -> Result<String, SourceError> {
    let mut out = String::new();
    for tokens in texts(text)? {
        let expansion = match crate::expand_sets(&tokens) {
            Some(expansion) => expansion.map_err(SourceError::Syntax)?,
            None => {
                let mut compiled = crate::compile(tokens).map_err(SourceError::Syntax)?;
                compiled.model.header.options.selftest = false;
                compiled.emit()
            }
        };
        out.push_str(&prettyplease::unparse(&syn::parse2(expansion).map_err(SourceError::Syntax)?));
    }
    Ok(out)
}

/// The equations of every `model! { … }` in a file as LaTeX, in order: what `EQUATIONS` says, K and D, for a document
/// with the package amsmath whose pages are as wide as those of an article at 10 points. Names with other letters than
/// Latin and Greek ones need LuaLaTeX or XeLaTeX, and a font that has them. Models with sets are left out: they have
/// the equations of their members.
///
/// # Errors
/// The file cannot be read or parsed, or a model in it has mistakes.
pub fn latex_file(path: impl AsRef<Path>) -> Result<String, SourceError> {
    latex_source(&std::fs::read_to_string(path).map_err(SourceError::Read)?)
}

/// As [`latex_file`], of a text. A model may hold those of the same text.
///
/// # Errors
/// The text cannot be parsed, or a model in it has mistakes.
pub fn latex_source(text: &str) -> Result<String, SourceError> {
    let spelled = |tokens| crate::compile(tokens).map(|compiled| compiled.spelled(Form::Latex).text);
    let alone = texts(text)?.into_iter().filter(|tokens| !crate::has_sets(tokens));
    let texts: Result<Vec<String>, _> = alone.map(spelled).collect();
    Ok(texts.map_err(SourceError::Syntax)?.join("\n"))
}

/// The models of a text, each with those that are composed with it.
fn texts(text: &str) -> Result<Vec<TokenStream>, SourceError> {
    let file = syn::parse_file(text).map_err(SourceError::Syntax)?;
    let mut models = Models(Vec::new());
    models.visit_file(&file);
    Ok(models.0.iter().map(|tokens| crate::parse::with_parts(tokens, &models.0)).collect())
}

/// The token streams of `model!` invocations.
struct Models(Vec<TokenStream>);

impl<'ast> Visit<'ast> for Models {
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        if mac.path.segments.last().is_some_and(|s| s.ident == "model") {
            self.0.push(mac.tokens.to_token_stream());
        }
    }
}
