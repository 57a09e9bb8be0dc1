//! Long generated eliminations, and loops of the same size, against a dense LU: scales far apart, pivots that vanish.

use ode_model::linalg::nalgebra::DMatrix;
use ode_model::linalg::{DenseKkt, DenseSaddle, Kkt, Saddle, Singular};
use ode_model::prelude::*;
use ode_model::{Layout, Method, Solvable, System};

const POINTS: usize = 30;
const NV: usize = 2 * POINTS;
const N: usize = NV + POINTS;

model! {
    /// Points on rods, each turning with its neighbours: 90 unknowns, of which a row has at most nine.
    #[model(no_selftest)]
    pub struct Rods {
        coord r: [Vec2; 30];
        kinetic = 0.5 * der(r[0]).dot(der(r[0]));
        constraint first: r[0].dot(r[0]) == 1.0;
        for i in 1..30 {
            kinetic = 0.5 * der(r[i]).dot(der(r[i]));
            constraint rod: (r[i] - r[i - 1]).dot(r[i] - r[i - 1]) == 1.0;
        }
        for i in 0..30 { guess r[i] = (i + 1.0) * vec2(0.6, -0.8); }
    }
}

/// Numbers that only look random.
struct Numbers(u64);

impl Numbers {
    /// in [−1, 1)
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Powers of two, which scale without rounding, up to a million.
    fn scales(&mut self) -> [f64; N] {
        std::array::from_fn(|_| (20.0 * self.number()).round().exp2())
    }
}

/// A matrix with entries of about one, and the powers of two that scale its rows and columns.
struct Scaled {
    plain: DMatrix<f64>,
    rows: [f64; N],
    columns: [f64; N],
}

impl Scaled {
    fn entry(&self, r: usize, c: usize) -> f64 {
        self.rows[r] * self.plain[(r, c)] * self.columns[c]
    }

    /// How far x is from the solution that an LU of the plain matrix gives, in plain unknowns.
    fn error(&self, x: &[f64; N], b: &[f64; N]) -> f64 {
        let plain = DMatrix::from_fn(N, 1, |r, _| b[r] / self.rows[r]);
        let want = self.plain.clone().full_piv_lu().solve(&plain).expect("regular");
        let off = (0..N).map(|i| (x[i] * self.columns[i] - want[i]).abs()).fold(0.0, f64::max);
        off / want.amax()
    }

    fn saddle<K: Saddle<f64>>(&self, layout: &Layout<'_>, b: &[f64; N]) -> Result<(bool, f64), Singular> {
        let values = |first: usize, pattern: ode_model::Pattern<'_>| -> Vec<f64> {
            pattern.entries().map(|(r, c)| self.entry(first + r, c)).collect()
        };
        let mut saddle = K::new(layout);
        saddle.factorize(layout, &values(0, layout.mass), &values(NV, layout.jacobian))?;
        let mut x = *b;
        let (v, l) = x.split_at_mut(NV);
        saddle.solve(v, l);
        // our sign
        l.iter_mut().for_each(|l| *l = -*l);
        Ok((saddle.certain(), self.error(&x, b)))
    }

    fn kkt<K: Kkt<f64>>(&self, layout: &Layout<'_>, b: &[f64; N]) -> Result<(bool, f64), Singular> {
        let values: Vec<f64> = layout.tangent.entries().map(|(r, c)| self.entry(r, c)).collect();
        let mut kkt = K::new(layout);
        kkt.factorize(layout, &values)?;
        let mut x = *b;
        let (v, l) = x.split_at_mut(NV);
        kkt.solve(v, &mut [], l).expect("a solution");
        Ok((kkt.certain(), self.error(&x, b)))
    }
}

/// [M Gᵀ; G 0] with entries of about one on the patterns.
fn saddle(layout: &Layout<'_>, numbers: &mut Numbers) -> Scaled {
    let mut plain = DMatrix::zeros(N, N);
    for (r, c) in layout.mass.entries() {
        plain[(r, c)] = if r == c { 1.25 + 0.75 * numbers.number() } else { 0.1 * numbers.number() };
        plain[(c, r)] = plain[(r, c)];
    }
    for (r, c) in layout.jacobian.entries() {
        plain[(NV + r, c)] = numbers.number();
        plain[(c, NV + r)] = plain[(NV + r, c)];
    }
    let scales = numbers.scales();
    Scaled { plain, rows: scales, columns: scales }
}

