//! The matrices themselves, against dense decompositions.

use ode_runtime::linalg::nalgebra::{DMatrix, DVector};
use ode_runtime::linalg::{Factored, Kkt, LANES, Lanes, Saddle, SparseKkt, SparseSaddle, SparseSquare, Square};
use ode_runtime::{Layout, Linearize, Pattern, Rates, Residual, State, System, Weights};

use super::net::{Net, Sparse, elastic, rope};

/// Numbers in (−1, 1) that look random.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A layout with these patterns.
fn layout<'a>(
    names: &'a [&'a str],
    nc: usize,
    mass: Pattern<'a>,
    jacobian: Pattern<'a>,
    tangent: Pattern<'a>,
) -> Layout<'a> {
    let (v, rows) = names.split_at(names.len() - nc);
    Layout {
        name: "Matrices",
        q: v,
        v,
        directions: v,
        steps: v,
        z: &[],
        algebraic: 0,
        algebraic_jacobian: Pattern::NONE,
        u: &[],
        outputs: &[],
        modes: &[],
        events: &[],
        constraints: rows,
        multipliers: rows,
        kinds: &[],
        init_position: &[],
        init_velocity: &[],
        init_position_jacobian: Pattern::NONE,
        init_velocity_jacobian: Pattern::NONE,
        mass,
        jacobian,
        tangent,
        order: ode_runtime::Order::Second,
        constant_mass: false,
        rheonomic: false,
    }
}

/// Columns of random places.
struct Places {
    rows: usize,
    cols: usize,
    starts: Vec<usize>,
    indices: Vec<usize>,
}

impl Places {
    fn new(rows: usize, cols: usize, keep: impl Fn(usize, usize) -> bool) -> Self {
        let (mut starts, mut indices) = (vec![0], vec![]);
        for c in 0..cols {
            indices.extend((0..rows).filter(|&r| keep(r, c)));
            starts.push(indices.len());
        }
        Self { rows, cols, starts, indices }
    }
    fn pattern(&self) -> Pattern<'_> {
        Pattern { rows: self.rows, cols: self.cols, starts: &self.starts, indices: &self.indices }
    }
}

fn near(found: &[f64], wanted: &DVector<f64>, tolerance: f64, what: &str) {
    let scale = 1.0 + wanted.amax();
    for (i, (a, b)) in found.iter().zip(wanted.iter()).enumerate() {
        assert!((a - b).abs() <= tolerance * scale, "{what}: x[{i}] {a} {b}");
    }
}

/// Systems of points, masses of all sizes, rows on random velocities.
#[test]
fn saddles_of_random_patterns_are_solved() {
    for seed in 1..60 {
        let mut random = numbers(seed);
        let (nv, nc) = (5 + seed as usize % 23, seed as usize % 5);
        let n = nv + nc;
        let names = vec!["x"; n];
        let kept: Vec<bool> = (0..nv * nv).map(|_| random() > 0.6).collect();
        let held: Vec<bool> = (0..nc * nv).map(|_| random() > 0.3).collect();
        let mass = Places::new(nv, nv, |r, c| r >= c && (r == c || kept[r * nv + c]));
        let jacobian = Places::new(nc, nv, |r, c| r == c || held[r * nv + c]);
        let tangent = Places::new(0, 0, |_, _| false);
        let layout = layout(&names, nc, mass.pattern(), jacobian.pattern(), tangent.pattern());
        let mut a = DMatrix::zeros(n, n);
        let own = |r: usize| 10.0_f64.powi((r % 4) as i32);
        let m: Vec<f64> = layout
            .mass
            .entries()
            .map(|(r, c)| {
                let value = if r == c { own(r) * (nv as f64) } else { random() * (own(r) * own(c)).sqrt() };
                (a[(r, c)], a[(c, r)]) = (value, value);
                value
            })
            .collect();
        let g: Vec<f64> = layout
            .jacobian
            .entries()
            .map(|(r, c)| {
                let value = random();
                (a[(nv + r, c)], a[(c, nv + r)]) = (value, -value);
                value
            })
            .collect();
        let mut saddle = SparseSaddle::<f64>::new(&layout);
        let right: Vec<f64> = (0..n).map(|_| random()).collect();
        let wanted = a.clone().full_piv_lu().solve(&DVector::from_column_slice(&right)).expect("regular");
        for exchange in [false, true] {
            match exchange {
                false => saddle.factorize(&layout, &m, &g).expect("regular"),
                true => saddle.factorize_by_exchange(&layout, &m, &g).expect("regular"),
            }
            let mut x = right.clone();
            let (v, l) = x.split_at_mut(nv);
            saddle.solve(v, l);
            near(&x, &wanted, 1e-9, "one");
            let mut lanes: Vec<Lanes<f64>> =
                right.iter().map(|&b| Lanes(std::array::from_fn(|k| b * k as f64))).collect();
            let (v, l) = lanes.split_at_mut(nv);
            saddle.solve_lanes(v, l, (&mut vec![0.0; nv], &mut vec![0.0; nc]));
            for k in 0..LANES {
                let one: Vec<f64> = lanes.iter().map(|x| x.0[k]).collect();
                near(&one, &(&wanted * k as f64), 1e-9, "lane");
            }
        }
        assert_eq!(saddle.negative(), None);
    }
}

