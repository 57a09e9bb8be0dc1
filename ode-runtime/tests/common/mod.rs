//! Hand-written systems: energies, forces and constraints written once over any scalar, derivatives by dual numbers.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "shared by test binaries, each of which uses its part")]

pub mod arrays;
pub mod canonical;
pub mod crank;
pub mod ending;
pub mod equilibria;
pub mod erased;
pub mod linkages;
pub mod mechanisms;
pub mod methods;
pub mod plants;
pub mod points;
pub mod rigid;
pub mod squeezer;
pub mod twofold;

pub use arrays::{difference, fixed, full, lower, moving, rates, seeded};

use std::fmt::Debug;
use std::marker::PhantomData;

use ode_runtime::linalg::Saddle as _;
use ode_runtime::{At, Dual, Event, Forward, Real, Scalar, Solvable};

/// M, f, g and Φ of a model with Q coordinates, Z first-order states, C constraints, U inputs and V velocities; q̇ = v
/// unless the coordinates have a retraction of their own.
pub trait Plant<const Q: usize, const Z: usize, const C: usize, const U: usize, const V: usize = Q>:
    Copy + Debug
{
    fn mass<T: Scalar>(&self, q: &[T; Q]) -> [[T; V]; V];
    fn force<T: Scalar>(&self, t: T, q: &[T; Q], v: &[T; V], z: &[T; Z], u: &[T; U]) -> [T; V];
    fn rates<T: Scalar>(&self, _t: T, _q: &[T; Q], _v: &[T; V], _z: &[T; Z], _u: &[T; U]) -> [T; Z] {
        [T::ZERO; Z]
    }
    fn phi<T: Scalar>(&self, _t: T, _q: &[T; Q]) -> [T; C] {
        [T::ZERO; C]
    }
    fn guess(&self) -> ([f64; Q], [f64; V], [f64; Z]);
    fn nominal(&self) -> [f64; U] {
        [0.0; U]
    }
    /// whether M is the same everywhere
    const CONSTANT_MASS: bool = false;
    /// names of the modes, and their start
    const MODES: &'static [&'static str] = &[];
    fn initial_modes(&self) -> Vec<f64> {
        vec![0.0; Self::MODES.len()]
    }
    /// guards and resets of these; `x` is (q, v, z)
    const EVENTS: &'static [Event<'static>] = &[];
    fn guards<T: Scalar>(&self, _t: T, _x: (&[T; Q], &[T; V], &[T; Z]), _u: &[T; U], _modes: &[T], _out: &mut [T]) {}
    fn reset<T: Scalar>(
        &self,
        _event: usize,
        _t: T,
        _x: (&[T; Q], &[T; V], &[T; Z]),
        _modes: &[T],
        _out: (&mut [T; Q], &mut [T; V], &mut [T; Z], &mut [T]),
    ) {
    }
    fn init_position<T: Scalar>(&self, _q: &[T; Q], _out: &mut [T]) {}
    fn init_velocity<T: Scalar>(&self, _v: &[T; V], _out: &mut [T]) {}
    /// first entry and count of each rotation
    const ROTATIONS: &'static [(usize, usize)] = &[];
    fn retract<T: Scalar>(&self, q: &[T; Q], step: &[T; V]) -> [T; Q] {
        let mut moved = *q;
        for i in 0..Q {
            moved[i] = q[i] + step[i];
        }
        moved
    }
    fn local<T: Scalar>(&self, from: &[T; Q], to: &[T; Q]) -> [T; V] {
        let mut step = [T::ZERO; V];
        for i in 0..V {
            step[i] = to[i] - from[i];
        }
        step
    }
    fn qdot<T: Scalar>(&self, q: &[T; Q], v: &[T; V]) -> [T; Q] {
        rates(&self.retract(&fixed(q), &moving(&[T::ZERO; V], v)))
    }
    /// T(step) rate
    fn tangent_map<T: Scalar>(&self, _step: &[T; V], rate: &[T; V]) -> [T; V] {
        *rate
    }
    /// T(step)⁻¹ v
    fn step_rate<T: Scalar>(&self, _step: &[T; V], v: &[T; V]) -> [T; V] {
        *v
    }

    /// q ⊕ the `i`th unit of the tangent space at the rate `weight`.
    fn along<T: Scalar>(&self, q: &[T; Q], step: &[T; V], i: usize, weight: T) -> [Dual<T>; Q] {
        let mut unit = [T::ZERO; V];
        if let Some(unit) = unit.get_mut(i) {
            *unit = weight;
        }
        let rate = moving(&[T::ZERO; V], &self.tangent_map(step, &unit));
        self.retract(&fixed(q), &rate)
    }

    /// G by columns of a dual evaluation.
    fn jacobian<T: Scalar>(&self, t: T, q: &[T; Q]) -> [[T; V]; C] {
        let mut g = [[T::ZERO; V]; C];
        // without rows there is nothing to differentiate
        for c in 0..if C == 0 { 0 } else { V } {
            let dual = self.along(q, &[T::ZERO; V], c, T::ONE);
            for (row, phi) in g.iter_mut().zip(self.phi(Dual::constant(t), &dual)) {
                row[c] = phi.eps;
            }
        }
        g
    }

    /// Φ̇ along (1, v).
    fn phi_rate<T: Scalar>(&self, t: T, q: &[T; Q], v: &[T; V]) -> [T; C] {
        let dual = self.retract(&fixed(q), &moving(&[T::ZERO; V], v));
        rates(&self.phi(Dual::new(t, T::ONE), &dual))
    }

    /// Φ̈ along (1, v) at zero acceleration.
    fn gamma<T: Scalar>(&self, t: T, q: &[T; Q], v: &[T; V]) -> [T; C] {
        if C == 0 {
            return [T::ZERO; C];
        }
        let step = moving(&moving(&[T::ZERO; V], v), &fixed(v));
        let dual = self.retract(&fixed(&fixed(q)), &step);
        rates(&rates(&self.phi(Dual::new(Dual::new(t, T::ONE), Dual::constant(T::ONE)), &dual)))
    }
}

