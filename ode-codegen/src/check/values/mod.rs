//! The values of expressions: numbers with shapes and units, rotations and frames.

mod known;
mod space;
mod units;
mod value;

pub(crate) use crate::model::{Dimension, Exponent};
pub(crate) use space::{Frame3, Rotation, hamilton};
pub(crate) use units::{Named, Unit, Units};
pub(crate) use value::{Frame, Quantity, Value, shape_name, shaped};
