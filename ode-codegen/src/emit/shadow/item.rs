//! Items: the tokens that are names and types; the rest are expressions.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::quote;

use super::expression::{is_between, separates};
use super::{Scope, Shadow, doc, group_of, is_punct, is_word};
use crate::diagnostics::{compact, text};
use crate::parse::words;

/// Letters of a declaration that its documentation repeats.
const LONGEST: usize = 120;

/// Items without a name of their own.
const UNNAMED: [&str; 8] = ["mass", "gravity", "init", "guess", "require", "bind", "fix", "balance"];

impl Shadow {
    /// One item with its attributes.
    pub(super) fn item(&mut self, tokens: &[TokenTree], scope: &mut Scope) {
        let (docs, tokens) = attributes(tokens);
        let Some((TokenTree::Ident(keyword), rest)) = tokens.split_first() else {
            return self.expressions(tokens, scope);
        };
        let word = keyword.to_string();
        match word.as_str() {
            _ if words::declares(&word) => self.declarations(&word, docs, rest, scope),
            "let" => self.binding(&docs, tokens, rest, scope),
            "fn" => self.function(&docs, tokens, rest, scope),
            "extern" => {
                let rest = if rest.first().is_some_and(|t| is_word(t, "fn")) { &rest[1..] } else { rest };
                self.function(&docs, tokens, rest, scope);
            }
            "for" => self.repeat(rest, scope),
            "show" => self.figure(&docs, tokens, rest, scope),
            "set" => self.labelled("set", &docs, tokens, &without_words(rest), scope),
            "unit" if matches!(rest.first(), Some(TokenTree::Ident(_))) => self.unit(&docs, tokens, rest, scope),
            // Names of functions too.
            "der" | "unit" => self.expressions(tokens, scope),
            word if UNNAMED.contains(&word) => self.expressions(rest, scope),
            // An item that has not got its keyword yet.
            word if words::is_unknown(word)
                && !rest.first().is_some_and(|t| matches!(t, TokenTree::Ident(i) if !is_between(i))) =>
            {
                self.expressions(tokens, scope);
            }
            _ => self.labelled(&word, &docs, tokens, rest, scope),
        }
    }

    /// `a = e;`, and `tip[i] = e;` whose name is read around its loop too.
    fn binding(&mut self, docs: &TokenStream, item: &[TokenTree], rest: &[TokenTree], scope: &mut Scope) {
        let [TokenTree::Ident(name), after @ ..] = rest else { return self.expressions(rest, scope) };
        let is_index = |token: &TokenTree| group_of(Some(token), Delimiter::Bracket).is_some();
        let (indices, after) = after.split_at(after.iter().take_while(|token| is_index(token)).count());
        if indices.is_empty() {
            scope.declare(name, &documented(item, docs));
        } else {
            self.lists.push((name.clone(), documented(item, docs)));
        }
        for index in indices.iter().filter_map(|token| group_of(Some(token), Delimiter::Bracket)) {
            let index: Vec<TokenTree> = index.stream().into_iter().collect();
            self.expressions(&index, scope);
        }
        let value = self.typed(after, scope);
        self.expressions(value, scope);
    }

    /// `force f on s = e;` and its like: a name if one stands before `on`, `when`, `:` or `=`.
    fn labelled(&mut self, word: &str, docs: &TokenStream, item: &[TokenTree], rest: &[TokenTree], scope: &mut Scope) {
        let named = |next: &TokenTree| {
            is_word(next, "on")
                || is_word(next, "when")
                || is_punct(next, ':')
                || is_punct(next, '=')
                || is_punct(next, ';')
        };
        match rest {
            // `leg[robots]`
            [TokenTree::Ident(name), TokenTree::Group(set), after @ ..] if word == "sub" => {
                self.labels.push((name.clone(), documented(item, docs)));
                self.expressions(&set.stream().into_iter().collect::<Vec<_>>(), scope);
                let after = self.typed(after, scope);
                self.expressions(after, scope);
            }
            [TokenTree::Ident(name), next, ..] if name != "on" && named(next) => {
                self.labels.push((name.clone(), documented(item, docs)));
                let after = if word == "sub" { self.typed(&rest[1..], scope) } else { &rest[1..] };
                self.expressions(after, scope);
            }
            other => self.expressions(other, scope),
        }
    }