/// A plant evaluated on `T`; a `DIRECT` one with functions for accelerations and corrections of its own.
#[derive(Clone, Copy, Debug)]
pub struct On<P, T = f64, const DIRECT: bool = false>(pub P, pub PhantomData<T>);

pub fn on<P>(plant: P) -> On<P> {
    On(plant, PhantomData)
}

pub fn direct<P>(plant: P) -> On<P, f64, true> {
    On(plant, PhantomData)
}

/// The factors of [M Gᵀ; G 0] at `at`, with their inputs; `None` if there are none or a mass is not positive.
pub fn factors<S: Solvable>(system: &S, at: At<'_, S>) -> Option<(Forward<S>, S::Saddle)> {
    let layout = system.layout();
    let (mut forward, mut saddle) = (Forward::zeros(&layout), S::Saddle::new(&layout));
    system.forward(at, &mut forward);
    let mut masses = layout.mass.entries().zip(forward.mass.as_ref()).filter(|((r, c), _)| r == c);
    let positive = masses.all(|(_, &mass)| mass > S::Real::ZERO && mass.is_finite());
    let factorized = saddle.factorize(&layout, forward.mass.as_ref(), forward.jacobian.as_ref()).is_ok();
    (positive && factorized).then_some((forward, saddle))
}

pub const fn full_starts<const N: usize>(rows: usize) -> [usize; N] {
    let mut starts = [0; N];
    let mut c = 1;
    while c < N {
        starts[c] = c * rows;
        c += 1;
    }
    starts
}

pub const fn full_indices<const N: usize>(rows: usize) -> [usize; N] {
    let mut indices = [0; N];
    let mut k = 0;
    while k < N {
        indices[k] = k % rows;
        k += 1;
    }
    indices
}

pub const fn lower_starts<const N: usize>() -> [usize; N] {
    let mut starts = [0; N];
    let mut c = 1;
    while c < N {
        starts[c] = starts[c - 1] + (N - c);
        c += 1;
    }
    starts
}

pub const fn lower_indices<const N: usize>(rows: usize) -> [usize; N] {
    let mut indices = [0; N];
    let (mut k, mut c) = (0, 0);
    while c < rows {
        let mut r = c;
        while r < rows {
            indices[k] = r;
            k += 1;
            r += 1;
        }
        c += 1;
    }
    indices
}

