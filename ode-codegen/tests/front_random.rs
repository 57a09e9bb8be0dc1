//! No token stream makes the front half panic, overflow its stack or run for long.
//!
//! Streams are made of the grammar's own words, or are valid models with tokens dropped, doubled, swapped and replaced.
//! Everything is seeded: a failure names its stream and happens again.

use proc_macro2::TokenStream;

#[path = "random/mod.rs"]
mod random;

use random::{Random, WORDS, mutated, survives};

const MODELS: [&str; 8] = [
    include_str!("front_models/pendulum.txt"),
    include_str!("front_models/cart_pole.txt"),
    include_str!("front_models/double_pendulum.txt"),
    include_str!("front_models/slider_crank.txt"),
    include_str!("front_models/quadrotor.txt"),
    include_str!("front_models/cloth.txt"),
    include_str!("front_models/strand.txt"),
    include_str!("front_models/links.txt"),
];

/// Words in brackets that match.
fn soup(random: &mut Random, depth: usize) -> String {
    let mut text = String::new();
    for _ in 0..random.below(14) {
        match random.below(10) {
            0 if depth < 4 => {
                let (open, close) = [("(", ")"), ("[", "]"), ("{", "}")][random.below(3)];
                text.push_str(&format!("{open} {} {close} ", soup(random, depth + 1)));
            }
            1 => text.push_str("; "),
            _ => {
                text.push_str(WORDS[random.below(WORDS.len())]);
                text.push(' ');
            }
        }
    }
    text
}

/// Items that begin as items do.
fn items(random: &mut Random) -> String {
    let mut text =
        String::from("pub struct P<T> { coord x: Real; param m: Real = 1.0; kinetic = 0.5 * m * sq(der(x)); ");
    for _ in 0..1 + random.below(6) {
        text.push_str(WORDS[random.below(44)]);
        text.push(' ');
        text.push_str(&soup(random, 1));
        text.push_str([";", "{ }", ""][random.below(3)]);
        text.push(' ');
    }
    text.push('}');
    text
}

#[test]
fn words_of_the_grammar() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for round in 0..12_000 {
        let text = if round % 3 == 0 { soup(&mut random, 0) } else { items(&mut random) };
        if let Ok(tokens) = text.parse() {
            survives(tokens, round % 64 == 1);
        }
    }
}

#[test]
fn valid_models_mutated() {
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    let models: Vec<TokenStream> = MODELS.iter().filter_map(|m| m.parse().ok()).collect();
    for round in 0..8_000 {
        let rate = [20, 60, 200, 600][round % 4];
        survives(mutated(models[round % models.len()].clone(), rate, &mut random), round % 64 == 3);
    }
}

/// Models with sets are taken apart before they are checked.
#[test]
fn models_with_sets_mutated() {
    of_sets(include_str!("front_models/links.txt"), 400);
}

/// Equations that add over members.
#[test]
fn models_with_shares_mutated() {
    of_sets(include_str!("front_models/network.txt"), 120);
}

/// The models of members stand in those of the whole.
#[test]
fn models_with_subs_of_members_mutated() {
    of_sets(include_str!("front_models/herd.txt"), 160);
}

fn of_sets(seed: &str, rounds: usize) {
    let mut random = Random(0x94D0_49BB_1331_11EB);
    let seed: TokenStream = seed.parse().expect("tokens");
    let mut sound = usize::from(!ode_codegen::expand(seed.clone()).to_string().contains("compile_error"));
    assert_eq!(sound, 1, "{:?}", ode_codegen::compile(seed).err());
    for round in 0..rounds {
        let tokens = mutated(seed.clone(), [20, 60, 200, 600][round % 4], &mut random);
        let shown = tokens.to_string();
        let expanded = std::panic::catch_unwind(|| ode_codegen::expand(shown.parse().expect("tokens")).to_string());
        let expanded = expanded.unwrap_or_else(|_| panic!("panicked at: {shown}"));
        sound += usize::from(!expanded.contains("compile_error"));
    }
    assert!((rounds / 40..rounds * 3 / 4).contains(&sound), "{sound}");
}

