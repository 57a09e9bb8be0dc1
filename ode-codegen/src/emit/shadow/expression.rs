//! Expressions: the user's tokens over one type. Literals and arrays become values of this type; an unfinished
//! expression ends before its last operator.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use quote::quote;

use super::item::{quoted, spelled};
use super::{Scope, Shadow, constant, doc, group_of, is_punct, is_word, quantity, regroup};

/// Limit on the nested scopes that the `let`s of one block open.
const MOST_SCOPES: usize = 64;

/// Words that stand between the expressions of an item.
const BETWEEN: [&str; 5] = ["on", "in", "when", "with", "along"];

/// Words of Rust before which no operand ends.
const PREFIXES: [&str; 6] = ["if", "else", "match", "return", "in", "as"];

impl Shadow {
    /// Every expression of the tokens as a statement: what stands between `=`, `:`, `,`, `;` and the words of an item.
    pub(super) fn expressions(&mut self, tokens: &[TokenTree], scope: &mut Scope) {
        let mut piece: Vec<TokenTree> = Vec::new();
        let mut with = false;
        for (at, token) in tokens.iter().enumerate() {
            with |= is_word(token, "with");
            let before = at.checked_sub(1).and_then(|i| tokens.get(i));
            let ends = match token {
                TokenTree::Punct(_) => separates(before, token, tokens.get(at + 1)),
                TokenTree::Ident(word) => is_between(word),
                TokenTree::Group(_) | TokenTree::Literal(_) => false,
            };
            if ends {
                self.statement(&mut piece, scope);
                continue;
            }
            // Two operands side by side: something is missing between them.
            if piece.last().is_some_and(is_operand) && begins_operand(token) {
                self.statement(&mut piece, scope);
            }
            match group_of(Some(token), Delimiter::Brace) {
                Some(group) if with || !piece.is_empty() && !piece.iter().any(is_choice) => {
                    self.statement(&mut piece, scope);
                    self.fields(group, scope);
                }
                _ => piece.push(token.clone()),
            }
        }
        self.statement(&mut piece, scope);
    }

    /// `{ mass: m, inertia: j }`: the names are the language's. `{ v = -v; stop; }` are statements.
    pub(super) fn fields(&mut self, group: &Group, scope: &mut Scope) {
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        for field in tokens.split(|t| is_punct(t, ',')) {
            match field {
                [TokenTree::Ident(_), colon, value @ ..]
                    if is_punct(colon, ':') && !value.first().is_some_and(|t| is_punct(t, ':')) =>
                {
                    self.expressions(value, scope);
                }
                // a word of the language, after `with`
                [TokenTree::Ident(word)] if word == "redundant" => {}
                other => self.expressions(other, scope),
            }
        }
    }

