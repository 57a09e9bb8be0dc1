//! Orders of every method on rotations: a free body in three charts, a body that also moves, and one on a joint with
//! its reactions.

use crate::common::erased::{Erased, Shared};
use crate::common::on;
use crate::common::rigid::{Chart, Hung, Rod, Top};
use ode_runtime::integrators::{BackwardEuler, Bdf2, GeneralizedAlpha, Geodesic, Multipliers, SemiExplicitEuler};
use ode_runtime::solve::Projection;
use ode_runtime::{Linearize, Simulation, Solvable, State, so3};

/// q, v and λ at a time, known beforehand.
#[derive(Clone, Copy)]
struct Exact<'a> {
    t: f64,
    q: &'a [f64],
    v: &'a [f64],
    lambda: &'a [f64],
}

// y' by `mpmath.odefun` of mpmath 1.3.0 with `mp.dps = 30, tol = 1e-24`: quaternion kinematics and Euler's equations
// about the fixed point or the centre of mass, written down there without this crate.

/// `Top::free()` at t = 2.
const FREE_Q: [f64; 4] = [-0.04585215556004687, 0.001268431390913513, 0.04889703615970828, 0.9977499941203207];
const FREE_V: [f64; 3] = [-0.9642234345333921, 0.26509086799931325, 1.4921714414127454];

/// `Hung` at t = 1.
const HUNG_Q: [f64; 7] = [
    0.325939029187517,
    -0.14179461689271064,
    -0.952804778068693,
    -0.5423003797987354,
    0.4107493454660322,
    0.33706012485197073,
    0.6508346529681309,
];
const HUNG_V: [f64; 6] = [
    1.0329528997827395,
    -1.1484278215286094,
    0.8236698842266988,
    3.553259143597375,
    1.7090218152358017,
    3.990633888891368,
];

/// `Rod` at t = 1, from its motion about the joint; λ = m r̈ − m g.
const ROD_Q: [f64; 7] = [
    0.12186907204138822,
    0.3725978896421563,
    -0.31035260900141065,
    -0.14433837288998755,
    0.01955142483387803,
    -0.8999835280650285,
    -0.41086959623469377,
];
const ROD_V: [f64; 6] = [
    0.1025645398695173,
    1.8935878090041136,
    2.3136466263186257,
    -5.870082246090819,
    -1.157045535414307,
    0.42563025018590595,
];
const ROD_LAMBDA: [f64; 3] = [-8.772805886258206, -31.370122206370514, 36.184175005712056];

