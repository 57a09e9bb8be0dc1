//! Points in space, joined by rods and by springs with dampers: as many as one likes, over any solvers.

use std::fmt::Debug;
use std::marker::PhantomData;

use ode_runtime::linalg::{DenseSquare, Kkt, Saddle, SparseKkt, SparseSaddle, SparseSquare, Square};
use ode_runtime::{
    At, Conditions, Constraint, Forward, Layout, Linearize, Order, Pattern, Rates, Residual, RowKind, Solvable, State,
    System, Weights,
};

/// Coordinates of a point.
pub(crate) const D: usize = 3;

/// The linear solvers of a net.
pub(crate) trait Solvers: Clone + Debug {
    type Saddle: Saddle<f64>;
    type Kkt: Kkt<f64>;
    type Assembly: Square<f64>;
}

#[derive(Clone, Debug)]
pub(crate) struct Sparse;
impl Solvers for Sparse {
    type Saddle = SparseSaddle<f64>;
    type Kkt = SparseKkt<f64>;
    type Assembly = SparseSquare<f64>;
}

#[derive(Clone, Debug)]
pub(crate) struct SparseRedundant;
impl Solvers for SparseRedundant {
    type Saddle = SparseSaddle<f64, true>;
    type Kkt = SparseKkt<f64, true>;
    type Assembly = SparseSquare<f64>;
}

/// What joins two points, or a point to the origin of space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) from: Option<usize>,
    pub(crate) to: usize,
    pub(crate) length: f64,
    /// stiffness and damping along the edge; none of a rod
    pub(crate) spring: Option<(f64, f64)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Net<K> {
    pub(crate) mass: Vec<f64>,
    pub(crate) q: Vec<f64>,
    pub(crate) edges: Vec<Edge>,
    /// force on each point, and a force ω × v
    pub(crate) gravity: [f64; D],
    pub(crate) spin: f64,
    names: [Vec<&'static str>; 5],
    kinds: Vec<RowKind>,
    patterns: [(Vec<usize>, Vec<usize>); 3],
    solvers: PhantomData<K>,
}

/// Sorted columns of a pattern.
fn columns(cols: usize, mut entries: Vec<(usize, usize)>) -> (Vec<usize>, Vec<usize>) {
    entries.sort_unstable_by_key(|&(r, c)| (c, r));
    entries.dedup();
    let starts = (0..=cols).map(|c| entries.partition_point(|&(_, column)| column < c)).collect();
    (starts, entries.into_iter().map(|(r, _)| r).collect())
}

fn leak(prefix: &str, count: usize) -> Vec<&'static str> {
    (0..count).map(|i| &*format!("{prefix}[{i}]").leak()).collect()
}

impl<K: Solvers> Net<K> {
    pub(crate) fn new(mass: Vec<f64>, q: Vec<f64>, edges: Vec<Edge>) -> Self {
        let nv = q.len();
        let rods: Vec<&Edge> = edges.iter().filter(|edge| edge.spring.is_none()).collect();
        let nc = rods.len();
        let diagonal: Vec<_> = (0..nv).map(|i| (i, i)).collect();
        let ends = |edge: &Edge| edge.from.into_iter().chain([edge.to]).collect::<Vec<_>>();
        let touched = |(row, edge): (usize, &&Edge)| {
            ends(edge).into_iter().flat_map(move |p| (0..D).map(move |a| (row, D * p + a))).collect::<Vec<_>>()
        };
        let rows: Vec<_> = rods.iter().enumerate().flat_map(touched).collect();
        let coupled = edges.iter().flat_map(|edge| {
            let ends = ends(edge);
            let pairs: Vec<_> = ends.iter().flat_map(|&i| ends.iter().map(move |&j| (i, j))).collect();
            pairs.into_iter().flat_map(|(i, j)| (0..D * D).map(move |k| (D * i + k / D, D * j + k % D)))
        });
        let points = (0..nv / D).flat_map(|i| (0..D * D).map(move |k| (D * i + k / D, D * i + k % D)));
        let border = rows.iter().flat_map(|&(r, c)| [(nv + r, c), (c, nv + r)]);
        let tangent = coupled.chain(points).chain(border).collect();
        let names = [leak("x", nv), leak("v", nv), leak("x.step", nv), leak("rod", nc), leak("rod.lambda", nc)];
        let patterns = [columns(nv, diagonal), columns(nv, rows), columns(nv + nc, tangent)];
        let kinds = vec![RowKind::Holonomic; nc];
        let (gravity, spin, solvers) = ([0.0, 0.0, -9.81], 0.0, PhantomData);
        Self { mass, q, edges, gravity, spin, names, kinds, patterns, solvers }
    }

    pub(crate) fn with<L: Solvers>(self) -> Net<L> {
        let Self { mass, q, edges, gravity, spin, names, kinds, patterns, .. } = self;
        Net { mass, q, edges, gravity, spin, names, kinds, patterns, solvers: PhantomData }
    }

