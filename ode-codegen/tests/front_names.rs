//! Every word of Rust in every place where a model gives or takes a name: with `r#` it works, without it is one message
//! at the word.

use proc_macro2::{TokenStream, TokenTree};

/// Words of Rust in all its editions. Four of them are no names even with `r#`.
const WORDS: [&str; 52] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "Self", "self", "static", "struct", "super", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

const NEVER: [&str; 4] = ["crate", "self", "super", "Self"];

/// Items that declare the name `@`, and use it where they can.
const PLACES: [(&str, &str); 28] = [
    ("param", "param @: Real = 1.0; potential = @ * x; require @ > 0.0;"),
    ("two params", "param a, @: Real = 1.0; potential = a * @ * x;"),
    ("a group", "param: Real { @ = 1.0; } potential = @ * x;"),
    ("coord", "coord @: Real; kinetic second = 0.5 * sq(der(@)); init @ = 0.5; fix @; output y = @ + der(@);"),
    ("velocity", "coord (p, @): Real; kinetic second = 0.5 * sq(@); init @ = 0.5; init p = 0.0; output y = @;"),
    ("rotation", "coord (@, w): SO3; kinetic second = 0.5 * dot(w, w); init @ = rot_x(0.1);"),
    ("state", "state @: Real; der(@) = -@; init @ = 1.0;"),
    ("algebraic", "algebraic @: Real; constraint law: @ + x == 0.0; guess @ = 1.0;"),
    ("mode", "mode @: Real = 1.0; force f on x = @; event e when x < 0.0 { @ = -@; }"),
    ("input", "input @: Real in -1.0..=1.0 = 0.5; force f on x = @;"),
    ("output", "output @: Real = x;"),
    ("let", "let @ = 2.0 * x; potential = @;"),
    ("let of a block", "potential = { let @ = 2.0 * x; sq(@) };"),
    ("fn", "fn @(a: Real) -> Real { a * a } potential = @(x);"),
    ("argument", "fn f(@: Real) -> Real { @ * @ } potential = f(x);"),
    ("extern fn", "extern fn @(a: Real) -> Real { dual: some::path } force f on x = @(x);"),
    ("extern argument", "extern fn f(@: Real) -> Real { dual: some::path } force g on x = f(x);"),
    ("energy", "kinetic @ = 0.5 * sq(der(x)); dissipation @ = 0.5 * sq(der(x)); potential @ = x;"),
    ("cost", "cost @ = sq(x);"),
    ("residual", "residual @ = x;"),
    ("limit", "limit @: x in -1.0..=1.0;"),
    ("force", "force @ on x = 1.0;"),
    ("constraint", "coord y: Real; kinetic second = sq(der(y)); constraint @: x == y; output reaction = @.lambda;"),
    (
        "rows of a loop",
        "coord y: [Real; 2]; kinetic second = der(y[0]) * der(y[0]) + der(y[1]) * der(y[1]);
        for i in 0..2 { constraint @: x == y[i]; limit @: y[i] in 0.0..=1.0; residual @ = y[i]; }
        output reaction = @[1].lambda;",
    ),
    ("event", "event @ when x < 0.0 { der(x) = -der(x); }"),
    ("index", "coord y: Vec2; kinetic second = 0.5 * dot(der(y), der(y)); for @ in 0..2 { init y[@] = 0.5; }"),
    ("body", "coord a, b: Real; let f = frame2(vec2(a, b), 0.0); body @ on f { mass: 1.0, inertia: 1.0 }"),
    ("spring", "spring @ on (x, 0.0) { k: 1.0, rest: 1.0 }"),
];

/// Items that declare a name.
const DECLARED: [&str; 22] = [
    "param @: Real = 1.0;",
    "coord @: Real;",
    "coord (y, @): Real;",
    "coord @: SO3;",
    "state @: Real;",
    "algebraic @: Real;",
    "mode @: Real = 1.0;",
    "input @: Real;",
    "output @: Real = x;",
    "let @ = 2.0 * x;",
    "fn @(a: Real) -> Real { a }",
    "fn f(@: Real) -> Real { 1.0 }",
    "extern fn @(a: Real) -> Real { dual: some::path }",
    "potential @ = x;",
    "cost @ = x;",
    "residual @ = x;",
    "limit @: x in 0.0..=1.0;",
    "force @ on x = 1.0;",
    "constraint @: x == 1.0;",
    "event @ when x < 0.0 { stop; }",
    "sub @: Kid<T>;",
    "unit @ = 2.0 [m];",
];

