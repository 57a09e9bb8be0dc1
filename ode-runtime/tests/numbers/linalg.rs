//! The solvers alone: agreement with each other, scaling, fallback, and names for what is singular.

use ode_runtime::linalg::{
    Decomposition, DenseKkt, DenseSaddle, DenseSquare, Elimination, Kkt, Labelled, Lanes, RedundantKkt,
    RedundantSaddle, Saddle, Singular, Square, StaticKkt, StaticSaddle,
};
use ode_runtime::{Layout, Order, Pattern};

/// Two coordinates, one constraint: M = [a b; b c], G = [d e].
const LAYOUT: Layout<'static> = Layout {
    name: "test",
    q: &["x", "y"],
    v: &["der(x)", "der(y)"],
    directions: &["x", "y"],
    steps: &["x", "y"],
    z: &[],
    algebraic: 0,
    algebraic_jacobian: Pattern::NONE,
    u: &[],
    outputs: &[],
    modes: &[],
    events: &[],
    constraints: &["c"],
    multipliers: &["c.lambda"],
    kinds: &[],
    init_position: &[],
    init_velocity: &[],
    init_position_jacobian: Pattern::NONE,
    init_velocity_jacobian: Pattern::NONE,
    mass: Pattern { rows: 2, cols: 2, starts: &[0, 2, 3], indices: &[0, 1, 1] },
    jacobian: Pattern { rows: 1, cols: 2, starts: &[0, 1, 2], indices: &[0, 0] },
    tangent: Pattern { rows: 3, cols: 3, starts: &[0, 3, 6, 8], indices: &[0, 1, 2, 0, 1, 2, 0, 1] },
    order: Order::Second,
    constant_mass: true,
    rheonomic: false,
};

/// What the model compiler would write for this pattern.
#[derive(Clone, Debug)]
struct ByHand;

impl Elimination<f64> for ByHand {
    type Factor = [f64; 6];
    type Checks = [f64; 6];

    fn factorize(mass: &[f64], jacobian: &[f64], factor: &mut [f64; 6], checks: &mut [f64; 6]) {
        let (&[a, b, c], &[d, e]) = (mass, jacobian) else { return };
        let d0 = a.recip();
        let (l10, l20) = (b * d0, d * d0);
        let p1 = c - l10 * b;
        let d1 = p1.recip();
        let w21 = e - l20 * b;
        let l21 = w21 * d1;
        let (t0, t1) = (l20 * d, l21 * w21);
        let p2 = -t0 - t1;
        *factor = [d0, d1, p2.recip(), l10, l20, l21];
        *checks = [a, a.abs(), p1, c.abs() + (l10 * b).abs(), -p2, t0.abs() + t1.abs()];
    }

    fn solve(&[d0, d1, d2, l10, l20, l21]: &[f64; 6], x: &mut [f64]) {
        let &mut [ref mut x0, ref mut x1, ref mut x2] = x else { return };
        *x1 -= l10 * *x0;
        *x2 -= l20 * *x0 + l21 * *x1;
        *x2 *= d2;
        *x1 = *x1 * d1 - l21 * *x2;
        *x0 = *x0 * d0 - l10 * *x1 - l20 * *x2;
    }
}

/// max |[M −Gᵀ; G 0] [x; y] − b|
fn residual(mass: [f64; 3], g: [f64; 2], b: [f64; 3], x: [f64; 2], y: f64) -> f64 {
    let [p, q, r] = mass;
    let rows = [p * x[0] + q * x[1] - g[0] * y, q * x[0] + r * x[1] - g[1] * y, g[0] * x[0] + g[1] * x[1]];
    rows.iter().zip(b).map(|(row, b)| (row - b).abs()).fold(0.0, f64::max)
}

fn solved<K: Saddle<f64>>(mass: [f64; 3], g: [f64; 2], b: [f64; 3]) -> Result<([f64; 2], f64), Singular> {
    let mut saddle = K::new(&LAYOUT);
    saddle.factorize(&LAYOUT, &mass, &g)?;
    let (mut x, mut y) = ([b[0], b[1]], [b[2]]);
    saddle.solve(&mut x, &mut y);
    Ok((x, y[0]))
}

