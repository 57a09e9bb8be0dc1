//! Collocation: motion and inputs are polynomials in each interval, and the equations hold at its points.

mod curvature;
mod equations;
#[cfg(feature = "second-order")]
mod exact;
pub(crate) mod scheme;
mod sizes;

use core::fmt;

use ode_runtime::linalg::{DMatrix, DVector, SMatrix, SVector};
use ode_runtime::{Block, Optimizable, Solvable, State};

use crate::optimal::collocation::curvature::{Curvature, Squares};
use crate::optimal::collocation::equations::{Equations, Variation};
#[cfg(feature = "second-order")]
use crate::optimal::collocation::exact::Exact;
use crate::optimal::collocation::scheme::Scheme;
use crate::optimal::collocation::sizes::Sizes;
use crate::optimal::error::PlanError;
use crate::optimal::evaluation::{Evaluation, Place, restricted};
use crate::optimal::knot::Knot;
use crate::optimal::node::Node;
use crate::optimal::terms::Weights;
use crate::optimal::transcription::{Begun, Told, Transcribe, Wanted};
use crate::stages::Stage;

/// Collocation on the equations r(q, v, a, λ, u) = 0, Φ = 0 as the model has them: M is not inverted, and closed loops
/// stay closed. L. T. Biegler, Nonlinear Programming, SIAM 2010, ch. 10; J. T. Betts, Practical Methods for Optimal
/// Control and Estimation Using Nonlinear Programming, SIAM 2010, ch. 4.
///
/// Positions and velocities are held to constraints at every point, by q̇ = v + Gᵀμ (the stabilised index 2 of C. W.
/// Gear, B. Leimkuhler, G. K. Gupta, 1985); with them, [`Scheme::Radau`] is the scheme. Costs are integrated by the
/// weights of the scheme, and limits hold at every point. The numbers of an interval that its beginning and its inputs
/// determine are found by Newton's iterations, so that solvers see no more than with shooting.
///
/// U is the number of inputs times that of the points that an interval chooses: three with [`Scheme::Radau`], two with
/// [`Scheme::HermiteSimpson`], one with [`Scheme::Trapezoidal`]. In the last two inputs go on from interval to
/// interval, and N is the number of directions of the state plus that of the inputs. Costs of a node are those of the
/// last point before it.
///
/// With [`Collocation::of`] second derivatives are Gauss and Newton's, of `residual` items; with
/// [`Collocation::exact`] they are exact.
pub struct Collocation<S: Optimizable, C = Squares> {
    scheme: Scheme,
    curvature: C,
    equations: Equations<S>,
    weights: Weights,
}

impl<S: Optimizable, C> fmt::Debug for Collocation<S, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collocation").field("scheme", &self.scheme).finish_non_exhaustive()
    }
}

impl<S: Optimizable<Real = f64> + Solvable> Collocation<S> {
    /// Collocation by a scheme, with Gauss and Newton's second derivatives.
    pub fn of(system: &S, scheme: Scheme) -> Self {
        Self { scheme, curvature: Squares, equations: alone(system, scheme), weights: Weights::zero(system) }
    }
}

#[cfg(feature = "second-order")]
impl<'a, S: Optimizable<Real = f64> + Solvable, D: Optimizable> Collocation<S, Exact<'a, D>> {
    /// The same with exact second derivatives, of a model that is generic over its numbers: `dual` is the one over
    /// `Dual<f64>`, or over `Dual<F64x8>` for eight columns at once, such as `cast` makes of it.
    pub fn exact(system: &S, dual: &'a D, scheme: Scheme) -> Self {
        let curvature = Exact { system: dual };
        Self { scheme, curvature, equations: alone(system, scheme), weights: Weights::zero(system) }
    }
}

/// Equations before a problem is known.
fn alone<S: Optimizable<Real = f64>>(system: &S, scheme: Scheme) -> Equations<S> {
    Equations::new(system, Sizes::of(system, scheme.tableau(), 0.0), 0)
}

/// An interval at its solution.
#[derive(Debug)]
struct Interval {
    variation: Variation,
    /// what each column of each point varies by
    rates: Vec<DMatrix<f64>>,
}

