//! External functions that generated models call: as Rust items for compiled models, as closures for the
//! interpreter, and in jets for the oracle.

use ode_codegen::phases::expr::Partial;
use ode_codegen::phases::model::{External, Source};
use ode_runtime::{Dual, External as _, Pchip, Scalar};
use quote::ToTokens;
use syn::Expr;

use crate::jet::Jet;

/// Torque over speed.
pub const CURVE: [[f64; 2]; 5] = [[-2.0, 0.3], [-0.5, 0.8], [0.4, 1.1], [1.3, 0.7], [2.5, -0.4]];

/// A characteristic that rises all along.
pub const RISE: [[f64; 2]; 4] = [[-1.5, -1.0], [0.1, -0.2], [0.9, 0.5], [2.0, 2.2]];

/// Grip over slip.
pub fn grip<T: Scalar>(slip: T) -> T {
    (T::from_f64(1.5) * slip).tanh() - T::from_f64(0.1) * slip
}

/// A function of two numbers.
pub fn blend<T: Scalar>(x: T, y: T) -> T {
    (x * y).sin() + T::from_f64(0.3) * x * x * y
}

/// A function whose derivatives are given.
pub fn hill<T: Scalar>(x: T, y: T) -> T {
    x * x * y + T::from_f64(0.5) * y * y
}

/// ∂hill
pub fn hill_gradient<T: Scalar>(x: T, y: T) -> [T; 2] {
    [T::from_f64(2.0) * x * y, x * x + y]
}

/// ∂²hill
pub fn hill_hessian<T: Scalar>(x: T, y: T) -> [[T; 2]; 2] {
    let cross = T::from_f64(2.0) * x;
    [[T::from_f64(2.0) * y, cross], [cross, T::ONE]]
}

/// One of these functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the functions above")]
pub enum Function {
    Grip,
    Blend,
    Hill,
    Curve,
    Rise,
}

/// The function a declaration names.
pub fn find(source: &Source) -> Function {
    let path = match source {
        Source::Written { value: path, .. } | Source::Dual(path) | Source::Table(path) => path,
    };
    named(&path.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default())
}

/// The table a `pchip` names.
pub fn table(path: &Expr) -> Function {
    let text = path.to_token_stream().to_string();
    named(text.rsplit([':', ' ']).next().unwrap_or_default())
}

fn named(name: &str) -> Function {
    match name {
        "grip" => Function::Grip,
        "blend" => Function::Blend,
        "hill" => Function::Hill,
        "CURVE" => Function::Curve,
        "RISE" => Function::Rise,
        other => panic!("no function {other}"),
    }
}

impl Function {
    /// Its value in jets, written anew.
    pub fn jet(self, x: &[Jet]) -> Jet {
        match self {
            Function::Grip => (1.5 * &x[0]).tanh() - 0.1 * &x[0],
            Function::Blend => (&x[0] * &x[1]).sin() + 0.3 * &(x[0].square() * &x[1]),
            Function::Hill => x[0].square() * &x[1] + 0.5 * x[1].square(),
            Function::Curve => interpolated(&CURVE, &x[0]),
            Function::Rise => interpolated(&RISE, &x[0]),
        }
    }
}

