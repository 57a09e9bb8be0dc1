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
            let (q, v, out) = (q.as_array(), v.as_array(), out.array_mut()); {rates}
        }}
        #[inline]
        fn retract(&self, q: &Self::Q, step: &Self::V, out: &mut Self::Q) {{
            let (q, step, out) = (q.as_array(), step.as_array(), out.array_mut()); {sums}
        }}
        #[inline]
        fn local(&self, from: &Self::Q, to: &Self::Q, out: &mut Self::V) {{
            let (from, to, out) = (from.as_array(), to.as_array(), out.array_mut()); {differences}
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
                let (step, v, out) = (step.as_array(), v.as_array(), out.array_mut()); {body}
            }}",
            body = moves(cx, "out", |m| &m.step_rate)
        );
    }
    if cx.e.program.motions.iter().any(|m| !m.velocity_rate.is_empty()) {
        let _ = writeln!(
            out,
            "#[inline]
            fn velocity_rate(&self, step: &Self::V, v: &Self::V, out: &mut Self::V) {{
                let (step, v, a) = (step.as_array(), v.as_array(), &out.array());
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
    format!("let step = step.as_array(); let mut turns = [{zero}; {count}]; {}", moves(cx, "turns", |m| &m.turns))
}

/// The statements of one method for all positions.
fn moves(cx: &Context<'_>, output: &str, of: impl Fn(&Motion) -> &Vec<Move>) -> String {
    let code = cx.code();
    code.bound(|out| {
        for statement in cx.e.program.motions.iter().flat_map(of) {
            match statement {
                Move::Let(temp, expr) => {
                    let _ = write!(out, "let w{temp} = ");
                    code.expr(out, expr, 0);
                }
                Move::Write(places, numbers) => {
                    list(out, places, |out, place| {
                        let _ = write!(out, "{output}[{place}]");
                    });
                    out.push_str(" = ");
                    value(out, cx, &code, numbers);
                }
            }
            out.push_str(";\n");
        }
    })
}

fn value(out: &mut Body, cx: &Context<'_>, code: &Code<'_>, value_of: &Value) {
    match value_of {
        Value::Numbers(numbers) => list(out, numbers, |out, number| code.expr(out, number, 0)),
        Value::Call(routine, arguments) => {
            let _ = write!(out, "{}::{}(", cx.rt, routine.path());
            for argument in arguments {
                if !matches!(argument, Value::Numbers(one) if one.len() == 1) {
                    out.push_str("&");
                }
                value(out, cx, code, argument);
                out.push_str(", ");
            }
            out.push_str(")");
        }
    }
}

/// One by itself, several as an array.
fn list<T>(out: &mut Body, items: &[T], item: impl Fn(&mut Body, &T)) {
    if let [one] = items {
        return item(out, one);
    }
    out.push_str("[");
    for one in items {
        item(out, one);
        out.push_str(", ");
    }
    out.push_str("]");
}
