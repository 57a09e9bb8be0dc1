//! Steps as small as they come: the symplectic methods from the largest that is stable to 10⁻⁸ s, and all others to
//! 10⁻¹⁰ s. They converge to what round-off allows, in a handful of solves, whatever the unit of length is.

use crate::common::erased::{Erased, Shared};
use crate::common::squeezer::Squeezer;
use crate::common::{On, Plant, on};
use crate::dense_system;
use ode_runtime::integrators::{
    BackwardEuler, Bdf2, Composition, DormandPrince, ExplicitMidpoint, GeneralizedAlpha, Geodesic, ImplicitMidpoint,
    Leapfrog, RungeKutta4, SemiExplicitEuler, SemiExplicitPair, StormerVerlet, SymplecticEuler,
};
use ode_runtime::solve::Projection;
use ode_runtime::{Linearize, Method, Scalar, Simulation, Solvable, State};

/// The squeezer where a length of 1 m is this number.
#[derive(Clone, Copy, Debug)]
struct Squeezed(f64);

impl Plant<7, 0, 6, 0> for Squeezed {
    fn mass<T: Scalar>(&self, q: &[T; 7]) -> [[T; 7]; 7] {
        Squeezer.mass(q).map(|row| row.map(|m| T::from_f64(self.0 * self.0) * m))
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 7], v: &[T; 7], z: &[T; 0], u: &[T; 0]) -> [T; 7] {
        Squeezer.force(t, q, v, z, u).map(|force| T::from_f64(self.0 * self.0) * force)
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 7]) -> [T; 6] {
        Squeezer.phi(t, q).map(|phi| T::from_f64(self.0) * phi)
    }
    fn guess(&self) -> ([f64; 7], [f64; 7], [f64; 0]) {
        Squeezer.guess()
    }
}
dense_system!(Squeezed, q 7 ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"], z 0 [],
    c 6 ["x1", "y1", "x2", "y2", "x3", "y3"], u 0 [], mass 28, jacobian 42, n 13, tangent 169, saddle 13, assembly 13,
    init [], []);

/// A point mass on a circle of 1 m, which is this number.
#[derive(Clone, Copy, Debug)]
struct Pendulum(f64);

impl Plant<2, 0, 1, 0> for Pendulum {
    const CONSTANT_MASS: bool = true;
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        [T::ZERO, T::from_f64(-9.81 * self.0)]
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 2]) -> [T; 1] {
        [T::from_f64(0.5) * (q[0] * q[0] + q[1] * q[1] - T::from_f64(self.0 * self.0))]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([self.0, 0.0], [0.0; 2], [])
    }
}
dense_system!(Pendulum, q 2 ["x", "y"], z 0 [], c 1 ["circle"], u 0 [], mass 3, jacobian 2, n 3, tangent 9, saddle 3,
    assembly 3, init [], []);

/// Left and right end of a bar of 1 m, which is this number, on springs; the right wheel follows (√(1 − y²), y), y
/// = 0.1 sin 10 t: the car axis of the IVP test set.
#[derive(Clone, Copy, Debug)]
struct CarAxis(f64);

impl CarAxis {
    fn wheel<T: Scalar>(self, t: T) -> [T; 2] {
        let y = T::from_f64(0.1) * (T::from_f64(10.0) * t).sin();
        [(T::ONE - y * y).sqrt(), y].map(|x| T::from_f64(self.0) * x)
    }

    /// Force of a spring of stiffness 1 and length ½ along `arm`.
    fn pull<T: Scalar>(self, arm: [T; 2]) -> [T; 2] {
        let length = (arm[0] * arm[0] + arm[1] * arm[1]).sqrt();
        arm.map(|x| (T::from_f64(0.5 * self.0) - length) * x / length)
    }
}

