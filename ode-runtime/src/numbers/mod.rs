//! The numbers a model is evaluated on, and functions of them.

pub(crate) mod arc;
#[cfg(feature = "second-order")]
mod carried;
pub(crate) mod decimal;
pub(crate) mod dual;
pub(crate) mod external;
pub(crate) mod field;
mod float;
pub(crate) mod gradient;
pub(crate) mod lanes;
mod packed;
pub(crate) mod pchip;
#[cfg(feature = "std")]
pub(crate) mod printed;
#[cfg(feature = "wide")]
pub(crate) mod register;
pub mod s2;
pub(crate) mod scalar;
mod sines;
pub(crate) mod slopes;
pub mod so3;
pub(crate) mod stumpff;
pub(crate) mod wide;
