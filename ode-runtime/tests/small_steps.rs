//! The symplectic methods from steps as large as they go to 10⁻⁸ s: they converge to what round-off allows, in a
//! handful of solves.

mod common;

use common::plants::Pendulum;
use common::squeezer::Squeezer;
use common::{Plant, on};
use ode_runtime::integrators::{Composition, Geodesic, ImplicitMidpoint, StormerVerlet, SymplecticEuler};
use ode_runtime::solve::Projection;
use ode_runtime::{Linearize, Method, Scalar, Simulation, Solvable, State};

/// Left and right end of a bar of length 1 on springs; the right wheel follows (√(1 − y²), y), y = 0.1 sin 10 t: the
/// car axis of the IVP test set.
#[derive(Clone, Copy, Debug)]
struct CarAxis;

fn wheel<T: Scalar>(t: T) -> [T; 2] {
    let y = T::from_f64(0.1) * (T::from_f64(10.0) * t).sin();
    [(T::ONE - y * y).sqrt(), y]
}

/// Force of a spring of stiffness 1 and length ½ along `arm`.
fn pull<T: Scalar>(arm: [T; 2]) -> [T; 2] {
    let length = (arm[0] * arm[0] + arm[1] * arm[1]).sqrt();
    arm.map(|x| (T::from_f64(0.5) - length) * x / length)
}

impl Plant<4, 0, 2, 0> for CarAxis {
    fn mass<T: Scalar>(&self, _q: &[T; 4]) -> [[T; 4]; 4] {
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { T::from_f64(5e-4) } else { T::ZERO }))
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 4], _v: &[T; 4], _z: &[T; 0], _u: &[T; 0]) -> [T; 4] {
        let ([x, y], weight) = (wheel(t), T::from_f64(5e-4));
        let (left, right) = (pull([q[0], q[1]]), pull([q[2] - x, q[3] - y]));
        [left[0], left[1] - weight, right[0], right[1] - weight]
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 4]) -> [T; 2] {
        let ([x, y], [dx, dy]) = (wheel(t), [q[0] - q[2], q[1] - q[3]]);
        [q[0] * x + q[1] * y, dx * dx + dy * dy - T::ONE]
    }
    fn guess(&self) -> ([f64; 4], [f64; 4], [f64; 0]) {
        ([0.0, 0.5, 1.0, 0.5], [-0.5, 0.0, -0.5, 0.0], [])
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
    /// solves allowed a step at `most` and at a tenth of it
    solves: [f64; 2],
    /// what round-off is worth in q and v
    scales: [f64; 2],
}

impl<S: Solvable<Real = f64>> Case<S> {
    /// The motion after `time`.
    fn new(system: S, time: f64, most: f64, regular: f64, solves: [f64; 2], scales: [f64; 2]) -> Self {
        let mut run = Simulation::of(&system, Geodesic).project(Projection::to(1e-14)).adaptive(1e-8).expect("a start");
        run.advance_to(time).expect("steps");
        let start = run.state().clone();
        Self { system, start, most, regular, solves, scales }
    }

    fn run<M: Method<S>>(&self, method: M, h: f64) -> Simulation<'_, S, M> {
        Simulation::of(&self.system, method).given(self.start.clone()).fixed(h).expect("a start")
    }

    /// Errors of q and v after one step of `h`.
    fn errors<M: Method<S>>(&self, method: M, h: f64) -> [f64; 2] {
        let mut one = self.run(method, h);
        one.step_towards(f64::INFINITY).expect("a step");
        let mut fine = self.run(Composition::kahan_li_8(StormerVerlet::default()), h / 4.0);
        (0..4).for_each(|_| assert!(fine.step_towards(f64::INFINITY).is_ok()));
        let off = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let (x, y) = (one.state(), fine.state());
        [off(x.q.as_ref(), y.q.as_ref()), off(x.v.as_ref(), y.v.as_ref())]
    }

    fn holds<M: Method<S> + Copy>(&self, name: &str, method: M, order: i32, parts: f64) {
        let mut last: Option<[f64; 2]> = None;
        let mut h = self.most;
        while h > 0.7e-8 {
            let mut run = self.run(method, h);
            let begun = run.statistics().work.solves;
            for _ in 0..100 {
                run.step_towards(f64::INFINITY).unwrap_or_else(|error| panic!("{name}: {error}"));
                let (phi, rate) = run.drift().expect("finite");
                let bounds = self.scales.map(|scale| 64.0 * f64::EPSILON * scale);
                assert!(phi < bounds[0] && rate < bounds[1], "{name}, h = {h:e}: {phi:e} {rate:e}");
            }
            let work = run.statistics().work;
            let solves = (work.solves - begun) as f64 / 100.0 / parts;
            let allowed = if h > 0.1 * self.most { self.solves[0] } else { self.solves[1] };
            assert!(solves <= allowed, "{name}, h = {h:e}: {solves} solves a step");
            let regular = self.regular * if order > 2 { 3.0 } else { 1.0 };
            if h <= regular {
                let errors = self.errors(method, h);
                for (i, scale) in self.scales.iter().enumerate() {
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
}

fn every_method<S: Solvable<Real = f64> + Linearize>(case: &Case<S>) {
    let verlet = StormerVerlet::default();
    case.holds("Störmer–Verlet", verlet, 2, 1.0);
    case.holds("momenta first", SymplecticEuler::momenta_first(), 1, 1.0);
    case.holds("positions first", SymplecticEuler::positions_first(), 1, 1.0);
    case.holds("midpoint", ImplicitMidpoint::default(), 2, 1.0);
    case.holds("triple jump", Composition::triple_jump(verlet), 4, 3.0);
    case.holds("Suzuki", Composition::suzuki(verlet), 4, 5.0);
    case.holds("Kahan–Li 6", Composition::kahan_li_6(verlet), 6, 9.0);
    case.holds("Kahan–Li 8", Composition::kahan_li_8(verlet), 8, 17.0);
    case.holds("Suzuki of the midpoint", Composition::suzuki(ImplicitMidpoint::default()), 4, 5.0);
}

#[test]
fn the_squeezer_steps_at_any_size() {
    every_method(&Case::new(on(Squeezer), 0.01, 4e-4, 3e-5, [9.0, 5.0], [1.0, 1e3]));
}

#[test]
fn the_car_axis_steps_at_any_size() {
    every_method(&Case::new(on(CarAxis), 0.3, 2e-2, 2e-3, [8.5, 5.0], [1.0, 10.0]));
}

#[test]
fn the_pendulum_steps_at_any_size() {
    every_method(&Case::new(on(Pendulum::standard()), 0.3, 0.1, 2e-2, [8.5, 5.0], [1.0, 10.0]));
}
