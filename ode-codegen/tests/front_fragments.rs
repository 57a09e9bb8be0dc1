//! Fragments of a user's `macro_rules!` are read as their content, everywhere. rustc passes them in groups without
//! brackets, which are made here.

use ode_codegen::phases::check::check;
use ode_codegen::phases::expr::Graph;
use ode_codegen::phases::parse::parse;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// What stands between `‹` and `›`, here `__(…)`, in groups without brackets.
fn fragments(tokens: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let fragment = matches!(out.last(), Some(TokenTree::Ident(ident)) if ident == "__");
                if fragment {
                    out.pop();
                }
                let delimiter = if fragment { Delimiter::None } else { group.delimiter() };
                out.push(TokenTree::Group(Group::new(delimiter, fragments(group.stream()))));
            }
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

/// The same model with fragments, and without.
fn same(with: &str) {
    let whole = |items: &str| {
        format!("#[model(units = off)] pub struct P<T> {{ coord x: Real; kinetic = 0.5 * sq(der(x)); {items} }}")
    };
    let texts = [whole(with), whole(&with.replace("__(", "("))];
    let with: TokenStream = fragments(texts[0].parse().expect("tokens"));
    let (ast, mut errors) = parse(with.clone());
    let checked = check(&ast, Graph::new(), &mut errors);
    let said: Vec<String> = errors.messages().iter().map(|m| m.text()).collect();
    assert!(checked.is_some(), "{said:?} in {}", texts[0]);
    let equations = |tokens| ode_codegen::compile(tokens).map(|c| c.description().equations).map_err(|e| e.to_string());
    if let Ok(without) = texts[1].parse::<TokenStream>()
        && let Ok(written) = equations(without)
    {
        assert_eq!(equations(with), Ok(written), "{}", texts[0]);
    }
}

#[test]
fn literals_are_numbers() {
    for items in [
        "coord y: [Real; __(3)]; for i in 0..__(3) { mass y[i] = 1.0; }",
        "coord y: [Real; 3]; for i in __(0)..__(3) { mass y[i] = 1.0; }",
        "coord y: [Real; 3]; for i in __(0..3) { mass y[i] = 1.0; }",
        "coord y: [Real; 3]; for i in __(__(0)..__(3)) { mass y[i] = 1.0; }",
        "coord y: Vec<__(4)>; kinetic second = dot(der(y), der(y));",
        "param m: Mat<__(2), __(3)> = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]; potential = m[1][__(1)] * x;",
        "coord y: Vec2; kinetic second = dot(der(y), der(y)); potential = y[__(1)];",
        "param m: Real = __(2.0); potential = m * x;",
        "param m: Real = __(-2.0); potential = m * x.powi(__(3)) * powf(sq(x) + 1.0, __(0.5));",
        "input u: Real in __(-1.0)..=__(1.0) = __(0.5); force f on x = u;",
        "limit l: x in __(-1.0)..=__(1.0);",
        "limit l: x in __(-1.0..=1.0);",
        "require __(1.0) > 0.0, __(\"one\");",
        "event e when x < __(0.0) { der(x) = __(0.5) * der(x); }",
        "unit turns = __(6.28) [rad]; param w: Real = 1.0turns; potential = w * x;",
        "coord y: Real; mass y = 1.0; constraint c: x == y with { compliance: __(1.0e-3) };",
        "init x = __(0.5);",
    ] {
        same(items);
    }
}

#[test]
fn expressions_stay_whole() {
    for items in [
        "potential = __(1.0 + x) * x - __(x - 1.0);",
        "potential = __(-1.0).powi(2) * x;",
        "potential = 2.0 * __(sin(x)).powi(2) + __(x.cos()) + __(x);",
        "coord y: Real; mass y = 1.0; constraint c: __(x == 2.0 * y);",
        "coord r: Vec2; kinetic second = dot(der(r), der(r)); init __(r.x) = 0.5; fix __(r.x) = __(0.5); force f on __(r.y) = 1.0;",
        "let a = __(if x < 0.0 { -x } else { x }); potential = a * a * a;",
        "let a = __({ let b = x; b * b }); potential = a;",
        "coord p, q: Real; mass __((p, q)) = [[2.0, 1.0], [1.0, 2.0]];",
        "event e when __(x < 0.0) { stop; }",
    ] {
        same(items);
    }
}

#[test]
fn types_paths_names_and_attributes_are_read() {
    for items in [
        "param m: __(Real) = 1.0; potential = m * x;",
        "coord y: __(Vec<3>); kinetic second = dot(der(y), der(y));",
        "coord y: __(Vec<3>) [__(m)]; kinetic second = dot(der(y), der(y));",
        "coord y: [__(Real); __(2)]; for i in 0..2 { mass y[i] = 1.0; }",
        "extern fn f(s: __(Real)) -> __(Real) { dual: __(crate::law) } force g on x = f(x);",
        "#[__(allow(unused))] param m: Real = 1.0;",
        "#[__(doc = \"a mass\")] param m: Real = 1.0; potential = m * x;",
        "__(param) __(m): Real = 1.0; potential = __(m) * x;",
    ] {
        same(items);
    }
    let text = "__() struct Q { coord x: Real; mass x = 1.0; } #[__(model(max_ops = __(9000)))] __(pub(crate)) struct P { coord x: Real; mass x = 1.0; }";
    for struct_ in text.split_inclusive(" } ") {
        let (ast, errors) = parse(fragments(struct_.parse().expect("tokens")));
        assert!(errors.is_empty() && ast.name.is_some(), "{:?}", errors.messages());
    }
    let sub = "@compose { struct P { sub kid: [__(a::Kid); __(2)]; } } { struct Kid { coord x: Real; mass x = 1.0; } }";
    assert!(ode_codegen::compile(fragments(sub.parse().expect("tokens"))).is_ok());
}

#[test]
fn a_raw_name_is_the_name() {
    same("param r#m: Real = 1.0; potential = m * r#x; let r#a = x; output y = a;");
}

/// A fragment that is no number is told so, once.
#[test]
fn a_fragment_of_another_kind_is_one_message() {
    for items in
        ["for i in 0..__(n) { }", "for i in __(a + b) { }", "coord y: [Real; __(1.5)];", "coord y: [Real; __(1 + 1)];"]
    {
        let text = format!("pub struct P<T> {{ coord x: Real; kinetic = 0.5 * sq(der(x)); {items} }}");
        let (ast, mut errors) = parse(fragments(text.parse().expect("tokens")));
        let _ = check(&ast, Graph::new(), &mut errors);
        assert_eq!(errors.len(), 1, "{:?} in {items}", errors.messages());
    }
}
