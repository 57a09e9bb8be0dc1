//! Systems whose motion, or whose manifold, is known in closed form: for methods on (q, p).

use ode_runtime::{Dual, Scalar};

use super::Plant;
use super::plants::DoublePendulum;
use crate::dense_system;

fn c<T: Scalar>(x: f64) -> T {
    T::from_f64(x)
}

/// f of T = ½ vᵀ M(q) v and V(q), without constraints: ∂T/∂q − ∂V/∂q − Ṁ v, by dual numbers.
fn natural<T: Scalar, const N: usize>(
    mass: impl Fn(&[Dual<T>; N]) -> [[Dual<T>; N]; N],
    potential: impl Fn(&[Dual<T>; N]) -> Dual<T>,
    q: &[T; N],
    v: &[T; N],
) -> [T; N] {
    let moving = mass(&std::array::from_fn(|i| Dual::new(q[i], v[i])));
    std::array::from_fn(|k| {
        let q = std::array::from_fn(|i| Dual::new(q[i], if i == k { T::ONE } else { T::ZERO }));
        let m = mass(&q);
        let mut force = -potential(&q).eps;
        for i in 0..N {
            force -= moving[k][i].eps * v[i];
            for j in 0..N {
                force += c::<T>(0.5) * m[i][j].eps * v[i] * v[j];
            }
        }
        force
    })
}

/// Kepler's problem of mass and gravity 1 and semi-major axis 1, from the pericentre: its period is 2π.
#[derive(Clone, Copy, Debug)]
pub struct Kepler {
    pub eccentricity: f64,
}

/// The same in polar coordinates (r, φ): M = diag(1, r²).
#[derive(Clone, Copy, Debug)]
pub struct Polar(pub Kepler);

impl Kepler {
    pub fn at(&self, t: f64) -> ([f64; 2], [f64; 2]) {
        let e = self.eccentricity;
        let mut anomaly = t + e * t.sin();
        for _ in 0..50 {
            anomaly -= (anomaly - e * anomaly.sin() - t) / (1.0 - e * anomaly.cos());
        }
        let (sin, cos) = anomaly.sin_cos();
        let (minor, rate) = ((1.0 - e * e).sqrt(), 1.0 / (1.0 - e * cos));
        ([cos - e, minor * sin], [-sin * rate, minor * cos * rate])
    }

    pub fn energy(q: &[f64; 2], v: &[f64; 2]) -> f64 {
        0.5 * (v[0] * v[0] + v[1] * v[1]) - 1.0 / q[0].hypot(q[1])
    }
}

impl Polar {
    /// For 0 ≤ t < π.
    pub fn at(&self, t: f64) -> ([f64; 2], [f64; 2]) {
        let (q, v) = self.0.at(t);
        let r = q[0].hypot(q[1]);
        let turn = (q[0] * v[1] - q[1] * v[0]) / (r * r);
        ([r, q[1].atan2(q[0])], [(q[0] * v[0] + q[1] * v[1]) / r, turn])
    }
}

impl Plant<2, 0, 0, 0> for Kepler {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        let square = q[0] * q[0] + q[1] * q[1];
        let cube = square * square.sqrt();
        [-(q[0] / cube), -(q[1] / cube)]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        let (q, v) = self.at(0.0);
        (q, v, [])
    }
}
dense_system!(Kepler, q 2 ["x", "y"], z 0 [], c 0 [], u 0 [], mass 3, jacobian 0, n 2, tangent 4, saddle 2, assembly 2,
    init [], []);

impl Plant<2, 0, 0, 0> for Polar {
    fn mass<T: Scalar>(&self, q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, q[0] * q[0]]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 2], v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        natural(|q| self.mass(q), |q| -(Dual::constant(T::ONE) / q[0]), q, v)
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        let (q, v) = self.at(0.0);
        (q, v, [])
    }
}
dense_system!(Polar, q 2 ["r", "phi"], z 0 [], c 0 [], u 0 [], mass 3, jacobian 0, n 2, tangent 4, saddle 2, assembly 2,
    init [], []);

