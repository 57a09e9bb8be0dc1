//! Forward-mode dual numbers: a value, and its derivative along one direction or several.
//!
//! Every rule is written out by hand, independently of the compiler's table of primitives: evaluating a model's
//! residual on `Dual` is the oracle against which its generated derivatives are tested.

use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::numbers::external::{External, raised};
use crate::numbers::scalar::Scalar;
use crate::numbers::slopes::Slopes;

/// re + eps ε with ε² = 0; `Dual<Dual<T>>` gives second derivatives, and `Dual<f64, F64x8>` varies along eight
/// directions at once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dual<T, E = T> {
    /// value
    pub re: T,
    /// derivative in the direction seeded, or in each of them
    pub eps: E,
}

impl<T: Scalar, E: Slopes<T>> Dual<T, E> {
    /// A variable: its derivative in the seeded direction is `eps`.
    pub const fn new(re: T, eps: E) -> Self {
        Self { re, eps }
    }

    /// A constant: derivative zero.
    pub const fn constant(re: T) -> Self {
        Self { re, eps: E::ZERO }
    }

    /// f(re) + f′(re) eps ε.
    #[inline]
    fn chain(self, value: T, slope: T) -> Self {
        Self { re: value, eps: scaled(slope, self.eps) }
    }
}

/// slope · eps, where what does not move has no derivative, however steep the slope: √ at 0 of a constant.
#[inline]
fn scaled<T: Scalar, E: Slopes<T>>(slope: T, eps: E) -> E {
    E::select(eps.is_zero(), E::ZERO, E::all(slope) * eps)
}

/// a x + b y
#[inline]
fn combined<T: Scalar, E: Slopes<T>>((a, x): (T, E), (b, y): (T, E)) -> E {
    x.multiply_add(E::all(a), E::all(b) * y)
}

impl<T: Scalar, E: Slopes<T>> Add for Dual<T, E> {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        Self { re: self.re + o.re, eps: self.eps + o.eps }
    }
}
impl<T: Scalar, E: Slopes<T>> Sub for Dual<T, E> {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        Self { re: self.re - o.re, eps: self.eps - o.eps }
    }
}
impl<T: Scalar, E: Slopes<T>> Mul for Dual<T, E> {
    type Output = Self;
    #[inline]
    fn mul(self, o: Self) -> Self {
        Self { re: self.re * o.re, eps: combined((o.re, self.eps), (self.re, o.eps)) }
    }
}
impl<T: Scalar, E: Slopes<T>> Div for Dual<T, E> {
    type Output = Self;
    #[inline]
    fn div(self, o: Self) -> Self {
        let re = self.re / o.re;
        Self { re, eps: (self.eps - E::all(re) * o.eps) / E::all(o.re) }
    }
}
impl<T: Scalar, E: Slopes<T>> Neg for Dual<T, E> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { re: -self.re, eps: -self.eps }
    }
}
impl<T: Scalar, E: Slopes<T>> AddAssign for Dual<T, E> {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl<T: Scalar, E: Slopes<T>> SubAssign for Dual<T, E> {
    #[inline]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}
impl<T: Scalar, E: Slopes<T>> MulAssign for Dual<T, E> {
    #[inline]
    fn mul_assign(&mut self, o: Self) {
        *self = *self * o;
    }
}

impl<T: Scalar, E: Slopes<T>> Scalar for Dual<T, E> {
    const ZERO: Self = Self::constant(T::ZERO);
    const ONE: Self = Self::constant(T::ONE);
    type Mask = T::Mask;

