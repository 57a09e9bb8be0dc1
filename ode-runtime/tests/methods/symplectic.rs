//! The claims of the symplectic methods: the structure they keep, their orders, and what follows over long times.

use crate::common::canonical::{Bead, Kepler, Low, Polar, Shaken};
use crate::common::erased::{Erased, Shared};
use crate::common::linkages::Guides;
use crate::common::plants::{Actuated, DoublePendulum, Oscillator, Pendulum};
use crate::common::points::Points;
use crate::common::rigid::{Chart, Rod, Top};
use crate::common::{On, Plant, on};
use ode_runtime::integrators::{
    Composition, Geodesic, ImplicitMidpoint, Rattle, SemiExplicitEuler, StormerVerlet, SymplecticEuler,
};
use ode_runtime::solve::Projection;
use ode_runtime::{Cause, Level, Linearize, Simulation, Solvable, State};

/// The state after steps of size `h` to `end`, from the guess of the model.
fn end<S: Solvable<Real = f64>, M: Erased<S>>(system: &S, method: M, h: f64, end: f64) -> State<S> {
    let mut run = Simulation::of(system, Shared::<dyn Erased<S>>(&method)).fixed(h).expect("a start");
    run.advance_to(end).expect("steps");
    run.state().clone()
}

/// The state one step `h` after (q, v).
fn step<S: Solvable<Real = f64>, M: Erased<S>>(system: &S, method: M, q: &S::Q, v: &S::V, h: f64) -> State<S> {
    let mut x = State::neutral(system);
    (x.q, x.v) = (q.clone(), v.clone());
    let mut run = Simulation::of(system, Shared::<dyn Erased<S>>(&method)).given(x).fixed(h).expect("a start");
    run.step_towards(h).expect("a step");
    run.state().clone()
}

/// The largest entry of JᵀSJ − S, J the derivative of `flow` at `x` by differences of fourth order.
fn defect(flow: impl Fn(&[f64; 4]) -> [f64; 4], x: [f64; 4]) -> f64 {
    let d = 1e-3;
    let columns: [[f64; 4]; 4] = std::array::from_fn(|j| {
        let at = |shift: f64| {
            let mut x = x;
            x[j] += shift;
            flow(&x)
        };
        let (a, b, c, e) = (at(-2.0 * d), at(-d), at(d), at(2.0 * d));
        std::array::from_fn(|i| (8.0 * (c[i] - b[i]) - (e[i] - a[i])) / (12.0 * d))
    });
    let form = |a: &[f64; 4], b: &[f64; 4]| a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1];
    let mut largest = 0.0_f64;
    for i in 0..4 {
        for j in 0..4 {
            let unit = |k: usize| std::array::from_fn(|l| if k == l { 1.0 } else { 0.0 });
            largest = largest.max((form(&columns[i], &columns[j]) - form(&unit(i), &unit(j))).abs());
        }
    }
    largest
}

fn solve(m: [[f64; 2]; 2], p: [f64; 2]) -> [f64; 2] {
    let det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    [(m[1][1] * p[0] - m[0][1] * p[1]) / det, (m[0][0] * p[1] - m[1][0] * p[0]) / det]
}

/// The defect of a step of two coordinates in (q, p).
fn plane<P: Plant<2, 0, 0, 0>, M: Erased<On<P>> + Copy>(plant: P, method: M, h: f64, q: [f64; 2], v: [f64; 2]) -> f64
where
    On<P>: Solvable<Real = f64, Q = [f64; 2], V = [f64; 2]>,
{
    let momenta = |q: &[f64; 2], v: &[f64; 2]| plant.mass(q).map(|row| row[0] * v[0] + row[1] * v[1]);
    let p = momenta(&q, &v);
    let flow = |x: &[f64; 4]| {
        let q = [x[0], x[1]];
        let next = step(&on(plant), method, &q, &solve(plant.mass(&q), [x[2], x[3]]), h);
        let p = momenta(&next.q, &next.v);
        [next.q[0], next.q[1], p[0], p[1]]
    };
    defect(flow, [q[0], q[1], p[0], p[1]])
}

