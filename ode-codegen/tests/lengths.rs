//! Lengths of sets that the model says: the code does not depend on them.

use proc_macro2::{TokenStream, TokenTree};

const LINKS: &str = include_str!("front_models/links.txt");

fn expanded(model: &str) -> TokenStream {
    ode_codegen::expand(model.parse().expect("tokens"))
}

/// All tokens, in order.
fn flat(tokens: TokenStream, out: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                out.push(format!("{:?}", group.delimiter()));
                flat(group.stream(), out);
            }
            other => out.push(other.to_string()),
        }
    }
}

fn tokens(model: &str) -> Vec<String> {
    let mut out = Vec::new();
    flat(expanded(model), &mut out);
    out
}

fn with_length(length: &str) -> String {
    LINKS.replace("set joints: const N;", &format!("set joints: const {length};")).replace(", const N: usize", "")
}

/// Of a set of two and one of thousands only the number differs, where the length is written and where it is told.
#[test]
fn the_expansion_does_not_depend_on_a_length() {
    let (few, many) = (tokens(&with_length("2")), tokens(&with_length("5000")));
    assert_eq!(few.len(), many.len());
    assert!(few.len() > 10_000 && !few.iter().any(|token| token == "compile_error"), "{}", few.len());
    // the macro that carries the text has a number made of it in its name
    let carrier = |token: &str| token.starts_with("__ode_model_Links_");
    let differ: Vec<_> = few.iter().zip(&many).filter(|(few, _)| !carrier(few)).filter(|(f, m)| f != m).collect();
    for (few, many) in &differ {
        assert_eq!(**few, many.replace("5000", "2"));
        assert!(*few == "2" || few.contains("has 2 members.") || few.contains("set joints: const 2"), "{few}");
    }
    assert!(differ.iter().any(|(few, _)| *few == "2") && differ.len() < 12, "{differ:?}");
}

/// What the model says of its sets is on the page of the struct and at their methods.
#[test]
fn the_documentation_says_the_lengths() {
    let text = expanded(LINKS).to_string();
    let said = "`joints` has `N` members. `rods` joins neighbours of `joints` in a row, unless the builder gives others. \
                `bends` joins neighbours of `joints` in a row, unless the builder gives others. `wall` has 1 member, \
                unless the builder gives others. `posts` has 3 members. `ends` has `ENDS` members. `stays` has 2 \
                members, unless the builder gives others.";
    assert!(text.contains(&format!("in as many places as the struct says.\\n\\n{said}")), "{text}");
    assert_eq!(text.matches("the masses `joints` has `N` members.").count(), 2);
}

/// The generics of the struct, those of a model with a mistake too.
#[test]
fn the_struct_has_its_lengths_in_the_order_of_the_user() {
    let declared = |model: &str| {
        let text = expanded(model).to_string();
        let at = text.find("struct Links").expect("the struct");
        text[at..].split(" {").next().expect("a head").replace(' ', "")
    };
    for (written, found) in [
        ("<T, const N: usize, const ENDS: usize = 2>", "structLinks<T,constN:usize,constENDS:usize=2>"),
        ("<const N: usize, T, const ENDS: usize = 2>", "structLinks<constN:usize,T=f64,constENDS:usize=2>"),
        ("<const ENDS: usize, const N: usize>", "structLinks<constENDS:usize,constN:usize>"),
    ] {
        let model = LINKS.replace("<T, const N: usize, const ENDS: usize = 2>", written);
        assert_eq!(declared(&model), found);
        assert!(!expanded(&model).to_string().contains("compile_error"), "{written}");
        let broken = model.replace("mass x[i] = m[i];", "mass x[i] = m[i] + zz;");
        assert_eq!(declared(&broken), found);
        assert!(expanded(&broken).to_string().contains("compile_error"));
    }
}
