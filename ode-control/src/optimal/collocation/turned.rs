//! Rotations and points of the sphere at a point of an interval: q = q₀ ⊕ θ, whose step θ from the beginning is the
//! polynomial.
//!
//! ```text
//! θ̇ = T(θ)⁻¹ (v + e) = v + e + τ         τ is an unknown of the point
//! δq = T(θ) δθ + exp(−θ) δq₀
//! ```
//!
//! So θ is a sum of numbers of the interval, as positions are, and the order is that of the scheme: H. Munthe-Kaas,
//! High order Runge–Kutta methods on manifolds, Applied Numerical Mathematics 29 (1999). Columns of a model are along
//! q ⊕ δ; *flat* ones are linear in the numbers: they have δθ in the place of δq, on the sphere the rate of the entries
//! of v in the place of a, and after all others δq₀.

use ode_runtime::linalg::{DMatrix, DVector, SMatrix};
use ode_runtime::{Sensitive, State};

use crate::optimal::collocation::chart::Chart;
use crate::optimal::collocation::sizes::Sizes;
use crate::optimal::collocation::spherical;
use crate::optimal::turn::{Three, Turn};

/// A rotation or a point of the sphere.
#[derive(Clone, Debug)]
pub(super) struct Turned {
    /// its first entry among the velocities
    at: usize,
    /// the place of its first τ among those of the point
    first: usize,
    chart: Chart,
    rotation: Option<Rotation>,
}

/// What second derivatives need of a rotation.
#[derive(Clone, Copy, Debug)]
struct Rotation {
    turn: Turn,
    /// θ
    step: [f64; 3],
    /// v + e
    velocity: [f64; 3],
    carried: Three,
}

impl Turned {
    /// Those at a point with the step from the beginning and e, where a is the rate of the entries of v: on the sphere
    /// it becomes a.
    pub(super) fn all<S: Sensitive<Real = f64>>(
        system: &S,
        sizes: &Sizes,
        x: &mut State<S>,
        (step, drift): (&S::V, &S::V),
    ) -> Vec<Self> {
        let rotations = Turn::all(system);
        let count = 3 * rotations.len();
        let rotation = |(i, turn): (usize, Turn)| Self::rotation(sizes, (3 * i, turn), x, (step, drift));
        let mut all: Vec<Self> = rotations.into_iter().enumerate().map(rotation).collect();
        for (i, at) in Turn::spheres(system).into_iter().enumerate() {
            let first = count + 2 * i;
            let chart = spherical::at(sizes, (first, at), x, (step, drift));
            all.push(Self { at, first, chart, rotation: None });
        }
        all
    }

    fn rotation<S: Sensitive<Real = f64>>(
        sizes: &Sizes,
        (first, turn): (usize, Turn),
        x: &State<S>,
        (step, drift): (&S::V, &S::V),
    ) -> Self {
        let (v, e, step) = (turn.of(x.v.as_ref()), turn.of(drift.as_ref()), turn.of(step.as_ref()));
        let velocity = core::array::from_fn(|i| v[i] + e[i]);
        let (tangent, carried, rate) = (turn.tangent(&step), turn.carried(&step), turn.rate(&step));
        let entries = (0..3).flat_map(|r| (0..3).map(move |k| (r, k)));
        let columns = entries.flat_map(|(r, k)| {
            let (place, origin) = (turn.at + k, sizes.columns() + first + k);
            [(turn.at + r, place, tangent[(r, k)]), (turn.at + r, origin, carried[(r, k)])]
        });
        let by_velocity = rate - Three::identity();
        let chart = Chart {
            columns: columns.collect(),
            rest: (0..3).map(|r| (0..3).map(|c| by_velocity[(r, c)] * velocity[c]).sum()).collect(),
            by_step: DMatrix::from_column_slice(3, 3, turn.vary_rate(&step, &velocity).as_slice()),
            by_velocity: DMatrix::from_column_slice(3, 3, by_velocity.as_slice()),
            spin: Vec::new(),
        };
        Self { at: turn.at, first, chart, rotation: Some(Rotation { turn, step, velocity, carried }) }
    }

    /// The place of a rate that θ has none of, because it turns too far.
    pub(super) fn too_far(&self) -> Option<usize> {
        self.chart.rest.iter().position(|rest| !rest.is_finite()).map(|i| self.at + i)
    }

