//! `#[model(prepared)]`: what depends on parameters alone is computed once, and never stays what it was.
#![allow(missing_docs)]

mod blocks;
mod changed;
mod models;