/// Everything that nests, far deeper than any stack; the thread of a test has 2 MiB.
#[test]
fn nested_without_end() {
    let many = 5_000;
    let deep = [
        "(".repeat(many) + "x" + &")".repeat(many),
        "[".repeat(many) + "x" + &"]".repeat(many),
        "{".repeat(many) + "x" + &"}".repeat(many),
        "- ".repeat(many) + "x",
        "! ".repeat(many) + "x",
        "& ".repeat(many) + "x",
        "if x < 1.0 { 0.0 } else ".repeat(many) + "{ x }",
        "x + ".repeat(many) + "x",
        "x * ".repeat(many) + "x",
        "x = ".repeat(many) + "x",
        "x < ".repeat(many) + "x",
        "x".to_owned() + &".sin()".repeat(many),
        "x".to_owned() + &"[0]".repeat(many),
        "x".to_owned() + &".y".repeat(many),
        "x".to_owned() + &"?".repeat(many),
        "x".to_owned() + &" as f64".repeat(many),
        "|x| ".repeat(many) + "x",
        "return ".repeat(many) + "x",
        "a::".repeat(many) + "x",
        "Vec<".repeat(many) + "x" + &">".repeat(many),
        "x::<".repeat(many) + "x" + &">".repeat(many),
        "sin(".repeat(many) + "x" + &")".repeat(many),
        "match x { _ => ".repeat(many) + "x" + &"}".repeat(many),
        "..".repeat(many) + "x",
        "#[a] ".repeat(many) + "x",
        "unsafe ".repeat(many) + "x",
        "let x = ".repeat(many) + "x",
        "match m { ".to_owned() + &(0..many).map(|k| format!("{k} => x, ")).collect::<String>() + "_ => x }",
    ];
    for text in &deep {
        for item in
            ["potential = ", "let a: ", "coord y: Real [", "init ", "for i in ", "constraint c: ", "fn f(a: ", ""]
        {
            let close = if item.ends_with('[') { "]" } else { "" };
            let model =
                format!("pub struct P<T> {{ coord x: Real; kinetic = 0.5 * sq(der(x)); {item}{text}{close}; }}");
            if let Ok(tokens) = model.parse() {
                survives(tokens, false);
            }
        }
    }
    for head in
        ["#[model(crate = {})] pub struct P {{ }}", "pub struct P<{}> {{ }}", "pub struct P<T> where T: {} {{ }}"]
    {
        let generics =
            head.replace("{}", &("A<".repeat(many) + "B" + &">".repeat(many))).replace("{{", "{").replace("}}", "}");
        if let Ok(tokens) = generics.parse() {
            survives(tokens, false);
        }
    }
}

/// Loops that define no end of members, and recurrences whose members are asked for from their end.
#[test]
fn lists_without_end() {
    let loops = |n: usize, body: &str| {
        let heads: String = (0..n).map(|k| format!("for i{k} in 0..1024 {{ ")).collect();
        heads + body + &"}".repeat(n)
    };
    let long = "for i in 0..1024 { let p[i] = if i == 0 { x } else { sin(p[i - 1]) }; }";
    for items in [
        loops(6, ""),
        loops(6, "bind a.b = x; "),
        loops(6, "let p[i0][i1][i2][i3][i4][i5] = x; "),
        loops(2, "let p[i0][i1] = x; ") + "output y = p;",
        loops(2, "let p[0] = x; "),
        format!("for i in 0..1024 {{ {} }}", "let p[i] = x; let q = p; "),
        format!("{long} for i in 0..1024 {{ let q = p; cost = q[i]; }}"),
        format!("output y = p[1023]; {long}"),
        format!("let p{} = x; output y = p;", "[0]".repeat(300)),
        format!("let p{} = x; output y = p;", "[0]".repeat(3000)),
        "let p[99999999999999999999] = x; let p[-9223372036854775807 - 9] = x; let p[9223372036854775807] = x;".into(),
    ] {
        let model = format!("pub struct P<T> {{ coord x: Real; kinetic = 0.5 * sq(der(x)); {items} }}");
        survives(model.parse().expect("tokens"), false);
    }
}

/// The deepest that is read at all, on the small stack of a test thread and without optimisation.
#[test]
fn nested_to_the_limit() {
    for (open, close, most) in [
        ("(", ")", 64),
        ("sin(", ")", 64),
        ("- ", "", 330),
        ("x + ", "", 330),
        ("", ".sin()", 330),
        ("if x < 1.0 { 0.0 } else ", "", 330),
        ("[", "]", 64),
        ("{ ", " }", 64),
        ("if x < 1.0 { ", " } else { 0.0 }", 64),
        ("sin(1.0 + 2.0 * -", ")", 64),
        ("smooth_step(1.0, ", ")", 64),
        ("(1.0 + (2.0 * (", ")))", 64),
        ("x * (", ") + x", 64),
    ] {
        for depth in 1..most {
            let tail = if open.starts_with("if") && close.is_empty() { "{ x }" } else { "x" };
            let text = open.repeat(depth) + tail + &close.repeat(depth);
            let model = format!(
                "pub struct P<T> {{ coord x: Real; kinetic = 0.5 * sq(der(x)); let f = {text}; potential = x; }}"
            );
            if (depth % 3 == 0 || depth < 30)
                && let Ok(tokens) = model.parse()
            {
                survives(tokens, false);
            }
        }
    }
}
