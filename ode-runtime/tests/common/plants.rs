//! The models of the reference values.

use ode_runtime::Scalar;

use super::Plant;
use crate::dense_system;

fn c<T: Scalar>(x: f64) -> T {
    T::from_f64(x)
}

/// A point mass on a circle of radius 1 about the origin, Cartesian; Φ = scale (x² + y² − 1).
#[derive(Clone, Copy, Debug)]
pub struct Pendulum {
    pub m: f64,
    pub g: f64,
    pub scale: f64,
    pub start: [f64; 2],
}

impl Pendulum {
    /// m = 1, g = 9.81, C = (x² + y² − 1)/2, at rest at (1, 0).
    pub fn standard() -> Self {
        Self { m: 1.0, g: 9.81, scale: 0.5, start: [1.0, 0.0] }
    }
}

impl Plant<2, 0, 1, 0> for Pendulum {
    const CONSTANT_MASS: bool = true;
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[c(self.m), T::ZERO], [T::ZERO, c(self.m)]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        [T::ZERO, c(-self.m * self.g)]
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 2]) -> [T; 1] {
        [c::<T>(self.scale) * (q[0] * q[0] + q[1] * q[1] - T::ONE)]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        (self.start, [0.0; 2], [])
    }
    // The exact conditions repeat what the constraint says: `init r = (1, 0)`.
    fn init_position<T: Scalar>(&self, q: &[T; 2], out: &mut [T]) {
        out[0] = q[0] - c(self.start[0]);
        out[1] = q[1] - c(self.start[1]);
    }
    fn init_velocity<T: Scalar>(&self, v: &[T; 2], out: &mut [T]) {
        out.copy_from_slice(v);
    }
}
dense_system!(Pendulum, q 2 ["x", "y"], z 0 [], c 1 ["circle"], u 0 [], mass 3, jacobian 2, n 3, tangent 9, saddle 3,
    assembly 5, init ["r.x", "r.y"], ["v.x", "v.y"]);

/// Two bars in minimal coordinates: M11 = 2.25, M12 = cos(q2 − q1)/2, M22 = 1.25, V = 15 sin q1 + 5 sin q2.
#[derive(Clone, Copy, Debug)]
pub struct DoublePendulum;

impl DoublePendulum {
    pub fn energy(q: &[f64; 2], v: &[f64; 2]) -> f64 {
        let m = DoublePendulum.mass(q);
        let kinetic = 0.5 * (m[0][0] * v[0] * v[0] + 2.0 * m[0][1] * v[0] * v[1] + m[1][1] * v[1] * v[1]);
        kinetic + 15.0 * q[0].sin() + 5.0 * q[1].sin()
    }
}

impl Plant<2, 0, 0, 0> for DoublePendulum {
    fn mass<T: Scalar>(&self, q: &[T; 2]) -> [[T; 2]; 2] {
        let off = c::<T>(0.5) * (q[1] - q[0]).cos();
        [[c(2.25), off], [off, c(1.25)]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 2], v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        let s = c::<T>(0.5) * (q[1] - q[0]).sin();
        [s * v[1] * v[1] - c::<T>(15.0) * q[0].cos(), -(s * v[0] * v[0]) - c::<T>(5.0) * q[1].cos()]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([0.0; 2], [0.0; 2], [])
    }
}
dense_system!(DoublePendulum, q 2 ["q1", "q2"], z 0 [], c 0 [], u 0 [], mass 3, jacobian 0, n 2, tangent 4, saddle 2,
    assembly 2, init [], []);

/// m a = −k x − c v + w + u.
#[derive(Clone, Copy, Debug)]
pub struct Oscillator {
    pub m: f64,
    pub k: f64,
    pub c: f64,
    pub w: f64,
    pub x: f64,
    pub v: f64,
}

impl Plant<1, 0, 0, 1> for Oscillator {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[c(self.m)]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 1], v: &[T; 1], _z: &[T; 0], u: &[T; 1]) -> [T; 1] {
        [c::<T>(self.w) - c::<T>(self.k) * q[0] - c::<T>(self.c) * v[0] + u[0]]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([self.x], [self.v], [])
    }
}
dense_system!(Oscillator, q 1 ["x"], z 0 [], c 0 [], u 1 ["push"], mass 1, jacobian 0, n 1, tangent 1, saddle 1,
    assembly 1, init [], []);

/// a = x (v·v) in space: a force of positions and velocities.
#[derive(Clone, Copy, Debug)]
pub struct Quadratic;

impl Plant<3, 0, 0, 0> for Quadratic {
    fn mass<T: Scalar>(&self, _q: &[T; 3]) -> [[T; 3]; 3] {
        let (i, o) = (T::ONE, T::ZERO);
        [[i, o, o], [o, i, o], [o, o, i]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 3], v: &[T; 3], _z: &[T; 0], _u: &[T; 0]) -> [T; 3] {
        let square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        q.map(|x| x * square)
    }
    fn guess(&self) -> ([f64; 3], [f64; 3], [f64; 0]) {
        ([1.4, 3.535, 5.67], [-0.4, -0.35, -0.3], [])
    }
}
dense_system!(Quadratic, q 3 ["x", "y", "z"], z 0 [], c 0 [], u 0 [], mass 6, jacobian 0, n 3, tangent 9, saddle 3,
    assembly 3, init [], []);

