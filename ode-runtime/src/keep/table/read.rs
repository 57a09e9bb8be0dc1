//! A table from any format of `serde`.

use core::fmt;
use std::string::String;
use std::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use super::{Column, RecordedEvent, Table};

/// A number; NaN where the format has nothing, as JSON does in place of what is not finite.
struct Number(f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        // Only a text says what it has.
        if from.is_human_readable() { from.deserialize_any(AnyNumber) } else { f64::deserialize(from).map(Self) }
    }
}

struct AnyNumber;

impl Visitor<'_> for AnyNumber {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or nothing for NaN")
    }

    fn visit_f64<E: Error>(self, x: f64) -> Result<Number, E> {
        Ok(Number(x))
    }

    fn visit_i64<E: Error>(self, x: i64) -> Result<Number, E> {
        Ok(Number(x as f64))
    }

    fn visit_u64<E: Error>(self, x: u64) -> Result<Number, E> {
        Ok(Number(x as f64))
    }

    fn visit_unit<E: Error>(self) -> Result<Number, E> {
        Ok(Number(f64::NAN))
    }

    fn visit_none<E: Error>(self) -> Result<Number, E> {
        Ok(Number(f64::NAN))
    }
}

/// The numbers of a table.
fn numbers<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    Ok(Vec::<Number>::deserialize(from)?.into_iter().map(|Number(x)| x).collect())
}

/// The parts of a table, as they were written.
#[derive(serde::Deserialize)]
pub(super) struct Parts {
    columns: Vec<Column>,
    #[serde(deserialize_with = "numbers")]
    values: Vec<f64>,
    unrecorded: Vec<String>,
    events: Vec<RecordedEvent>,
}

/// Numbers that are not those of whole rows.
pub(super) struct Ragged {
    numbers: usize,
    columns: usize,
}

impl fmt::Display for Ragged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} numbers are no whole rows of {} columns", self.numbers, self.columns)
    }
}

impl TryFrom<Parts> for Table {
    type Error = Ragged;

    fn try_from(Parts { columns, values, unrecorded, events }: Parts) -> Result<Self, Ragged> {
        let left = values.len().checked_rem(columns.len()).unwrap_or(values.len());
        match left {
            0 => Ok(Self { columns, values, unrecorded, events }),
            _ => Err(Ragged { numbers: values.len(), columns: columns.len() }),
        }
    }
}
