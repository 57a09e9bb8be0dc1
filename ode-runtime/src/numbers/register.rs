//! The registers of a vector unit as numbers, by the crate `wide`.

use core::cmp::Ordering;
use core::fmt;
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::numbers::external::External;
use crate::numbers::field::Field;
use crate::numbers::packed;
use crate::numbers::scalar::{Real, Scalar};
use crate::numbers::slopes::Slopes;
use crate::numbers::wide::Wide;

/// Several numbers, one in each lane of a register of the crate `wide`: [`F64x4`], [`F64x8`], [`F32x8`], [`F32x16`].
///
/// Arithmetic, roots, sines and cosines are those of the vector unit, with the roundings of single numbers; other
/// functions are evaluated lane by lane, or once if all lanes are the same. Two are equal, or one is smaller, if that
/// holds in all lanes.
///
/// ```
/// use ode_runtime::{F64x4, Scalar, Wide};
///
/// let angles = F64x4::new([0.0, 0.5, 1.0, 1.5]);
/// let sines = angles.sin();
/// assert!((sines.lane(2) - 1.0_f64.sin()).abs() < 1e-15);
/// assert!(sines < F64x4::splat(1.0));
/// assert!(!(sines < angles) && !(sines >= angles), "only some of them");
/// ```
#[derive(Clone, Copy, Default, PartialEq)]
#[repr(transparent)]
pub struct Register<V>(V);

/// Four `f64`.
pub type F64x4 = Register<::wide::f64x4>;
/// Eight `f64`.
pub type F64x8 = Register<::wide::f64x8>;
/// Eight `f32`.
pub type F32x8 = Register<::wide::f32x8>;
/// Sixteen `f32`.
pub type F32x16 = Register<::wide::f32x16>;

macro_rules! operators {
    ($register:ident: $($operator:ident $f:ident, $assign:ident $g:ident;)*) => {$(
        impl $operator for Register<::wide::$register> {
            type Output = Self;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $f(self, other: Self) -> Self {
                Self(self.0.$f(other.0))
            }
        }
        operators!(@ $register $assign $g $f);
    )*};
    (@ $register:ident None $g:ident $f:ident) => {};
    (@ $register:ident $assign:ident $g:ident $f:ident) => {
        impl $assign for Register<::wide::$register> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $g(&mut self, other: Self) {
                self.0 = self.0.$f(other.0);
            }
        }
    };
}

macro_rules! lane_by_lane {
    ($($name:ident)*) => {$(
        #[inline]
        fn $name(self) -> Self {
            self.map(Scalar::$name)
        }
    )*};
}

