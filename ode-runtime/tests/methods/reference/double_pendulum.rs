//! Pendulums of two links in minimal coordinates, where M depends on q.

use ode_runtime::integrators::{BackwardEuler, DormandPrince, Geodesic, RungeKutta4, SemiExplicitEuler};
use ode_runtime::{Nominal, Scalar, Simulation, Start, State};

use super::{all_close, close, fixed};
use crate::common::plants::DoublePendulum;
use crate::common::{On, Plant, on};
use crate::dense_system;

#[test]
fn double_pendulum_in_minimal_coordinates() {
    // Long-double integration; a(0) by hand.
    let pendulum = on(DoublePendulum);
    let start = Start::default().solve(&pendulum, &Nominal).expect("consistent");
    close(start.a[0], -6.341_463_414_634_15, 1e-14);
    close(start.a[1], -1.463_414_634_146_34, 1e-14);
    let mut run = Simulation::of(&pendulum, Geodesic).adaptive(1e-13).expect("a start");
    run.advance_to(1.0).expect("steps");
    let want = [-2.227_202_839_965_53, -1.489_687_701_107_5, -1.949_597_460_876_21, -3.948_042_709_793_94];
    for (got, want) in run.state().q.iter().chain(&run.state().v).zip(want) {
        close(*got, want, 1e-11);
    }
    // Project Chrono's RK4, h = 1e-3: 3e-13 and an energy off by 6e-12.
    let x = fixed(&pendulum, RungeKutta4, 1e-3, 1.0);
    all_close(&x.q, &want[..2], 5e-13);
    assert!(DoublePendulum::energy(&x.q, &x.v).abs() < 7e-12);
    // Project Chrono's EulerImplicit, h = 1e-3, stops its iterations at 1e-10.
    let x = fixed(&pendulum, BackwardEuler::default(), 1e-3, 1.0);
    close(x.q[0], -2.225_166_743_197_3, 1e-11);
    close(x.q[1], -1.491_711_261_291_2, 1e-11);
}

#[test]
fn semi_explicit_euler_in_its_three_forms() {
    let pendulum = on(DoublePendulum);
    let energy = |x: &State<On<DoublePendulum>>| DoublePendulum::energy(&x.q, &x.v);
    // Implicit in v: long-double integration.
    let x = fixed(&pendulum, SemiExplicitEuler::implicit_velocity(), 0.01, 1.0);
    let want = [-2.233_971_789_381, -1.510_724_989_639, -1.942_504_840_555, -3.938_144_700_203];
    for (got, want) in x.q.iter().chain(&x.v).zip(want) {
        close(*got, want, 1e-12);
    }
    assert!((energy(&x) + 6.09e-3).abs() < 5e-6);
    let x = fixed(&pendulum, SemiExplicitEuler::implicit_velocity(), 1e-3, 1.0);
    close(x.q[0], -2.227_884_363_591, 1e-12);
    close(x.q[1], -1.491_797_587_76, 1e-12);
    // Implicit in q: the same source, printed with nine digits.
    let x = fixed(&pendulum, SemiExplicitEuler::implicit_position(), 0.01, 1.0);
    close(x.q[0], -2.220_329_92, 3e-9);
    close(x.q[1], -1.468_512_85, 3e-9);
    // Explicit: the energy it gains, at t = 1 and t = 50.
    let x = fixed(&pendulum, SemiExplicitEuler::explicit(), 0.01, 1.0);
    assert!((energy(&x) - 2.26e-1).abs() < 5e-4);
    assert!((energy(&fixed(&pendulum, SemiExplicitEuler::explicit(), 0.01, 50.0)) - 0.654).abs() < 5e-4);
    assert!((energy(&fixed(&pendulum, SemiExplicitEuler::implicit_velocity(), 0.01, 50.0)) + 0.0051).abs() < 5e-5);
}

/// Unit masses on unit rods, angles from the downward vertical, g = 9.81, both level at the start.
#[derive(Clone, Copy, Debug)]
struct PointPendulum;

