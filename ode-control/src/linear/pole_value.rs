//! The number of a pole, as people read it.

use core::fmt;

use ode_runtime::linalg::Complex;

/// The number of a pole, as people read it.
pub(crate) struct PoleValue(pub(crate) Complex<f64>);

impl fmt::Display for PoleValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // what is written as zero has no sign
        let [re, im] = [self.0.re, self.0.im].map(|x| if x.abs() < 5e-7 { 0.0 } else { x });
        write!(f, "{re:.6}")?;
        if im == 0.0 { Ok(()) } else { write!(f, "{im:+.6}i") }
    }
}
