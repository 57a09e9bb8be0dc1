//! A model with a mistake keeps its shape: everything public of the sound expansion is there, so that one mistake is
//! one message.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, ImplItem, Item, Stmt, Visibility};

/// Signatures of what is public, by name.
type Public = BTreeMap<String, String>;

fn public(file: &[Item], out: &mut Public) {
    for item in file {
        let attributes = match item {
            Item::Struct(i) => &i.attrs,
            Item::Const(i) => &i.attrs,
            Item::Mod(i) => &i.attrs,
            _ => &Vec::new(),
        };
        if attributes.iter().any(|a| a.path().is_ident("cfg")) {
            continue; // what tests alone see
        }
        match item {
            // solvers have no names outside
            Item::Struct(s) if s.ident == "Saddle" || s.ident == "Kkt" => {}
            Item::Struct(s) => {
                out.insert(format!("struct {}", s.ident), s.generics.to_token_stream().to_string());
                for (i, field) in s.fields.iter().enumerate().filter(|(_, f)| !matches!(f.vis, Visibility::Inherited)) {
                    let name = field.ident.as_ref().map_or(i.to_string(), ToString::to_string);
                    out.insert(format!("{}.{name}", s.ident), field.ty.to_token_stream().to_string());
                }
            }
            // a block without entries
            Item::Type(t) if matches!(t.vis, Visibility::Public(_)) => {
                out.insert(format!("struct {}", t.ident), t.generics.to_token_stream().to_string());
            }
            Item::Const(c) => {
                if c.ident != "_" {
                    out.insert(format!("const {}", c.ident), c.ty.to_token_stream().to_string());
                }
                if let Expr::Block(block) = &*c.expr {
                    let items = block.block.stmts.iter().filter_map(|s| match s {
                        Stmt::Item(item) => Some(item.clone()),
                        _ => None,
                    });
                    public(&items.collect::<Vec<_>>(), out);
                }
            }
            Item::Mod(m) => {
                if let Some((_, items)) = &m.content {
                    public(items, out);
                }
            }
            Item::Impl(i) => {
                let on = i.self_ty.to_token_stream().to_string();
                if on.starts_with("Saddle") || on.starts_with("Kkt") {
                    continue;
                }
                if let Some((path, _)) = &i.trait_ {
                    out.insert(
                        format!("impl {} for {on}", path.to_token_stream()),
                        i.generics.to_token_stream().to_string(),
                    );
                    continue;
                }
                for item in &i.items {
                    match item {
                        ImplItem::Fn(f) if !matches!(f.vis, Visibility::Inherited) => {
                            out.insert(format!("{on}::{}", f.sig.ident), f.sig.to_token_stream().to_string());
                        }
                        ImplItem::Const(c) => {
                            out.insert(format!("{on}::{}", c.ident), c.ty.to_token_stream().to_string());
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

/// Everything public of an expansion, and whether it has a message.
fn shape(tokens: TokenStream) -> (Public, bool) {
    let out = ode_codegen::expand(tokens);
    let file: syn::File = syn::parse2(out.clone()).unwrap_or_else(|e| panic!("{e}: {out}"));
    let mut found = Public::new();
    public(&file.items, &mut found);
    // A length is a number beside a type; a text is not public's business.
    (found, out.to_string().contains("compile_error"))
}

/// The models of a text: those in `model!`, or the text itself.
fn models(text: &str) -> Vec<TokenStream> {
    fn find(tokens: TokenStream, all: &mut Vec<TokenStream>) {
        let mut named = false;
        for token in tokens {
            match token {
                TokenTree::Group(group) if named && group.delimiter() == Delimiter::Brace => {
                    all.push(group.stream());
                    named = false;
                }
                TokenTree::Group(group) => find(group.stream(), all),
                TokenTree::Ident(ident) => named = ident == "model",
                TokenTree::Punct(p) => named &= p.as_char() == '!',
                TokenTree::Literal(_) => named = false,
            }
        }
    }
    let mut all = Vec::new();
    find(text.parse().expect("tokens"), &mut all);
    let whole = all.clone();
    all.iter().map(|model| ode_codegen::phases::parse::with_parts(model, &whole)).collect()
}

const EXAMPLES: [&str; 15] = [
    include_str!("../../examples/bouncing_ball.rs"),
    include_str!("../../examples/cart_pole.rs"),
    include_str!("../../examples/chain.rs"),
    include_str!("../../examples/coin.rs"),
    include_str!("../../examples/dc_motor.rs"),
    include_str!("../../examples/double_pendulum.rs"),
    include_str!("../../examples/four_bar.rs"),
    include_str!("../../examples/pendulum.rs"),
    include_str!("../../examples/quadrotor.rs"),
    include_str!("../../examples/rover.rs"),
    include_str!("../../examples/slider_crank.rs"),
    include_str!("../../examples/squeezer.rs"),
    include_str!("../../examples/top.rs"),
    include_str!("../../examples/tyre.rs"),
    include_str!("../../tests/editions/src/lib.rs"),
];

/// The root's body with something done to it.
fn edited(model: &TokenStream, edit: &dyn Fn(TokenStream) -> TokenStream) -> TokenStream {
    let mut done = false;
    let composed = model.to_string().starts_with("@ compose");
    model
        .clone()
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) if !done && group.delimiter() == Delimiter::Brace => {
                done = true;
                let inner = if composed { edited(&group.stream(), edit) } else { edit(group.stream()) };
                TokenTree::Group(Group::new(Delimiter::Brace, inner))
            }
            other => other,
        })
        .collect()
}

fn example_models() -> Vec<TokenStream> {
    let mut all: Vec<TokenStream> = EXAMPLES.iter().flat_map(|text| models(text)).collect();
    all.push(include_str!("front_models/assembly.txt").parse().expect("tokens"));
    all
}

#[test]
fn one_mistake_loses_nothing_public() {
    let mut sound_models = 0;
    for model in example_models() {
        let (sound, mistaken) = shape(model.clone());
        if mistaken {
            continue; // a part is elsewhere
        }
        sound_models += 1;
        {
            let mistake = ["potential zz = zz_unknown;", "let zz = = 1.0;", "zz"][sound_models % 3];
            let mistake: TokenStream = mistake.parse().expect("tokens");
            let broken = edited(&model, &|body| body.into_iter().chain(mistake.clone()).collect());
            let (kept, mistaken) = shape(broken);
            assert!(mistaken);
            let name = sound.keys().find(|k| k.starts_with("struct ")).cloned().unwrap_or_default();
            // how many nonzeros a Hessian has follows from what is broken
            let same = |key: &str, signature: &String| match key.ends_with("::hessian_values") {
                true => kept.contains_key(key),
                false => kept.get(key) == Some(signature),
            };
            let lost: Vec<_> = sound.iter().filter(|(key, signature)| !same(key, signature)).collect();
            assert!(lost.is_empty(), "{name} after `{mistake}`: {lost:#?}");
        }
    }
    assert!(sound_models >= 17, "{sound_models} models");
}

/// Each item in turn has a mistake: in a name it reads, or in its form. Names stay; types may be those of one number.
#[test]
fn a_mistake_in_an_item_keeps_its_names() {
    let models = [
        include_str!("front_models/assembly.txt").parse().expect("tokens"),
        include_str!("front_models/slider_crank.txt").parse().expect("tokens"),
        include_str!("front_models/cart_pole.txt").parse().expect("tokens"),
    ];
    for model in &models {
        let (sound, mistaken) = shape(TokenStream::clone(model));
        assert!(!mistaken);
        for k in 0..200 {
            {
                let spoilt = ["+ zz_unknown", "+ +"][k % 2];
                let last = std::cell::Cell::new(String::new());
                let broken = edited(model, &|body| spoil(body, k, spoilt, &last));
                if last.take().is_empty() {
                    continue;
                }
                let (kept, _) = shape(broken.clone());
                let entry = |signature: &str| signature.contains(":: Entry <");
                let named = |(key, signature): &(&String, &String)| !entry(signature) && !key.starts_with("impl ");
                let lost: Vec<&String> =
                    sound.iter().filter(named).map(|(key, _)| key).filter(|key| !kept.contains_key(*key)).collect();
                assert!(lost.is_empty(), "{lost:?} by `{spoilt}` in item {k} of {broken}");
            }
        }
    }
}

/// The body with something before the `;` of its k-th item. A `sub` whose type cannot be read has no names to
/// keep, and a `fix` is named by what it holds.
fn spoil(body: TokenStream, k: usize, with: &str, found: &std::cell::Cell<String>) -> TokenStream {
    let (mut items, mut begins, mut sub) = (0, true, false);
    let mut out: Vec<TokenTree> = Vec::new();
    for token in body {
        if begins {
            sub = matches!(&token, TokenTree::Ident(ident) if ident == "sub" || ident == "fix");
        }
        begins = matches!(&token, TokenTree::Punct(p) if p.as_char() == ';');
        if begins {
            if items == k && !sub {
                found.set(with.to_owned());
                out.extend(with.parse::<TokenStream>().expect("tokens"));
            }
            items += 1;
        }
        out.push(token);
    }
    out.into_iter().collect()
}
