//! A matrix whose rows and columns have names.

use core::fmt;
use core::ops::Deref;
use std::borrow::ToOwned;
use std::format;
use std::io;
use std::string::String;
use std::vec::Vec;

use nalgebra::{DMatrix, SMatrix};

use crate::error::Cause;
use crate::error::unknown::UnknownName;
use crate::linalg::dense::of_shape;
use crate::numbers::printed::{Printed, print, quoted, short};
use crate::numbers::scalar::Real;

/// A matrix whose rows and columns have names: derivatives by the names of the model.
///
/// It reads as the [`DMatrix`] that it is, `a[(0, 2)]` included, which panics out of range. As text it is a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Labelled<T> {
    rows: Vec<String>,
    columns: Vec<String>,
    matrix: DMatrix<T>,
}

impl<T: Real> Labelled<T> {
    /// The matrix of these entries.
    pub fn new<R: AsRef<str>, C: AsRef<str>>(
        rows: impl IntoIterator<Item = R>,
        columns: impl IntoIterator<Item = C>,
        mut entry: impl FnMut(usize, usize) -> T,
    ) -> Self {
        let rows: Vec<String> = rows.into_iter().map(|name| name.as_ref().to_owned()).collect();
        let columns: Vec<String> = columns.into_iter().map(|name| name.as_ref().to_owned()).collect();
        Self::of(rows, columns, &mut entry)
    }

    fn of(rows: Vec<String>, columns: Vec<String>, entry: &mut dyn FnMut(usize, usize) -> T) -> Self {
        let matrix = DMatrix::from_fn(rows.len(), columns.len(), entry);
        Self { rows, columns, matrix }
    }

    /// A name for each row.
    pub fn row_names(&self) -> &[String] {
        &self.rows
    }

    /// A name for each column.
    pub fn column_names(&self) -> &[String] {
        &self.columns
    }

    /// The entry of a row and a column by their names.
    ///
    /// # Errors
    /// The name that does not exist, with the most similar one.
    pub fn at(&self, row: &str, column: &str) -> Result<T, UnknownName> {
        let place = (UnknownName::place("row", row, &self.rows)?, UnknownName::place("column", column, &self.columns)?);
        Ok(self.matrix[place])
    }

    /// The matrix without names.
    pub fn into_matrix(self) -> DMatrix<T> {
        self.matrix
    }

    /// The same with a size that is known at compile time.
    ///
    /// # Errors
    /// [`Cause::OutOfRange`] if it has another one.
    pub fn fixed<const R: usize, const C: usize>(&self) -> Result<SMatrix<T, R, C>, Cause> {
        of_shape(self.matrix.shape(), |r, c| self.matrix[(r, c)])
    }

    /// Writes a header and a line for each row, which begins with its name; comma separated (RFC 4180), with enough
    /// digits to read back the same numbers.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_csv(&self, mut out: impl io::Write) -> io::Result<()> {
        for name in &self.columns {
            write!(out, ",{}", quoted(name))?;
        }
        writeln!(out)?;
        for (name, row) in self.rows.iter().zip(self.matrix.row_iter()) {
            write!(out, "{}", quoted(name))?;
            row.iter().try_for_each(|x| write!(out, ",{:?}", x.to_f64()))?;
            writeln!(out)?;
        }
        Ok(())
    }
}

impl<T> Deref for Labelled<T> {
    type Target = DMatrix<T>;

    fn deref(&self) -> &DMatrix<T> {
        &self.matrix
    }
}

impl<T: Real> fmt::Display for Labelled<T> {
    /// Names beside and above numbers of six digits. Columns that do not fit beside each other follow below.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let names = self.rows.iter().map(|name| format!("{name:<width$}"));
        let mut printed = std::vec![Printed::new(core::iter::once(String::new()).chain(names).collect())];
        printed.extend(self.columns.iter().zip(self.matrix.column_iter()).map(|(name, column)| {
            let numbers = column.iter().map(|x| short(x.to_f64()));
            Printed::new(core::iter::once(name.clone()).chain(numbers).collect())
        }));
        print(f, &printed, 1, None)
    }
}
