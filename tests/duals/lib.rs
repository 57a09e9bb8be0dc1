//! Nothing: the tests of this package are in `steps.rs`.