/// Largest errors of q, v and λ. The last four entries of q are a quaternion, which is its negative as well.
fn errors<S>(system: &S, method: &dyn Erased<S>, h: f64, projection: Option<f64>, exact: Exact<'_>) -> [f64; 3]
where
    S: Solvable<Real = f64>,
{
    let mut setup = Simulation::of(system, Shared(method));
    if let Some(tolerance) = projection {
        setup = setup.project(Projection::to(tolerance));
    }
    let mut run = setup.fixed(h).expect("a start");
    run.advance_to(exact.t).expect("steps");
    let x: &State<S> = run.state();
    let (place, turn) = x.q.as_ref().split_at(exact.q.len() - 4);
    let same: f64 = turn.iter().zip(&exact.q[place.len()..]).map(|(a, b)| a * b).sum();
    let q: Vec<f64> = place.iter().copied().chain(turn.iter().map(|x| same.signum() * x)).collect();
    let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    [apart(&q, exact.q), apart(x.v.as_ref(), exact.v), apart(x.lambda.as_ref(), exact.lambda)]
}

/// The errors at `h` against those at `h`/2 say the order.
#[track_caller]
fn order(name: &str, claimed: f64, h: f64, run: impl Fn(f64) -> [f64; 3]) {
    let (coarse, fine) = (run(h), run(h / 2.0));
    for (what, one, two) in [("q", coarse[0], fine[0]), ("v", coarse[1], fine[1]), ("λ", coarse[2], fine[2])] {
        if what == "λ" && coarse[2] == 0.0 {
            continue;
        }
        let order = (one / two).log2();
        assert!((order - claimed).abs() < 0.25, "{name}: order {order} of {what}, errors {one:e} {two:e}");
    }
}

/// Every method with steps about `h`, those of high order with larger ones.
#[track_caller]
fn every_method<S>(system: &S, h: f64, exact: Exact<'_>)
where
    S: Solvable<Real = f64> + Linearize + 'static,
{
    let projection = (!exact.lambda.is_empty()).then_some(1e-12);
    order("explicit", 1.0, h, |h| errors(system, &SemiExplicitEuler::explicit(), h, projection, exact));
    order("implicit in q", 1.0, h, |h| errors(system, &SemiExplicitEuler::implicit_position(), h, projection, exact));
    order("implicit in v", 1.0, h, |h| errors(system, &SemiExplicitEuler::implicit_velocity(), h, projection, exact));
    order("backward Euler", 1.0, h, |h| errors(system, &BackwardEuler::default(), h, None, exact));
    order("linearised", 1.0, h, |h| errors(system, &BackwardEuler::linearized(), h, None, exact));
    for rho in [0.0, 0.8] {
        let method = GeneralizedAlpha::with_spectral_radius(rho);
        order("generalised-α", 2.0, 4.0 * h, |h| errors(system, &method, h, None, exact));
    }
    order("BDF 2", 2.0, 4.0 * h, |h| errors(system, &Bdf2::default(), h, None, exact));
    order("HHT", 2.0, 4.0 * h, |h| errors(system, &GeneralizedAlpha::hht(-0.2), h, None, exact));
    order("Geodesic", 4.0, 8.0 * h, |h| errors(system, &Geodesic, h, projection, exact));
}

#[test]
fn a_free_body_in_three_charts() {
    for chart in [Chart::Body, Chart::Space, Chart::Cayley] {
        let top = Top { chart, ..Top::free() };
        let v = if chart == Chart::Space { so3::rotate(&FREE_Q, &FREE_V) } else { FREE_V };
        every_method(&on(top), 1.0 / 64.0, Exact { t: 2.0, q: &FREE_Q, v: &v, lambda: &[] });
    }
}

/// Euler's equations in Jacobi's elliptic functions (L. D. Landau, E. M. Lifshitz, Mechanics, §37), here with ω₂ = 0 at
/// t = 0 and M² > 2 E I₂; sn, cn and dn by the arithmetic-geometric mean (M. Abramowitz, I. A. Stegun, 16.4).
fn free_rate(inertia: [f64; 3], start: [f64; 3], t: f64) -> [f64; 3] {
    let [one, two, three] = inertia;
    let energy = one * start[0] * start[0] + three * start[2] * start[2];
    let square = (one * start[0]).powi(2) + (three * start[2]).powi(2);
    let tau = t * ((three - two) * (square - energy * one) / (one * two * three)).sqrt();
    let m = (two - one) * (energy * three - square) / ((three - two) * (square - energy * one));
    let (mut a, mut g, mut ratios) = (1.0, (1.0 - m).sqrt(), Vec::new());
    while ratios.len() < 6 {
        ratios.push((a - g) / (a + g));
        (a, g) = (0.5 * (a + g), (a * g).sqrt());
    }
    let mut phi = 64.0 * a * tau;
    for ratio in ratios.iter().rev() {
        phi = 0.5 * (phi + (ratio * phi.sin()).asin());
    }
    let across = ((energy * three - square) / (two * (three - two))).sqrt();
    [start[0] * phi.cos(), across * phi.sin(), start[2] * (1.0 - m * phi.sin().powi(2)).sqrt()]
}

#[test]
fn rates_of_a_free_body_are_jacobis_elliptic_functions() {
    let top = Top::free();
    for (a, b) in free_rate(top.inertia, top.rate, 2.0).iter().zip(FREE_V) {
        assert!((a - b).abs() < 1e-14, "{a} is not {b}");
    }
    let system = on(top);
    let mut run = Simulation::of(&system, Geodesic).adaptive(1e-12).expect("a start");
    let momentum = top.momentum(&top.attitude, &top.rate);
    for t in (1..=20).map(|k| 1.5 * f64::from(k)) {
        run.advance_to(t).expect("steps");
        let x = run.state();
        for (a, b) in x.v.iter().zip(free_rate(top.inertia, top.rate, t)) {
            assert!((a - b).abs() < 1e-9, "t = {t}: {a} is not {b}");
        }
        // Two angles of the attitude: R J ω does not move in space.
        for (a, b) in top.momentum(&x.q, &x.v).iter().zip(momentum) {
            assert!((a - b).abs() < 2e-9, "t = {t}: {a} is not {b}");
        }
    }
}

#[test]
fn a_body_that_moves_and_turns() {
    every_method(&on(Hung), 1.0 / 256.0, Exact { t: 1.0, q: &HUNG_Q, v: &HUNG_V, lambda: &[] });
}

#[test]
fn a_body_on_a_joint_with_its_reactions() {
    every_method(&on(Rod), 1.0 / 256.0, Exact { t: 1.0, q: &ROD_Q, v: &ROD_V, lambda: &ROD_LAMBDA });
}

/// The shorter of two steps, and how many of it the longer one is.
const FINE: (f64, usize) = (0.0025, 4);

/// λ of the rod to round-off after each of the shorter steps, to t = 0.4.
fn reactions() -> Vec<[f64; 3]> {
    let system = on(Rod);
    let mut exact = Simulation::of(&system, Geodesic).project(Projection::to(1e-12)).adaptive(1e-12).expect("a start");
    let after = |step: u32| {
        exact.advance_to(FINE.0 * f64::from(step)).expect("steps");
        exact.state().lambda
    };
    (1..=160).map(after).collect()
}

/// Largest errors of λ in steps of as many of the shorter ones, each of them and the last, which is at t = 0.4.
fn reaction_errors(exact: &[[f64; 3]], rho: f64, each: usize, multipliers: Multipliers) -> (Vec<f64>, f64) {
    let system = on(Rod);
    let method = GeneralizedAlpha { multipliers, ..GeneralizedAlpha::with_spectral_radius(rho) };
    let mut run = Simulation::of(&system, method).fixed(FINE.0 * each as f64).expect("a start");
    let mut errors: Vec<f64> = Vec::new();
    for wanted in exact.iter().skip(each - 1).step_by(each) {
        run.step_towards(0.4).expect("a step");
        errors.push(run.state().lambda.iter().zip(wanted).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs())));
    }
    assert!((run.state().t - 0.4).abs() < 1e-15);
    let last = errors.last().copied().expect("steps");
    (errors, last)
}

