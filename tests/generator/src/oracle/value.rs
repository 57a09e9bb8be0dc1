//! Values of expressions: numbers in the shapes of the language, rotations as unit quaternions, frames.

use crate::jet::Jet;

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// one number
    Scalar(Jet),
    /// a vector
    Vector(Vec<Jet>),
    /// rows × columns, row major
    Matrix(usize, usize, Vec<Jet>),
    /// a literal array
    List(Vec<Value>),
    /// a rotation of space
    Rotation(Quaternion),
    /// a point and a rotation of space
    Frame3(Vec<Jet>, Quaternion),
    /// a frame of the plane, or a rotation of it about the origin
    Frame2(Planar),
}

/// A frame of the plane.
#[derive(Clone, Debug)]
pub struct Planar {
    pub(crate) origin: [Jet; 2],
    pub(crate) cos: Jet,
    pub(crate) sin: Jet,
    pub(crate) angle: Jet,
}

/// A unit quaternion, scalar part first.
#[derive(Clone, Debug)]
pub struct Quaternion(pub(crate) [Jet; 4]);

impl Quaternion {
    pub(crate) fn conjugate(&self) -> Self {
        let [w, x, y, z] = self.0.clone();
        Self([w, -x, -y, -z])
    }

    /// Hamilton's product.
    pub(crate) fn times(&self, other: &Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (&self.0, &other.0);
        Self([
            &(a * e) - &(b * f) - c * g - d * h,
            &(a * f) + &(b * e) + c * h - d * g,
            &(a * g) - &(b * h) + c * e + d * f,
            &(a * h) + &(b * g) - c * f + d * e,
        ])
    }

    /// q v q*
    pub(crate) fn turn(&self, v: &[Jet]) -> Vec<Jet> {
        let zero = Jet::of(0.0);
        let pure = Self([zero, v[0].clone(), v[1].clone(), v[2].clone()]);
        self.times(&pure).times(&self.conjugate()).0[1..].to_vec()
    }

    /// The third axis.
    pub(crate) fn third(&self) -> Vec<Jet> {
        self.turn(&[0.0, 0.0, 1.0].map(Jet::of))
    }

    /// The shortest rotation from the third axis of space to a unit vector.
    pub(crate) fn to(axis: &[Jet]) -> Self {
        let scalar = 1.0 + axis[2].clone();
        let length = (2.0 * scalar.clone()).sqrt();
        Self([scalar, -axis[1].clone(), axis[0].clone(), Jet::of(0.0)].map(|x| x / &length))
    }

    /// cos ½|v|, sin ½|v| / |v| · v, by series that are smooth at zero.
    pub(crate) fn exp(v: &[Jet]) -> Self {
        let s = 0.25 * dot(v, v);
        let half = 0.5 * series(&s, 1);
        Self([series(&s, 0), &half * &v[0], &half * &v[1], &half * &v[2]])
    }

    /// A rotation by an angle about an axis of space.
    pub(crate) fn about(axis: usize, angle: &Jet) -> Self {
        let half = 0.5 * angle.clone();
        let mut q = [half.cos(), Jet::of(0.0), Jet::of(0.0), Jet::of(0.0)];
        q[1 + axis] = half.sin();
        Self(q)
    }

    /// The vector of the rotation, of length at most π.
    pub(crate) fn log(&self) -> Vec<Jet> {
        let sign = if self.0[0].real() < 0.0 { -1.0 } else { 1.0 };
        let [w, x, y, z] = self.0.clone().map(|part| sign * part);
        let u = [x, y, z];
        let square = dot(&u, &u);
        if square.real() < 1e-20 {
            // the identity, where the quotient has no form without a series: θ/sin θ = 1 + s²/6 + 3 s⁴/40 + … of s =
            // |u|
            let factor = 2.0 * (1.0 + &square * &(1.0 / 6.0 + 0.075 * square.clone()));
            return u.iter().map(|x| &factor * x).collect();
        }
        let length = square.sqrt();
        let factor = 2.0 * &Jet::atan2(&length, &w) / &length;
        u.iter().map(|x| &factor * x).collect()
    }
}

impl std::ops::Mul<&Jet> for f64 {
    type Output = Jet;
    fn mul(self, x: &Jet) -> Jet {
        &Jet::of(self) * x
    }
}

macro_rules! mixed {
    ($($trait:ident $method:ident),*) => {$(
        impl std::ops::$trait<&Jet> for Jet {
            type Output = Jet;
            fn $method(self, other: &Jet) -> Jet {
                std::ops::$trait::$method(&self, other)
            }
        }
    )*};
}
mixed!(Add add, Sub sub, Mul mul, Div div);

