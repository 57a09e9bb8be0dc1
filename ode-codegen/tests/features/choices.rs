//! `match` on a mode and on the index of a loop: the same as `if`.

use ode_codegen::phases::expr::Symbol;

use super::{close, model, value};

/// The force of a match, with the mode at a number.
fn at(arms: &str, gear: f64) -> f64 {
    let m = model(&format!("mode gear: Real = 1.0; force f on x = match gear {{ {arms} }};"));
    let found = m.graph.evaluate(&m.forces[0].value, &|symbol| match symbol {
        Symbol::Mode(_) => gear,
        _ => 2.0,
    });
    found[0]
}

#[test]
fn a_mode_takes_the_arm_of_its_number() {
    let arms = "0 => 1.0, 1 | 2.0 => 3.0 * x, -1 => { let y = x; y * y }, _ => 0.5";
    let cases = [(0.0, 1.0), (1.0, 6.0), (2.0, 6.0), (-1.0, 4.0), (3.0, 0.5), (0.5, 0.5), (1.0 + 1e-15, 0.5)];
    for (gear, wanted) in cases {
        close(at(arms, gear), wanted);
    }
    close(at(arms, f64::NAN), 0.5);
    close(at("_ => x", 7.0), 2.0);
}

#[test]
fn an_arm_is_a_value_of_any_shape() {
    let m =
        model("coord r: Vec2; mass r = 1.0; mode side: [Real; 2]; force f on r = match side[1] { 1 => r, _ => -r };");
    assert_eq!(m.forces[0].value.len(), 2);
}

#[test]
fn a_loop_takes_one_arm() {
    close(
        value("for i in 0..3 { let s[i] = match i { 0 => x, 1 | 2 => s[i - 1] * 10.0, _ => nothing }; }", "s[2]"),
        200.0,
    );
}

#[test]
fn a_match_is_an_if() {
    let code = |choice: &str| {
        let items = format!("mode on: Real = 0.0; force f on x = {choice};");
        let text = format!("pub struct P {{ coord x: Real; kinetic = 0.5 * sq(der(x)); {items} }}");
        let compiled = ode_codegen::compile(text.parse().expect("tokens")).unwrap_or_else(|e| panic!("{e}"));
        compiled.program.ops().total()
    };
    assert_eq!(
        code("match on { 1 => sin(x), _ => cos(x) }"),
        code("if on <= 1.0 && 1.0 <= on { sin(x) } else { cos(x) }")
    );
}
