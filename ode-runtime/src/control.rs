//! Step sizes: fixed on a grid, or from the error test.

use crate::error::Cause;
use crate::history::{History, Parts};
use crate::scalar::Real;

/// How steps are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control<T> {
    /// Steps of one size. Where a report or sample instant is no multiple of h away, the way to it is divided into equal steps,
    /// at most a tenth longer than h: a short remainder would spoil multipliers, which round-off reaches as ε/h².
    Fixed {
        /// step size
        h: T,
    },
    /// Steps whose estimated error, the largest entry of q, v and z, absolute, stays below `accuracy`.
    Adaptive {
        /// error allowed a step
        accuracy: T,
        /// first step to try
        initial: T,
    },
}

// Simbody's GeodesicIntegrator.
const SAFETY: f64 = 0.9;
const MIN_SHRINK: f64 = 0.1;
const MAX_GROW: f64 = 5.0;
const HYSTERESIS_LOW: f64 = 0.9;
const HYSTERESIS_HIGH: f64 = 1.2;
const MAX_STRETCH: f64 = 0.1;

impl<T: Real> Control<T> {
    pub(crate) fn check(&self) -> Result<(), Cause> {
        let settings = match *self {
            Self::Fixed { h } => [("step size", h), ("step size", h)],
            Self::Adaptive { accuracy, initial } => [("accuracy", accuracy), ("initial step", initial)],
        };
        for (setting, value) in settings {
            if !(value > T::ZERO && value.is_finite()) {
                return Err(Cause::Invalid { setting, value: value.to_f64() });
            }
        }
        Ok(())
    }
}

/// Where the control stands in a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress<T> {
    /// step to try next
    next: T,
    /// fixed steps since `anchor`: summing h would drift off the grid
    anchor: T,
    count: u64,
    /// size of the fixed steps that lead to `stop`
    step: T,
    stop: Option<T>,
}

impl<T: Real> Default for Progress<T> {
    fn default() -> Self {
        Self { next: T::ZERO, anchor: T::ZERO, count: 0, step: T::ZERO, stop: None }
    }
}

impl<T: Real> Progress<T> {
    /// The step planned, whatever is landed on.
    pub(crate) fn planned(&self) -> T {
        self.next
    }
}

impl<T: Real> History<T> for Progress<T> {
    fn visit(&mut self, parts: &mut dyn Parts<T>) {
        parts.numbers("next step", core::slice::from_mut(&mut self.next));
        parts.numbers("anchor of the grid", core::slice::from_mut(&mut self.anchor));
        parts.count("steps on the grid", &mut self.count);
        parts.numbers("step of the grid", core::slice::from_mut(&mut self.step));
        parts.optional("end of the grid", &mut self.stop);
    }
}

/// A control and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stepper<T> {
    pub(crate) control: Control<T>,
    pub(crate) order: u32,
    pub(crate) progress: Progress<T>,
}

impl<T: Real> Stepper<T> {
    pub(crate) fn new(control: Control<T>, order: u32, t: T) -> Self {
        let next = match control {
            Control::Fixed { h } => h,
            Control::Adaptive { initial, .. } => initial,
        };
        let progress = Progress { next, anchor: t, count: 0, step: next, stop: None };
        Self { control, order, progress }
    }

    /// End and size of the next step from `t`, not beyond `stop`.
    pub(crate) fn target(&mut self, t: T, stop: T) -> (T, T) {
        match self.control {
            Control::Fixed { h: fixed } => {
                if self.progress.stop != Some(stop) {
                    self.divide(t, stop, fixed);
                }
                let h = self.progress.step;
                let end = self.progress.anchor + T::from_f64((self.progress.count + 1) as f64) * h;
                if (end - stop).abs() <= slack(h, stop) {
                    (stop, h)
                } else if end > stop {
                    (stop, stop - t)
                } else {
                    (end, h)
                }
            }
            Control::Adaptive { .. } => {
                let end = t + self.progress.next;
                if end + T::from_f64(MAX_STRETCH) * self.progress.next > stop {
                    (stop, stop - t)
                } else {
                    (end, end - t)
                }
            }
        }
    }

