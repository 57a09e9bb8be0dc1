//! Points that attract each other.

use ode_runtime::Scalar;
use ode_runtime::Simulation;
use ode_runtime::State;
use ode_runtime::integrators::{DormandPrince, ImplicitMidpoint};

use super::all_close;
use crate::common::points::Points;
use crate::common::{Plant, on};
use crate::dense_system;

/// x″ = −x/r³, eccentricity ½, from the pericentre.
#[derive(Clone, Copy, Debug)]
struct Kepler;

impl Plant<2, 0, 0, 0> for Kepler {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        let square = q[0] * q[0] + q[1] * q[1];
        q.map(|x| -(x / (square * square.sqrt())))
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([0.5, 0.0], [0.0, 3f64.sqrt()], [])
    }
}
dense_system!(Kepler, q 2 ["x", "y"], z 0 [], c 0 [], u 0 [], mass 3, jacobian 0, n 2, tangent 4, saddle 2, assembly 2,
    init [], []);

/// The restricted three bodies in the turning frame, μ = 0.012277471.
#[derive(Clone, Copy, Debug)]
struct Arenstorf;

impl Plant<2, 0, 0, 0> for Arenstorf {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 2], v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        let (moon, two) = (0.012_277_471, T::from_f64(2.0));
        let (earth, [x, y]) = (1.0 - moon, *q);
        let (to_earth, to_moon) = (x + T::from_f64(moon), x - T::from_f64(earth));
        let pull = |mass: f64, dx: T| {
            let square = dx * dx + y * y;
            T::from_f64(mass) / (square * square.sqrt())
        };
        let (d1, d2) = (pull(earth, to_earth), pull(moon, to_moon));
        [x + two * v[1] - d1 * to_earth - d2 * to_moon, y - two * v[0] - (d1 + d2) * y]
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([0.994, 0.0], [0.0, -2.001_585_106_379_082_4], [])
    }
}
dense_system!(Arenstorf, q 2 ["x", "y"], z 0 [], c 0 [], u 0 [], mass 3, jacobian 0, n 2, tangent 4, saddle 2, assembly 2,
    init [], []);

#[test]
fn kepler_ellipse() {
    // Closed form at t = 20; rates by a 128-bit integration that agrees with it to 2e-28.
    let system = on(Kepler);
    let mut run = Simulation::of(&system, DormandPrince).adaptive(1e-14).expect("a start");
    run.advance_to(20.0).expect("steps");
    all_close(&run.state().q, &[-0.578_043_295_303_536_1, 0.863_384_000_919_419_3], 1e-11);
    all_close(&run.state().v, &[-0.959_508_373_038_072_7, -0.065_049_151_267_120_9], 1e-11);
}

#[test]
fn the_midpoint_goes_round_the_sun_as_sofas_variational_solver() {
    // SOFA's test of its VariationalSymplecticSolver, the midpoint rule: g = 0.075 and masses of 1, from r = 1 across
    // the axis with 0.18, 1700 steps a period. It allows 8e-5 between the planet and the ellipse at the planet's angle,
    // and 1.1e-3 between the start and the ellipse at the angle of step 1699. Its energy, 1e-14, is a sum of f·Δq along
    // the steps, which balances whatever the motion.
    let (pull, speed) = (0.075_f64, 0.18_f64);
    let eccentricity = 1.0 - speed * speed / pull;
    let axis = pull / (2.0 * pull - speed * speed);
    // In units of time in which the pull is 1.
    let steps = 1700.0;
    let h = std::f64::consts::TAU * axis * axis.sqrt() / steps;
    let system = on(Kepler);
    let mut start = State::neutral(&system);
    (start.q, start.v) = ([1.0, 0.0], [0.0, speed / pull.sqrt()]);
    let mut run = Simulation::of(&system, ImplicitMidpoint::default()).given(start).fixed(h).expect("a start");
    let mut ellipse = [1.0, 0.0];
    let (mut off, mut summed, mut unbalanced) = (0.0_f64, 0.0, 0.0_f64);
    let kinetic = |v: &[f64; 2]| 0.5 * (v[0] * v[0] + v[1] * v[1]);
    let begun = kinetic(&run.state().v);
    for step in 0..1700 {
        let State { q: [x, y], v, .. } = *run.state();
        let (sin, cos) = y.atan2(x).sin_cos();
        let radius = (1.0 - eccentricity) / (1.0 - eccentricity * cos);
        ellipse = [radius * cos, radius * sin];
        off = off.max((x - ellipse[0]).hypot(y - ellipse[1]));
        run.step_towards(h * f64::from(step + 1)).expect("a step");
        let after = run.state();
        // f at the middle is the quotient of the velocities.
        for i in 0..2 {
            summed += (after.v[i] - v[i]) / h * (after.q[i] - [x, y][i]);
        }
        unbalanced = unbalanced.max((kinetic(&after.v) - begun - summed).abs() * pull);
    }
    // Recomputed in Python, 7.45e-5 and 1.091e-3.
    assert!(off < 8e-5 && off > 7.4e-5, "{off:e}");
    let late = (1.0 - ellipse[0]).hypot(ellipse[1]);
    assert!(late < 1.1e-3 && late > 1.09e-3, "{late:e}");
    assert!(unbalanced < 1e-14, "{unbalanced:e}");
}

