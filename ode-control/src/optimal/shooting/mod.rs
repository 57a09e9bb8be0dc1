//! Multiple shooting: intervals are steps of a method, with inputs that are held during them.
//!
//! H. G. Bock, K. J. Plitt, A multiple shooting algorithm for direct solution of optimal control problems, IFAC World
//! Congress 1984.

mod coordinates;
#[cfg(feature = "second-order")]
mod exact;
pub(crate) mod own;
pub(crate) mod screw;
mod steps;

#[cfg(feature = "sprs")]
use ode_runtime::Name;
use ode_runtime::linalg::{SMatrix, SVector};
use ode_runtime::{Block, Optimizable, Solvable, State, System};

use crate::optimal::error::PlanError;
use crate::optimal::evaluation::{Evaluation, Place, allowed, restricted};
use crate::optimal::knot::Knot;
use crate::optimal::node::Node;
use crate::optimal::problem::Posed;
use crate::optimal::transcription::{Begun, Told, Transcribe, Wanted};
use crate::stages::Stage;

/// A [`StepMap`](ode_runtime::StepMap) with a [`StepHessian`](ode_runtime::StepHessian), of which only costs and limits
/// are differentiated twice, not the motion: iterative LQR, and Gauss and Newton's method for costs that are no sums of
/// squares.
///
/// An iteration takes less time than with `(map, hessian)`, and the second derivatives of convex costs stay convex;
/// more iterations are needed. W. Li, E. Todorov, Iterative linear quadratic regulator design for nonlinear biological
/// movement systems, ICINCO 2004.
#[derive(Clone, Debug)]
pub struct Ilqr<L, H>(
    /// the map
    pub L,
    /// the second derivatives
    pub H,
);

/// A state and inputs where a node is evaluated, and its number.
#[derive(Debug)]
pub struct Point<'p, S: Optimizable> {
    k: usize,
    x: &'p State<S>,
    u: &'p S::U,
}

impl<S: Optimizable> Clone for Point<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Optimizable> Copy for Point<'_, S> {}

/// What makes steps, and second derivatives of nodes.
pub trait Shoot<const N: usize, const U: usize> {
    /// the model
    type System: Optimizable<Real = f64> + Solvable;
    /// As [`Transcribe::COSTS`].
    const COSTS: bool;

    /// Refuses what was made of another model.
    fn check(&self, system: &Self::System) -> Result<(), PlanError>;

