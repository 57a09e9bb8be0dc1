//! Messages to the user: what is wrong, why, and how to mend it.
//!
//! A message underlines the user's tokens, says what is wrong in its first line and adds `note:` and `help:` lines.
//! Second places are named in the text (`declared at src/plant.rs:5:15`), because a second `compile_error!` would
//! count as another mistake.

mod catalogue;
mod lints;
mod similar;
mod words;

pub use catalogue::Id;
pub(crate) use lints::{Lint, ZERO_START, lint, lint_named, lints, silence};
pub(crate) use similar::{listed, similar};
pub use words::text;
pub(crate) use words::{compact, with_article};

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};

/// Most messages of one model that are printed.
const LIMIT: usize = 20;

/// Most messages of one model that are kept; a model with more is not one.
const KEPT: usize = 200;

/// One mistake, at the tokens that make it.
#[derive(Clone, Debug)]
pub struct Message {
    id: Id,
    tokens: TokenStream,
    what: String,
    lines: Vec<String>,
    /// start of the tokens, to order messages as the text is read
    position: (usize, usize),
}

impl Message {
    /// A message underlining `at`, with this `id`.
    pub fn new(id: Id, at: impl ToTokens, what: impl Into<String>) -> Self {
        let tokens = at.into_token_stream();
        let start = first_span(&tokens).start();
        Message { id, tokens, what: what.into(), lines: Vec::new(), position: (start.line, start.column) }
    }

    /// Adds a `note:` line: why it is wrong, with numbers and units.
    #[must_use]
    pub fn note(mut self, text: impl AsRef<str>) -> Self {
        self.lines.push(format!("note: {}", text.as_ref()));
        self
    }

    /// Adds a `help:` line: how to mend it.
    #[must_use]
    pub fn help(mut self, text: impl AsRef<str>) -> Self {
        self.lines.push(format!("help: {}", text.as_ref()));
        self
    }

    /// Adds a `help:` line if there is one.
    #[must_use]
    pub fn maybe_help(self, text: Option<String>) -> Self {
        match text {
            Some(text) => self.help(text),
            None => self,
        }
    }

    /// Which of the catalogue it is.
    pub fn id(&self) -> Id {
        self.id
    }

    /// The whole text as rustc prints it.
    pub fn text(&self) -> String {
        let mut text = format!("{} [{}]", self.what, self.id);
        for line in &self.lines {
            text.push('\n');
            text.push_str(line);
        }
        text
    }

    fn into_error(self) -> syn::Error {
        let text = self.text();
        syn::Error::new_spanned(self.tokens, text)
    }
}

/// A syntax error of the Rust parser, at its token.
impl From<syn::Error> for Message {
    fn from(error: syn::Error) -> Self {
        // A token of the span, so that `new_spanned` finds the place again.
        let (span, text) = (error.span(), error.to_string());
        let help = match text.as_str() {
            "expected curly braces" => Some("write `if c { a } else { b }`"),
            "comparison operators cannot be chained" => {
                Some("compare two at a time: `a < b && b < c`; a `limit` is `x in lo..=hi`")
            }
            "expected `,`" => Some("a product is written with `*`, and a call as `f(x)`"),
            _ => None,
        };
        Message::new(Id::M0007, quote_spanned!(span=> _), text).maybe_help(help.map(str::to_owned))
    }
}

/// The sub whose text is being read: its mistakes are shown where the user's own text names it.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    /// the user's tokens
    pub(crate) tokens: TokenStream,
    /// `leg`, `wheel[0].motor`
    pub(crate) sub: String,
    /// name of its model
    pub(crate) model: String,
}

impl Message {
    /// The message at the anchor, with the place it was found at in its text.
    pub(crate) fn moved(self, anchor: &Anchor) -> Self {
        let Anchor { tokens, sub, model } = anchor;
        let place = location(first_span(&self.tokens));
        let what = format!("sub `{sub}`: {}", self.what);
        let moved =
            Message::new(self.id, tokens, what).note(format!("in `{model}` at {place}: `{}`", text(&self.tokens)));
        Message { lines: moved.lines.into_iter().chain(self.lines).collect(), ..moved }
    }
}

