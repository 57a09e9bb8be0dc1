//! The equations of an interval, solved for its unknowns: r = 0, ż = g and Φ = 0 at each point, with Φ̇ = 0 by
//! q̇ = v + Gᵀμ.
//!
//! C. W. Gear, B. Leimkuhler, G. K. Gupta, Automatic integration of Euler–Lagrange equations with constraints, Journal
//! of Computational and Applied Mathematics 12–13 (1985). M is not inverted, and nothing is eliminated.

use ode_runtime::linalg::{DMatrix, DVector};
use ode_runtime::{Block, Cause, Constraint, Name, Optimizable, Quantity, Rates, Residual, State, StepError};

use crate::optimal::collocation::sizes::Sizes;
use crate::optimal::collocation::turned::Turned;
use crate::optimal::collocation::variation::Variation;
use crate::optimal::knot::Knot;

/// Newton's iterations end where a step is that small, relative to the largest number of its kind and 1.
const SMALL: f64 = 1e-10;
/// A step that small is round-off: the unknowns are those of the solution.
const ROUND_OFF: f64 = 1e-13;
/// The largest number of them.
const ITERATIONS: usize = 30;

/// A point of an interval.
#[derive(Clone, Debug)]
pub struct Spot<S: Optimizable> {
    pub(super) x: State<S>,
    pub(super) u: S::U,
    /// λ + μ
    pub(super) shifted: S::L,
    /// e
    drift: S::V,
    mu: S::L,
    turned: Vec<Turned>,
}

/// Room for the equations of one interval, and the unknowns of all.
#[derive(Clone, Debug)]
pub(super) struct Equations<S: Optimizable> {
    pub(super) sizes: Sizes,
    /// where Newton's iterations begin: the last solution
    known: Vec<Vec<f64>>,
    pub(super) spots: Vec<Spot<S>>,
    residual: Residual<S>,
    constraint: Constraint<S>,
    partials: S::Partials,
    shifted: S::Partials,
    /// unknowns, beginning and inputs, without q of the beginning
    numbers: Vec<f64>,
    /// of the equations of each point by the flat columns there
    local: Vec<DMatrix<f64>>,
    /// of the equations by all numbers
    jacobian: DMatrix<f64>,
    off: DVector<f64>,
}

impl<S: Optimizable<Real = f64>> Spot<S> {
    /// A state with inputs, without what follows from equations.
    pub(super) fn alone(x: State<S>, u: S::U, system: &S) -> Self {
        let layout = system.layout();
        let zero = S::L::zeros(layout.constraints.len());
        Self { x, u, shifted: zero.clone(), drift: S::V::zeros(layout.v.len()), mu: zero, turned: Vec::new() }
    }
}

impl<S: Optimizable<Real = f64>> Equations<S> {
    pub(super) fn new(system: &S, sizes: Sizes, intervals: usize) -> Self {
        let (layout, m) = (system.layout(), sizes.unknowns());
        let (all, points) = (m + sizes.begin() + sizes.inputs(), sizes.tableau.points);
        let spot = Spot::alone(State::neutral(system), S::U::zeros(sizes.nu), system);
        Self {
            known: vec![vec![0.0; m]; intervals],
            spots: vec![spot; points],
            residual: Residual::zeros(&layout),
            constraint: Constraint::zeros(&layout),
            partials: Block::zeros(system.partial_patterns().states.nnz()),
            shifted: Block::zeros(system.partial_patterns().states.nnz()),
            numbers: vec![0.0; all],
            local: vec![DMatrix::zeros(sizes.block(), sizes.flat()); points],
            jacobian: DMatrix::zeros(m, all),
            off: DVector::zeros(m),
            sizes,
        }
    }