/// The defect of a step of the bead in the coordinates (φ, s) of its manifold and their momenta.
fn bead<M: Erased<On<Bead>> + Copy>(method: M, h: f64) -> f64 {
    let momenta = |y: &[f64; 2], v: &[f64; 3]| {
        let (q, e) = Bead::embed(y);
        let p = Bead.mass(&q).map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
        [0, 1].map(|k| (0..3).map(|i| e[i][k] * p[i]).sum::<f64>())
    };
    let (y, rate) = ([0.4, 0.5], [0.8, -0.6]);
    let along = |y: &[f64; 2], rate: &[f64; 2]| {
        let e = Bead::embed(y).1;
        std::array::from_fn::<f64, 3, _>(|i| e[i][0] * rate[0] + e[i][1] * rate[1])
    };
    let flow = |x: &[f64; 4]| {
        let y = [x[0], x[1]];
        // the reduced mass by columns
        let columns = [[1.0, 0.0], [0.0, 1.0]].map(|unit| momenta(&y, &along(&y, &unit)));
        let rate = solve([[columns[0][0], columns[1][0]], [columns[0][1], columns[1][1]]], [x[2], x[3]]);
        let next = step(&on(Bead), method, &Bead::embed(&y).0, &along(&y, &rate), h);
        let y = [next.q[1], next.q[2]];
        let p = momenta(&y, &next.v);
        [y[0], y[1], p[0], p[1]]
    };
    let p = momenta(&y, &along(&y, &rate));
    defect(flow, [y[0], y[1], p[0], p[1]])
}

/// What differences leave of a step solved to round-off.
const EXACT: f64 = 2e-10;

#[test]
fn steps_are_symplectic_where_inertia_varies() {
    let double = |method: StormerVerlet<f64>| plane(DoublePendulum, method, 0.05, [-1.0, 0.4], [1.5, -2.0]);
    let sv = double(StormerVerlet::default());
    let euler = [SymplecticEuler::momenta_first(), SymplecticEuler::positions_first()]
        .map(|method| plane(DoublePendulum, method, 0.05, [-1.0, 0.4], [1.5, -2.0]));
    let midpoint = plane(DoublePendulum, ImplicitMidpoint::default(), 0.05, [-1.0, 0.4], [1.5, -2.0]);
    let composed = Composition::suzuki(StormerVerlet::default());
    let composed = plane(DoublePendulum, composed, 0.05, [-1.0, 0.4], [1.5, -2.0]);
    for (defect, of) in [
        (sv, "Störmer–Verlet"),
        (euler[0], "p first"),
        (euler[1], "q first"),
        (midpoint, "midpoint"),
        (composed, "Suzuki"),
    ] {
        assert!(defect < EXACT, "{of}: {defect:e}");
    }
}

#[test]
fn forms_on_velocities_are_not() {
    let (q, v) = ([-1.0, 0.4], [1.5, -2.0]);
    let varied = [
        plane(DoublePendulum, SemiExplicitEuler::explicit(), 0.05, q, v),
        plane(DoublePendulum, SemiExplicitEuler::implicit_position(), 0.05, q, v),
        plane(DoublePendulum, SemiExplicitEuler::implicit_velocity(), 0.05, q, v),
    ];
    assert!(varied.iter().all(|&defect| defect > 1e-3), "{varied:?}");
    // M constant, forces of q: all of them are
    let (plant, q, v) = (Kepler { eccentricity: 0.3 }, [0.8, 0.3], [-0.2, 1.1]);
    let separable = [
        plane(plant, SemiExplicitEuler::explicit(), 0.05, q, v),
        plane(plant, SemiExplicitEuler::implicit_position(), 0.05, q, v),
        plane(plant, SemiExplicitEuler::implicit_velocity(), 0.05, q, v),
        plane(plant, StormerVerlet::default(), 0.05, q, v),
        plane(plant, ImplicitMidpoint::default(), 0.05, q, v),
    ];
    assert!(separable.iter().all(|&defect| defect < EXACT), "{separable:?}");
}