#[test]
fn reactions_forget_their_start() {
    let largest = |errors: &[f64]| errors.iter().copied().fold(0.0, f64::max);
    let exact = reactions();
    let errors = |rho, multipliers| [FINE.1, 1].map(|each| reaction_errors(&exact, rho, each, multipliers));
    for (rho, steps) in [(0.0, 2), (0.8, 10)] {
        let [(coarse, coarse_end), (fine, fine_end)] = errors(rho, Multipliers::OfScheme);
        let first = (largest(&coarse[..steps]) / largest(&fine[..steps])).log(4.0);
        assert!((first - 1.0).abs() < 0.1, "ρ = {rho}: order {first} at first");
        let later = (coarse_end / fine_end).log(4.0);
        assert!((later - 2.0).abs() < 0.25, "ρ = {rho}: order {later} later");
        if rho == 0.0 {
            let third = (coarse[2] / fine[2]).log(4.0);
            assert!((third - 2.0).abs() < 0.1, "order {third} after two steps");
        }
    }
    // Those of the state have nothing to forget.
    for rho in [0.0, 0.8, 1.0] {
        let [(coarse, _), (fine, _)] = errors(rho, Multipliers::AtState);
        let order = (largest(&coarse[..10]) / largest(&fine[..10])).log(4.0);
        assert!(order > 1.9, "ρ = {rho}: order {order} at first");
    }
}
