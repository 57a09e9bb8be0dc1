//! Random tokens, and what must hold for any: shared by the tests that make them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ode_codegen::phases::check::check;
use ode_codegen::phases::expr::Graph;
use ode_codegen::phases::parse::parse;
use proc_macro2::{Group, TokenStream, TokenTree};

/// Words of the grammar.
pub(crate) const WORDS: &[&str] = &[
    "param",
    "coord",
    "input",
    "output",
    "let",
    "kinetic",
    "potential",
    "dissipation",
    "cost",
    "mass",
    "force",
    "torque",
    "body",
    "spring",
    "gravity",
    "constraint",
    "balance",
    "init",
    "guess",
    "limit",
    "require",
    "fn",
    "unit",
    "for",
    "state",
    "event",
    "set",
    "const",
    "chain",
    "sub",
    "bind",
    "fix",
    "der",
    "extern",
    "mode",
    "on",
    "in",
    "with",
    "if",
    "else",
    "match",
    "as",
    "type",
    "mut",
    "x",
    "th",
    "r",
    "v",
    "m",
    "l",
    "g",
    "t",
    "PI",
    "i",
    "j",
    "f",
    "b",
    "u",
    "lambda",
    "p[i]",
    "p[i - 1]",
    "p[0]",
    "_ => ",
    "rod",
    "Real",
    "Angle",
    "Vec2",
    "Vec3",
    "Mat2",
    "SymMat3",
    "SO3",
    "Vec",
    "sin",
    "sq",
    "vec2",
    "norm",
    "dot",
    "cross",
    "der2",
    "frame2",
    "at",
    "vec",
    "inv",
    "origin",
    "diag",
    "abs",
    "clamp",
    "max",
    "powi",
    "powf",
    "smooth_step",
    "softplus",
    "atan2",
    "unit",
    "kg",
    "s",
    "N",
    "0",
    "1",
    "2",
    "0.0",
    "1.0",
    "0.5",
    "-1.0",
    "1e400",
    "3.0kg",
    "7usize",
    "0..4",
    "0..=1",
    "-1.0..=1.0",
    "\"text\"",
    "true",
    "+",
    "-",
    "*",
    "/",
    "^",
    "%",
    "=",
    "==",
    "<",
    ">=",
    "&&",
    "!",
    ".",
    ",",
    ";",
    ":",
    "::",
    "->",
    "&",
    "|",
    "#",
    "@",
    "?",
    "..",
    "'a",
    "$",
];

/// xorshift
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `n`, or 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }
}

/// A copy with about one token in `rate` dropped, doubled, swapped or replaced.
pub(crate) fn mutated(tokens: TokenStream, rate: usize, random: &mut Random) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let token = match token {
            TokenTree::Group(group) => {
                let inner = mutated(group.stream(), rate, random);
                let mut anew = Group::new(group.delimiter(), inner);
                anew.set_span(group.span());
                TokenTree::Group(anew)
            }
            other => other,
        };
        if random.below(rate) > 0 {
            out.push(token);
            continue;
        }
        match random.below(4) {
            0 => {}
            1 => out.extend([token.clone(), token]),
            2 => {
                let before = out.pop();
                out.push(token);
                out.extend(before);
            }
            _ => {
                let word: TokenStream = WORDS[random.below(WORDS.len())].parse().unwrap_or_default();
                out.extend(word);
            }
        }
    }
    out.into_iter().collect()
}

/// `compiled`: a model that passes is compiled to the end too, which takes its time.
pub(crate) fn survives(tokens: TokenStream, compiled: bool) {
    // Printing nests as the tokens do; what is long is named by its beginning.
    let text: String = tokens
        .clone()
        .into_iter()
        .take(400)
        .filter(|t| !matches!(t, TokenTree::Group(_)))
        .map(|t| t.to_string() + " ")
        .collect();
    let (shown, whole) = (tokens.clone(), tokens.clone());
    let run = AssertUnwindSafe(|| {
        let (ast, mut errors) = parse(tokens);
        let _ = ast.params().count();
        let model = check(&ast, Graph::new(), &mut errors);
        assert!(model.is_none() || errors.is_empty(), "a model in spite of mistakes");
        assert!(model.is_some() || !errors.is_empty(), "no model and nothing said");
        // What is checked compiles: nothing after the check fails.
        if compiled && model.is_some() {
            let _ = ode_codegen::expand(whole);
        }
        for message in errors.messages() {
            assert!(message.text().contains(&format!("[{}]", message.id())));
        }
        let _ = errors.finish().map_err(syn::Error::into_compile_error);
    });
    if catch_unwind(run).is_err() {
        eprintln!("panicked at: {text}");
        panic!("panicked at: {shown}");
    }
}
