//! The columns: how each claim is measured.

use ode_runtime::integrators::Geodesic;
use ode_runtime::solve::Projection;
use ode_runtime::{Context, Method, Nominal, Proposal, Simulation, Solvable, State, Work};

use super::flow::{drift, flow, run};
use crate::common::methods::Candidate;
use crate::common::plants::{Actuated, DoublePendulum, HenonHeiles, Oscillator, Pendulum, Power};
use crate::common::{On, Plant, on};

/// A column of the table.
pub(crate) trait Strut {
    /// its head
    const NAME: &'static str;
    /// Whether `method` is as `claim` says; what it is instead.
    fn check<M: Candidate>(&self, method: M, claim: &str) -> Result<(), String>;
}

/// The slope of errors at h and h/2, from steps that are too long down to round-off. The error is infinite if there is
/// no run.
fn slope(claim: f64, floor: f64, error: impl Fn(f64) -> Option<f64>) -> Result<(), String> {
    let error = |h| error(h).unwrap_or(f64::INFINITY);
    let (mut seen, mut h, mut before) = (Vec::new(), 0.16, f64::NAN);
    let mut coarse = error(h);
    for _ in 0..10 {
        h *= 0.5;
        let fine = error(h);
        let order = (coarse / fine).log2();
        seen.push(format!("{order:.2}"));
        // More than claimed is wrong too; slopes of high orders end in round-off before they are straight.
        let slack = if claim < 5.0 {
            0.2
        } else if claim < 8.0 {
            0.5
        } else {
            1.0
        };
        let both = 0.5 * (order + before);
        before = order;
        if coarse < 0.2 && ((order - claim).abs() < slack || (both - claim).abs() < slack) {
            return Ok(());
        }
        if fine < floor {
            break;
        }
        coarse = fine;
    }
    Err(format!("the slopes are {}", seen.join(", ")))
}

fn number(claim: &str) -> f64 {
    claim.parse().unwrap_or_else(|_| panic!("{claim:?} is no number"))
}

fn accurate<S: Solvable<Real = f64>>(system: &S) -> State<S> {
    let setup = Simulation::of(system, Geodesic).project(Projection::to(1e-12));
    let mut run = setup.adaptive(1e-13).expect("a start");
    run.advance_to(1.0).expect("steps");
    run.state().clone()
}