impl Plant<4, 0, 2, 0> for CarAxis {
    const CONSTANT_MASS: bool = true;
    fn mass<T: Scalar>(&self, _q: &[T; 4]) -> [[T; 4]; 4] {
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { T::from_f64(5e-4) } else { T::ZERO }))
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 4], _v: &[T; 4], _z: &[T; 0], _u: &[T; 0]) -> [T; 4] {
        let ([x, y], weight) = (self.wheel(t), T::from_f64(5e-4 * self.0));
        let (left, right) = (self.pull([q[0], q[1]]), self.pull([q[2] - x, q[3] - y]));
        [left[0], left[1] - weight, right[0], right[1] - weight]
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 4]) -> [T; 2] {
        let ([x, y], [dx, dy]) = (self.wheel(t), [q[0] - q[2], q[1] - q[3]]);
        [q[0] * x + q[1] * y, dx * dx + dy * dy - T::from_f64(self.0 * self.0)]
    }
    fn guess(&self) -> ([f64; 4], [f64; 4], [f64; 0]) {
        ([0.0, 0.5, 1.0, 0.5].map(|x| self.0 * x), [-0.5, 0.0, -0.5, 0.0].map(|x| self.0 * x), [])
    }
}
dense_system!(CarAxis, q 4 ["xl", "yl", "xr", "yr"], z 0 [], c 2 ["ground", "bar"], u 0 [], mass 10, jacobian 8, n 6,
    tangent 36, saddle 6, assembly 6, init [], []);

/// What a system asks of the methods.
struct Case<S: Solvable<Real = f64>> {
    system: S,
    start: State<S>,
    /// the largest step
    most: f64,
    /// the largest step of which errors follow the order, for order 2 and below
    regular: f64,
    /// solves a step from these steps on downwards, and in a part of a composition
    solves: &'static [(f64, f64, f64)],
    /// what round-off is worth in q, v, Φ and Φ̇
    scales: [f64; 4],
}

fn squeezer(length: f64) -> Case<On<Squeezed>> {
    let solves: &[_] = &[(4e-4, 5.0, 7.6), (5e-5, 3.6, 4.7), (6.3e-6, 3.3, 4.3), (8e-7, 3.0, 4.0), (1e-7, 2.3, 3.5)];
    Case::new(on(Squeezed(length)), 0.01, 4e-4, 3e-5, solves, [1.0, 1e3, length, 1e3 * length])
}

fn car_axis(length: f64) -> Case<On<CarAxis>> {
    let solves: &[_] = &[(2e-2, 6.4, 5.1), (2.5e-3, 3.3, 3.3)];
    let rows = [length * length, 10.0 * length * length];
    Case::new(on(CarAxis(length)), 0.3, 2e-2, 2e-3, solves, [length, 10.0 * length, rows[0], rows[1]])
}

fn pendulum(length: f64) -> Case<On<Pendulum>> {
    let solves: &[_] = &[(0.1, 6.4, 6.5), (1.3e-2, 3.7, 3.6), (1.6e-3, 3.3, 3.3)];
    let rows = [length * length, 10.0 * length * length];
    Case::new(on(Pendulum(length)), 0.3, 0.1, 2e-2, solves, [length, 10.0 * length, rows[0], rows[1]])
}

