//! The functions of the language, by their definitions.

use std::rc::Rc;

use syn::Expr;

use super::declare::bare;
use super::evaluate::{element, pairwise};
use super::value::{Planar, Quaternion, cross, dot};
use super::{Entry, Env, Local, Oracle, Point, Value, Written};
use crate::external;
use crate::jet::Jet;

impl<'a> Oracle<'a> {
    /// `f(a, b)`, or `a.f(b)`.
    pub(super) fn call(&self, name: &str, arguments: &[&'a Expr], env: &Rc<Env<'a>>, at: &Point) -> Value {
        match self.scopes[env.scope].names.get(name) {
            Some(Entry::Function(function)) => {
                let texts = arguments.iter().map(|text| Written { env: env.clone(), text });
                let names = function.args.iter().map(|a| bare(&a.name));
                let locals = names.zip(texts.map(Local::Text)).collect();
                let inner = Rc::new(Env { scope: env.scope, locals });
                return self.block(&function.body, &inner, at);
            }
            Some(Entry::External(function)) => {
                let x: Vec<Jet> = arguments.iter().map(|a| self.eval(a, env, at).number()).collect();
                return Value::Scalar(function.jet(&x));
            }
            _ => {}
        }
        match name {
            "der" => return self.rate(arguments[0], env, at),
            "der2" => {
                let depth = at.depth;
                let once = self.eval(arguments[0], env, at.moving().moving());
                return once.map(&|x| x.slope(depth + 1).slope(depth));
            }
            "rate" => return Value::Vector(self.body_rate(arguments[0], env, at)),
            "pchip" => {
                let x = self.eval(arguments[1], env, at).number();
                return Value::Scalar(external::table(arguments[0]).jet(&[x]));
            }
            _ => {}
        }
        let values: Vec<Value> = arguments.iter().map(|a| self.eval(a, env, at)).collect();
        of_values(name, &values)
    }
}

fn of_values(name: &str, values: &[Value]) -> Value {
    let number = |i: usize| values[i].number();
    let vector = |i: usize| values[i].vector();
    let scalar = |x: Jet| Value::Scalar(x);
    match name {
        "sin" => scalar(number(0).sin()),
        "cos" => scalar(number(0).cos()),
        "tan" => scalar(number(0).tan()),
        "asin" => scalar(number(0).asin()),
        "acos" => scalar(number(0).acos()),
        "atan" => scalar(number(0).atan()),
        "sinh" => scalar(number(0).sinh()),
        "cosh" => scalar(number(0).cosh()),
        "tanh" => scalar(number(0).tanh()),
        "exp" => scalar(number(0).exp()),
        "ln" => scalar(number(0).ln()),
        "sqrt" => scalar(number(0).sqrt()),
        "sq" => scalar(number(0).square()),
        "recip" => scalar(number(0).recip()),
        "atan2" => scalar(Jet::atan2(&number(0), &number(1))),
        "hypot" => scalar((number(0).square() + number(1).square()).sqrt()),
        "powi" => scalar(power(&number(0), number(1).real() as i32)),
        "powf" => scalar((number(0).ln() * number(1)).exp()),
        "vec2" | "vec3" => Value::Vector(values.iter().map(Value::number).collect()),
        "diag" => diagonal(values),
        "norm" => scalar(dot(&vector(0), &vector(0)).sqrt()),
        "norm_eps" => scalar((dot(&vector(0), &vector(0)) + number(1).square()).sqrt()),
        "unit" => {
            let length = dot(&vector(0), &vector(0)).sqrt();
            values[0].map(&|x| x / &length)
        }
        "dot" => scalar(dot(&vector(0), &vector(1))),
        "cross" => match vector(0).len() {
            2 => scalar(&vector(0)[0] * &vector(1)[1] - &vector(0)[1] * &vector(1)[0]),
            _ => Value::Vector(cross(&vector(0), &vector(1))),
        },
        "transpose" => transposed(&values[0]),
        "abs" => scalar(if number(0).real() < 0.0 { -number(0) } else { number(0) }),
        "signum" => scalar(Jet::of(if number(0).real() < 0.0 { -1.0 } else { 1.0 })),
        "min" => scalar(if number(0).real() < number(1).real() { number(0) } else { number(1) }),
        "max" => scalar(if number(0).real() > number(1).real() { number(0) } else { number(1) }),
        "clamp" => scalar(if number(0).real() < number(1).real() {
            number(1)
        } else if number(0).real() < number(2).real() {
            number(0)
        } else {
            number(2)
        }),
        "smooth_abs" => scalar((number(0).square() + number(1).square()).sqrt()),
        "smooth_max" => scalar(extreme(&number(0), &number(1), &number(2), 1.0)),
        "smooth_min" => scalar(extreme(&number(0), &number(1), &number(2), -1.0)),
        "smooth_sign" => scalar((number(0) / number(1)).tanh()),
        "smooth_step" => scalar(step(&(number(0) / number(1)))),
        "softplus" => scalar(softplus(&(number(0) / number(1))) * number(1)),
        _ => of_frames(name, values),
    }
}

fn of_frames(name: &str, values: &[Value]) -> Value {
    let number = |i: usize| values[i].number();
    match (name, values) {
        ("rot_x", _) => Value::Rotation(Quaternion::about(0, &number(0))),
        ("rot_y", _) => Value::Rotation(Quaternion::about(1, &number(0))),
        ("rot_z", _) => Value::Rotation(Quaternion::about(2, &number(0))),
        ("exp_so3", [v]) => Value::Rotation(Quaternion::exp(&v.vector())),
        ("log_so3", [Value::Rotation(q)]) => Value::Vector(q.log()),
        ("inv", [Value::Rotation(q)]) => Value::Rotation(q.conjugate()),
        ("inv", [Value::Frame3(p, q)]) => {
            let back = q.conjugate();
            let origin = back.turn(p).into_iter().map(|x| -x).collect();
            Value::Frame3(origin, back)
        }
        ("frame", [p, Value::Rotation(q)]) => Value::Frame3(p.vector(), q.clone()),
        ("rotate" | "vec", [Value::Rotation(q) | Value::Frame3(_, q), v]) => Value::Vector(q.turn(&v.vector())),
        ("at", [Value::Frame3(p, q), v]) => {
            Value::Vector(p.iter().zip(q.turn(&v.vector())).map(|(p, v)| p + &v).collect())
        }
        ("frame2", [p, turn]) => {
            let p = p.vector();
            let origin = [p[0].clone(), p[1].clone()];
            match turn {
                Value::Frame2(turn) => Value::Frame2(Planar { origin, ..turn.clone() }),
                angle => {
                    let angle = angle.number();
                    Value::Frame2(Planar { origin, cos: angle.cos(), sin: angle.sin(), angle })
                }
            }
        }
        ("rotate" | "vec", [Value::Frame2(b), v]) => Value::Vector(turned(b, &v.vector()).to_vec()),
        ("at", [Value::Frame2(b), v]) => {
            let [x, y] = turned(b, &v.vector());
            Value::Vector(vec![&b.origin[0] + &x, &b.origin[1] + &y])
        }
        ("inv", [Value::Frame2(b)]) => {
            let back = Planar { sin: -b.sin.clone(), angle: -b.angle.clone(), ..b.clone() };
            let [x, y] = turned(&back, &b.origin);
            Value::Frame2(Planar { origin: [-x, -y], ..back })
        }
        (name, values) => panic!("{name} of {values:?}"),
    }
}

fn turned(b: &Planar, v: &[Jet]) -> [Jet; 2] {
    [&b.cos * &v[0] - &b.sin * &v[1], &b.sin * &v[0] + &b.cos * &v[1]]
}

fn power(x: &Jet, n: i32) -> Jet {
    let whole = (0..n.unsigned_abs()).fold(Jet::of(1.0), |y, _| &y * x);
    if n < 0 { whole.recip() } else { whole }
}

fn diagonal(values: &[Value]) -> Value {
    let entries: Vec<Jet> = match values {
        [one @ (Value::Vector(_) | Value::List(_))] => one.vector(),
        _ => values.iter().map(Value::number).collect(),
    };
    let n = entries.len();
    let entry = |k: usize| if k / n == k % n { entries[k / n].clone() } else { Jet::of(0.0) };
    Value::Matrix(n, n, (0..n * n).map(entry).collect())
}

fn transposed(value: &Value) -> Value {
    let Value::Matrix(r, c, x) = value else { panic!("{value:?} has no transpose") };
    Value::Matrix(*c, *r, (0..r * c).map(|k| x[(k % r) * c + k / r].clone()).collect())
}

fn extreme(a: &Jet, b: &Jet, width: &Jet, sign: f64) -> Jet {
    let root = ((a - b).square() + width.square()).sqrt();
    0.5 * (&(a + b) + &(sign * root))
}

/// 0 at x ≤ −1, 1 at x ≥ 1, 6s⁵ − 15s⁴ + 10s³ of s = ½ (x + 1) between.
fn step(x: &Jet) -> Jet {
    let s = 0.5 * (1.0 + x.clone());
    if s.real() <= 0.0 {
        return Jet::of(0.0);
    }
    if s.real() >= 1.0 {
        return Jet::of(1.0);
    }
    6.0 * power(&s, 5) - 15.0 * power(&s, 4) + 10.0 * power(&s, 3)
}

/// ln(1 + eˣ), in the form that does not overflow
fn softplus(x: &Jet) -> Jet {
    let tail = |x: Jet| (1.0 + x.exp()).ln();
    if x.real() > 0.0 { x + &tail(-x.clone()) } else { tail(x.clone()) }
}

/// Rows of a matrix that is written as an array.
pub(super) fn rows(value: &Value, n: usize) -> Vec<Jet> {
    match value {
        Value::Scalar(x) => (0..n * n).map(|k| if k / n == k % n { x.clone() } else { Jet::of(0.0) }).collect(),
        other => other.scalars(),
    }
}

/// The difference of two values, number by number; of rotations what a start makes zero.
pub(super) fn difference(a: &Value, b: &Value) -> Vec<Jet> {
    match (a, b) {
        (Value::Rotation(a), Value::Rotation(b)) => b.conjugate().times(a).0[1..].iter().map(|x| 2.0 * x).collect(),
        (Value::Frame3(p, a), Value::Frame3(q, b)) => {
            let mut rows: Vec<Jet> = p.iter().zip(q).map(|(p, q)| p - q).collect();
            rows.extend(difference(&Value::Rotation(a.clone()), &Value::Rotation(b.clone())));
            rows
        }
        (Value::Frame2(a), Value::Frame2(b)) => vec![&a.sin * &b.cos - &a.cos * &b.sin],
        (Value::Frame2(a), angle) => {
            let angle = angle.number();
            vec![&a.sin * &angle.cos() - &a.cos * &angle.sin()]
        }
        (Value::List(a), b) if a.iter().any(|a| matches!(a, Value::Rotation(_) | Value::Frame3(..))) => {
            (0..a.len()).flat_map(|i| difference(&a[i], &element(b, i as i64))).collect()
        }
        (a, b) => pairwise(a, b, &|a, b| a - b).scalars(),
    }
}