/// The monotone cubic through points, by its definition: Hermite's basis with the slopes of Fritsch and Butland.
fn interpolated(points: &[[f64; 2]], x: &Jet) -> Jet {
    let n = points.len();
    let width: Vec<f64> = points.windows(2).map(|w| w[1][0] - w[0][0]).collect();
    let secant: Vec<f64> = points.windows(2).map(|w| (w[1][1] - w[0][1]) / (w[1][0] - w[0][0])).collect();
    let end = |h0: f64, h1: f64, s0: f64, s1: f64| {
        let d = ((2.0 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
        if d * s0 <= 0.0 {
            0.0
        } else if s0 * s1 < 0.0 && d.abs() > 3.0 * s0.abs() {
            3.0 * s0
        } else {
            d
        }
    };
    let slope = |k: usize| {
        if k == 0 {
            return end(width[0], width[1], secant[0], secant[1]);
        }
        if k == n - 1 {
            return end(width[n - 2], width[n - 3], secant[n - 2], secant[n - 3]);
        }
        if secant[k - 1] * secant[k] <= 0.0 {
            return 0.0;
        }
        let (w1, w2) = (2.0 * width[k] + width[k - 1], width[k] + 2.0 * width[k - 1]);
        (w1 + w2) / (w1 / secant[k - 1] + w2 / secant[k])
    };
    let tangent = |k: usize| points[k][1] + slope(k) * (x - &Jet::of(points[k][0]));
    if x.real() < points[0][0] {
        return tangent(0);
    }
    if x.real() >= points[n - 1][0] {
        return tangent(n - 1);
    }
    let k = (0..n - 1).rev().find(|&k| points[k][0] <= x.real()).unwrap_or(0);
    let h = width[k];
    let s = (1.0 / h) * (x - &Jet::of(points[k][0]));
    let (s2, s3) = (s.square(), s.square() * &s);
    let [y0, y1, d0, d1] = [points[k][1], points[k + 1][1], h * slope(k), h * slope(k + 1)];
    y0 * (1.0 - 3.0 * &s2 + 2.0 * &s3) + d0 * (&s - &(2.0 * &s2) + &s3) + y1 * (3.0 * &s2 - 2.0 * &s3) + d1 * (s3 - s2)
}

/// The value of what a program calls, as compiled code computes it on `f64`.
pub fn value(externals: &[External], partial: &Partial, x: &[f64]) -> f64 {
    let external = &externals[partial.external.index()];
    let orders: Vec<usize> = partial.orders.iter().map(|&n| usize::from(n)).collect();
    match find(&external.source) {
        Function::Curve => Pchip::new(CURVE).partial([x[0]], [orders[0]]),
        Function::Rise => Pchip::new(RISE).partial([x[0]], [orders[0]]),
        Function::Hill => {
            let by: Vec<usize> = (0..2).flat_map(|i| std::iter::repeat_n(i, orders[i])).collect();
            match by.as_slice() {
                [] => hill(x[0], x[1]),
                [i] => hill_gradient(x[0], x[1])[*i],
                [i, j] => hill_hessian(x[0], x[1])[*i][*j],
                _ => f64::NAN,
            }
        }
        // beyond what nested dual numbers are spelled out for here: right, but not to the bit
        function @ (Function::Grip | Function::Blend) if orders.iter().sum::<usize>() > 3 => {
            higher(function, x, &orders)
        }
        Function::Grip => nested(&|x| grip(x[0]), &|x| grip(x[0]), &|x| grip(x[0]), &|x| grip(x[0]), x, &orders),
        Function::Blend => nested(
            &|x| blend(x[0], x[1]),
            &|x| blend(x[0], x[1]),
            &|x| blend(x[0], x[1]),
            &|x| blend(x[0], x[1]),
            x,
            &orders,
        ),
    }
}

/// A derivative of any order, by jets.
fn higher(function: Function, x: &[f64], orders: &[usize]) -> f64 {
    let mut jets: Vec<Jet> = x.iter().map(|&x| Jet::of(x)).collect();
    let by: Vec<usize> = orders.iter().enumerate().flat_map(|(i, &n)| std::iter::repeat_n(i, n)).collect();
    for (depth, &i) in by.iter().enumerate() {
        jets[i] = Jet::along(&jets[i], &Jet::of(1.0), depth as u32);
    }
    let value = function.jet(&jets);
    (0..by.len()).rev().fold(value, |value, depth| value.slope(depth as u32)).real()
}

type D1 = Dual<f64>;
type D2 = Dual<D1>;
type D3 = Dual<D2>;

/// The derivative by dual numbers in dual numbers, seeded in the order of the arguments.
fn nested(
    f0: &dyn Fn(&[f64]) -> f64,
    f1: &dyn Fn(&[D1]) -> D1,
    f2: &dyn Fn(&[D2]) -> D2,
    f3: &dyn Fn(&[D3]) -> D3,
    x: &[f64],
    orders: &[usize],
) -> f64 {
    let by: Vec<usize> = orders.iter().enumerate().flat_map(|(i, &n)| std::iter::repeat_n(i, n)).collect();
    match by.as_slice() {
        [] => f0(x),
        [i] => f1(&seeded(x, *i)).eps,
        [i, j] => f2(&seeded(&seeded(x, *i), *j)).eps.eps,
        [i, j, k] => f3(&seeded(&seeded(&seeded(x, *i), *j), *k)).eps.eps.eps,
        _ => f64::NAN,
    }
}

fn seeded<T: Scalar>(x: &[T], by: usize) -> Vec<Dual<T>> {
    x.iter().enumerate().map(|(k, &x)| Dual::new(x, if k == by { T::ONE } else { T::ZERO })).collect()
}
