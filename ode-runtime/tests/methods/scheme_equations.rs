//! The equations of the symplectic methods as their pages write them, on the states before and after single steps,
//! whatever has solved them: the step between two states tells p′, and what impulses cannot explain of the rest is
//! round-off.

use crate::common::canonical::{Bead, Shaken};
use crate::common::erased::{Erased, Shared};
use crate::common::linkages::FourBar;
use crate::common::mechanisms::Hinged;
use crate::common::rigid::{Chart, Top};
use crate::common::squeezer::Squeezer;
use crate::common::{Plant, on};
use crate::dense_system;
use ode_runtime::integrators::{ImplicitMidpoint, StormerVerlet, SymplecticEuler};
use ode_runtime::linalg::Saddle;
use ode_runtime::{At, Block, Constraint, Forward, Linearize, RowKind, Scalar, Simulation, Solvable, State, input_fn};

/// [`Bead`] with friction that is not symmetric, a state, a force of time and an input.
#[derive(Clone, Copy, Debug)]
struct Resisted;

impl Plant<3, 1, 1, 1> for Resisted {
    fn mass<T: Scalar>(&self, q: &[T; 3]) -> [[T; 3]; 3] {
        Bead.mass(q)
    }
    fn force<T: Scalar>(&self, t: T, q: &[T; 3], v: &[T; 3], z: &[T; 1], u: &[T; 1]) -> [T; 3] {
        let [r, phi, s] = Bead.force(t, q, v, &[], &[]);
        let c = T::from_f64;
        [
            r - c(0.7) * v[0] + c(0.9) * v[1] + z[0] * v[2],
            phi - c(0.4) * v[1] * v[1] * v[1] + (c(5.0) * t).cos(),
            s - c(0.2) * v[0] * v[2] + c(2.0) * z[0] * q[1] + u[0],
        ]
    }
    fn rates<T: Scalar>(&self, t: T, q: &[T; 3], v: &[T; 3], z: &[T; 1], u: &[T; 1]) -> [T; 1] {
        [v[0] * v[1] - T::from_f64(3.0) * z[0] + q[2] + u[0] * t.sin()]
    }
    fn phi<T: Scalar>(&self, t: T, q: &[T; 3]) -> [T; 1] {
        Bead.phi(t, q)
    }
    fn guess(&self) -> ([f64; 3], [f64; 3], [f64; 1]) {
        let (q, v, _) = Bead.guess();
        (q, v, [0.3])
    }
}
dense_system!(Resisted, q 3 ["r", "phi", "s"], z 1 ["flux"], c 1 ["curve"], u 1 ["push"], mass 6, jacobian 3, n 5,
    tangent 25, saddle 4, assembly 4, init [], []);

/// What a step does to positions and momenta.
#[derive(Clone, Copy)]
enum Scheme {
    /// the shares of the step before and after the positions move
    Partitioned(f64, f64),
    Midpoint,
}

type Matrix = Vec<Vec<f64>>;

/// M, f + Ṁ v, g, G and the rates of the rows.
struct Point {
    mass: Matrix,
    force: Vec<f64>,
    rates: Vec<f64>,
    rows: Matrix,
    row_rates: Vec<f64>,
}

fn point<S: Solvable<Real = f64>>(
    system: &S,
    input: impl Fn(f64, &mut [f64]),
    modes: &S::Modes,
    (t, q, v, z): (f64, &S::Q, &[f64], &[f64]),
) -> Point {
    let layout = system.layout();
    let neutral = State::neutral(system);
    let (mut velocity, mut state, mut u) = (neutral.v.clone(), neutral.z.clone(), S::U::zeros(layout.u.len()));
    velocity.as_mut().copy_from_slice(v);
    state.as_mut().copy_from_slice(z);
    system.nominal(&mut u);
    input(t, u.as_mut());
    let at = At { t, q, v: &velocity, z: &state, u: &u, modes };
    let (mut forward, mut held, mut rate) = (Forward::<S>::zeros(&layout), Constraint::<S>::zeros(&layout), neutral.v);
    system.forward(at, &mut forward);
    system.constraint(at, &mut held);
    system.momentum_rate(at, &mut rate);
    let mut mass = vec![vec![0.0; v.len()]; v.len()];
    for ((r, c), &m) in layout.mass.entries().zip(forward.mass.as_ref()) {
        (mass[r][c], mass[c][r]) = (m, m);
    }
    let mut rows = vec![vec![0.0; v.len()]; layout.constraints.len()];
    for ((r, c), &g) in layout.jacobian.entries().zip(forward.jacobian.as_ref()) {
        rows[r][c] = g;
    }
    let force = forward.force.as_ref().iter().zip(rate.as_ref()).map(|(f, m)| f + m).collect();
    Point { mass, force, rates: forward.zdot.as_ref().to_vec(), rows, row_rates: held.rate.as_ref().to_vec() }
}

