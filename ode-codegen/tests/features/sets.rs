//! Models with sets, as the parts of which they are made.

use ode_codegen::phases::expr::RULES;
use ode_codegen::phases::families::{Parts, parts};
use ode_codegen::phases::parse::parse;

/// What `read` finds in the parts of a model.
fn read<R>(items: &str, read: impl Fn(&Parts<'_>) -> R) -> R {
    let text = format!(
        "pub struct P {{ set nodes; coord y[nodes]: Real [m]; for i in nodes {{ mass y[i] = 1.0kg; }} {items} }}"
    );
    let (ast, mut errors) = parse(text.parse().expect("tokens"));
    let found = parts(&ast, &mut errors, RULES);
    let texts: Vec<String> = errors.messages().iter().map(|m| m.text()).collect();
    read(&found.unwrap_or_else(|| panic!("{}", texts.join("\n"))))
}

#[test]
fn notes_of_a_constraint_over_sums_hold_for_its_terms() {
    let of = |notes: &str| {
        let rows = "constraint c: sum(nodes, |i| abs(y[i])) == sum(nodes, |i| 1.0m - abs(y[i]));";
        read(&format!("{notes} {rows}"), |parts| {
            let terms = || parts.elements.iter().filter(|element| !element.model.constraints.is_empty());
            let docs = terms().flat_map(|element| element.model.constraints[0].docs.clone()).collect::<Vec<_>>();
            (docs, terms().map(|element| element.warnings.len()).collect::<Vec<_>>())
        })
    };
    assert_eq!(of(""), (vec![], vec![1, 1]));
    let docs = vec!["what it holds".to_owned(); 2];
    assert_eq!(of("#[doc = \"what it holds\"] #[allow(nonsmooth)]"), (docs, vec![0, 0]));
}

#[test]
fn units_of_declarations_are_no_parameters() {
    let items = "param m: Real [kg] = 1.0; param { k: Real [N/m] = 2.0; l: Real [m] = 1.0; }
        for i in nodes { potential = 0.5 * k * sq(y[i] - l); }";
    let names = read(items, |parts| {
        let given = parts.family.elements.iter().flat_map(|element| &element.given);
        given.map(|given| given.own.to_string()).collect::<Vec<_>>()
    });
    assert_eq!(names, ["m", "k", "l", "k", "l"]);
}
