//! Models that rustc has nothing to say about: each file denies warnings. An example, since a user's models are built
//! without `--test` as well, and rustc warns of a model's self-test where it stands inside a function.

#![allow(unreachable_pub, reason = "models are public as users write them")]

mod derives;
mod plain;
mod prepared;
mod the_shadow_is_silent;
mod warnings_are_silenced;

fn main() {
    derives::main();
    plain::main();
    prepared::main();
    the_shadow_is_silent::main();
    warnings_are_silenced::main();
}
