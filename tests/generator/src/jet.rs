//! Numbers with infinitesimals εₖ, εₖ² = 0: dual numbers nested as deep as a derivative asks for.
//!
//! A number of depth k is a pair of numbers of depth k − 1, its value and its derivative along εₖ. Depth is data, not
//! a type, so that a function which takes derivatives may be differentiated in turn. What is constant has depth 0 and
//! costs nothing.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number with the 2ᵏ products of its infinitesimals; the last half is the derivative along the last of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Jet(Parts);

/// Up to eight numbers in place, more on the heap: most numbers are shallow, and there are very many.
#[derive(Clone, Debug, PartialEq)]
enum Parts {
    Few(u8, [f64; 8]),
    Many(Vec<f64>),
}

impl Parts {
    fn zeros(n: usize) -> Self {
        if n <= 8 { Parts::Few(n as u8, [0.0; 8]) } else { Parts::Many(vec![0.0; n]) }
    }

    fn of(values: &[f64]) -> Self {
        let mut parts = Self::zeros(values.len());
        parts.copy_from_slice(values);
        parts
    }
}

impl std::ops::Deref for Parts {
    type Target = [f64];
    fn deref(&self) -> &[f64] {
        match self {
            Parts::Few(n, values) => &values[..usize::from(*n)],
            Parts::Many(values) => values,
        }
    }
}

impl std::ops::DerefMut for Parts {
    fn deref_mut(&mut self) -> &mut [f64] {
        match self {
            Parts::Few(n, values) => &mut values[..usize::from(*n)],
            Parts::Many(values) => values,
        }
    }
}

impl Jet {
    /// A number without infinitesimals.
    pub fn of(x: f64) -> Self {
        Self(Parts::of(&[x]))
    }

    /// Its real part.
    pub fn real(&self) -> f64 {
        self.0[0]
    }

    /// Its depth.
    fn depth(&self) -> u32 {
        self.0.len().trailing_zeros()
    }

    /// `value + ε slope`, where ε is the infinitesimal number `depth`, from 0.
    pub fn along(value: &Jet, slope: &Jet, depth: u32) -> Self {
        let half = 1 << depth;
        let mut parts = Parts::zeros(2 * half);
        parts[..value.0.len()].copy_from_slice(&value.0);
        parts[half..half + slope.0.len()].copy_from_slice(&slope.0);
        Self(parts)
    }

    /// The derivative along the infinitesimal number `depth`, the last one there is.
    pub fn slope(&self, depth: u32) -> Self {
        let half = 1 << depth;
        if self.0.len() <= half { Self::of(0.0) } else { Self(Parts::of(&self.0[half..])) }
    }

    /// What is left without the infinitesimal number `depth`, the last one there is.
    pub fn value(&self, depth: u32) -> Self {
        Self(Parts::of(&self.0[..self.0.len().min(1 << depth)]))
    }

    fn halves(&self) -> (Self, Self) {
        let depth = self.depth() - 1;
        (self.value(depth), self.slope(depth))
    }

    /// A function by its value and its derivative, itself a function of such numbers.
    pub fn map(&self, f: &dyn Fn(f64) -> f64, slope: &dyn Fn(&Jet) -> Jet) -> Self {
        if self.0.len() == 1 {
            return Self::of(f(self.0[0]));
        }
        let (value, along) = self.halves();
        Self::along(&value.map(f, slope), &(slope(&value) * along), self.depth() - 1)
    }

    /// sin x
    pub fn sin(&self) -> Self {
        self.map(&f64::sin, &Jet::cos)
    }
    /// cos x
    pub fn cos(&self) -> Self {
        self.map(&f64::cos, &|x| -x.sin())
    }
    /// tan x
    pub fn tan(&self) -> Self {
        self.map(&f64::tan, &|x| x.cos().square().recip())
    }
    /// arc sine
    pub fn asin(&self) -> Self {
        self.map(&f64::asin, &|x| (1.0 - x.square()).sqrt().recip())
    }
    /// arc cosine
    pub fn acos(&self) -> Self {
        self.map(&f64::acos, &|x| -(1.0 - x.square()).sqrt().recip())
    }
    /// arc tangent
    pub fn atan(&self) -> Self {
        self.map(&f64::atan, &|x| (1.0 + x.square()).recip())
    }
    /// sinh x
    pub fn sinh(&self) -> Self {
        self.map(&f64::sinh, &Jet::cosh)
    }
    /// cosh x
    pub fn cosh(&self) -> Self {
        self.map(&f64::cosh, &Jet::sinh)
    }
    /// tanh x
    pub fn tanh(&self) -> Self {
        self.map(&f64::tanh, &|x| x.cosh().square().recip())
    }
    /// eˣ
    pub fn exp(&self) -> Self {
        self.map(&f64::exp, &Jet::exp)
    }
    /// natural logarithm
    pub fn ln(&self) -> Self {
        self.map(&f64::ln, &Jet::recip)
    }
    /// √x
    pub fn sqrt(&self) -> Self {
        self.map(&f64::sqrt, &|x| 0.5 * x.sqrt().recip())
    }
    /// 1/x
    pub fn recip(&self) -> Self {
        self.map(&|x| 1.0 / x, &|x| -x.square().recip())
    }
    /// x²
    pub fn square(&self) -> Self {
        self * self
    }

