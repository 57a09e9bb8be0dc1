//! Nothing of its own: the tests are of the crates that it depends on.
