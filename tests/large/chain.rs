//! A chain of masses on damped springs: of any length by hand, and of nine that move as a model.

use ode_model::linalg::{DenseSquare, SparseKkt, SparseSaddle, SparseSquare};
use ode_model::{
    At, Conditions, Constraint, Forward, Layout, Linearize, Order, Pattern, Rates, Residual, Solvable, System, Weights,
    model,
};

const D: usize = 3;

model! {
    /// The dense one: a mass that is held, and nine.
    #[model(emit(linearized))]
    pub(crate) struct Ten {
        param m: Real [kg] = 0.1;
        param k: Real [N/m] = 1e4;
        param c: Real [N*s/m] = 1.0;
        param rest: Real [m] = 0.1;
        param g: Real [m/s^2] = 9.81;
        coord r: [Vec3; 9] [m];
        for i in 0..9 {
            mass r[i] = m;
            potential = m * g * r[i].z;
            guess r[i] = vec3(rest * (i + 1), 0.0, 0.0);
        }
        potential = 0.5 * k * sq(norm(r[0]) - rest);
        dissipation = 0.5 * c * sq(dot(r[0], der(r[0])) / norm(r[0]));
        for i in 0..8 {
            let d = r[i + 1] - r[i];
            potential = 0.5 * k * sq(norm(d) - rest);
            dissipation = 0.5 * c * sq(dot(d, der(r[i + 1]) - der(r[i])) / norm(d));
        }
    }
}

/// The sparse one.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    m: f64,
    k: f64,
    c: f64,
    rest: f64,
    g: f64,
    q: Vec<f64>,
    names: Vec<&'static str>,
    diagonal: Vec<usize>,
    starts: Vec<usize>,
    rows: Vec<usize>,
    empty: Vec<usize>,
}

impl Chain {
    pub(crate) fn new(n: usize) -> Self {
        let (mut starts, mut rows) = (vec![0], vec![]);
        for i in 0..n {
            for _ in 0..D {
                rows.extend(D * i.saturating_sub(1)..D * (i + 2).min(n));
                starts.push(rows.len());
            }
        }
        Self {
            m: 0.1,
            k: 1e4,
            c: 1.0,
            rest: 0.1,
            g: 9.81,
            q: (0..n).flat_map(|i| [0.1 * (i + 1) as f64, 0.0, 0.0]).collect(),
            names: vec!["r"; D * n],
            diagonal: (0..=D * n).collect(),
            starts,
            rows,
            empty: vec![0; D * n + 1],
        }
    }

    pub(crate) fn q(&self) -> &[f64] {
        &self.q
    }

    /// The vector of a spring, from the mass before to mass `i`, its rate, and their number.
    #[inline]
    fn spring(&self, i: usize, q: &[f64], v: &[f64]) -> ([f64; D], f64, f64, f64, [f64; D]) {
        let of = |x: &[f64]| -> [f64; D] {
            let before = |a: usize| if i == 0 { 0.0 } else { x[D * (i - 1) + a] };
            std::array::from_fn(|a| x[D * i + a] - before(a))
        };
        let (d, w) = (of(q), of(v));
        let dot = |x: &[f64; D], y: &[f64; D]| x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
        let (r, along) = (dot(&d, &d).sqrt(), dot(&d, &w));
        let pull = (self.k * (r - self.rest) + self.c * along / r) / r;
        (d, r, along, pull, w)
    }

    /// The weighted tangent of spring `i`, whose forces join the residual, and what it makes of a velocity the `drift`.
    #[inline]
    fn block(
        &self,
        i: usize,
        at: At<'_, Self>,
        weights: Weights<f64>,
        residual: &mut Residual<Self>,
        drift: Option<&mut Residual<Self>>,
    ) -> [[f64; D]; D] {
        let (d, r, along, pull, w) = self.spring(i, at.q, at.v);
        let (one, square) = (1.0 / r, 1.0 / (r * r));
        let slope: [f64; D] = std::array::from_fn(|b| {
            (self.k * d[b] * one + self.c * (w[b] * one - along * d[b] * square * one)) * one - pull * d[b] * square
        });
        let damping = weights.velocity * self.c * square;
        let mut block: [[f64; D]; D] = std::array::from_fn(|a| {
            std::array::from_fn(|b| weights.position * d[a] * slope[b] + damping * d[a] * d[b])
        });
        (0..D).for_each(|a| block[a][a] += weights.position * pull);
        let join = |r: &mut [f64], force: [f64; D]| {
            (0..D).for_each(|a| r[D * i + a] += force[a]);
            if i > 0 {
                (0..D).for_each(|a| r[D * (i - 1) + a] -= force[a]);
            }
        };
        join(&mut residual.r, d.map(|d| pull * d));
        if let Some(drift) = drift {
            let rate = slope[0] * w[0] + slope[1] * w[1] + slope[2] * w[2];
            join(&mut drift.r, std::array::from_fn(|a| weights.position * (pull * w[a] + d[a] * rate)));
        }
        block
    }

