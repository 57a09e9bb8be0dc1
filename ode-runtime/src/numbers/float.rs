//! `f64` and `f32` as scalars, with the mathematics of the standard library or of `libm`.

use crate::numbers::arc::arc_over_sine;
use crate::numbers::external::External;
use crate::numbers::packed;
use crate::numbers::scalar::{Real, Scalar};
use crate::numbers::stumpff::stumpff;

macro_rules! unary {
    ($t:ident: $($name:ident = $libm:path),* $(,)?) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $name(self) -> Self {
            #[cfg(feature = "std")]
            { $t::$name(self) }
            #[cfg(not(feature = "std"))]
            { $libm(self) }
        }
    )*};
}

macro_rules! float {
    ($t:ident, $sqrt:path, $sin:path, $cos:path, $tan:path, $asin:path, $acos:path, $atan:path, $atan2:path,
     $sinh:path, $cosh:path, $tanh:path, $exp:path, $ln:path, $pow:path, $hypot:path $(, $packed:path)?) => {
        impl Scalar for $t {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            type Mask = bool;

            unary!($t: sqrt = $sqrt, sin = $sin, cos = $cos, tan = $tan, asin = $asin, acos = $acos, atan = $atan,
                   sinh = $sinh, cosh = $cosh, tanh = $tanh, exp = $exp, ln = $ln);

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn from_f64(value: f64) -> Self {
                value as $t
            }
            #[cfg(all(feature = "std", any(target_feature = "fma", target_arch = "aarch64")))]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn multiply_add(self, factor: Self, addend: Self) -> Self {
                $t::mul_add(self, factor, addend)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn root(self) -> Self {
                Scalar::sqrt(self)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn atan2(self, x: Self) -> Self {
                #[cfg(feature = "std")]
                { $t::atan2(self, x) }
                #[cfg(not(feature = "std"))]
                { $atan2(self, x) }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn wrap(self) -> Self {
                // most differences are already inside, and three functions take longer than all else about them
                let inside = $t::abs(self) < core::$t::consts::PI;
                if inside { self } else { Scalar::atan2(Scalar::sin(self), Scalar::cos(self)) }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn recip(self) -> Self {
                1.0 / self
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn recip_or_zero(self) -> Self {
                if self == 0.0 { 0.0 } else { 1.0 / self }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn powi(self, n: i32) -> Self {
                #[cfg(feature = "std")]
                { $t::powi(self, n) }
                #[cfg(not(feature = "std"))]
                { repeated_square(self, n) }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn powf(self, p: Self) -> Self {
                #[cfg(feature = "std")]
                { $t::powf(self, p) }
                #[cfg(not(feature = "std"))]
                { $pow(self, p) }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn hypot(self, y: Self) -> Self {
                #[cfg(feature = "std")]
                { $t::hypot(self, y) }
                #[cfg(not(feature = "std"))]
                { $hypot(self, y) }
            }
            #[inline]
            fn stumpff(self, n: u32) -> Self {
                stumpff(self, n)
            }
            #[inline]
            fn arc_over_sine(self, n: u32) -> Self {
                arc_over_sine(self, n)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lt(self, other: Self) -> bool {
                self < other
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn le(self, other: Self) -> bool {
                self <= other
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn mask_and(a: bool, b: bool) -> bool {
                a & b
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn mask_or(a: bool, b: bool) -> bool {
                a | b
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn mask_not(a: bool) -> bool {
                !a
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn extend<const N: usize>(x: [Self; N], f: &impl External<N>, orders: [usize; N]) -> Self {
                f.partial(x.map(f64::from), orders) as $t
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn select(mask: bool, a: Self, b: Self) -> Self {
                if mask { a } else { b }
            }
            $(
                #[inline]
                fn sin_cos_each<const N: usize>(angles: [Self; N]) -> [[Self; N]; 2] {
                    $packed(angles)
                }
            )?
        }

        impl Real for $t {
            const EPSILON: Self = $t::EPSILON;
            const INFINITY: Self = $t::INFINITY;
            const MIN_POSITIVE: Self = $t::MIN_POSITIVE;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn abs(self) -> Self {
                $t::abs(self)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn max(self, other: Self) -> Self {
                if self > other || self.is_nan() { self } else { other }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn min(self, other: Self) -> Self {
                if self < other || self.is_nan() { self } else { other }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn is_finite(self) -> bool {
                $t::is_finite(self)
            }
        }
    };
}

float!(
    f64,
    libm::sqrt,
    libm::sin,
    libm::cos,
    libm::tan,
    libm::asin,
    libm::acos,
    libm::atan,
    libm::atan2,
    libm::sinh,
    libm::cosh,
    libm::tanh,
    libm::exp,
    libm::log,
    libm::pow,
    libm::hypot,
    packed::sin_cos_each
);
float!(
    f32,
    libm::sqrtf,
    libm::sinf,
    libm::cosf,
    libm::tanf,
    libm::asinf,
    libm::acosf,
    libm::atanf,
    libm::atan2f,
    libm::sinhf,
    libm::coshf,
    libm::tanhf,
    libm::expf,
    libm::logf,
    libm::powf,
    libm::hypotf
);

/// xⁿ by squaring; `core` has no `powi`.
#[cfg(not(feature = "std"))]
fn repeated_square<T: Scalar>(x: T, n: i32) -> T {
    let mut base = if n < 0 { x.recip() } else { x };
    let mut left = n.unsigned_abs();
    let mut power = T::ONE;
    while left > 0 {
        if left & 1 == 1 {
            power *= base;
        }
        base *= base;
        left >>= 1;
    }
    power
}