fn off(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

impl<S: Solvable<Real = f64> + Linearize + 'static> Case<S> {
    /// The motion after `time`.
    fn new(
        system: S,
        time: f64,
        most: f64,
        regular: f64,
        solves: &'static [(f64, f64, f64)],
        scales: [f64; 4],
    ) -> Self {
        let close = Projection::to(1e-14 * scales[2]);
        let mut run = Simulation::of(&system, Geodesic).project(close).adaptive(1e-8).expect("a start");
        run.advance_to(time).expect("steps");
        let start = run.state().clone();
        Self { system, start, most, regular, solves, scales }
    }

    fn run<M: Method<S>>(&self, method: M, h: f64) -> Simulation<'_, S, M> {
        Simulation::of(&self.system, method).given(self.start.clone()).fixed(h).expect("a start")
    }

    /// q and v after `steps` steps of `h`.
    fn after(&self, name: &str, method: &dyn Erased<S>, h: f64, steps: u32) -> [Vec<f64>; 2] {
        let mut run = self.run(Shared(method), h);
        for _ in 0..steps {
            run.step_towards(f64::INFINITY).unwrap_or_else(|error| panic!("{name}, h = {h:e}: {error}"));
        }
        [run.state().q.as_ref().to_vec(), run.state().v.as_ref().to_vec()]
    }

    /// Errors of q and v after one step of `h`.
    fn errors(&self, name: &str, method: &dyn Erased<S>, h: f64) -> [f64; 2] {
        let fine = self.after("reference", &Composition::kahan_li_8(StormerVerlet::default()), h / 4.0, 4);
        let found = self.after(name, method, h, 1);
        [off(&found[0], &fine[0]), off(&found[1], &fine[1])]
    }

    /// A hundred steps of each size; constraints hold, and errors fall with the order down to round-off.
    fn holds(&self, name: &str, method: &dyn Erased<S>, order: i32, parts: f64) {
        let mut last: Option<[f64; 2]> = None;
        let mut h = self.most;
        while h > 0.7e-8 {
            let mut run = self.run(Shared(method), h);
            let begun = run.statistics().work.solves;
            for _ in 0..100 {
                run.step_towards(f64::INFINITY).unwrap_or_else(|error| panic!("{name}, h = {h:e}: {error}"));
                let (phi, rate) = run.drift().expect("finite");
                let bounds = [self.scales[2], self.scales[3]].map(|scale| 64.0 * f64::EPSILON * scale);
                assert!(phi < bounds[0] && rate < bounds[1], "{name}, h = {h:e}: {phi:e} {rate:e}");
            }
            let solves = (run.statistics().work.solves - begun) as f64 / 100.0 / parts;
            let (_, whole, part) = self.solves.iter().rev().find(|row| h <= 1.01 * row.0).expect("the largest");
            let allowed = if parts > 1.0 { part } else { whole };
            assert!(solves <= *allowed, "{name}, h = {h:e}: {solves} solves a step");
            let regular = self.regular * if order > 2 { 3.0 } else { 1.0 };
            if h <= regular {
                let errors = self.errors(name, method, h);
                for (i, scale) in self.scales.iter().take(2).enumerate() {
                    let floor = 32.0 * f64::EPSILON * scale;
                    let most = last.map_or(f64::INFINITY, |last| 2.0 * last[i] / 8.0_f64.powi(order + 1));
                    let error = errors[i];
                    assert!(error <= most.max(floor), "{name}, h = {h:e}: error {error:e} of {i}, {most:e}, {floor:e}");
                }
                last = Some(errors);
            }
            h /= 8.0;
        }
    }

    /// A hundred steps of each size down to 10⁻¹⁰ s: errors fall with the order, or are those of round-off, which of Φ
    /// over h is a velocity.
    fn shrinks(&self, name: &str, method: &dyn Erased<S>, order: i32) {
        let mut last: Option<[f64; 2]> = None;
        for exponent in 5..=10 {
            let h = self.most * 100.0 * 10.0_f64.powi(-exponent);
            let fine = self.after("reference", &Composition::kahan_li_8(StormerVerlet::default()), 20.0 * h, 5);
            let found = self.after(name, method, h, 100);
            for (i, scale) in self.scales.iter().take(2).enumerate() {
                let error = off(&found[i], &fine[i]);
                let over = if i == 1 { self.scales[0] / h } else { 0.0 };
                let floor = 400.0 * f64::EPSILON * (scale + over);
                let most = last.map_or(f64::INFINITY, |last| {
                    4.0 * last[i] / 10.0_f64.powi(order + i32::from(i == 0 && order == 1))
                });
                assert!(error <= most.max(floor), "{name}, h = {h:e}: error {error:e} of {i}, {most:e}, {floor:e}");
                let slot = last.get_or_insert([f64::INFINITY; 2]);
                slot[i] = error;
            }
        }
    }
}

fn every_symplectic_method<S: Solvable<Real = f64> + Linearize + 'static>(case: &Case<S>) {
    let verlet = StormerVerlet::default();
    case.holds("Störmer–Verlet", &verlet, 2, 1.0);
    case.holds("momenta first", &SymplecticEuler::momenta_first(), 1, 1.0);
    case.holds("positions first", &SymplecticEuler::positions_first(), 1, 1.0);
    case.holds("midpoint", &ImplicitMidpoint::default(), 2, 1.0);
    case.holds("triple jump", &Composition::triple_jump(verlet), 4, 3.0);
    case.holds("Suzuki", &Composition::suzuki(verlet), 4, 5.0);
    case.holds("Kahan–Li 6", &Composition::kahan_li_6(verlet), 6, 9.0);
    case.holds("Kahan–Li 8", &Composition::kahan_li_8(verlet), 8, 17.0);
    case.holds("Suzuki of the midpoint", &Composition::suzuki(ImplicitMidpoint::default()), 4, 5.0);
}