/// All mistakes found so far. Every phase adds to it; [`Errors::finish`] hands them to rustc.
#[must_use = "a mistake that is not shown costs the user an afternoon"]
#[derive(Debug, Default)]
pub struct Errors {
    messages: Vec<Message>,
    /// mistakes beyond those that are kept
    dropped: usize,
    /// mistakes that were reported, those that count once included
    reported: usize,
}

impl Errors {
    /// No mistakes yet.
    pub fn new() -> Self {
        Errors::default()
    }

    /// Adds a mistake. The same text at the same place counts once, because inlined functions and unrolled loops read
    /// an expression many times. A missing feature is reported once, and so is an unknown name, at its first use.
    pub fn report(&mut self, message: Message) {
        self.reported += 1;
        if self.messages.len() >= KEPT {
            self.dropped += 1;
            return;
        }
        let concept = |m: &Message| (m.id == Id::M0900).then(|| m.what.split(" (").next().map(str::to_owned));
        let missing = concept(&message);
        let known = |m: &Message| {
            (m.id == message.id && m.what == message.what && m.position == message.position)
                || (missing.is_some() && missing == concept(m))
        };
        let same_name = |m: &Message| m.id == Id::M0101 && message.id == Id::M0101 && m.what == message.what;
        if let Some(earlier) = self.messages.iter_mut().find(|m| same_name(m)) {
            if message.position < earlier.position {
                *earlier = message;
            }
        } else if !self.messages.iter().any(known) {
            self.messages.push(message);
        }
    }

    /// Number of reports so far. It counts every mistake, even if its message is known already.
    pub(crate) fn reported(&self) -> usize {
        self.reported
    }

    /// Is the model without mistakes so far?
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Number of mistakes so far.
    pub fn len(&self) -> usize {
        self.messages.len() + self.dropped
    }

    /// Rewrites the texts of the messages from the number `first` on.
    pub(crate) fn reword(&mut self, first: usize, text: impl Fn(&str) -> String) {
        for message in self.messages.iter_mut().skip(first) {
            message.what = text(&message.what);
            message.lines.iter_mut().for_each(|line| *line = text(line));
        }
    }

    /// The messages in the order they were found.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// All mistakes as one error in the order of the text, at most twenty.
    pub fn finish(mut self) -> Result<(), syn::Error> {
        self.messages.sort_by_key(|m| m.position);
        let surplus = self.messages.len().saturating_sub(LIMIT) + self.dropped;
        let mut rest = self.messages.into_iter();
        let Some(first) = rest.next() else { return Ok(()) };
        let mut error = first.into_error();
        for message in rest.by_ref().take(LIMIT - 1) {
            error.combine(message.into_error());
        }
        if let Some(next) = rest.next() {
            let text = format!("and {surplus} more errors in this model");
            error.combine(syn::Error::new_spanned(next.tokens, text));
        }
        Err(error)
    }
}

/// A doubt: the model compiles, rustc prints the text at the span.
#[derive(Clone, Debug)]
pub struct Warning {
    /// which of the catalogue it is
    pub id: Id,
    /// the user's token
    pub span: Span,
    /// the text, ending with the id
    pub text: String,
}

impl Warning {
    /// A warning with its note and help lines.
    pub fn new(id: Id, span: Span, what: impl Into<String>, lines: &[&str]) -> Self {
        let mut text = format!("{} [{id}]", what.into());
        for line in lines {
            text.push('\n');
            text.push_str(line);
        }
        Warning { id, span, text }
    }
}

/// Span of the first token, the call site if there is none.
pub(crate) fn first_span(tokens: &TokenStream) -> Span {
    tokens.clone().into_iter().next().map_or_else(Span::call_site, |t| t.span())
}

/// `src/plant.rs:5:15`, or `line 5, column 15` where the file is not known.
pub(crate) fn location(span: Span) -> String {
    let start = span.start();
    let (file, line, column) = (span.file(), start.line, start.column + 1);
    if file.is_empty() || file.starts_with('<') {
        format!("line {line}, column {column}")
    } else {
        format!("{file}:{line}:{column}")
    }
}
