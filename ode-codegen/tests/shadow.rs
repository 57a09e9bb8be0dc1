//! The editor's view: every name in a model is in its shadow with its own span, in spite of mistakes.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Ident, LineColumn, TokenStream, TokenTree};
use quote::ToTokens;

type Place = (usize, usize, usize);

fn place(ident: &Ident) -> Place {
    let (LineColumn { line, column }, end) = (ident.span().start(), ident.span().end());
    (line, column, end.column)
}

/// All identifiers with their places.
fn idents(tokens: TokenStream, found: &mut BTreeMap<Place, String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                found.insert(place(&ident), ident.to_string());
            }
            TokenTree::Group(group) => idents(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// The input of a call of the macro `name`, where it begins with `word`.
fn input_of(tokens: TokenStream, name: &str, word: Option<&str>) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(ident) if ident == name => {
                if let (Some(TokenTree::Punct(_)), Some(TokenTree::Group(group))) =
                    (tokens.get(at + 1), tokens.get(at + 2))
                    && word.is_none_or(|word| group.stream().to_string().starts_with(word))
                {
                    return Some(group.stream());
                }
            }
            TokenTree::Group(group) => {
                if let Some(found) = input_of(group.stream(), name, word) {
                    return Some(found);
                }
            }
            _ => {}
        }
    }
    None
}

/// What an editor gets for a model: the expansion asks for the shadow.
fn expanded(model: TokenStream) -> TokenStream {
    let whole = ode_codegen::expand(model);
    let question = input_of(whole, "model", Some("@ shadow")).expect("the expansion asks for a shadow");
    ode_codegen::expand(question)
}

/// The input of the macro that stands for the shadow.
fn shadow_of(model: TokenStream) -> Option<TokenStream> {
    input_of(expanded(model), "__shadow", None)
}

fn shadow(model: &str) -> TokenStream {
    shadow_of(model.parse().expect("tokens")).unwrap_or_else(|| panic!("no shadow of {model}"))
}

/// Words that are the language's and no names, and a misspelt one.
const WORDS: &[&str] = &[
    "param",
    "coord",
    "state",
    "mode",
    "event",
    "when",
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
    "show",
    "require",
    "fn",
    "unit",
    "for",
    "on",
    "in",
    "with",
    "extern",
    "value",
    "gradient",
    "compliance",
    "kinetc",
    "pub",
    "struct",
    "set",
    "fix",
    "const",
    "chain",
];

/// The names of the model's body: no words in their places, no attributes, and no fields of `{ mass: m }`.
fn written(tokens: TokenStream, found: &mut BTreeMap<Place, String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let punct = |at: Option<usize>, ch: char| {
        matches!(at.and_then(|at| tokens.get(at)),
        Some(TokenTree::Punct(p)) if p.as_char() == ch)
    };
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1);
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket && punct(before, '#') => {}
            TokenTree::Group(group) => written(group.stream(), found),
            TokenTree::Ident(ident) => {
                let word = ident.to_string();
                let called =
                    matches!(tokens.get(at + 1), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
                let is_word = WORDS.contains(&word.as_str()) && !(word == "unit" && called);
                let field = ["mass", "inertia", "k", "rest", "damping", "compliance", "color", "value", "gradient"]
                    .contains(&word.as_str())
                    && punct(Some(at + 1), ':')
                    && (before.is_none() || punct(before, ','));
                if !is_word && !field {
                    found.insert(place(ident), word);
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// The names of the body that the shadow lacks.
fn missing(model: &str) -> Vec<String> {
    missing_of(model.parse().expect("tokens"))
}

fn missing_of(model: TokenStream) -> Vec<String> {
    let body = model.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
        _ => None,
    });
    let (mut wanted, mut found) = (BTreeMap::new(), BTreeMap::new());
    written(body.expect("a body"), &mut wanted);
    let shadow = shadow_of(model.clone());
    idents(shadow.unwrap_or_else(|| panic!("no shadow of {model}")), &mut found);
    assert!(wanted.len() > 5, "names are found in {model}");
    wanted.retain(|place, name| found.get(place) != Some(name));
    wanted.into_iter().map(|((line, column, _), name)| format!("{line}:{column} {name}")).collect()
}

const MODELS: [&str; 9] = [
    include_str!("front_models/pendulum.txt"),
    include_str!("front_models/cart_pole.txt"),
    include_str!("front_models/double_pendulum.txt"),
    include_str!("front_models/andrews_squeezer.txt"),
    include_str!("front_models/slider_crank.txt"),
    include_str!("front_models/quadrotor.txt"),
    include_str!("front_models/dcmotor.txt"),
    include_str!("front_models/strand.txt"),
    include_str!("front_models/links.txt"),
];

/// Every item of the language that the models above lack.
const OTHERS: &str = "pub struct Others {
    unit mm = 1.0e-3 [m];
    param: Real [mm] { a = 1.0; /// the other
        b = 2.0; }
    param j: SymMat3 = diag(1.0, 2.0, 3.0);
    param hub: [Vec2; 2] [m] = [vec2(0.1, 0.0), vec2(0.0, 0.1)];
    coord (r, v): Vec2 [m];
    coord th: Angle;
    fn beyond(x: Real [m], w: Real [m]) -> Real [m] { let x = x - w; if x > 0.0 { x } else { 0.0 } }
    mass (r.x, r.y) = [[1.0, 0.0], [0.0, 1.0]];
    spring s on (r, hub[1]) { k: a, rest: b, damping: 0.1 }
    require a > 0.0 && b > 0.0, \"lengths\";
    for i in 0..2 { let p = r - hub[i]; potential = 0.5 * beyond(norm(p), a) * unit(p).x.powi(2); }
    limit far: norm(r) in -1.0..=1.0;
    show rod = line(r, hub[0]) with { color: red };
    show path = polyline(r, hub[0], hub[1]);
    constraint rod: r.dot(r) == sq(a) with { compliance: 1.0e-6 * b };
    extern fn mu(slip: Real) -> Real { value: crate::tyre::mu, gradient: crate::tyre::mu_grad }
    torque tau on th = if th < 1.0 { -der(th) } else { 0.0 };
    mode gear: Real = 1.0;
    for k in 0..3 { let tip[k]: Vec2 [m] = if k == 0 { r } else { tip[k - 1] + hub[0] }; }
    force pull on tip[2].x = match gear { 0 => 0.0, 1 | -1 => if th > 2.0 { a } else { b }, _ => { let c = a; c } };
}";