impl<S: Optimizable<Real = f64> + Solvable, C> Collocation<S, C> {
    /// The number of intervals without time, at the beginning: that chooses the inputs of the start.
    fn instant(&self) -> usize {
        usize::from(self.equations.sizes.tableau.continuous())
    }

    fn solve<const U: usize>(
        &mut self,
        system: &S,
        k: usize,
        (x, u): (&Knot<S>, &SVector<f64, U>),
    ) -> Result<Interval, PlanError> {
        let equations = &mut self.equations;
        let variation = equations.solve(system, k, (x, u.as_slice()))?;
        let points = 0..equations.sizes.tableau.points;
        let rates = points.map(|i| variation.of_point(&equations.sizes, i)).collect();
        Ok(Interval { variation, rates })
    }

    /// The points of an interval that have not been those of the one before.
    fn own(&self) -> core::ops::Range<usize> {
        self.instant()..self.equations.sizes.tableau.points
    }

    /// Makes `weights` those of a point of the interval `k`.
    fn weigh(&mut self, on: &Evaluation<'_, S>, k: usize, point: usize) {
        let (tableau, terms) = (&self.equations.sizes.tableau, &on.posed.terms);
        self.weights.clear();
        self.weights.add(on.posed.h * tableau.weights()[point], &terms.running);
        if let Some(node) = terms.nodes.get(k + 1).filter(|_| point + 1 == tableau.points) {
            self.weights.add(1.0, node);
        }
    }
}

/// Writes a function of the beginning and the inputs of an interval.
fn split<const N: usize, const U: usize>(all: &DVector<f64>) -> (SVector<f64, N>, SVector<f64, U>) {
    (SVector::from_fn(|i, _| all[i]), SVector::from_fn(|i, _| all[N + i]))
}

