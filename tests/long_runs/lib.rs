//! Its tests are in `long_runs.rs`.