#[test]
fn every_name_keeps_its_span() {
    for model in MODELS.into_iter().chain([OTHERS]) {
        assert_eq!(missing(model), [""; 0], "of {model}");
    }
}

/// The shadow as Rust, so that an editor's parser has nothing to mend.
fn parsed(model: &str) -> syn::Block {
    let mut parts = shadow(model).into_iter();
    let statements = parts.next().expect("statements");
    syn::parse2(statements.clone().into()).unwrap_or_else(|e| panic!("{e} in the shadow {statements} of {model}"))
}

#[test]
fn mistakes_do_not_take_names_away() {
    let cart = MODELS[1];
    let changes = [
        // half typed
        ("m_p * g * tip.y", "m_p * g * tip."),
        ("m_p * g * tip.y", "m_p * g * "),
        ("l * sin(th)", "l * sin(th."),
        ("l * sin(th)", "l * sin(th +)"),
        ("0.5 * m_c * sq(der(x))", "0.5 * m_c sq(der(x))"),
        ("output tip_pos: Vec2 [m] = tip", "output tip_pos: Vec2 [m] ="),
        // misspelt
        ("m_p * g * tip.y", "m_q * g * tip.y"),
        ("kinetic pole", "kinetc pole"),
        ("th: Angle", "th: Angel"),
        ("der(tip).dot(der(tip))", "der(tip).dots(der(tip))"),
        // a semicolon, a name, a sign too few
        ("let tip = vec2(x + l * sin(th), -l * cos(th));", "let tip = vec2(x + l * sin(th), -l * cos(th))"),
        ("force drive on x = u;", "force on x = u;"),
        ("force drive on x = u;", "force drive x = u;"),
    ];
    for (from, to) in changes {
        assert!(cart.contains(from), "{from} is in the model");
        let changed = cart.replacen(from, to, 1);
        // `th.` took the parenthesis with it
        let changed = if to.ends_with("th.") { cart.replacen(from, "l * sin(th.)", 1) } else { changed };
        assert!(ode_codegen::compile(changed.parse().expect("tokens")).is_err(), "{to} is a mistake");
        assert_eq!(missing(&changed), [""; 0], "after {to}");
        parsed(&changed);
    }
}

#[test]
fn models_without_mistakes_have_shadows_that_parse() {
    for model in MODELS.into_iter().chain([OTHERS]) {
        let block = parsed(model);
        assert!(block.stmts.len() > 5, "{model}");
    }
}

