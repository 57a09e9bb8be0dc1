//! The primitives, one row each: name, arity, value, derivative, spelling and domain stand together.
//!
//! A primitive is differentiable because it has a row here, and only because of that. The other functions of the
//! language are composed of primitives (`check/read/functions`) and need no row.

use super::graph::{Graph, Node};

/// A primitive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each is the function of its name; the table says the rest")]
pub enum Function {
    Neg,
    Add,
    Sub,
    Mul,
    Recip,
    Square,
    Sqrt,
    /// √ of a sum of squares: a length, whose gradient at zero is zero
    Root,
    /// 1/x, and 0 at 0
    RecipOrZero,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Ln,
    Atan2,
    Hypot,
    Powf,
    /// Stumpff's cₙ(s) = Σ (−s)ᵏ/(n + 2k)!, a function of s; the second argument is the number n
    Stumpff,
    /// the n-th derivative of θ/sin θ by w = cos θ, a function of w; the second argument is the number n
    ArcOverSine,
}

/// How Rust code spells a primitive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// `-a`
    Prefix(&'static str),
    /// `a + b`
    Infix(&'static str),
    /// `Scalar::name(a, ..)`
    Call(&'static str),
    /// `Scalar::name(a, n)`: the second argument is a whole number known at compile time
    Indexed(&'static str),
}

/// ∂f/∂(argument `wrt`) at the arguments `x` (the first twice, for one argument), where f(x) = `y`.
pub type Derivative = fn(g: &mut Graph, x: [Node; 2], y: Node, wrt: usize) -> Node;

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// the primitive
    pub function: Function,
    /// number of arguments
    pub arity: usize,
    /// how Rust spells it
    pub spelling: Spelling,
    /// its value; one argument comes twice
    pub value: fn(f64, f64) -> f64,
    /// its partial derivatives
    pub derivative: Derivative,
    /// an interval on which every argument is regular, for property tests
    pub domain: (f64, f64),
}

/// The table, in the order of [`Function`].
pub type Rules = [Rule; 25];

impl Function {
    /// The row of this primitive.
    pub fn rule(self) -> &'static Rule {
        &RULES[self as usize]
    }
}

const fn row(
    function: Function,
    arity: usize,
    spelling: Spelling,
    domain: (f64, f64),
    value: fn(f64, f64) -> f64,
    derivative: Derivative,
) -> Rule {
    Rule { function, arity, spelling, value, derivative, domain }
}

use Function as F;
use Spelling::{Call, Indexed, Infix, Prefix};

/// All primitives.
pub const RULES: Rules = [
    row(F::Neg, 1, Prefix("-"), (-2.0, 2.0), |a, _| -a, |g, _, _, _| g.constant(-1.0)),
    row(F::Add, 2, Infix("+"), (-2.0, 2.0), |a, b| a + b, |g, _, _, _| g.constant(1.0)),
    row(F::Sub, 2, Infix("-"), (-2.0, 2.0), |a, b| a - b, |g, _, _, i| g.constant([1.0, -1.0][i])),
    row(F::Mul, 2, Infix("*"), (-2.0, 2.0), |a, b| a * b, |_, x, _, i| x[1 - i]),
    row(
        F::Recip,
        1,
        Call("recip"),
        (0.5, 2.0),
        |a, _| 1.0 / a,
        |g, _, y, _| {
            let yy = g.square(y);
            g.neg(yy)
        },
    ),
    row(F::Square, 1, Call("square"), (-2.0, 2.0), |a, _| a * a, |g, x, _, _| g.scale(2.0, x[0])),
    row(
        F::Sqrt,
        1,
        Call("sqrt"),
        (0.5, 2.0),
        |a, _| a.sqrt(),
        |g, _, y, _| {
            let r = g.recip(y);
            g.scale(0.5, r)
        },
    ),
    row(
        F::Root,
        1,
        Call("root"),
        (0.5, 2.0),
        |a, _| a.sqrt(),
        |g, _, y, _| {
            let r = g.apply(F::RecipOrZero, &[y]);
            g.scale(0.5, r)
        },
    ),
    row(
        F::RecipOrZero,
        1,
        Call("recip_or_zero"),
        (0.5, 2.0),
        |a, _| if a == 0.0 { 0.0 } else { 1.0 / a },
        |g, _, y, _| {
            let yy = g.square(y);
            g.neg(yy)
        },
    ),
    row(F::Sin, 1, Call("sin"), (-2.0, 2.0), |a, _| a.sin(), |g, x, _, _| g.apply(F::Cos, &[x[0]])),
    row(
        F::Cos,
        1,
        Call("cos"),
        (-2.0, 2.0),
        |a, _| a.cos(),
        |g, x, _, _| {
            let s = g.apply(F::Sin, &[x[0]]);
            g.neg(s)
        },
    ),
    row(
        F::Tan,
        1,
        Call("tan"),
        (-1.2, 1.2),
        |a, _| a.tan(),
        |g, _, y, _| {
            let yy = g.square(y);
            let one = g.constant(1.0);
            g.add(one, yy)
        },
    ),
    row(
        F::Asin,
        1,
        Call("asin"),
        (-0.9, 0.9),
        |a, _| a.asin(),
        |g, x, _, _| one_over_root_of_one_minus_square(g, x[0]),
    ),
    row(
        F::Acos,
        1,
        Call("acos"),
        (-0.9, 0.9),
        |a, _| a.acos(),
        |g, x, _, _| {
            let d = one_over_root_of_one_minus_square(g, x[0]);
            g.neg(d)
        },
    ),
    row(
        F::Atan,
        1,
        Call("atan"),
        (-2.0, 2.0),
        |a, _| a.atan(),
        |g, x, _, _| {
            let xx = g.square(x[0]);
            let one = g.constant(1.0);
            let d = g.add(one, xx);
            g.recip(d)
        },
    ),
    row(F::Sinh, 1, Call("sinh"), (-2.0, 2.0), |a, _| a.sinh(), |g, x, _, _| g.apply(F::Cosh, &[x[0]])),
    row(F::Cosh, 1, Call("cosh"), (-2.0, 2.0), |a, _| a.cosh(), |g, x, _, _| g.apply(F::Sinh, &[x[0]])),
    row(
        F::Tanh,
        1,
        Call("tanh"),
        (-2.0, 2.0),
        |a, _| a.tanh(),
        |g, _, y, _| {
            let yy = g.square(y);
            let one = g.constant(1.0);
            g.sub(one, yy)
        },
    ),
    row(F::Exp, 1, Call("exp"), (-2.0, 2.0), |a, _| a.exp(), |_, _, y, _| y),
    row(F::Ln, 1, Call("ln"), (0.5, 2.0), |a, _| a.ln(), |g, x, _, _| g.recip(x[0])),
    // atan2(y, x): (x, −y) / (x² + y²)
    row(
        F::Atan2,
        2,
        Call("atan2"),
        (0.5, 2.0),
        |a, b| a.atan2(b),
        |g, x, _, i| {
            let (aa, bb) = (g.square(x[0]), g.square(x[1]));
            let n = g.add(aa, bb);
            let other = g.div(x[1 - i], n);
            if i == 0 { other } else { g.neg(other) }
        },
    ),
    row(F::Hypot, 2, Call("hypot"), (0.5, 2.0), f64::hypot, |g, x, y, i| {
        let r = g.apply(F::RecipOrZero, &[y]);
        g.mul(x[i], r)
    }),
    // a^b: b a^(b−1), and a^b ln a
    row(F::Powf, 2, Call("powf"), (0.5, 2.0), f64::powf, |g, x, y, i| {
        if i == 0 {
            let one = g.constant(1.0);
            let less = g.sub(x[1], one);
            let power = g.apply(F::Powf, &[x[0], less]);
            g.mul(x[1], power)
        } else {
            // 0 at a = 0, where a^b vanishes faster than ln a grows
            let ln = g.apply(F::Ln, &[x[0]]);
            let slope = g.mul(y, ln);
            let zero = g.constant(0.0);
            let positive = g.less(zero, x[0]);
            g.select(positive, slope, zero)
        }
    }),
    // dcₙ/ds = ½ (n cₙ₊₂ − cₙ₊₁)
    row(F::Stumpff, 2, Indexed("stumpff"), (0.5, 2.0), stumpff, |g, x, _, i| {
        let n = g.value(x[1]).unwrap_or(0.0);
        if i == 1 {
            return g.constant(0.0);
        }
        let [one, two] = [1.0, 2.0].map(|more| {
            let order = g.constant(n + more);
            g.apply(F::Stumpff, &[x[0], order])
        });
        let more = g.scale(n, two);
        let twice = g.sub(more, one);
        g.scale(0.5, twice)
    }),
    row(F::ArcOverSine, 2, Indexed("arc_over_sine"), (0.5, 2.0), arc_over_sine, |g, x, _, i| {
        if i == 1 {
            return g.constant(0.0);
        }
        let n = g.value(x[1]).unwrap_or(0.0);
        let next = g.constant(n + 1.0);
        g.apply(F::ArcOverSine, &[x[0], next])
    }),
];

/// The n-th derivative of ₂F₁(1, 1; 3/2; (1 − w)/2) = θ/sin θ with w = cos θ, by its series: enough of it for w ≥ −1/2.
fn arc_over_sine(w: f64, n: f64) -> f64 {
    let (y, n) = (0.5 * (1.0 - w), n.round().max(0.0));
    let mut term = (0..n as u32).fold(1.0, |c, k| {
        let k = f64::from(k);
        -0.5 * c * (1.0 + k) * (1.0 + k) / (1.5 + k)
    });
    let mut sum = term;
    for k in (0..256).map(f64::from) {
        term *= y * (1.0 + n + k) * (1.0 + n + k) / ((1.5 + n + k) * (1.0 + k));
        sum += term;
    }
    sum
}

/// cₙ(s) by its series where that loses nothing, by sine and cosine and cₙ₊₂ = (1/n! − cₙ)/s beyond.
fn stumpff(s: f64, n: f64) -> f64 {
    let n = n.round().max(0.0) as u32;
    let factorial = |n: u32| (1..=n).fold(1.0, |p, k| p * f64::from(k));
    if s.abs() < 4.0 {
        let mut term = factorial(n).recip();
        let mut sum = term;
        for k in 1..20 {
            term *= -s / f64::from((n + 2 * k - 1) * (n + 2 * k));
            sum += term;
        }
        return sum;
    }
    let root = s.sqrt();
    let mut c = if n.is_multiple_of(2) { root.cos() } else { root.sin() / root };
    for order in (n % 2..n).step_by(2) {
        c = (factorial(order).recip() - c) / s;
    }
    c
}

fn one_over_root_of_one_minus_square(g: &mut Graph, x: Node) -> Node {
    let xx = g.square(x);
    let one = g.constant(1.0);
    let rest = g.sub(one, xx);
    let root = g.apply(F::Sqrt, &[rest]);
    g.recip(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_functions() {
        for (i, rule) in RULES.iter().enumerate() {
            assert_eq!(rule.function as usize, i, "{:?}", rule.function);
        }
    }

    #[test]
    fn stumpffs_functions_are_those_of_sine_and_cosine() {
        for s in [1e-9, 0.3, 3.999, 4.001, 30.0] {
            let root = f64::sqrt(s);
            assert!((stumpff(s, 0.0) - root.cos()).abs() < 1e-14);
            assert!((stumpff(s, 1.0) - root.sin() / root).abs() < 1e-14);
            assert!((stumpff(s, 2.0) - 2.0 * (root / 2.0).sin().powi(2) / s).abs() < 1e-14);
            assert!((stumpff(s, 3.0) * s - (1.0 - root.sin() / root)).abs() < 1e-14);
        }
    }

    #[test]
    fn an_arc_over_its_sine_is_that() {
        for angle in [1e-8, 0.3, 1.2, 1.6] {
            assert!((arc_over_sine(f64::cos(angle), 0.0) - angle / angle.sin()).abs() < 1e-14);
        }
        // (w L − 1)/(1 − w²)
        let (w, l) = (0.4f64, 0.4f64.acos() / 0.84f64.sqrt());
        assert!((arc_over_sine(w, 1.0) - (w * l - 1.0) / 0.84).abs() < 1e-14);
    }

    /// Each rule against a central difference of its own value, at points of its domain.
    #[test]
    fn every_derivative_agrees_with_a_central_difference() {
        for rule in &RULES {
            for k in 1..8 {
                let (lo, hi) = rule.domain;
                let at = |f: f64| lo + (hi - lo) * f;
                let x = [at(f64::from(k) / 8.0), at(f64::from((3 * k) % 8) / 8.0 + 0.03)];
                let indexed = matches!(rule.spelling, Indexed(_));
                let x = if indexed { [x[0], f64::from(k % 4)] } else { x };
                for wrt in 0..if indexed { 1 } else { rule.arity } {
                    let mut g = Graph::new();
                    let mut args = [0, 1].map(|i| g.symbol(super::super::Symbol::P(i)));
                    if indexed {
                        args[1] = g.constant(x[1]);
                    }
                    let y = g.apply(rule.function, &args[..rule.arity]);
                    let d = (rule.derivative)(&mut g, args, y, wrt);
                    let exact = g.evaluate(&[d], &|s| match s {
                        super::super::Symbol::P(i) => x[i as usize],
                        _ => f64::NAN,
                    })[0];
                    let h = 1e-5;
                    let moved = |s: f64| {
                        let mut x = x;
                        x[wrt] += s * h;
                        (rule.value)(x[0], x[1])
                    };
                    let difference = (moved(1.0) - moved(-1.0)) / (2.0 * h);
                    assert!(
                        (exact - difference).abs() < 2e-9 * exact.abs().max(1.0),
                        "{:?} at {x:?} by {wrt}: {exact} against {difference}",
                        rule.function
                    );
                }
            }
        }
    }
}
