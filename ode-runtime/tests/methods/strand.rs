//! A strand of points in space, each joined to the next by a damped spring, hung by its first: as many as there are,
//! with a tangent whose blocks of three stand on and beside the diagonal.

use ode_runtime::linalg::{DenseSaddle, DenseSquare, SparseKkt};
use ode_runtime::{
    At, Conditions, Constraint, Forward, Layout, Linearize, Order, Pattern, Rates, Residual, Solvable, System, Weights,
};

/// Numbers of one node and, of its spring, the next: rows and columns within 5 of each other.
const BAND: usize = 5;

/// N points of mass 0.1/N on springs of 100 with dampers of 0.01, laid out along x over a length of 1; the first is
/// fixed; g = 9.81.
#[derive(Clone, Debug)]
pub(crate) struct Strand {
    mass: f64,
    rest: f64,
    names: Vec<&'static str>,
    rates: Vec<&'static str>,
    starts: Vec<usize>,
    tangent: [Vec<usize>; 2],
}

/// Force of a spring on its second end, and ∂/∂x and ∂/∂v of it by that end; `x` and `v` are those of the second less
/// the first.
fn spring(x: [f64; 3], v: [f64; 3], rest: f64) -> ([f64; 3], [[f64; 3]; 3], [[f64; 3]; 3]) {
    let (k, d) = (100.0, 0.01);
    let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let u = x.map(|x| x / length);
    let rate: f64 = u.iter().zip(v).map(|(u, v)| u * v).sum();
    let pull = k * (length - rest) + d * rate;
    // ∂u/∂x = (1 − u uᵀ)/l
    let turn = |i: usize, j: usize| (f64::from(u8::from(i == j)) - u[i] * u[j]) / length;
    let by_x = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let along = k * u[j] + d * (0..3).map(|n| v[n] * turn(n, j)).sum::<f64>();
            -(u[i] * along + pull * turn(i, j))
        })
    });
    let by_v = std::array::from_fn(|i| std::array::from_fn(|j| -d * u[i] * u[j]));
    (u.map(|u| -pull * u), by_x, by_v)
}

fn node(x: &[f64], i: usize) -> [f64; 3] {
    if i == 0 { [0.0; 3] } else { std::array::from_fn(|k| x[3 * (i - 1) + k]) }
}

impl Strand {
    pub(crate) fn of(nodes: usize) -> Self {
        let n = 3 * (nodes - 1);
        let column = |c: usize| c.saturating_sub(BAND)..(c + BAND + 1).min(n);
        let mut starts = vec![0];
        for c in 0..n {
            starts.push(starts[c] + column(c).len());
        }
        Self {
            mass: 0.1 / nodes as f64,
            rest: 1.0 / (nodes - 1) as f64,
            names: vec!["x"; n],
            rates: vec!["der(x)"; n],
            starts: (0..=n).collect(),
            tangent: [starts, (0..n).flat_map(column).collect()],
        }
    }

    /// f, and with `entry(row, column, ∂f/∂x, ∂f/∂v)` its derivatives.
    fn forces(&self, q: &[f64], v: &[f64], out: &mut [f64], mut entry: impl FnMut(usize, usize, f64, f64)) {
        for f in out.chunks_exact_mut(3) {
            f.copy_from_slice(&[0.0, -9.81 * self.mass, 0.0]);
        }
        for i in 0..q.len() / 3 {
            let gap = |x: &[f64]| std::array::from_fn(|k| node(x, i + 1)[k] - node(x, i)[k]);
            let (f, by_x, by_v) = spring(gap(q), gap(v), self.rest);
            for r in 0..3 {
                let second = 3 * i + r;
                out[second] += f[r];
                if i > 0 {
                    out[second - 3] -= f[r];
                }
                for c in 0..3 {
                    let (x, v, at) = (by_x[r][c], by_v[r][c], 3 * i + c);
                    entry(second, at, x, v);
                    if i > 0 {
                        entry(second - 3, at - 3, x, v);
                        entry(second, at - 3, -x, -v);
                        entry(second - 3, at, -x, -v);
                    }
                }
            }
        }
    }
}

