//! How positions move: q̇ = N(q) v, ⊕ and ⊖, and the tangent maps of increments.

use std::fmt::Write as _;

use crate::chart::{Block, Chart};
use crate::lower::Motion;

use super::Context;

/// Calls of the runtime's module of rotations.
#[derive(Clone, Copy)]
enum Ask {
    Rates,
    Retract,
    Local,
    StepRate,
    Tangent,
}

/// `qdot`, `retract`, `local` and, where it is not the identity, `step_rate`, block by block; and which entries are
/// `rotations`.
pub(super) fn steps(cx: &Context<'_>) -> String {
    let motions = &cx.e.program.motions;
    let rates = body(cx, Ask::Rates);
    let sums = body(cx, Ask::Retract);
    let differences = body(cx, Ask::Local);
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
        }}"
    );
    let turning = motions.iter().map(|m| m.block).filter(|b| b.chart != Chart::Line);
    let rotations: Vec<String> = turning.map(|b| format!("({}, {})", b.q, b.chart.positions())).collect();
    if !rotations.is_empty() {
        let _ = writeln!(out, "fn rotations(&self) -> &[(usize, usize)] {{ &[{}] }}", rotations.join(", "));
    }
    if motions.iter().any(|m| m.block.chart.is_rotation()) {
        let body = body(cx, Ask::StepRate);
        let _ = writeln!(
            out,
            "#[inline]
            fn step_rate(&self, step: &Self::V, v: &Self::V, out: &mut Self::V) {{
                let (step, v, out) = (step.array(), v.array(), out.array_mut()); {body}
            }}"
        );
    }
    out
}

fn body(cx: &Context<'_>, ask: Ask) -> String {
    let mut text = String::new();
    for motion in &cx.e.program.motions {
        let block = &motion.block;
        let _ = match block.chart {
            Chart::Line => writeln!(text, "{}", line(cx, motion, ask)),
            Chart::Circle => writeln!(text, "{}", circle(cx, block, ask)),
            chart => writeln!(text, "{}", rotation(cx, block, chart, ask)),
        };
    }
    text
}

/// A number is moved by sums.
fn line(cx: &Context<'_>, motion: &Motion, ask: Ask) -> String {
    let Block { q, v, .. } = motion.block;
    match ask {
        Ask::Rates => format!("out[{q}] = v[{v}];"),
        Ask::Retract => format!("out[{q}] = q[{q}] + step[{v}];"),
        Ask::Local if motion.wraps => format!("out[{v}] = {}::wrap(to[{q}] - from[{q}]);", cx.rt),
        Ask::Local => format!("out[{v}] = to[{q}] - from[{q}];"),
        Ask::StepRate => format!("out[{v}] = v[{v}];"),
        Ask::Tangent => String::new(),
    }
}

/// Cosine and sine are turned, and kept on the circle as `so3::normalize` keeps quaternions on the sphere.
fn circle(cx: &Context<'_>, block: &Block, ask: Ask) -> String {
    let (c, s, v) = (block.q, block.q + 1, block.v);
    match ask {
        Ask::Rates => format!("[out[{c}], out[{s}]] = [-q[{s}] * v[{v}], q[{c}] * v[{v}]];"),
        Ask::Retract => format!(
            "{{
                let (a, b) = (step[{v}].cos(), step[{v}].sin());
                let (c, s) = (q[{c}] * a - q[{s}] * b, q[{s}] * a + q[{c}] * b);
                let k = {half} * ({three} - c * c - s * s);
                [out[{c}], out[{s}]] = [k * c, k * s];
            }}",
            half = cx.number(0.5),
            three = cx.number(3.0),
        ),
        Ask::Local => format!(
            "out[{v}] = (from[{c}] * to[{s}] - from[{s}] * to[{c}]).atan2(from[{c}] * to[{c}] + from[{s}] * to[{s}]);"
        ),
        Ask::StepRate => format!("out[{v}] = v[{v}];"),
        Ask::Tangent => String::new(),
    }
}

/// A quaternion is moved by products: from the right for body rates, from the left for spatial ones.
fn rotation(cx: &Context<'_>, block: &Block, chart: Chart, ask: Ask) -> String {
    let so3 = format!("{}::so3", cx.rt);
    let world = chart == Chart::WorldRotation;
    let four = |name: &str| entries(name, block.q, 4);
    let three = |name: &str| entries(name, block.v, 3);
    let step = if world { three("-step") } else { three("step") };
    match ask {
        Ask::Rates if world => {
            let half: Vec<String> = block.velocities().map(|i| format!("{} * v[{i}]", cx.number(0.5))).collect();
            let rate = format!("[{}, {}]", cx.number(0.0), half.join(", "));
            format!("{} = {so3}::product(&{rate}, &{});", four("out"), four("q"))
        }
        Ask::Rates => format!("{} = {so3}::qdot(&{}, &{});", four("out"), four("q"), three("v")),
        Ask::Retract if world => format!(
            "{} = {so3}::normalize(&{so3}::product(&{so3}::exp(&{}), &{}));",
            four("out"),
            three("step"),
            four("q")
        ),
        Ask::Retract => format!("{} = {so3}::retract(&{}, &{});", four("out"), four("q"), three("step")),
        Ask::Local if world => format!(
            "{} = {so3}::log(&{so3}::product(&{}, &{so3}::conjugate(&{})));",
            three("out"),
            four("to"),
            four("from")
        ),
        Ask::Local => format!("{} = {so3}::local(&{}, &{});", three("out"), four("from"), four("to")),
        Ask::StepRate => format!("{} = {so3}::step_rate(&{step}, &{});", three("out"), three("v")),
        Ask::Tangent => {
            let unit = |j: usize| {
                let list: Vec<String> = (0..3).map(|i| cx.number(f64::from(u8::from(i == j)))).collect();
                list.join(", ")
            };
            let columns: Vec<String> = (0..3).map(|j| format!("{so3}::tangent(&{step}, &[{}])", unit(j))).collect();
            columns.join(", ")
        }
    }
}

/// `[name[first], …]`
fn entries(name: &str, first: usize, n: usize) -> String {
    let list: Vec<String> = (first..first + n).map(|i| format!("{name}[{i}]")).collect();
    format!("[{}]", list.join(", "))
}

/// The tangent maps of the rotations, row major, for the weighted tangent; nothing where there are none.
pub(super) fn turns(cx: &Context<'_>) -> String {
    let blocks = cx.e.program.motions.iter().map(|m| m.block);
    let rotations: Vec<Block> = blocks.filter(|b| b.chart.is_rotation()).collect();
    if rotations.is_empty() {
        return String::new();
    }
    let mut text = format!("let step = step.array(); let mut turns = [{}; {}];", cx.number(0.0), 9 * rotations.len());
    for (k, block) in rotations.iter().enumerate() {
        let columns = rotation(cx, block, block.chart, Ask::Tangent);
        let places: Vec<String> = (0..3)
            .map(|j| {
                let column: Vec<String> = (0..3).map(|i| format!("turns[{}]", 9 * k + 3 * i + j)).collect();
                format!("[{}]", column.join(", "))
            })
            .collect();
        let _ = writeln!(text, "({}) = ({columns});", places.join(", "));
    }
    text
}
