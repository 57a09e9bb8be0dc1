//! The stiffness that energies choose for Newton's iterations, beside the same models with their own.

use ode_model::integrators::{BackwardEuler, Bdf2, GeneralizedAlpha, Implicit, ImplicitMidpoint};
use ode_model::linalg::nalgebra::{DMatrix, DVector, SymmetricEigen, Vector3};
use ode_model::prelude::*;
use ode_model::solve::{Newton, Reuse};
use ode_model::{Block, Dual, Linearize, Method, Residual, Scalar, Solvable, Weights};

#[path = "../../ode-runtime/tests/common/heap.rs"]
mod counter;

macro_rules! cloths {
    ($($how:ident $name:ident)*) => { $(
        model! {
            /// Masses on springs with dampers.
            pub struct $name<T> {
                set nodes;
                set springs: (nodes, nodes);
                set pinned: nodes;
                param m: Real [kg] = 0.01;
                param g: Real [m/s^2] = 9.81;
                param p[nodes]: Vec3 [m];
                param k[springs]: Real [N/m];
                param rest[springs]: Real [m];
                param lag: Real [s] = 1.0e-3;
                coord (x, v)[nodes]: Vec3 [m];
                for i in nodes {
                    mass x[i] = m;
                    potential = m * g * x[i].z;
                    guess x[i] = p[i];
                }
                for s @ (i, j) in springs {
                    let length = norm(x[j] - x[i]);
                    #[tangent($how)]
                    potential = 0.5 * k[s] * sq(length - rest[s]);
                    dissipation = 0.5 * lag * k[s] * sq(der(length));
                }
                for i in pinned {
                    fix x[i] = p[i];
                }
            }
        }
    )* };
}
cloths! { exact Exact gauss_newton Squared psd Positive }

macro_rules! solids {
    ($($how:ident $name:ident)*) => { $(
        model! {
            /// Compressible neo-Hookean tetrahedra of unit shape, and a post that pulls on the first node.
            pub struct $name {
                set nodes;
                set tets: (nodes, nodes, nodes, nodes);
                param mu: Real [N/m^2] = 3.0;
                param lambda: Real [N/m^2] = 5.0;
                param volume[tets]: Real [m^3];
                param size: Real [m] = 1.0;
                param post: Real [N/m] = -2.0;
                param p[nodes]: Vec3 [m];
                coord (x, v)[nodes]: Vec3 [m];
                coord s: Real [m];
                mass s = 1.0kg;
                #[tangent($how)]
                potential = post * sq(s) + post / size * -0.5 * s * s * s;
                for i in nodes {
                    mass x[i] = 1.0kg;
                    guess x[i] = p[i];
                }
                for e @ (a, b, c, d) in tets {
                    let f1 = (x[b] - x[a]) / size;
                    let f2 = (x[c] - x[a]) / size;
                    let f3 = (x[d] - x[a]) / size;
                    let grown = ln(f1.dot(f2.cross(f3)));
                    let i1 = f1.dot(f1) + f2.dot(f2) + f3.dot(f3);
                    #[tangent($how)]
                    potential = volume[e] * (0.5 * mu * (i1 - 3.0 - 2.0 * grown) + 0.5 * lambda * sq(grown));
                }
            }
        }
    )* };
}
solids! { exact Solid psd PositiveSolid }

/// Numbers in (0, 1) that look random.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Springs of an n × n sheet.
fn sheet(n: usize) -> Vec<[usize; 2]> {
    let mut springs = Vec::new();
    for p in 0..n * n {
        for (right, up) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            let to = (p % n).checked_add_signed(right).map(|column| [column, p / n + up]);
            if let Some([column, row]) = to.filter(|to| to.iter().all(|&k| k < n)) {
                springs.push([p, row * n + column]);
            }
        }
    }
    springs
}

/// An n × n sheet whose springs are `rest` times as long as they are at the guess, near which they are.
macro_rules! sheet {
    ($name:ident, $n:expr, $rest:expr, $seed:expr) => {{
        let (n, mut next): (usize, _) = ($n, numbers($seed));
        let p: Vec<[f64; 3]> =
            (0..n * n).map(|p| [0.1 * (p % n) as f64, 0.1 * (p / n) as f64, 0.02 * next()]).collect();
        let springs = sheet(n);
        let length =
            |&[i, j]: &[usize; 2]| -> f64 { p[i].iter().zip(p[j]).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt() };
        let rest: Vec<f64> = springs.iter().map(|s| ($rest + 0.1 * next()) * length(s)).collect();
        let k: Vec<f64> = springs.iter().map(|_| 50.0 + 50.0 * next()).collect();
        let cloth = $name::builder().nodes(n * n).springs(springs).pinned([0, n - 1]);
        cloth.p(p).k(k).rest(rest).build().expect("a sheet")
    }};
}

