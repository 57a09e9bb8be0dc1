//! Steps of one size on a grid, halved when they fail.

use crate::error::Cause;
use crate::numbers::scalar::Real;
use crate::step_size::Progress;

/// Steps of size `h`, halved and repeated when they fail, for methods without an error estimate.
///
/// Halved steps lie on the grid of `h`, so every point of it is reached. After `successes` halved steps the size is
/// doubled again, up to `h`. If `least` fails too, its cause is the error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Halving<T> {
    /// step size, and the largest
    pub h: T,
    /// smallest step to try
    pub least: T,
    /// successful steps before a halved one is doubled
    pub successes: u64,
}

/// Halvings beyond which a grid has no room.
const DEEPEST: u64 = 40;

impl<T: Real> Halving<T> {
    /// Steps of `h`, halved at most ten times, doubled after five successes.
    pub fn of(h: T) -> Self {
        Self { h, least: h * T::from_f64(1.0 / 1024.0), successes: 5 }
    }

    pub(super) fn never(h: T) -> Self {
        Self { h, least: h, successes: 0 }
    }

    pub(super) fn check(&self) -> Result<(), Cause> {
        for (setting, value) in [("step size", self.h), ("least step", self.least)] {
            if !(value > T::ZERO && value.is_finite()) {
                return Err(Cause::Invalid { setting, value: value.to_f64() });
            }
        }
        if self.least <= self.h {
            Ok(())
        } else {
            Err(Cause::Invalid { setting: "least step", value: self.least.to_f64() })
        }
    }

    /// End and size of the next step from `t`, not beyond `stop`.
    pub(super) fn target(&self, p: &mut Progress<T>, t: T, stop: T) -> (T, T) {
        if p.stop != Some(stop) {
            divide(p, t, stop, self.h);
        }
        let h = p.part();
        let end = p.on_grid(1);
        if stop.is_finite() && (end - stop).abs() <= slack(h, stop) {
            (stop, h)
        } else if end > stop {
            (stop, stop - t)
        } else {
            (end, h)
        }
    }

    /// Halves the step, if it may be smaller.
    pub(super) fn retreat(&self, p: &mut Progress<T>) -> bool {
        let half = T::from_f64(0.5) * p.part();
        let may = p.level < DEEPEST && half >= self.least;
        if may {
            (p.level, p.part, p.passed) = (p.level + 1, 2 * p.part, 0);
        }
        may
    }

    /// Takes note of a step accepted, to `t`.
    pub(super) fn accept(&self, p: &mut Progress<T>, t: T) {
        (p.part, p.passed) = (p.part + 1, p.passed + 1);
        while p.level > 0 && p.passed >= self.successes && p.part.is_multiple_of(2) {
            (p.level, p.part, p.passed) = (p.level - 1, p.part / 2, 0);
        }
        if p.part == 1 << p.level {
            (p.count, p.part) = (p.count + 1, 0);
        }
        if (t - p.on_grid(0)).abs() > T::from_f64(1e-6) * p.part() {
            p.from(t);
        }
    }
}

impl<T: Real> Progress<T> {
    /// The present step of the grid.
    fn part(&self) -> T {
        if self.level == 0 { self.step } else { self.step * T::from_f64(1.0 / (1_u64 << self.level) as f64) }
    }

    /// The point of the grid `ahead` steps on.
    fn on_grid(&self, ahead: u64) -> T {
        let (whole, part) = if self.level == 0 { (self.count + ahead, 0) } else { (self.count, self.part + ahead) };
        let steps = whole as f64 + part as f64 / (1_u64 << self.level) as f64;
        self.anchor + T::from_f64(steps) * self.step
    }

    /// The grid begins at `t`.
    pub(crate) fn from(&mut self, t: T) {
        (self.anchor, self.count, self.part) = (t, 0, 0);
    }

    /// Whether halvings are such that they can be counted.
    pub(crate) fn sound(&self) -> bool {
        self.level <= DEEPEST && self.part <= 1 << self.level && self.count < 1 << 53
    }
}

/// Chooses a grid that ends at `stop` without a remainder.
fn divide<T: Real>(p: &mut Progress<T>, t: T, stop: T, h: T) {
    // What is infinitely far is no number to keep.
    p.stop = stop.is_finite().then_some(stop);
    if p.stop.is_none() {
        if p.step != h {
            p.from(t);
            p.step = h;
        }
        return;
    }
    let lands = |anchor: T| {
        // Rounded; a cast saturates.
        let steps = ((stop - anchor) / h + T::from_f64(0.5)).to_f64() as u64;
        (anchor + T::from_f64(steps as f64) * h - stop).abs() <= slack(h, stop)
    };
    if p.step == h && lands(p.anchor) {
        return;
    }
    p.from(t);
    p.step = h;
    let (steps, most) = ((stop - t) / h - T::from_f64(super::MAX_STRETCH), (T::EPSILON.recip()).to_f64());
    // So far away that single steps cannot be counted, there is no remainder.
    if !lands(t) && steps.to_f64() < most {
        // Rounded up.
        let whole = steps.to_f64() as u64;
        let n = if steps > T::from_f64(whole as f64) { whole + 1 } else { whole };
        p.step = (stop - t) / T::from_f64(n.max(1) as f64);
    }
}

/// The distance from `stop` within which a grid of steps `h` counts as landing on it.
fn slack<T: Real>(h: T, stop: T) -> T {
    T::from_f64(1e-9) * h + T::from_f64(8.0) * T::EPSILON * stop.abs()
}
