//! Modes, guards and resets of the role `System`.

use std::fmt::Write as _;

use super::Context;
use super::roles::arguments;
use crate::expr::Symbol;
use crate::lower::Call;
use crate::model::Crossing;

/// The events of the layout.
pub(super) fn layout(cx: &Context<'_>) -> String {
    let mut out = String::new();
    for event in &cx.e.program.events {
        let crossing = match event.crossing {
            Crossing::Falling => "Falling",
            Crossing::Rising => "Rising",
            Crossing::Either => "Either",
        };
        let _ = write!(
            out,
            "{rt}::Event {{ name: {:?}, crossing: {rt}::Crossing::{crossing}, stops: {} }}, ",
            event.label,
            event.stops,
            rt = cx.rt,
        );
    }
    out
}

/// Methods of the role that differ from their defaults.
pub(super) fn events(cx: &Context<'_>) -> String {
    let rt = &cx.rt;
    let mut out = String::new();
    if cx.e.program.len("Modes") > 0 {
        let _ = writeln!(
            out,
            "fn initial_modes(&self, modes: &mut Self::Modes) {{ *modes = [{}].into(); }}",
            cx.origin("Modes")
        );
    }
    if cx.e.program.events.is_empty() {
        return out;
    }
    let own = |o: &str| o.to_owned();
    let (guards, rates) = (cx.call(Call::Guards, arguments(own)), cx.call(Call::GuardRates, arguments(own)));
    let _ = writeln!(
        out,
        "fn guards(&self, at: {rt}::At<'_, Self>, out: &mut Self::Guards) {{ {guards} }}
        fn guard_rates(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>, out: &mut Self::Guards) {{
            {rates} }}
        fn reset(&self, event: usize, at: {rt}::At<'_, Self>, out: {rt}::Reset<'_, Self>) {{ {} }}",
        reset(cx)
    );
    out
}

fn reset(cx: &Context<'_>) -> String {
    let count = cx.e.program[Call::Reset].len("values");
    if count == 0 {
        return String::new();
    }
    let call = cx.call(Call::Reset, arguments(|_| "&mut values".to_owned()));
    let mut out = format!("let mut values = [{}; {count}]; {call} match event {{ ", cx.number(0.0));
    for (k, event) in cx.e.program.events.iter().enumerate() {
        let _ = write!(out, "{k} => {{ ");
        for (symbol, place) in &event.assigns {
            let target = match symbol {
                Symbol::Q(i) => format!("q.array_mut()[{i}]"),
                Symbol::V(i) => format!("v.array_mut()[{i}]"),
                Symbol::Z(i) => format!("z.array_mut()[{i}]"),
                Symbol::Mode(i) => format!("modes.array_mut()[{i}]"),
                _ => continue,
            };
            let _ = write!(out, "out.{target} = values[{place}]; ");
        }
        out.push_str("} ");
    }
    out.push_str("_ => {} }");
    out
}
