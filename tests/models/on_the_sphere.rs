//! Motions of points of the sphere, against closed forms, other programs and the same mechanisms in other coordinates.

use ode_model::analysis::{Assembly, Eigenmodes, Held, Levels, Statics};
use ode_model::integrators::{
    BackwardEuler, Bdf2, BogackiShampine, Composition, DormandPrince, DormandPrince8, ExplicitMidpoint, Fehlberg,
    ForwardEuler, GeneralizedAlpha, Geodesic, Heun, ImplicitMidpoint, Leapfrog, RungeKutta4, SemiExplicitEuler,
    SemiExplicitPair, StormerVerlet, SymplecticEuler, Verner9,
};
use ode_model::runtime::{s2, so3};
use ode_model::solve::Projection;
use ode_model::{Cause, Estimates, Method, Nominal, Simulation, State, System};

use super::sphere::{Double, Kicked, Needle, Points, Pole, Rod, Spherical, Thrown, spherical};
use super::{begin, jacobi, near};
use crate::erased::{Erased, Shared};

// y' by `mpmath.odefun` of mpmath 1.3.0 with `mp.dps = 30, tol = 1e-24`: d̈ = (w d_z − |ḋ|²) d − w e_z, w = g/l, and
// two points on rods with their tensions solved for, written down there without this crate. d_z of the first agrees to
// 20 digits with z₁ + (z₂ − z₁) sn², by `mpmath.ellipfun`.

/// d and ḋ of `Spherical` at t = 2.
const AT_TWO: [f64; 6] = [
    0.4110945866533716,
    -0.20709715507016133,
    -0.8877567286065136,
    0.847182419136347,
    1.76249202664193,
    -0.01885086037295501,
];
/// The same at t = 3, from (0, −0.001, −√(1 − 10⁻⁶)) with the velocity (6, 0, 0).
const PAST_POLES: [f64; 6] = [
    -0.7304754848154651,
    0.004604581313406862,
    -0.682923395348658,
    3.815362586509032,
    -0.03226411804314695,
    -4.081244568373658,
];
/// p, q, ṗ and q̇ of `Points` at t = 1.
const TWO_AT_ONE: [f64; 12] = [
    -0.37607118921705958,
    -0.06022832657104422,
    -1.24295736424035,
    -0.9761687186023725,
    -0.029043023579654831,
    -1.6019983536872078,
    -2.4085212281411955,
    -3.80805416095461,
    0.9132478754181074,
    -1.5073642170940633,
    -1.7627252088487296,
    -0.41528537523949094,
];
/// The cubic's roots and the phase of `a_pendulum_swings_as_jacobi_says`, by `mpmath.polyroots` and `mpmath.ellipf`.
const ROOTS: [f64; 3] = [-0.887855561496655, -0.762625880604289, 1.0161287407757656];
const PHASE: f64 = 1.0018578279865104;

/// d and ḋ of a state.
fn point(x: &State<Spherical<f64>>) -> [f64; 6] {
    let ([a, b, c], [d, e, f]) = (s2::direction(x.q.as_array()), s2::velocity(x.q.as_array(), x.v.as_array()));
    [a, b, c, d, e, f]
}

fn apart<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    a.into_iter().zip(b).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
}

fn error(method: &dyn Erased<Spherical<f64>>, h: f64) -> f64 {
    let plant = Spherical::default();
    let mut run = Simulation::of(&plant, Shared(method)).fixed(h).expect("a start");
    run.advance_to(2.0).expect("steps");
    apart(point(run.state()), AT_TWO)
}

/// The error at `h` against that at h/2 says the order.
#[track_caller]
fn order(claimed: f64, h: f64, method: &dyn Erased<Spherical<f64>>) {
    let (coarse, fine) = (error(method, h), error(method, 0.5 * h));
    let order = (coarse / fine).log2();
    assert!((-0.15..0.5).contains(&(order - claimed)), "{}: order {order}, errors {coarse:e} {fine:e}", method.named());
}