/// A bead on the curve r = 1 + 0.3 sin φ of polar coordinates, with a slider s coupled to both by M(q): one constraint
/// on (r, φ, s).
#[derive(Clone, Copy, Debug)]
pub struct Bead;

impl Bead {
    /// (r, φ, s) and its derivatives by (φ, s), where the constraint holds.
    pub fn embed(y: &[f64; 2]) -> ([f64; 3], [[f64; 2]; 3]) {
        ([1.0 + 0.3 * y[0].sin(), y[0], y[1]], [[0.3 * y[0].cos(), 0.0], [1.0, 0.0], [0.0, 1.0]])
    }
}

impl Plant<3, 0, 1, 0> for Bead {
    fn mass<T: Scalar>(&self, q: &[T; 3]) -> [[T; 3]; 3] {
        let (o, across) = (T::ZERO, c::<T>(0.4) * q[1].cos());
        [
            [c(1.5), o, c::<T>(0.3) * q[2].sin()],
            [o, c::<T>(1.5) * q[0] * q[0], across * q[0]],
            [c::<T>(0.3) * q[2].sin(), across * q[0], c::<T>(2.0) + c::<T>(0.5) * q[2] * q[2]],
        ]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 3], v: &[T; 3], _z: &[T; 0], _u: &[T; 0]) -> [T; 3] {
        let potential = |q: &[Dual<T>; 3]| {
            let two = Dual::constant(c::<T>(2.0));
            two * q[0] * q[1].sin() + q[2] * q[2] * two
        };
        natural(|q| self.mass(q), potential, q, v)
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 3]) -> [T; 1] {
        [q[0] - T::ONE - c::<T>(0.3) * q[1].sin()]
    }
    fn guess(&self) -> ([f64; 3], [f64; 3], [f64; 0]) {
        let (q, e) = Self::embed(&[0.4, 0.5]);
        (q, std::array::from_fn(|i| e[i][0] * 0.8 - e[i][1] * 0.6), [])
    }
}
dense_system!(Bead, q 3 ["r", "phi", "s"], z 0 [], c 1 ["curve"], u 0 [], mass 6, jacobian 3, n 4, tangent 16, saddle 4,
    assembly 4, init [], []);

/// A pendulum of length 1 whose pivot moves as (0.3 sin 2t, 0): a constraint that depends on time.
#[derive(Clone, Copy, Debug)]
pub struct Shaken;

impl Plant<2, 0, 1, 0> for Shaken {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
    }
    fn force<T: Scalar>(&self, t: T, _q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        [t.cos(), c(-3.0)]
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 2]) -> [T; 1] {
        let x = q[0] - c::<T>(0.3) * (c::<T>(2.0) * t).sin();
        [x * x + q[1] * q[1] - T::ONE]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([0.6, -0.8], [0.6, 0.0], [])
    }
}
dense_system!(Shaken, q 2 ["x", "y"], z 0 [], c 1 ["rod"], u 0 [], mass 3, jacobian 2, n 3, tangent 9, saddle 3,
    assembly 3, init [], []);

/// The double pendulum, let go from below.
#[derive(Clone, Copy, Debug)]
pub struct Low;

impl Plant<2, 0, 0, 0> for Low {
    fn mass<T: Scalar>(&self, q: &[T; 2]) -> [[T; 2]; 2] {
        DoublePendulum.mass(q)
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 2], v: &[T; 2], z: &[T; 0], u: &[T; 0]) -> [T; 2] {
        DoublePendulum.force(t, q, v, z, u)
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([-1.0, -1.9], [0.0; 2], [])
    }
}
dense_system!(Low, q 2 ["q1", "q2"], z 0 [], c 0 [], u 0 [], mass 3, jacobian 0, n 2, tangent 4, saddle 2, assembly 2,
    init [], []);
