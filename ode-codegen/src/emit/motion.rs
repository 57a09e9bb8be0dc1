//! How positions move: q̇ = N(q) v, ⊕ and ⊖, and the tangent maps of increments.

use std::fmt::Write as _;

use crate::lower::{Motion, Move, Value};

use super::Context;
use super::body::Body;
use super::code::Code;

/// `qdot`, `retract`, `local`, `step_rate` and `velocity_rate` if they are not the identity, and the entries that are
/// `rotations`.
pub(super) fn steps(cx: &Context<'_>) -> String {
    let mut out = format!(
        "#[inline]
        fn qdot(&self, q: &Self::Q, v: &Self::V, out: &mut Self::Q) {{
            let (q, v, out) = (q.array(), v.array(), out.array_mut()); {rates}
        }}
        #[inline]
        fn retract(&self, q: &Self::Q, step: &Self::V, out: &mut Self::Q) {{
            let (q, step, out) = (q.array(), step.array(), out.array_mut()); {sums}
        }}
        #[inline]
        fn local(&self, from: &Self::Q, to: &Self::Q, out: &mut Self::V) {{
            let (from, to, out) = (from.array(), to.array(), out.array_mut()); {differences}
        }}",
        rates = moves(cx, "out", |m| &m.qdot),
        sums = moves(cx, "out", |m| &m.retract),
        differences = moves(cx, "out", |m| &m.local),
    );
    let rotations = cx.e.program.motions.iter().filter_map(|m| m.rotation);
    let rotations: Vec<String> = rotations.map(|(first, count)| format!("({first}, {count})")).collect();
    if !rotations.is_empty() {
        let _ = writeln!(out, "fn rotations(&self) -> &[(usize, usize)] {{ &[{}] }}", rotations.join(", "));
    }
    if cx.e.program.turns() > 0 {
        let _ = writeln!(
            out,
            "#[inline]
            fn step_rate(&self, step: &Self::V, v: &Self::V, out: &mut Self::V) {{
                let (step, v, out) = (step.array(), v.array(), out.array_mut()); {body}
            }}",
            body = moves(cx, "out", |m| &m.step_rate)
        );
    }
    if cx.e.program.motions.iter().any(|m| !m.velocity_rate.is_empty()) {
        let _ = writeln!(
            out,
            "#[inline]
            fn velocity_rate(&self, step: &Self::V, v: &Self::V, out: &mut Self::V) {{
                let (step, v, a) = (step.array(), v.array(), &{{ *out.array() }});
                let out = out.array_mut(); {body}
            }}",
            body = moves(cx, "out", |m| &m.velocity_rate)
        );
    }
    out
}

/// The tangent maps of rotations and points on the sphere, row major, for the weighted tangent; empty if there are
/// none.
pub(super) fn turns(cx: &Context<'_>) -> String {
    let count = cx.e.program.turns();
    if count == 0 {
        return String::new();
    }
    let zero = cx.number(0.0);
    format!("let step = step.array(); let mut turns = [{zero}; {count}]; {}", moves(cx, "turns", |m| &m.turns))
}

/// The statements of one method for all positions.
fn moves(cx: &Context<'_>, output: &str, of: impl Fn(&Motion) -> &Vec<Move>) -> String {
    let code = cx.code();
    let mut text = Body::default();
    for statement in cx.e.program.motions.iter().flat_map(of) {
        match statement {
            Move::Let(temp, expr) => {
                let _ = write!(text, "let w{temp} = ");
                code.expr(&mut text, expr, 0);
            }
            Move::Write(places, numbers) => {
                list(&mut text, places, |text, place| {
                    let _ = write!(text, "{output}[{place}]");
                });
                text.push_str(" = ");
                value(&mut text, cx, &code, numbers);
            }
        }
        text.push_str(";\n");
    }
    code.bound(text)
}

fn value(text: &mut Body, cx: &Context<'_>, code: &Code<'_>, value_of: &Value) {
    match value_of {
        Value::Numbers(numbers) => list(text, numbers, |text, number| code.expr(text, number, 0)),
        Value::Call(routine, arguments) => {
            let _ = write!(text, "{}::{}(", cx.rt, routine.path());
            for argument in arguments {
                if !matches!(argument, Value::Numbers(one) if one.len() == 1) {
                    text.push_str("&");
                }
                value(text, cx, code, argument);
                text.push_str(", ");
            }
            text.push_str(")");
        }
    }
}

/// One by itself, several as an array.
fn list<T>(text: &mut Body, items: &[T], item: impl Fn(&mut Body, &T)) {
    if let [one] = items {
        return item(text, one);
    }
    text.push_str("[");
    for one in items {
        item(text, one);
        text.push_str(", ");
    }
    text.push_str("]");
}