impl System for Strand {
    type Real = f64;
    type Q = Vec<f64>;
    type V = Vec<f64>;
    type Z = [f64; 0];
    type U = [f64; 0];
    type L = [f64; 0];
    type Modes = [f64; 0];
    type Guards = [f64; 0];
    type Mass = Vec<f64>;
    type Jacobian = [f64; 0];

    fn layout(&self) -> Layout<'_> {
        let n = self.names.len();
        let [starts, indices] = &self.tangent;
        Layout {
            name: "Strand",
            q: &self.names,
            v: &self.rates,
            directions: &self.names,
            steps: &self.names,
            z: &[],
            algebraic: 0,
            algebraic_jacobian: Pattern::NONE,
            u: &[],
            outputs: &[],
            modes: &[],
            events: &[],
            constraints: &[],
            multipliers: &[],
            kinds: &[],
            init_position: &[],
            init_velocity: &[],
            init_position_jacobian: Pattern::NONE,
            init_velocity_jacobian: Pattern::NONE,
            mass: Pattern { rows: n, cols: n, starts: &self.starts, indices: &self.starts[..n] },
            jacobian: Pattern { rows: 0, cols: 0, starts: &[0], indices: &[] },
            tangent: Pattern { rows: n, cols: n, starts, indices },
            order: Order::Second,
            constant_mass: true,
            rheonomic: false,
        }
    }
    fn forward(&self, at: At<'_, Self>, out: &mut Forward<Self>) {
        out.mass.fill(self.mass);
        self.forces(at.q, at.v, &mut out.force, |_, _, _, _| ());
    }
    fn residual(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Residual<Self>) {
        self.forces(at.q, at.v, &mut out.r, |_, _, _, _| ());
        for (r, a) in out.r.iter_mut().zip(rates.a) {
            *r = self.mass * a - *r;
        }
    }
    fn constraint(&self, _at: At<'_, Self>, _out: &mut Constraint<Self>) {}
    fn momentum_rate(&self, _at: At<'_, Self>, out: &mut Vec<f64>) {
        out.fill(0.0);
    }
    fn nominal(&self, _u: &mut [f64; 0]) {}
    fn guess(&self, q: &mut Vec<f64>, v: &mut Vec<f64>, _z: &mut [f64; 0]) {
        for (i, q) in q.chunks_exact_mut(3).enumerate() {
            q.copy_from_slice(&[self.rest * (i + 1) as f64, 0.0, 0.0]);
        }
        v.fill(0.0);
    }
    fn conditions(&self, _at: At<'_, Self>, _out: Conditions<'_, f64>) {}
    fn qdot(&self, _q: &Vec<f64>, v: &Vec<f64>, out: &mut Vec<f64>) {
        out.copy_from_slice(v);
    }
    fn retract(&self, q: &Vec<f64>, step: &Vec<f64>, out: &mut Vec<f64>) {
        for ((out, q), step) in out.iter_mut().zip(q).zip(step) {
            *out = q + step;
        }
    }
    fn local(&self, from: &Vec<f64>, to: &Vec<f64>, out: &mut Vec<f64>) {
        for ((out, from), to) in out.iter_mut().zip(from).zip(to) {
            *out = to - from;
        }
    }
}

impl Linearize for Strand {
    type Tangent = Vec<f64>;
    fn tangent(
        &self,
        at: At<'_, Self>,
        rates: Rates<'_, Self>,
        w: Weights<f64>,
        _step: &Vec<f64>,
        residual: &mut Residual<Self>,
        out: &mut Vec<f64>,
    ) {
        out.fill(0.0);
        let starts = &self.tangent[0];
        let place = |row: usize, column: usize| starts[column] + row - column.saturating_sub(BAND);
        self.forces(at.q, at.v, &mut residual.r, |r, c, by_x, by_v| {
            out[place(r, c)] -= w.position * by_x + w.velocity * by_v;
        });
        for (i, r) in residual.r.iter_mut().enumerate() {
            *r = self.mass * rates.a[i] - *r;
            out[place(i, i)] += w.rates * self.mass;
        }
    }
}

impl Solvable for Strand {
    // Runs begin from a given state, and implicit methods of models without constraints do not ask for it either.
    type Saddle = DenseSaddle<f64, 1>;
    type Kkt = SparseKkt<f64>;
    type Assembly = DenseSquare<f64, 1>;
    type Algebra = DenseSquare<f64, 0>;
}