    pub(crate) fn start(&self) -> State<Self> {
        let mut x = State::neutral(self);
        x.q.copy_from_slice(&self.q);
        x
    }

    pub(crate) fn energy(&self, q: &[f64], v: &[f64]) -> f64 {
        let mut energy = 0.0;
        for (i, &m) in self.mass.iter().enumerate() {
            for a in 0..D {
                energy += 0.5 * m * v[D * i + a].powi(2) - m * self.gravity[a] * q[D * i + a];
            }
        }
        for edge in &self.edges {
            let Some((k, _)) = edge.spring else { continue };
            energy += 0.5 * k * (edge.span(q).1 - edge.length).powi(2);
        }
        energy
    }

    /// Largest error of a rod's length, relative to it.
    pub(crate) fn drift(&self, q: &[f64]) -> f64 {
        let rods = self.edges.iter().filter(|edge| edge.spring.is_none());
        rods.map(|edge| (edge.span(q).1 / edge.length - 1.0).abs()).fold(0.0, f64::max)
    }

    fn rods(&self) -> impl Iterator<Item = (usize, &Edge)> {
        self.edges.iter().filter(|edge| edge.spring.is_none()).enumerate()
    }

    /// Forces of gravity, spin and springs.
    fn force(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        for (i, &m) in self.mass.iter().enumerate() {
            for a in 0..D {
                out[D * i + a] = m * self.gravity[a];
            }
            out[D * i] -= self.spin * v[D * i + 1];
            out[D * i + 1] += self.spin * v[D * i];
        }
        for edge in &self.edges {
            let Some((k, c)) = edge.spring else { continue };
            let (d, r) = edge.span(q);
            let (w, _) = edge.span(v);
            let rate: f64 = d.iter().zip(&w).map(|(d, w)| d * w).sum::<f64>() / r;
            let pull = (k * (r - edge.length) + c * rate) / r;
            edge.each(|point, sign| {
                for a in 0..D {
                    out[D * point + a] -= sign * pull * d[a];
                }
            });
        }
    }
}

impl Edge {
    /// The vector from one end to the other, and its length.
    fn span(&self, x: &[f64]) -> ([f64; D], f64) {
        let d: [f64; D] = std::array::from_fn(|a| x[D * self.to + a] - self.from.map_or(0.0, |from| x[D * from + a]));
        (d, d.iter().map(|x| x * x).sum::<f64>().sqrt())
    }

    fn each(&self, mut see: impl FnMut(usize, f64)) {
        see(self.to, 1.0);
        if let Some(from) = self.from {
            see(from, -1.0);
        }
    }
}

/// Adds to an entry.
fn add(pattern: Pattern<'_>, out: &mut [f64], row: usize, column: usize, value: f64) {
    let (from, to) = (pattern.starts[column], pattern.starts[column + 1]);
    let at = pattern.indices[from..to].binary_search(&row).expect("an entry of the pattern");
    out[from + at] += value;
}

impl<K: Solvers> System for Net<K> {
    type Real = f64;
    type Q = Vec<f64>;
    type V = Vec<f64>;
    type Z = [f64; 0];
    type U = [f64; 0];
    type L = Vec<f64>;
    type Modes = [f64; 0];
    type Guards = [f64; 0];
    type Mass = Vec<f64>;
    type Jacobian = Vec<f64>;