/// Unsymmetric tangents, and their transposes.
#[test]
fn tangents_of_random_patterns_are_solved() {
    for seed in 1..60 {
        let mut random = numbers(100 + seed);
        let (nv, nc) = (4 + seed as usize % 19, seed as usize % 4);
        let n = nv + nc;
        let names = vec!["x"; n];
        let kept: Vec<bool> = (0..n * n).map(|_| random() > 0.6).collect();
        let row = |r: usize, c: usize| r.min(c) < nv && (kept[r.max(c) * n + r.min(c)] || r.max(c) == r.min(c) + nv);
        let tangent = Places::new(n, n, |r, c| match r.max(c) < nv {
            true => r == c || kept[r * n + c],
            false => row(r, c),
        });
        let empty = Places::new(0, 0, |_, _| false);
        let layout = layout(&names, nc, empty.pattern(), empty.pattern(), tangent.pattern());
        let mut a = DMatrix::zeros(n, n);
        let rows: Vec<f64> = (0..n * n).map(|_| random()).collect();
        let values: Vec<f64> = layout
            .tangent
            .entries()
            .map(|(r, c)| {
                let value = match r.max(c) < nv {
                    true if r == c => 3.0 + nv as f64 + random(),
                    true => random(),
                    false if r > c => 0.01 * rows[c * n + r],
                    false => -rows[r * n + c],
                };
                a[(r, c)] = value;
                value
            })
            .collect();
        let right: Vec<f64> = (0..n).map(|_| random()).collect();
        let b = DVector::from_column_slice(&right);
        let mut kkt = SparseKkt::<f64>::new(&layout);
        for (what, transposed) in [("pivots in order", false), ("exchanged", false), ("transposed", true)] {
            match what {
                "pivots in order" => kkt.factorize(&layout, &values).expect("regular"),
                "exchanged" => kkt.factorize_by_exchange(&layout, &values).expect("regular"),
                _ => assert!(kkt.factorize_transposed(&layout, &values).expect("regular")),
            }
            let matrix = if transposed { a.transpose() } else { a.clone() };
            let wanted = matrix.clone().full_piv_lu().solve(&b).expect("regular");
            let mut x = right.clone();
            let (v, l) = x.split_at_mut(nv);
            kkt.solve(v, &mut [], l).expect("a solution");
            near(&x, &wanted, 1e-8, what);
            let mut lanes: Vec<Lanes<f64>> =
                right.iter().map(|&b| Lanes(std::array::from_fn(|k| b * k as f64))).collect();
            kkt.solve_lanes(&mut lanes, (&mut vec![0.0; nv], &mut [], &mut vec![0.0; nc])).expect("a solution");
            for k in 0..LANES {
                let one: Vec<f64> = lanes.iter().map(|x| x.0[k]).collect();
                near(&one, &(&wanted * k as f64), 1e-8, what);
            }
            if what != "exchanged" {
                assert_eq!(kkt.reversed(), matrix.determinant() < 0.0, "{what}");
            }
        }
    }
}

