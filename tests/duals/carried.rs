//! A real number that carries a derivative along, so that steps can be made with it: an oracle for their derivatives.
//!
//! Whatever a step decides, it decides by the value. The derivative of an iteration converges a little later than its
//! value, so iterations must end with a correction of the size of round-off.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use num_dual::Dual64;
use ode_model::linalg::Field;
use ode_model::{Dual, External, Real, Scalar};

/// A value and its derivative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Carried(pub Dual<f64>);

impl Carried {
    /// What does not change.
    pub const fn fixed(x: f64) -> Self {
        Self(Dual::constant(x))
    }

    fn either(first: bool, a: Self, b: Self) -> Self {
        if first { a } else { b }
    }
}

macro_rules! operators {
    ($($operator:ident $call:ident $assign:ident $assigned:ident),*) => {$(
        impl $operator for Carried {
            type Output = Self;
            fn $call(self, other: Self) -> Self {
                Self($operator::$call(self.0, other.0))
            }
        }
        operators!(@ $operator $call $assign $assigned);
    )*};
    (@ Div div no no) => {};
    (@ $operator:ident $call:ident $assign:ident $assigned:ident) => {
        impl $assign for Carried {
            fn $assigned(&mut self, other: Self) {
                *self = $operator::$call(*self, other);
            }
        }
    };
}
operators!(Add add AddAssign add_assign, Sub sub SubAssign sub_assign, Mul mul MulAssign mul_assign, Div div no no);

impl Neg for Carried {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

macro_rules! functions {
    ($($name:ident),*) => {$(
        fn $name(self) -> Self {
            Self(Scalar::$name(self.0))
        }
    )*};
}

impl Scalar for Carried {
    const ZERO: Self = Self::fixed(0.0);
    const ONE: Self = Self::fixed(1.0);
    type Mask = bool;

    fn from_f64(value: f64) -> Self {
        Self::fixed(value)
    }
    functions!(sqrt, root, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, ln, recip, recip_or_zero);
    fn atan2(self, x: Self) -> Self {
        Self(self.0.atan2(x.0))
    }
    fn powi(self, n: i32) -> Self {
        Self(self.0.powi(n))
    }
    fn powf(self, p: Self) -> Self {
        Self(self.0.powf(p.0))
    }
    fn hypot(self, y: Self) -> Self {
        Self(self.0.hypot(y.0))
    }
    fn stumpff(self, n: u32) -> Self {
        Self(self.0.stumpff(n))
    }
    fn arc_over_sine(self, n: u32) -> Self {
        Self(self.0.arc_over_sine(n))
    }
    fn lt(self, other: Self) -> bool {
        self.0.re < other.0.re
    }
    fn le(self, other: Self) -> bool {
        self.0.re <= other.0.re
    }
    fn mask_and(a: bool, b: bool) -> bool {
        a && b
    }
    fn mask_or(a: bool, b: bool) -> bool {
        a || b
    }
    fn mask_not(a: bool) -> bool {
        !a
    }
    fn is_zero(self) -> bool {
        self.0.is_zero()
    }
    fn extend<const N: usize>(x: [Self; N], f: &impl External<N>, orders: [usize; N]) -> Self {
        Self(Dual::extend(x.map(|x| x.0), f, orders))
    }
    fn select(mask: bool, a: Self, b: Self) -> Self {
        Self::either(mask, a, b)
    }
}

impl PartialOrd for Carried {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.0.re.partial_cmp(&other.0.re)
    }
}

impl Real for Carried {
    const EPSILON: Self = Self::fixed(f64::EPSILON);
    const INFINITY: Self = Self::fixed(f64::INFINITY);
    const MIN_POSITIVE: Self = Self::fixed(f64::MIN_POSITIVE);

    fn to_f64(self) -> f64 {
        self.0.re
    }
    fn abs(self) -> Self {
        Self::either(self.0.re < 0.0, -self, self)
    }
    fn max(self, other: Self) -> Self {
        Self::either(self.0.re.is_nan() || self.0.re > other.0.re, self, other)
    }
    fn min(self, other: Self) -> Self {
        Self::either(self.0.re.is_nan() || self.0.re < other.0.re, self, other)
    }
    fn is_finite(self) -> bool {
        self.0.re.is_finite() && self.0.eps.is_finite()
    }
}

impl Field for Carried {
    type Entry = Dual64;
    const PIVOT_TOLERANCE: Self = Self::fixed(f64::PIVOT_TOLERANCE);

    fn entry(self) -> Dual64 {
        Dual64::new(self.0.re, self.0.eps)
    }
    fn from_entry(entry: Dual64) -> Self {
        Self(Dual::new(entry.re, entry.eps))
    }
    fn equalizer(self) -> Self {
        Self::fixed(self.0.re.equalizer())
    }
}