fn some_symplectic_methods<S: Solvable<Real = f64> + Linearize + 'static>(case: &Case<S>) {
    case.holds("Störmer–Verlet", &StormerVerlet::default(), 2, 1.0);
    case.holds("positions first", &SymplecticEuler::positions_first(), 1, 1.0);
    case.holds("midpoint", &ImplicitMidpoint::default(), 2, 1.0);
    case.holds("Kahan–Li 6", &Composition::kahan_li_6(StormerVerlet::default()), 6, 9.0);
}

fn every_other_method<S: Solvable<Real = f64> + Linearize + 'static>(case: &Case<S>) {
    case.shrinks("generalised-α", &GeneralizedAlpha::with_spectral_radius(0.8), 2);
    case.shrinks("HHT", &GeneralizedAlpha::hht(-0.2), 2);
    case.shrinks("trapezoidal", &GeneralizedAlpha::trapezoidal(), 2);
    case.shrinks("BDF2", &Bdf2::default(), 2);
    case.shrinks("backward Euler", &BackwardEuler::default(), 1);
    case.shrinks("backward Euler, linearised", &BackwardEuler::linearized(), 1);
    case.shrinks("semi-explicit Euler", &SemiExplicitEuler::explicit(), 1);
    case.shrinks("semi-explicit Euler, positions", &SemiExplicitEuler::implicit_position(), 1);
    case.shrinks("semi-explicit Euler, velocities", &SemiExplicitEuler::implicit_velocity(), 1);
    case.shrinks("semi-explicit pair", &SemiExplicitPair, 2);
    case.shrinks("leapfrog", &Leapfrog::default(), 2);
    case.shrinks("explicit midpoint", &ExplicitMidpoint, 2);
    case.shrinks("Runge–Kutta 4", &RungeKutta4, 4);
    case.shrinks("geodesic", &Geodesic, 4);
    case.shrinks("Dormand–Prince", &DormandPrince, 5);
}

#[test]
fn the_squeezer_steps_at_any_size() {
    every_symplectic_method(&squeezer(1.0));
}

#[test]
fn the_car_axis_steps_at_any_size() {
    every_symplectic_method(&car_axis(1.0));
}

#[test]
fn the_pendulum_steps_at_any_size() {
    every_symplectic_method(&pendulum(1.0));
}

#[test]
fn steps_are_of_any_size_in_small_units() {
    some_symplectic_methods(&squeezer(1e6));
    some_symplectic_methods(&car_axis(1e6));
    some_symplectic_methods(&pendulum(1e6));
}

#[test]
fn steps_are_of_any_size_in_large_units() {
    some_symplectic_methods(&squeezer(1e-6));
    some_symplectic_methods(&car_axis(1e-6));
    some_symplectic_methods(&pendulum(1e-6));
}

#[test]
fn other_methods_lose_round_off_in_small_steps_of_the_pendulum() {
    every_other_method(&pendulum(1.0));
}

#[test]
fn other_methods_lose_round_off_in_small_steps_of_the_squeezer() {
    every_other_method(&squeezer(1.0));
}

/// A million steps: round-off adds up as a random walk does, and beside it the energy sways by (h ω)²/24 of itself and
/// less.
#[test]
fn energy_walks_at_random_in_small_steps() {
    let case = pendulum(1.0);
    let (h, steps) = (1e-6, 1_000_000);
    let mut run = case.run(StormerVerlet::default(), h);
    let energy = |x: &State<On<Pendulum>>| 0.5 * (x.v[0] * x.v[0] + x.v[1] * x.v[1]) + 9.81 * x.q[1];
    let (begun, mut worst) = (energy(run.state()), 0.0_f64);
    for _ in 0..steps {
        run.step_towards(f64::INFINITY).expect("a step");
        worst = worst.max((energy(run.state()) - begun).abs());
    }
    let allowed = 9.81 * (8.0 * f64::EPSILON * f64::from(steps).sqrt() + h * h * 9.81);
    assert!(worst < allowed, "{worst:e} of {allowed:e}");
}
