//! The numbers a model is evaluated on: `f64`, `f32`, and [`Dual`](crate::Dual) for derivatives.
//!
//! Generated code asks for [`Scalar`] only. It has no order and no data-dependent branch: comparisons give a mask and
//! [`Scalar::select`] chooses by it, so that lanes and dual numbers evaluate the same text. Methods that decide on
//! values ask for [`Real`].

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::numbers::external::External;
use crate::numbers::field::Field;

/// A number a model can be evaluated on.
///
/// Functions follow IEEE 754: outside their domain they give NaN, they never panic.
pub trait Scalar:
    Copy
    + Debug
    + Default
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + Send
    + Sync
    + 'static
{
    /// 0
    const ZERO: Self;
    /// 1
    const ONE: Self;
    /// Outcome of a comparison: `bool`, or one truth value a lane.
    type Mask: Copy;

    /// The nearest representable number; derivatives are zero.
    fn from_f64(value: f64) -> Self;
    /// self · factor + addend, rounded once where the target has an instruction for it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[must_use]
    fn multiply_add(self, factor: Self, addend: Self) -> Self {
        self * factor + addend
    }
    /// √x
    fn sqrt(self) -> Self;
    /// √x whose derivative at x = 0 is 0: the last operation of a norm, which would otherwise divide 0 by 0.
    fn root(self) -> Self;
    /// sin x
    fn sin(self) -> Self;
    /// cos x
    fn cos(self) -> Self;
    /// Sines, then cosines, of several angles; faster together where the scalar has a way.
    ///
    /// On `f64` all are within an ulp of the exact value. Built with optimisation and without fused multiply-add
    /// (`target-feature` `fma`), angles to 10⁵ have the same digits on every machine. Larger angles, and all in a debug
    /// build, have those of [`Scalar::sin`] and [`Scalar::cos`]. What stands beside an angle has no effect on it.
    #[inline]
    fn sin_cos_each<const N: usize>(angles: [Self; N]) -> [[Self; N]; 2] {
        one_by_one(angles)
    }
    /// tan x
    fn tan(self) -> Self;
    /// arcsin x
    fn asin(self) -> Self;
    /// arccos x
    fn acos(self) -> Self;
    /// arctan x
    fn atan(self) -> Self;
    /// Angle of the point (x, self), in (−π, π].
    fn atan2(self, x: Self) -> Self;
    /// The representative of an angle in (−π, π].
    #[must_use]
    fn wrap(self) -> Self {
        self.sin().atan2(self.cos())
    }
    /// sinh x
    fn sinh(self) -> Self;
    /// cosh x
    fn cosh(self) -> Self;
    /// tanh x
    fn tanh(self) -> Self;
    /// eˣ
    fn exp(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// 1/x
    fn recip(self) -> Self;
    /// 1/x, but 0 at x = 0; its derivative is −`recip_or_zero`².
    fn recip_or_zero(self) -> Self;
    /// xⁿ for a constant integer n.
    fn powi(self, n: i32) -> Self;
    /// xᵖ
    fn powf(self, p: Self) -> Self;
    /// √(x² + y²) without overflow between; derivative 0 at the origin.
    fn hypot(self, y: Self) -> Self;
    /// Stumpff's function cₙ(s) = Σₖ (−s)ᵏ/(n + 2k)! of s ≥ 0: smooth in s, where angles √s are not.
    ///
    /// c₀ = cos √s, c₁ = sin √s/√s, c₂ = (1 − cos √s)/s, c₃ = (√s − sin √s)/s^{3/2}, and on by cₙ = 1/n! − s cₙ₊₂. Its
    /// derivative is ½ (n cₙ₊₂ − cₙ₊₁). The rotation by a vector θ and its tangent map are made of these at s = θ·θ. As
    /// good, to a few units in the last place, as s itself is.
    fn stumpff(self, n: u32) -> Self;
    /// The n-th derivative of θ/sin θ as a function of w = cos θ, for w > −1: smooth at w = 1, where θ is not.
    ///
    /// The rotation of a unit quaternion (w, u), w ≥ 0, is by the vector 2 θ/sin θ · u. Its derivative is that of n
    /// + 1.
    fn arc_over_sine(self, n: u32) -> Self;
    /// self < other
    fn lt(self, other: Self) -> Self::Mask;
    /// self ≤ other
    fn le(self, other: Self) -> Self::Mask;
    /// Both.
    fn mask_and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Either.
    fn mask_or(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Not.
    fn mask_not(a: Self::Mask) -> Self::Mask;
    /// Whether it is zero, including derivatives if it carries any.
    #[must_use]
    fn is_zero(self) -> Self::Mask {
        Self::mask_and(self.le(Self::ZERO), Self::ZERO.le(self))
    }
    /// The derivative of a function that is known on `f64`, taken `orders[i]` times by argument i. A scalar that
    /// carries derivatives asks the function for one order more.
    fn extend<const N: usize>(x: [Self; N], f: &impl External<N>, orders: [usize; N]) -> Self;
    /// `a` where the mask holds, `b` elsewhere; the other value has no effect, even if it is NaN.
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self;
}

/// Sines and cosines, one angle after the other.
///
/// A counter, not an iterator: it is called in debug builds, where iterators are slow.
#[inline]
pub(crate) fn one_by_one<T: Scalar, const N: usize>(angles: [T; N]) -> [[T; N]; 2] {
    let mut values = [[T::ZERO; N]; 2];
    let mut i = 0;
    while i < N {
        values[0][i] = angles[i].sin();
        values[1][i] = angles[i].cos();
        i += 1;
    }
    values
}

/// A scalar with an order, so that methods can compare: `f64` and `f32`; with the feature `second-order` also
/// `Dual<f64>`, with the feature `wide` also registers of several numbers.
///
/// Numbers may be without an order, as NaN is. Whoever compares takes that for a failure: `!(x <= limit)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number that a model can be run with (`Real`)",
    label = "neither `f64` nor `f32`",
    note = "a model over dual numbers is evaluated, not run: `cast` makes one of a model over `f64`",
    note = "with the feature `second-order`, `Dual<f64>` is one too; with `wide`, `F64x8` and others"
)]
pub trait Real: Scalar + PartialOrd + Field {
    /// Whether it is several numbers, which may have no common order and no entry of a decomposition:
    /// [`Wide`](crate::Wide). Several derivatives of one number have an order, and no entry either.
    const SEVERAL: bool = false;
    /// Whether [`Real::to_f64`] keeps all of a number: not of one that is several, or carries a derivative.
    const PLAIN: bool = true;
    /// Distance from 1 to the next larger number.
    const EPSILON: Self;
    /// +∞
    const INFINITY: Self;
    /// smallest normal number: below it digits are lost
    const MIN_POSITIVE: Self;
    /// The same value as `f64`, for reports; NaN of several numbers that differ.
    fn to_f64(self) -> f64;
    /// The same value without the derivative that it carries.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[must_use]
    fn value(self) -> Self {
        self
    }
    /// |x|
    fn abs(self) -> Self;
    /// |x|, or the derivative that it carries if that is larger: iterations end when both have converged.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[must_use]
    fn magnitude(self) -> Self {
        self.abs()
    }
    /// The larger of two; NaN if either is NaN, so that no failure hides behind a maximum.
    fn max(self, other: Self) -> Self;
    /// The smaller of two; NaN if either is NaN.
    fn min(self, other: Self) -> Self;
    /// Neither infinite nor NaN.
    fn is_finite(self) -> bool;
}

/// An angle's representative in (−π, π].
#[inline]
pub fn wrap<T: Scalar>(angle: T) -> T {
    angle.wrap()
}
