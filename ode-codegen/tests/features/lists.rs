//! Lists whose members `let`s define: recurrences, tables, and what is read of them.

use ode_codegen::phases::parse::with_parts;

use super::{close, model, number, outputs, value, whole};

const SUMS: &str = "for i in 0..4 { let s[i] = if i == 0 { x } else { s[i - 1] + i * x }; }";

#[test]
fn a_member_reads_those_of_earlier_rounds() {
    assert_eq!(outputs(SUMS, "[s[0], s[1], s[2], s[3]]"), [2.0, 4.0, 8.0, 14.0]);
    close(value(SUMS, "s[3 - 1] * s[1]"), 32.0);
    close(value("for i in 0..4 { let s[i]: Real = match i { 0 => x, _ => 2.0 * s[i - 1] }; }", "s[3]"), 16.0);
    // the other branch is not read, nor what it names
    close(value("let s[0] = if 1 > 0 { x } else { nothing };", "s[0]"), 2.0);
}

#[test]
fn a_list_is_its_members() {
    assert_eq!(outputs(SUMS, "s"), [2.0, 4.0, 8.0, 14.0]);
    assert_eq!(outputs(&format!("{SUMS} output again: [Real; 4] = s; let copy = s;"), "copy[1] + s[0]"), [6.0]);
    // its first members may stand outside, and the order of the text is that of reading, not of the numbers
    close(value("let s[0] = x; for i in 1..4 { let s[i] = s[i - 1] * x; }", "s[3]"), 16.0);
    close(value("for i in 0..4 { let s[3 - i] = if i == 0 { x } else { s[4 - i] * x }; }", "s[0]"), 16.0);
}

#[test]
fn loops_read_members() {
    let m = model(&format!("{SUMS} for k in 0..4 {{ potential = s[k] * s[3 - k]; cost = k * s[k]; }}"));
    let values: Vec<f64> = m.energies.potential.iter().map(|e| number(&m, e.value)).collect();
    assert_eq!(values, [28.0, 32.0, 32.0, 28.0]);
}

#[test]
fn members_of_a_table_have_two_indices() {
    let pascal = "for i in 0..4 { for j in 0..4 {
        let b[i][j] = if j == 0 { x / x } else if i == 0 { 0.0 } else { b[i - 1][j - 1] + b[i - 1][j] };
    } }";
    assert_eq!(outputs(pascal, "b[3]"), [1.0, 3.0, 3.0, 1.0]);
    close(value(pascal, "b[3][1] + b[2][1]"), 5.0);
    assert_eq!(outputs(pascal, "b").len(), 16);
    // a row is complete before the table is
    assert_eq!(outputs(&format!("{} let row = b[0]; output z = row[0];", &pascal), "b[1]"), [1.0, 1.0, 0.0, 0.0]);
}

#[test]
fn members_are_values_of_any_kind() {
    let chain = "coord a: [Angle; 2]; mass a[0] = 1.0; mass a[1] = 1.0; for i in 0..2 {
        let own = frame(vec3(0.0, 0.0, -1.0), rot_x(a[i]));
        let f[i] = if i == 0 { own } else { f[i - 1] * own };
    }";
    let m = model(&format!("{chain} output p = f[1].origin;"));
    let p: Vec<f64> = m.observed.outputs[0].value.iter().map(|n| number(&m, *n)).collect();
    let (y, z) = (0.5f64.sin(), -1.0 - 0.5f64.cos());
    close(p[0], 0.0);
    close(p[1], y);
    close(p[2], z);
    let vectors = "for i in 0..3 { let r[i] = vec2(i * x, 1.0); let n[i] = r[i].x + r[i][1]; }";
    assert_eq!(outputs(vectors, "n"), [1.0, 3.0, 5.0]);
    let planar = "for i in 0..2 { let b[i] = if i == 0 { frame2(vec2(x, 0.0), 0.0) } else { \
                  frame2(b[i - 1].at(vec2(1.0, 1.0)), x) }; }";
    assert_eq!(outputs(planar, "b[1].origin"), [3.0, 1.0]);
}

/// What crosses the border of a sub is evaluated when it is asked for, members of lists too.
#[test]
fn subs_have_lists_and_are_bound_to_members() {
    let link = "pub struct Link<T> {
        input base: Real;
        coord y: Real;
        kinetic = 0.5 * sq(der(y));
        for i in 0..3 { let s[i] = if i == 0 { base } else { s[i - 1] + y }; }
        output end: Real = s[2];
    }";
    let text = "pub struct P<T> {
        sub link: [Link<T>; 3];
        for i in 0..3 {
            let last[i] = link[i].end;
            bind link[i].base = if i == 0 { 1.0 } else { last[i - 1] };
        }
        output y: Real = last[2];
        output all: [Real; 3] = last;
    }";
    let tokens = |text: &str| text.parse().expect("tokens");
    let m = whole(&with_parts(&tokens(text), &[tokens(link)]).to_string());
    let all = m.observed.outputs.last().expect("an output");
    let values: Vec<f64> = all.value.iter().map(|n| number(&m, *n)).collect();
    // 1 + 2 y of each link: y = 2, 0.5, 0.25
    assert_eq!(values, [5.0, 6.0, 6.5]);
}

#[test]
fn units_are_those_of_a_let() {
    let m = whole(
        "pub struct P { param l: Real [m] = 1.0; coord x: Real [m]; kinetic = 0.5 * 1.0kg * sq(der(x));
           for i in 0..3 { let p[i] = if i == 0 { 0.0 } else { p[i - 1] + l }; let q[i]: Real [m^2] = p[i] * x; }
           output y: Real [m] = p[2]; output z: Real [m^2] = q[2]; }",
    );
    assert_eq!(m.observed.outputs.len(), 2);
}