#[test]
fn every_method_has_its_order() {
    order(1.0, 1.0 / 1024.0, &SemiExplicitEuler::explicit());
    order(1.0, 1.0 / 1024.0, &SemiExplicitEuler::implicit_position());
    order(1.0, 1.0 / 1024.0, &SemiExplicitEuler::implicit_velocity());
    order(1.0, 1.0 / 1024.0, &SymplecticEuler::momenta_first());
    order(1.0, 1.0 / 1024.0, &SymplecticEuler::positions_first());
    order(2.0, 1.0 / 128.0, &Leapfrog::default());
    order(1.0, 1.0 / 1024.0, &SemiExplicitPair);
    order(2.0, 1.0 / 128.0, &StormerVerlet::default());
    order(2.0, 1.0 / 128.0, &ImplicitMidpoint::default());
    order(4.0, 1.0 / 32.0, &Composition::triple_jump(StormerVerlet::default()));
    order(4.0, 1.0 / 16.0, &Composition::suzuki(StormerVerlet::default()));
    order(6.0, 1.0 / 8.0, &Composition::kahan_li_6(StormerVerlet::default()));
    order(8.0, 1.0 / 8.0, &Composition::kahan_li_8(StormerVerlet::default()));
    order(1.0, 1.0 / 1024.0, &ForwardEuler);
    order(2.0, 1.0 / 128.0, &Heun);
    order(2.0, 1.0 / 128.0, &ExplicitMidpoint);
    order(3.0, 1.0 / 64.0, &BogackiShampine);
    order(4.0, 1.0 / 32.0, &RungeKutta4);
    order(4.0, 1.0 / 32.0, &Geodesic);
    order(4.0, 1.0 / 32.0, &Fehlberg);
    order(5.0, 1.0 / 32.0, &DormandPrince);
    order(8.0, 1.0 / 4.0, &DormandPrince8);
    order(9.0, 1.0 / 3.0, &Verner9);
    order(1.0, 1.0 / 1024.0, &BackwardEuler::default());
    order(1.0, 1.0 / 1024.0, &BackwardEuler::linearized());
    order(2.0, 1.0 / 128.0, &Bdf2::default());
    order(2.0, 1.0 / 128.0, &GeneralizedAlpha::trapezoidal());
    order(1.0, 1.0 / 256.0, &GeneralizedAlpha::newmark(0.6, 0.3));
    order(2.0, 1.0 / 128.0, &GeneralizedAlpha::hht(-0.2));
    order(2.0, 1.0 / 128.0, &GeneralizedAlpha::with_spectral_radius(1.0));
    order(2.0, 1.0 / 128.0, &GeneralizedAlpha::with_spectral_radius(0.8));
    order(2.0, 1.0 / 128.0, &GeneralizedAlpha::with_spectral_radius(0.0));
}

#[test]
fn a_start_is_what_init_says() {
    let plant = Spherical::<f64>::default();
    let run = Simulation::of(&plant, Geodesic).fixed(0.1).expect("a start");
    assert!(apart(point(run.state()), [0.6, 0.0, -0.8, 0.4, 1.5, 0.3]) < 1e-15);
    assert_eq!(spherical::LAYOUT.q, ["d.qw", "d.qx", "d.qy", "d.qz"]);
    assert_eq!(spherical::LAYOUT.v.len(), 2);
    // below, where the shortest way from above is every way
    let pole = begin(&Pole::<f64>::default());
    assert!(apart(s2::direction(pole.q.as_array()), [0.0, 0.0, -1.0]) < 1e-15);
    // as the surrounding model says, and where it alone would begin
    let kicked = Kicked::default();
    let run = Simulation::of(&kicked, Geodesic).fixed(0.1).expect("a start");
    let (q, v) = (run.state().q.as_array(), run.state().v.as_array());
    let (d, rate) = (s2::direction(q), s2::velocity(q, v));
    assert!(apart(d, [0.0, 0.0, -1.0]) < 1e-15 && apart(rate, [0.0, -0.5, 0.0]) < 1e-15, "{d:?} {rate:?}");
    // with nothing said
    let neutral = State::neutral(&plant);
    assert_eq!(s2::direction(neutral.q.as_array()), [0.0, 0.0, 1.0]);
}

