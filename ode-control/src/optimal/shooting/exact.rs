//! Steps with exact second derivatives.

use ode_runtime::integrators::Vary;
use ode_runtime::linalg::{SMatrix, SVector};
use ode_runtime::{Dual, Optimizable, Sensitive, Solvable, State, StepHessian, Wide};

use crate::optimal::alike::alike;
use crate::optimal::error::PlanError;
use crate::optimal::evaluation::Evaluation;
use crate::optimal::shooting::steps::{Jacobians, steady};
use crate::optimal::shooting::{Ilqr, Interval, Point, Shoot};
use crate::optimal::transcription::Wanted;
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
    /// Both, to read.
    fn seen(&self) -> (&Self::Map, &Self::Hessian);
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

    fn seen(&self) -> (&L, &Self::Hessian) {
        (&self.0, &self.1)
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

    fn seen(&self) -> (&L, &H) {
        (&self.0, &self.1)
    }
}

impl<'h, P, T, D, M, const N: usize, const U: usize> Shoot<N, U> for P
where
    P: Pair<Map: Jacobians<N, U>, Hessian = StepHessian<'h, D, M>>,
    T: Wide<Lane = f64>,
    D: Optimizable<Real = Dual<f64, T>> + Solvable + 'h,
    M: Vary<D> + 'h,
{
    type System = <P::Map as Jacobians<N, U>>::System;
    const COSTS: bool = true;

    fn check(&self, system: &Self::System) -> Result<(), PlanError> {
        let (map, hessian) = self.seen();
        map.check(system)?;
        alike(system, hessian.system())
    }

    fn end(&mut self, at: Point<'_, Self::System>, h: f64) -> Result<&State<Self::System>, PlanError> {
        self.map().end(at, h)
    }

    fn vary_length(&mut self, varies: bool) -> Result<(), PlanError> {
        if !P::MOTION {
            return steady(varies);
        }
        let refused = |_| PlanError::Scheme {
            what: "a free horizon by steps of this method, or of a model like this",
            instead: "take no rotations and no time, an implicit method for algebraic variables, or `Collocation`",
        };
        self.parts().1.vary_length(varies).map_err(refused)
    }

    fn step(
        &mut self,
        at: Point<'_, Self::System>,
        interval: Interval,
        costate: &SVector<f64, N>,
        stage: &mut Stage<f64, N, U>,
    ) -> Result<(), PlanError> {
        let (map, hessian) = self.parts();
        if !P::MOTION {
            return map.jacobians(at, interval, stage);
        }
        let Interval { h, share } = interval;
        let n = N - usize::from(share.is_some());
        let found = hessian.step(at.x, at.u, h, &costate.as_slice()[..n])?;
        // entries of a Hessian are by (x, u, h)
        let order = |i: usize| match share {
            Some(_) if i + 1 == N => N - 1 + U,
            Some(_) if i >= N => i - 1,
            _ => i,
        };
        let factor = |i: usize| share.filter(|_| i + 1 == N).unwrap_or(1.0);
        add(stage, |r, c| factor(r) * factor(c) * found.entry(order(r), order(c)));
        // A and B may have been found on the way
        let Some(slopes) = hessian.slopes() else {
            map.jacobians(at, interval, stage)?;
            if let Some((share, by_length)) = share.zip(hessian.by_length()) {
                stage.a.row_mut(N - 1).fill(0.0);
                stage.b.row_mut(N - 1).fill(0.0);
                by_length.iter().enumerate().for_each(|(r, slope)| stage.a[(r, N - 1)] = share * slope);
                stage.a[(N - 1, N - 1)] = 1.0;
            }
            return Ok(());
        };
        let size = n + U + usize::from(share.is_some());
        let slope = |r: usize, c: usize| match share {
            Some(_) if r + 1 == N => f64::from(u8::from(c == r)),
            _ => factor(c) * slopes[r * size + order(c)],
        };
        stage.a = SMatrix::from_fn(slope);
        stage.b = SMatrix::from_fn(|r, c| slope(r, N + c));
        Ok(())
    }

    fn curve(
        &mut self,
        on: &mut Evaluation<'_, Self::System>,
        at: Point<'_, Self::System>,
        Wanted { limits, .. }: Wanted<'_, N>,
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
    D: Optimizable<Real = Dual<f64, T>> + Solvable,
    M: Vary<D>,
{
    let layout = on.system.layout();
    let (states, out) = (layout.state_directions(), &mut on.evaluator.second);
    let n = states + layout.u.len();
    out.fill(0.0);
    let (costs, squares) = on.posed.terms.at(k);
    hessian.functions((x, u), (costs, limits, squares), out)?;
    stage.clear_second();
    // the length of a step, which may be among the unknowns of a node, is in none of them
    let order = |i: usize| if i < N { Some(i).filter(|i| *i < states) } else { Some(i - N + states) };
    add(stage, |r, c| order(r).zip(order(c)).map_or(0.0, |(r, c)| out[r * n + c]));
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
