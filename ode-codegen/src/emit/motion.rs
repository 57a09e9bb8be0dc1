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
    VelocityRate,
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
    if motions.iter().any(|m| m.block.chart.turns()) {
        let body = body(cx, Ask::StepRate);
        let _ = writeln!(
            out,
            "#[inline]
            fn step_rate(&self, step: &Self::V, v: &Self::V, out: &mut Self::V) {{
                let (step, v, out) = (step.array(), v.array(), out.array_mut()); {body}
            }}"
        );
    }
    if motions.iter().any(|m| m.block.chart == Chart::Direction) {
        let body = body(cx, Ask::VelocityRate);
        let _ = writeln!(
            out,
            "#[inline]
            fn velocity_rate(&self, step: &Self::V, v: &Self::V, out: &mut Self::V) {{
                let (step, v, out) = (step.array(), v.array(), out.array_mut()); {body}
            }}"
        );
    }
    out
}

fn body(cx: &Context<'_>, ask: Ask) -> String {
    let mut text = String::new();
    for motion in &cx.e.program.motions {
        let _ = writeln!(text, "{}", spelled(cx, motion, ask));
    }
    text
}

fn spelled(cx: &Context<'_>, motion: &Motion, ask: Ask) -> String {
    let block = &motion.block;
    match block.chart {
        Chart::Line => line(cx, motion, ask),
        Chart::Circle => circle(cx, block, ask),
        Chart::Direction => direction(cx, block, ask),
        chart => rotation(cx, block, chart, ask),
    }
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
        Ask::VelocityRate | Ask::Tangent => String::new(),
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
        Ask::VelocityRate | Ask::Tangent => String::new(),
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
        Ask::VelocityRate => String::new(),
        Ask::Tangent => tangents(cx, &step, 3),
    }
}

/// A point of the sphere is moved along great circles, as a rotation without spin.
fn direction(cx: &Context<'_>, block: &Block, ask: Ask) -> String {
    let s2 = format!("{}::s2", cx.rt);
    let four = |name: &str| entries(name, block.q, 4);
    let two = |name: &str| entries(name, block.v, 2);
    match ask {
        Ask::Rates => format!("{} = {s2}::qdot(&{}, &{});", four("out"), four("q"), two("v")),
        Ask::Retract => format!("{} = {s2}::retract(&{}, &{});", four("out"), four("q"), two("step")),
        Ask::Local => format!("{} = {s2}::local(&{}, &{});", two("out"), four("from"), four("to")),
        Ask::StepRate => format!("{} = {s2}::step_rate(&{}, &{});", two("out"), two("step"), two("v")),
        Ask::VelocityRate => {
            format!("{out} = {s2}::velocity_rate(&{}, &{}, &{out});", two("step"), two("v"), out = two("out"))
        }
        Ask::Tangent => {
            let step = format!("[step[{}], step[{}], {}]", block.v, block.v + 1, cx.number(0.0));
            tangents(cx, &step, 2)
        }
    }
}

/// The first columns of T(step).
fn tangents(cx: &Context<'_>, step: &str, columns: usize) -> String {
    let unit = |j: usize| {
        let list: Vec<String> = (0..3).map(|i| cx.number(f64::from(u8::from(i == j)))).collect();
        list.join(", ")
    };
    let column = |j: usize| format!("{}::so3::tangent(&{step}, &[{}])", cx.rt, unit(j));
    (0..columns).map(column).collect::<Vec<_>>().join(", ")
}

/// `[name[first], …]`
fn entries(name: &str, first: usize, n: usize) -> String {
    let list: Vec<String> = (first..first + n).map(|i| format!("{name}[{i}]")).collect();
    format!("[{}]", list.join(", "))
}

/// The tangent maps of rotations and points of the sphere, row major, for the weighted tangent; nothing where there are
/// none.
pub(super) fn turns(cx: &Context<'_>) -> String {
    let turning: Vec<&Motion> = cx.e.program.motions.iter().filter(|m| m.block.chart.turns()).collect();
    if turning.is_empty() {
        return String::new();
    }
    let mut text = format!("let step = step.array(); let mut turns = [{}; {}];", cx.number(0.0), 9 * turning.len());
    for (k, motion) in turning.into_iter().enumerate() {
        let columns = spelled(cx, motion, Ask::Tangent);
        let places: Vec<String> = (0..motion.block.chart.velocities())
            .map(|j| {
                let column: Vec<String> = (0..3).map(|i| format!("turns[{}]", 9 * k + 3 * i + j)).collect();
                format!("[{}]", column.join(", "))
            })
            .collect();
        let _ = writeln!(text, "({}) = ({columns});", places.join(", "));
    }
    text
}
