//! Steps solved by iterations, beside those solved by elimination.

use ode_model::linalg::{IterativeKkt, Kkt, Unsolved};
use ode_model::prelude::*;
use ode_model::{Block, IterativeError, Linearize, Method, Residual, Solvable, Weights};

#[path = "../../ode-runtime/tests/common/heap.rs"]
mod counter;

model! {
    /// Masses on springs with dampers, some held in place, some on a table.
    pub struct Cloth {
        set nodes;
        set springs: (nodes, nodes);
        set pinned: nodes;
        set table: nodes;
        param m[nodes]: Real [kg];
        param p[nodes]: Vec3 [m];
        param k[springs]: Real [N/m];
        param rest[springs]: Real [m];
        param lag: Real [s] = 0.0;
        param lift: Real [m] = 0.1;
        param w: Real [rad/s] = 1.0;
        param g: Real [m/s^2] = 9.81;
        coord (x, v)[nodes]: Vec3 [m];
        for i in nodes {
            mass x[i] = m[i];
            potential = m[i] * g * x[i].z;
            guess x[i] = p[i];
        }
        for s @ (i, j) in springs {
            let length = norm(x[j] - x[i]);
            potential = 0.5 * k[s] * sq(length - rest[s]);
            dissipation = 0.5 * lag * k[s] * sq(der(length));
        }
        for i in pinned {
            fix x[i] = p[i] + vec3(0.0, 0.0, lift * sin(w * t));
        }
        for i in table {
            constraint flat: x[i].y == p[i].y;
        }
    }
}
model! {
    /// Two points on a rod.
    pub struct Rods {
        set nodes;
        set rods: (nodes, nodes);
        param m: Real [kg] = 1.0;
        param l: Real [m] = 1.0;
        param p[nodes]: Vec3 [m];
        coord (x, v)[nodes]: Vec3 [m];
        for i in nodes {
            mass x[i] = m;
            guess x[i] = p[i];
        }
        for (i, j) in rods {
            constraint rod: norm(x[j] - x[i]) == l;
        }
    }
}

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

/// An n × n cloth of random stiffness and mass, stretched; corners pinned, an edge on the table.
fn cloth(n: usize, seed: u64, lag: f64) -> Cloth {
    let mut next = numbers(seed);
    let at = |p: usize| [p % n, p / n].map(|k| 0.1 * k as f64);
    let (mut springs, mut stiff, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for p in 0..n * n {
        for (right, up) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            let to = (p % n).checked_add_signed(right).map(|column| [column, p / n + up]);
            if let Some([column, row]) = to.filter(|to| to.iter().all(|&k| k < n)) {
                springs.push([p, row * n + column]);
                stiff.push(10.0 + 1000.0 * next());
                let ([a, b], [c, d]) = (at(p), at(row * n + column));
                rest.push((0.7 + 0.1 * next()) * (a - c).hypot(b - d));
            }
        }
    }
    let masses: Vec<f64> = (0..n * n).map(|_| 0.001 + 0.01 * next()).collect();
    let p = (0..n * n).map(at).map(|[x, y]| [x, y, 0.05 * next()]).collect::<Vec<_>>();
    let cloth = Cloth::builder().nodes(n * n).springs(springs).pinned([0, n - 1]).table((n - 2) * n..(n - 1) * n);
    cloth.m(masses).p(p).k(stiff).rest(rest).lag(lag).build().expect("a cloth")
}

/// The tangent of a step at the guess, and a right-hand side.
fn equations(cloth: &Cloth, seed: u64) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let layout = cloth.layout();
    let (mut next, mut x) = (numbers(seed), State::neutral(cloth));
    cloth.guess(&mut x.q, &mut x.v, &mut x.z);
    x.v.iter_mut().for_each(|v| *v = next() - 0.5);
    let weights = Weights { rates: 100.0, velocity: 1.0, position: 0.01, state: 0.0 };
    let (mut residual, mut tangent) = (Residual::zeros(&layout), vec![0.0; layout.tangent.nnz()]);
    let (step, u) = (vec![0.0; layout.v.len()], Block::zeros(0));
    cloth.tangent(x.at(&u), x.rates(), weights, &step, &mut residual, &mut tangent);
    let mut right = |count: usize| (0..count).map(|_| next() - 0.5).collect();
    let (v, l) = (right(layout.v.len()), right(layout.constraints.len()));
    (tangent, v, l)
}

