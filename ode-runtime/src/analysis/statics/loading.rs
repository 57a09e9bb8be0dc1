//! Equilibria under a load that grows.

use core::borrow::Borrow;

use crate::analysis::statics::{Equilibrium, StaticError, Statics, Unsettled};
use crate::error::Cause;
use crate::input::Inputs;
use crate::scalar::Real;
use crate::state::State;
use crate::system::{Linearize, Solvable};

/// Searches after which loading gives up: where the limit of the load is creeped up on, steps shrink and grow without end.
const MOST_ATTEMPTS: u32 = 10_000;

/// Equilibria along a load factor from 0 to 1, each from the one before: for loads too large for one search.
///
/// The step of the factor is halved where a search fails and doubled after one that took at most four iterations. A path may go on through a
/// bifurcation, unstable beyond it: [`Equilibrium::turn`] tells the load at which stability was seen to change.
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
    /// The equilibrium at factor 1 that is reached from near `x`. `load` gives model and inputs for a factor, so that inputs, parameters or
    /// both may carry the load: `|s| (&model, Constant(…))`, `|s| (Model { weight: s * weight, ..model }, Nominal)`.
    ///
    /// # Errors
    /// [`StaticError`] with the last factor that has an equilibrium, and why the next has none.
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
        // Closer to one than ε, a factor and the next are the same.
        if !(self.smallest >= T::EPSILON && self.smallest <= self.first) {
            return invalid("smallest step of the load factor", self.smallest);
        }
        let (mut x, mut done, mut step) = (x, T::ZERO, self.first);
        let (mut loads, mut iterations, mut attempts) = (0, 0, 0);
        let (mut stability, mut turn) = (None, None);
        loop {
            attempts += 1;
            let factor = if done + step < T::ONE { done + step } else { T::ONE };
            let (system, inputs) = load(factor);
            match self.statics.solve(system.borrow(), &inputs, x.clone()) {
                Ok((next, found)) => {
                    loads += 1;
                    iterations += found.iterations;
                    (x, done) = (next, factor);
                    if stability.is_some_and(|before| before != found.stability) {
                        turn = turn.or(Some(factor));
                    }
                    stability = Some(found.stability);
                    if factor == T::ONE {
                        return Ok((x, Equilibrium { iterations, loads, turn, ..found }));
                    }
                    if found.iterations <= 4 {
                        step += step;
                    }
                }
                Err(error) => {
                    iterations += error.iterations;
                    step *= T::from_f64(0.5);
                    if step < self.smallest || attempts > MOST_ATTEMPTS {
                        let load = if loads > 0 { Some(done.to_f64()) } else { None };
                        return Err(StaticError { load, iterations, cause: error.cause });
                    }
                }
            }
        }
    }
}