/// The tangent of a net, symmetric but for the factors of its rows, is that of the whole matrix.
#[test]
fn the_tangent_of_a_rope_is_solved() {
    for (net, spin) in [(rope(9, 0.3), 0.0), (rope(9, 0.3), 2.0), (elastic(9, 0.3, 50.0, 1.0), 0.0)] {
        let mut net = net;
        net.spin = spin;
        let layout = net.layout();
        let mut x: State<Net<Sparse>> = net.start();
        let mut random = numbers(7);
        x.q.iter_mut().for_each(|q| *q += 0.05 * random());
        x.v.iter_mut().for_each(|v| *v = random());
        x.a.iter_mut().for_each(|a| *a = random());
        x.lambda.iter_mut().for_each(|l| *l = random());
        let weights = Weights { rates: 1.0, velocity: 0.01, position: 1e-4, state: 0.0 };
        let (mut residual, mut values) = (Residual::zeros(&layout), vec![0.0; layout.tangent.nnz()]);
        let at = ode_runtime::At { t: 0.0, q: &x.q, v: &x.v, z: &[], u: &[], modes: &[] };
        let rates = Rates { a: &x.a, zdot: &[], lambda: &x.lambda };
        net.tangent(at, rates, weights, &vec![0.0; x.v.len()], &mut residual, &mut values);
        let n = layout.tangent.rows;
        let mut a = DMatrix::zeros(n, n);
        layout.tangent.visit(&values, |r, c, value| a[(r, c)] = value);
        let right: Vec<f64> = (0..n).map(|_| random()).collect();
        let wanted = a.full_piv_lu().solve(&DVector::from_column_slice(&right)).expect("regular");
        let mut kkt = SparseKkt::<f64>::new(&layout);
        kkt.factorize(&layout, &values).expect("regular");
        assert!(kkt.certain());
        let mut x = right.clone();
        let (v, l) = x.split_at_mut(layout.v.len());
        kkt.solve(v, &mut [], l).expect("a solution");
        near(&x, &wanted, 1e-9, "rope");
    }
}

/// A row of velocities reads a coordinate that it does not push, so the tangent is not symmetric although the rest is.
#[test]
fn a_row_that_reads_what_it_does_not_push_is_kept() {
    let names = vec!["x"; 4];
    for blind in 0..3 {
        let tangent = Places::new(4, 4, |r, c| r != 3 || c != 3);
        let empty = Places::new(0, 0, |_, _| false);
        let layout = layout(&names, 1, empty.pattern(), empty.pattern(), tangent.pattern());
        let entry = |r: usize, c: usize| match (r, c) {
            (3, c) => 0.5 + c as f64,
            (r, 3) if r == blind => 0.0,
            (r, 3) => -2.0 * (0.5 + r as f64),
            (r, c) if r == c => 5.0 + r as f64,
            (r, c) => 0.3 * (r + c) as f64,
        };
        let values: Vec<f64> = layout.tangent.entries().map(|(r, c)| entry(r, c)).collect();
        let a = DMatrix::from_fn(4, 4, |r, c| if (r, c) == (3, 3) { 0.0 } else { entry(r, c) });
        let right = [1.0, -2.0, 0.5, 3.0];
        let wanted = a.full_piv_lu().solve(&DVector::from_column_slice(&right)).expect("regular");
        let mut kkt = SparseKkt::<f64>::new(&layout);
        kkt.factorize(&layout, &values).expect("regular");
        let mut x = right;
        let (v, l) = x.split_at_mut(3);
        kkt.solve(v, &mut [], l).expect("a solution");
        near(&x, &wanted, 1e-12, "row");
    }
}

#[test]
fn a_square_system_is_solved_or_refused() {
    let net = rope(4, 0.5);
    let layout = net.layout();
    let mut square = SparseSquare::<f64>::new(&layout);
    let n = square.size();
    let mut random = numbers(5);
    let mut a = DMatrix::zeros(n, n);
    for (r, c) in (0..n).flat_map(|r| [(r, r), (r, (r + 3) % n), ((r + 3) % n, r)]) {
        a[(r, c)] = 0.1 + random();
    }
    let fill = |square: &mut SparseSquare<f64>, a: &DMatrix<f64>| {
        square.clear();
        for r in 0..n {
            for c in 0..n {
                square.set(r, c, a[(r, c)]);
            }
        }
    };
    fill(&mut square, &a);
    let right: Vec<f64> = (0..n).map(|_| random()).collect();
    square.rhs().copy_from_slice(&right);
    square.solve().expect("regular");
    let wanted = a.clone().full_piv_lu().solve(&DVector::from_column_slice(&right)).expect("regular");
    near(square.rhs(), &wanted, 1e-9, "square");
    let mut x = right.clone();
    square.factorize().expect("regular").solve(&mut x);
    near(&x, &wanted, 1e-9, "factors");
    let row = a.row(2).clone_owned();
    a.row_mut(5).copy_from(&row);
    fill(&mut square, &a);
    assert!(square.solve().is_err(), "two equal rows");
}