impl<S, C, const N: usize, const U: usize> Transcribe<N, U> for Collocation<S, C>
where
    S: Optimizable<Real = f64> + Solvable,
    C: Curvature<S>,
{
    type System = S;
    const COSTS: bool = C::COSTS;

    fn begin(&mut self, on: &mut Evaluation<'_, S>) -> Result<Begun<S, U>, PlanError> {
        let (system, tableau) = (on.system, self.scheme.tableau());
        let sizes = Sizes::of(system, tableau, on.posed.h);
        PlanError::sizes((N, sizes.begin()), (U, sizes.inputs()))?;
        self.curvature.check(&sizes)?;
        self.check_start(on)?;
        let posed = &on.posed;
        if !system.turnings().is_empty() {
            return Err(PlanError::Scheme { what: "rotations in space" });
        }
        if sizes.nc > 0 && tableau.continuous() {
            return Err(PlanError::Scheme { what: "constraints, with a scheme other than Radau's" });
        }
        let (nu, instant) = (sizes.nu, self.instant());
        self.equations = Equations::new(system, sizes, posed.inputs.len());
        // inputs of the guess hold during an interval
        let input = |k: usize, i: usize| posed.inputs.get(k).or(posed.inputs.last()).map_or(0.0, |u| u.as_ref()[i]);
        let knot = |(k, x): (usize, &State<S>)| {
            let carried = if instant > 0 { (0..nu).map(|i| input(k, i)).collect() } else { Vec::new() };
            Knot { state: x.clone(), carried }
        };
        let knots = posed.states.iter().enumerate().map(knot).collect::<Vec<_>>();
        let chosen = |k: usize| {
            SVector::from_fn(|i, _| {
                // the last point is the first one of the next interval
                let next = usize::from(instant > 0 && i + nu >= U);
                input(k + next, i % nu)
            })
        };
        let all = core::array::from_fn(|i| posed.input_bounds[i % nu]);
        let mut begun = Begun {
            inputs: (0..posed.inputs.len()).map(chosen).collect(),
            bounds: vec![all; posed.inputs.len()],
            knots,
        };
        if instant > 0 {
            // the inputs of the start are chosen, and nothing else
            begun.knots.insert(0, begun.knots[0].clone());
            begun.inputs.insert(0, SVector::from_fn(|i, _| if i < nu { input(0, i) } else { 0.0 }));
            begun.bounds.insert(0, core::array::from_fn(|i| if i < nu { all[i] } else { (0.0, 0.0) }));
        }
        Ok(begun)
    }

    fn interval(
        &mut self,
        on: &mut Evaluation<'_, S>,
        (k, x, u): (usize, &Knot<S>, &SVector<f64, U>),
        node: &mut Node<N, U>,
        end: &mut Knot<S>,
    ) -> Result<(), PlanError> {
        let Some(k) = k.checked_sub(self.instant()) else { return self.start(on, (x, u), node, end) };
        let Interval { variation, rates } = self.solve(on.system, k, (x, u))?;
        let nh = on.posed.limit_bounds.len();
        node.clear(self.own().len() * nh);
        if k == 0 && self.instant() == 0 {
            given(on, x, node)?;
        }
        for (i, rates) in rates.iter().enumerate() {
            self.weigh(on, k, i);
            let (sizes, spot) = (&self.equations.sizes, &self.equations.spots[i]);
            let mut slopes = DVector::zeros(variation.places());
            let at = (&spot.x, &spot.u);
            node.cost += on.evaluator.costs(on.system, at, self.weights.both(), |direction, slope| {
                sizes.visit(i, sizes.column(direction), |place, weight| slopes[place] += weight * slope);
            });
            let (by_x, by_u) = split::<N, U>(&variation.of(&slopes));
            node.x += by_x;
            node.u += by_u;
            if let Some(first) = i.checked_sub(usize::from(sizes.tableau.continuous())).map(|own| own * nh) {
                let Node { limits, limit_x, limit_u, .. } = &mut *node;
                let values = on.evaluator.limits(on.system, at, |row, direction, slope| {
                    let rates = rates.row(sizes.column(direction));
                    limit_x[first + row] += SVector::from_fn(|c, _| slope * rates[c]);
                    limit_u[first + row] += SVector::from_fn(|c, _| slope * rates[N + c]);
                });
                limits[first..first + nh].copy_from_slice(values);
            }
            if !node.is_finite() {
                let name = on.evaluator.spoilt(on.system, self.weights.both());
                let ends = i + 1 == sizes.tableau.points;
                return Err(PlanError::NonFinite { node: k + usize::from(ends), name });
            }
        }
        let continuous = self.equations.sizes.tableau.continuous();
        if let Some(last) = self.equations.spots.last() {
            let time = end.state.t;
            end.state.copy_from(&last.x);
            end.state.t = time;
            end.carried.clear();
            end.carried.extend(last.u.as_ref().iter().filter(|_| continuous));
        }
        Ok(())
    }

    fn last(&mut self, _: &mut Evaluation<'_, S>, _: &Knot<S>, node: &mut Node<N, U>) -> Result<(), PlanError> {
        // the last interval has what its end costs
        node.clear(0);
        Ok(())
    }

    fn linearize(
        &mut self,
        on: &mut Evaluation<'_, S>,
        (k, x, u): (usize, &Knot<S>, &SVector<f64, U>),
        wanted: Wanted<'_, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        stage.clear_second();
        let Some(k) = k.checked_sub(self.instant()) else {
            return self.linearize_start(on, (x, u), wanted, stage);
        };
        let Interval { variation, rates } = self.solve(on.system, k, (x, u))?;
        let nh = on.posed.limit_bounds.len();
        let sizes = self.equations.sizes.clone();
        // what the Lagrangian varies by, without that of the equations
        let mut slopes = DVector::zeros(variation.places());
        let end = sizes.tableau.points - 1;
        for direction in 0..sizes.begin() {
            let column = sizes.column(direction);
            let rates = rates[end].row(column);
            (0..N).for_each(|c| stage.a[(direction, c)] = rates[c]);
            (0..U).for_each(|c| stage.b[(direction, c)] = rates[N + c]);
            sizes.visit(end, column, |place, weight| slopes[place] += weight * wanted.costate[direction]);
        }
        let own = usize::from(sizes.tableau.continuous());
        let limits = |i: usize| i.checked_sub(own).map_or(&[][..], |i| &wanted.limits[i * nh..(i + 1) * nh]);
        for i in 0..=end {
            self.weigh(on, k, i);
            let spot = &self.equations.spots[i];
            let (x, u) = (spot.x.clone(), spot.u.clone());
            let see = |slopes: &mut DVector<f64>, direction: usize, slope: f64| {
                sizes.visit(i, sizes.column(direction), |place, weight| slopes[place] += weight * slope);
            };
            on.evaluator.costs(on.system, (&x, &u), self.weights.both(), |d, slope| see(&mut slopes, d, slope));
            if limits(i).iter().any(|y| *y != 0.0) {
                on.evaluator.limits(on.system, (&x, &u), |row, d, slope| see(&mut slopes, d, limits(i)[row] * slope));
            }
        }
        let multipliers = variation.multipliers(&slopes);
        for (i, rates) in rates.iter().enumerate() {
            self.weigh(on, k, i);
            let Self { curvature, equations, weights, .. } = self;
            let spot = &equations.spots[i];
            let multipliers = &multipliers.as_slice()[i * sizes.block()..(i + 1) * sizes.block()];
            let weights = (weights.both(), limits(i));
            let mu = sizes.stabilised().then(|| variation.of_block(&sizes, i, sizes.mu(), sizes.nc));
            curvature.add(on, (&sizes, spot), (rates, mu.as_ref()), (weights, multipliers), |r, c, value| {
                stage.add_second((r, c), value);
            })?;
        }
        Ok(())
    }

    fn curve(
        &mut self,
        _: &mut Evaluation<'_, S>,
        _: &Knot<S>,
        _: Wanted<'_, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        stage.clear_second();
        Ok(())
    }

    fn restricted(
        &self,
        on: &Evaluation<'_, S>,
        (knots, nodes): (&[Knot<S>], &[Node<N, U>]),
    ) -> Result<Vec<Vec<bool>>, PlanError> {
        let nh = on.posed.limit_bounds.len();
        let (last, instant) = (nodes.len().saturating_sub(2), self.instant());
        let all = nodes.iter().enumerate().map(|(k, node)| {
            let mut out = Vec::with_capacity(node.limits.len());
            for (i, values) in node.limits.chunks(nh.max(1)).enumerate() {
                let first = k < instant;
                let ends = k == last && (i + 1) * nh == node.limits.len();
                let state = if ends { &knots[k + 1].state } else { &knots[k].state };
                restricted(on, Place { state, first, last: ends, inputs: true }, values, &mut out)?;
            }
            Ok(out)
        });
        all.collect()
    }

    fn tell(&self, on: &Evaluation<'_, S>, (knots, inputs): (&[Knot<S>], &[SVector<f64, U>])) -> Told<S> {
        let mut told = Told { inputs: Vec::new(), points: Vec::new(), instant: self.instant() };
        let mut equations = self.equations.clone();
        let begun = knots.iter().zip(inputs).skip(told.instant).enumerate();
        for (k, (x, u)) in begun {
            // before a search an interval may have no solution: then its points are where it begins
            if equations.solve(on.system, k, (x, u.as_slice())).is_err() {
                equations.rest(x);
            }
            let points = if k == 0 { 0 } else { self.own().start };
            for spot in &equations.spots[points..] {
                told.points.push(spot.x.clone());
                told.inputs.push(spot.u.clone());
            }
        }
        told
    }
}