    /// Visits what a column of a model at a point depends on: places among (unknowns, beginning, inputs), with the
    /// derivative where these are `numbers`.
    pub(super) fn visit(
        (all, sizes): (&[Self], &Sizes),
        (point, column): (usize, usize),
        numbers: &[f64],
        mut see: impl FnMut(usize, f64),
    ) {
        let mut visit = |flat: usize, factor: f64| {
            sizes.visit(point, flat, numbers, |place, slope| see(place, factor * slope));
        };
        let mut own = all.iter().flat_map(|own| &own.chart.columns).filter(|(of, ..)| *of == column).peekable();
        if own.peek().is_none() {
            return visit(column, 1.0);
        }
        own.for_each(|&(_, flat, slope)| visit(flat, slope));
    }

    /// Makes slopes by columns of the model, in rows, those by flat ones.
    pub(super) fn flatten(all: &[Self], slopes: &mut DMatrix<f64>) {
        let columns = all.iter().flat_map(|own| &own.chart.columns);
        let known: Vec<_> = columns.clone().map(|(of, ..)| slopes.column(*of).into_owned()).collect();
        columns.clone().for_each(|(of, ..)| slopes.column_mut(*of).fill(0.0));
        for ((_, flat, slope), known) in columns.zip(&known) {
            slopes.column_mut(*flat).axpy(*slope, known, 1.0);
        }
    }

    /// Writes τ − T(θ)⁻¹ (v + e) + v + e, and what it varies by: by flat columns, and by τ and e; and the turn of e −
    /// Gᵀμ with a frame that spins.
    pub(super) fn equations(
        &self,
        sizes: &Sizes,
        own: &[f64],
        (off, by): (&mut [f64], &mut DMatrix<f64>),
        mut direct: impl FnMut(usize, usize, f64),
    ) {
        let Self { at, first, chart: Chart { rest, by_step, by_velocity, spin, .. }, .. } = self;
        for (r, off_rest) in rest.iter().enumerate() {
            let row = sizes.turn() + first + r;
            off[row] = own[row] - off_rest;
            direct(row, row, 1.0);
            for c in 0..rest.len() {
                by[(row, at + c)] -= by_step[(r, c)];
                // v is another number of the point in a model of first order
                by[(row, sizes.nv + at + c)] -= by_velocity[(r, c)];
                if sizes.stabilised() {
                    direct(row, sizes.drift() + at + c, -by_velocity[(r, c)]);
                }
            }
        }
        if sizes.stabilised() {
            let row = sizes.drift() + at;
            let pulled = |r: usize| own[row + r] - off[row + r];
            for &(flat, slope) in spin {
                by[(row, flat)] -= slope * pulled(1);
                by[(row + 1, flat)] += slope * pulled(0);
            }
        }
    }

    /// The second derivatives by (δq₀, δθ, v + e) that a rotation has, of a function with the flat slopes `by`, and of
    /// the equations of τ with their multipliers.
    pub(super) fn bend(&self, sizes: &Sizes, by: &DVector<f64>, multipliers: &[f64]) -> Option<SMatrix<f64, 9, 9>> {
        let Rotation { turn, step, velocity, carried } = self.rotation.as_ref()?;
        // δq₀ turns as q does: its slopes are those by q
        let slope = carried * by.fixed_rows::<3>(sizes.columns() + self.first);
        let slope = [slope[0], slope[1], slope[2]];
        let y: [f64; 3] = core::array::from_fn(|i| multipliers[sizes.turn() + self.first + i]);
        let mut out = SMatrix::<f64, 9, 9>::zeros();
        out.fixed_view_mut::<3, 3>(0, 3).copy_from(&turn.bend_carried(step, &slope));
        let twice = turn.bend_tangent(step, &slope) - turn.bend_twice(step, velocity, &y);
        out.fixed_view_mut::<3, 3>(3, 3).copy_from(&twice);
        out.fixed_view_mut::<3, 3>(6, 3).copy_from(&-turn.bend_rate(step, &y));
        out.fixed_view_mut::<3, 3>(3, 6).copy_from(&-turn.bend_rate(step, &y).transpose());
        // by δq₀ and then δθ; in the other order it is in what the slopes vary by: symmetric are their sums
        Some((out + out.transpose()) * 0.5)
    }

    /// The flat columns of (δq₀, δθ, v), and the places of e among the unknowns of a point.
    pub(super) fn places(&self, sizes: &Sizes) -> ([usize; 9], [usize; 3]) {
        let first = [sizes.columns() + self.first, self.at, sizes.nv + self.at];
        (core::array::from_fn(|i| first[i / 3] + i % 3), core::array::from_fn(|i| sizes.drift() + self.at + i))
    }
}