/// Names of a child, as the parent sees them.
const INSIDE: [(&str, &str, &str); 12] = [
    (
        "coord",
        "coord @: Real; kinetic second = 0.5 * sq(der(@)); init @ = 0.5;",
        "force f on kid.@ = 1.0; init kid.@ = 1.0;",
    ),
    ("velocity", "coord (p, @): Real; kinetic second = 0.5 * sq(@);", "init kid.@ = 1.0; output y = kid.@;"),
    ("param", "param @: Real = 1.0; require @ > 0.0; potential = @ * x;", "output y = kid.@;"),
    ("param given", "param @: Real = 1.0; potential = @ * x;", "output y = kid.@;"),
    ("input", "input @: Real; force f on x = @;", "bind kid.@ = 1.0;"),
    ("output", "output @: Real = x;", "output y = kid.@;"),
    ("state", "state @: Real; der(@) = -@;", "init kid.@ = 0.5;"),
    ("constraint", "coord y: Real; kinetic second = sq(der(y)); constraint @: x == y;", "output r = kid.@.lambda;"),
    ("limit", "limit @: x in -1.0..=1.0;", ""),
    ("residual", "residual @ = x;", ""),
    ("cost, force, event", "cost @ = x; force @ on x = 1.0; event @ when x < 0.0 { stop; }", ""),
    ("fix", "coord @: Real; kinetic second = 0.5 * sq(der(@)); init @ = 0.5; fix @;", "output r = kid.@.reaction;"),
];

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn root(items: &str) -> String {
    format!(
        "#[model(no_selftest)] pub struct P<T> {{ coord x: Real; kinetic = 0.5 * sq(der(x)); init x = 0.5; {items} }}"
    )
}

fn parent(child: &str, items: &str, sub: &str, with: &str) -> String {
    let kid = format!("pub struct Kid<T> {{ coord x: Real; kinetic = 0.5 * sq(der(x)); init x = 0.5; {child} }}");
    format!("@compose {{ #[model(no_selftest)] pub struct P<T> {{ sub {sub}: Kid<T> {with}; {items} }} }} {{ {kid} }}")
}

/// Nothing is said, and what comes out is Rust.
fn works(what: &str, text: &str) {
    let out = ode_codegen::expand(tokens(text));
    let said = messages(&out);
    assert!(said.is_empty(), "{what}: {said:?} in {text}");
    assert!(!has_gen(out.clone()), "{what}: `gen` without `r#` in {text}");
    if let Err(e) = syn::parse2::<syn::File>(out) {
        panic!("{what}: {e} in {text}");
    }
}

/// The texts of the mistakes in an expansion.
fn messages(out: &TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    let mut after = false;
    for token in out.clone() {
        match token {
            TokenTree::Ident(ident) => after = ident == "compile_error",
            TokenTree::Group(group) if after => {
                found.push(group.stream().to_string());
                after = false;
            }
            TokenTree::Group(group) => found.extend(messages(&group.stream())),
            _ => {}
        }
    }
    found
}

/// A word that is a keyword since 2024, and that `syn` lets pass. The carrier holds the user's own text.
fn has_gen(out: TokenStream) -> bool {
    let mut rules = false;
    out.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => {
            rules |= ident == "macro_rules";
            ident == "gen"
        }
        TokenTree::Group(group) => {
            let carried = std::mem::take(&mut rules);
            !carried && has_gen(group.stream())
        }
        _ => false,
    })
}

fn raw() -> impl Iterator<Item = &'static str> {
    WORDS.into_iter().filter(|w| !NEVER.contains(w))
}

#[test]
fn raw_identifiers_name_everything() {
    for word in raw() {
        let name = format!("r#{word}");
        let all = ["type", "gen"].contains(&word);
        for (place, items) in PLACES.into_iter().filter(|(place, _)| all || *place == "rows of a loop") {
            works(&format!("{place} {name}"), &root(&items.replace('@', &name)));
        }
    }
}

