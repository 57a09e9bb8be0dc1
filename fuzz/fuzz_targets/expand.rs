//! The macro never panics: any text that is tokens at all expands, to code or to messages.
//!
//! The first byte of the input decides what it is: a whole model, the items of one, or edits to a valid model or to
//! one of subs.

#![no_main]

use libfuzzer_sys::fuzz_target;
use proc_macro2::{Group, TokenStream, TokenTree};

/// Valid models that edits are made to: one by itself, and one of subs with everything inside.
const MODEL: &str = include_str!("../../ode-codegen/tests/front_models/slider_crank.txt");
const ASSEMBLY: &str = include_str!("../../ode-codegen/tests/front_models/assembly.txt");

fuzz_target!(|data: &[u8]| {
    let Some((kind, rest)) = data.split_first() else { return };
    let tokens = match kind % 4 {
        0 => std::str::from_utf8(rest).ok().and_then(|text| text.parse().ok()),
        1 => std::str::from_utf8(rest).ok().and_then(|items| {
            format!("pub struct P<T> {{ coord x: Real; kinetic = 0.5 * sq(der(x)); {items} }}").parse().ok()
        }),
        2 => MODEL.parse().ok().map(|model| edited(model, &mut rest.iter().copied())),
        _ => ASSEMBLY.parse().ok().map(|model| edited(model, &mut rest.iter().copied())),
    };
    if let Some(tokens) = tokens {
        let _ = ode_codegen::expand(tokens);
    }
});

/// One byte a token: most are kept, some dropped, doubled or swapped.
fn edited(tokens: TokenStream, edits: &mut dyn Iterator<Item = u8>) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let token = match token {
            TokenTree::Group(group) => TokenTree::Group(Group::new(group.delimiter(), edited(group.stream(), edits))),
            other => other,
        };
        match edits.next().unwrap_or(0) {
            1..=4 => {}
            5..=8 => out.extend([token.clone(), token]),
            9..=12 => {
                let before = out.pop();
                out.push(token);
                out.extend(before);
            }
            _ => out.push(token),
        }
    }
    out.into_iter().collect()
}
