//! Several right-hand sides side by side: what is done to one is done to all, in the registers of a vector unit.

use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::numbers::scalar::Scalar;

/// How many stand side by side: a register of AVX-512, four of SSE2.
pub const LANES: usize = 8;

/// A number of each of several right-hand sides. It never straddles two lines of a cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub struct Lanes<T>(pub [T; LANES]);

/// A block of them, to write.
pub type LanesMut<'a, T> = &'a mut [Lanes<T>];

impl<T: Scalar> Lanes<T> {
    /// 0 in all.
    pub const ZERO: Self = Self([T::ZERO; LANES]);

    /// The same number in all.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn splat(value: T) -> Self {
        Self([value; LANES])
    }

    /// self · factor + addend, each as [`Scalar::multiply_add`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[must_use]
    pub fn multiply_add(self, factor: Self, addend: Self) -> Self {
        Self(core::array::from_fn(|k| self.0[k].multiply_add(factor.0[k], addend.0[k])))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zip(self, other: Self, f: impl Fn(T, T) -> T) -> Self {
        Self(core::array::from_fn(|k| f(self.0[k], other.0[k])))
    }
}

impl<T: Scalar> PartialEq for Lanes<T> {
    /// Of all lanes, without a branch for each.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).fold(true, |all, (a, b)| all & (a == b))
    }
}

impl<T: Scalar> Add for Lanes<T> {
    type Output = Self;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl<T: Scalar> Sub for Lanes<T> {
    type Output = Self;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl<T: Scalar> Mul for Lanes<T> {
    type Output = Self;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
}

impl<T: Scalar> Mul<T> for Lanes<T> {
    type Output = Self;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul(self, factor: T) -> Self {
        Self(self.0.map(|a| a * factor))
    }
}

impl<T: Scalar> Neg for Lanes<T> {
    type Output = Self;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn neg(self) -> Self {
        Self(self.0.map(|a| -a))
    }
}

impl<T: Scalar> AddAssign for Lanes<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<T: Scalar> SubAssign for Lanes<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// What is scaled by a number and added: numbers of one right-hand side, or of several.
pub(crate) trait Addend<T>: Copy + Default + PartialEq {
    /// self + x · factor
    #[must_use]
    fn plus(self, x: Self, factor: T) -> Self;
}

impl<T: Scalar> Addend<T> for T {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn plus(self, x: T, factor: T) -> T {
        x.multiply_add(factor, self)
    }
}

impl<T: Scalar> Addend<T> for Lanes<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn plus(self, x: Self, factor: T) -> Self {
        x.multiply_add(Self::splat(factor), self)
    }
}

/// Puts columns side by side, up to [`LANES`] of them. Lanes that are left repeat the last: nobody reads them, and they
/// are as finite as the others.
#[inline]
pub(crate) fn gather<T: Scalar, C: AsRef<[T]>>(columns: &[C], to: &mut [Lanes<T>]) {
    let Some(last) = columns.last().filter(|_| size_of::<C>() > 0) else { return };
    let columns: [&[T]; LANES] = core::array::from_fn(|k| columns.get(k).unwrap_or(last).as_ref());
    let count = columns.iter().fold(to.len(), |count, column| count.min(column.len()));
    for (i, to) in to.iter_mut().enumerate().take(count) {
        *to = Lanes(core::array::from_fn(|k| columns[k][i]));
    }
}

/// Takes columns apart that stand side by side, up to [`LANES`] of them.
#[inline]
pub(crate) fn scatter<T: Scalar, C: AsMut<[T]>>(from: &[Lanes<T>], columns: &mut [C]) {
    for (k, column) in columns.iter_mut().enumerate().take(LANES) {
        for (to, from) in column.as_mut().iter_mut().zip(from) {
            *to = from.0[k];
        }
    }
}

/// Not finite if any entry is not: in partial sums, because a single one would wait for each addition.
#[inline]
pub(crate) fn sum<T: Scalar>(values: &[T]) -> T {
    let (groups, rest) = values.as_chunks::<LANES>();
    let rest = rest.iter().fold(T::ZERO, |sum, &x| sum + x);
    let sums = groups.iter().fold(Lanes::ZERO, |sums, &group| sums + Lanes(group));
    let [a, b, c, d, e, f, g, h] = sums.0;
    (((a + e) + (c + g)) + ((b + f) + (d + h))) + rest
}

/// Σ aᵢ xᵢ in four partial sums, because a single one would wait for each addition.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn dot<T: Scalar>(a: &[T], x: &[Lanes<T>]) -> Lanes<T> {
    let ((a, rest_a), (x, rest_x)) = (a.as_chunks::<4>(), x.as_chunks::<4>());
    let mut sums = [Lanes::ZERO; 4];
    for (a, x) in a.iter().zip(x) {
        for i in 0..4 {
            sums[i] += x[i] * a[i];
        }
    }
    let rest = rest_a.iter().zip(rest_x).fold(Lanes::ZERO, |sum, (&a, &x)| sum + x * a);
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// Solves for one lane after the other.
#[inline]
pub(crate) fn one_by_one<T: Scalar, const N: usize>(x: &mut [Lanes<T>; N], solve: impl Fn(&mut [T; N])) {
    for k in 0..LANES {
        let mut one: [T; N] = core::array::from_fn(|i| x[i].0[k]);
        solve(&mut one);
        for (x, one) in x.iter_mut().zip(one) {
            x.0[k] = one;
        }
    }
}
