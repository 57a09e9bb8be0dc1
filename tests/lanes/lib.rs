//! Nothing: the tests of this package are in `ensembles.rs` and `registers.rs`.
