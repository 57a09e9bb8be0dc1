//! Points with masses of their own, as many as there are, each free or on the unit sphere: blocks are `Vec`s and the
//! saddle matrix is never formed, for M and G M⁻¹ Gᵀ are diagonal. For explicit methods, and for those on momenta,
//! which ask for a tangent only where M varies.

use ode_runtime::linalg::{DenseKkt, DenseSquare, Saddle, Singular};
use ode_runtime::{
    At, Conditions, Constraint, Forward, Layout, Linearize, Order, Pattern, Rates, Residual, RowKind, Solvable, State,
    System, Weights,
};

/// Forces of all points from q and v.
pub type Forces = fn(q: &[f64], v: &[f64], out: &mut [f64]);

/// Points in `dimension` coordinates each.
#[derive(Clone, Debug)]
pub struct Points {
    pub dimension: usize,
    /// of each coordinate
    pub mass: Vec<f64>,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub forces: Forces,
    names: Vec<&'static str>,
    rates: Vec<&'static str>,
    rows: Vec<&'static str>,
    multipliers: Vec<&'static str>,
    kinds: Vec<RowKind>,
    counts: Vec<usize>,
    jacobian: [Vec<usize>; 2],
}

impl Points {
    pub fn free(dimension: usize, mass: Vec<f64>, q: Vec<f64>, v: Vec<f64>, forces: Forces) -> Self {
        let n = q.len();
        Self {
            dimension,
            mass,
            q,
            v,
            forces,
            names: vec!["x"; n],
            rates: vec!["der(x)"; n],
            rows: vec![],
            multipliers: vec![],
            kinds: vec![],
            counts: (0..=n).collect(),
            jacobian: [vec![0; n + 1], vec![]],
        }
    }

    /// The same points, each with the row |p|² = 1.
    pub fn on_spheres(mut self) -> Self {
        let (n, d) = (self.q.len(), self.dimension);
        self.rows = vec!["sphere"; n / d];
        self.multipliers = vec!["sphere.lambda"; n / d];
        self.kinds = vec![RowKind::Holonomic; n / d];
        self.jacobian = [(0..=n).collect(), (0..n).map(|i| i / d).collect()];
        self
    }

    pub fn start(&self) -> State<Self> {
        let mut x = State::neutral(self);
        x.q.copy_from_slice(&self.q);
        x.v.copy_from_slice(&self.v);
        x
    }

    /// Σ a·b over the coordinates of each point that has a row.
    fn rows<'a>(&self, a: &'a [f64], b: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        let (d, n) = (self.dimension, self.rows.len());
        let points = a.chunks(d).zip(b.chunks(d)).take(n);
        points.map(|(a, b)| a.iter().zip(b).map(|(a, b)| a * b).sum())
    }
}