    fn layout(&self) -> Layout<'_> {
        let [q, v, steps, constraints, multipliers] = &self.names;
        let pattern = |k: usize, rows: usize, cols: usize| {
            let (starts, indices) = &self.patterns[k];
            Pattern { rows, cols, starts, indices }
        };
        let (nv, nc) = (q.len(), constraints.len());
        Layout {
            name: "Net",
            q,
            v,
            directions: q,
            steps,
            z: &[],
            algebraic: 0,
            algebraic_jacobian: Pattern::NONE,
            u: &[],
            outputs: &[],
            modes: &[],
            events: &[],
            constraints,
            multipliers,
            kinds: &self.kinds,
            init_position: &[],
            init_velocity: &[],
            init_position_jacobian: Pattern::NONE,
            init_velocity_jacobian: Pattern::NONE,
            mass: pattern(0, nv, nv),
            jacobian: pattern(1, nc, nv),
            tangent: pattern(2, nv + nc, nv + nc),
            order: Order::Second,
            constant_mass: true,
            rheonomic: false,
        }
    }
    fn momentum_rate(&self, _at: At<'_, Self>, out: &mut Vec<f64>) {
        out.fill(0.0);
    }
    fn forward(&self, at: At<'_, Self>, out: &mut Forward<Self>) {
        out.mass.iter_mut().enumerate().for_each(|(i, m)| *m = self.mass[i / D]);
        self.force(at.q, at.v, &mut out.force);
        out.jacobian.fill(0.0);
        let pattern = self.layout().jacobian;
        for (row, edge) in self.rods() {
            let ((d, _), (_, speed)) = (edge.span(at.q), edge.span(at.v));
            edge.each(|point, sign| {
                (0..D).for_each(|a| add(pattern, &mut out.jacobian, row, D * point + a, sign * d[a]))
            });
            out.gamma[row] = speed * speed;
        }
    }
    fn residual(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Residual<Self>) {
        self.force(at.q, at.v, &mut out.r);
        for (i, r) in out.r.iter_mut().enumerate() {
            *r = self.mass[i / D] * rates.a[i] - *r;
        }
        for (row, edge) in self.rods() {
            let (d, length) = edge.span(at.q);
            edge.each(|point, sign| (0..D).for_each(|a| out.r[D * point + a] -= sign * d[a] * rates.lambda[row]));
            out.phi[row] = 0.5 * (length * length - edge.length * edge.length);
        }
    }
    fn constraint(&self, at: At<'_, Self>, out: &mut Constraint<Self>) {
        out.jacobian.fill(0.0);
        let pattern = self.layout().jacobian;
        for (row, edge) in self.rods() {
            let ((d, length), (w, _)) = (edge.span(at.q), edge.span(at.v));
            out.phi[row] = 0.5 * (length * length - edge.length * edge.length);
            out.rate[row] = d.iter().zip(&w).map(|(d, w)| d * w).sum();
            edge.each(|point, sign| {
                (0..D).for_each(|a| add(pattern, &mut out.jacobian, row, D * point + a, sign * d[a]))
            });
        }
    }
    fn guess(&self, q: &mut Vec<f64>, _v: &mut Vec<f64>, _z: &mut [f64; 0]) {
        q.copy_from_slice(&self.q);
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

impl<K: Solvers> Linearize for Net<K> {
    type Tangent = Vec<f64>;

    fn tangent(
        &self,
        at: At<'_, Self>,
        rates: Rates<'_, Self>,
        weights: Weights<f64>,
        _step: &Vec<f64>,
        residual: &mut Residual<Self>,
        out: &mut Vec<f64>,
    ) {
        self.residual(at, rates, residual);
        out.fill(0.0);
        let (pattern, nv) = (self.layout().tangent, self.q.len());
        for i in 0..nv {
            add(pattern, out, i, i, weights.rates * self.mass[i / D]);
        }
        for i in 0..self.mass.len() {
            add(pattern, out, D * i, D * i + 1, weights.velocity * self.spin);
            add(pattern, out, D * i + 1, D * i, -weights.velocity * self.spin);
        }
        for edge in &self.edges {
            let Some((k, c)) = edge.spring else { continue };
            let ((d, r), (w, _)) = (edge.span(at.q), edge.span(at.v));
            let along: f64 = d.iter().zip(&w).map(|(d, w)| d * w).sum();
            let pull = (k * (r - edge.length) + c * along / r) / r;
            // of the force pull · d by d and by w
            let block: [[f64; D]; D] = std::array::from_fn(|a| {
                std::array::from_fn(|b| {
                    let slope = (k * d[b] / r + c * (w[b] / r - along * d[b] / r.powi(3))) / r - pull * d[b] / (r * r);
                    let own = if a == b { pull } else { 0.0 };
                    weights.position * (own + d[a] * slope) + weights.velocity * c * d[a] * d[b] / (r * r)
                })
            });
            edge.each(|i, s| {
                edge.each(|j, t| {
                    for (a, row) in block.iter().enumerate() {
                        for (b, &value) in row.iter().enumerate() {
                            add(pattern, out, D * i + a, D * j + b, s * t * value);
                        }
                    }
                });
            });
        }
        for (row, edge) in self.rods() {
            let (d, _) = edge.span(at.q);
            edge.each(|i, s| {
                for a in 0..D {
                    add(pattern, out, D * i + a, nv + row, -s * d[a]);
                    add(pattern, out, nv + row, D * i + a, weights.position * s * d[a]);
                }
                edge.each(|j, t| {
                    for a in 0..D {
                        add(pattern, out, D * i + a, D * j + a, -weights.position * s * t * rates.lambda[row]);
                    }
                });
            });
        }
    }
}

impl<K: Solvers> Solvable for Net<K> {
    type Saddle = K::Saddle;
    type Kkt = K::Kkt;
    type Assembly = K::Assembly;
    type Algebra = DenseSquare<f64, 0>;
}

/// Points in a row of rods of this length, the first at a rod from the origin, held nearly level.
pub(crate) fn rope(points: usize, length: f64) -> Net<Sparse> {
    let q = (0..points).flat_map(|i| [(i + 1) as f64 * length, 0.0, 0.0]).collect();
    let edge = |to: usize| Edge { from: to.checked_sub(1), to, length, spring: None };
    Net::new(vec![0.1; points], q, (0..points).map(edge).collect())
}

/// The same with springs.
pub(crate) fn elastic(points: usize, length: f64, stiffness: f64, damping: f64) -> Net<Sparse> {
    let mut net = rope(points, length);
    net.edges.iter_mut().for_each(|edge| edge.spring = Some((stiffness, damping)));
    Net::new(net.mass, net.q, net.edges)
}
