//! Collocation: motion and inputs are polynomials in each interval, and the equations hold at its points.

mod chart;
mod choices;
mod curvature;
mod equations;
#[cfg(feature = "second-order")]
mod exact;
pub(crate) mod scheme;
mod sizes;
mod spherical;
mod start;
mod told;
mod turned;
mod variation;

use core::fmt;

#[cfg(feature = "sprs")]
use ode_runtime::Name;
use ode_runtime::linalg::{DMatrix, DVector, SVector};
use ode_runtime::{Optimizable, Solvable, State};

use crate::optimal::collocation::choices::Choices;
use crate::optimal::collocation::curvature::{Curvature, Squares};
use crate::optimal::collocation::equations::Equations;
#[cfg(feature = "second-order")]
use crate::optimal::collocation::exact::Exact;
use crate::optimal::collocation::scheme::Scheme;
use crate::optimal::collocation::sizes::Sizes;
use crate::optimal::collocation::variation::Variation;
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
/// interval, and N is the number of directions of the state plus that of the inputs. A free horizon is one unknown of a
/// node more, the last one; and U is at least the number of what is chosen at the start: inputs that go on, free
/// directions, and the horizon. Costs of a node are those of the last point before it.
///
/// Rotations in space move along their steps θ from the beginning of an interval, q = q₀ ⊕ θ with θ̇ = T(θ)⁻¹ v, and θ
/// is the polynomial: the order is that of the scheme, and norms are those of steps. A rotation turns by less than half
/// a turn in an interval. Points of the sphere move so too, with [`Collocation::of`].
///
/// With [`Collocation::of`] second derivatives are Gauss and Newton's, of `residual` items; with
/// [`Collocation::exact`] they are exact.
pub struct Collocation<S: Optimizable, C = Squares> {
    scheme: Scheme,
    curvature: C,
    equations: Equations<S>,
    choices: Choices,
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
        Self::with(system, scheme, Squares)
    }
}

#[cfg(feature = "second-order")]
impl<'a, S: Optimizable<Real = f64> + Solvable, D: Optimizable> Collocation<S, Exact<'a, D>> {
    /// The same with exact second derivatives, of a model that is generic over its numbers: `dual` is the one over
    /// `Dual<f64>`, or over `Dual<f64, F64x8>` for eight columns at once, such as `cast` makes of it.
    pub fn exact(system: &S, dual: &'a D, scheme: Scheme) -> Self {
        Self::with(system, scheme, Exact { system: dual })
    }
}

/// An interval at its solution.
#[derive(Debug)]
struct Interval {
    variation: Variation,
    /// what each column of each point varies by
    rates: Vec<DMatrix<f64>>,
}

impl<S: Optimizable<Real = f64> + Solvable, C> Collocation<S, C> {
    /// Before a problem is known.
    fn with(system: &S, scheme: Scheme, curvature: C) -> Self {
        let equations = Equations::new(system, Sizes::of(system, scheme.tableau(), 0.0), 0);
        Self { scheme, curvature, equations, choices: Choices::default(), weights: Weights::zero(system) }
    }

    /// Whether the first point of an interval is the last one of the interval before.
    fn continuous(&self) -> bool {
        self.equations.sizes.tableau.continuous()
    }

    /// The number of intervals without time, at the beginning: that chooses what is free at the start.
    fn instant(&self) -> usize {
        usize::from(self.choices.any())
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
        usize::from(self.continuous())..self.equations.sizes.tableau.points
    }

    /// Makes `weights` what a point of an interval counts more, if the horizon grows. There is nothing if it cannot.
    fn weigh_more(&mut self, on: &Evaluation<'_, S>, point: usize) -> bool {
        let Sizes { tableau, share, .. } = &self.equations.sizes;
        let Some(share) = share else { return false };
        self.weights.clear();
        self.weights.add(share * tableau.weights()[point], &on.posed.terms.running);
        true
    }

    /// Makes `weights` those of a point of the interval `k`.
    fn weigh(&mut self, on: &Evaluation<'_, S>, k: usize, point: usize) {
        let (Sizes { tableau, h, .. }, terms) = (&self.equations.sizes, &on.posed.terms);
        self.weights.clear();
        self.weights.add(h * tableau.weights()[point], &terms.running);
        if let Some(node) = terms.nodes.get(k + 1).filter(|_| point + 1 == tableau.points) {
            self.weights.add(1.0, node);
        }
    }
}

/// A function of the beginning and the inputs of an interval, of which there may be fewer than U.
fn split<const N: usize, const U: usize>(all: &DVector<f64>) -> (SVector<f64, N>, SVector<f64, U>) {
    (SVector::from_fn(|i, _| all[i]), SVector::from_fn(|i, _| all.get(N + i).copied().unwrap_or(0.0)))
}

