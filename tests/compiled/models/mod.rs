//! Random models, as `ode_model_generator::random` writes them:
//! `BLESS=1 cargo test -p ode-model-compiled --test sample`.

pub mod seed_190;
pub mod seed_258;
pub mod seed_269;
pub mod seed_272;
pub mod seed_328;
pub mod seed_384;
pub mod seed_523;
pub mod seed_582;
pub mod seed_650;
pub mod seed_653;
pub mod seed_99;
pub mod seed_216;
pub mod seed_335;
pub mod seed_363;
pub mod seed_514;
pub mod seed_618;
