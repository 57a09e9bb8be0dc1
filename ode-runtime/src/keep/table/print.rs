//! A table as text: CSV, and its head and tail for people.

use core::fmt::{self, Write as _};
use std::format;
use std::io;
use std::string::String;
use std::vec::Vec;

use super::Table;
use crate::numbers::printed::{Printed, print, quoted, short};

/// Rows at each end that are printed.
const ROWS: usize = 5;

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
        let left_out = (n > 2 * ROWS).then(|| (2 + ROWS, n - 2 * ROWS));
        print(f, &columns, usize::from(time), left_out)
    }
}

impl Table {
    fn printed(&self, k: usize, rows: &[&[f64]]) -> Printed {
        let column = &self.columns[k];
        let unit = if column.unit.is_empty() { String::new() } else { format!("[{}]", column.unit) };
        // A line break in a name would be one in the table.
        let name = column.name.replace(char::is_control, " ");
        Printed::new([name, unit].into_iter().chain(rows.iter().map(|row| short(row[k]))).collect())
    }
}