    /// Solves the equations of the interval `k`: the points are those of the solution.
    ///
    /// # Errors
    /// Equations without a solution nearby, a point that cannot be evaluated.
    pub(super) fn solve(&mut self, system: &S, k: usize, (x, u): (&Knot<S>, &[f64])) -> Result<Variation, StepError> {
        self.length(k, x);
        let (time, h, m) = (x.state.t, self.sizes.h, self.sizes.unknowns());
        let failed = |cause| StepError { time, step: h, cause };
        self.given((x, u));
        let begin = self.known.get(k).cloned().unwrap_or_default();
        self.numbers[..m].copy_from_slice(&begin);
        let mut worst = (0, f64::INFINITY);
        for _ in 0..ITERATIONS {
            self.place(x);
            self.assemble(system);
            if let Some(cause) = self.half_turn(system) {
                return Err(failed(cause));
            }
            let factors = self.jacobian.columns(0, m).into_owned().lu();
            let mut step = self.off.clone();
            if !factors.solve_mut(&mut step) {
                let packed = factors.lu_internal();
                let place = (0..m).find(|&i| packed[(i, i)] == 0.0).unwrap_or(0);
                return Err(failed(self.undetermined(system, place)));
            }
            // the last step was small, or this one is nothing
            if worst.1 <= SMALL || self.largest(&step).1 <= ROUND_OFF {
                let mut by = -self.jacobian.columns(m, self.jacobian.ncols() - m).into_owned();
                factors.solve_mut(&mut by);
                let turned = self.spots.iter().map(|spot| spot.turned.clone()).collect();
                self.known[k].copy_from_slice(&self.numbers[..m]);
                return Ok(Variation::new(self.numbers.clone(), (factors, by), turned));
            }
            self.numbers.iter_mut().zip(step.iter()).for_each(|(w, step)| *w -= step);
            worst = self.largest(&step);
            if !worst.1.is_finite() {
                break;
            }
        }
        let (i, correction) = worst;
        let (iterations, name) = (ITERATIONS as u32, self.name(system, i));
        Err(failed(Cause::Newton { iterations, name, correction: correction / SMALL }))
    }

    /// Makes the interval `k` the one that is solved, with its length.
    fn length(&mut self, k: usize, x: &Knot<S>) {
        self.sizes.number = k;
        if let Some((share, &horizon)) = self.sizes.share.zip(x.carried.last()) {
            self.sizes.h = share * horizon;
        }
    }

    /// Slopes by the flat columns of a point of the equations there, times multipliers.
    pub(super) fn by_columns(&self, point: usize, multipliers: &[f64]) -> DVector<f64> {
        self.local[point].tr_mul(&DVector::from_column_slice(multipliers))
    }

    /// Writes what an interval is given.
    fn given(&mut self, (x, u): (&Knot<S>, &[f64])) {
        let Sizes { nv, differential, first_order, .. } = self.sizes;
        let moving = if first_order { 0 } else { nv };
        let state = x.state.v.as_ref().iter().take(moving).chain(x.state.z.as_ref().iter().take(differential));
        let all = state.chain(&x.carried).chain(u);
        // q of the beginning is where steps begin
        let places = self.numbers.iter_mut().skip(self.sizes.unknowns() + nv);
        places.zip(all).for_each(|(place, value)| *place = *value);
    }

    /// Writes the points.
    fn place(&mut self, from: &Knot<S>) {
        let Self { sizes, numbers, spots, .. } = self;
        let Sizes { nv, nz, nc, differential, .. } = *sizes;
        let number = |point: usize, column: usize| {
            let mut sum = 0.0;
            sizes.weights(point, column, 0, &mut |place, weight| sum += weight * numbers[place]);
            sum
        };
        for (i, Spot { x, u, shifted, drift, mu, .. }) in spots.iter_mut().enumerate() {
            x.modes.clone_from(&from.state.modes);
            x.t = from.state.t + sizes.h * sizes.tableau.c[i];
            let write = |first: usize, out: &mut [f64]| {
                out.iter_mut().enumerate().for_each(|(d, out)| *out = number(i, first + d));
            };
            // the step from the beginning, in the place of a for a moment
            write(0, x.a.as_mut());
            x.q.clone_from(&from.state.q);
            write(nv, x.v.as_mut());
            write(3 * nv, x.z.as_mut());
            write(3 * nv + nz, x.lambda.as_mut());
            write(3 * nv + nz + nc, u.as_mut());
            let own = &numbers[i * sizes.block()..(i + 1) * sizes.block()];
            x.zdot.as_mut().copy_from_slice(&own[sizes.rate()..][..nz]);
            x.zdot.as_mut()[differential..].fill(0.0);
            if sizes.stabilised() {
                drift.as_mut().copy_from_slice(&own[sizes.drift()..][..nv]);
                mu.as_mut().copy_from_slice(&own[sizes.mu()..][..nc]);
            }
            let sums = x.lambda.as_ref().iter().zip(mu.as_ref()).map(|(lambda, mu)| lambda + mu);
            shifted.as_mut().iter_mut().zip(sums).for_each(|(out, sum)| *out = sum);
        }
    }

