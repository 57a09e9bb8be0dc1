//! What the examples draw: films and plots, each with its example.
//!
//! `cargo run --release --example squeezer` draws the pictures of one example to `target/gallery`, and
//! `examples/gallery.sh` those of all, with a page of them. How to draw is on the page [`pictures`](super::pictures).
//!
//! # Films
//!
//! Andrews' squeezing mechanism, seven bodies in three loops, three hundred times slower than it is:
//! `examples/squeezer.rs`.
//!
#![doc = include_str!("gallery/squeezer.svg")]
//!
//! A heavy top in steady precession, once around, its spin left out: `examples/top.rs`.
//!
#![doc = include_str!("gallery/top.svg")]
//!
//! A quadrotor that is thrown with a roll returns and climbs; arrows are its thrusts: `examples/quadrotor.rs`.
//!
#![doc = include_str!("gallery/quadrotor.svg")]
//!
//! A chain of twenty links falls out of an arc, with the path of its end: `examples/chain.rs`.
//!
#![doc = include_str!("gallery/chain.svg")]
//!
//! A cart balances a pole, by a force that is computed a hundred times a second: `examples/cart_pole.rs`.
//!
#![doc = include_str!("gallery/cart_pole.svg")]
//!
//! # Plots
//!
//! The cart and the tip of its pole meet where they began: `examples/cart_pole.rs`.
//!
#![doc = include_str!("gallery/cart_pole_position.svg")]
//!
//! The torque of a motor that turns a slider-crank as prescribed, from the multiplier of that constraint:
//! `examples/slider_crank.rs`.
//!
#![doc = include_str!("gallery/slider_crank_torque.svg")]
