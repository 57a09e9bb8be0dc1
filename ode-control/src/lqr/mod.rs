//! Gains that are optimal for quadratic costs, and for noise of known covariance.

pub(crate) mod error;
pub(crate) mod estimator;
pub(crate) mod horizon;
pub(crate) mod regulator;
pub(crate) mod weights;
