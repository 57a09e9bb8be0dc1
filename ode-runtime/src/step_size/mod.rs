//! Step sizes: fixed on a grid, or by error control.

mod grid;
mod initial;
mod largest;
mod law;
mod norms;
mod tolerance;

pub use grid::Halving;
pub use largest::LargestError;
pub use law::Law;
pub use tolerance::{Bound, Entries, Norm, Tolerance};

pub(crate) use initial::first_step;
pub(crate) use tolerance::Worst;

use crate::error::Cause;
use crate::model::history::{History, Parts};
use crate::model::state::State;
use crate::model::system::System;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Estimate;

/// The factor by which a step may be stretched to land on a time.
const MAX_STRETCH: f64 = 0.1;

/// Bounds of the steps of error control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps<T> {
    /// the first step to try; if `None`, it follows from tolerance, order and the motion at the start
    pub first: Option<T>,
    /// smallest step to try, except to land on a time; 0 means the resolution of time
    pub least: T,
    /// largest step
    pub most: T,
}

impl<T: Real> Default for Steps<T> {
    fn default() -> Self {
        Self { first: None, least: T::ZERO, most: T::INFINITY }
    }
}

impl<T: Real> Steps<T> {
    fn check(&self) -> Result<(), Cause> {
        let Self { first, least, most } = *self;
        let positive = |x: T| x > T::ZERO && x.is_finite();
        let refuse = |setting, value: T| Err(Cause::Invalid { setting, value: value.to_f64() });
        match first {
            Some(first) if !positive(first) => return refuse("initial step", first),
            _ => {}
        }
        if !(least == T::ZERO || positive(least)) {
            return refuse("least step", least);
        }
        if !(most > T::ZERO && most >= least) { refuse("largest step", most) } else { Ok(()) }
    }

    fn within(&self, h: T) -> T {
        h.max(self.least).min(self.most)
    }
}

/// Error control: the tolerance of a step, the law of the next step, and its bounds.
#[derive(Clone, Debug)]
pub struct Adaptive<S: System> {
    /// the error allowed
    pub tolerance: Tolerance<S>,
    /// the next step from errors
    pub law: Law,
    /// bounds of steps
    pub steps: Steps<S::Real>,
}

impl<S: System<Real: Real>> Adaptive<S> {
    /// Simbody's control: absolute tolerance, the largest entry, with the elementary law.
    pub fn to(accuracy: S::Real) -> Self {
        Self::within(Tolerance::new(Bound::absolute(accuracy)))
    }

    /// The same law within a tolerance.
    pub fn within(tolerance: Tolerance<S>) -> Self {
        Self { tolerance, law: Law::ELEMENTARY, steps: Steps::default() }
    }
}

/// How steps are chosen.
#[derive(Debug)]
pub(crate) enum Control<S: System> {
    /// Steps of one size. If a report or sample instant is not a multiple of h away, the interval to it is divided into
    /// equal steps, at most a tenth longer than h. A short remainder would spoil multipliers, whose round-off grows as
    /// ε/h².
    Grid(Halving<S::Real>),
    /// Steps that pass an error test.
    Adaptive(Adaptive<S>),
}

impl<S: System<Real: Real>> Control<S> {
    pub(crate) fn fixed(h: S::Real) -> Self {
        Self::Grid(Halving::never(h))
    }

    pub(crate) fn check(&self) -> Result<(), Cause> {
        match self {
            Self::Grid(grid) => grid.check(),
            Self::Adaptive(adaptive) => {
                adaptive.tolerance.check()?;
                let wrong = adaptive.law.wrong();
                wrong.map_or(Ok(()), |(setting, value)| Err(Cause::Invalid { setting, value }))?;
                adaptive.steps.check()
            }
        }
    }
}

/// Where the control stands in a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress<T> {
    /// step to try next
    next: T,
    /// size of the last step that passed
    last: T,
    /// errors of the last steps over the tolerance, and ratios of their sizes, the last first; their number
    errors: [T; 2],
    quotients: [T; 2],
    behind: u64,
    /// fixed steps since `anchor`: summing h would drift off the grid
    anchor: T,
    count: u64,
    /// halvings of the step, and those of them since the last point of the grid
    level: u64,
    part: u64,
    /// successful steps since the last halving or doubling
    passed: u64,
    /// size of the fixed steps that lead to `stop`
    step: T,
    stop: Option<T>,
}

impl<T: Real> Progress<T> {
    pub(crate) fn new(next: T, t: T) -> Self {
        Self {
            next,
            last: T::ZERO,
            errors: [T::ONE; 2],
            quotients: [T::ONE; 2],
            behind: 0,
            anchor: t,
            count: 0,
            level: 0,
            part: 0,
            passed: 0,
            step: next,
            stop: None,
        }
    }

    /// The step planned, whatever is landed on.
    pub(crate) fn planned(&self) -> T {
        self.next
    }

    /// The size of the last successful step; 0 before it.
    pub(crate) fn last(&self) -> T {
        self.last
    }
}