fn solved<K: Kkt<f64>>(cloth: &Cloth, mut kkt: K, seed: u64) -> (Vec<f64>, u32) {
    let (tangent, mut v, mut l) = equations(cloth, seed);
    kkt.factorize(&cloth.layout(), &tangent).expect("regular");
    let done = kkt.solve(&mut v, &mut [], &mut l).expect("a solution");
    assert!(done.residual <= 1e-13, "{done:?}");
    v.append(&mut l);
    (v, done.iterations)
}

#[test]
fn solutions_are_those_of_the_elimination() {
    for n in [3, 4, 7, 16] {
        for seed in 1..4 {
            for lag in [0.0, 1e-3, 1e-2] {
                let cloth = cloth(n, seed, lag);
                let (found, iterations) = solved(&cloth, IterativeKkt::with(&cloth.layout(), 1e-13, 10_000), seed);
                let (wanted, none) = solved(&cloth, cloth.kkt(), seed);
                assert!(iterations > 0 && none == 0);
                // velocities and forces each in their own size
                let velocities = cloth.layout().v.len();
                for (found, wanted) in
                    [(&found[..velocities], &wanted[..velocities]), (&found[velocities..], &wanted[velocities..])]
                {
                    let size = wanted.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
                    for (found, wanted) in found.iter().zip(wanted) {
                        assert!((found - wanted).abs() < 1e-10 * size, "{n} {seed} {lag}: {found} {wanted}");
                    }
                }
            }
        }
    }
}

fn run<S, M>(system: &S, method: M, end: f64) -> Vec<f64>
where
    S: Solvable<Real = f64, Q = Vec<f64>, V = Vec<f64>, L = Vec<f64>>,
    M: Method<S>,
{
    let mut run = Simulation::of(system, method).fixed(1e-3).expect("a start");
    run.advance_to(end).expect("steps");
    let state = run.state();
    state.q.iter().chain(&state.v).chain(&state.lambda).copied().collect()
}

#[test]
fn every_implicit_method_runs_as_with_the_elimination() {
    let direct = cloth(6, 1, 2e-3);
    let iterative = Iterative::new(cloth(6, 1, 2e-3)).and_then(|system| system.to(1e-12)).expect("held rows alone");
    macro_rules! alike {
        ($($method:expr),*) => { $({
            let (found, wanted) = (run(&iterative, $method, 0.01), run(&direct, $method, 0.01));
            for (found, wanted) in found.iter().zip(&wanted) {
                assert!((found - wanted).abs() < 1e-8 * (1.0 + wanted.abs()), "{found} {wanted}");
            }
        })* };
    }
    alike!(
        BackwardEuler::default(),
        BackwardEuler::linearized(),
        Bdf2::default(),
        GeneralizedAlpha::with_spectral_radius(0.8),
        ImplicitMidpoint::default()
    );
}

#[test]
fn threads_change_no_bit() {
    // several pieces
    for lag in [0.0, 2e-3] {
        let system = Iterative::new(cloth(45, 5, lag)).expect("held rows alone");
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| run(&system, BackwardEuler::linearized(), 3e-3))
        };
        let one: Vec<u64> = with(1).iter().map(|x| x.to_bits()).collect();
        for threads in [2, 4] {
            assert!(with(threads).iter().zip(&one).all(|(x, &one)| x.to_bits() == one), "{threads} threads");
        }
    }
}