    /// Moves the points along their steps, and writes accelerations there.
    fn retract(&mut self, system: &S) {
        let (nv, first_order) = (self.sizes.nv, self.sizes.first_order);
        for (i, spot) in self.spots.iter_mut().enumerate() {
            let (from, step) = (spot.x.q.clone(), spot.x.a.clone());
            system.retract(&from, &step, &mut spot.x.q);
            let own = &self.numbers[i * self.sizes.block()..][..nv];
            let a = spot.x.a.as_mut();
            if first_order {
                a.fill(0.0)
            } else {
                a.copy_from_slice(own)
            }
            spot.turned = Turned::all(system, &self.sizes, &mut spot.x, (&step, &spot.drift));
        }
    }

    /// Writes the equations and their derivatives.
    fn assemble(&mut self, system: &S) {
        self.retract(system);
        let Self { sizes, spots, residual, constraint, partials, shifted, numbers, local, jacobian, off, .. } = self;
        let (nv, nz, nc, block) = (sizes.nv, sizes.nz, sizes.nc, sizes.block());
        let pattern = system.partial_patterns().states;
        jacobian.fill(0.0);
        for (i, spot) in spots.iter().enumerate() {
            let (at, first) = (spot.x.at(&spot.u), i * block);
            let own = &numbers[first..first + block];
            system.residual_partials(at, spot.x.rates(), residual, partials);
            let rows = residual.r.as_ref().iter().chain(residual.s.as_ref()).chain(residual.phi.as_ref());
            off.rows_mut(first, nv + nz + nc).iter_mut().zip(rows).for_each(|(off, row)| *off = *row);
            // ṡ of s = ż − g
            (0..sizes.differential).for_each(|d| jacobian[(first + nv + d, first + sizes.rate() + d)] += 1.0);
            if sizes.stabilised() {
                system.level_partials(at, spot.x.rates(), partials);
                system.constraint(at, constraint);
                for d in 0..nv {
                    (
                        off[first + sizes.drift() + d],
                        jacobian[(first + sizes.drift() + d, first + sizes.drift() + d)],
                    ) = (own[sizes.drift() + d], 1.0);
                }
                for (l, &holonomic) in sizes.holonomic.iter().enumerate() {
                    let row = first + sizes.mu() + l;
                    // a row that holds no position has no μ
                    off[row] = if holonomic { constraint.rate.as_ref()[l] } else { own[sizes.mu() + l] };
                    if !holonomic {
                        jacobian[(row, row)] = 1.0;
                    }
                }
            }
            let by = &mut local[i];
            by.fill(0.0);
            pattern.visit(partials.as_ref(), |row, column, value| {
                let level = row.checked_sub(nv + nz).map(|l| (l / nc.max(1), l % nc.max(1)));
                match level {
                    None | Some((0, _)) => by[(row, column)] += value,
                    Some((1, l)) if sizes.stabilised() && sizes.holonomic[l] => by[(sizes.mu() + l, column)] += value,
                    Some(_) => {}
                }
            });
            if sizes.stabilised() {
                drift(system, (sizes, spot), (partials, shifted), first, (by, jacobian, off));
            }
            Turned::flatten(&spot.turned, by);
            for turned in &spot.turned {
                let off = &mut off.as_mut_slice()[first..first + block];
                turned.equations(sizes, own, (off, &mut *by), |row, place, slope| {
                    jacobian[(first + row, first + place)] += slope;
                });
            }
            for (column, slopes) in by.column_iter().enumerate().filter(|(_, slopes)| slopes.iter().any(|x| *x != 0.0))
            {
                sizes.visit(i, column, numbers, |place, weight| {
                    let mut to = jacobian.view_mut((first, place), (block, 1));
                    to.iter_mut().zip(&slopes).for_each(|(to, slope)| *to += weight * slope);
                });
            }
        }
    }

    /// The kind of the largest step, and its size relative to numbers of the same kind.
    fn largest(&self, step: &DVector<f64>) -> (usize, f64) {
        let block = self.sizes.block();
        let mut worst = (0, 0.0);
        for kind in self.sizes.kinds().windows(2) {
            let of = |values: &[f64]| {
                let all = values.chunks(block.max(1)).enumerate();
                let all = all.flat_map(|(i, own)| {
                    let own = own.get(kind[0]..kind[1]).unwrap_or_default();
                    own.iter().enumerate().map(move |(d, x)| (i * block + kind[0] + d, x.abs()))
                });
                all.fold((0, 0.0), |most: (usize, f64), x| if x.1.is_nan() || x.1 > most.1 { x } else { most })
            };
            let ((place, step), (_, size)) = (of(step.as_slice()), of(&self.numbers[..step.len()]));
            let relative = step / (1.0 + size);
            if relative.is_nan() {
                return (place, relative);
            }
            if relative > worst.1 {
                worst = (place, relative);
            }
        }
        worst
    }