fn times(m: &Matrix, x: &[f64]) -> Vec<f64> {
    m.iter().map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect()
}

fn sum(a: f64, x: &[f64], b: f64, y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| a * x + b * y).collect()
}

fn size(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |size, x| if x.abs() <= size { size } else { x.abs() })
}

fn solve(mut a: Matrix, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).expect("a row");
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            let row = a[k].clone();
            a[i].iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    b
}

/// What no combination of the rows explains of `r`.
fn outside(mut r: Vec<f64>, rows: &Matrix) -> f64 {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let mut basis: Matrix = Vec::new();
    for row in rows {
        let mut own = row.clone();
        for _ in 0..2 {
            for b in &basis {
                own = sum(1.0, &own, -dot(&own, b), b);
            }
        }
        let (length, whole) = (dot(&own, &own).sqrt(), dot(row, row).sqrt());
        if length > 1e-9 * whole {
            basis.push(own.iter().map(|x| x / length).collect());
        }
    }
    for _ in 0..2 {
        for b in &basis {
            r = sum(1.0, &r, -dot(&r, b), b);
        }
    }
    size(&r)
}

/// What the equations of a step from `x` to `y` leave, as a multiple of the round-off of their terms.
fn left<S: Solvable<Real = f64>>(
    system: &S,
    scheme: Scheme,
    input: impl Fn(f64, &mut [f64]) + Copy,
    x: &State<S>,
    y: &State<S>,
    h: f64,
) -> f64 {
    let layout = system.layout();
    let at = |t: f64, q: &S::Q, v: &[f64], z: &[f64]| point(system, input, &x.modes, (t, q, v, z));
    let (old, new) = (x.v.as_ref(), y.v.as_ref());
    let mut theta = x.v.clone();
    system.local(&x.q, &y.q, &mut theta);
    let w: Vec<f64> = theta.as_ref().iter().map(|s| s / h).collect();
    let mut half = theta.clone();
    half.as_mut().iter_mut().for_each(|s| *s *= 0.5);
    let mut middle = x.q.clone();
    system.retract(&x.q, &half, &mut middle);
    let (begin, end) = (at(x.t, &x.q, old, x.z.as_ref()), at(y.t, &y.q, new, y.z.as_ref()));
    let (before, after, z, force) = match scheme {
        Scheme::Partitioned(alpha, beta) => {
            let mean: Matrix = begin.mass.iter().zip(&end.mass).map(|(b, e)| sum(beta, b, alpha, e)).collect();
            let first = solve(mean.clone(), times(&end.mass, &w));
            let last = solve(mean, times(&begin.mass, &w));
            let mut z = x.z.as_ref().to_vec();
            for _ in 0..200 {
                z = sum(1.0, x.z.as_ref(), alpha * h, &at(x.t, &x.q, &first, &z).rates);
            }
            let (one, two) = (at(x.t, &x.q, &first, &z), at(y.t, &y.q, &last, &z));
            let (p, q) = (times(&begin.mass, &first), times(&end.mass, &last));
            let before = sum(1.0, &sum(1.0, &p, -1.0, &times(&begin.mass, old)), -alpha * h, &one.force);
            let after = sum(1.0, &sum(1.0, &times(&end.mass, new), -1.0, &q), -beta * h, &two.force);
            let force = size(&one.force).max(size(&two.force));
            (before, after, sum(1.0, &sum(1.0, y.z.as_ref(), -1.0, &z), -beta * h, &two.rates), force)
        }
        Scheme::Midpoint => {
            let z = sum(0.5, x.z.as_ref(), 0.5, y.z.as_ref());
            let within = at(x.t + 0.5 * h, &middle, &w, &z);
            let p = times(&within.mass, &w);
            let before = sum(1.0, &sum(1.0, &p, -0.5 * h, &within.force), -1.0, &times(&begin.mass, old));
            let after = sum(1.0, &sum(1.0, &times(&end.mass, new), -1.0, &p), -0.5 * h, &within.force);
            let z = sum(1.0, &sum(1.0, y.z.as_ref(), -1.0, x.z.as_ref()), -h, &within.rates);
            (before, after, z, size(&within.force))
        }
    };
    let speed = size(old).max(size(new)) + size(x.q.as_ref()) / h;
    let heaviest = begin.mass.iter().map(|row| row.iter().map(|m| m.abs()).sum::<f64>()).fold(0.0, f64::max);
    let momentum = heaviest * speed + h * force;
    let rows = at(x.t + 0.5 * h, &middle, &w, x.z.as_ref());
    let mut held = 0.0_f64;
    for (row, kind) in layout.kinds.iter().enumerate() {
        let most = begin.rows[row].iter().map(|g| g.abs()).sum::<f64>() + 1.0;
        if *kind == RowKind::Nonholonomic {
            held = held.max(rows.row_rates[row].abs() / (most * speed));
        }
        if *kind != RowKind::Compliant {
            held = held.max(end.row_rates[row].abs() / (most * speed));
        }
    }
    let z = size(&z) / (1.0 + size(y.z.as_ref()));
    let motion = outside(before, &begin.rows).max(outside(after, &end.rows)) / momentum;
    motion.max(z).max(held) / f64::EPSILON
}

