//! Numbers of twice the digits, for references: sums of two f64 that do not overlap.
//!
//! References: T. J. Dekker, A floating-point technique for extending the available precision, Numer. Math. 18 (1971)
//! 224–242; D. E. Knuth, The Art of Computer Programming 2, §4.2.2.

#![allow(dead_code, reason = "each binary uses its part")]

use std::ops::{Add, Div, Mul, Neg, Sub};

use ode_runtime::{Forward, Solvable};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twofold(pub f64, pub f64);

fn sum(a: f64, b: f64) -> Twofold {
    let s = a + b;
    let t = s - a;
    Twofold(s, (a - (s - t)) + (b - t))
}

impl From<f64> for Twofold {
    fn from(x: f64) -> Self {
        Self(x, 0.0)
    }
}
impl Add for Twofold {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (high, low) = (sum(self.0, other.0), sum(self.1, other.1));
        let first = sum(high.0, high.1 + low.0);
        sum(first.0, first.1 + low.1)
    }
}
impl Neg for Twofold {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}
impl Sub for Twofold {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}
impl Mul for Twofold {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = self.0 * other.0;
        let rest = self.0.mul_add(other.0, -product);
        sum(product, rest + (self.0 * other.1 + self.1 * other.0))
    }
}
impl Div for Twofold {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = Self::from(self.0 / other.0);
        let rest = self - first * other;
        let second = Self::from(rest.0 / other.0);
        let rest = rest - second * other;
        first + second + Self::from(rest.0 / other.0)
    }
}

/// A x = b by elimination with full pivoting.
pub fn solve(mut a: Vec<Vec<Twofold>>, mut b: Vec<Twofold>) -> Vec<f64> {
    let n = b.len();
    let mut order: Vec<usize> = (0..n).collect();
    for k in 0..n {
        let places = (k..n).flat_map(|r| (k..n).map(move |c| (r, c)));
        let size = |(r, c): (usize, usize)| a[r][c].0.abs();
        let (r, c) = places.max_by(|&one, &two| size(one).total_cmp(&size(two))).expect("a pivot");
        a.swap(k, r);
        b.swap(k, r);
        a.iter_mut().for_each(|row| row.swap(k, c));
        order.swap(k, c);
        for r in k + 1..n {
            let factor = a[r][k] / a[k][k];
            for c in k..n {
                a[r][c] = a[r][c] - factor * a[k][c];
            }
            b[r] = b[r] - factor * b[k];
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        b[k] = b[k] / a[k][k];
        for r in 0..k {
            b[r] = b[r] - a[r][k] * b[k];
        }
        x[order[k]] = b[k].0;
    }
    x
}

/// (a, λ) of M a = f + Gᵀ λ, G a + γ = 0 with the numbers of `forward`.
pub fn accelerations<S: Solvable<Real = f64>>(system: &S, forward: &Forward<S>) -> Vec<f64> {
    let layout = system.layout();
    let (nv, nc) = (layout.v.len(), layout.constraints.len());
    let mut a = vec![vec![Twofold::default(); nv + nc]; nv + nc];
    for ((r, c), &m) in layout.mass.entries().zip(forward.mass.as_ref()) {
        (a[r][c], a[c][r]) = (m.into(), m.into());
    }
    for ((r, c), &g) in layout.jacobian.entries().zip(forward.jacobian.as_ref()) {
        (a[nv + r][c], a[c][nv + r]) = (g.into(), (-g).into());
    }
    let force = forward.force.as_ref().iter().map(|&f| f.into());
    let b = force.chain(forward.gamma.as_ref().iter().map(|&g| (-g).into()));
    solve(a, b.collect())
}

/// The largest |G a + γ| of a row against |γ| + Σ |G| (|a| + |f|/m), of a diagonal M.
pub fn violation<S: Solvable<Real = f64>>(system: &S, forward: &Forward<S>, a: &[f64]) -> f64 {
    let layout = system.layout();
    let mut worst: f64 = 0.0;
    for (row, &gamma) in forward.gamma.as_ref().iter().enumerate() {
        let (mut left, mut size) = (Twofold::from(gamma), gamma.abs());
        for ((r, c), &g) in layout.jacobian.entries().zip(forward.jacobian.as_ref()) {
            if r == row {
                left = left + Twofold::from(g) * a[c].into();
                let own = layout.mass.entries().position(|place| place == (c, c)).expect("a mass");
                size += g.abs() * (a[c].abs() + (forward.force.as_ref()[c] / forward.mass.as_ref()[own]).abs());
            }
        }
        worst = worst.max(left.0.abs() / size);
    }
    worst
}
