//! Models in files of Rust.

use proc_macro2::{TokenStream, TokenTree as T};

/// The bodies of `model! { .. }` in a text of Rust, however deep they stand.
///
/// # Errors
/// The text is no Rust.
pub fn models(text: &str) -> Result<Vec<TokenStream>, proc_macro2::LexError> {
    let mut found = Vec::new();
    collect(text.parse()?, &mut found);
    Ok(found)
}

fn collect(tokens: TokenStream, found: &mut Vec<TokenStream>) {
    let tokens: Vec<T> = tokens.into_iter().collect();
    for window in tokens.windows(3) {
        if let [T::Ident(word), T::Punct(mark), T::Group(body)] = window
            && *word == "model"
            && mark.as_char() == '!'
        {
            found.push(body.stream());
        }
    }
    for token in tokens {
        if let T::Group(group) = token {
            collect(group.stream(), found);
        }
    }
}

/// Does an item of the model begin with `set`? It is several programs then.
pub fn declares_sets(model: &TokenStream) -> bool {
    let is_set = |token| matches!(token, T::Ident(word) if word == "set");
    model.clone().into_iter().any(|token| match token {
        T::Group(body) => body.stream().into_iter().any(is_set),
        _ => false,
    })
}

/// The name of a model.
pub fn name(model: &TokenStream) -> String {
    let words: Vec<String> = model.clone().into_iter().map(|t| t.to_string()).collect();
    let place = words.iter().position(|w| w == "struct");
    place.and_then(|i| words.get(i + 1)).cloned().unwrap_or_default()
}
