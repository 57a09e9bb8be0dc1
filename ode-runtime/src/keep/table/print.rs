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
            writeln!(out, "{line}")?;
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

/// A field of RFC 4180.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}

impl fmt::Display for Table {
    /// The first and the last rows under names and units, and how much is left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.len();
        let shown: Vec<usize> = (0..n).filter(|&i| n <= 2 * ROWS || i < ROWS || i >= n - ROWS).collect();
        let rows: Vec<&[f64]> = self.rows().collect();
        let mut columns: Vec<Vec<String>> = Vec::new();
        let mut taken = 0;
        for (k, column) in self.columns.iter().enumerate() {
            let unit = if column.unit.is_empty() { String::new() } else { format!("[{}]", column.unit) };
            let numbers = shown.iter().map(|&i| short(rows[i][k]));
            let texts: Vec<String> = [column.name.clone(), unit].into_iter().chain(numbers).collect();
            taken += 2 + texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
            if taken > WIDTH && !columns.is_empty() {
                break;
            }
            columns.push(texts);
        }
        for line in 0..shown.len() + 2 {
            if line == 2 + ROWS && n > 2 * ROWS {
                writeln!(f, "… {} more rows", n - 2 * ROWS)?;
            }
            let mut text = String::new();
            for column in &columns {
                let width = column.iter().map(|text| text.chars().count()).max().unwrap_or(0);
                write!(text, "{:>1$}  ", column[line], width)?;
            }
            writeln!(f, "{}", text.trim_end())?;
        }
        match self.columns.len() - columns.len() {
            0 => Ok(()),
            more => writeln!(f, "… {more} more columns"),
        }
    }
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