type Generated = StaticSaddle<f64, ByHand, 3>;
type Looped = DenseSaddle<f64, 3>;

#[test]
fn generated_and_looped_eliminations_solve_with_our_sign() {
    let b = [1.0, -2.0, 0.5];
    let cases = [
        ([2.0, 0.3, 1.5], [0.7, -0.4]),
        ([2.0, 0.0, 1e-3], [1.0, 1.0]),
        // Massless coordinates, held by the constraint: only the fallback can.
        ([0.0, 0.0, 1.0], [1.0, 0.2]),
        ([1.0, 0.0, 0.0], [0.2, 1.0]),
        ([1.0, 1.0, 1.0], [0.0, 1.0]),
    ];
    for (mass, g) in cases {
        for (x, y) in [solved::<Generated>(mass, g, b), solved::<Looped>(mass, g, b)].map(|s| s.expect("regular")) {
            assert!(residual(mass, g, b, x, y) < 1e-12, "{mass:?} {g:?}: {x:?} {y}");
        }
    }
}

#[test]
fn singular_matrices_name_the_unknown() {
    let b = [0.0; 3];
    for solved in [solved::<Generated>, solved::<Looped>] {
        // No inertia along y, and the constraint says nothing of it.
        assert_eq!(solved([1.0, 0.0, 0.0], [1.0, 0.0], b), Err(Singular { index: 1 }));
        assert_eq!(solved([0.0, 0.0, 1.0], [0.0, 1.0], b), Err(Singular { index: 0 }));
        // A constraint on nothing.
        assert_eq!(solved([1.0, 0.0, 1.0], [0.0, 0.0], b), Err(Singular { index: 2 }));
        for bad in [f64::NAN, f64::INFINITY] {
            assert!(solved([bad, 0.0, 1.0], [1.0, 0.0], b).is_err());
            assert!(solved([1.0, 0.0, 1.0], [bad, 0.0], b).is_err());
        }
    }
}

#[test]
fn a_saddle_recovers_after_its_fallback() {
    let mut saddle = Generated::new(&LAYOUT);
    let (regular, massless) = ([2.0, 0.3, 1.5], [0.0, 0.0, 1.0]);
    for mass in [regular, massless, regular] {
        saddle.factorize(&LAYOUT, &mass, &[1.0, 0.5]).expect("regular");
        let (mut x, mut y) = ([1.0, 2.0], [3.0]);
        saddle.solve(&mut x, &mut y);
        assert!(residual(mass, [1.0, 0.5], [1.0, 2.0, 3.0], x, y[0]) < 1e-13);
    }
}

#[test]
fn the_tangent_is_solved_at_any_scale() {
    // [S −Gᵀ; h² G 0] with M/h²-like entries: micro- and megascale side by side.
    for h in [1.0, 1e-3, 1e-6, 1e-9] {
        let (s, g) = ([[2.0 / h, 0.4], [0.1, 3e-6 / h]], [0.7, -0.4]);
        let values = [s[0][0], s[1][0], h * h * g[0], s[0][1], s[1][1], h * h * g[1], -g[0], -g[1]];
        let mut kkt = DenseKkt::<f64, 3>::new(&LAYOUT);
        kkt.factorize(&LAYOUT, &values).expect("regular");
        let want = ([1.5, -2.0], 1e3);
        let row = |i: usize| s[i][0] * want.0[0] + s[i][1] * want.0[1] - g[i] * want.1;
        let (mut v, mut l) = ([row(0), row(1)], [h * h * (g[0] * want.0[0] + g[1] * want.0[1])]);
        kkt.solve(&mut v, &mut [], &mut l).expect("a solution");
        for (got, want) in v.iter().chain(&l).zip(want.0.iter().chain([&want.1])) {
            assert!((got - want).abs() < 1e-9 * want.abs(), "h = {h}: {got} is not {want}");
        }
    }
    let mut kkt = DenseKkt::<f64, 3>::new(&LAYOUT);
    let dependent = [1.0, 2.0, 1.0, 2.0, 4.0, 2.0, -1.0, -2.0];
    assert!(kkt.factorize(&LAYOUT, &dependent).is_err());
    assert!(kkt.factorize(&LAYOUT, &[f64::NAN; 8]).is_err());
    assert!(kkt.factorize(&LAYOUT, &[0.0; 8]).is_err());
}

