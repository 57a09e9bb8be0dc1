//! The guide's page on ensembles, whose example needs features.

#[cfg(doctest)]
#[doc = include_str!("../../src/guide/ensembles.md")]
pub mod ensembles {}