/// The largest difference of q, v and z.
fn distance<S: Solvable<Real = f64>>(x: &State<S>, y: &State<S>) -> f64 {
    let values = |x: &State<S>| [x.q.as_ref(), x.v.as_ref(), x.z.as_ref()].concat();
    values(x).iter().zip(values(y)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Order in q, v and z with constraints, with M(q), with first-order states and time.
pub(crate) struct Order {
    pendulum: State<On<Pendulum>>,
    bars: State<On<DoublePendulum>>,
    actuated: State<On<Actuated>>,
}

const ACTUATED: Actuated = Actuated { lag: 0.05 };

impl Order {
    pub(crate) fn new() -> Self {
        Self {
            pendulum: accurate(&on(Pendulum::standard())),
            bars: accurate(&on(DoublePendulum)),
            actuated: accurate(&on(ACTUATED)),
        }
    }
}

impl Strut for Order {
    const NAME: &'static str = "order";
    fn check<M: Candidate>(&self, method: M, claim: &str) -> Result<(), String> {
        let claim = number(claim);
        let of =
            |problem: &str, result: Result<(), String>| result.map_err(|found| format!("{found} on the {problem}"));
        let error = |h| Some(distance(&run(&on(Pendulum::standard()), method, h, 1.0)?, &self.pendulum));
        of("constrained pendulum", slope(claim, 1e-12, error))?;
        let error = |h| Some(distance(&run(&on(DoublePendulum), method, h, 1.0)?, &self.bars));
        of("double pendulum", slope(claim, 1e-12, error))?;
        let error = |h| Some(distance(&run(&on(ACTUATED), method, h, 1.0)?, &self.actuated));
        of("actuated pendulum", slope(claim, 1e-12, error))
    }
}

/// Order in λ.
pub(crate) struct Multipliers(f64);

impl Multipliers {
    /// From where the motion is, and nothing that solves for λ: x·a = −v·v and a = (0, −g) + λ x.
    pub(crate) fn new() -> Self {
        let pendulum = Pendulum::standard();
        let State { q: [_, y], v: [u, v], .. } = accurate(&on(pendulum));
        Self(pendulum.g * y - (u * u + v * v))
    }
}

impl Strut for Multipliers {
    const NAME: &'static str = "λ";
    fn check<M: Candidate>(&self, method: M, claim: &str) -> Result<(), String> {
        let error = |h| Some((run(&on(Pendulum::standard()), method, h, 1.0)?.lambda[0] - self.0).abs());
        slope(number(claim), 1e-10, error)
    }
}

/// What becomes of Φ without projection; with it, |Φ| and |Φ̇| hold for every method.
pub(crate) struct Drift;

impl Strut for Drift {
    const NAME: &'static str = "Φ";
    fn check<M: Candidate>(&self, method: M, claim: &str) -> Result<(), String> {
        let pendulum = on(Pendulum::standard());
        let (phi, rate) = drift(&pendulum, method, 0.04, Some(1e-9)).expect("steps");
        if phi > 1e-9 || rate > 1e-9 {
            return Err(format!("projection leaves |Φ| = {phi:e}, |Φ̇| = {rate:e}"));
        }
        // Of high orders it shows in long steps only.
        let short = drift(&pendulum, method, 0.04, None).expect("steps");
        let long = drift(&pendulum, method, 0.16, None).unwrap_or_default();
        let (phi, rate) = (short.0.max(long.0), short.1.max(long.1));
        let found = match (phi <= 1e-9, rate <= 1e-9) {
            (true, true) => "Φ = Φ̇ = 0",
            (true, false) => "Φ = 0",
            _ => "drifts",
        };
        if claim == found { Ok(()) } else { Err(format!("{found}: |Φ| = {phi:e}, |Φ̇| = {rate:e}")) }
    }
}

/// What becomes of the energy of an undamped oscillator, half a radian a step.
pub(crate) struct Energy;

impl Strut for Energy {
    const NAME: &'static str = "energy";
    fn check<M: Candidate>(&self, method: M, claim: &str) -> Result<(), String> {
        let system = on(Oscillator { m: 1.0, k: 1.0, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
        let mut run = Simulation::of(&system, method).fixed(0.5).expect("a start");
        // The extremes of E / E₀ in each quarter of the run.
        let mut quarters = [(f64::INFINITY, 0.0_f64); 4];
        for (quarter, (low, high)) in quarters.iter_mut().enumerate() {
            for step in 1..=500 {
                run.advance_to(0.5 * f64::from(500 * quarter as u32 + step)).expect("steps");
                let x = run.state();
                let energy = x.q[0] * x.q[0] + x.v[0] * x.v[0];
                (*low, *high) = (low.min(energy), high.max(energy));
            }
        }
        let [(first_low, first_high), .., (last_low, last_high)] = quarters;
        let spread = first_high - first_low;
        let moved = (last_low + last_high) - (first_low + first_high);
        let found = if spread < 1e-9 && moved.abs() < 1e-9 {
            "kept"
        } else if moved.abs() < 0.02 * spread {
            "bounded"
        } else if moved < 0.0 {
            "falls"
        } else {
            "grows"
        };
        if claim == found { Ok(()) } else { Err(format!("{found}: {quarters:?}")) }
    }
}

/// max |JᵀSJ − S| of one step in (q, p = M v), by central differences.
fn defect<P, M>(plant: P, method: M, h: f64) -> Option<f64>
where
    P: Plant<2, 0, 0, 0>,
    On<P>: Solvable<Real = f64, Q = [f64; 2], V = [f64; 2]>,
    M: Method<On<P>> + Copy,
{
    let momentum = |q: &[f64; 2], v: &[f64; 2]| plant.mass(q).map(|row| row[0] * v[0] + row[1] * v[1]);
    let velocity = |q: &[f64; 2], p: &[f64; 2]| {
        let [[a, b], [_, c]] = plant.mass(q);
        let det = a * c - b * b;
        [(c * p[0] - b * p[1]) / det, (a * p[1] - b * p[0]) / det]
    };
    let map = |x: [f64; 4]| {
        let (q, p) = ([x[0], x[1]], [x[2], x[3]]);
        let (q, v) = flow(&on(plant), method, h, 1, (q, velocity(&q, &p))).ok()?;
        let p = momentum(&q, &v);
        Some([q[0], q[1], p[0], p[1]])
    };
    let (q, v) = ([0.3, -0.2], [0.4, 0.25]);
    let p = momentum(&q, &v);
    let (x, e) = ([q[0], q[1], p[0], p[1]], 1e-4);
    let mut columns = [[0.0; 4]; 4];
    for (j, column) in columns.iter_mut().enumerate() {
        let at = |s: f64| {
            let mut x = x;
            x[j] += s * e;
            map(x)
        };
        let (far, near) = ([at(-2.0)?, at(2.0)?], [at(-1.0)?, at(1.0)?]);
        *column = std::array::from_fn(|i| (8.0 * (near[1][i] - near[0][i]) - (far[1][i] - far[0][i])) / (12.0 * e));
    }
    let form = |a: &[f64; 4], b: &[f64; 4]| a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1];
    let mut worst = 0.0_f64;
    for i in 0..4 {
        for j in 0..4 {
            let unit = |k: usize| std::array::from_fn(|l| f64::from(u8::from(k == l)));
            worst = worst.max((form(&columns[i], &columns[j]) - form(&unit(i), &unit(j))).abs());
        }
    }
    Some(worst)
}

/// The larger defect of a short and a long step. Defects of high orders show in long steps, which may fail.
fn either(short: Option<f64>, long: Option<f64>) -> f64 {
    short.expect("steps").max(long.unwrap_or(0.0))
}

/// Whether a step preserves the symplectic form: with any M(q), on separable systems only, or not.
pub(crate) struct Symplectic;

impl Strut for Symplectic {
    const NAME: &'static str = "symplectic";
    fn check<M: Candidate>(&self, method: M, claim: &str) -> Result<(), String> {
        let separable = either(defect(HenonHeiles, method, 0.4), defect(HenonHeiles, method, 1.0));
        let general = either(defect(DoublePendulum, method, 0.1), defect(DoublePendulum, method, 0.25));
        let found = match (separable < 1e-9, general < 1e-9) {
            (true, true) => "yes",
            (true, false) => "separable",
            _ => "no",
        };
        if claim == found { Ok(()) } else { Err(format!("{found}: {separable:e} separable, {general:e} with M(q)")) }
    }
}

/// How far a motion that is reversed, v → −v, ends from where it began.
fn gap<S, M>(system: &S, method: M, h: f64) -> Option<f64>
where
    S: Solvable<Real = f64, Q = [f64; 2], V = [f64; 2]>,
    M: Method<S> + Copy,
{
    let (q, v) = ([0.3, -0.2], [0.4, 0.25]);
    let there = flow(system, method, h, 20, (q, v)).ok()?;
    let back = flow(system, method, h, 20, (there.0, there.1.map(|v| -v))).ok()?;
    let gaps = [back.0[0] - q[0], back.0[1] - q[1], back.1[0] + v[0], back.1[1] + v[1]];
    Some(gaps.iter().map(|x| x.abs()).fold(0.0, f64::max))
}

/// Whether a reversed motion returns to its start: with any M(q), on separable systems only, or not.
pub(crate) struct Reversible;

impl Strut for Reversible {
    const NAME: &'static str = "reversible";
    fn check<M: Candidate>(&self, method: M, claim: &str) -> Result<(), String> {
        let (spring, bars) = (on(HenonHeiles), on(DoublePendulum));
        let separable = either(gap(&spring, method, 0.2), gap(&spring, method, 1.0));
        let general = either(gap(&bars, method, 0.05), gap(&bars, method, 0.25));
        let found = match (separable < 1e-9, general < 1e-9) {
            (true, true) => "yes",
            (true, false) => "separable",
            _ => "no",
        };
        if claim == found { Ok(()) } else { Err(format!("{found}: {separable:e} separable, {general:e} with M(q)")) }
    }
}

/// The highest n for which q = tⁿ is followed exactly.
pub(crate) struct Polynomial;

impl Strut for Polynomial {
    const NAME: &'static str = "tⁿ";
    fn check<M: Candidate>(&self, method: M, claim: &str) -> Result<(), String> {
        let off = |n: u32| {
            let end = run(&on(Power(n)), method, 0.5, 2.0).map_or(f64::NAN, |x| x.q[0]);
            (end / 2.0_f64.powi(n as i32) - 1.0).abs()
        };
        let found = (1..12).take_while(|&n| off(n) < 1e-11).last().unwrap_or(0);
        if number(claim) == f64::from(found) {
            Ok(())
        } else {
            Err(format!("n = {found}: off by {:e}", off(found + 1)))
        }
    }
}

/// Whether an undamped oscillation with h ω grows, from its first 100 steps to the last 100 of 1000.
fn grows<M: Candidate>(method: M, hw: f64) -> bool {
    let system = on(Oscillator { m: 1.0, k: hw * hw, c: 0.0, w: 0.0, x: 1.0, v: 0.0 });
    let mut run = Simulation::of(&system, method).fixed(1.0).expect("a start");
    let mut amplitude = |steps: std::ops::Range<u32>| {
        steps.fold(0.0_f64, |largest, step| match run.advance_to(f64::from(step + 1)) {
            Ok(_) => largest.max(run.state().q[0].abs()),
            Err(_) => f64::INFINITY,
        })
    };
    let first = amplitude(0..100);
    amplitude(100..900);
    !first.is_finite() || amplitude(900..1000) > 1.2 * first
}

/// The largest h ω up to which no undamped oscillation grows; a fifth above it grows visibly. 0 where all do.
pub(crate) struct Oscillation;

impl Strut for Oscillation {
    const NAME: &'static str = "h ω <";
    fn check<M: Candidate>(&self, method: M, claim: &str) -> Result<(), String> {
        let (low, high, scan) = match claim {
            "∞" => (1e3, None, vec![0.1, 0.3, 1.0, 3.0, 10.0, 100.0]),
            "0" => (0.0, Some(0.8), Vec::new()),
            limit => {
                let limit = number(limit);
                (0.98 * limit, Some(1.2 * limit), vec![0.5 * limit, 0.7 * limit, 0.9 * limit])
            }
        };
        let holds =
            scan.into_iter().chain([low]).all(|hw| !grows(method, hw)) && high.is_none_or(|hw| grows(method, hw));
        if holds {
            return Ok(());
        }
        let (mut low, mut high) = (0.0, 16.0);
        for _ in 0..10 {
            let middle = 0.5 * (low + high);
            *(if grows(method, middle) { &mut high } else { &mut low }) = middle;
        }
        Err(format!("it grows from {high:.2} or earlier"))
    }
}

/// The motion against a damper too stiff for the step, h c/m = 10⁶: gone at once, falling from the first step on, at
/// least not growing, or exploding.
pub(crate) struct Damper;

impl Strut for Damper {
    const NAME: &'static str = "stiff damper";
    fn check<M: Candidate>(&self, method: M, claim: &str) -> Result<(), String> {
        let system = on(Oscillator { m: 1.0, k: 0.0, c: 1e7, w: 0.0, x: 0.0, v: 1.0 });
        let after =
            |steps| flow(&system, method, 0.1, steps, ([0.0], [1.0])).map_or(f64::INFINITY, |(_, v)| v[0].abs());
        let (once, later) = (after(1), after(400));
        let found = if once < 1e-3 {
            "removed"
        } else if later < 1e-3 && (1..=8).all(|steps| after(steps) <= 1.0) {
            "decays"
        } else if later < 10.0 {
            "stays"
        } else {
            "explodes"
        };
        if claim == found {
            Ok(())
        } else {
            Err(format!("{found}: |v| = {once:e} after one step, {later:e} after 400"))
        }
    }
}

/// The power of h as which the estimate of the error behaves.
pub(crate) struct Estimated;

impl Strut for Estimated {
    const NAME: &'static str = "estimate";
    fn check<M: Candidate>(&self, method: M, claim: &str) -> Result<(), String> {
        let system = on(DoublePendulum);
        let mut x = State::neutral(&system);
        (x.q, x.v) = ([0.3, -0.2], [2.0, -1.5]);
        let x = Simulation::of(&system, Geodesic).given(x).fixed(1.0).expect("a start").state().clone();
        // Short, but long enough that a high power of it is above round-off. High powers vary so much along the motion
        // that their means over some time are compared.
        let (h, span) = match claim {
            "6" => (0.02, Some(0.8)),
            "9" => (0.05, Some(1.0)),
            "4" | "5" => (0.01, None),
            _ => (0.001, None),
        };
        let estimate = |h: f64| {
            let mut work = Work::default();
            let mut cx = Context { system: &system, inputs: &Nominal, work: &mut work };
            let mut w = Method::<On<DoublePendulum>>::scratch(&method, &system);
            let (mut x, mut next) = (x.clone(), Proposal::new(&system));
            let mut memory = method.restart(&mut cx, &mut x, h, &mut w, &mut next.acceleration).expect("a start");
            // At the first steps some have no differences yet to estimate from.
            let steps = span.map_or(4, |span| (span / h) as u32);
            let mut squares = 0.0;
            for step in 0..steps {
                next.attempt(&method, &mut cx, (&x, &memory), h, &mut w).expect("a step");
                next.finish(&method, &mut cx).expect("finite");
                let estimate = next.error.q.iter().chain(&next.error.v).map(|x| x.abs()).fold(0.0, f64::max);
                if step >= 3 {
                    squares += estimate * estimate;
                }
                next.commit(&method, (&mut x, &mut memory), &mut w);
            }
            Method::<On<DoublePendulum>>::estimates(&method).then(|| (squares / f64::from(steps)).sqrt())
        };
        match (claim, estimate(h), estimate(0.5 * h)) {
            ("–", None, None) => Ok(()),
            ("–", ..) => Err("there is one".to_owned()),
            (claim, Some(coarse), Some(fine)) => {
                let order = (coarse / fine).log2();
                if (order - number(claim)).abs() < 0.2 { Ok(()) } else { Err(format!("it behaves as h^{order:.2}")) }
            }
            _ => Err("there is none".to_owned()),
        }
    }
}
