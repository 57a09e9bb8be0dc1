//! What the solvers ask of a real number beyond arithmetic.

use nalgebra::RealField;

/// A number the solvers can decompose matrices of: `f32`, `f64`.
///
/// The decompositions use `Entry`, not `Self`, so that code generic over [`Real`](crate::Real) does not see two methods
/// of each name (`sqrt`, `sin`, …).
pub trait Field: Copy + 'static {
    /// The same number, as nalgebra knows it.
    type Entry: RealField + Copy + 'static;
    /// A pivot below this fraction of the terms it was summed from has lost too many digits: ε^(2/3).
    const PIVOT_TOLERANCE: Self;

    /// `self`, for nalgebra.
    fn entry(self) -> Self::Entry;
    /// `entry`, from nalgebra.
    fn from_entry(entry: Self::Entry) -> Self;
    /// The power of two that brings |self| into [1, 2); 1 for zero, subnormal and non-finite numbers. Scaling by it is
    /// exact.
    fn equalizer(self) -> Self;
}

impl Field for f64 {
    type Entry = f64;
    const PIVOT_TOLERANCE: f64 = 3.7e-11;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry(self) -> f64 {
        self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn from_entry(entry: f64) -> f64 {
        entry
    }
    #[inline]
    fn equalizer(self) -> f64 {
        let exponent = (self.to_bits() >> 52) & 0x7ff;
        if (1..=0x7fd).contains(&exponent) { f64::from_bits((0x7fe - exponent) << 52) } else { 1.0 }
    }
}

impl Field for f32 {
    type Entry = f32;
    const PIVOT_TOLERANCE: f32 = 2.4e-5;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry(self) -> f32 {
        self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn from_entry(entry: f32) -> f32 {
        entry
    }
    #[inline]
    fn equalizer(self) -> f32 {
        let exponent = (self.to_bits() >> 23) & 0xff;
        if (1..=0xfd).contains(&exponent) { f32::from_bits((0xfe - exponent) << 23) } else { 1.0 }
    }
}
