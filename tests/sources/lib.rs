//! Pages of the guide whose examples call the compiler or serde: they are tested here, where these are dependencies.

#[cfg(doctest)]
#[doc = include_str!("../../src/guide/running.md")]
pub struct Running;

#[cfg(doctest)]
#[doc = include_str!("../../src/guide/snapshots.md")]
pub struct Snapshots;
