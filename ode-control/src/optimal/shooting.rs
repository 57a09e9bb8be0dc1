//! Multiple shooting: intervals are steps of a method, with inputs that are held during them.
//!
//! H. G. Bock, K. J. Plitt, A multiple shooting algorithm for direct solution of optimal control problems, IFAC World
//! Congress 1984.

#[cfg(feature = "sprs")]
use ode_runtime::Name;
use ode_runtime::integrators::Vary;
use ode_runtime::linalg::SVector;
use ode_runtime::variation::Columns;
use ode_runtime::{Block, Cause, Optimizable, Solvable, State, StepMap, System};

use crate::optimal::error::PlanError;
use crate::optimal::evaluation::{Evaluation, Place, allowed, restricted};
use crate::optimal::knot::Knot;
use crate::optimal::node::Node;
use crate::optimal::transcription::{Begun, Told, Transcribe, Wanted};
use crate::stages::Stage;

/// A [`StepMap`] with a [`StepHessian`](ode_runtime::StepHessian), of which only costs and limits are differentiated
/// twice, not the motion: iterative LQR, and Gauss and Newton's method for costs that are no sums of squares.
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

    /// The end of the step `h`.
    fn end(&mut self, at: Point<'_, Self::System>, h: f64) -> Result<&State<Self::System>, PlanError>;

    /// Writes A and B of the step, and adds the second derivatives of its end.
    fn step(
        &mut self,
        at: Point<'_, Self::System>,
        h: f64,
        costate: &SVector<f64, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError>;

    /// Writes the second derivatives of costs, rows of squares and limits.
    fn curve(
        &mut self,
        on: &mut Evaluation<'_, Self::System>,
        at: Point<'_, Self::System>,
        limits: &[f64],
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError>;
}

impl<T: Shoot<N, U>, const N: usize, const U: usize> Transcribe<N, U> for T {
    type System = T::System;
    const COSTS: bool = T::COSTS;

    fn begin(&mut self, on: &mut Evaluation<'_, Self::System>) -> Result<Begun<Self::System, U>, PlanError> {
        let (layout, posed) = (on.system.layout(), &on.posed);
        if posed.horizon.is_some() || !posed.free.is_empty() {
            let what = if posed.horizon.is_some() { "a free horizon by shooting" } else { "a free start by shooting" };
            return Err(PlanError::Scheme { what, instead: "take `Collocation`" });
        }
        PlanError::sizes((N, layout.state_directions()), (U, layout.u.len()))?;
        let bounds = core::array::from_fn(|i| posed.input_bounds[i]);
        Ok(Begun {
            knots: posed.states.iter().map(|x| Knot::of(x.clone())).collect(),
            inputs: posed.inputs.iter().map(|u| SVector::from_fn(|i, _| u.as_ref()[i])).collect(),
            bounds: vec![bounds; posed.inputs.len()],
        })
    }

    fn interval(
        &mut self,
        on: &mut Evaluation<'_, Self::System>,
        (k, x, u): (usize, &Knot<Self::System>, &SVector<f64, U>),
        node: &mut Node<N, U>,
        end: &mut Knot<Self::System>,
    ) -> Result<(), PlanError> {
        let at = Point { k, x: &x.state, u: &block::<Self::System, U>(u) };
        evaluate(on, at, node)?;
        end.state.copy_from(self.end(at, on.posed.h)?);
        end.state.t = on.posed.states[k + 1].t;
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
        let at = Point { k, x: &x.state, u: &block::<Self::System, U>(u) };
        self.curve(on, at, wanted.limits, stage)?;
        self.step(at, on.posed.h, wanted.costate, stage)
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
        Shoot::curve(self, on, at, wanted.limits, stage)
    }

    fn restricted(
        &self,
        on: &Evaluation<'_, Self::System>,
        (knots, nodes): (&[Knot<Self::System>], &[Node<N, U>]),
    ) -> Result<Vec<Vec<bool>>, PlanError> {
        let n = on.posed.terms.last();
        let all = knots.iter().zip(nodes).enumerate().map(|(k, (x, node))| {
            let mut out = Vec::with_capacity(node.limits.len());
            let place = Place { first: k == 0, last: k == n, inputs: k < n };
            restricted(on, place, &mut out);
            allowed(on, (&x.state, place), &node.limits).map(|()| out)
        });
        all.collect()
    }

    fn tell(
        &self,
        _: &Evaluation<'_, Self::System>,
        (_, inputs): (&[Knot<Self::System>], &[SVector<f64, U>]),
    ) -> Told<Self::System> {
        let inputs = inputs.iter().map(block::<Self::System, U>).collect();
        Told { inputs, points: Vec::new(), instant: 0 }
    }

    #[cfg(feature = "sprs")]
    fn chosen(&self, on: &Evaluation<'_, Self::System>, _: usize) -> Vec<(Name, usize)> {
        on.system.layout().u.iter().map(|name| (Name::new(name), 0)).collect()
    }

    #[cfg(feature = "sprs")]
    fn read(
        &self,
        _: &Evaluation<'_, Self::System>,
        states: &[State<Self::System>],
        told: &[<Self::System as System>::U],
        (knots, inputs): (&mut [Knot<Self::System>], &mut [SVector<f64, U>]),
    ) -> Result<(), PlanError> {
        PlanError::lengths((states.len(), knots.len()), (told.len(), inputs.len()))?;
        knots.iter_mut().zip(states).skip(1).for_each(|(knot, x)| knot.state.copy_from(x));
        inputs.iter_mut().zip(told).for_each(|(u, told)| *u = SVector::from_fn(|i, _| told.as_ref()[i]));
        Ok(())
    }
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
    let cost = evaluator.costs(*system, (x, u), weights, |i, slope| match i < N {
        true => by_x[i] += slope,
        false => by_u[i - N] += slope,
    });
    let values = evaluator.limits(*system, (x, u), |row, i, slope| match i < N {
        true => limit_x[row][i] = slope,
        false => limit_u[row][i - N] = slope,
    });
    limits.copy_from_slice(values);
    node.cost = cost;
    if node.is_finite() {
        return Ok(());
    }
    Err(PlanError::NonFinite { node: k, name: evaluator.spoilt(*system, weights) })
}

/// What gives A and B.
#[cfg_attr(not(feature = "second-order"), allow(unreachable_pub, reason = "a bound of exact second derivatives"))]
pub trait Jacobians<const N: usize, const U: usize> {
    /// the model
    type System: Optimizable<Real = f64> + Solvable;

    /// The end of the step `h`.
    fn end(&mut self, at: Point<'_, Self::System>, h: f64) -> Result<&State<Self::System>, PlanError>;

    /// Writes A and B of a step.
    fn jacobians(&mut self, at: Point<'_, Self::System>, h: f64, stage: &mut Stage<f64, N, U>)
    -> Result<(), PlanError>;
}

impl<S, M, K, const N: usize, const U: usize> Jacobians<N, U> for StepMap<'_, S, M, K>
where
    S: Optimizable<Real = f64> + Solvable,
    M: Vary<S>,
    K: Columns,
{
    type System = S;

    fn end(&mut self, Point { x, u, .. }: Point<'_, S>, h: f64) -> Result<&State<S>, PlanError> {
        Ok(StepMap::end(self, x, u.clone(), h)?)
    }

    fn jacobians(
        &mut self,
        Point { x, u, .. }: Point<'_, S>,
        h: f64,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        let step = self.step(x, u.clone(), h)?;
        let (a, b) = (step.a(), step.b());
        // a map may have been made for fewer columns
        let (columns, wanted) = (a.shape().1 + b.shape().1, N + U);
        if columns != wanted {
            let (setting, wanted) = ("number of columns of a step's derivatives", wanted as f64);
            return Err(Cause::OutOfRange { setting, value: columns as f64, low: wanted, high: wanted }.into());
        }
        stage.a = core::array::from_fn(|c| core::array::from_fn(|r| a.entry(r, c))).into();
        stage.b = core::array::from_fn(|c| core::array::from_fn(|r| b.entry(r, c))).into();
        Ok(())
    }
}

impl<S, M, K, const N: usize, const U: usize> Shoot<N, U> for StepMap<'_, S, M, K>
where
    S: Optimizable<Real = f64> + Solvable,
    M: Vary<S>,
    K: Columns,
{
    type System = S;
    const COSTS: bool = false;

    fn end(&mut self, at: Point<'_, S>, h: f64) -> Result<&State<S>, PlanError> {
        Jacobians::<N, U>::end(self, at, h)
    }

    fn step(
        &mut self,
        at: Point<'_, S>,
        h: f64,
        _: &SVector<f64, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        self.jacobians(at, h, stage)
    }

    /// Jᵀ W J of the rows of squares.
    fn curve(
        &mut self,
        on: &mut Evaluation<'_, S>,
        Point { k, x, u }: Point<'_, S>,
        _: &[f64],
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        let Evaluation { system, posed, evaluator, .. } = on;
        stage.clear_second();
        evaluator.squares(*system, (x, u), posed.terms.at(k).1, |weight, row| {
            // rows have few nonzeros
            for ((r, slope), (c, other)) in row.iter().flat_map(|r| row.iter().map(move |c| (r, c))) {
                stage.add_second((*r, *c), weight * slope * other);
            }
        });
        Ok(())
    }
}

#[cfg(feature = "second-order")]
mod exact {
    use ode_runtime::integrators::Vary;
    use ode_runtime::linalg::{SMatrix, SVector};
    use ode_runtime::{Dual, Optimizable, Sensitive, Solvable, State, StepHessian, Wide};

    use super::{Ilqr, Jacobians, Point, Shoot};
    use crate::optimal::error::PlanError;
    use crate::optimal::evaluation::Evaluation;
    use crate::stages::Stage;

    /// What gives A and B, with second derivatives.
    pub trait Pair {
        /// the first
        type Map;
        /// the second
        type Hessian;
        /// Whether the motion is differentiated twice.
        const MOTION: bool;

        /// The first.
        fn map(&mut self) -> &mut Self::Map;
        /// Both.
        fn parts(&mut self) -> (&mut Self::Map, &mut Self::Hessian);
    }

    impl<'h, L, D: Solvable + Sensitive, M: Vary<D>> Pair for (L, StepHessian<'h, D, M>) {
        type Map = L;
        type Hessian = StepHessian<'h, D, M>;
        const MOTION: bool = true;

        fn map(&mut self) -> &mut L {
            &mut self.0
        }

        fn parts(&mut self) -> (&mut Self::Map, &mut Self::Hessian) {
            (&mut self.0, &mut self.1)
        }
    }

    impl<L, H> Pair for Ilqr<L, H> {
        type Map = L;
        type Hessian = H;
        const MOTION: bool = false;

        fn map(&mut self) -> &mut L {
            &mut self.0
        }

        fn parts(&mut self) -> (&mut L, &mut H) {
            (&mut self.0, &mut self.1)
        }
    }

    impl<'h, P, T, D, M, const N: usize, const U: usize> Shoot<N, U> for P
    where
        P: Pair<Map: Jacobians<N, U>, Hessian = StepHessian<'h, D, M>>,
        T: Wide<Lane = f64>,
        D: Optimizable<Real = Dual<T>> + Solvable + 'h,
        M: Vary<D> + 'h,
    {
        type System = <P::Map as Jacobians<N, U>>::System;
        const COSTS: bool = true;

        fn end(&mut self, at: Point<'_, Self::System>, h: f64) -> Result<&State<Self::System>, PlanError> {
            self.map().end(at, h)
        }

        fn step(
            &mut self,
            at: Point<'_, Self::System>,
            h: f64,
            costate: &SVector<f64, N>,
            stage: &mut Stage<f64, N, U>,
        ) -> Result<(), PlanError> {
            let (map, hessian) = self.parts();
            if !P::MOTION {
                return map.jacobians(at, h, stage);
            }
            let found = hessian.step(at.x, at.u, h, costate.as_slice())?;
            add(stage, |r, c| found.entry(r, c));
            // A and B may have been found on the way
            let Some(slopes) = hessian.slopes() else { return map.jacobians(at, h, stage) };
            stage.a = SMatrix::from_fn(|r, c| slopes[r * (N + U) + c]);
            stage.b = SMatrix::from_fn(|r, c| slopes[r * (N + U) + N + c]);
            Ok(())
        }

        fn curve(
            &mut self,
            on: &mut Evaluation<'_, Self::System>,
            at: Point<'_, Self::System>,
            limits: &[f64],
            stage: &mut Stage<f64, N, U>,
        ) -> Result<(), PlanError> {
            functions(self.parts().1, on, at, limits, stage)
        }
    }

    /// Writes the second derivatives of costs, limits and rows of squares.
    fn functions<T, S, D, M, const N: usize, const U: usize>(
        hessian: &mut StepHessian<'_, D, M>,
        on: &mut Evaluation<'_, S>,
        Point { k, x, u }: Point<'_, S>,
        limits: &[f64],
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError>
    where
        T: Wide<Lane = f64>,
        S: Optimizable<Real = f64>,
        D: Optimizable<Real = Dual<T>> + Solvable,
        M: Vary<D>,
    {
        let (n, out) = (N + U, &mut on.evaluator.second);
        out.fill(0.0);
        let (costs, squares) = on.posed.terms.at(k);
        hessian.functions((x, u), (costs, limits, squares), out)?;
        stage.clear_second();
        add(stage, |r, c| out[r * n + c]);
        Ok(())
    }

    /// Adds a symmetric matrix by (x, u).
    fn add<const N: usize, const U: usize>(stage: &mut Stage<f64, N, U>, entry: impl Fn(usize, usize) -> f64) {
        for c in 0..N {
            (0..N).for_each(|r| stage.xx[(r, c)] += entry(r, c));
            (0..U).for_each(|r| stage.ux[(r, c)] += entry(N + r, c));
        }
        for c in 0..U {
            (0..U).for_each(|r| stage.uu[(r, c)] += entry(N + r, N + c));
        }
    }
}