#[test]
fn outputs_are_vectors_in_space() {
    let plant = Spherical::<f64>::default();
    let run = Simulation::of(&plant, Geodesic).fixed(0.1).expect("a start");
    let (x, u) = (run.state(), spherical::U::default());
    let y = plant.outputs(x.at(&u), x.rates());
    let w = plant.g / plant.l;
    // d̈ = (w d_z − |ḋ|²) d − w e_z
    let along = w * -0.8 - (0.16 + 2.25 + 0.09);
    let want = [0.6 * along, 0.0, -0.8 * along - w];
    assert!(apart(y.direction(), [0.6, 0.0, -0.8]) < 1e-15 && apart(y.velocity(), [0.4, 1.5, 0.3]) < 1e-15);
    assert!(apart(y.acceleration(), want) < 1e-14, "{:?} is not {want:?}", y.acceleration());
    near(y.spin(), plant.m * plant.l * plant.l * 0.9, 1e-15);
}

/// The inertia of a point does not depend on where it is, and M says so.
#[test]
fn mass_is_constant_to_the_bit() {
    let plant = Spherical::<f64>::default();
    let run = Simulation::of(&plant, Geodesic).fixed(0.1).expect("a start");
    let (x, u) = (run.state(), spherical::U::default());
    let own = plant.m * plant.l * plant.l;
    let mass = plant.mass(x.at(&u));
    near(mass[(0, 0)], own, 1e-15);
    assert_eq!((mass[(0, 0)], mass[(0, 1)]), (mass[(1, 1)], 0.0));
    let mut rate = spherical::V::default();
    plant.momentum_rate(x.at(&u), &mut rate);
    assert_eq!(rate.array(), [0.0; 2]);
}

/// z₁ + (z₂ − z₁) sn², where ż² = 2 (E − w z)(1 − z²) − L² = 2 w (z − z₁)(z − z₂)(z − z₃).
#[test]
fn a_pendulum_swings_as_jacobi_says() {
    let plant = Spherical::<f64>::default();
    let mut run = Simulation::of(&plant, DormandPrince8).adaptive(1e-13).expect("a start");
    let [first, second, third] = ROOTS;
    let (rate, k) = ((0.5 * plant.g / plant.l * (third - first)).sqrt(), ((second - first) / (third - first)).sqrt());
    for i in 1..=20 {
        let t = 0.5 * f64::from(i);
        run.advance_to(t).expect("steps");
        let [sn, ..] = jacobi(rate * t + PHASE, k);
        near(point(run.state())[2], first + (second - first) * sn * sn, 1e-11);
    }
}

#[test]
fn a_run_past_both_poles_is_that_of_the_reference() {
    let plant = Spherical::<f64>::default();
    let mut x = State::neutral(&plant);
    x.q = s2::pointing(&[0.0, -1e-3, -(1.0 - 1e-6_f64).sqrt()]).into();
    x.v = s2::rates(x.q.as_array(), &[6.0, 0.0, 0.0]).into();
    let (mut highest, mut lowest) = (0.0_f64, 0.0_f64);
    let mut run = Simulation::of(&plant, DormandPrince8).given(x.clone()).adaptive(1e-12).expect("a start");
    run.run(3.0, 0.01, |x| {
        let z = point(x)[2];
        (highest, lowest) = (highest.max(z), lowest.min(z));
    })
    .expect("steps");
    assert!(apart(point(run.state()), PAST_POLES) < 1e-9, "{:?}", point(run.state()));
    assert!(highest > 0.999 && lowest < -0.999, "{highest} {lowest}");
    // steps of one size notice no pole either
    let mut run = Simulation::of(&plant, Composition::kahan_li_8(StormerVerlet::default())).given(x).fixed(0.02);
    let run = run.as_mut().expect("a start");
    run.advance_to(3.0).expect("steps");
    assert!(apart(point(run.state()), PAST_POLES) < 1e-9, "{:?}", point(run.state()));
}