#[test]
fn steps_are_symplectic_on_the_manifold_of_a_constraint() {
    let defects = [
        bead(Rattle::default(), 0.05),
        bead(SymplecticEuler::momenta_first(), 0.05),
        bead(SymplecticEuler::positions_first(), 0.05),
        bead(ImplicitMidpoint::default(), 0.05),
        bead(Composition::triple_jump(Rattle::default()), 0.05),
    ];
    assert!(defects.iter().all(|&defect| defect < EXACT), "{defects:?}");
    let plain = bead(SemiExplicitEuler::explicit(), 0.05);
    assert!(plain > 1e-3, "{plain:e}");
}

/// Γ = Π exp(γᵢ τ₁ + γᵢ³ τ₃ + γᵢ⁵ τ₅ + …), the logarithm of a symmetric step in its errors τ, which do not commute: the
/// largest coefficient of Γ − exp(τ₁) among words of weight up to `order`. A word lists the indices of its τ.
fn remainder(shares: &[f64], order: usize) -> f64 {
    let mut words: Vec<Vec<usize>> = vec![vec![]];
    let mut next = 0;
    while next < words.len() {
        let word = words[next].clone();
        for letter in (1..=order).step_by(2).filter(|l| word.iter().sum::<usize>() + l <= order) {
            words.push([&word[..], &[letter]].concat());
        }
        next += 1;
    }
    let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
    let exponential =
        |share: f64, word: &[usize]| share.powi(word.iter().sum::<usize>() as i32) / factorial(word.len());
    let unit = |word: &Vec<usize>| if word.is_empty() { 1.0 } else { 0.0 };
    let mut product: Vec<f64> = words.iter().map(unit).collect();
    for &share in shares {
        let times = |word: &Vec<usize>| {
            let split = |k: usize| {
                let place = words.iter().position(|w| w[..] == word[..k]).expect("closed under beginnings");
                product[place] * exponential(share, &word[k..])
            };
            (0..=word.len()).map(split).sum()
        };
        product = words.iter().map(times).collect();
    }
    let wanted = |word: &Vec<usize>| if word.iter().all(|&l| l == 1) { 1.0 / factorial(word.len()) } else { 0.0 };
    words.iter().zip(&product).map(|(word, value)| (value - wanted(word)).abs()).fold(0.0, f64::max)
}

#[test]
fn coefficients_meet_the_order_conditions() {
    for (method, order) in [
        (Composition::triple_jump(()), 4),
        (Composition::suzuki(()), 4),
        (Composition::kahan_li_6(()), 6),
        (Composition::kahan_li_8(()), 8),
    ] {
        let (met, beyond) = (remainder(method.shares, order), remainder(method.shares, order + 1));
        assert!(met < 1e-14, "order {order}: {met:e}");
        assert!(beyond > 1e-4, "order {order}: {beyond:e} beyond");
        assert!(method.shares.iter().eq(method.shares.iter().rev()));
    }
}