impl<S: Optimizable<Real = f64> + Solvable, C: Curvature<S>> Collocation<S, C> {
    /// Refuses a start that breaks a limit, whatever the inputs are.
    fn check_start(&self, on: &mut Evaluation<'_, S>) -> Result<(), PlanError> {
        let Some(start) = on.posed.states.first() else { return Ok(()) };
        let values = on.evaluator.limits(on.system, (start, &on.nominal), |_, _, _| {}).to_vec();
        let place = Place { state: start, first: true, last: false, inputs: false };
        restricted(on, place, &values, &mut Vec::new())
    }

    /// The interval without time: its inputs are those of the start.
    fn start<const N: usize, const U: usize>(
        &mut self,
        on: &mut Evaluation<'_, S>,
        (x, u): (&Knot<S>, &SVector<f64, U>),
        node: &mut Node<N, U>,
        end: &mut Knot<S>,
    ) -> Result<(), PlanError> {
        let (weights, directions) = (&on.posed.terms.nodes[0], on.system.layout().state_directions());
        let input = first_inputs::<S, U>(&x.carried, u);
        let nh = on.posed.limit_bounds.len();
        node.clear(nh);
        let Node { cost, x: by_x, u: by_u, limits, limit_x, limit_u } = &mut *node;
        let at = (&x.state, &input);
        *cost = on.evaluator.costs(on.system, at, weights.both(), |i, slope| match i < directions {
            true => by_x[i] += slope,
            false => by_u[i - directions] += slope,
        });
        let values = on.evaluator.limits(on.system, at, |row, i, slope| match i < directions {
            true => limit_x[row][i] = slope,
            false => limit_u[row][i - directions] = slope,
        });
        limits.copy_from_slice(values);
        if !node.is_finite() {
            let name = on.evaluator.spoilt(on.system, weights.both());
            return Err(PlanError::NonFinite { node: 0, name });
        }
        let time = end.state.t;
        end.state.copy_from(&x.state);
        end.state.t = time;
        end.carried.clear();
        end.carried.extend_from_slice(input.as_ref());
        Ok(())
    }