/// Ten steps, of which every third is shorter, from the largest size down to 10⁻⁸ of it.
fn meets<S: Solvable<Real = f64>>(system: &S, name: &str, method: &dyn Erased<S>, scheme: Scheme, most: f64) {
    let input = |t: f64, u: &mut [f64]| u.iter_mut().for_each(|u| *u = 0.5 * (3.0 * t).sin());
    for exponent in 0..=8 {
        let h = most * 10.0_f64.powi(-exponent);
        let inputs = input_fn(move |at, u: &mut S::U| input(at.t, u.as_mut()));
        let mut run = Simulation::of(system, Shared(method)).inputs(inputs).fixed(h).expect("a start");
        for step in 0..10 {
            let x = run.state().clone();
            let own = if step % 3 == 2 { 0.6 * h } else { h };
            run.step_towards(x.t + own).unwrap_or_else(|error| panic!("{name}, h = {h:e}: {error}"));
            let y = run.state();
            let left = left(system, scheme, input, &x, y, y.t - x.t);
            // Solves with rows that depend on each other keep fewer digits.
            let bound = if S::Saddle::REDUNDANT { 1e4 } else { 500.0 };
            assert!(left < bound, "{name}, h = {h:e}, step {step}: {left} times round-off");
        }
    }
}

fn all<S: Solvable<Real = f64> + Linearize + 'static>(system: &S, most: f64) {
    let name = system.layout().name;
    let meets = |suffix: &str| format!("{name}, {suffix}");
    self::meets(system, &meets("Störmer–Verlet"), &StormerVerlet::default(), Scheme::Partitioned(0.5, 0.5), most);
    let euler = SymplecticEuler::momenta_first();
    self::meets(system, &meets("momenta first"), &euler, Scheme::Partitioned(1.0, 0.0), most);
    let euler = SymplecticEuler::positions_first();
    self::meets(system, &meets("positions first"), &euler, Scheme::Partitioned(0.0, 1.0), most);
    self::meets(system, &meets("midpoint"), &ImplicitMidpoint::default(), Scheme::Midpoint, most);
}

#[test]
fn steps_solve_the_equations_of_their_pages() {
    all(&on(Squeezer), 3e-4);
    all(&on(Resisted), 0.05);
    all(&on(Shaken), 0.1);
    all(&on(FourBar { th: 0.4, w: -3.0 }), 0.03);
}

#[test]
fn steps_of_rotations_solve_the_equations_of_their_pages() {
    all(&on(Top { chart: Chart::Space, weight: 2.0, ..Top::free() }), 0.1);
    all(&on(Hinged), 0.05);
}