impl Plant<2, 0, 0, 0> for PointPendulum {
    fn mass<T: Scalar>(&self, q: &[T; 2]) -> [[T; 2]; 2] {
        let off = (q[0] - q[1]).cos();
        [[T::from_f64(2.0), off], [off, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 2], v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        let (s, g) = ((q[0] - q[1]).sin(), T::from_f64(9.81));
        [-(s * v[1] * v[1]) - T::from_f64(2.0) * g * q[0].sin(), s * v[0] * v[0] - g * q[1].sin()]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([std::f64::consts::FRAC_PI_2; 2], [0.0; 2], [])
    }
}
dense_system!(PointPendulum, q 2 ["a", "b"], z 0 [], c 0 [], u 0 [], mass 3, jacobian 0, n 2, tangent 4, saddle 2,
    assembly 2, init [], []);

#[test]
fn double_pendulum_of_points_after_five_seconds() {
    // 128-bit extrapolation; a Taylor method agrees to 4e-15.
    let system = on(PointPendulum);
    let mut run = Simulation::of(&system, DormandPrince).adaptive(1e-14).expect("a start");
    run.advance_to(5.0).expect("steps");
    all_close(&run.state().q, &[-0.627_186_705_066_530_73, -1.301_315_550_209_811_7], 1e-11);
    all_close(&run.state().v, &[2.125_408_673_842_910_7, 3.881_888_727_265_607_4], 1e-11);
}

/// A cart of mass 1 that carries two points of mass ½ on rods of ½, angles from the downward vertical, g = 9.81.
#[derive(Clone, Copy, Debug)]
struct CartPendulum;

impl Plant<3, 0, 0, 0> for CartPendulum {
    fn mass<T: Scalar>(&self, q: &[T; 3]) -> [[T; 3]; 3] {
        let c = T::from_f64;
        let (first, second, both) = (c(0.5) * q[1].cos(), c(0.25) * q[2].cos(), c(0.125) * (q[1] - q[2]).cos());
        [[c(2.0), first, second], [first, c(0.25), both], [second, both, c(0.125)]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 3], v: &[T; 3], _z: &[T; 0], _u: &[T; 0]) -> [T; 3] {
        let c = T::from_f64;
        let [_, a, b] = *q;
        let (va, vb, between) = (v[1] * v[1], v[2] * v[2], c(0.125) * (a - b).sin());
        [
            c(0.5) * a.sin() * va + c(0.25) * b.sin() * vb,
            -(between * vb) - c(0.5 * 9.81) * a.sin(),
            between * va - c(0.25 * 9.81) * b.sin(),
        ]
    }
    fn guess(&self) -> ([f64; 3], [f64; 3], [f64; 0]) {
        ([0.0, 2.0, 1.5], [0.0; 3], [])
    }
}
dense_system!(CartPendulum, q 3 ["x", "a", "b"], z 0 [], c 0 [], u 0 [], mass 6, jacobian 0, n 3, tangent 9, saddle 3,
    assembly 3, init [], []);

#[test]
fn cart_with_a_double_pendulum_after_five_seconds() {
    // 128-bit extrapolation. Chaotic: round-off grows by 1e5 to 1e6.
    let system = on(CartPendulum);
    let mut run = Simulation::of(&system, DormandPrince).adaptive(1e-14).expect("a start");
    run.advance_to(5.0).expect("steps");
    let x = run.state();
    all_close(&x.q, &[0.535_577_792_759_877_4, -1.475_679_428_305_423_1, 2.591_897_761_343_823_6], 1e-9);
    all_close(&x.v, &[9.339_433_866_422_658e-3, 1.492_726_928_544_282_1, 0.420_149_325_984_282_8], 1e-9);
    all_close(&x.a, &[-0.764_398_354_389_033_5, 20.343_683_722_925_894, 2.454_764_145_741_016], 1e-9);
}