/// Which frame a state begins with is nobody's business.
#[test]
fn a_frame_that_begins_otherwise_changes_nothing() {
    fn same(method: &dyn Erased<Spherical<f64>>, t: f64) {
        let plant = Spherical::default();
        let start = Simulation::of(&plant, Shared(method)).fixed(0.02).expect("a start").state().clone();
        let ends = [0.0, 1.0, 2.5].map(|spin: f64| {
            let (mut x, velocity) = (start.clone(), s2::velocity(start.q.as_array(), start.v.as_array()));
            x.q = so3::product(start.q.as_array(), &so3::exp(&[0.0, 0.0, spin])).into();
            x.v = s2::rates(x.q.as_array(), &velocity).into();
            let mut run = Simulation::of(&plant, Shared(method)).given(x).fixed(0.02).expect("a start");
            run.advance_to(t).expect("steps");
            point(run.state())
        });
        assert!(ends.iter().all(|&end| apart(end, ends[0]) < 2e-12), "{}: {ends:?}", method.named());
    }
    same(&DormandPrince8, 2.0);
    same(&StormerVerlet::default(), 2.0);
    same(&ImplicitMidpoint::default(), 2.0);
    same(&Bdf2::default(), 2.0);
    same(&GeneralizedAlpha::with_spectral_radius(0.8), 2.0);
}

#[test]
fn long_runs_stay_on_the_sphere_and_keep_their_constants() {
    let plant = Spherical::<f64>::default();
    let mut run = Simulation::of(&plant, StormerVerlet::default()).fixed(0.01).expect("a start");
    let constants = |x: &State<Spherical<f64>>| {
        let [a, b, c, d, e, f] = point(x);
        [0.5 * (d * d + e * e + f * f) + plant.g / plant.l * c, a * e - b * d]
    };
    let (first, mut energy, mut spin) = (constants(run.state()), 0.0_f64, 0.0_f64);
    run.run(1000.0, 0.5, |x| {
        let square: f64 = x.q.array().iter().map(|x| x * x).sum();
        near(square, 1.0, 2e-15);
        let now = constants(x);
        (energy, spin) = (energy.max((now[0] - first[0]).abs()), spin.max((now[1] - first[1]).abs()));
    })
    .expect("steps");
    // a kick by a force without moment about e_z, and the geodesic, keep the momentum
    assert!(energy < 2e-3 && spin < 1e-11, "{energy:e} {spin:e}");
}

/// Between steps as well, v is along the axes that q has there.
#[test]
fn interpolation_has_the_order_of_a_cubic() {
    let largest = |h: f64| {
        let plant = Spherical::default();
        let mut exact = Simulation::of(&plant, DormandPrince8).fixed(0.01).expect("a start");
        let mut run = Simulation::of(&plant, RungeKutta4).fixed(h).expect("a start");
        let mut worst = 0.0_f64;
        run.run_through(2.0, 0.13, |x| {
            exact.advance_to(x.t).expect("steps");
            worst = worst.max(apart(point(x), point(exact.state())));
        })
        .expect("steps");
        worst
    };
    let (coarse, fine) = (largest(1.0 / 16.0), largest(1.0 / 64.0));
    let order = (coarse / fine).log(4.0);
    assert!(order > 3.7, "order {order}: {coarse:e} {fine:e}");
}