    fn statement(&mut self, piece: &mut Vec<TokenTree>, scope: &mut Scope) {
        let piece = std::mem::take(piece);
        let value = self.walk(&piece);
        if !value.is_empty() {
            scope.statements.extend(quote! { let _ = #value; });
        }
    }

    /// The tokens of an expression, or of expressions with commas between them.
    pub(super) fn walk(&mut self, tokens: &[TokenTree]) -> TokenStream {
        let mut out: Vec<TokenTree> = Vec::new();
        let mut arms = false;
        let mut rest = tokens;
        while let [token, after @ ..] = rest {
            rest = after;
            match token {
                TokenTree::Literal(_) => out.push(quantity()),
                TokenTree::Punct(p) if matches!(p.as_char(), ',' | ';') => {
                    trim(&mut out);
                    out.push(token.clone());
                }
                // `b.` before a name is typed, and `b.0`
                TokenTree::Punct(p) if p.as_char() == '.' && !out.last().is_some_and(|t| is_punct(t, '.')) => {
                    match after.first() {
                        Some(TokenTree::Literal(_)) => rest = &after[1..],
                        Some(TokenTree::Ident(_)) => out.push(token.clone()),
                        Some(next) if is_punct(next, '.') => out.push(token.clone()),
                        _ => {}
                    }
                }
                TokenTree::Punct(_) => out.push(token.clone()),
                TokenTree::Ident(word) => {
                    arms |= word == "match";
                    if word == "diag"
                        && let Some(args) = group_of(after.first(), Delimiter::Parenthesis)
                    {
                        // As many arguments as one likes: one tuple.
                        let args = regroup(args, self.inner(args));
                        out.extend(quote! { #word (#args) });
                        rest = &after[1..];
                    } else if self.subs.contains(&word.to_string()) && !out.last().is_some_and(|t| is_punct(t, '.')) {
                        let (parts, more) = self.parts(after);
                        out.extend(quote! { __of!(#word; #parts) });
                        rest = more;
                    } else {
                        out.push(token.clone());
                    }
                }
                TokenTree::Group(group) => {
                    let made = self.group(group, out.last(), arms);
                    arms &= group.delimiter() != Delimiter::Brace;
                    out.extend(made);
                }
            }
        }
        trim(&mut out);
        out.into_iter().collect()
    }

    fn inner(&mut self, group: &Group) -> TokenStream {
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        self.walk(&tokens)
    }

    fn group(&mut self, group: &Group, before: Option<&TokenTree>, arms: bool) -> TokenStream {
        match group.delimiter() {
            Delimiter::Bracket if !before.is_some_and(is_operand) => {
                // `[0.0; 4]` as well: an array is what its elements are.
                let elements = self.inner(group).into_iter().map(|t| match t {
                    TokenTree::Punct(p) if p.as_char() == ';' => TokenTree::Punct(Punct::new(',', p.spacing())),
                    other => other,
                });
                let elements = regroup(group, elements.collect());
                quote! { __array(#elements) }
            }
            Delimiter::Brace if arms => regroup(group, self.arms(group)).into(),
            Delimiter::Brace => {
                let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
                let block = self.block(&tokens);
                regroup(group, block).into()
            }
            _ => regroup(group, self.inner(group)).into(),
        }
    }

    /// The arms of a `match`. A number in a pattern is any value: a quantity is no pattern.
    fn arms(&mut self, group: &Group) -> TokenStream {
        let written: Vec<TokenTree> = group.stream().into_iter().collect();
        let mut tokens: Vec<TokenTree> = Vec::new();
        for (at, token) in written.iter().enumerate() {
            let arrow = is_punct(token, '=') && written.get(at + 1).is_some_and(|next| is_punct(next, '>'));
            if arrow {
                let in_pattern =
                    |t: &&TokenTree| matches!(t, TokenTree::Literal(_)) || is_punct(t, '|') || is_punct(t, '-');
                let pattern = tokens.split_off(tokens.len() - tokens.iter().rev().take_while(in_pattern).count());
                for token in pattern.into_iter().filter(|t| !is_punct(t, '-')) {
                    match token {
                        TokenTree::Literal(_) => tokens.extend(quote! { _ }),
                        other => tokens.push(other),
                    }
                }
            }
            tokens.push(token.clone());
        }
        self.walk(&tokens)
    }

    /// The fields of a sub-model behind its name, and what follows them.
    fn parts<'a>(&mut self, tokens: &'a [TokenTree]) -> (TokenStream, &'a [TokenTree]) {
        let (mut parts, mut rest) = (TokenStream::new(), tokens);
        loop {
            match rest {
                [TokenTree::Group(index), after @ ..] if index.delimiter() == Delimiter::Bracket => {
                    parts.extend([rest[0].clone()]);
                    rest = after;
                }
                [dot, name @ TokenTree::Ident(_), after @ ..]
                    if is_punct(dot, '.') && group_of(after.first(), Delimiter::Parenthesis).is_none() =>
                {
                    parts.extend([dot.clone(), name.clone()]);
                    rest = after;
                }
                _ => return (parts, rest),
            }
        }
    }

    /// Statements of a block. A `let` opens a scope for what follows it.
    pub(super) fn block(&mut self, tokens: &[TokenTree]) -> TokenStream {
        let mut scopes: Vec<TokenStream> = vec![TokenStream::new()];
        let mut rest = tokens;
        while !rest.is_empty() {
            let end = rest.iter().position(|t| is_punct(t, ';')).map_or(rest.len(), |i| i + 1);
            let (statement, after) = rest.split_at(end);
            rest = after;
            let mut opened = None;
            let mut out = TokenStream::new();
            match statement {
                [word, TokenTree::Ident(name), value @ ..] if is_word(word, "let") && name != "mut" => {
                    let mut own = Scope::default();
                    let typed = if value.first().is_some_and(|t| is_punct(t, ':')) {
                        self.declared_type(&value[1..], &mut own)
                    } else {
                        value
                    };
                    self.expressions(typed, &mut own);
                    out = own.statements;
                    let written = match statement {
                        [written @ .., end] if is_punct(end, ';') => written,
                        all => all,
                    };
                    opened = Some(constant(name, &doc(&quoted(&spelled(written)))));
                }
                other => out.extend(self.walk(other)),
            }
            if let Some(last) = scopes.last_mut() {
                last.extend(out);
            }
            if let Some(opened) = opened
                && scopes.len() <= MOST_SCOPES
            {
                scopes.push(opened);
            }
        }
        let inner = scopes.pop().unwrap_or_default();
        scopes.into_iter().rev().fold(inner, |inner, outer| quote! { #outer { #inner } })
    }
}

/// Does the word stand between the expressions of an item?
pub(super) fn is_between(word: &Ident) -> bool {
    BETWEEN.iter().any(|w| word == w)
}

/// `;`, `,`, a single `=`, a single `:`.
pub(super) fn separates(before: Option<&TokenTree>, token: &TokenTree, after: Option<&TokenTree>) -> bool {
    let TokenTree::Punct(p) = token else { return false };
    let alone = |ch: char| !before.is_some_and(|t| is_punct(t, ch)) && !after.is_some_and(|t| is_punct(t, ch));
    match p.as_char() {
        ',' | ';' => true,
        ':' => alone(':'),
        '=' => {
            let joined = matches!(before, Some(TokenTree::Punct(b))
                if b.spacing() == Spacing::Joint && "<>!=.".contains(b.as_char()));
            let arrow = p.spacing() == Spacing::Joint && after.is_some_and(|t| is_punct(t, '>') || is_punct(t, '='));
            !joined && !arrow
        }
        _ => false,
    }
}

/// Can an operand end with this token?
fn is_operand(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => !PREFIXES.iter().any(|w| word == w),
        TokenTree::Literal(_) => true,
        TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
        TokenTree::Punct(_) => false,
    }
}

/// Does another operand begin here, rather than an index, a call or a word of the expression?
fn begins_operand(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => word != "as" && word != "else",
        TokenTree::Literal(_) => true,
        TokenTree::Group(_) | TokenTree::Punct(_) => false,
    }
}

fn is_choice(token: &TokenTree) -> bool {
    is_word(token, "if") || is_word(token, "match")
}

/// Drops operators that nothing follows.
fn trim(out: &mut Vec<TokenTree>) {
    while matches!(out.last(), Some(TokenTree::Punct(p)) if "+-*/%^&|<>=!.".contains(p.as_char())) {
        out.pop();
    }
}