/// Whatever token is missing, there is a shadow, and what is left of the names is in it.
#[test]
fn any_token_may_be_missing() {
    fn without(tokens: TokenStream, at: &mut usize) -> TokenStream {
        let mut kept = Vec::new();
        for token in tokens {
            let here = *at == 0;
            *at = at.wrapping_sub(1);
            match token {
                _ if here => {}
                TokenTree::Group(group) => {
                    let mut made = proc_macro2::Group::new(group.delimiter(), without(group.stream(), at));
                    made.set_span(group.span());
                    kept.push(TokenTree::Group(made));
                }
                other => kept.push(other),
            }
        }
        kept.into_iter().collect()
    }
    let mut rounds = 0;
    for at in (12..400).step_by(1) {
        let whole: TokenStream = OTHERS.parse().expect("tokens");
        let mut left = at;
        let tokens = without(whole, &mut left);
        if left < usize::MAX / 2 {
            break;
        }
        rounds += 1;
        assert_eq!(missing_of(tokens), [""; 0], "without token {at}");
    }
    assert!(rounds > 220, "{rounds}");
}

#[test]
fn declarations_are_documented() {
    let text = shadow(MODELS[1]).to_string();
    for part in [
        "\"`param m_p: Real [kg] = 0.1`\"",
        "pole tip mass",
        "\"`let tip = vec2(x + l * sin(th), -l * cos(th))`\"",
        "\"`input u: Real [N] in -10.0..=10.0`\"",
        "\"`force drive on x = u`\"",
    ] {
        assert!(text.contains(part), "{part} is missing from {text}");
    }
}

/// The members of a list are read around the loop that defines them.
#[test]
fn a_list_is_a_name_of_the_whole_model() {
    let block = parsed(OTHERS);
    let consts = block.stmts.iter().filter_map(|statement| match statement {
        syn::Stmt::Item(syn::Item::Const(item)) => Some((item.ident.to_string(), item.to_token_stream().to_string())),
        _ => None,
    });
    let tip: Vec<String> = consts.filter(|(name, _)| name == "tip").map(|(_, text)| text).collect();
    assert!(tip.len() == 1 && tip[0].contains("`let tip[k]: Vec2 [m] = if k == 0"), "{tip:?}");
}

#[test]
fn a_scope_hides_the_names_outside() {
    let text = shadow(OTHERS).to_string();
    // the argument, and the `let` behind the expression that still reads the argument
    let body = &text[text.find("fn beyond").expect("the function")..];
    let argument = body.find("`x: Real [m]`").expect("the argument");
    let value = body.find("let _ = x - w").expect("the value of the let");
    let binding = body.find("`let x = x - w`").expect("the let");
    assert!(argument < value && value < binding, "{body}");
}

#[test]
fn the_facade_is_where_the_options_say() {
    let model: TokenStream =
        "#[model(crate = other::path)] pub struct P { coord x: Real; mass x = 1.0; }".parse().expect("tokens");
    let whole = ode_codegen::expand(model.clone()).to_string();
    assert!(whole.contains("# [cfg (rust_analyzer)] other :: path :: model ! { @ shadow {"), "{whole}");
    let text = expanded(model).to_string();
    assert!(text.starts_with("other :: path :: runtime :: __shadow !"), "{text}");
}

/// rustc reads no shadow, so none is made for it.
#[test]
fn an_expansion_only_asks_for_the_shadow() {
    let model: TokenStream = MODELS[1].parse().expect("tokens");
    assert!(input_of(ode_codegen::expand(model), "__shadow", None).is_none());
}

/// All tokens but brackets, in order.
fn flat(tokens: TokenStream, out: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => flat(group.stream(), out),
            other => out.push(other.to_string()),
        }
    }
}

/// To complete a word an editor adds letters to it, and looks in the shadow where the word was before.
#[test]
fn letters_that_are_being_typed_change_nothing_before_them() {
    for item in [
        "output y: Real = th.@;",
        "let q = 2.0 * @;",
        "param k: Real = @;",
        "param: Real { a = 1.0; b = @; }",
        "input u: Real in 0.0..=@;",
        "kinetic second = @;",
        "force drive on th = @;",
        "for i in 0..2 { let q = @; output z: Real = q; }",
        "for i in 0..2 { let q[i] = @; } output z: Real = q[1];",
        "mode m: Real = 0.0; let q = match m { 0 => @, _ => 1.0 };",
        "fn f(x: Real) -> Real { let y = x.@; y }",
        "fix th = th.@;",
    ] {
        let tokens = |typed: &str| {
            let mut out = Vec::new();
            let text = format!("pub struct P {{ coord th: Angle; {} potential = cos(th); }}", item.replace('@', typed));
            flat(shadow(&text), &mut out);
            out
        };
        let (before, after) = (tokens("word"), tokens("wordmore"));
        let at = after.iter().position(|token| token == "wordmore").unwrap_or_else(|| panic!("no word of {item}"));
        assert_eq!(before[..at], after[..at], "{item}");
    }
}