#[test]
fn arenstorf_orbit_closes() {
    // One period returns to the start: 128-bit extrapolation, to 5e-25. Two close passes of the moon magnify errors.
    let system = on(Arenstorf);
    let mut run = Simulation::of(&system, DormandPrince).adaptive_from(1e-14, 0.1).expect("a start");
    run.advance_to(17.065_216_560_157_963).expect("steps");
    let x = run.state();
    all_close(&x.q, &[0.994, 0.0], 1e-10);
    all_close(&x.v, &[0.0, -2.001_585_106_379_082_4], 1e-10);
}

/// Seven stars of masses 1 to 7 in the plane; x₁ … x₇, y₁ … y₇.
fn pleiades() -> Points {
    let mass = (0..14).map(|i| f64::from(i % 7 + 1)).collect();
    let q = vec![3.0, 3.0, -1.0, -3.0, 2.0, -2.0, 2.0, 3.0, -3.0, 2.0, 0.0, 0.0, -4.0, 4.0];
    let v = vec![0.0, 0.0, 0.0, 0.0, 0.0, 1.75, -1.5, 0.0, 0.0, 0.0, -1.25, 1.0, 0.0, 0.0];
    Points::free(1, mass, q, v, |q, _v, out| {
        let ((x, y), mass) = (q.split_at(7), |i: usize| (i + 1) as f64);
        out.fill(0.0);
        for i in 0..7 {
            for j in (0..7).filter(|&j| j != i) {
                let (dx, dy) = (x[j] - x[i], y[j] - y[i]);
                let square = dx * dx + dy * dy;
                let pull = mass(i) * mass(j) / (square * square.sqrt());
                out[i] += pull * dx;
                out[7 + i] += pull * dy;
            }
        }
    })
}

#[test]
fn pleiades_after_three_units_of_time() {
    // IVP test set, PSIDE at 1e-16, and a 128-bit extrapolation that agrees to 1e-15: these are its digits.
    let q = [
        0.370_613_914_397_051_27,
        3.237_284_092_057_233,
        -3.222_559_032_418_323_5,
        0.659_709_145_577_530_8,
        0.342_558_170_715_658,
        1.562_172_101_400_631_1,
        -0.700_309_292_221_249_5,
        -3.943_437_585_517_392,
        -3.271_380_973_972_55,
        5.225_081_843_456_544,
        -2.590_612_434_977_469_3,
        1.198_213_693_392_274_7,
        -0.242_968_234_493_582_35,
        1.091_449_240_428_979_7,
    ];
    let v = [
        3.417_003_806_314_314_7,
        1.354_584_501_625_501_1,
        -2.590_065_597_810_775_6,
        2.025_053_734_714_241,
        -1.155_815_100_160_449,
        -0.807_298_817_022_302_2,
        0.595_239_635_420_871_9,
        -3.741_244_961_234_008_4,
        0.377_345_968_575_062_9,
        0.938_685_886_955_107_9,
        0.366_792_222_720_056_96,
        -0.347_404_635_380_849_4,
        2.344_915_448_180_937,
        -1.947_020_434_263_292,
    ];
    let stars = pleiades();
    let mut run = Simulation::of(&stars, DormandPrince).given(stars.start()).adaptive(1e-13).expect("a start");
    run.advance_to(3.0).expect("steps");
    all_close(&run.state().q, &q, 3e-11);
    all_close(&run.state().v, &v, 3e-11);
}
