//! Equilibria under a load that grows.

use core::borrow::Borrow;

use crate::analysis::statics::{Equilibrium, Stability, StaticError, Statics, Unsettled};
use crate::error::Cause;
use crate::model::input::Inputs;
use crate::model::linearize::Linearize;
use crate::model::state::State;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::norm;
use crate::solve::solvable::Solvable;

/// Limit on the searches of one loading: near the greatest load, steps shrink and grow endlessly.
const MOST_ATTEMPTS: u32 = 10_000;

/// Equilibria along a load factor from 0 to 1, each from the one before, for loads too large for one search.
///
/// The step of the factor is halved if a search fails, and doubled after a search with at most four iterations. A path
/// may continue through a bifurcation and be unstable beyond it: [`Equilibrium::turn`] is the load at which stability
/// was seen to change. A step that deviates from the tangent by more than half of its length is halved. If even the
/// smallest step does, the equilibrium goes over to the branch that was found, as in an arch that snaps through:
/// [`Equilibrium::jump`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loading<T> {
    /// how each equilibrium is sought
    pub statics: Statics<T>,
    /// the first load factor
    pub first: T,
    /// the smallest step of the load factor
    pub smallest: T,
}

impl<T: Real> Default for Loading<T> {
    fn default() -> Self {
        Self { statics: Statics::default(), first: T::from_f64(0.25), smallest: T::from_f64(1e-4) }
    }
}

impl<T: Real> Loading<T> {
    /// The equilibrium at factor 1, reached from near `x`. `load` gives model and inputs for a factor, so that inputs,
    /// parameters or both may carry the load: `|s| (&model, Constant(…))`, `|s| (Model { weight: s * weight, ..model },
    /// Nominal)`.
    ///
    /// # Errors
    /// [`StaticError`] with the last factor that has an equilibrium, and why the next search failed.
    pub fn solve<S: Solvable<Real = T> + Linearize, B: Borrow<S>, U: Inputs<S>>(
        &self,
        x: State<S>,
        mut load: impl FnMut(T) -> (B, U),
    ) -> Result<(State<S>, Equilibrium<T>), StaticError> {
        let invalid = |setting, value: T| {
            let cause = Unsettled::Evaluation(Cause::Invalid { setting, value: value.to_f64() });
            Err(StaticError { load: None, iterations: 0, cause })
        };
        if !(self.first > T::ZERO && self.first <= T::ONE) {
            return invalid("first load factor", self.first);
        }
        // Within ε of one, two factors cannot be distinguished.
        if !(self.smallest >= T::EPSILON && self.smallest <= self.first) {
            return invalid("smallest step of the load factor", self.smallest);
        }
        let mut path = Path { x, done: T::ZERO, loads: 0, stability: None, turn: None, jump: None };
        let (mut step, mut iterations, mut attempts) = (self.first, 0, 0);
        // What was found farther off, at the least load.
        let mut stray: Option<(State<S>, Equilibrium<T>, T)> = None;
        loop {
            attempts += 1;
            let factor = if path.done + step < T::ONE { path.done + step } else { T::ONE };
            let (system, inputs) = load(factor);
            let outcome = self.follow(system.borrow(), &inputs, &path.x);
            iterations += outcome.as_ref().map_or_else(|error| error.iterations, |(_, found, _)| found.iterations);
            let failed = match outcome {
                // The first equilibrium may be anywhere.
                Ok((next, found, strays)) if path.loads == 0 || !strays => {
                    path.go(next, found, factor);
                    step = if found.iterations <= 4 { step + step } else { step };
                    stray = stray.filter(|&(_, _, far)| far > factor);
                    if factor == T::ONE {
                        return Ok(path.end(found, iterations));
                    }
                    continue;
                }
                Ok((next, found, _)) => {
                    if stray.as_ref().is_none_or(|&(_, _, far)| factor <= far) {
                        stray = Some((next, found, factor));
                    }
                    None
                }
                Err(error) => Some(error.cause),
            };
            step *= T::from_f64(0.5);
            if step >= self.smallest && attempts <= MOST_ATTEMPTS {
                continue;
            }
            // No equilibrium is near: the path goes over to the distant one that was found.
            if let Some((next, found, factor)) = stray.take() {
                step = factor - path.done;
                path.jump = path.jump.or(Some(factor));
                path.go(next, found, factor);
                if factor == T::ONE {
                    return Ok(path.end(found, iterations));
                }
            } else if let Some(cause) = failed {
                let load = if path.loads > 0 { Some(path.done.to_f64()) } else { None };
                return Err(StaticError { load, iterations, cause });
            }
        }
    }

    /// The equilibrium found from `x`, and whether it deviates from the prediction of the tangent.
    fn follow<S: Solvable<Real = T> + Linearize, U: Inputs<S>>(
        &self,
        system: &S,
        inputs: &U,
        x: &State<S>,
    ) -> Result<(State<S>, Equilibrium<T>, bool), StaticError> {
        let (mut seen, mut foretold) = (0, x.clone());
        let observer = |iterate: &State<S>| {
            if seen == 1 {
                foretold.copy_from(iterate);
            }
            seen += 1;
        };
        let (next, found) = self.statics.watched(system, inputs, x.clone(), observer)?;
        let strays = strays(system, [x, &foretold, &next]);
        Ok((next, found, strays))
    }
}

/// The equilibria so far.
struct Path<S: Solvable> {
    x: State<S>,
    /// load factor of the last
    done: S::Real,
    loads: u32,
    stability: Option<Stability>,
    turn: Option<S::Real>,
    jump: Option<S::Real>,
}

impl<S: Solvable> Path<S> {
    fn go(&mut self, next: State<S>, found: Equilibrium<S::Real>, factor: S::Real) {
        if self.stability.is_some_and(|before| before != found.stability) {
            self.turn = self.turn.or(Some(factor));
        }
        (self.x, self.done, self.stability) = (next, factor, Some(found.stability));
        self.loads += 1;
    }

    fn end(self, found: Equilibrium<S::Real>, iterations: u32) -> (State<S>, Equilibrium<S::Real>) {
        let Self { x, loads, turn, jump, .. } = self;
        (x, Equilibrium { iterations, loads, turn, jump, ..found })
    }
}

/// Whether the second part of a path is more than half as long as the first, measured by the tangent, and above
/// round-off.
fn strays<S: Solvable<Real: Real>>(system: &S, [from, foretold, to]: [&State<S>; 3]) -> bool {
    let mut step = from.v.clone();
    let mut length = |from: &State<S>, to: &State<S>| {
        system.local(&from.q, &to.q, &mut step);
        let states = from.z.as_ref().iter().zip(to.z.as_ref());
        states.fold(norm(step.as_ref()), |length, (&from, &to)| length.max((to - from).abs()))
    };
    let (first, rest) = (length(from, foretold), length(foretold, to));
    let size = S::Real::ONE + norm(to.q.as_ref()).max(norm(to.z.as_ref()));
    rest > S::Real::from_f64(0.5) * first && rest > S::Real::EPSILON.sqrt() * size
}