impl std::ops::Mul<&Jet> for &f64 {
    type Output = Jet;
    fn mul(self, x: &Jet) -> Jet {
        *self * x
    }
}

/// Σₖ (−s)ᵏ/(2k + n)!: cosine and sine over argument of √s.
fn series(s: &Jet, n: usize) -> Jet {
    // The sum is smooth at zero, where a root is not; far from there it would need more terms than it has.
    if s.real() > 1.0 {
        let root = s.sqrt();
        return if n == 0 { root.cos() } else { root.sin() / root };
    }
    let mut sum = Jet::of(0.0);
    for k in (0..14).rev() {
        let (a, b) = ((2 * k + n + 1) as f64, (2 * k + n + 2) as f64);
        sum = 1.0 - s * &sum * &Jet::of(1.0 / (a * b));
    }
    sum
}

pub(crate) fn dot(a: &[Jet], b: &[Jet]) -> Jet {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn cross(a: &[Jet], b: &[Jet]) -> Vec<Jet> {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &(&a[i] * &b[j]) - &(&a[j] * &b[i])).to_vec()
}

impl Value {
    /// Its numbers; a rotation of the plane is its cosine and sine, one of space its quaternion.
    pub fn scalars(&self) -> Vec<Jet> {
        match self {
            Value::Scalar(x) => vec![x.clone()],
            Value::Vector(x) | Value::Matrix(_, _, x) => x.clone(),
            Value::List(items) => items.iter().flat_map(Value::scalars).collect(),
            Value::Rotation(q) => q.0.to_vec(),
            Value::Frame3(origin, q) => origin.iter().chain(&q.0).cloned().collect(),
            Value::Frame2(frame) => vec![frame.cos.clone(), frame.sin.clone()],
        }
    }

    /// As one number.
    pub fn number(&self) -> Jet {
        match self {
            Value::Scalar(x) => x.clone(),
            other => panic!("{other:?} is no number"),
        }
    }

    /// As a vector; an array of numbers is one.
    pub fn vector(&self) -> Vec<Jet> {
        match self {
            Value::Vector(x) => x.clone(),
            Value::List(items) => items.iter().map(Value::number).collect(),
            other => panic!("{other:?} is no vector"),
        }
    }

    /// With each of its numbers replaced.
    pub(crate) fn map(&self, f: &dyn Fn(&Jet) -> Jet) -> Value {
        let all = |x: &[Jet]| x.iter().map(f).collect::<Vec<_>>();
        let turned = |q: &Quaternion| Quaternion(q.0.each_ref().map(f));
        match self {
            Value::Scalar(x) => Value::Scalar(f(x)),
            Value::Vector(x) => Value::Vector(all(x)),
            Value::Matrix(r, c, x) => Value::Matrix(*r, *c, all(x)),
            Value::List(items) => Value::List(items.iter().map(|v| v.map(f)).collect()),
            Value::Rotation(q) => Value::Rotation(turned(q)),
            Value::Frame3(origin, q) => Value::Frame3(all(origin), turned(q)),
            Value::Frame2(p) => Value::Frame2(Planar {
                origin: p.origin.each_ref().map(f),
                cos: f(&p.cos),
                sin: f(&p.sin),
                angle: f(&p.angle),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Third derivatives of cosine and sine over argument, √s from 0.3 to 30, against their closed forms.
    #[test]
    fn rotations_by_many_turns_have_their_derivatives() {
        for x in [0.3_f64, 0.999, 1.001, 4.4, 9.0, 30.0] {
            let mut s = Jet::of(x * x);
            for depth in 0..3 {
                s = Jet::along(&s, &Jet::of(1.0), depth);
            }
            let third = |y: Jet| y.slope(2).slope(1).slope(0).real();
            // d/ds = 1/(2x) d/dx, three times
            let (sin, cos) = x.sin_cos();
            let of_cosine = ((x * x - 3.0) * sin + 3.0 * x * cos) / (8.0 * x.powi(5));
            let of_quotient = ((6.0 * x * x - 15.0) * sin - (x * x - 15.0) * x * cos) / (8.0 * x.powi(7));
            // at 0.3 the closed forms are a difference of terms a thousand times larger
            for (found, wanted) in [(third(series(&s, 0)), of_cosine), (third(series(&s, 1)), of_quotient)] {
                assert!((found - wanted).abs() <= 1e-9 * wanted.abs(), "{found} is not {wanted} at {x}");
            }
        }
    }
}