/// The last one named.
#[macro_export]
macro_rules! solver {
    ($t:ty, $n:literal, $plain:ident) => { linalg::$plain<$t, $n> };
    ($t:ty, $n:literal, $plain:ident $other:ident) => { linalg::$other<$t, $n> };
}

/// Implements the roles for a plant with dense patterns; sizes are literals, as generated code has them.
#[macro_export]
macro_rules! dense_system {
    ($plant:ty, q $q:literal [$($qn:literal),*], z $($rest:tt)*) => {
        $crate::dense_system!($plant, q $q [$($qn),*], v $q [$(concat!("der(", $qn, ")")),*], z $($rest)*);
    };
    ($plant:ty, q $q:literal $qn:expr, v $v:literal $vn:expr, z $z:literal $zn:expr, c $c:literal [$($cn:literal),*],
        u $u:literal $un:expr,
     mass $m:literal, jacobian $g:literal, n $n:literal, tangent $k:literal, saddle $s:literal, assembly $a:literal,
     init $ip:expr, $iv:expr $(, redundant $saddle:ident $kkt:ident)?) => {
        const _: () = {
            use $crate::common::*;
            use ode_runtime::*;
            const MASS_STARTS: [usize; $v + 1] = lower_starts();
            const MASS_INDICES: [usize; $m] = lower_indices($v);
            const G_STARTS: [usize; $v + 1] = full_starts($c);
            const G_INDICES: [usize; $g] = full_indices($c);
            const K_STARTS: [usize; $n + 1] = full_starts($n);
            const K_INDICES: [usize; $k] = full_indices($n);
            const IP: &[&str] = &$ip;
            const IP_STARTS: [usize; $v + 1] = full_starts(IP.len());
            const IP_INDICES: [usize; IP.len() * $v] = full_indices(IP.len());
            const IV: &[&str] = &$iv;
            const IV_STARTS: [usize; $v + 1] = full_starts(IV.len());
            const IV_INDICES: [usize; IV.len() * $v] = full_indices(IV.len());

            impl<T: Scalar, const D: bool> System for On<$plant, T, D> {
                type Real = T;
                type Q = [T; $q];
                type V = [T; $v];
                type Z = [T; $z];
                type U = [T; $u];
                type L = [T; $c];
                type Modes = Vec<T>;
                type Guards = Vec<T>;
                type Mass = [T; $m];
                type Jacobian = [T; $g];

                fn layout(&self) -> Layout<'_> {
                    Layout {
                        name: stringify!($plant),
                        q: &$qn,
                        v: &$vn,
                        directions: if $q == $v { &$qn as &[&str] } else { &$vn as &[&str] },
                        steps: if $q == $v { &$qn as &[&str] } else { &["turn.x", "turn.y", "turn.z"] },
                        z: &$zn,
                        algebraic: 0,
                        algebraic_jacobian: Pattern::NONE,
                        u: &$un,
                        outputs: &[],
                        modes: <$plant>::MODES,
                        events: <$plant>::EVENTS,
                        constraints: &[$($cn),*],
                        multipliers: &[$(concat!($cn, ".lambda")),*],
                        kinds: &[RowKind::Holonomic; $c],
                        init_position: IP,
                        init_velocity: IV,
                        init_position_jacobian:
                            Pattern { rows: IP.len(), cols: $v, starts: &IP_STARTS, indices: &IP_INDICES },
                        init_velocity_jacobian:
                            Pattern { rows: IV.len(), cols: $v, starts: &IV_STARTS, indices: &IV_INDICES },
                        mass: Pattern { rows: $v, cols: $v, starts: &MASS_STARTS, indices: &MASS_INDICES },
                        jacobian: Pattern { rows: $c, cols: $v, starts: &G_STARTS, indices: &G_INDICES },
                        tangent: Pattern { rows: $n, cols: $n, starts: &K_STARTS, indices: &K_INDICES },
                        order: Order::Second,
                        constant_mass: <$plant>::CONSTANT_MASS,
                        rheonomic: true,
                    }
                }
                fn rotations(&self) -> &[(usize, usize)] {
                    <$plant>::ROTATIONS
                }
                fn forward(&self, at: At<'_, Self>, out: &mut Forward<Self>) {
                    lower(&self.0.mass(at.q), &mut out.mass);
                    full(&self.0.jacobian(at.t, at.q), &mut out.jacobian);
                    out.force = self.0.force(at.t, at.q, at.v, at.z, at.u);
                    out.zdot = self.0.rates(at.t, at.q, at.v, at.z, at.u);
                    out.gamma = self.0.gamma(at.t, at.q, at.v);
                }
                fn residual(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Residual<Self>) {
                    let mass = self.0.mass(at.q);
                    let force = self.0.force(at.t, at.q, at.v, at.z, at.u);
                    let jacobian = self.0.jacobian(at.t, at.q);
                    for i in 0..$v {
                        let mut r = -force[i];
                        for j in 0..$v {
                            r += mass[i][j] * rates.a[j];
                        }
                        for (row, &lambda) in jacobian.iter().zip(rates.lambda) {
                            r -= row[i] * lambda;
                        }
                        out.r[i] = r;
                    }
                    let g = self.0.rates(at.t, at.q, at.v, at.z, at.u);
                    out.s = difference(rates.zdot, &g);
                    out.phi = self.0.phi(at.t, at.q);
                }
                fn constraint(&self, at: At<'_, Self>, out: &mut Constraint<Self>) {
                    out.phi = self.0.phi(at.t, at.q);
                    out.rate = self.0.phi_rate(at.t, at.q, at.v);
                    full(&self.0.jacobian(at.t, at.q), &mut out.jacobian);
                }
                fn momentum_rate(&self, at: At<'_, Self>, out: &mut [T; $v]) {
                    let step = moving(&[T::ZERO; $v], at.v);
                    let mass = self.0.mass(&self.0.retract(&fixed(at.q), &step));
                    for i in 0..$v {
                        out[i] = T::ZERO;
                        for j in 0..$v {
                            out[i] += mass[i][j].eps * at.v[j];
                        }
                    }
                }
                fn nominal(&self, u: &mut [T; $u]) {
                    *u = self.0.nominal().map(T::from_f64);
                }
                fn guess(&self, q: &mut [T; $q], v: &mut [T; $v], z: &mut [T; $z]) {
                    let (q0, v0, z0) = self.0.guess();
                    (*q, *v, *z) = (q0.map(T::from_f64), v0.map(T::from_f64), z0.map(T::from_f64));
                }
                fn initial_modes(&self, modes: &mut Vec<T>) {
                    *modes = self.0.initial_modes().into_iter().map(T::from_f64).collect();
                }
                fn guards(&self, at: At<'_, Self>, out: &mut Vec<T>) {
                    self.0.guards(at.t, (at.q, at.v, at.z), at.u, at.modes, out);
                }
                fn guard_rates(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Vec<T>) {
                    let mut dual = vec![Dual::constant(T::ZERO); out.len()];
                    let q = self.0.retract(&fixed(at.q), &moving(&[T::ZERO; $v], at.v));
                    let (v, z) = (moving(at.v, rates.a), moving(at.z, rates.zdot));
                    let modes: Vec<Dual<T>> = at.modes.iter().map(|&m| Dual::constant(m)).collect();
                    let u = fixed(at.u);
                    self.0.guards(Dual::new(at.t, T::ONE), (&q, &v, &z), &u, &modes, &mut dual);
                    for (to, from) in out.iter_mut().zip(dual) {
                        *to = from.eps;
                    }
                }
                fn reset(&self, event: usize, at: At<'_, Self>, out: Reset<'_, Self>) {
                    self.0.reset(event, at.t, (at.q, at.v, at.z), at.modes, (out.q, out.v, out.z, out.modes));
                }
                fn conditions(&self, at: At<'_, Self>, out: Conditions<'_, T>) {
                    self.0.init_position(at.q, out.position);
                    self.0.init_velocity(at.v, out.velocity);
                    let mut duals = [Dual::constant(T::ZERO); 8];
                    for j in 0..$v {
                        let q = self.0.along(at.q, &[T::ZERO; $v], j, T::ONE);
                        let np = out.position.len();
                        self.0.init_position(&q, &mut duals[..np]);
                        for i in 0..np {
                            out.position_jacobian[j * np + i] = duals[i].eps;
                        }
                        let v = seeded(at.v, Some(j), T::ONE);
                        let nw = out.velocity.len();
                        self.0.init_velocity(&v, &mut duals[..nw]);
                        for i in 0..nw {
                            out.velocity_jacobian[j * nw + i] = duals[i].eps;
                        }
                    }
                }
                fn qdot(&self, q: &[T; $q], v: &[T; $v], out: &mut [T; $q]) {
                    *out = self.0.qdot(q, v);
                }
                fn retract(&self, q: &[T; $q], step: &[T; $v], out: &mut [T; $q]) {
                    *out = self.0.retract(q, step);
                }
                fn local(&self, from: &[T; $q], to: &[T; $q], out: &mut [T; $v]) {
                    *out = self.0.local(from, to);
                }
                fn step_rate(&self, step: &[T; $v], v: &[T; $v], out: &mut [T; $v]) {
                    *out = self.0.step_rate(step, v);
                }
            }

            impl<T: Scalar, const D: bool> Linearize for On<$plant, T, D> {
                type Tangent = [T; $k];
                fn tangent(
                    &self,
                    at: At<'_, Self>,
                    rates: Rates<'_, Self>,
                    w: Weights<T>,
                    step: &[T; $v],
                    residual: &mut Residual<Self>,
                    out: &mut [T; $k],
                ) {
                    self.residual(at, rates, residual);
                    let dual: On<$plant, Dual<T>, D> = On(self.0, std::marker::PhantomData);
                    let mut column = Residual::zeros(&dual.layout());
                    const COLUMNS: usize = $v + $z;
                    let lambda = fixed(rates.lambda);
                    for j in 0..COLUMNS {
                        let z_j = j.checked_sub($v);
                        let q = self.0.along(at.q, step, j, w.position);
                        let v = seeded(at.v, Some(j), w.velocity);
                        let a = seeded(rates.a, Some(j), w.rates);
                        let z = seeded(at.z, z_j, w.state);
                        let zdot = seeded(rates.zdot, z_j, w.rates);
                        let u = fixed(at.u);
                        let at = At { t: Dual::constant(at.t), q: &q, v: &v, z: &z, u: &u,
                            modes: &at.modes.iter().map(|&m| Dual::constant(m)).collect() };
                        dual.residual(at, Rates { a: &a, zdot: &zdot, lambda: &lambda }, &mut column);
                        let rows = column.r.iter().chain(&column.s).chain(&column.phi);
                        for (to, from) in out[j * $n..(j + 1) * $n].iter_mut().zip(rows) {
                            *to = from.eps;
                        }
                    }
                    // r has −Gᵀ λ, and nothing else has λ
                    let jacobian = self.0.jacobian(at.t, at.q);
                    for (row, column) in jacobian.iter().zip(out[COLUMNS * $n..].chunks_exact_mut($n)) {
                        column.fill(T::ZERO);
                        for i in 0..$v {
                            column[i] = -row[i];
                        }
                    }
                }
            }

            impl<T: Real, const D: bool> Solvable for On<$plant, T, D> {
                type Saddle = $crate::solver!(T, $s, DenseSaddle $($saddle)?);
                type Kkt = $crate::solver!(T, $n, DenseKkt $($kkt)?);
                type Assembly = linalg::DenseSquare<T, $a>;
                type Algebra = linalg::DenseSquare<T, 0>;
                const DIRECT: bool = D;
                fn accelerations(&self, at: At<'_, Self>, a: &mut [T; $v], zdot: &mut [T; $z],
                    lambda: &mut [T; $c]) -> bool {
                    let Some((forward, saddle)) = factors(self, at) else { return false };
                    linalg::Saddle::accelerate(&saddle, &forward.force, &forward.gamma, a, lambda);
                    *zdot = forward.zdot;
                    true
                }
                fn correction(&self, at: At<'_, Self>, b: &[T; $c], step: &mut [T; $v]) -> bool {
                    let Some((_, saddle)) = factors(self, at) else { return false };
                    *step = [T::ZERO; $v];
                    linalg::Saddle::solve(&saddle, step, &mut b.clone());
                    true
                }
            }
        };
    };
}

/// Numbers in (−1, 1) that look random.
pub fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
