//! A page of the guide whose examples call the compiler: they are tested here, where it is a dependency.

#[cfg(doctest)]
#[doc = include_str!("../../src/guide/snapshots.md")]
pub struct Snapshots;
