//! Step sizes: fixed on a grid, or from the error test.

use crate::error::Cause;
use crate::scalar::Real;

/// How steps are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control<T> {
    /// Steps of one size, the last before a report or sample instant shortened to land on it.
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
pub(crate) struct Stepper<T> {
    pub(crate) control: Control<T>,
    order: u32,
    /// step to try next
    next: T,
    /// fixed steps since `anchor`: summing h would drift off the grid
    anchor: T,
    count: u64,
}

impl<T: Real> Stepper<T> {
    pub(crate) fn new(control: Control<T>, order: u32, t: T) -> Self {
        let next = match control {
            Control::Fixed { h } => h,
            Control::Adaptive { initial, .. } => initial,
        };
        Self { control, order, next, anchor: t, count: 0 }
    }

    /// The step planned, whatever is landed on.
    pub(crate) fn planned(&self) -> T {
        self.next
    }

    /// End and size of the next step from `t`, not beyond `stop`.
    pub(crate) fn target(&self, t: T, stop: T) -> (T, T) {
        match self.control {
            Control::Fixed { h } => {
                let end = self.anchor + T::from_f64((self.count + 1) as f64) * h;
                let slack = T::from_f64(1e-9) * h + T::from_f64(8.0) * T::EPSILON * stop.abs();
                if (end - stop).abs() <= slack {
                    (stop, h)
                } else if end > stop {
                    (stop, stop - t)
                } else {
                    (end, h)
                }
            }
            Control::Adaptive { .. } => {
                let end = t + self.next;
                if end + T::from_f64(MAX_STRETCH) * self.next > stop { (stop, stop - t) } else { (end, end - t) }
            }
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
            Control::Fixed { h: fixed } => {
                self.count += 1;
                let on_grid = self.anchor + T::from_f64(self.count as f64) * fixed;
                if (t - on_grid).abs() > T::from_f64(1e-6) * fixed {
                    (self.anchor, self.count) = (t, 0);
                }
            }
            Control::Adaptive { .. } if t < stop => {
                let error = error.unwrap_or(T::ZERO);
                let most = T::from_f64(MAX_GROW) * h;
                let grown = if error == T::ZERO { most } else { self.suggest(h, error) };
                self.next = if grown < T::from_f64(HYSTERESIS_HIGH) * h { h } else { grown.min(most) };
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