/// A pendulum driven through a first-order actuator: z follows the drive and the speed, and pulls.
#[derive(Clone, Copy, Debug)]
pub struct Actuated {
    pub lag: f64,
}

impl Plant<2, 2, 1, 1> for Actuated {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[c(1.5), T::ZERO], [T::ZERO, c(1.5)]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 2], _v: &[T; 2], z: &[T; 2], _u: &[T; 1]) -> [T; 2] {
        [z[0] - q[1] * z[1], c::<T>(-3.0) + q[0] * z[1]]
    }
    fn rates<T: Scalar>(&self, t: T, q: &[T; 2], v: &[T; 2], z: &[T; 2], u: &[T; 1]) -> [T; 2] {
        let k = c::<T>(1.0 / self.lag);
        [(u[0] + t.sin() - z[0] - v[0]) * k, q[0] - z[0] * z[1]]
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 2]) -> [T; 1] {
        [q[0] * q[0] + q[1] * q[1] - T::ONE]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 2]) {
        ([1.0, 0.0], [0.0, 0.4], [0.3, 0.1])
    }
}
dense_system!(Actuated, q 2 ["x", "y"], z 2 ["pull", "memory"], c 1 ["circle"], u 1 ["drive"], mass 3, jacobian 2, n 5,
    tangent 25, saddle 3, assembly 3, init [], []);

/// Two constraints on two coordinates, to be made redundant, contradictory or singular, and a mass that may vanish.
#[derive(Clone, Copy, Debug)]
pub struct Broken {
    pub mass: [f64; 2],
    pub force: f64,
    /// Φ₁ = x² + y² − 1, Φ₂ = factor · Φ₁ + offset
    pub factor: f64,
    pub offset: f64,
}

impl Plant<2, 0, 2, 1> for Broken {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[c(self.mass[0]), T::ZERO], [T::ZERO, c(self.mass[1])]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 2], _v: &[T; 2], _z: &[T; 0], u: &[T; 1]) -> [T; 2] {
        [u[0], c(self.force)]
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 2]) -> [T; 2] {
        let circle = q[0] * q[0] + q[1] * q[1] - T::ONE;
        [circle, c::<T>(self.factor) * circle + c(self.offset)]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([0.8, 0.7], [0.0; 2], [])
    }
}
dense_system!(Broken, q 2 ["x", "y"], z 0 [], c 2 ["circle", "again"], u 1 ["push"], mass 3, jacobian 4, n 4, tangent 16,
    saddle 4, assembly 4, init [], []);

/// A free particle in the plane, without constraints; its mass may vanish.
#[derive(Clone, Copy, Debug)]
pub struct Particle {
    pub mass: [f64; 2],
}

impl Plant<2, 0, 0, 0> for Particle {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[c(self.mass[0]), T::ZERO], [T::ZERO, c(self.mass[1])]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        // Not finite at x = 0.
        [q[0].recip(), q[1]]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([1.0, 0.5], [0.0; 2], [])
    }
}
dense_system!(Particle, q 2 ["x", "y"], z 0 [], c 0 [], u 0 [], mass 3, jacobian 0, n 2, tangent 4, saddle 2,
    assembly 2, init [], []);

/// Two coordinates with M = [a b; b c], b = b₀ + b₁ x, at (0, 0) and at a velocity along x.
#[derive(Clone, Copy, Debug)]
pub struct Coupled {
    pub mass: [f64; 3],
    pub slope: f64,
    pub speed: f64,
    /// the force on y
    pub push: f64,
}

impl Plant<2, 0, 0, 0> for Coupled {
    fn mass<T: Scalar>(&self, q: &[T; 2]) -> [[T; 2]; 2] {
        let [m, n, p] = self.mass.map(c::<T>);
        let n = n + c::<T>(self.slope) * q[0];
        [[m, n], [n, p]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        [T::ZERO, c(self.push)]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([0.0; 2], [self.speed, 0.0], [])
    }
}
dense_system!(Coupled, q 2 ["x", "y"], z 0 [], c 0 [], u 0 [], mass 3, jacobian 0, n 2, tangent 4, saddle 2,
    assembly 2, init [], []);

/// Those two with x held at zero.
#[derive(Clone, Copy, Debug)]
pub struct HalfHeld(pub Coupled);

impl Plant<2, 0, 1, 0> for HalfHeld {
    fn mass<T: Scalar>(&self, q: &[T; 2]) -> [[T; 2]; 2] {
        self.0.mass(q)
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 2], v: &[T; 2], z: &[T; 0], u: &[T; 0]) -> [T; 2] {
        self.0.force(t, q, v, z, u)
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 2]) -> [T; 1] {
        [q[0]]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        self.0.guess()
    }
}
dense_system!(HalfHeld, q 2 ["x", "y"], z 0 [], c 1 ["held"], u 0 [], mass 3, jacobian 2, n 3, tangent 9, saddle 3,
    assembly 3, init [], []);

