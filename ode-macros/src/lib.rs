//! The `model!` macro.