    fn from_f64(value: f64) -> Self {
        Self::constant(T::from_f64(value))
    }
    #[inline]
    fn multiply_add(self, factor: Self, addend: Self) -> Self {
        let eps = factor.eps.multiply_add(E::all(self.re), addend.eps);
        let eps = self.eps.multiply_add(E::all(factor.re), eps);
        Self { re: self.re.multiply_add(factor.re, addend.re), eps }
    }
    fn sqrt(self) -> Self {
        let root = self.re.sqrt();
        self.chain(root, T::from_f64(0.5) / root)
    }
    fn root(self) -> Self {
        let root = self.re.root();
        self.chain(root, T::from_f64(0.5) * root.recip_or_zero())
    }
    fn sin(self) -> Self {
        self.chain(self.re.sin(), self.re.cos())
    }
    fn cos(self) -> Self {
        self.chain(self.re.cos(), -self.re.sin())
    }
    fn sin_cos_each<const N: usize>(angles: [Self; N]) -> [[Self; N]; 2] {
        let [sines, cosines] = T::sin_cos_each(angles.map(|angle| angle.re));
        [
            core::array::from_fn(|i| angles[i].chain(sines[i], cosines[i])),
            core::array::from_fn(|i| angles[i].chain(cosines[i], -sines[i])),
        ]
    }
    fn tan(self) -> Self {
        let tan = self.re.tan();
        self.chain(tan, T::ONE + tan * tan)
    }
    fn asin(self) -> Self {
        self.chain(self.re.asin(), (T::ONE - self.re * self.re).sqrt().recip())
    }
    fn acos(self) -> Self {
        self.chain(self.re.acos(), -(T::ONE - self.re * self.re).sqrt().recip())
    }
    fn atan(self) -> Self {
        self.chain(self.re.atan(), (T::ONE + self.re * self.re).recip())
    }
    fn atan2(self, x: Self) -> Self {
        let square = self.re * self.re + x.re * x.re;
        let eps = combined((x.re, self.eps), (-self.re, x.eps)) / E::all(square);
        Self { re: self.re.atan2(x.re), eps }
    }
    fn wrap(self) -> Self {
        Self { re: self.re.wrap(), eps: self.eps }
    }
    fn sinh(self) -> Self {
        self.chain(self.re.sinh(), self.re.cosh())
    }
    fn cosh(self) -> Self {
        self.chain(self.re.cosh(), self.re.sinh())
    }
    fn tanh(self) -> Self {
        let tanh = self.re.tanh();
        self.chain(tanh, T::ONE - tanh * tanh)
    }
    fn exp(self) -> Self {
        let exp = self.re.exp();
        self.chain(exp, exp)
    }
    fn ln(self) -> Self {
        self.chain(self.re.ln(), self.re.recip())
    }
    fn recip(self) -> Self {
        let recip = self.re.recip();
        self.chain(recip, -(recip * recip))
    }
    fn recip_or_zero(self) -> Self {
        let recip = self.re.recip_or_zero();
        self.chain(recip, -(recip * recip))
    }
    fn powi(self, n: i32) -> Self {
        // x⁰ is constant; the general rule would ask for 0 · x⁻¹ and give NaN at 0.
        let slope = if n == 0 { T::ZERO } else { T::from_f64(f64::from(n)) * self.re.powi(n - 1) };
        self.chain(self.re.powi(n), slope)
    }
    fn powf(self, p: Self) -> Self {
        let value = self.re.powf(p.re);
        let base = scaled(p.re * self.re.powf(p.re - T::ONE), self.eps);
        // x^p vanishes at 0 faster than ln x grows, and has no value below.
        let exponent = E::choose(T::ZERO.lt(self.re), E::all(value * self.re.ln()) * p.eps, E::ZERO);
        Self { re: value, eps: base + exponent }
    }
    fn hypot(self, y: Self) -> Self {
        let norm = self.re.hypot(y.re);
        let eps = combined((self.re, self.eps), (y.re, y.eps)) * E::all(norm.recip_or_zero());
        Self { re: norm, eps }
    }
    fn arc_over_sine(self, n: u32) -> Self {
        self.chain(self.re.arc_over_sine(n), self.re.arc_over_sine(n + 1))
    }
    fn stumpff(self, n: u32) -> Self {
        let slope = T::from_f64(f64::from(n)) * self.re.stumpff(n + 2) - self.re.stumpff(n + 1);
        self.chain(self.re.stumpff(n), T::from_f64(0.5) * slope)
    }
    fn lt(self, other: Self) -> Self::Mask {
        self.re.lt(other.re)
    }
    fn le(self, other: Self) -> Self::Mask {
        self.re.le(other.re)
    }
    fn mask_and(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        T::mask_and(a, b)
    }
    fn mask_or(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        T::mask_or(a, b)
    }
    fn mask_not(a: Self::Mask) -> Self::Mask {
        T::mask_not(a)
    }
    fn is_zero(self) -> Self::Mask {
        T::mask_and(self.re.is_zero(), self.eps.vanishes())
    }
    fn extend<const N: usize>(x: [Self; N], f: &impl External<N>, orders: [usize; N]) -> Self {
        let at = x.map(|x| x.re);
        let mut eps = E::ZERO;
        for (i, x) in x.iter().enumerate() {
            eps += scaled(T::extend(at, f, raised(orders, i)), x.eps);
        }
        Self { re: T::extend(at, f, orders), eps }
    }
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
        Self { re: T::select(mask, a.re, b.re), eps: E::choose(mask, a.eps, b.eps) }
    }
}
