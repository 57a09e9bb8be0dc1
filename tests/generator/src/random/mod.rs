//! Random models: valid by construction, as far as a text can be without counting ranks.

mod coordinates;
mod dimension;
mod families;
pub mod kinds;
mod lists;
mod mechanics;
mod model;
mod numbers;
mod sets;
mod subs;
mod writer;

pub use model::Model;
pub use numbers::Random;
pub use sets::Set;
