//! The examples of models with sets run, at a small size.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::duplicate_mod,
    clippy::print_stdout,
    reason = "the models are those of programs; their mains are not run"
)]

#[path = "../../examples/rope.rs"]
mod rope;
#[path = "../../examples/truss.rs"]
mod truss;

#[test]
fn rope() {
    rope::swing(50).expect("a rope");
}

#[test]
fn truss() {
    truss::load(20).expect("a mast");
}
