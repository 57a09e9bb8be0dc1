//! A table as text: CSV, and its head and tail for people.

use core::fmt::{self, Write as _};
use std::borrow::ToOwned;
use std::format;
use std::io;
use std::string::String;
use std::vec::Vec;

use super::Table;

/// Rows at each end that are printed.
const ROWS: usize = 5;
/// Columns of the terminal that a line may take.
const WIDTH: usize = 110;
/// Columns of the terminal between two of the table.
const GAP: usize = 2;

impl Table {
    /// Writes a header and the rows, comma separated (RFC 4180), with enough digits to read back the same numbers.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_csv(&self, mut out: impl io::Write) -> io::Result<()> {
        let header: Vec<_> = self.columns.iter().map(|column| quoted(&column.name)).collect();
        writeln!(out, "{}", header.join(","))?;
        let mut line = String::new();
        for row in self.rows() {
            line.clear();
            for (i, value) in row.iter().enumerate() {
                let comma = if i > 0 { "," } else { "" };
                // Writing to a string cannot fail.
                let _ = write!(line, "{comma}{value:?}");
            }
            line.push('\n');
            out.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    /// Writes the events as a table of their own: `t,event`.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_events_csv(&self, mut out: impl io::Write) -> io::Result<()> {
        writeln!(out, "t,event")?;
        self.events.iter().try_for_each(|happened| writeln!(out, "{:?},{}", happened.time, quoted(&happened.event)))
    }
}

/// A field of RFC 4180. An only field that is empty would be an empty line.
fn quoted(name: &str) -> String {
    let plain = !name.is_empty() && !name.contains([',', '"', '\n', '\r']);
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

impl fmt::Display for Table {
    /// The first and the last rows under names and units, and how many are left out. Columns that do not fit beside
    /// each other follow below, with the time again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.len();
        let shown: Vec<&[f64]> = (self.rows().enumerate())
            .filter(|&(i, _)| n <= 2 * ROWS || i < ROWS || i >= n - ROWS)
            .map(|(_, row)| row)
            .collect();
        let columns: Vec<Printed> = (0..self.columns.len()).map(|k| self.printed(k, &shown)).collect();
        let time = self.columns.first().is_some_and(|column| column.name == "t");
        let again = if time { columns.get(..1) } else { None }.unwrap_or_default();
        let mut rest = columns.as_slice();
        loop {
            let first = rest.len() == columns.len();
            let again = if first { &[] } else { again };
            let (block, below) = rest.split_at(fitting(again, rest));
            let block: Vec<&Printed> = again.iter().chain(block).collect();
            print(f, &block, n)?;
            if below.is_empty() {
                return Ok(());
            }
            writeln!(f)?;
            rest = below;
        }
    }
}

/// A column as it is printed.
struct Printed {
    width: usize,
    /// name, unit and numbers
    lines: Vec<String>,
}

impl Table {
    fn printed(&self, k: usize, rows: &[&[f64]]) -> Printed {
        let column = &self.columns[k];
        let unit = if column.unit.is_empty() { String::new() } else { format!("[{}]", column.unit) };
        // A line break in a name would be one in the table.
        let name = column.name.replace(char::is_control, " ");
        let lines: Vec<String> = [name, unit].into_iter().chain(rows.iter().map(|row| short(row[k]))).collect();
        Printed { width: lines.iter().map(|text| text.chars().count()).max().unwrap_or(0), lines }
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

/// Columns beside each other, of a table of `n` rows.
fn print(f: &mut fmt::Formatter<'_>, columns: &[&Printed], n: usize) -> fmt::Result {
    let count = columns.first().map_or(0, |column| column.lines.len());
    for line in 0..count {
        if line == 2 + ROWS && n > 2 * ROWS {
            writeln!(f, "… {} more rows", n - 2 * ROWS)?;
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
fn short(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || !x.is_finite() || (1e-3..1e6).contains(&size) {
        let digits = if size >= 1.0 { 5_usize.saturating_sub(size.log10().floor() as usize) } else { 6 };
        format!("{x:.digits$}")
    } else {
        format!("{x:.5e}")
    }
}
