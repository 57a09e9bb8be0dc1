//! Random models: valid by construction, as far as a text can be without counting ranks.

mod coordinates;
mod dimension;
mod families;
mod happening;
pub mod kinds;
mod lists;
mod mechanics;
mod model;
mod numbers;
mod observed;
mod sets;
mod solved;
mod subs;
mod subs_of_members;
mod topology;
mod writer;

pub use model::Model;
pub use numbers::Random;
pub use sets::Set;
