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

#[test]
fn rope() {
    rope::swing(50).expect("a rope");
}