    /// The name of an unknown.
    fn name(&self, system: &S, place: usize) -> Name {
        let (layout, sizes) = (system.layout(), &self.sizes);
        let Some(own) = place.checked_rem(sizes.block()) else { return Name::new("") };
        let velocities = layout.v.iter();
        let multipliers = layout.multipliers.iter();
        if let Some(turned) = own.checked_sub(sizes.turn()) {
            return Name::new(sizes.turned(turned).and_then(|i| layout.v.get(i)).copied().unwrap_or(""));
        }
        let mut names =
            velocities.clone().chain(layout.z).chain(multipliers.clone()).chain(velocities).chain(multipliers);
        Name::new(names.nth(own).copied().unwrap_or(""))
    }

    /// The error of a rotation that turns too far in the interval.
    fn half_turn(&self, system: &S) -> Option<Cause> {
        let place = self.spots.iter().flat_map(|spot| &spot.turned).find_map(Turned::too_far)?;
        let finite = self.numbers.iter().all(|x| x.is_finite());
        let name = Name::new(system.layout().v.get(place).copied().unwrap_or(""));
        finite.then_some(Cause::HalfTurn { name })
    }

    /// The error of an unknown that no equation determines: rows that depend on others, no inertia.
    fn undetermined(&self, system: &S, place: usize) -> Cause {
        let sizes = &self.sizes;
        let own = place % sizes.block().max(1);
        let multiplier = (sizes.lambda()..sizes.drift()).contains(&own) || (sizes.mu()..sizes.turn()).contains(&own);
        let unknown = match own {
            _ if multiplier => Quantity::Multiplier,
            i if i >= sizes.lambda() => Quantity::Velocity,
            i if i >= sizes.rate() => Quantity::Rate,
            _ if sizes.first_order => Quantity::Velocity,
            _ => Quantity::Acceleration,
        };
        Cause::Singular { unknown, name: self.name(system, place) }
    }

    /// Makes the points those of a motion that rests where the interval begins.
    pub(super) fn rest(&mut self, k: usize, from: &Knot<S>) {
        self.length(k, from);
        for (spot, c) in self.spots.iter_mut().zip(self.sizes.tableau.c) {
            spot.x.copy_from(&from.state);
            spot.x.t = from.state.t + self.sizes.h * c;
        }
    }
}

/// Adds −Gᵀμ to the equations of e, and what it varies by. G is in the rows of Φ; the rest is the difference of two
/// residuals, −Gᵀ(λ + μ) and −Gᵀλ.
fn drift<S: Optimizable<Real = f64>>(
    system: &S,
    (sizes, spot): (&Sizes, &Spot<S>),
    (partials, shifted): (&S::Partials, &mut S::Partials),
    first: usize,
    (by, jacobian, off): (&mut DMatrix<f64>, &mut DMatrix<f64>, &mut DVector<f64>),
) {
    let (nv, nz, nc) = (sizes.nv, sizes.nz, sizes.nc);
    let pattern = system.partial_patterns().states;
    let mu = spot.mu.as_ref();
    pattern.visit(partials.as_ref(), |row, column, slope| {
        let Some(l) = row.checked_sub(nv + nz).filter(|l| *l < nc && column < nv && sizes.holonomic[*l]) else {
            return;
        };
        off[first + sizes.drift() + column] -= slope * mu[l];
        jacobian[(first + sizes.drift() + column, first + sizes.mu() + l)] -= slope;
    });
    if mu.iter().all(|mu| *mu == 0.0) {
        return;
    }
    let mut residual = Residual::zeros(&system.layout());
    let rates = Rates { lambda: &spot.shifted, ..spot.x.rates() };
    system.residual_partials(spot.x.at(&spot.u), rates, &mut residual, shifted);
    let mut difference = |values: &[f64], sign: f64| {
        pattern.visit(values, |row, column, slope| {
            if row < nv && column < nv {
                by[(sizes.drift() + row, column)] += sign * slope;
            }
        });
    };
    difference(shifted.as_ref(), 1.0);
    difference(partials.as_ref(), -1.0);
}
