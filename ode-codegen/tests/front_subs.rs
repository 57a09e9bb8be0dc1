//! No model of subs makes the compiler panic, whatever is inside: every expansion is code, or messages.
//!
//! The seed is a model with all that a sub can hold. Items are left out of it, names are given away or made to collide,
//! and tokens are dropped, doubled, swapped and replaced. Everything is seeded.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

#[path = "random/mod.rs"]
mod random;

use random::{Random, mutated, survives};

const MODEL: &str = include_str!("front_models/assembly.txt");

/// Names that a word of the model is replaced by: keywords, spellings of others, words of the language.
const NAMES: [&str; 14] = [
    "r#type",
    "r#gen",
    "r#self_",
    "gen",
    "kid_x",
    "kid",
    "row",
    "row_0_x",
    "fix_row_1_axle_x",
    "residual_0",
    "x",
    "e",
    "t",
    "set_x",
];

/// Names of the model that are replaced.
const OWN: [&str; 22] = [
    "kid", "row", "core", "x", "w", "z", "y", "u", "on", "spins", "rates", "axle", "hold", "rests", "far", "place",
    "bound", "spent", "e", "tick", "slide", "Part",
];

fn seed() -> TokenStream {
    MODEL.parse().expect("tokens")
}

/// The model without about one in `rate` of its items.
fn thinned(tokens: TokenStream, rate: usize, random: &mut Random) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    let mut item: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let token = match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let inner = thinned(group.stream(), rate, random);
                TokenTree::Group(Group::new(Delimiter::Brace, inner))
            }
            other => other,
        };
        let ends = matches!(&token, TokenTree::Punct(p) if p.as_char() == ';');
        item.push(token);
        if ends {
            let kept = random.below(rate) > 0;
            out.extend(item.drain(..).filter(|_| kept));
        }
    }
    out.into_iter().chain(item).collect()
}

/// The model with another word in the place of a name, everywhere or sometimes.
fn renamed(tokens: TokenStream, from: &str, to: &str, rate: usize, random: &mut Random) -> TokenStream {
    let word = |ident: &Ident| match to.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, ident.span()),
        None => Ident::new(to, ident.span()),
    };
    let one = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            TokenTree::Group(Group::new(group.delimiter(), renamed(group.stream(), from, to, rate, random)))
        }
        TokenTree::Ident(ident) if ident == from && random.below(rate) == 0 => TokenTree::Ident(word(&ident)),
        other => other,
    };
    tokens.into_iter().map(one).collect()
}

/// The expansion is Rust, whether it holds messages or code.
fn expands(tokens: TokenStream) {
    survives(tokens.clone(), false);
    let out = ode_codegen::expand(tokens.clone());
    if let Err(e) = syn::parse2::<syn::File>(out) {
        panic!("{e}: {tokens}");
    }
}

#[test]
fn the_seed_is_a_model() {
    let out = ode_codegen::expand(seed());
    assert!(!out.to_string().contains("compile_error"), "{:?}", ode_codegen::compile(seed()).err());
    expands(seed());
}

#[test]
fn subs_without_some_of_their_items() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for round in 0..15 {
        expands(thinned(seed(), [3, 8, 30][round % 3], &mut random));
    }
}

#[test]
fn subs_under_other_names() {
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    for round in 0..30 {
        let mut tokens = thinned(seed(), 200, &mut random);
        for _ in 0..1 + random.below(2) {
            let (from, to) = (OWN[random.below(OWN.len())], NAMES[random.below(NAMES.len())]);
            tokens = renamed(tokens, from, to, [1, 1, 3][round % 3], &mut random);
        }
        expands(tokens);
    }
}

#[test]
fn subs_with_other_tokens() {
    let mut random = Random(0xA076_1D64_78BD_642F);
    for round in 0..160 {
        let tokens = mutated(seed(), [60, 200, 600, 1200][round % 4], &mut random);
        match round % 32 {
            5 => expands(tokens),
            _ => survives(tokens, false),
        }
    }
}
