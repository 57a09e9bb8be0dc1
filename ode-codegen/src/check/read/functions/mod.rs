//! The functions of the language.

mod arguments;
mod call;
mod elementary;
mod external;
mod frames;
mod kinks;
mod motion;
mod smooth;
mod space;
mod table;
mod vectors;

pub(super) use space::part;
pub(super) use table::find;