#[test]
fn what_has_no_solution_is_named() {
    let cloth = cloth(5, 2, 0.0);
    let layout = cloth.layout();
    let (tangent, v, l) = equations(&cloth, 2);
    let solve = |kkt: &mut IterativeKkt<f64>, tangent: &[f64], v: &[f64]| {
        kkt.factorize(&layout, tangent).expect("regular");
        kkt.solve(&mut v.to_vec(), &mut [], &mut l.clone())
    };
    let new = |most| IterativeKkt::with(&layout, 1e-12, most);
    assert!(solve(&mut new(1000), &tangent, &v).is_ok());

    // a direction of a node whose own entry is negative
    let at = 3 * 12 + 1;
    let mut negative = tangent.clone();
    let diagonal = layout.tangent.entries().position(|place| place == (at, at)).expect("a diagonal");
    negative[diagonal] = -negative[diagonal];
    assert_eq!(solve(&mut new(1000), &negative, &v), Err(Unsolved::Indefinite { index: at }));

    let too_few = solve(&mut new(2), &tangent, &v);
    assert!(matches!(too_few, Err(Unsolved::Residual { iterations: 2, residual, .. }) if residual > 1e-12));

    let mut wrong = v.clone();
    wrong[7] = f64::NAN;
    assert!(matches!(solve(&mut new(1000), &tangent, &wrong), Err(Unsolved::NotFinite { .. })));
    let mut wrong = tangent.clone();
    wrong[diagonal] = f64::NAN;
    assert_eq!(new(1000).factorize(&layout, &wrong).map_err(|singular| singular.index), Err(at));

    // nothing asked, nothing done
    let (mut kkt, mut zero, mut rows) = (new(1000), vec![0.0; v.len()], vec![0.0; l.len()]);
    kkt.factorize(&layout, &tangent).expect("regular");
    let done = kkt.solve(&mut zero, &mut [], &mut rows).expect("zero");
    assert_eq!((done.iterations, done.residual), (0, 0.0));
    assert!(zero.iter().chain(&rows).all(|&x| x == 0.0));

    // squares of these, or of what may be left of them, are below the smallest number
    for size in [1e-145, 1e-150, 1e-153, 1e-156, 1e-160] {
        let mut small: Vec<f64> = v.iter().map(|v| size * v).collect();
        let done = kkt.solve(&mut small, &mut [], &mut vec![0.0; l.len()]).expect("as good as zero");
        assert!(done.residual <= 1e-12, "{size:e}: {done:?}");
    }
}

#[test]
fn steps_name_the_node_whose_springs_push() {
    // between springs that are pressed to half of their length, in steps that are long beside their time
    let cloth = Cloth::builder().nodes(3).springs([[0, 1], [1, 2]]).pinned([0, 2]).table([]).m(vec![0.01; 3]);
    let cloth = cloth.p([[0.0; 3], [0.5, 0.0, 0.0], [1.0, 0.0, 0.0]]).k(vec![1e4; 2]).rest(vec![1.0; 2]).lift(0.0);
    let system = Iterative::new(cloth.build().expect("three nodes")).expect("held rows alone");
    let mut run = Simulation::of(&system, BackwardEuler::linearized()).fixed(0.01).expect("a start");
    let error = run.advance_to(0.01).expect_err("a negative stiffness");
    assert!(matches!(error.cause, Cause::Indefinite { name } if name.as_str() == "x[1].z"), "{error}");
}

#[test]
fn rows_that_iterations_cannot_keep_are_refused() {
    let p = [[0.0; 3], [1.0, 0.0, 0.0]];
    let rods = Rods::builder().nodes(2).rods([[0, 1]]).p(p).build().expect("a rod");
    let refused = Iterative::new(rods).expect_err("a rod");
    assert!(matches!(refused, IterativeError::Row { constraint } if constraint.as_str() == "rod[0]"), "{refused}");
    for tolerance in [0.0, 1.0, -1.0, f64::NAN] {
        let refused = Iterative::new(cloth(3, 1, 0.0)).and_then(|system| system.to(tolerance)).expect_err("nothing");
        assert!(matches!(refused, IterativeError::Tolerance { .. }), "{refused}");
    }
}

#[test]
fn work_is_counted_and_steps_leave_the_heap_alone() {
    for (n, lag) in [(8, 0.0), (8, 2e-3), (30, 2e-3)] {
        let system = Iterative::new(cloth(n, 3, lag)).expect("held rows alone");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        pool.install(|| {
            let mut run = Simulation::of(&system, BackwardEuler::linearized()).fixed(1e-3).expect("a start");
            run.advance_to(1e-3).expect("a step");
            let calls = counter::calls(|| run.advance_to(5e-3).expect("steps"));
            assert_eq!(calls, 0, "{n} {lag}");
            let work = run.statistics().work;
            assert!(work.linear_iterations > 10 && work.linear_residual > 0.0 && work.linear_residual <= 1e-10);
        });
    }
}
