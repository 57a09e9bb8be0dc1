//! The unit tests of modules that stand alone, compiled with these: the library is not compiled a second time for them.

#[allow(dead_code, reason = "the tests use a part of it")]
#[path = "../src/lower/algebra/mod.rs"]
mod algebra;
#[allow(dead_code, unreachable_pub, reason = "the tests use a part of it")]
#[path = "../src/chart.rs"]
mod chart;
#[allow(dead_code, reason = "the tests use a part of it")]
#[path = "../src/derive/eliminated.rs"]
mod eliminated;
#[allow(dead_code, unused_imports, unreachable_pub, reason = "the tests use a part of it")]
#[path = "../src/expr/mod.rs"]
mod expr;
#[allow(dead_code, reason = "the tests use a part of it")]
#[path = "../src/lower/fingerprints.rs"]
mod fingerprints;
#[allow(dead_code, reason = "the tests use a part of it")]
#[path = "../src/identifier.rs"]
mod identifier;
#[allow(dead_code, reason = "the tests use a part of it")]
#[path = "../src/numbered.rs"]
mod numbered;
#[allow(dead_code, reason = "the tests use a part of it")]
#[path = "../src/derive/elimination/order.rs"]
mod order;
#[allow(dead_code, reason = "the tests use a part of it")]
#[path = "../src/places.rs"]
mod places;
#[allow(dead_code, reason = "the tests use a part of it")]
#[path = "../src/lower/prepared.rs"]
mod prepared;