/// The state of the guess.
fn start<S: Solvable<Real = f64>>(system: &S) -> State<S> {
    let mut x = State::neutral(system);
    system.guess(&mut x.q, &mut x.v, &mut x.z);
    x
}

/// The tangent with these weights, and the matrix of Newton's iterations.
fn matrices<S: Solvable<Real = f64> + Linearize>(system: &S, x: &State<S>, weights: Weights<f64>) -> [Vec<f64>; 2] {
    let layout = system.layout();
    let (mut residual, mut exact) = (Residual::zeros(&layout), S::Tangent::zeros(layout.tangent.nnz()));
    let (step, u) = (S::V::zeros(layout.v.len()), S::U::zeros(layout.u.len()));
    system.tangent(x.at(&u), x.rates(), weights, &step, &mut residual, &mut exact);
    let mut newton = exact.clone();
    system.newton_stiffness(x.at(&u), weights, &mut newton);
    [exact.as_ref().to_vec(), newton.as_ref().to_vec()]
}

const STIFFNESS: Weights<f64> = Weights { rates: 0.0, velocity: 0.0, position: 1.0, state: 0.0 };

/// The rows and columns of velocities.
fn dense<S: System>(system: &S, values: &[f64]) -> DMatrix<f64> {
    let (layout, nv) = (system.layout(), system.layout().v.len());
    let mut matrix = DMatrix::zeros(nv, nv);
    for ((row, column), &value) in layout.tangent.entries().zip(values).filter(|((r, c), _)| *r < nv && *c < nv) {
        matrix[(row, column)] = value;
    }
    matrix
}

/// Both stiffnesses.
fn stiffnesses<S: Solvable<Real = f64> + Linearize>(system: &S, x: &State<S>) -> [DMatrix<f64>; 2] {
    matrices(system, x, STIFFNESS).map(|values| dense(system, &values))
}

fn smallest(matrix: &DMatrix<f64>) -> f64 {
    SymmetricEigen::new(matrix.clone()).eigenvalues.min()
}

/// The nearest matrix without negative eigenvalues.
fn projected(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let of = SymmetricEigen::new(0.5 * (matrix + matrix.transpose()));
    let values = DVector::from_iterator(of.eigenvalues.len(), of.eigenvalues.iter().map(|x| x.max(0.0)));
    &of.eigenvectors * DMatrix::from_diagonal(&values) * of.eigenvectors.transpose()
}

fn assert_near(found: &DMatrix<f64>, wanted: &DMatrix<f64>) {
    let off = (found - wanted).amax() / wanted.amax();
    assert!(off < 1e-12, "{off:e}");
}

/// Adds a matrix of a few nodes.
fn scatter(nodes: &[usize], of: &DMatrix<f64>, to: &mut DMatrix<f64>) {
    for (row, column) in (0..of.nrows()).flat_map(|r| (0..of.ncols()).map(move |c| (r, c))) {
        let at = |k: usize| 3 * nodes[k / 3] + k % 3;
        to[(at(row), at(column))] += of[(row, column)];
    }
}

#[test]
fn stiffness_of_springs_is_the_sum_of_their_projections() {
    for (seed, rest) in [(1, 0.7), (2, 1.0), (3, 1.3), (4, 2.0)] {
        let (exact, positive) = (sheet!(Exact, 5, rest, seed), sheet!(Positive, 5, rest, seed));
        let (x, y) = (start(&exact), start(&positive));
        let [own, newton] = stiffnesses(&positive, &y);
        let mut wanted = DMatrix::zeros(own.nrows(), own.ncols());
        for (s, &[i, j]) in exact.springs().iter().enumerate() {
            let p = [exact.p[i], exact.p[j]];
            let alone = Exact::builder().nodes(2).springs([[0, 1]]).pinned([]).p(p).k([exact.k[s]]);
            let alone = alone.rest([exact.rest[s]]).build().expect("a spring");
            scatter(&[i, j], &projected(&stiffnesses(&alone, &start(&alone))[0]), &mut wanted);
        }
        assert_near(&newton, &wanted);
        assert!(smallest(&newton) > -1e-12 * newton.amax());
        // what is asked for by name, or needs the derivative, has the springs' own
        let alike = matrices(&exact, &x, STIFFNESS);
        assert!(alike[0] == alike[1] && alike[0] == matrices(&positive, &y, STIFFNESS)[0]);
        let u = Block::zeros(0);
        let named = [exact.stiffness(x.at(&u), x.rates()), positive.stiffness(y.at(&u), y.rates())];
        assert!(named[0] == named[1]);
        assert_eq!(exact.energy(x.at(&u)), positive.energy(y.at(&u)));
        // pressed springs push aside, stretched ones do not
        assert_eq!(smallest(&own) < -1e-3 * own.amax(), rest >= 1.0, "{rest}");
        assert_eq!(own == newton, rest < 1.0, "{rest}");
    }
}