macro_rules! register {
    ($register:ident: [$lane:ident; $n:literal]) => {
        impl Register<::wide::$register> {
            /// One number a lane.
            #[cfg_attr(not(debug_assertions), inline(always))]
            pub const fn new(lanes: [$lane; $n]) -> Self {
                Self(::wide::$register::new(lanes))
            }

            /// The numbers of all lanes.
            #[cfg_attr(not(debug_assertions), inline(always))]
            pub const fn to_array(self) -> [$lane; $n] {
                self.0.to_array()
            }

            /// Evaluated once if all lanes agree, as they do for what depends on shared parameters alone.
            #[inline]
            fn map(self, f: impl Fn($lane) -> $lane) -> Self {
                // zeros may differ in sign
                if let Some(lane) = self.common().filter(|lane| *lane != 0.0) {
                    return Self::new([f(lane); $n]);
                }
                Self::new(self.to_array().map(f))
            }

            #[inline]
            fn zip(self, other: Self, f: impl Fn($lane, $lane) -> $lane) -> Self {
                if let Some((a, b)) = self.common().zip(other.common()).filter(|(a, b)| *a != 0.0 && *b != 0.0) {
                    return Self::new([f(a, b); $n]);
                }
                let (a, b) = (self.to_array(), other.to_array());
                Self::new(core::array::from_fn(|k| f(a[k], b[k])))
            }

            /// Sines and cosines of angles some of which are too large to be evaluated together.
            #[cold]
            #[inline(never)]
            fn replace<const N: usize>(angles: &[Self; N], values: &mut [[Self; N]; 2]) {
                let [sines, cosines] = values;
                for ((angle, sine), cosine) in angles.iter().zip(sines).zip(cosines) {
                    let [mut s, mut c] = [*sine, *cosine].map(|x| x.to_array().map(f64::from));
                    packed::replace(&angle.to_array().map(f64::from), &mut s, &mut c);
                    (*sine, *cosine) = (Self::new(s.map(|x| x as $lane)), Self::new(c.map(|x| x as $lane)));
                }
            }

            /// The number of all lanes, if it is the same.
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn common(self) -> Option<$lane> {
                let [first, ..] = self.to_array();
                (self == Self::new([first; $n])).then_some(first)
            }
        }

        impl fmt::Debug for Register<::wide::$register> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.to_array().fmt(f)
            }
        }

        operators!($register: Add add, AddAssign add_assign; Sub sub, SubAssign sub_assign;
            Mul mul, MulAssign mul_assign; Div div, None none;);

        impl Neg for Register<::wide::$register> {
            type Output = Self;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn neg(self) -> Self {
                Self(-self.0)
            }
        }

        impl PartialOrd for Register<::wide::$register> {
            /// The order that all lanes have.
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                let orders = [(self < other, Ordering::Less), (self > other, Ordering::Greater)];
                let found = orders.into_iter().find_map(|(holds, order)| holds.then_some(order));
                found.or_else(|| (self == other).then_some(Ordering::Equal))
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lt(&self, other: &Self) -> bool {
                self.0.simd_lt(other.0).all()
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn le(&self, other: &Self) -> bool {
                self.0.simd_le(other.0).all()
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn gt(&self, other: &Self) -> bool {
                self.0.simd_gt(other.0).all()
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn ge(&self, other: &Self) -> bool {
                self.0.simd_ge(other.0).all()
            }
        }

        impl Scalar for Register<::wide::$register> {
            const ZERO: Self = Self::new([0.0; $n]);
            const ONE: Self = Self::new([1.0; $n]);
            type Mask = ::wide::$register;

            lane_by_lane!(tan asin acos atan wrap sinh cosh tanh exp ln);

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn from_f64(value: f64) -> Self {
                Self::new([$lane::from_f64(value); $n])
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn multiply_add(self, factor: Self, addend: Self) -> Self {
                Self(self.0.mul_add(factor.0, addend.0))
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn sqrt(self) -> Self {
                Self(self.0.sqrt())
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn root(self) -> Self {
                Self(self.0.sqrt())
            }
            #[inline]
            fn sin(self) -> Self {
                let [[sine], _] = Self::sin_cos_each([self]);
                sine
            }
            #[inline]
            fn cos(self) -> Self {
                let [_, [cosine]] = Self::sin_cos_each([self]);
                cosine
            }
            #[inline]
            fn sin_cos_each<const N: usize>(angles: [Self; N]) -> [[Self; N]; 2] {
                let (mut values, mut all_near) = ([[Self::ZERO; N]; 2], true);
                // By indices: an iterator by value copies the angles across the borders of registers.
                for i in 0..N {
                    let ([sine, cosine], near) = packed::near_lanes(&angles[i].to_array().map(f64::from));
                    values[0][i] = Self::new(sine.map(|x| x as $lane));
                    values[1][i] = Self::new(cosine.map(|x| x as $lane));
                    all_near &= near;
                }
                if !all_near {
                    Self::replace(&angles, &mut values);
                }
                values
            }
            #[inline]
            fn atan2(self, x: Self) -> Self {
                self.zip(x, Scalar::atan2)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn recip(self) -> Self {
                Self::ONE / self
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn recip_or_zero(self) -> Self {
                Self::select(self.0.simd_eq(Self::ZERO.0), Self::ZERO, Self::ONE / self)
            }
            #[inline]
            fn powi(self, n: i32) -> Self {
                self.map(|x| Scalar::powi(x, n))
            }
            #[inline]
            fn powf(self, p: Self) -> Self {
                self.zip(p, Scalar::powf)
            }
            #[inline]
            fn hypot(self, y: Self) -> Self {
                self.zip(y, Scalar::hypot)
            }
            #[inline]
            fn stumpff(self, n: u32) -> Self {
                self.map(|s| s.stumpff(n))
            }
            #[inline]
            fn arc_over_sine(self, n: u32) -> Self {
                self.map(|w| w.arc_over_sine(n))
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lt(self, other: Self) -> Self::Mask {
                self.0.simd_lt(other.0)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn le(self, other: Self) -> Self::Mask {
                self.0.simd_le(other.0)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn mask_and(a: Self::Mask, b: Self::Mask) -> Self::Mask {
                a & b
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn mask_or(a: Self::Mask, b: Self::Mask) -> Self::Mask {
                a | b
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn mask_not(a: Self::Mask) -> Self::Mask {
                !a
            }
            fn extend<const N: usize>(x: [Self; N], f: &impl External<N>, orders: [usize; N]) -> Self {
                let x = x.map(Self::to_array);
                Self::new(core::array::from_fn(|k| $lane::extend(core::array::from_fn(|i| x[i][k]), f, orders)))
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
                Self(mask.bitselect(a.0, b.0))
            }
        }

        impl Real for Register<::wide::$register> {
            const SEVERAL: bool = true;
            const PLAIN: bool = false;
            const EPSILON: Self = Self::new([$lane::EPSILON; $n]);
            const INFINITY: Self = Self::new([$lane::INFINITY; $n]);
            const MIN_POSITIVE: Self = Self::new([$lane::MIN_POSITIVE; $n]);

            fn to_f64(self) -> f64 {
                self.common().map_or(f64::NAN, f64::from)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn abs(self) -> Self {
                Self(self.0.abs())
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn max(self, other: Self) -> Self {
                Self::select(self.0.simd_gt(other.0) | self.0.is_nan(), self, other)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn min(self, other: Self) -> Self {
                Self::select(self.0.simd_lt(other.0) | self.0.is_nan(), self, other)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn is_finite(self) -> bool {
                self.0.is_finite().all()
            }
        }

        impl Field for Register<::wide::$register> {
            type Entry = $lane;
            const PIVOT_TOLERANCE: Self = Self::new([$lane::PIVOT_TOLERANCE; $n]);

            /// Lanes that differ would be decomposed with different exchanges, so they have no entry: NaN, which every
            /// decomposition refuses.
            fn entry(self) -> $lane {
                self.common().unwrap_or($lane::NAN)
            }
            fn from_entry(entry: $lane) -> Self {
                Self::new([entry; $n])
            }
            #[inline]
            fn equalizer(self) -> Self {
                self.map(Field::equalizer)
            }
        }

        impl Slopes<$lane> for Register<::wide::$register> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn all(value: $lane) -> Self {
                Self::new([value; $n])
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn choose(mask: bool, a: Self, b: Self) -> Self {
                if mask { a } else { b }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn vanishes(self) -> bool {
                self == Self::ZERO
            }
        }

        impl Wide for Register<::wide::$register> {
            type Lane = $lane;
            const LANES: usize = $n;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lane(self, k: usize) -> $lane {
                self.to_array().get(k).copied().unwrap_or($lane::NAN)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn set_lane(&mut self, k: usize, value: $lane) {
                if let Some(lane) = self.0.as_mut_array().get_mut(k) {
                    *lane = value;
                }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn write(self, to: &mut [$lane]) {
                to.iter_mut().zip(self.to_array()).for_each(|(to, lane)| *to = lane);
            }
        }
    };
}

register!(f64x4: [f64; 4]);
register!(f64x8: [f64; 8]);
register!(f32x8: [f32; 8]);
register!(f32x16: [f32; 16]);