/// log₂ of the fall of an error from `h` to `h/2`.
fn order(error: impl Fn(f64) -> f64, h: f64) -> f64 {
    (error(h) / error(h / 2.0)).log2()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The order in q and v on Kepler's problem in polar coordinates, from steps of 2/n and 1/n.
fn polar<M: Erased<On<Polar>> + Copy>(method: M, claimed: f64, steps: f64) {
    let plant = Polar(Kepler { eccentricity: 0.2 });
    let exact = plant.at(2.0);
    let error = |h: f64| {
        let x = end(&on(plant), method, h, 2.0);
        distance(&x.q, &exact.0).max(distance(&x.v, &exact.1))
    };
    let found = order(error, 2.0 / steps);
    assert!(
        (found - claimed).abs() < 0.25,
        "order {found}, not {claimed}: {:e} {:e}",
        error(2.0 / steps),
        error(1.0 / steps)
    );
}

#[test]
fn orders_where_inertia_varies() {
    polar(SymplecticEuler::momenta_first(), 1.0, 200.0);
    polar(SymplecticEuler::positions_first(), 1.0, 200.0);
    polar(StormerVerlet::default(), 2.0, 40.0);
    polar(ImplicitMidpoint::default(), 2.0, 40.0);
    polar(Composition::triple_jump(StormerVerlet::default()), 4.0, 30.0);
    polar(Composition::suzuki(StormerVerlet::default()), 4.0, 16.0);
    polar(Composition::suzuki(ImplicitMidpoint::default()), 4.0, 16.0);
    polar(Composition::kahan_li_6(StormerVerlet::default()), 6.0, 12.0);
    polar(Composition::kahan_li_8(StormerVerlet::default()), 8.0, 8.0);
    polar(Composition::kahan_li_8(ImplicitMidpoint::default()), 8.0, 8.0);
}

/// A system and its state at t = 1 to round-off.
struct Case<'a, S: Solvable<Real = f64>> {
    system: &'a S,
    exact: State<S>,
}

impl<'a, S: Solvable<Real = f64>> Case<'a, S> {
    fn of(system: &'a S) -> Self {
        let mut run = Simulation::of(system, Geodesic).project(Projection::to(1e-12)).adaptive(1e-12).expect("a start");
        run.advance_to(1.0).expect("steps");
        Self { system, exact: run.state().clone() }
    }
}

/// The order in q, v and z, and in λ, to t = 1.
fn against<S: Solvable<Real = f64>, M: Erased<S> + Copy>(case: &Case<'_, S>, method: M, claimed: f64, h: f64) {
    let Case { system, exact } = case;
    let errors = |h: f64| {
        let x = end(*system, method, h, 1.0);
        let state = distance(x.q.as_ref(), exact.q.as_ref())
            .max(distance(x.v.as_ref(), exact.v.as_ref()))
            .max(distance(x.z.as_ref(), exact.z.as_ref()));
        (state, distance(x.a.as_ref(), exact.a.as_ref()).max(distance(x.lambda.as_ref(), exact.lambda.as_ref())))
    };
    let (one, two) = (errors(h), errors(h / 2.0));
    for (found, of) in [((one.0 / two.0).log2(), "state"), ((one.1 / two.1).log2(), "a and λ")] {
        assert!((found - claimed).abs() < 0.3, "{of}: order {found}, not {claimed}: {one:?} {two:?}");
    }
}

/// Every method on one system.
fn all<S: Solvable<Real = f64> + Linearize + 'static>(system: &S, h: f64) {
    let system = &Case::of(system);
    against(system, SymplecticEuler::momenta_first(), 1.0, h / 16.0);
    against(system, SymplecticEuler::positions_first(), 1.0, h / 16.0);
    against(system, Rattle::default(), 2.0, h / 4.0);
    against(system, ImplicitMidpoint::default(), 2.0, h / 4.0);
    against(system, Composition::suzuki(Rattle::default()), 4.0, h);
    against(system, Composition::suzuki(ImplicitMidpoint::default()), 4.0, h);
}

#[test]
fn orders_with_a_constraint() {
    all(&on(Pendulum::standard()), 0.05);
}

#[test]
fn orders_with_a_constraint_and_varying_inertia() {
    all(&on(Bead), 0.1);
}

#[test]
fn orders_with_a_constraint_in_time() {
    all(&on(Shaken), 0.1);
}

#[test]
fn orders_with_first_order_states() {
    all(&on(Actuated { lag: 0.3 }), 0.1);
}

#[test]
fn orders_of_rotations() {
    for chart in [Chart::Body, Chart::Space, Chart::Cayley] {
        let top = on(Top { chart, weight: 2.0, ..Top::free() });
        let top = Case::of(&top);
        against(&top, StormerVerlet::default(), 2.0, 0.02);
        against(&top, ImplicitMidpoint::default(), 2.0, 0.02);
        against(&top, Composition::suzuki(StormerVerlet::default()), 4.0, 0.1);
    }
    let rod = on(Rod);
    let rod = Case::of(&rod);
    against(&rod, Rattle::default(), 2.0, 0.02);
    against(&rod, ImplicitMidpoint::default(), 2.0, 0.02);
}