    /// `rod = line(p, q) with { color: red };`: the form and the color are the language's own.
    fn figure(&mut self, docs: &TokenStream, item: &[TokenTree], rest: &[TokenTree], scope: &mut Scope) {
        let [TokenTree::Ident(name), equals, TokenTree::Ident(form), after @ ..] = rest else {
            return self.labelled("show", docs, item, rest, scope);
        };
        let Some(given) = group_of(after.first(), Delimiter::Parenthesis).filter(|_| is_punct(equals, '=')) else {
            return self.labelled("show", docs, item, rest, scope);
        };
        self.labels.push((name.clone(), documented(item, docs)));
        let given: Vec<TokenTree> = given.stream().into_iter().collect();
        let given = self.walk(&given);
        // `box` is a word of Rust.
        if *form == "box" {
            scope.statements.extend(quote! { let _ = (#given); });
        } else {
            scope.statements.extend(quote! { forms::#form((#given)); });
        }
        let options = after.iter().find_map(|token| group_of(Some(token), Delimiter::Brace));
        let words: Vec<TokenTree> = options.into_iter().flat_map(Group::stream).collect();
        for (i, word) in words.iter().enumerate() {
            let is_field = words.get(i + 1).is_some_and(|next| is_punct(next, ':'));
            if matches!(word, TokenTree::Ident(_)) && !is_field {
                scope.statements.extend(quote! { colors::#word; });
            }
        }
    }

    /// `m, n: Real [kg] = 1.0;`, or a group.
    fn declarations(&mut self, word: &str, docs: TokenStream, rest: &[TokenTree], scope: &mut Scope) {
        let head = self.typed(rest, scope);
        let Some(group) = group_of(head.first(), Delimiter::Brace) else {
            return self.line(word, "", &docs, rest, scope);
        };
        let shared = spelled(&rest[..rest.len() - head.len()]);
        let lines: Vec<TokenTree> = group.stream().into_iter().collect();
        for line in lines.split(|t| is_punct(t, ';')) {
            let (own, line) = attributes(line);
            let docs = if own.is_empty() { &docs } else { &own };
            self.line(word, &shared, docs, line, scope);
        }
        self.expressions(&head[1..], scope);
    }

    fn line(&mut self, word: &str, shared: &str, docs: &TokenStream, line: &[TokenTree], scope: &mut Scope) {
        let end = |t: &TokenTree| is_punct(t, ':') || is_punct(t, '=') || is_punct(t, ';') || is_word(t, "in");
        let (names, after) = line.split_at(line.iter().position(end).unwrap_or(line.len()));
        let after_shared = spelled(without_end(after));
        let space = if after_shared.is_empty() || after_shared.starts_with(':') { "" } else { " " };
        let whole = format!("{word} {}{shared}{space}{after_shared}", spelled(names));
        let docs = paragraph(&whole, docs);
        for name in names {
            match name {
                TokenTree::Ident(ident) => scope.declare(ident, &docs),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                    for token in group.stream() {
                        if let TokenTree::Ident(ident) = token {
                            scope.declare(&ident, &docs);
                        }
                    }
                }
                // the set of a family
                TokenTree::Group(group) => {
                    let set: Vec<TokenTree> = group.stream().into_iter().collect();
                    self.expressions(&set, scope);
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
        let value = self.typed(after, scope);
        self.expressions(value, scope);
    }

    /// Reads `: Type [unit]` if it comes next, and returns what follows.
    pub(super) fn typed<'a>(&mut self, tokens: &'a [TokenTree], scope: &mut Scope) -> &'a [TokenTree] {
        match tokens.split_first() {
            Some((colon, after)) if is_punct(colon, ':') => self.declared_type(after, scope),
            _ => tokens,
        }
    }

    /// Reads `Type [unit]`, and returns what follows. The unit is read where units have names.
    pub(super) fn declared_type<'a>(&mut self, tokens: &'a [TokenTree], scope: &mut Scope) -> &'a [TokenTree] {
        let (mut at, mut open) = (0, 0_usize);
        while let Some(token) = tokens.get(at) {
            let inside = open > 0;
            match token {
                TokenTree::Punct(p) if p.as_char() == '<' => open += 1,
                TokenTree::Punct(p) if p.as_char() == '>' && inside => open -= 1,
                TokenTree::Punct(p) if p.as_char() == ':' => {}
                TokenTree::Punct(p) if p.as_char() == ',' && inside => {}
                TokenTree::Ident(word) if inside || (word != "in" && word != "with") => {}
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket && (at == 0 || inside) => {}
                TokenTree::Literal(_) if inside => {}
                _ => break,
            }
            at += 1;
        }
        let (ty, after) = tokens.split_at(at);
        if !ty.is_empty() {
            scope.statements.extend(quote! { __typed::<#(#ty)*>(); });
        }
        match after.split_first() {
            Some((TokenTree::Group(unit), rest)) if unit.delimiter() == Delimiter::Bracket => {
                self.measure(unit.stream());
                rest
            }
            _ => after,
        }
    }

    fn measure(&mut self, unit: TokenStream) {
        let tokens: Vec<TokenTree> = unit.into_iter().collect();
        let value = self.walk(&tokens);
        if !value.is_empty() {
            self.units.extend(quote! { let _ = #value; });
        }
    }

    /// `rpm = 0.1 [rad/s];`
    fn unit(&mut self, docs: &TokenStream, item: &[TokenTree], rest: &[TokenTree], scope: &mut Scope) {
        if let Some(TokenTree::Ident(name)) = rest.first() {
            self.units.extend(super::constant(name, &documented(item, docs)));
        }
        let (scale, unit) = match without_end(rest) {
            [scale @ .., TokenTree::Group(unit)] if unit.delimiter() == Delimiter::Bracket => (scale, Some(unit)),
            all => (all, None),
        };
        self.expressions(scale.get(1..).unwrap_or(&[]), scope);
        if let Some(unit) = unit {
            self.measure(unit.stream());
        }
    }

    /// `f(x: Real [m]) -> Real [N] { .. }`; the arguments are constants of the body.
    fn function(&mut self, docs: &TokenStream, item: &[TokenTree], rest: &[TokenTree], scope: &mut Scope) {
        let (Some(TokenTree::Ident(name)), Some(args)) = (rest.first(), group_of(rest.get(1), Delimiter::Parenthesis))
        else {
            return self.expressions(rest, scope);
        };
        let mut own = Scope::default();
        let written: Vec<TokenTree> = args.stream().into_iter().collect();
        let mut arguments = TokenStream::new();
        for argument in written.split(|t| is_punct(t, ',')) {
            if let [TokenTree::Ident(ident), after @ ..] = argument {
                own.declare(ident, &documented(argument, &TokenStream::new()));
                let after = self.typed(after, &mut own);
                self.expressions(after, &mut own);
                arguments.extend(quote! { _: __Q, });
            } else {
                self.expressions(argument, &mut own);
            }
        }
        let arrow = rest.iter().skip(2).take_while(|t| is_punct(t, '-') || is_punct(t, '>')).count();
        let result = rest.get(2 + arrow..).unwrap_or(&[]);
        let body = self.declared_type(result, &mut own);
        let head = documented(&item[..item.len() - body.len()], docs);
        let body = match group_of(body.first(), Delimiter::Brace) {
            Some(group) if !item.first().is_some_and(|t| is_word(t, "extern")) => {
                let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
                self.block(&tokens)
            }
            Some(group) => {
                own.statements.extend(imports(group.stream()));
                quote! { __Q }
            }
            None => {
                self.expressions(body, &mut own);
                quote! { __Q }
            }
        };
        if !scope.taken.insert(name.to_string()) {
            return;
        }
        let (names, statements) = (&own.names, &own.statements);
        scope.names.extend(quote! { #head fn #name(#arguments) -> __Q { #names #statements #body } });
    }

    /// `i in 0..4 { .. }`: a scope with the index.
    fn repeat(&mut self, rest: &[TokenTree], scope: &mut Scope) {
        let is_body = |t: &TokenTree| group_of(Some(t), Delimiter::Brace).is_some();
        let over = rest.iter().position(|t| is_word(t, "in") || is_body(t)).unwrap_or(rest.len());
        let (pattern, after) = rest.split_at(over);
        let mut own = Scope::default();
        let body = after.iter().position(is_body).unwrap_or(after.len());
        let (over, body) = after.split_at(body);
        self.expressions(over, scope);
        let head = without_end(&rest[..rest.len() - body.len()]);
        let docs = documented(head, &TokenStream::new());
        let pattern: TokenStream = pattern.iter().cloned().collect();
        for ident in idents(pattern) {
            own.declare(&ident, &docs);
        }
        if let Some(group) = group_of(body.first(), Delimiter::Brace) {
            self.items(group.stream(), &mut own);
        }
        scope.statements.extend(own.block());
    }
}

/// Documentation among the attributes before an item, and the item.
fn attributes(tokens: &[TokenTree]) -> (TokenStream, &[TokenTree]) {
    let (mut docs, mut rest) = (TokenStream::new(), tokens);
    while let [hash, TokenTree::Group(group), after @ ..] = rest
        && is_punct(hash, '#')
        && group.delimiter() == Delimiter::Bracket
    {
        if group.stream().into_iter().next().is_some_and(|t| is_word(&t, "doc")) {
            docs.extend([hash.clone(), rest[1].clone()]);
        }
        rest = after;
    }
    (docs, rest)
}

/// `value: crate::mu, gradient: crate::mu_grad`: items of Rust, whatever their types.
fn imports(fields: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = fields.into_iter().collect();
    let paths = tokens.split(|t| is_punct(t, ',')).filter_map(|field| match field {
        [_, colon, path @ ..] if is_punct(colon, ':') => Some(path),
        [_, path @ ..] => Some(path),
        [] => None,
    });
    let paths = paths.filter(|path| !path.is_empty());
    paths.map(|path| quote! { use #(#path)* as _; }).collect()
}

/// Names of a pattern such as `i`, `(i, j)` or `e @ (i, j)`.
fn idents(tokens: TokenStream) -> Vec<Ident> {
    let mut found = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => found.push(ident),
            TokenTree::Group(group) => found.extend(idents(group.stream())),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    found
}

fn without_end(tokens: &[TokenTree]) -> &[TokenTree] {
    match tokens {
        [rest @ .., last] if is_punct(last, ';') => rest,
        all => all,
    }
}

/// A set without the language's own words: `: const N`, `= chain`.
fn without_words(rest: &[TokenTree]) -> Vec<TokenTree> {
    let follows = |at: usize, mark: char| at.checked_sub(1).is_some_and(|before| is_punct(&rest[before], mark));
    let own = |at: usize| {
        (is_word(&rest[at], "const") && follows(at, ':')) || (is_word(&rest[at], "chain") && follows(at, '='))
    };
    rest.iter().enumerate().filter(|(at, _)| !own(*at)).map(|(_, token)| token.clone()).collect()
}

/// What was written as the first paragraph, then the user's own words.
fn documented(item: &[TokenTree], docs: &TokenStream) -> TokenStream {
    paragraph(&spelled(without_end(item)), docs)
}

/// Tokens of an item as a person would type them: `param m: Real [kg] = 1.0`.
pub(super) fn spelled(tokens: &[TokenTree]) -> String {
    let mut out = String::new();
    let mut part: Vec<TokenTree> = Vec::new();
    let flush = |part: &mut Vec<TokenTree>, out: &mut String| {
        let part = text(std::mem::take(part).into_iter().collect::<TokenStream>()).replace("..= ", "..=");
        if !part.is_empty() && !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        out.push_str(&part);
    };
    let mut typed = false;
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|i| tokens.get(i));
        let unit = typed && !part.is_empty() && group_of(Some(token), Delimiter::Bracket).is_some();
        match token {
            TokenTree::Group(group) if unit => {
                flush(&mut part, &mut out);
                out.push_str(&format!(" [{}]", compact(group.stream())));
            }
            TokenTree::Ident(word) if is_between(word) => {
                flush(&mut part, &mut out);
                out.push_str(&format!(" {word} "));
                typed = false;
            }
            TokenTree::Punct(p) if separates(before, token, tokens.get(at + 1)) => {
                flush(&mut part, &mut out);
                let sign = p.as_char();
                typed = sign == ':' || (typed && sign != '=');
                out.push_str(&if sign == '=' { " = ".to_owned() } else { format!("{sign} ") });
            }
            other => part.push(other.clone()),
        }
    }
    flush(&mut part, &mut out);
    out.replace("  ", " ").trim_end().to_owned()
}

fn paragraph(whole: &str, docs: &TokenStream) -> TokenStream {
    let whole = doc(&quoted(whole));
    if docs.is_empty() {
        whole
    } else {
        quote! { #whole #[doc = ""] #docs }
    }
}

/// A declaration in backticks, cut where it is long.
pub(super) fn quoted(whole: &str) -> String {
    match whole.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{} …`", whole[..end].trim_end()),
        None => format!("`{whole}`"),
    }
}