#[test]
fn raw_identifiers_name_everything_of_a_sub() {
    for word in raw().filter(|w| ["type", "gen"].contains(w)) {
        let name = format!("r#{word}");
        for (place, child, items) in INSIDE {
            let with = if place == "param given" { format!("with {{ {name}: 2.0 }}") } else { String::new() };
            let (child, items) = (child.replace('@', &name), items.replace('@', &name));
            let items = items.replace("kid.", &format!("{name}."));
            works(&format!("{place} {name} of sub {name}"), &parent(&child, &items, &name, &with));
        }
        let each = format!("for i in 0..2 {{ init {name}[i].x = 1.0; }} output y = {name}[1].x;");
        let text =
            parent("", &each, &name, "").replace("Kid<T> ;", "[Kid<T>; 2];").replace(": Kid<T>", ": [Kid<T>; 2]");
        works("an array of subs", &text);
    }
}

#[test]
fn a_word_without_r_is_one_message_at_it() {
    for word in WORDS.into_iter().chain(["_"]) {
        let all = ["type", "gen", "_", "self"].contains(&word);
        for item in DECLARED.into_iter().filter(|item| all || item.starts_with("coord (")) {
            let text = root(&item.replace('@', word));
            let said = messages(&ode_codegen::expand(tokens(&text)));
            assert_eq!(said.len(), 1, "{said:#?} in {text}");
        }
        for item in
            ["let y = @ * x;", "potential = @;", "force f on @ = 1.0;", "init @ = 1.0;", "fix @;", "output y = x.@;"]
                .into_iter()
                .filter(|_| all)
        {
            let text = root(&item.replace('@', word));
            let said = messages(&ode_codegen::expand(tokens(&text)));
            assert!(said.len() <= 2 && (word != "gen" || said.len() == 1), "{said:#?} in {text}");
        }
    }
}

/// What a sub gives and a name of the parent, or of another sub, that is spelled as it is.
#[test]
fn names_that_collide_after_spelling_are_one_message() {
    for (child, items) in [
        ("", "coord leg_x: Real; mass leg_x = 1.0;"),
        ("", "param leg_x: Real = 1.0; force f on leg.x = leg_x;"),
        ("", "output leg_x: Real = leg.x;"),
        ("limit q: x in 0.0..=1.0;", "limit leg_q: leg.x in 0.0..=1.0;"),
        ("residual q = x;", "residual leg_q = leg.x;"),
        ("constraint q: x == 1.0;", "coord y: Real; mass y = 1.0; constraint leg_q: y == 1.0;"),
        ("", "fix leg.x; coord y: Real; mass y = 1.0; constraint fix_leg_x: y == 1.0;"),
        ("", "coord y: Real; mass y = 1.0; fix y = 1.0; constraint fix_y: leg.x == 1.0;"),
        ("", "residual = leg.x; residual residual_0 = leg.x;"),
        ("residual = x;", "residual residual_0 = leg.x;"),
        ("coord a_b: Real; mass a_b = 1.0;", "sub leg_a: Other<T>;"),
        (
            "",
            "coord x_0: Real; mass x_0 = 1.0; for i in 0..1 { limit q: leg.x in 0.0..=1.0; } limit q_0: x_0 in 0.0..=1.0;",
        ),
    ] {
        let text = parent(child, items, "leg", "");
        let other = " { pub struct Other<T> { coord b: Real; mass b = 1.0; } }";
        let text = if items.contains("Other") { text + other } else { text };
        let said = messages(&ode_codegen::expand(tokens(&text)));
        assert!(said.len() == 1 && (said[0].contains("M0106") || said[0].contains("M0102")), "{said:#?} in {text}");
    }
}

#[test]
fn a_sub_with_a_named_residual_is_a_model() {
    works("residual", &parent("residual e = x;", "residual e = kid.x;", "kid", ""));
    works("a name like that of one without", &root("residual residual_1 = x; residual = x; residual = x;"));
    works(
        "residuals of elements",
        &parent("residual e = x; residual = x;", "", "kid", "").replace(": Kid<T>", ": [Kid<T>; 2]"),
    );
}
