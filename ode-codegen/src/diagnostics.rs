//! Messages to the user: what is wrong, why, and how to mend it.
//!
//! A message underlines the user's tokens, says what is wrong in its first line and adds `note:` and `help:` lines.
//! Second places are named in the text (`declared at src/plant.rs:5:15`), because a second `compile_error!` would
//! count as another mistake.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};

/// Most messages of one model that are printed.
const LIMIT: usize = 20;

/// Most messages of one model that are kept; a model with more is not one.
const KEPT: usize = 200;

/// Id of the messages that refuse what is not supported yet.
pub const NOT_YET: &str = "M0900";

/// Id of the messages for a name that is not declared.
const UNKNOWN_NAME: &str = "M0101";

/// One mistake, at the tokens that make it.
#[derive(Clone, Debug)]
pub struct Message {
    id: &'static str,
    tokens: TokenStream,
    what: String,
    lines: Vec<String>,
    /// start of the tokens, to order messages as the text is read
    position: (usize, usize),
}

impl Message {
    /// A message underlining `at`; `id` is its number in the catalogue.
    pub fn new(id: &'static str, at: impl ToTokens, what: impl Into<String>) -> Self {
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

    /// Number in the catalogue, such as `M0101`.
    pub fn id(&self) -> &'static str {
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
        let span = error.span();
        Message::new("M0007", quote_spanned!(span=> _), error.to_string())
    }
}

/// The sub of a model whose text is being read: mistakes there are shown where the user's own text names it.
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
    fn moved(self, anchor: &Anchor) -> Self {
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
    /// where mistakes are shown, if not at their tokens
    anchor: Option<Anchor>,
}

impl Errors {
    /// No mistakes yet.
    pub fn new() -> Self {
        Errors::default()
    }

    /// Adds a mistake. The same text at the same place counts once: inlined functions and unrolled loops read an
    /// expression many times. A part of the language that is missing is said to be missing once, and so is a name, where
    /// it is read first.
    pub fn report(&mut self, message: Message) {
        let message = match &self.anchor {
            Some(anchor) => message.moved(anchor),
            None => message,
        };
        self.reported += 1;
        if self.messages.len() >= KEPT {
            self.dropped += 1;
            return;
        }
        let concept = |m: &Message| (m.id == NOT_YET).then(|| m.what.split(" (").next().map(str::to_owned));
        let missing = concept(&message);
        let known = |m: &Message| {
            (m.id == message.id && m.what == message.what && m.position == message.position)
                || (missing.is_some() && missing == concept(m))
        };
        let same_name = |m: &Message| m.id == UNKNOWN_NAME && message.id == UNKNOWN_NAME && m.what == message.what;
        if let Some(earlier) = self.messages.iter_mut().find(|m| same_name(m)) {
            if message.position < earlier.position {
                *earlier = message;
            }
        } else if !self.messages.iter().any(known) {
            self.messages.push(message);
        }
    }

    /// Shows what is reported from now on at the anchor; returns the one before.
    pub(crate) fn stand_at(&mut self, anchor: Option<Anchor>) -> Option<Anchor> {
        std::mem::replace(&mut self.anchor, anchor)
    }

    /// Number of reports so far. It grows with each mistake that is met, also where its message is known already.
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
    /// number in the catalogue, such as `M0207`
    pub id: &'static str,
    /// the user's token
    pub span: Span,
    /// the text, ending with the id
    pub text: String,
}

impl Warning {
    /// A warning with its note and help lines.
    pub fn new(id: &'static str, span: Span, what: impl Into<String>, lines: &[&str]) -> Self {
        let mut text = format!("{} [{id}]", what.into());
        for line in lines {
            text.push('\n');
            text.push_str(line);
        }
        Warning { id, span, text }
    }
}

/// Span of the first token, the call site if there is none.
pub fn first_span(tokens: &TokenStream) -> Span {
    tokens.clone().into_iter().next().map_or_else(Span::call_site, |t| t.span())
}

/// `src/plant.rs:5:15`, or `line 5, column 15` where the file is not known.
pub fn location(span: Span) -> String {
    let start = span.start();
    let (file, line, column) = (span.file(), start.line, start.column + 1);
    if file.is_empty() || file.starts_with('<') {
        format!("line {line}, column {column}")
    } else {
        format!("{file}:{line}:{column}")
    }
}

/// The name most like `name`, for "did you mean". Short names must differ in one letter only, one-letter names in case
/// only; of equals the first wins.
pub fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = name.chars().count();
    let most = match letters {
        0 | 1 => 0,
        2..=3 => 1,
        4..=6 => 2,
        _ => 3,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = if candidate.eq_ignore_ascii_case(name) { 0 } else { edit_distance(name, candidate) };
        let short = candidate.chars().count() <= 1 && distance > 0;
        if distance <= most && !short && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Letters to insert, delete, replace or swap to turn one word into the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut cost = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(before[j - 2] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// Tokens as a person would type them: `0.5 * m * sq(der(x))`.
pub fn text(tokens: impl ToTokens) -> String {
    let mut out = String::new();
    write_tokens(tokens.into_token_stream(), &mut out);
    out
}

/// Tokens of a unit, without spaces: `kg*m^2`.
pub fn compact(tokens: impl ToTokens) -> String {
    text(tokens).replace(' ', "")
}

fn write_tokens(tokens: TokenStream, out: &mut String) {
    // Does an operand stand before? Then a sign is binary and a name needs a space.
    let mut operand = false;
    let mut joint = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                write_group(&group, operand, out);
                operand = true;
                joint = false;
            }
            TokenTree::Punct(punct) => {
                let ch = punct.as_char();
                write_punct(ch, operand || joint, joint, out);
                joint = punct.spacing() == proc_macro2::Spacing::Joint;
                operand = false;
                let binary = !matches!(ch, '.' | ':' | '#' | '!' | '?' | '\'' | '&') || out.ends_with("&&");
                if !joint && binary && !out.ends_with(' ') && out.chars().count() > 1 && !prefix(out) {
                    out.push(' ');
                }
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => {
                if operand {
                    out.push(' ');
                }
                let word = token.to_string();
                out.push_str(&word);
                operand = !matches!(word.as_str(), "if" | "else" | "let" | "in" | "on" | "match" | "return");
                if !operand {
                    out.push(' ');
                }
                joint = false;
            }
        }
    }
    out.truncate(out.trim_end().len());
}

/// Does the text end with a sign that belongs to what follows?
fn prefix(out: &str) -> bool {
    let Some(sign) = out.chars().last() else { return false };
    let before = out[..out.len() - sign.len_utf8()].trim_end();
    matches!(sign, '-' | '*')
        && (before.is_empty()
            || before.ends_with(['(', '[', '{', ',', '=', '+', '-', '*', '/', '<', '>', '&', '|', ';']))
}

fn write_punct(ch: char, spaced: bool, joint: bool, out: &mut String) {
    let tight = joint || matches!(ch, '.' | ',' | ';' | ':' | '?' | '#' | '!' | '\'');
    if spaced && !tight && !out.ends_with(' ') {
        out.push(' ');
    }
    out.push(ch);
}

fn write_group(group: &proc_macro2::Group, operand: bool, out: &mut String) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{ ", " }"),
        Delimiter::None => ("", ""),
    };
    if operand && group.delimiter() == Delimiter::Brace && !out.ends_with(' ') {
        out.push(' ');
    }
    out.push_str(open);
    let mut inner = String::new();
    write_tokens(group.stream(), &mut inner);
    out.push_str(&inner);
    out.push_str(close);
}