/// [S −Gᵀ; G 0] with the diagonal of S the largest of its rows.
fn tangent(layout: &Layout<'_>, numbers: &mut Numbers) -> Scaled {
    let mut plain = DMatrix::zeros(N, N);
    for (r, c) in layout.tangent.entries() {
        plain[(r, c)] = if r == c { 2.0 + numbers.number() } else { 0.3 * numbers.number() };
    }
    for (r, c) in layout.jacobian.entries() {
        plain[(NV + r, c)] = numbers.number();
        plain[(c, NV + r)] = -plain[(NV + r, c)];
    }
    Scaled { plain, rows: numbers.scales(), columns: numbers.scales() }
}

type Outcome = Result<(bool, f64), Singular>;

/// The generated elimination, and loops.
fn saddles(layout: &Layout<'_>, matrix: &Scaled, b: &[f64; N]) -> [Outcome; 2] {
    [matrix.saddle::<<Rods as Solvable>::Saddle>(layout, b), matrix.saddle::<DenseSaddle<f64, N>>(layout, b)]
}

fn kkts(layout: &Layout<'_>, matrix: &Scaled, b: &[f64; N]) -> [Outcome; 2] {
    [matrix.kkt::<<Rods as Solvable>::Kkt>(layout, b), matrix.kkt::<DenseKkt<f64, N>>(layout, b)]
}

/// A right-hand side for each row of the matrix.
fn loads(matrix: &Scaled, numbers: &mut Numbers) -> [f64; N] {
    matrix.rows.map(|scale| scale * numbers.number())
}

#[test]
fn scales_far_apart_cost_no_digits() {
    let (model, mut numbers) = (Rods::default(), Numbers(1));
    let layout = model.layout();
    for _ in 0..20 {
        let (a, k) = (saddle(&layout, &mut numbers), tangent(&layout, &mut numbers));
        let (f, r) = (loads(&a, &mut numbers), loads(&k, &mut numbers));
        let solved = [saddles(&layout, &a, &f), kkts(&layout, &k, &r)].map(|pair| pair.map(|s| s.expect("regular")));
        let [[(generated, one), (_, two)], [(decomposed, three), (_, four)]] = solved;
        assert!(generated && decomposed);
        assert!(one.max(two).max(three) < 1e-13, "{solved:?}");
        // exchanges by the size of entries that are not scaled as well
        assert!(four < 1e-10, "{solved:?}");
    }
}

#[test]
fn a_pivot_that_vanishes_is_exchanged() {
    let (model, mut numbers) = (Rods::default(), Numbers(2));
    let layout = model.layout();
    for p in (0..NV).step_by(7) {
        let (mut a, mut k) = (saddle(&layout, &mut numbers), tangent(&layout, &mut numbers));
        (a.plain[(p, p)], k.plain[(p, p)]) = (0.0, 1e-20 * numbers.number());
        let (f, r) = (loads(&a, &mut numbers), loads(&k, &mut numbers));
        let solved = [saddles(&layout, &a, &f), kkts(&layout, &k, &r)].map(|pair| pair.map(|s| s.expect("regular")));
        assert!(solved.as_flattened().iter().all(|&(certain, error)| !certain && error < 1e-10), "{p}: {solved:?}");
    }
}

#[test]
fn what_is_singular_is_named() {
    let (model, mut numbers) = (Rods::default(), Numbers(3));
    let layout = model.layout();
    for row in (NV..N).step_by(7) {
        let mut a = saddle(&layout, &mut numbers);
        a.plain.row_mut(row).fill(0.0);
        a.plain.column_mut(row).fill(0.0);
        assert_eq!(saddles(&layout, &a, &[0.0; N]), [Err(Singular { index: row }); 2]);
    }
    for column in (0..N).step_by(7) {
        let mut k = tangent(&layout, &mut numbers);
        k.plain.column_mut(column).fill(0.0);
        assert_eq!(kkts(&layout, &k, &[0.0; N]), [Err(Singular { index: column }); 2]);
    }
}

/// In a thread with less room than threads have by default, where nothing is optimised and each move is a copy.
fn in_a_thread<M: Method<Rods> + Send + 'static>(method: M) {
    let run = move || {
        let rods = Rods::default();
        let mut run = Simulation::of(&rods, method).fixed(1e-3).expect("a start");
        run.advance_to(3e-3).expect("steps");
        run.drift().expect("a point").0
    };
    let thread = std::thread::Builder::new().stack_size(7 << 18).spawn(run).expect("a thread");
    let off = thread.join().expect("a run");
    assert!(off < 1e-9, "{off:e}");
}

#[test]
fn runs_of_many_unknowns_need_little_of_the_stack() {
    in_a_thread(BackwardEuler::default());
    in_a_thread(ImplicitMidpoint::default());
}