/// A point on a rod is the same pendulum, and its tension the same force.
#[test]
fn points_on_rods_move_alike() {
    let (plant, rod) = (Spherical::<f64>::default(), Rod::default());
    let mut run = Simulation::of(&plant, DormandPrince8).adaptive(1e-12).expect("a start");
    let projection = Projection::to(1e-12);
    let mut other = Simulation::of(&rod, DormandPrince8).project(projection).adaptive(1e-12).expect("a start");
    for i in 1..=20 {
        let t = 0.25 * f64::from(i);
        run.advance_to(t).expect("steps");
        other.advance_to(t).expect("steps");
        let d = point(run.state());
        let r = other.state().q.array().map(|x| x / rod.l);
        assert!(apart([d[0], d[1], d[2]], r) < 1e-8, "t = {t}: {d:?} is not {r:?}");
    }
}

#[test]
fn two_pendulums_move_as_the_reference_says() {
    fn ends<M: Method<Double> + Estimates>(method: M) -> [f64; 12] {
        let plant = Double::default();
        let mut run = Simulation::of(&plant, method).adaptive(1e-12).expect("a start");
        run.advance_to(1.0).expect("steps");
        let (q, v) = (run.state().q.d(), run.state().v.d());
        let part = |i: usize| (s2::direction(&q[i]), s2::velocity(&q[i], &v[i]));
        let ((d, rate), (e, other)) = (part(0), part(1));
        let p: [f64; 3] = std::array::from_fn(|i| plant.l * d[i]);
        let moving: [f64; 3] = std::array::from_fn(|i| plant.l * rate[i]);
        std::array::from_fn(|k| match (k / 3, k % 3) {
            (0, i) => p[i],
            (1, i) => p[i] + plant.k * e[i],
            (2, i) => moving[i],
            (_, i) => moving[i] + plant.k * other[i],
        })
    }
    for end in [ends(DormandPrince8), ends(Verner9)] {
        assert!(apart(end, TWO_AT_ONE) < 1e-9, "{end:?}");
    }
    let points = Points::default();
    let setup = Simulation::of(&points, DormandPrince8).project(Projection::to(1e-12));
    let mut run = setup.adaptive(1e-12).expect("a start");
    run.advance_to(1.0).expect("steps");
    let (q, v) = (run.state().q.as_array(), run.state().v.as_array());
    let end = std::array::from_fn(|i| if i < 6 { q[i] } else { v[i - 6] });
    assert!(apart(end, TWO_AT_ONE) < 1e-8, "{end:?}");
}

#[test]
fn events_put_points_and_velocities_in_space() {
    let plant = Thrown::default();
    let mut run = Simulation::of(&plant, DormandPrince8).fixed(0.05).expect("a start");
    let mut at = |t: f64| {
        run.advance_to(t).expect("steps");
        let x = run.state();
        (s2::direction(x.q.as_array()), s2::velocity(x.q.as_array(), x.v.as_array()))
    };
    let (d, rate) = at(0.5 - 1e-9);
    assert!(
        apart(d, [0.5_f64.sin(), 0.0, 0.5_f64.cos()]) < 1e-8
            && apart(rate, [0.5_f64.cos(), 0.0, -0.5_f64.sin()]) < 1e-8
    );
    let (d, rate) = at(0.5 + 1e-9);
    assert!(apart(d, [0.0, 1.0, 0.0]) < 1e-8 && apart(rate, [0.2, 0.0, -0.7]) < 1e-8, "{d:?} {rate:?}");
    let (_, before) = at(0.75 - 1e-9);
    let (_, after) = at(0.75 + 1e-9);
    assert!(apart(after, before.map(|x| -0.5 * x)) < 1e-8, "{after:?} {before:?}");
    let (_, before) = at(1.0 - 1e-9);
    let (d, after) = at(1.0 + 1e-9);
    let size = |x: [f64; 3]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    // carried along the way, without a spin
    near(size(after), size(before), 1e-14);
    assert!(d[0] > 0.05 && (0..3).map(|i| d[i] * after[i]).sum::<f64>().abs() < 1e-14);
    let (before, fast) = at(1.25 - 1e-9);
    let (after, still) = at(1.25 + 1e-9);
    assert!(apart(after, before.map(|x| -x)) < 1e-8);
    near(size(still), size(fast), 1e-14);
}