    /// Chooses the grid that leads from `t` to `stop` without a remainder.
    fn divide(&mut self, t: T, stop: T, h: T) {
        self.progress.stop = Some(stop);
        let on_grid = |anchor: T| {
            // Rounded; a cast saturates.
            let steps = ((stop - anchor) / h + T::from_f64(0.5)).to_f64() as u64;
            (anchor + T::from_f64(steps as f64) * h - stop).abs() <= slack(h, stop)
        };
        if self.progress.step == h && on_grid(self.progress.anchor) {
            return;
        }
        (self.progress.anchor, self.progress.count, self.progress.step) = (t, 0, h);
        let (steps, most) = ((stop - t) / h - T::from_f64(MAX_STRETCH), (T::EPSILON.recip()).to_f64());
        // Farther than numbers count single steps, there is no remainder to speak of.
        if !on_grid(t) && steps.to_f64() < most {
            // Rounded up.
            let whole = steps.to_f64() as u64;
            let n = if steps > T::from_f64(whole as f64) { whole + 1 } else { whole };
            self.progress.step = (stop - t) / T::from_f64(n.max(1) as f64);
        }
    }

    /// An event at `t` has ended a step early: fixed steps count from there.
    pub(crate) fn interrupt(&mut self, t: T) {
        (self.progress.anchor, self.progress.count, self.progress.stop) = (t, 0, None);
        if let Control::Fixed { h } = self.control {
            self.progress.step = h;
        }
    }

    /// Whether `error` passes.
    pub(crate) fn passes(&self, error: Option<T>) -> bool {
        match (self.control, error) {
            (Control::Adaptive { accuracy, .. }, Some(error)) => error <= accuracy,
            _ => true,
        }
    }

    /// The step after an error test that failed.
    pub(crate) fn shrink(&self, h: T, error: T) -> T {
        let suggested = self.suggest(h, error);
        let low = T::from_f64(MIN_SHRINK) * h;
        // A NaN error gives a NaN suggestion, and so the smallest step.
        if suggested > low { suggested.min(T::from_f64(HYSTERESIS_LOW) * h) } else { low }
    }

    /// The step after a failure that says nothing of the error.
    pub(crate) fn retreat(&self, h: T) -> T {
        T::from_f64(MIN_SHRINK) * h
    }

    /// Takes note of an accepted step of size `h` to `t`; a step cut by `stop` says nothing of the next.
    pub(crate) fn accept(&mut self, t: T, h: T, error: Option<T>, stop: T) {
        match self.control {
            Control::Fixed { .. } => {
                self.progress.count += 1;
                let on_grid = self.progress.anchor + T::from_f64(self.progress.count as f64) * self.progress.step;
                if (t - on_grid).abs() > T::from_f64(1e-6) * self.progress.step {
                    (self.progress.anchor, self.progress.count) = (t, 0);
                }
            }
            Control::Adaptive { .. } if t < stop => {
                let error = error.unwrap_or(T::ZERO);
                let most = T::from_f64(MAX_GROW) * h;
                let grown = if error == T::ZERO { most } else { self.suggest(h, error) };
                self.progress.next = if grown < T::from_f64(HYSTERESIS_HIGH) * h { h } else { grown.min(most) };
            }
            Control::Adaptive { .. } => {}
        }
    }

    fn suggest(&self, h: T, error: T) -> T {
        let Control::Adaptive { accuracy, .. } = self.control else { return h };
        let ratio = accuracy / error;
        let root = match self.order {
            1 => ratio,
            2 => ratio.sqrt(),
            4 => ratio.sqrt().sqrt(),
            n => ratio.powf(T::from_f64(1.0 / f64::from(n))),
        };
        T::from_f64(SAFETY) * h * root
    }
}

/// How far a grid of steps `h` may be off `stop` and still be said to land on it.
fn slack<T: Real>(h: T, stop: T) -> T {
    T::from_f64(1e-9) * h + T::from_f64(8.0) * T::EPSILON * stop.abs()
}