impl<S, C, const N: usize, const U: usize> Transcribe<N, U> for Collocation<S, C>
where
    S: Optimizable<Real = f64> + Solvable,
    C: Curvature<S>,
{
    type System = S;
    const COSTS: bool = C::COSTS;

    fn begin(&mut self, on: &mut Evaluation<'_, S>) -> Result<Begun<S, U>, PlanError> {
        let (system, posed) = (on.system, &on.posed);
        let mut sizes = Sizes::of(system, self.scheme.tableau(), posed.h);
        sizes.share = posed.horizon.is_some().then(|| 1.0 / posed.inputs.len() as f64);
        self.choices = Choices::of(&sizes, posed);
        PlanError::sizes((N, sizes.begin()), (U, sizes.inputs().max(self.choices.count())))?;
        self.curvature.check(system, &sizes)?;
        self.check(on, &sizes)?;
        let posed = &on.posed;
        let continuous = sizes.tableau.continuous();
        let (nu, chosen) = (sizes.nu, sizes.inputs());
        self.equations = Equations::new(system, sizes, posed.inputs.len());
        // inputs of the guess hold during an interval
        let input = |k: usize, i: usize| posed.inputs.get(k).or(posed.inputs.last()).map_or(0.0, |u| u.as_ref()[i]);
        let horizon = posed.horizon.map(|_| posed.h * posed.inputs.len() as f64);
        let knot = |(k, x): (usize, &State<S>)| {
            let inputs = (0..nu).filter(|_| continuous).map(|i| input(k, i));
            Knot { state: x.clone(), carried: inputs.chain(horizon).collect() }
        };
        let knots = posed.states.iter().enumerate().map(knot).collect::<Vec<_>>();
        let guess = |k: usize| {
            SVector::from_fn(|i, _| {
                // the last point is the first one of the next interval
                let next = usize::from(continuous && i + nu >= chosen);
                if i < chosen { input(k + next, i % nu) } else { 0.0 }
            })
        };
        let all = core::array::from_fn(|i| if i < chosen { posed.input_bounds[i % nu] } else { (0.0, 0.0) });
        let mut begun = Begun {
            inputs: (0..posed.inputs.len()).map(guess).collect(),
            bounds: vec![all; posed.inputs.len()],
            knots,
        };
        if self.instant() > 0 {
            let (values, bounds) = self.choices.guess(&begun.knots[0], &posed.input_bounds);
            let entry = |i: usize| values.get(i).copied().unwrap_or(0.0);
            begun.knots.insert(0, begun.knots[0].clone());
            begun.inputs.insert(0, SVector::from_fn(|i, _| entry(i)));
            begun.bounds.insert(0, core::array::from_fn(|i| bounds.get(i).copied().unwrap_or((0.0, 0.0))));
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
                variation.see(sizes, (i, sizes.column(direction)), slope, &mut slopes);
            });
            let (by_x, by_u) = split::<N, U>(&variation.of(&slopes));
            node.x += by_x;
            node.u += by_u;
            if let Some(first) = i.checked_sub(usize::from(sizes.tableau.continuous())).map(|own| own * nh) {
                let Node { limits, limit_x, limit_u, .. } = &mut *node;
                let values = on.evaluator.limits(on.system, at, |row, direction, slope| {
                    let rates = rates.row(sizes.column(direction));
                    limit_x[first + row] += SVector::from_fn(|c, _| slope * rates[c]);
                    limit_u[first + row] += SVector::from_fn(|c, _| slope * rates.get(N + c).copied().unwrap_or(0.0));
                });
                limits[first..first + nh].copy_from_slice(values);
            }
            if self.weigh_more(on, i) {
                let (horizon, spot) = (self.equations.sizes.horizon(), &self.equations.spots[i]);
                node.x[horizon] += on.evaluator.costs(on.system, (&spot.x, &spot.u), self.weights.both(), |_, _| {});
                self.weigh(on, k, i);
            }
            if !node.is_finite() {
                let name = on.evaluator.spoilt(on.system, self.weights.both());
                let ends = i + 1 == self.equations.sizes.tableau.points;
                return Err(PlanError::NonFinite { node: k + usize::from(ends), name });
            }
        }
        let Sizes { share, h, .. } = self.equations.sizes;
        node.cost += on.posed.duration * h;
        if let Some(share) = share {
            node.x[self.equations.sizes.horizon()] += on.posed.duration * share;
        }
        let continuous = self.continuous();
        if let Some(last) = self.equations.spots.last() {
            end.state.copy_from(&last.x);
            end.state.t = if share.is_some() { x.state.t + h } else { on.posed.states[k + 1].t };
            end.carried.clear();
            end.carried.extend(last.u.as_ref().iter().filter(|_| continuous));
            end.carried.extend(x.carried.last().filter(|_| share.is_some()));
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
        // what the Lagrangian varies by, without that of the equations, and the same by the columns of each point
        let mut slopes = DVector::zeros(variation.places());
        let end = sizes.tableau.points - 1;
        let mut by = vec![DVector::zeros(sizes.columns()); end + 1];
        for direction in 0..sizes.horizon() {
            let column = sizes.column(direction);
            let rates = rates[end].row(column);
            (0..N).for_each(|c| stage.a[(direction, c)] = rates[c]);
            (0..U).for_each(|c| stage.b[(direction, c)] = rates.get(N + c).copied().unwrap_or(0.0));
            by[end][column] += wanted.costate[direction];
        }
        if sizes.share.is_some() {
            let horizon = sizes.horizon();
            (0..N).for_each(|c| stage.a[(horizon, c)] = f64::from(u8::from(c == horizon)));
            stage.b.row_mut(horizon).fill(0.0);
        }
        // what a longer horizon adds to these slopes
        let mut longer = DVector::zeros(variation.places());
        let own = usize::from(self.continuous());
        let limits = |i: usize| i.checked_sub(own).map_or(&[][..], |i| &wanted.limits[i * nh..(i + 1) * nh]);
        for (i, by) in by.iter_mut().enumerate() {
            self.weigh(on, k, i);
            let spot = &self.equations.spots[i];
            let (x, u) = (spot.x.clone(), spot.u.clone());
            on.evaluator.costs(on.system, (&x, &u), self.weights.both(), |d, slope| by[sizes.column(d)] += slope);
            if limits(i).iter().any(|y| *y != 0.0) {
                on.evaluator.limits(on.system, (&x, &u), |row, d, slope| by[sizes.column(d)] += limits(i)[row] * slope);
            }
            by.iter().enumerate().for_each(|(column, &slope)| variation.see(&sizes, (i, column), slope, &mut slopes));
            if self.weigh_more(on, i) {
                on.evaluator.costs(on.system, (&x, &u), self.weights.both(), |d, slope| {
                    variation.see(&sizes, (i, sizes.column(d)), slope, &mut longer);
                });
            }
        }
        let multipliers = variation.multipliers(&slopes);
        let of_point = |i: usize| &multipliers.as_slice()[i * sizes.block()..(i + 1) * sizes.block()];
        if C::COSTS {
            for (i, by) in by.iter_mut().enumerate() {
                *by = variation.flattened(&sizes, i, by) + self.equations.by_columns(i, of_point(i));
                variation.turn(&sizes, i, (by, of_point(i)), |r, c, value| stage.add_second((r, c), value));
            }
        }
        if sizes.share.is_some() {
            let bent = by.iter().enumerate().map(|(i, by)| variation.bend(&sizes, i, by, &mut longer)).sum();
            let (horizon, longer) = (sizes.horizon(), variation.of(&longer));
            longer.iter().enumerate().for_each(|(c, &slope)| {
                stage.add_second((horizon, c), slope);
                stage.add_second((c, horizon), slope);
            });
            stage.add_second((horizon, horizon), bent);
        }
        for (i, rates) in rates.iter().enumerate() {
            self.weigh(on, k, i);
            let Self { curvature, equations, weights, .. } = self;
            let spot = &equations.spots[i];
            let weights = (weights.both(), limits(i));
            let mu = sizes.stabilised().then(|| variation.of_block(&sizes, i, sizes.mu(), sizes.nc));
            curvature.add(on, (&sizes, spot), (rates, mu.as_ref()), (weights, of_point(i)), |r, c, value| {
                add_symmetric(stage, (r, c), value);
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
        (_, nodes): (&[Knot<S>], &[Node<N, U>]),
    ) -> Result<Vec<Vec<bool>>, PlanError> {
        // what given states break has been refused
        let nh = on.posed.limit_bounds.len();
        let (ends, instant) = (nodes.len().saturating_sub(2), self.instant());
        let all = nodes.iter().enumerate().map(|(k, node)| {
            let mut out = Vec::with_capacity(node.limits.len());
            for limits in (nh..=node.limits.len()).step_by(nh.max(1)) {
                let (first, last) = (k < instant, k == ends && limits == node.limits.len());
                restricted(on, Place { first, last, inputs: !first || self.continuous() }, &mut out);
            }
            out
        });
        Ok(all.collect())
    }

    fn tell(&self, on: &Evaluation<'_, S>, motion: (&[Knot<S>], &[SVector<f64, U>])) -> Told<S> {
        self.told(on.system, motion)
    }

    #[cfg(feature = "sprs")]
    fn chosen(&self, on: &Evaluation<'_, S>, k: usize) -> Vec<(Name, usize)> {
        self.names(on.system, k)
    }

    #[cfg(feature = "sprs")]
    fn read(
        &self,
        on: &Evaluation<'_, S>,
        states: &[State<S>],
        inputs: &[S::U],
        motion: (&mut [Knot<S>], &mut [SVector<f64, U>]),
    ) -> Result<(), PlanError> {
        self.take(on.system, (states, inputs), motion)
    }
}

/// Adds half of an entry in each of its two places: rates of rotations do not commute, and what they add cancels.
fn add_symmetric<const N: usize, const U: usize>(stage: &mut Stage<f64, N, U>, (r, c): (usize, usize), value: f64) {
    stage.add_second((r, c), 0.5 * value);
    stage.add_second((c, r), 0.5 * value);
}

/// What the start costs where nothing is chosen there.
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