/// How far a motion of `steps` steps there and back ends from its beginning.
fn there_and_back<S: Solvable<Real = f64>, M: Erased<S> + Copy>(system: &S, method: M, h: f64, steps: f64) -> f64 {
    let mut run = Simulation::of(system, Shared::<dyn Erased<S>>(&method)).fixed(h).expect("a start");
    let begun = run.state().clone();
    run.advance_to(steps * h).expect("steps");
    let mut x = run.state().clone();
    x.t = 0.0;
    x.v.as_mut().iter_mut().for_each(|v| *v = -*v);
    let mut back = Simulation::of(system, Shared::<dyn Erased<S>>(&method)).given(x).fixed(h).expect("a start");
    back.advance_to(steps * h).expect("steps");
    let v: Vec<f64> = back.state().v.as_ref().iter().map(|v| -v).collect();
    distance(back.state().q.as_ref(), begun.q.as_ref()).max(distance(&v, begun.v.as_ref()))
}

#[test]
fn reversible_motions_find_their_way_back() {
    let (double, bead) = (on(DoublePendulum), on(Bead));
    let top = on(Top { weight: 2.0, ..Top::free() });
    for (error, of) in [
        (there_and_back(&double, StormerVerlet::default(), 0.02, 50.0), "Störmer–Verlet"),
        (there_and_back(&double, ImplicitMidpoint::default(), 0.02, 50.0), "midpoint"),
        (there_and_back(&double, Composition::kahan_li_6(StormerVerlet::default()), 0.02, 50.0), "composition"),
        (there_and_back(&bead, Rattle::default(), 0.02, 50.0), "Rattle"),
        (there_and_back(&bead, ImplicitMidpoint::default(), 0.02, 50.0), "midpoint with a constraint"),
        (there_and_back(&top, StormerVerlet::default(), 0.02, 50.0), "Störmer–Verlet of a rotation"),
        (there_and_back(&top, ImplicitMidpoint::default(), 0.02, 50.0), "midpoint of a rotation"),
    ] {
        assert!(error < 1e-11, "{of}: {error:e}");
    }
    // the halves alone do not
    let euler = there_and_back(&double, SymplecticEuler::momenta_first(), 0.02, 50.0);
    assert!(euler > 1e-3, "{euler:e}");
}

#[test]
fn constraints_hold_to_round_off() {
    fn drift<S: Solvable<Real = f64>, M: Erased<S>>(system: &S, method: M) {
        let mut run = Simulation::of(system, Shared::<dyn Erased<S>>(&method)).fixed(0.02).expect("a start");
        while run.state().t < 10.0 {
            run.step_towards(10.0).expect("a step");
            let (phi, rate) = run.drift().expect("finite");
            assert!(phi < 5e-14 && rate < 5e-14, "{phi:e} {rate:e} at {}", run.state().t);
        }
    }
    drift(&on(Bead), Rattle::default());
    drift(&on(Bead), SymplecticEuler::momenta_first());
    drift(&on(Bead), SymplecticEuler::positions_first());
    drift(&on(Bead), ImplicitMidpoint::default());
    drift(&on(Shaken), Rattle::default());
    drift(&on(Shaken), ImplicitMidpoint::default());
    drift(&on(Rod), Rattle::default());
    drift(&on(Rod), ImplicitMidpoint::default());
}

/// The largest |E − E₀| in each tenth of `steps` steps.
fn tenths<S, M>(system: &S, method: M, h: f64, steps: u32, energy: impl Fn(&State<S>) -> f64) -> [f64; 10]
where
    S: Solvable<Real = f64>,
    M: Erased<S>,
{
    let mut run = Simulation::of(system, Shared::<dyn Erased<S>>(&method)).fixed(h).expect("a start");
    let begun = energy(run.state());
    std::array::from_fn(|_| {
        let mut largest = 0.0_f64;
        for _ in 0..steps / 10 {
            run.step_towards(1e9).expect("a step");
            largest = largest.max((energy(run.state()) - begun).abs());
        }
        largest
    })
}