impl<T: Real> History<T> for Progress<T> {
    fn visit(&mut self, parts: &mut dyn Parts<T>) {
        parts.numbers("next step", core::slice::from_mut(&mut self.next));
        parts.numbers("last step", core::slice::from_mut(&mut self.last));
        parts.numbers("errors of the last steps", &mut self.errors);
        parts.numbers("quotients of the last steps", &mut self.quotients);
        parts.count("steps behind", &mut self.behind);
        parts.numbers("anchor of the grid", core::slice::from_mut(&mut self.anchor));
        parts.count("steps on the grid", &mut self.count);
        parts.count("halvings", &mut self.level);
        parts.count("halved steps", &mut self.part);
        parts.count("halved steps passed", &mut self.passed);
        parts.numbers("step of the grid", core::slice::from_mut(&mut self.step));
        parts.optional("end of the grid", &mut self.stop);
    }
}

/// A control and its present state.
#[derive(Debug)]
pub(crate) struct Stepper<S: System> {
    pub(crate) control: Control<S>,
    /// the estimate behaves like h to this power
    pub(crate) order: u32,
    /// the largest ratio of a step to the one before that the method allows
    growth: f64,
    /// whether the law uses the last error alone, and the multiples of it between which the tolerance changes nothing
    elementary: bool,
    held: [S::Real; 2],
    pub(crate) progress: Progress<S::Real>,
    /// whether an attempt at the present step has failed
    failed: bool,
}

impl<S: System<Real: Real>> Stepper<S> {
    pub(crate) fn new(control: Control<S>, order: u32, growth: f64, progress: Progress<S::Real>) -> Self {
        let law = match &control {
            Control::Grid(_) => Law::ELEMENTARY,
            Control::Adaptive(adaptive) => adaptive.law,
        };
        let elementary = law.elementary();
        let held = law.hold.map(|factor| S::Real::from_f64(factor / law.safety).powi(order as i32));
        let held = if elementary { held } else { [S::Real::INFINITY; 2] };
        Self { control, order, growth, elementary, held, progress, failed: false }
    }