/// LDU of the tangent's pattern, in the order x, y, c.
impl Decomposition<f64> for ByHand {
    type Factor = [f64; 9];
    type Checks = [f64; 9];

    fn factorize(tangent: &[f64], factor: &mut [f64; 9], checks: &mut [f64; 9]) {
        let &[a00, a10, a20, a01, a11, a21, a02, a12] = tangent else { return };
        let d0 = a00.recip();
        let (l1, l2) = (a10 * d0, a20 * d0);
        let (s11, s12, s21, s22) = (l1 * a01, l1 * a02, l2 * a01, l2 * a02);
        let (p1, u12, w21) = (a11 - s11, a12 - s12, a21 - s21);
        let d1 = p1.recip();
        let m2 = w21 * d1;
        let t22 = m2 * u12;
        let p2 = -s22 - t22;
        *factor = [d0, d1, p2.recip(), l1, l2, m2, a01 * d0, a02 * d0, u12 * d1];
        let scale = s22 * s22 + t22 * t22;
        *checks = [a00, a00, a00 * a00, p1, a11, a11 * a11 + s11 * s11, p2, p2, scale];
    }

    fn solve(&[d0, d1, d2, l1, l2, m2, u1, u2, w2]: &[f64; 9], x: &mut [f64]) {
        let &mut [ref mut x0, ref mut x1, ref mut x2] = x else { return };
        *x1 -= l1 * *x0;
        *x2 -= l2 * *x0 + m2 * *x1;
        *x2 *= d2;
        *x1 = *x1 * d1 - w2 * *x2;
        *x0 = *x0 * d0 - u1 * *x1 - u2 * *x2;
    }
}

#[test]
fn a_static_order_gives_way_to_exchanges() {
    let g = [0.7, -0.4];
    // Dominated by the diagonal; a diagonal that grows, that cancels, that is missing; and back.
    let blocks = [
        [[2.0, 0.4], [0.1, 3.0]],
        [[1e-9, 1.0], [1.0, 1e-9]],
        [[1.0, 1.0], [1.0, 1.0 + 1e-15]],
        [[0.0, 1.0], [1.0, 0.0]],
        [[2.0, 0.4], [0.1, 3.0]],
    ];
    let mut kkt = StaticKkt::<f64, ByHand, 3>::new(&LAYOUT);
    for (s, h) in blocks.iter().flat_map(|s| [1.0, 1e-4].map(|h| (s, h))) {
        let values = [s[0][0], s[1][0], h * g[0], s[0][1], s[1][1], h * g[1], -g[0], -g[1]];
        kkt.factorize(&LAYOUT, &values).expect("regular");
        let want = ([1.5, -2.0], 3.0);
        let row = |i: usize| s[i][0] * want.0[0] + s[i][1] * want.0[1] - g[i] * want.1;
        let (mut v, mut l) = ([row(0), row(1)], [h * (g[0] * want.0[0] + g[1] * want.0[1])]);
        kkt.solve(&mut v, &mut [], &mut l).expect("a solution");
        for (got, want) in v.iter().chain(&l).zip(want.0.iter().chain([&want.1])) {
            assert!((got - want).abs() < 1e-13 * want.abs(), "{s:?}, h = {h}: {got} is not {want}");
        }
    }
    let dependent = [1.0, 2.0, 1.0, 2.0, 4.0, 2.0, -1.0, -2.0];
    assert!(kkt.factorize(&LAYOUT, &dependent).is_err());
    assert!(kkt.factorize(&LAYOUT, &[f64::NAN; 8]).is_err());
    assert!(kkt.factorize(&LAYOUT, &[0.0; 8]).is_err());
}