    fn linearize_start<const N: usize, const U: usize>(
        &mut self,
        on: &mut Evaluation<'_, S>,
        (x, u): (&Knot<S>, &SVector<f64, U>),
        wanted: Wanted<'_, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        let layout = on.system.layout();
        let (directions, nu) = (layout.state_directions(), layout.u.len());
        (stage.a, stage.b) = (SMatrix::zeros(), SMatrix::zeros());
        (0..directions).for_each(|i| stage.a[(i, i)] = 1.0);
        (0..nu).for_each(|i| stage.b[(directions + i, i)] = 1.0);
        let input = first_inputs::<S, U>(&x.carried, u);
        let sizes = &self.equations.sizes;
        // a point that varies as its state and its inputs do
        let mut rates = DMatrix::zeros(sizes.columns(), N + U);
        (0..directions).for_each(|i| rates[(sizes.column(i), i)] = 1.0);
        (0..nu).for_each(|i| rates[(sizes.column(directions + i), N + i)] = 1.0);
        let spot = equations::Spot::alone(x.state.clone(), input, on.system);
        self.weights = on.posed.terms.nodes[0].clone();
        let (weights, multipliers) = ((self.weights.both(), wanted.limits), vec![0.0; sizes.block()]);
        self.curvature.add(on, (sizes, &spot), (&rates, None), (weights, &multipliers), |r, c, value| {
            stage.add_second((r, c), value);
        })
    }
}

/// What the start costs where no inputs are chosen there.
fn given<S: Optimizable<Real = f64>, const N: usize, const U: usize>(
    on: &mut Evaluation<'_, S>,
    x: &Knot<S>,
    node: &mut Node<N, U>,
) -> Result<(), PlanError> {
    let (weights, at) = (on.posed.terms.nodes[0].both(), (&x.state, &on.nominal));
    let Node { x: by_x, cost, .. } = &mut *node;
    *cost += on.evaluator.costs(on.system, at, weights, |i, slope| {
        if let Some(by) = by_x.get_mut(i) {
            *by += slope;
        }
    });
    if node.is_finite() {
        return Ok(());
    }
    Err(PlanError::NonFinite { node: 0, name: on.evaluator.spoilt(on.system, weights) })
}

/// The inputs of the start, among those of its interval.
fn first_inputs<S: Optimizable<Real = f64>, const U: usize>(carried: &[f64], u: &SVector<f64, U>) -> S::U {
    let mut out = S::U::zeros(carried.len());
    out.as_mut().iter_mut().zip(u.iter()).for_each(|(out, u)| *out = *u);
    out
}