#[test]
fn stiffness_of_solids_is_the_sum_of_their_projections() {
    let tets = [[0, 1, 2, 3], [4, 2, 1, 3]];
    let mut refused = 0;
    for seed in 1..20 {
        let mut next = numbers(seed);
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.6, 0.7, 0.8]];
        let p = corners.map(|corner: [f64; 3]| corner.map(|x| 0.6 * x + 0.5 * (next() - 0.5)));
        let turned = |&[a, b, c, d]: &[usize; 4]| {
            let [e, f, g] = [b, c, d].map(|k| Vector3::from(p[k]) - Vector3::from(p[a]));
            e.dot(&f.cross(&g)) < 1e-3
        };
        if tets.iter().any(turned) {
            refused += 1;
            continue;
        }
        let built = PositiveSolid::builder().nodes(5).tets(tets).volume([0.2, 0.3]).p(p);
        let positive = built.build().expect("two tetrahedra");
        let mut x = start(&positive);
        x.q[15] = next();
        let [_, newton] = stiffnesses(&positive, &x);
        let mut wanted = DMatrix::zeros(16, 16);
        for (nodes, volume) in tets.iter().zip([0.2, 0.3]) {
            let alone = Solid::builder().nodes(4).tets([[0, 1, 2, 3]]).volume([volume]).p(nodes.map(|k| p[k]));
            let alone = alone.build().expect("a tetrahedron");
            let own = stiffnesses(&alone, &start(&alone))[0].view((0, 0), (12, 12)).into_owned();
            scatter(nodes, &projected(&own), &mut wanted);
        }
        // of what stands beside the loops, the second derivative alone
        wanted[(15, 15)] = (6.0 * x.q[15] - 4.0_f64).max(0.0);
        assert_near(&newton, &wanted);
        assert!(smallest(&newton) > -1e-12 * newton.amax());
    }
    assert!(refused < 12, "{refused}");
}

/// ∇e of e = |x[j] − x[i]| − rest, by dual numbers.
fn slope(p: [[f64; 3]; 2], rest: f64) -> DVector<f64> {
    let ends = p.concat();
    DVector::from_fn(6, |k, _| {
        let x: Vec<Dual<f64>> =
            ends.iter().enumerate().map(|(i, &x)| Dual { re: x, eps: f64::from(u8::from(i == k)) }).collect();
        let square = (0..3).fold(Dual::ZERO, |sum, i| sum + (x[3 + i] - x[i]) * (x[3 + i] - x[i]));
        (square.sqrt() - Dual::from_f64(rest)).eps
    })
}

#[test]
fn gauss_newton_stiffness_is_that_of_the_linear_part() {
    for (seed, rest) in [(1, 0.7), (2, 1.0), (3, 1.6)] {
        let squared = sheet!(Squared, 4, rest, seed);
        let [_, newton] = stiffnesses(&squared, &start(&squared));
        let mut wanted = DMatrix::zeros(newton.nrows(), newton.ncols());
        for (s, &[i, j]) in squared.springs().iter().enumerate() {
            let slope = slope([squared.p[i], squared.p[j]], squared.rest[s]);
            scatter(&[i, j], &(squared.k[s] * &slope * slope.transpose()), &mut wanted);
        }
        assert_near(&newton, &wanted);
    }
}

fn steps<S: Solvable<Real = f64, Q = Vec<f64>>, M: Method<S>>(system: &S, method: M, h: f64, end: f64) -> Vec<f64> {
    let mut run = Simulation::of(system, method).fixed(h).expect("a start");
    run.advance_to(end).unwrap_or_else(|error| panic!("{error}"));
    run.state().q.clone()
}

fn assert_close(found: &[f64], wanted: &[f64], most: f64) {
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((found - wanted).abs() < most * (1.0 + wanted.abs()), "{found} {wanted}");
    }
}