#[test]
fn a_pendulum_hangs_below_and_swings_there() {
    let plant = Spherical::<f64>::default();
    let (rest, found) = Statics::default().solve(&plant, &Nominal, begin(&plant)).expect("an equilibrium");
    assert!(apart(s2::direction(rest.q.as_array()), [0.0, 0.0, -1.0]) < 1e-10, "{found:?}");
    let (rest, _) = Assembly::of(Levels::ACCELERATION).solve(&plant, &Nominal, rest).expect("accelerations");
    let modes = Eigenmodes::of(&plant, &Nominal, &rest, 1e-9).expect("at rest");
    assert_eq!(modes.modes.len(), 2);
    modes.frequencies().iter().for_each(|&frequency| near(frequency, (plant.g / plant.l).sqrt(), 1e-9));
    // above it stands on its head
    let above = State::neutral(&plant);
    let (x, found) = Statics::default().solve(&plant, &Nominal, above).expect("an equilibrium");
    assert_eq!((s2::direction(x.q.as_array()), found.iterations), ([0.0, 0.0, 1.0], 0));
}

#[test]
fn a_held_point_stays() {
    let held = Held::new(Double::default(), &["d[1]"]).expect("a name");
    let mut run = Simulation::of(&held, DormandPrince8).fixed(0.01).expect("a start");
    run.advance_to(1.0).expect("steps");
    let q = run.state().q.d();
    assert!(apart(s2::direction(&q[1]), [0.0, 0.6, 0.8]) < 1e-14);
    assert!(apart(s2::direction(&q[0]), [0.6, 0.0, -0.8]) > 0.1);
}

#[test]
fn a_needle_in_syrup_turns_to_the_field() {
    // tan(½ ϑ) falls as exp(−b t/c)
    let plant = Needle::<f64>::default();
    let mut run = Simulation::of(&plant, DormandPrince8).fixed(0.05).expect("a start");
    for i in 1..=10 {
        let t = 0.2 * f64::from(i);
        run.advance_to(t).expect("steps");
        let d = s2::direction(run.state().q.as_array());
        let angle = 2.0 * (-1.5 * t).exp().atan();
        near(0.6 * d[1] + 0.8 * d[2], angle.cos(), 1e-10);
    }
    let mut run = Simulation::of(&plant, Bdf2::default()).fixed(0.01).expect("a start");
    run.advance_to(2.0).expect("steps");
    let d = s2::direction(run.state().q.as_array());
    near(0.6 * d[1] + 0.8 * d[2], (2.0 * (-3.0_f64).exp().atan()).cos(), 1e-3);
}

#[test]
fn what_is_no_point_of_the_sphere_is_refused_by_name() {
    let plant = Spherical::<f64>::default();
    for q in [[0.0; 4], [0.0, 0.0, 2.0, 0.0]] {
        let mut x = State::neutral(&plant);
        x.q = q.into();
        let error = Simulation::of(&plant, Geodesic).given(x).fixed(0.01).map(|_| ()).expect_err("no rotation");
        assert!(matches!(error.cause, Cause::NotARotation { name, .. } if name.as_str() == "d"), "{error}");
    }
}

#[test]
fn a_run_goes_on_where_it_stopped() {
    fn goes_on<M: Method<Spherical<f64>> + Copy>(method: M) {
        let plant = Spherical::default();
        let mut whole = Simulation::of(&plant, method).fixed(0.02).expect("a start");
        whole.advance_to(0.5).expect("steps");
        let mut rest = Simulation::of(&plant, method).resume(whole.checkpoint()).fixed(0.02).expect("the same run");
        whole.advance_to(1.0).expect("steps");
        rest.advance_to(1.0).expect("steps");
        assert!(whole.state() == rest.state(), "{}", method.name());
    }
    goes_on(DormandPrince8);
    goes_on(Bdf2::default());
    goes_on(ImplicitMidpoint::default());
    goes_on(StormerVerlet::default());
    goes_on(GeneralizedAlpha::with_spectral_radius(0.8));
}