    /// Records the largest error estimate of a step of size `h` from `x` to `end`, for runs without error control.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn keep_largest(
        &self,
        kept: &mut Option<LargestError>,
        system: &S,
        x: &State<S>,
        error: Option<&mut Estimate<S>>,
        step: [S::Real; 2],
    ) {
        if let (Control::Grid(_), Some(error)) = (&self.control, error) {
            largest::keep(kept, system, x, error, step);
        }
    }

    /// The tolerance, under error control.
    pub(crate) fn tolerance(&self) -> Option<&Tolerance<S>> {
        match &self.control {
            Control::Grid(_) => None,
            Control::Adaptive(adaptive) => Some(&adaptive.tolerance),
        }
    }

    /// The smallest step, except to land on a time.
    pub(crate) fn least(&self) -> S::Real {
        match &self.control {
            Control::Grid(_) => S::Real::ZERO,
            Control::Adaptive(adaptive) => adaptive.steps.least,
        }
    }

    /// End and size of the next step from `t`, not beyond `stop`.
    pub(crate) fn target(&mut self, t: S::Real, stop: S::Real) -> (S::Real, S::Real) {
        self.failed = false;
        match &self.control {
            Control::Grid(grid) => grid.target(&mut self.progress, t, stop),
            Control::Adaptive(adaptive) => {
                let (wanted, last) = (self.progress.next, self.progress.last);
                // A step cut by a report does not change the plan for the next one, but the method may limit it.
                let next =
                    if last > S::Real::ZERO { wanted.min(S::Real::from_f64(self.growth) * last) } else { wanted };
                let end = t + next;
                let lands = end + S::Real::from_f64(MAX_STRETCH) * next > stop && stop - t <= adaptive.steps.most;
                if lands || end > stop { (stop, stop - t) } else { (end, end - t) }
            }
        }
    }

    /// An event at `t` ended a step early: fixed steps count from there, and earlier errors no longer apply.
    pub(crate) fn interrupt(&mut self, t: S::Real) {
        self.progress.from(t);
        (self.progress.stop, self.progress.behind) = (None, 0);
        if let Control::Grid(grid) = &self.control {
            self.progress.step = grid.h;
        }
    }

    /// The part of the progress that attempts change, to be restored when a step fails for good.
    pub(crate) fn mark(&self) -> Option<Progress<S::Real>> {
        match &self.control {
            Control::Grid(_) => Some(self.progress),
            Control::Adaptive(_) => None,
        }
    }

    /// End and size of the attempt after a failed one of size `h`, whether its error was too large or it failed
    /// otherwise; none if no step is left to try.
    pub(crate) fn retry(
        &mut self,
        t: S::Real,
        stop: S::Real,
        h: S::Real,
        error: Option<Worst<S::Real>>,
    ) -> Option<(S::Real, S::Real)> {
        self.failed = true;
        let smaller = match &self.control {
            Control::Grid(grid) => {
                return grid.retreat(&mut self.progress).then(|| grid.target(&mut self.progress, t, stop));
            }
            Control::Adaptive(adaptive) => {
                let Adaptive { law, steps, .. } = adaptive;
                let smaller = match error {
                    Some(error) => self.shrink(law, h, error),
                    None => S::Real::from_f64(law.retreat) * h,
                };
                if h <= steps.least || !(smaller > S::Real::ZERO) {
                    return None;
                }
                smaller.max(steps.least)
            }
        };
        let end = t + smaller;
        // Rounded to a time, a smaller step may equal the one that failed, and would be tried endlessly.
        (end - t < h).then_some((end, end - t))
    }

    /// The step after an error test that failed.
    fn shrink(&self, law: &Law, h: S::Real, error: Worst<S::Real>) -> S::Real {
        let suggested = S::Real::from_f64(law.safety) * h * self.root(error.room());
        let low = S::Real::from_f64(law.shrink) * h;
        // A NaN error gives a NaN suggestion, which becomes the smallest step.
        if suggested > low { suggested.min(S::Real::from_f64(law.reject) * h) } else { low }
    }

    /// Records an accepted step of size `h` to `t`; a step cut by `stop` does not affect the next.
    // Inlined, the error need not go through memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn accept(&mut self, t: S::Real, h: S::Real, error: Option<Worst<S::Real>>, stop: S::Real) {
        let before = core::mem::replace(&mut self.progress.last, h);
        match &self.control {
            Control::Grid(grid) => grid.accept(&mut self.progress, t),
            Control::Adaptive(adaptive) if t < stop => {
                let Adaptive { law, steps, .. } = adaptive;
                if self.failed {
                    self.progress.behind = 0;
                }
                // Most steps are as long as the one before, and no root is needed to see that, so the processor
                // continues with h.
                let held = error.is_some_and(|error| error.within(self.held)) && h >= steps.least && h <= steps.most;
                self.progress.next = if held { h } else { self.change(law, *steps, h, error, before) };
                if !self.elementary {
                    self.remember(h, error, before);
                }
            }
            Control::Adaptive(_) => {}
        }
    }

    /// The step after one of size `h`, which followed one of size `before`.
    #[inline(never)]
    fn change(
        &self,
        law: &Law,
        steps: Steps<S::Real>,
        h: S::Real,
        error: Option<Worst<S::Real>>,
        before: S::Real,
    ) -> S::Real {
        let grow = if law.cautious && self.failed { 1.0 } else { law.grow.min(self.growth) };
        let most = S::Real::from_f64(grow) * h;
        let large = error.filter(|error| !error.vanishes());
        let grown = large.map_or(most, |error| self.suggest(law, h, error, before));
        let [low, high] = law.hold.map(|factor| S::Real::from_f64(factor) * h);
        let next = if grown >= low && grown < high { h } else { grown.min(most) };
        steps.within(next.max(S::Real::from_f64(law.shrink) * h))
    }

    /// Records the errors and steps for laws with a memory.
    fn remember(&mut self, h: S::Real, error: Option<Worst<S::Real>>, before: S::Real) {
        let p = &mut self.progress;
        let ([newest, _], [quotient, _]) = (p.errors, p.quotients);
        let last = if before == S::Real::ZERO { S::Real::ONE } else { h / before };
        let over = error.map_or(S::Real::ZERO, |error| error.over());
        (p.errors, p.quotients) = ([over, newest], [last, quotient]);
        p.behind += 1;
    }

    /// The step the law suggests after one of size `h`, which followed one of size `before`.
    fn suggest(&self, law: &Law, h: S::Real, error: Worst<S::Real>, before: S::Real) -> S::Real {
        let p = &self.progress;
        // The first of several errors has one step before it, and as many ratios.
        if self.elementary || p.behind < 2 {
            return S::Real::from_f64(law.safety) * h * self.root(error.room());
        }
        let (k, [newest, older], [quotient, _]) = (f64::from(self.order), p.errors, p.quotients);
        let power = |x: S::Real, exponent: f64| {
            // An error of zero would suggest an infinite step.
            let x = x.max(S::Real::from_f64(1e-6));
            if exponent == 0.0 { S::Real::ONE } else { x.powf(S::Real::from_f64(exponent)) }
        };
        let [b1, b2, b3] = law.errors;
        let [a2, a3] = law.steps;
        let errors = power(error.over(), -b1 / k) * power(newest, -b2 / k) * power(older, -b3 / k);
        S::Real::from_f64(law.safety) * errors * power(h / before, -a2) * power(quotient, -a3) * h
    }

    /// The root of the order of the estimate.
    fn root(&self, ratio: S::Real) -> S::Real {
        match self.order {
            1 => ratio,
            2 => ratio.sqrt(),
            4 => ratio.sqrt().sqrt(),
            n => ratio.powf(S::Real::from_f64(1.0 / f64::from(n))),
        }
    }
}
