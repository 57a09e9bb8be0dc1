//! Valid models mean what they say: the input is a seed of the generator of `tests/generator`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ode_codegen::phases::expr::RULES;
use ode_model_generator::examine::{Outcome, examined};

fuzz_target!(|seed: u64| {
    let outcome = examined(RULES, seed, 1);
    assert!(matches!(outcome, Outcome::Agrees(_) | Outcome::Refused(_)), "seed {seed}: {outcome:?}");
});
