//! The tests of models that rustc compiles. They stand apart from the generator, which runs hundreds of models and is
//! optimised: these compile many and run them once.