    /// xᵖ for a constant p.
    pub fn power(&self, p: f64) -> Self {
        if p == 0.0 {
            return Self::of(1.0);
        }
        self.map(&|x| x.powf(p), &|x| p * x.power(p - 1.0))
    }

    /// The angle of (x, y) from the axis of x.
    pub fn atan2(y: &Jet, x: &Jet) -> Self {
        let depth = y.depth().max(x.depth());
        if depth == 0 {
            return Self::of(y.real().atan2(x.real()));
        }
        let last = depth - 1;
        let (y0, x0) = (y.value(last), x.value(last));
        let turn = &x0 * &y.slope(last) - &y0 * &x.slope(last);
        let slope = turn * (x0.square() + y0.square()).recip();
        Self::along(&Self::atan2(&y0, &x0), &slope, last)
    }
}

fn sum(a: &Jet, b: &Jet, sign: f64) -> Jet {
    let mut out = Parts::zeros(a.0.len().max(b.0.len()));
    out[..a.0.len()].copy_from_slice(&a.0);
    for (out, b) in out.iter_mut().zip(b.0.iter()) {
        *out += sign * b;
    }
    Jet(out)
}

/// Every product of parts without a common infinitesimal.
fn product(a: &[f64], b: &[f64], out: &mut [f64]) {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    if let [factor] = short {
        for (out, x) in out.iter_mut().zip(long) {
            *out += factor * x;
        }
        return;
    }
    let half = long.len() / 2;
    let (low, high) = out.split_at_mut(half);
    if short.len() <= half {
        product(&long[..half], short, low);
        product(&long[half..], short, high);
    } else {
        product(&long[..half], &short[..half], low);
        product(&long[half..], &short[..half], high);
        product(&long[..half], &short[half..], high);
    }
}

impl Add for &Jet {
    type Output = Jet;
    fn add(self, other: &Jet) -> Jet {
        sum(self, other, 1.0)
    }
}

impl Sub for &Jet {
    type Output = Jet;
    fn sub(self, other: &Jet) -> Jet {
        sum(self, other, -1.0)
    }
}

impl Mul for &Jet {
    type Output = Jet;
    fn mul(self, other: &Jet) -> Jet {
        let mut out = Parts::zeros(self.0.len().max(other.0.len()));
        product(&self.0, &other.0, &mut out);
        Jet(out)
    }
}

impl Div for &Jet {
    type Output = Jet;
    #[allow(clippy::suspicious_arithmetic_impl, reason = "a quotient is a product with the reciprocal")]
    fn div(self, other: &Jet) -> Jet {
        self * &other.recip()
    }
}

macro_rules! owned {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait<Jet> for Jet {
            type Output = Jet;
            fn $method(self, other: Jet) -> Jet {
                $trait::$method(&self, &other)
            }
        }
        impl $trait<Jet> for f64 {
            type Output = Jet;
            fn $method(self, other: Jet) -> Jet {
                $trait::$method(&Jet::of(self), &other)
            }
        }
    )*};
}
owned!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Jet {
    type Output = Jet;
    fn neg(self) -> Jet {
        -1.0 * self
    }
}

impl std::iter::Sum for Jet {
    fn sum<I: Iterator<Item = Jet>>(terms: I) -> Jet {
        terms.fold(Jet::of(0.0), |a, b| a + b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// d²/dx² and d³/dx³ of compositions, against their closed forms.
    #[test]
    fn derivatives_of_derivatives_are_those_of_closed_forms() {
        let x = 0.7_f64;
        let mut jet = Jet::of(x);
        for depth in 0..3 {
            jet = Jet::along(&jet, &Jet::of(1.0), depth);
        }
        let third = |y: Jet| y.slope(2).slope(1).slope(0).real();
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12 * b.abs().max(1.0), "{a} is not {b}");
        close(third(jet.sin()), -x.cos());
        close(third(jet.exp()), x.exp());
        close(third(jet.ln()), 2.0 / x.powi(3));
        close(third(jet.power(2.5)), 2.5 * 1.5 * 0.5 * x.powf(-0.5));
        close(third(&jet.square() * &jet), 6.0);
        close(third(Jet::atan2(&jet, &Jet::of(1.0))), third(jet.atan()));
        close(third(jet.tan()), {
            let t = x.tan();
            (2.0 + 6.0 * t * t) * (1.0 + t * t)
        });
    }
}