#[test]
fn steps_of_pressed_springs_are_those_of_the_exact_tangent() {
    let newton = Newton { iterations: 100, tolerance: 1e-13, ..Newton::default() };
    macro_rules! alike {
        ($($method:expr),*) => { $({
            let wanted = steps(&sheet!(Exact, 5, 1.1, 7), $method, 1e-3, 0.02);
            assert_close(&steps(&sheet!(Positive, 5, 1.1, 7), $method, 1e-3, 0.02), &wanted, 1e-9);
            assert_close(&steps(&sheet!(Squared, 5, 1.1, 7), $method, 1e-3, 0.02), &wanted, 1e-9);
        })* };
    }
    alike!(
        BackwardEuler { solve: Implicit::Newton(newton), ..BackwardEuler::default() },
        Bdf2 { newton, ..Bdf2::default() },
        Bdf2 { newton: Newton { reuse: Reuse::automatic(), ..newton }, ..Bdf2::default() },
        GeneralizedAlpha { newton, ..GeneralizedAlpha::with_spectral_radius(0.8) },
        ImplicitMidpoint::default()
    );
    // a linearised step has the exact tangent
    let linearised = BackwardEuler::linearized();
    let wanted = steps(&sheet!(Exact, 5, 1.1, 7), linearised, 1e-3, 0.02);
    assert_eq!(steps(&sheet!(Positive, 5, 1.1, 7), linearised, 1e-3, 0.02), wanted);
}

#[test]
fn remaining_errors_are_below_the_tolerance_although_convergence_is_linear() {
    let method = |tolerance| {
        let newton = Newton { iterations: 100, tolerance, ..Newton::default() };
        BackwardEuler { solve: Implicit::Newton(newton), ..BackwardEuler::default() }
    };
    let sheet = Positive { lag: 0.0, ..sheet!(Positive, 8, 1.3, 3) };
    let wanted = steps(&sheet, method(1e-14), 5e-3, 5e-3);
    for tolerance in [1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10] {
        assert_close(&steps(&sheet, method(tolerance), 5e-3, 5e-3), &wanted, tolerance);
    }
}

#[test]
fn conjugate_gradients_solve_steps_of_crumpled_sheets() {
    let newton = Newton { iterations: 60, tolerance: 1e-10, ..Newton::default() };
    let method = BackwardEuler { solve: Implicit::Newton(newton), ..BackwardEuler::default() };
    for rest in [0.6, 0.75, 0.9] {
        // the slopes of dampers are not symmetric
        let n = 8;
        let (mut exact, mut positive) = (sheet!(Exact, n, rest, 3), sheet!(Positive, n, rest, 3));
        (exact.lag, positive.lag) = (0.0, 0.0);
        let mut next = numbers(9);
        for (node, axis) in (n..n * n).flat_map(|node| (0..3).map(move |axis| (node, axis))) {
            let off = 0.1 * (next() - 0.5);
            exact.p[node][axis] += off;
            positive.p[node][axis] += off;
        }
        let wanted = steps(&positive, method, 0.01, 0.05);
        let exact = Iterative::new(exact).expect("held rows alone");
        let mut run = Simulation::of(&exact, method).fixed(0.01).expect("a start");
        let error = run.advance_to(0.05).expect_err("negative stiffness");
        assert!(matches!(error.cause, Cause::Indefinite { .. }), "{error}");
        let positive = Iterative::new(positive).and_then(|system| system.to(1e-12)).expect("held rows alone");
        assert_close(&steps(&positive, method, 0.01, 0.05), &wanted, 1e-8);
        // a part of the way, where both know it
        let found = steps(&positive, method, 1e-3, 5e-3);
        assert_close(&found, &steps(&exact, method, 1e-3, 5e-3), 1e-8);
    }
}

#[test]
fn threads_change_no_bit_of_the_stiffness() {
    let sheet = sheet!(Positive, 40, 1.2, 5);
    let x = start(&sheet);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let [_, newton] = pool.install(|| matrices(&sheet, &x, STIFFNESS));
        newton.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    let one = with(1);
    for threads in [2, 4] {
        assert!(with(threads) == one, "{threads} threads");
    }
}

#[test]
fn steps_leave_the_heap_alone() {
    let sheet = sheet!(Positive, 8, 1.2, 5);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(|| {
        let mut run = Simulation::of(&sheet, BackwardEuler::default()).fixed(1e-3).expect("a start");
        run.advance_to(1e-3).expect("a step");
        assert_eq!(counter::calls(|| run.advance_to(5e-3).expect("steps")), 0);
    });
}

/// Matrices that a run has kept are made again as they were.
#[test]
fn resumed_runs_are_those_that_were_not_interrupted() {
    let sheet = sheet!(Positive, 5, 1.1, 7);
    let newton = Newton { iterations: 60, reuse: Reuse::automatic(), ..Newton::default() };
    let method = Bdf2 { newton, ..Bdf2::default() };
    let mut whole = Simulation::of(&sheet, method).fixed(1e-3).expect("a start");
    whole.advance_to(5e-3).expect("steps");
    let checkpoint = whole.checkpoint();
    let mut rest = Simulation::of(&sheet, method).resume(checkpoint).fixed(1e-3).expect("a start");
    for run in [&mut whole, &mut rest] {
        run.advance_to(0.01).expect("steps");
    }
    assert!(whole.state().q == rest.state().q && whole.state().v == rest.state().v);
}
