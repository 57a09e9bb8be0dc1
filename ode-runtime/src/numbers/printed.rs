//! Numbers as text: columns beside each other, and fields of CSV.

use core::fmt::{self, Write as _};
use std::borrow::ToOwned;
use std::format;
use std::string::String;
use std::vec::Vec;

/// Columns of the terminal that a line may take.
const WIDTH: usize = 110;
/// Columns of the terminal between two of the table.
const GAP: usize = 2;

/// A column as it is printed.
pub(crate) struct Printed {
    width: usize,
    /// its head and its numbers
    lines: Vec<String>,
}

impl Printed {
    /// A column of these lines, which will end at the same place.
    pub(crate) fn new(lines: Vec<String>) -> Self {
        Self { width: lines.iter().map(|text| text.chars().count()).max().unwrap_or(0), lines }
    }
}

/// Columns beside each other. Those that do not fit follow below, with the first `again` columns again. `left_out` is
/// the line before which some are missing, and how many.
pub(crate) fn print(
    f: &mut fmt::Formatter<'_>,
    columns: &[Printed],
    again: usize,
    left_out: Option<(usize, usize)>,
) -> fmt::Result {
    let repeated = columns.get(..again).unwrap_or_default();
    let mut rest = columns;
    loop {
        let again = if rest.len() == columns.len() { &[] } else { repeated };
        let (here, below) = rest.split_at(fitting(again, rest));
        let here: Vec<&Printed> = again.iter().chain(here).collect();
        lines(f, &here, left_out)?;
        if below.is_empty() {
            return Ok(());
        }
        writeln!(f)?;
        rest = below;
    }
}

/// How many columns fit into a line behind others; one at least.
fn fitting(before: &[Printed], columns: &[Printed]) -> usize {
    let mut taken: usize = before.iter().map(|column| column.width + GAP).sum();
    let fits = |column: &&Printed| {
        taken += column.width + GAP;
        taken <= WIDTH + GAP
    };
    columns.iter().take_while(fits).count().max(1).min(columns.len())
}

fn lines(f: &mut fmt::Formatter<'_>, columns: &[&Printed], left_out: Option<(usize, usize)>) -> fmt::Result {
    let count = columns.first().map_or(0, |column| column.lines.len());
    for line in 0..count {
        if let Some((_, missing)) = left_out.filter(|(before, _)| *before == line) {
            writeln!(f, "… {missing} more rows")?;
        }
        let mut text = String::new();
        for column in columns {
            write!(text, "{:>1$}", column.lines[line], column.width)?;
            text.extend(core::iter::repeat_n(' ', GAP));
        }
        writeln!(f, "{}", text.trim_end())?;
    }
    Ok(())
}

/// Six digits.
pub(crate) fn short(x: f64) -> String {
    // zero has no sign
    let x = if x == 0.0 { 0.0 } else { x };
    let size = x.abs();
    if x == 0.0 || !x.is_finite() || (1e-3..1e6).contains(&size) {
        let digits = if size >= 1.0 { 5_usize.saturating_sub(size.log10().floor() as usize) } else { 6 };
        format!("{x:.digits$}")
    } else {
        format!("{x:.5e}")
    }
}

/// A field of RFC 4180. An only field that is empty would be an empty line.
pub(crate) fn quoted(name: &str) -> String {
    let plain = !name.is_empty() && !name.contains([',', '"', '\n', '\r']);
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}