/// No tenth is worse than the first one by more than half of it.
#[track_caller]
fn stays(tenths: [f64; 10], bound: f64) {
    stays_within(tenths, bound, 0.5);
}

/// No tenth is worse than the first one by more than `share` of it.
#[track_caller]
fn stays_within(tenths: [f64; 10], bound: f64, share: f64) {
    let worst = tenths.iter().copied().fold(0.0, f64::max);
    assert!(worst < bound && worst < (1.0 + share) * tenths[0], "{tenths:?}");
}

#[test]
fn energy_stays_over_long_times() {
    // the lower half of the double pendulum's energies, from rest
    let plant = on(Low);
    let energy = |x: &State<On<Low>>| DoublePendulum::energy(&x.q, &x.v);
    // a drift of 3e-6 of the error a step would be noticed
    stays_within(tenths(&plant, StormerVerlet::default(), 0.02, 20_000, energy), 0.03, 0.05);
    stays(tenths(&plant, ImplicitMidpoint::default(), 0.02, 5_000, energy), 0.03);
    stays(tenths(&plant, SymplecticEuler::momenta_first(), 0.02, 5_000, energy), 1.0);
    stays(tenths(&plant, Composition::suzuki(StormerVerlet::default()), 0.05, 2_000, energy), 1e-3);
    // what works on velocities gains or loses
    let gained = tenths(&plant, SemiExplicitEuler::explicit(), 0.02, 10_000, energy);
    assert!(gained[9] > 3.0 * gained[0], "{gained:?}");
}

#[test]
fn energy_stays_with_a_constraint() {
    let energy = |x: &State<On<Bead>>| {
        let m = Bead.mass(&x.q);
        let kinetic: f64 = (0..3).map(|i| (0..3).map(|j| 0.5 * m[i][j] * x.v[i] * x.v[j]).sum::<f64>()).sum();
        kinetic + 2.0 * x.q[0] * x.q[1].sin() + 2.0 * x.q[2] * x.q[2]
    };
    stays(tenths(&on(Bead), Rattle::default(), 0.02, 5_000, energy), 2e-3);
    stays(tenths(&on(Bead), ImplicitMidpoint::default(), 0.02, 5_000, energy), 2e-3);
}