/// A right-hand side in each lane, times another factor.
fn lanes(b: f64) -> Lanes<f64> {
    Lanes(std::array::from_fn(|k| (k as f64 - 2.5) * b))
}

fn same(x: f64, abreast: Lanes<f64>) {
    for (found, wanted) in abreast.0.into_iter().zip(lanes(x).0) {
        assert!((found - wanted).abs() <= 1e-13 * wanted.abs(), "{found} is not {wanted}");
    }
}

#[test]
fn several_right_hand_sides_are_solved_as_each_of_them() {
    fn saddle<K: Saddle<f64>>() {
        for mass in [[2.0, 0.3, 1.5], [0.0, 0.0, 1.0]] {
            let mut saddle = K::new(&LAYOUT);
            // redundant ones need inertia
            if saddle.factorize(&LAYOUT, &mass, &[0.7, -0.4]).is_err() {
                assert!(K::REDUNDANT && mass[0] == 0.0);
                continue;
            }
            let (mut x, mut y) = ([1.0, -2.0], [0.5]);
            let (mut many, mut l, mut room) = (x.map(lanes), y.map(lanes), ([0.0; 2], [0.0]));
            saddle.solve(&mut x, &mut y);
            saddle.solve_lanes(&mut many, &mut l, (&mut room.0, &mut room.1));
            same(x[0], many[0]);
            same(x[1], many[1]);
            same(y[0], l[0]);
        }
    }
    fn kkt<K: Kkt<f64>>() {
        // dominated by the diagonal, and without one
        for s in [[[2.0, 0.4], [0.1, 3.0]], [[1e-9, 1.0], [1.0, 1e-9]]] {
            let values = [s[0][0], s[1][0], 0.7, s[0][1], s[1][1], -0.4, -0.7, 0.4];
            let mut kkt = K::new(&LAYOUT);
            kkt.factorize(&LAYOUT, &values).expect("regular");
            let (mut v, mut l) = ([1.0, -2.0], [0.5]);
            let (mut many, mut room) = ([v[0], v[1], l[0]].map(lanes), ([0.0; 2], [0.0]));
            kkt.solve(&mut v, &mut [], &mut l).expect("a solution");
            kkt.solve_lanes(&mut many, (&mut room.0, &mut [], &mut room.1)).expect("a solution");
            same(v[0], many[0]);
            same(v[1], many[1]);
            same(l[0], many[2]);
        }
    }
    saddle::<Generated>();
    saddle::<Looped>();
    saddle::<RedundantSaddle<f64, 3>>();
    kkt::<StaticKkt<f64, ByHand, 3>>();
    kkt::<DenseKkt<f64, 3>>();
    kkt::<RedundantKkt<f64, 3>>();
}

#[test]
fn a_square_system_keeps_its_entries() {
    let mut square = DenseSquare::<f64, 2>::new(&LAYOUT);
    let fill = |square: &mut DenseSquare<f64, 2>, entries: [f64; 4]| {
        entries.into_iter().enumerate().for_each(|(k, x)| square.set(k / 2, k % 2, x));
    };
    fill(&mut square, [1.0, 2.0, 3.0, 4.0]);
    for _ in 0..2 {
        square.rhs().copy_from_slice(&[5.0, 11.0]);
        square.solve().expect("regular");
        assert!((square.rhs()[0] - 1.0).abs() < 1e-14 && (square.rhs()[1] - 2.0).abs() < 1e-14);
    }
    fill(&mut square, [1.0, 2.0, 2.0, 4.0]);
    assert!(square.solve().is_err());
}

#[test]
fn zero_is_printed_without_a_sign() {
    let table = Labelled::new(["row"], ["a", "b"], |_, column| [-0.0, -1.5][column]);
    assert_eq!(table.to_string(), "            a         b\nrow  0.000000  -1.50000\n");
}
