//! Numbers of a table from any format of `serde`.

use core::fmt;
use std::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

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
pub(super) fn numbers<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    Ok(Vec::<Number>::deserialize(from)?.into_iter().map(|Number(x)| x).collect())
}