    fn assemble(
        &self,
        at: At<'_, Self>,
        rates: Rates<'_, Self>,
        weights: Weights<f64>,
        (residual, out): (&mut Residual<Self>, &mut Vec<f64>),
        mut drift: Option<&mut Residual<Self>>,
    ) {
        for (r, a) in residual.r.as_chunks_mut::<D>().0.iter_mut().zip(rates.a.as_chunks::<D>().0) {
            *r = [self.m * a[0], self.m * a[1], self.m * (a[2] + self.g)];
        }
        // column by column, each written once: −B of the spring before, the sum of both, −B of the spring after
        let n = self.q.len() / D;
        let mut before = self.block(0, at, weights, residual, drift.as_deref_mut());
        let mut rest = out.as_mut_slice();
        for i in 0..n {
            let after = match i + 1 < n {
                true => self.block(i + 1, at, weights, residual, drift.as_deref_mut()),
                false => [[0.0; D]; D],
            };
            for b in 0..D {
                if i > 0 {
                    let (own, later) = rest.split_at_mut(D);
                    (0..D).for_each(|a| own[a] = -before[a][b]);
                    rest = later;
                }
                let (own, later) = rest.split_at_mut(D);
                (0..D).for_each(|a| own[a] = before[a][b] + after[a][b]);
                own[b] += weights.rates * self.m;
                rest = later;
                if i + 1 < n {
                    let (own, later) = rest.split_at_mut(D);
                    (0..D).for_each(|a| own[a] = -after[a][b]);
                    rest = later;
                }
            }
            before = after;
        }
    }

    fn forces(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        for point in out.as_chunks_mut::<D>().0 {
            *point = [0.0, 0.0, -self.m * self.g];
        }
        for i in 0..self.q.len() / D {
            let (d, _, _, pull, _) = self.spring(i, q, v);
            for a in 0..D {
                out[D * i + a] -= pull * d[a];
                if i > 0 {
                    out[D * (i - 1) + a] += pull * d[a];
                }
            }
        }
    }
}

impl System for Chain {
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
        let n = self.q.len();
        let none = Pattern { rows: 0, cols: n, starts: &self.empty, indices: &[] };
        Layout {
            name: "Chain",
            q: &self.names,
            v: &self.names,
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
            mass: Pattern { rows: n, cols: n, starts: &self.diagonal, indices: &self.diagonal[..n] },
            jacobian: none,
            tangent: Pattern { rows: n, cols: n, starts: &self.starts, indices: &self.rows },
            order: Order::Second,
            constant_mass: true,
            rheonomic: false,
        }
    }
    fn momentum_rate(&self, _at: At<'_, Self>, out: &mut Vec<f64>) {
        out.fill(0.0);
    }
    fn forward(&self, at: At<'_, Self>, out: &mut Forward<Self>) {
        out.mass.fill(self.m);
        self.forces(at.q, at.v, &mut out.force);
    }
    fn residual(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Residual<Self>) {
        self.forces(at.q, at.v, &mut out.r);
        out.r.iter_mut().zip(rates.a).for_each(|(r, a)| *r = self.m * a - *r);
    }
    fn constraint(&self, _at: At<'_, Self>, _out: &mut Constraint<Self>) {}
    fn guess(&self, q: &mut Vec<f64>, _v: &mut Vec<f64>, _z: &mut [f64; 0]) {
        q.copy_from_slice(&self.q);
    }
    fn conditions(&self, _at: At<'_, Self>, _out: Conditions<'_, f64>) {}
    fn qdot(&self, _q: &Vec<f64>, v: &Vec<f64>, out: &mut Vec<f64>) {
        out.copy_from_slice(v);
    }
    fn retract(&self, q: &Vec<f64>, step: &Vec<f64>, out: &mut Vec<f64>) {
        out.iter_mut().zip(q).zip(step).for_each(|((out, q), step)| *out = q + step);
    }
    fn local(&self, from: &Vec<f64>, to: &Vec<f64>, out: &mut Vec<f64>) {
        out.iter_mut().zip(from).zip(to).for_each(|((out, from), to)| *out = to - from);
    }
}

impl Linearize for Chain {
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
        self.assemble(at, rates, weights, (residual, out), None);
    }

    fn tangent_and_drift(
        &self,
        at: At<'_, Self>,
        rates: Rates<'_, Self>,
        weights: Weights<f64>,
        _step: &Vec<f64>,
        both: (&mut Residual<Self>, &mut Vec<f64>),
        drift: &mut Residual<Self>,
    ) {
        drift.r.fill(0.0);
        self.assemble(at, rates, weights, both, Some(drift));
    }
}

impl Solvable for Chain {
    type Saddle = SparseSaddle<f64>;
    type Kkt = SparseKkt<f64>;
    type Assembly = SparseSquare<f64>;
    type Algebra = DenseSquare<f64, 0>;
}
