//! Rotations at a point of an interval: q = q₀ ⊕ θ, whose step θ from the beginning is the polynomial.
//!
//! ```text
//! θ̇ = T(θ)⁻¹ (v + e) = v + e + τ         τ is an unknown of the point
//! δq = T(θ) δθ + exp(−θ) δq₀
//! ```
//!
//! So θ is a sum of numbers of the interval, as positions are, and the order is that of the scheme: H. Munthe-Kaas,
//! High order Runge–Kutta methods on manifolds, Applied Numerical Mathematics 29 (1999). Columns of a model are along
//! q ⊕ δ; *flat* ones have δθ in the place of δq, and after all others δq₀, which are linear in the numbers.

use ode_runtime::linalg::{DMatrix, DVector, SMatrix};
use ode_runtime::{Sensitive, State};

use crate::optimal::collocation::sizes::Sizes;
use crate::optimal::turn::{Three, Turn};

/// A rotation at a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turned {
    turn: Turn,
    /// the place of its first τ among those of the point
    first: usize,
    /// θ
    step: [f64; 3],
    /// v + e
    velocity: [f64; 3],
    tangent: Three,
    carried: Three,
}

impl Turned {
    /// Those at a point with the step from the beginning and e.
    pub(super) fn all<S: Sensitive<Real = f64>>(system: &S, x: &State<S>, (step, drift): (&S::V, &S::V)) -> Vec<Self> {
        let of = |(i, turn): (usize, Turn)| {
            let (v, e, step) = (turn.of(x.v.as_ref()), turn.of(drift.as_ref()), turn.of(step.as_ref()));
            let velocity = core::array::from_fn(|i| v[i] + e[i]);
            let (tangent, carried) = (turn.tangent(&step), turn.carried(&step));
            Self { turn, first: 3 * i, step, velocity, tangent, carried }
        };
        Turn::all(system).into_iter().enumerate().map(of).collect()
    }

    /// Visits the flat columns that a column of the model depends on.
    pub(super) fn visit(all: &[Self], sizes: &Sizes, column: usize, mut see: impl FnMut(usize, f64)) {
        let found = all.iter().find(|own| (own.turn.at..own.turn.at + 3).contains(&column));
        let Some(Self { turn, first, tangent, carried, .. }) = found else { return see(column, 1.0) };
        let row = column - turn.at;
        for k in 0..3 {
            see(turn.at + k, tangent[(row, k)]);
            see(sizes.columns() + first + k, carried[(row, k)]);
        }
    }

    /// Makes slopes by columns of the model, in rows, those by flat ones.
    pub(super) fn flatten(all: &[Self], sizes: &Sizes, slopes: &mut DMatrix<f64>) {
        for Self { turn, first, tangent, carried, .. } in all {
            let own = slopes.columns(turn.at, 3).into_owned();
            slopes.columns_mut(sizes.columns() + first, 3).copy_from(&(&own * carried));
            slopes.columns_mut(turn.at, 3).copy_from(&(own * tangent));
        }
    }

    /// Writes τ − T(θ)⁻¹ (v + e) + v + e, and what it varies by: by flat columns, and by τ and e.
    pub(super) fn equations(
        &self,
        sizes: &Sizes,
        own: &[f64],
        (off, by): (&mut [f64], &mut DMatrix<f64>),
        mut direct: impl FnMut(usize, usize, f64),
    ) {
        let Self { turn, first, step, velocity, .. } = self;
        let (rate, by_step) = (turn.rate(step), turn.vary_rate(step, velocity));
        for r in 0..3 {
            let row = sizes.turn() + first + r;
            off[row] = own[row] + velocity[r];
            direct(row, row, 1.0);
            for c in 0..3 {
                off[row] -= rate[(r, c)] * velocity[c];
                by[(row, turn.at + c)] -= by_step[(r, c)];
                let slope = f64::from(u8::from(r == c)) - rate[(r, c)];
                // v is another number of the point in a model of first order
                by[(row, sizes.nv + turn.at + c)] += slope;
                if sizes.stabilised() {
                    direct(row, sizes.drift() + turn.at + c, slope);
                }
            }
        }
    }

    /// The second derivatives by (δq₀, δθ, v + e) that the chart has, of a function with the flat slopes `by`, and of
    /// the equations of τ with their multipliers.
    pub(super) fn bend(&self, sizes: &Sizes, by: &DVector<f64>, multipliers: &[f64]) -> SMatrix<f64, 9, 9> {
        let Self { turn, first, step, velocity, carried, .. } = self;
        // δq₀ turns as q does: its slopes are those by q
        let slope = carried * by.fixed_rows::<3>(sizes.columns() + first);
        let slope = [slope[0], slope[1], slope[2]];
        let y: [f64; 3] = core::array::from_fn(|i| multipliers[sizes.turn() + first + i]);
        let mut out = SMatrix::<f64, 9, 9>::zeros();
        out.fixed_view_mut::<3, 3>(0, 3).copy_from(&turn.bend_carried(step, &slope));
        let twice = turn.bend_tangent(step, &slope) - turn.bend_twice(step, velocity, &y);
        out.fixed_view_mut::<3, 3>(3, 3).copy_from(&twice);
        out.fixed_view_mut::<3, 3>(6, 3).copy_from(&-turn.bend_rate(step, &y));
        out.fixed_view_mut::<3, 3>(3, 6).copy_from(&-turn.bend_rate(step, &y).transpose());
        // by δq₀ and then δθ; in the other order it is in what the slopes vary by: symmetric are their sums
        (out + out.transpose()) * 0.5
    }

    /// The flat columns of (δq₀, δθ, v), and the places of e among the unknowns of a point.
    pub(super) fn places(&self, sizes: &Sizes) -> ([usize; 9], [usize; 3]) {
        let first = [sizes.columns() + self.first, self.turn.at, sizes.nv + self.turn.at];
        (core::array::from_fn(|i| first[i / 3] + i % 3), core::array::from_fn(|i| sizes.drift() + self.turn.at + i))
    }
}
