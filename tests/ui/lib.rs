//! Nothing: its tests are in `ui.rs`.