impl System for Points {
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
        let (n, c) = (self.q.len(), self.rows.len());
        let [starts, indices] = &self.jacobian;
        Layout {
            name: "Points",
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
            constraints: &self.rows,
            multipliers: &self.multipliers,
            kinds: &self.kinds,
            init_position: &[],
            init_velocity: &[],
            init_position_jacobian: Pattern::NONE,
            init_velocity_jacobian: Pattern::NONE,
            mass: Pattern { rows: n, cols: n, starts: &self.counts, indices: &self.counts[..n] },
            jacobian: Pattern { rows: c, cols: n, starts, indices },
            tangent: Pattern { rows: 0, cols: 0, starts: &[0], indices: &[] },
            order: Order::Second,
            constant_mass: true,
            rheonomic: false,
        }
    }
    fn momentum_rate(&self, _at: At<'_, Self>, out: &mut Vec<f64>) {
        out.fill(0.0);
    }
    fn forward(&self, at: At<'_, Self>, out: &mut Forward<Self>) {
        out.mass.copy_from_slice(&self.mass);
        (self.forces)(at.q, at.v, &mut out.force);
        for (g, q) in out.jacobian.iter_mut().zip(at.q) {
            *g = 2.0 * q;
        }
        for (gamma, square) in out.gamma.iter_mut().zip(self.rows(at.v, at.v)) {
            *gamma = 2.0 * square;
        }
    }
    fn residual(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Residual<Self>) {
        (self.forces)(at.q, at.v, &mut out.r);
        for (i, r) in out.r.iter_mut().enumerate() {
            let pull = rates.lambda.get(i / self.dimension).map_or(0.0, |l| 2.0 * l * at.q[i]);
            *r = self.mass[i] * rates.a[i] - *r - pull;
        }
        for (phi, square) in out.phi.iter_mut().zip(self.rows(at.q, at.q)) {
            *phi = square - 1.0;
        }
    }
    fn constraint(&self, at: At<'_, Self>, out: &mut Constraint<Self>) {
        for (phi, square) in out.phi.iter_mut().zip(self.rows(at.q, at.q)) {
            *phi = square - 1.0;
        }
        for (rate, along) in out.rate.iter_mut().zip(self.rows(at.q, at.v)) {
            *rate = 2.0 * along;
        }
        for (g, q) in out.jacobian.iter_mut().zip(at.q) {
            *g = 2.0 * q;
        }
    }
    fn nominal(&self, _u: &mut [f64; 0]) {}
    fn guess(&self, q: &mut Vec<f64>, v: &mut Vec<f64>, _z: &mut [f64; 0]) {
        q.copy_from_slice(&self.q);
        v.copy_from_slice(&self.v);
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

impl Linearize for Points {
    type Tangent = [f64; 0];
    fn tangent(
        &self,
        _at: At<'_, Self>,
        _rates: Rates<'_, Self>,
        _weights: Weights<f64>,
        _step: &Vec<f64>,
        _residual: &mut Residual<Self>,
        _out: &mut [f64; 0],
    ) {
        unreachable!("no method here asks for it");
    }
}

impl Solvable for Points {
    type Saddle = Spheres;
    // Explicit runs from a given state ask for neither of these.
    type Kkt = DenseKkt<f64, 1>;
    type Assembly = DenseSquare<f64, 1>;
    type Algebra = DenseSquare<f64, 0>;
}

/// [M −Gᵀ; G 0] for diagonal M and rows that share no coordinate.
#[derive(Clone, Debug)]
pub struct Spheres {
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    /// row of each coordinate
    row: Vec<usize>,
    /// G M⁻¹ Gᵀ
    schur: Vec<f64>,
}

impl Saddle<f64> for Spheres {
    fn new(layout: &Layout<'_>) -> Self {
        let row = layout.jacobian.indices.to_vec();
        Self { mass: vec![], jacobian: vec![], row, schur: vec![0.0; layout.constraints.len()] }
    }
    fn factorize(&mut self, _layout: &Layout<'_>, mass: &[f64], jacobian: &[f64]) -> Result<(), Singular> {
        if let Some(index) = mass.iter().position(|&m| m <= 0.0) {
            return Err(Singular { index });
        }
        (self.mass, self.jacobian) = (mass.to_vec(), jacobian.to_vec());
        self.schur.fill(0.0);
        for ((&row, g), m) in self.row.iter().zip(jacobian).zip(mass) {
            self.schur[row] += g * g / m;
        }
        let empty = self.schur.iter().position(|&s| s <= 0.0);
        empty.map_or(Ok(()), |row| Err(Singular { index: mass.len() + row }))
    }
    fn solve(&self, v: &mut [f64], l: &mut [f64]) {
        for (v, m) in v.iter_mut().zip(&self.mass) {
            *v /= m;
        }
        for ((&row, g), v) in self.row.iter().zip(&self.jacobian).zip(v.iter()) {
            l[row] -= g * v;
        }
        for (l, s) in l.iter_mut().zip(&self.schur) {
            *l /= s;
        }
        for (((&row, g), v), m) in self.row.iter().zip(&self.jacobian).zip(v.iter_mut()).zip(&self.mass) {
            *v += g * l[row] / m;
        }
    }
}