/// The standard circle at (1, 0) with masses of its own: x may be massless, for the constraint moves it.
#[derive(Clone, Copy, Debug)]
pub struct Sleeve {
    pub mass: [f64; 2],
}

impl Plant<2, 0, 1, 0> for Sleeve {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[c(self.mass[0]), T::ZERO], [T::ZERO, c(self.mass[1])]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        [T::ZERO, c(-9.81 * self.mass[1])]
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 2]) -> [T; 1] {
        [q[0] * q[0] + q[1] * q[1] - T::ONE]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([1.0, 0.0], [0.0; 2], [])
    }
}
dense_system!(Sleeve, q 2 ["x", "y"], z 0 [], c 1 ["circle"], u 0 [], mass 3, jacobian 2, n 3, tangent 9, saddle 3,
    assembly 3, init [], []);

/// Two points on moving lines: x = sin 2t, y = x t + 1/2.
#[derive(Clone, Copy, Debug)]
pub struct Driven;

impl Plant<3, 0, 2, 0> for Driven {
    fn mass<T: Scalar>(&self, _q: &[T; 3]) -> [[T; 3]; 3] {
        let (o, m) = (T::ZERO, c::<T>(2.0));
        [[m, o, o], [o, m, o], [o, o, m]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 3], _v: &[T; 3], _z: &[T; 0], _u: &[T; 0]) -> [T; 3] {
        [T::ZERO, T::ZERO, c(3.0)]
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 3]) -> [T; 2] {
        [q[0] - (c::<T>(2.0) * t).sin(), q[1] - q[0] * t - c(0.5)]
    }
    fn guess(&self) -> ([f64; 3], [f64; 3], [f64; 0]) {
        ([7.0, -3.0, 0.25], [1.0, 1.0, 0.125], [])
    }
    fn init_velocity<T: Scalar>(&self, v: &[T; 3], out: &mut [T]) {
        out[0] = v[2] - v[1];
    }
}
dense_system!(Driven, q 3 ["x", "y", "s"], z 0 [], c 2 ["cam", "follower"], u 0 [], mass 6, jacobian 6, n 5, tangent 25,
    saddle 5, assembly 6, init [], ["equal"]);

/// A belt that moves at speed ½, and a condition of rest.
#[derive(Clone, Copy, Debug)]
pub struct Rigid;

impl Plant<1, 0, 1, 0> for Rigid {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [T::ZERO]
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 1]) -> [T; 1] {
        [q[0] - c::<T>(0.5) * t]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.0], [0.0], [])
    }
    fn init_velocity<T: Scalar>(&self, v: &[T; 1], out: &mut [T]) {
        out[0] = v[0];
    }
}
dense_system!(Rigid, q 1 ["x"], z 0 [], c 1 ["belt"], u 0 [], mass 1, jacobian 1, n 2, tangent 4, saddle 2,
    assembly 3, init [], ["at rest"]);

/// Hénon and Heiles: T = |v|²/2, V = |q|²/2 + x² y − y³/3. Separable, not linear.
#[derive(Clone, Copy, Debug)]
pub struct HenonHeiles;

impl Plant<2, 0, 0, 0> for HenonHeiles {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, &[x, y]: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        [-(x + x * y + x * y), -(y + x * x - y * y)]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([0.3, -0.2], [0.1, 0.25], [])
    }
}
dense_system!(HenonHeiles, q 2 ["x", "y"], z 0 [], c 0 [], u 0 [], mass 3, jacobian 0, n 2, tangent 4, saddle 2,
    assembly 2, init [], []);

/// q = tⁿ: a = n (n − 1) tⁿ⁻².
#[derive(Clone, Copy, Debug)]
pub struct Power(pub u32);

impl Plant<1, 0, 0, 0> for Power {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, t: T, _q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        let n = self.0;
        let power = (2..n).fold(T::ONE, |power, _| power * t);
        [c::<T>(f64::from(n * n.saturating_sub(1))) * power]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.0], [if self.0 == 1 { 1.0 } else { 0.0 }], [])
    }
}
dense_system!(Power, q 1 ["x"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1,
    assembly 1, init [], []);

/// x″ = −10⁴ x − 10⁶ x³ − 2 x′ + 50 cos 20 t.
#[derive(Clone, Copy, Debug)]
pub struct Duffing;

impl Plant<1, 0, 0, 0> for Duffing {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 1], v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        let c = T::from_f64;
        let spring = c(1e4) * q[0] + c(1e6) * q[0] * q[0] * q[0];
        [c(50.0) * (c(20.0) * t).cos() - spring - c(2.0) * v[0]]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.1], [0.0], [])
    }
}
dense_system!(Duffing, q 1 ["x"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);