// m = 0.05, k = 1, x₀ = 1, h = 10⁻³, 2001 steps: the extremes were computed by another program's explicit integrator, v
// first.
#[test]
fn an_oscillator_keeps_between_known_energies() {
    let plant = on(Oscillator { m: 0.05, k: 1.0, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
    let energy = |x: &State<On<Oscillator>>| 0.5 * (0.05 * x.v[0] * x.v[0] + x.q[0] * x.q[0]);
    let mut run = Simulation::of(&plant, SymplecticEuler::momenta_first()).fixed(1e-3).expect("a start");
    let (mut low, mut high) = (0.5_f64, 0.5_f64);
    for _ in 0..2001 {
        run.step_towards(1e9).expect("a step");
        let energy = energy(run.state());
        (low, high) = (low.min(energy), high.max(energy));
    }
    assert!((low - 0.498_884_461_424_957_7).abs() < 1e-12, "{low}");
    assert!((high - 0.501_120_539_216_590_4).abs() < 1e-12, "{high}");
    // one period 2π √(m/k) in 2048 steps
    let period = 1.404_962_946_208_145_2;
    let end = end(&plant, SymplecticEuler::momenta_first(), period / 2048.0, period);
    assert!(((end.q[0] - 1.0).abs() - 3.783e-9).abs() < 1e-11, "{:e}", end.q[0] - 1.0);
}

#[test]
fn the_midpoint_keeps_quadratic_invariants() {
    // h = 0.01, k = 100, m = 1
    let spring = on(Oscillator { m: 1.0, k: 100.0, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
    let energy = |x: &State<On<Oscillator>>| 0.5 * (x.v[0] * x.v[0] + 100.0 * x.q[0] * x.q[0]) / 50.0;
    let off = tenths(&spring, ImplicitMidpoint::default(), 0.01, 2_000, energy);
    assert!(off[9] < 2e-13, "{off:?}");
    let momentum = |x: &State<On<Kepler>>| x.q[0] * x.v[1] - x.q[1] * x.v[0];
    let off = tenths(&on(Kepler { eccentricity: 0.5 }), ImplicitMidpoint::default(), 0.02, 2_000, momentum);
    assert!(off[9] < 2e-13, "{off:?}");
    let off = tenths(&on(Kepler { eccentricity: 0.5 }), StormerVerlet::default(), 0.02, 2_000, momentum);
    assert!(off[9] < 2e-13, "{off:?}");
}

#[test]
fn an_orbit_comes_back() {
    let (plant, period) = (Kepler { eccentricity: 0.5 }, std::f64::consts::TAU);
    let off = |x: State<On<Kepler>>| distance(&x.q, &plant.at(0.0).0);
    let composed = Composition::kahan_li_8(StormerVerlet::default());
    let error = off(end(&on(plant), composed, period / 60.0, 10.0 * period));
    assert!(error < 1e-6, "{error:e}");
    let plain = off(end(&on(plant), StormerVerlet::default(), period / 60.0 / 17.0, 10.0 * period));
    assert!(plain > 100.0 * error, "{plain:e} in as many evaluations");
}

#[test]
fn forces_of_positions_on_constant_masses_take_no_iterations() {
    fn springs(q: &[f64], _v: &[f64], out: &mut [f64]) {
        for (f, q) in out.iter_mut().zip(q) {
            *f = -3.0 * q - q * q * q;
        }
    }
    let points =
        Points::free(2, vec![1.0, 1.0, 0.5, 0.5], vec![1.0, -0.3, 0.4, 0.9], vec![0.0, 0.7, -0.2, 0.1], springs);
    let mut run = Simulation::of(&points, StormerVerlet::default()).given(points.start()).fixed(0.05).expect("a start");
    let work = |run: &Simulation<'_, Points, StormerVerlet<f64>>| {
        let work = run.statistics().work;
        [work.iterations, work.evaluations, work.factorizations]
    };
    let begun = work(&run);
    run.advance_to(5.0).expect("steps");
    let done = work(&run);
    // both ends, and the accelerations of the state; the factors of an end are those of the next beginning
    assert_eq!([0, 1, 2].map(|i| done[i] - begun[i]), [100, 301, 201]);
}

/// What redundant rows ask for that part has no part in a correction, whose size then says nothing: 10⁻⁴ apart after
/// the first step.
#[test]
fn redundant_rows_that_part_are_named_by_the_step_that_parts_them() {
    fn parts<M: Erased<On<Guides>>>(method: M, step: f64) {
        let name = method.named();
        let system = on(Guides { offset: 0.0, rate: 1.0 });
        let mut run = Simulation::of(&system, Shared::<dyn Erased<On<Guides>>>(&method)).fixed(0.1).expect("a start");
        let cause = run.step_towards(1.0).err().map(|error| error.cause);
        let Some(Cause::Contradiction { level: Level::Position, rows, residual }) = cause else {
            panic!("{name}: {cause:?}")
        };
        assert_eq!(rows.as_str(), "`fixed`, `moving`", "{name}");
        assert!((residual / (0.5 * step.powi(4)) - 1.0).abs() < 1e-3, "{name}: {residual}");
    }
    parts(StormerVerlet::default(), 0.1);
    parts(SymplecticEuler::momenta_first(), 0.1);
    parts(SymplecticEuler::positions_first(), 0.1);
    parts(ImplicitMidpoint::default(), 0.1);
    // the first of its parts
    parts(Composition::suzuki(StormerVerlet::default()), 0.1 * 0.414_490_771_794_375_77);
}