    /// The end of the step `h`.
    fn end(&mut self, at: Point<'_, Self::System>, h: f64) -> Result<&State<Self::System>, PlanError>;

    /// Prepares for steps whose length varies, or for such as have all the same.
    ///
    /// # Errors
    /// Steps whose derivatives by their length are not known.
    fn vary_length(&mut self, varies: bool) -> Result<(), PlanError>;

    /// Writes A and B of the step, and adds the second derivatives of its end.
    fn step(
        &mut self,
        at: Point<'_, Self::System>,
        interval: Interval,
        costate: &SVector<f64, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError>;

    /// Writes the second derivatives of costs, rows of squares and limits.
    fn curve(
        &mut self,
        on: &mut Evaluation<'_, Self::System>,
        at: Point<'_, Self::System>,
        wanted: Wanted<'_, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError>;
}

impl<T: Shoot<N, U>, const N: usize, const U: usize> Transcribe<N, U> for T {
    type System = T::System;
    const COSTS: bool = T::COSTS;

    fn begin(&mut self, on: &mut Evaluation<'_, Self::System>) -> Result<Begun<Self::System, U>, PlanError> {
        let (layout, posed) = (on.system.layout(), &on.posed);
        if !posed.free.is_empty() {
            return Err(PlanError::Scheme { what: "a free start by shooting", instead: "take `Collocation`" });
        }
        let free = posed.horizon;
        self.check(on.system)?;
        self.vary_length(free.is_some())?;
        let chosen = usize::from(free.is_some());
        PlanError::sizes((N, layout.state_directions() + chosen), (U, layout.u.len()))?;
        if free.is_some() {
            on.refuse_time()?;
        }
        let posed = &on.posed;
        let horizon = posed.h * posed.inputs.len() as f64;
        let carried = vec![horizon; chosen];
        let bounds: [_; U] = core::array::from_fn(|i| posed.input_bounds[i]);
        let mut begun = Begun {
            knots: posed.states.iter().map(|x| Knot { state: x.clone(), carried: carried.clone() }).collect(),
            inputs: posed.inputs.iter().map(|u| SVector::from_fn(|i, _| u.as_ref()[i])).collect(),
            bounds: vec![bounds; posed.inputs.len()],
        };
        // an interval without time chooses the horizon, in the place of the first input
        if let Some(own) = free {
            begun.knots.insert(0, begun.knots[0].clone());
            begun.inputs.insert(0, SVector::from_fn(|i, _| if i == 0 { horizon } else { 0.0 }));
            begun.bounds.insert(0, core::array::from_fn(|i| if i == 0 { own } else { (0.0, 0.0) }));
        }
        Ok(begun)
    }

    fn interval(
        &mut self,
        on: &mut Evaluation<'_, Self::System>,
        (k, x, u): (usize, &Knot<Self::System>, &SVector<f64, U>),
        node: &mut Node<N, U>,
        end: &mut Knot<Self::System>,
    ) -> Result<(), PlanError> {
        let Some(k) = k.checked_sub(instant(on)) else {
            node.clear(0);
            end.state.copy_from(&x.state);
            end.carried.clone_from(&x.carried);
            end.carried.iter_mut().for_each(|horizon| *horizon = u[0]);
            return Ok(());
        };
        let at = Point { k, x: &x.state, u: &block::<Self::System, U>(u) };
        let Interval { h, share } = Interval::of(on, k, x);
        evaluate(on, at, node)?;
        if let Some(share) = share {
            let system = on.system;
            let Evaluation { posed, evaluator, .. } = &mut *on;
            let cost = evaluator.costs(system, (at.x, at.u), posed.terms.running.both(), |_, _| {});
            node.x[N - 1] += share * (cost + posed.duration);
            node.cost += posed.duration * h;
        }
        end.state.copy_from(self.end(at, h)?);
        end.state.t = if share.is_some() { x.state.t + h } else { on.posed.states[k + 1].t };
        end.carried.clone_from(&x.carried);
        Ok(())
    }

    fn last(
        &mut self,
        on: &mut Evaluation<'_, Self::System>,
        x: &Knot<Self::System>,
        node: &mut Node<N, U>,
    ) -> Result<(), PlanError> {
        let u = on.nominal.clone();
        evaluate(on, Point { k: on.posed.terms.last(), x: &x.state, u: &u }, node)
    }

    fn linearize(
        &mut self,
        on: &mut Evaluation<'_, Self::System>,
        (k, x, u): (usize, &Knot<Self::System>, &SVector<f64, U>),
        wanted: Wanted<'_, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        let Some(k) = k.checked_sub(instant(on)) else {
            stage.clear_second();
            (stage.a, stage.b) = (SMatrix::identity(), SMatrix::zeros());
            (stage.a[(N - 1, N - 1)], stage.b[(N - 1, 0)]) = (0.0, 1.0);
            return Ok(());
        };
        let at = Point { k, x: &x.state, u: &block::<Self::System, U>(u) };
        let interval = Interval::of(on, k, x);
        Shoot::curve(self, on, at, wanted, stage)?;
        if let Some(share) = interval.share {
            let system = on.system;
            let Evaluation { posed, evaluator, .. } = &mut *on;
            evaluator.costs(system, (at.x, at.u), posed.terms.running.both(), |i, slope| {
                let other = place::<_, N>(system, i);
                stage.add_second((N - 1, other), share * slope);
                stage.add_second((other, N - 1), share * slope);
            });
        }
        self.step(at, interval, wanted.costate, stage)
    }

    fn curve(
        &mut self,
        on: &mut Evaluation<'_, Self::System>,
        x: &Knot<Self::System>,
        wanted: Wanted<'_, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        let u = on.nominal.clone();
        let at = Point { k: on.posed.terms.last(), x: &x.state, u: &u };
        Shoot::curve(self, on, at, wanted, stage)
    }

    fn restricted(
        &self,
        on: &Evaluation<'_, Self::System>,
        (knots, nodes): (&[Knot<Self::System>], &[Node<N, U>]),
    ) -> Result<Vec<Vec<bool>>, PlanError> {
        let (n, instant) = (on.posed.terms.last(), instant(on));
        let all = knots.iter().zip(nodes).enumerate().map(|(k, (x, node))| {
            let mut out = Vec::with_capacity(node.limits.len());
            let Some(k) = k.checked_sub(instant) else { return Ok(out) };
            let place = Place { first: k == 0, last: k == n, inputs: k < n };
            restricted(on, place, &mut out);
            allowed(on, (&x.state, place), &node.limits).map(|()| out)
        });
        all.collect()
    }

    fn tell(
        &self,
        on: &Evaluation<'_, Self::System>,
        (_, inputs): (&[Knot<Self::System>], &[SVector<f64, U>]),
    ) -> Told<Self::System> {
        let instant = instant(on);
        let inputs = inputs.iter().skip(instant).map(block::<Self::System, U>).collect();
        Told { inputs, points: Vec::new(), instant }
    }

    #[cfg(feature = "sprs")]
    fn chosen(&self, on: &Evaluation<'_, Self::System>, k: usize) -> Vec<(Name, usize)> {
        let names = if k < instant(on) { &["horizon"] } else { on.system.layout().u };
        names.iter().map(|name| (Name::new(name), 0)).collect()
    }

    #[cfg(feature = "sprs")]
    fn read(
        &self,
        on: &Evaluation<'_, Self::System>,
        states: &[State<Self::System>],
        told: &[<Self::System as System>::U],
        (knots, inputs): (&mut [Knot<Self::System>], &mut [SVector<f64, U>]),
    ) -> Result<(), PlanError> {
        let instant = instant(on);
        let intervals = inputs.len() - instant;
        PlanError::lengths((states.len(), intervals + 1), (told.len(), intervals))?;
        let horizon = states[intervals].t - states[0].t;
        for (knot, x) in knots.iter_mut().skip(instant).zip(states) {
            knot.state.copy_from(x);
            knot.carried.fill(horizon);
        }
        let own = inputs.iter_mut().skip(instant).zip(told);
        own.for_each(|(u, told)| *u = SVector::from_fn(|i, _| told.as_ref()[i]));
        inputs.iter_mut().take(instant).for_each(|u| u[0] = horizon);
        Ok(())
    }
}

/// The number of intervals without time: one, if it chooses the horizon.
fn instant<S: Optimizable>(on: &Evaluation<'_, S>) -> usize {
    usize::from(on.posed.horizon.is_some())
}

/// The length of a step, and which share of a free horizon that is.
#[derive(Clone, Copy, Debug)]
pub struct Interval {
    h: f64,
    share: Option<f64>,
}

impl Interval {
    /// That of the interval `k` from a knot: terms of the objective are weighed by it from now on.
    fn of<S: Optimizable>(on: &mut Evaluation<'_, S>, k: usize, x: &Knot<S>) -> Self {
        let Posed { h, inputs, terms, .. } = &mut on.posed;
        let Some(horizon) = x.carried.last() else { return Self { h: *h, share: None } };
        let share = 1.0 / inputs.len() as f64;
        terms.begin(k, share * horizon);
        Self { h: share * horizon, share: Some(share) }
    }
}

/// The place of a direction of (x, u) of a model among N unknowns of a node and the inputs.
fn place<S: Optimizable, const N: usize>(system: &S, direction: usize) -> usize {
    let directions = system.layout().state_directions();
    if direction < directions { direction } else { N + direction - directions }
}

/// The inputs of a model.
fn block<S: Optimizable<Real = f64>, const U: usize>(u: &SVector<f64, U>) -> S::U {
    let mut out = S::U::zeros(U);
    out.as_mut().iter_mut().zip(u.iter()).for_each(|(out, u)| *out = *u);
    out
}

/// Costs and limits of a node.
fn evaluate<S: Optimizable<Real = f64>, const N: usize, const U: usize>(
    on: &mut Evaluation<'_, S>,
    Point { k, x, u }: Point<'_, S>,
    node: &mut Node<N, U>,
) -> Result<(), PlanError> {
    let Evaluation { system, posed, evaluator, .. } = on;
    let weights = posed.terms.at(k);
    node.clear(posed.limit_bounds.len());
    let Node { x: by_x, u: by_u, limits, limit_x, limit_u, .. } = node;
    let cost = evaluator.costs(*system, (x, u), weights, |i, slope| match place::<_, N>(*system, i) {
        i if i < N => by_x[i] += slope,
        i => by_u[i - N] += slope,
    });
    let values = evaluator.limits(*system, (x, u), |row, i, slope| match place::<_, N>(*system, i) {
        i if i < N => limit_x[row][i] = slope,
        i => limit_u[row][i - N] = slope,
    });
    limits.copy_from_slice(values);
    node.squares.extend_from_slice(evaluator.square_slopes(weights.1));
    node.cost = cost;
    if node.is_finite() {
        return Ok(());
    }
    Err(PlanError::NonFinite { node: k, name: evaluator.spoilt(*system, weights) })
}
