//! What takes minutes without optimisation: many steps, large models. Models emit their own test of all derivatives,
//! which runs here too.

#![allow(unreachable_pub, reason = "models are public as users write them")]

#[path = "../../ode-runtime/tests/common/mod.rs"]
mod common;

mod cloth;
#[path = "../models/four_bars.rs"]
mod four_bars;
mod packed;
#[path = "../../ode-runtime/src/numbers/sines.rs"]
mod sines;
mod small_steps;
