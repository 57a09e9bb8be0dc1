//! A bar for what takes long.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Parts of the bar. Indicatif counts in whole numbers.
const PARTS: f64 = 10_000.0;

/// A bar with the time that is left, on the terminal; nothing where the error output is no terminal.
///
/// A run, a sweep or an optimisation says how far it is in its own measure: a time, a number of points, an iteration.
///
/// ```
/// use ode_view::Progress;
///
/// let bar = Progress::new("sweep", 0.0, 200.0);
/// for point in 0..200 {
///     bar.reached(f64::from(point));
/// }
/// ```
///
/// The bar of a run follows its reports: `run.run(60.0, 0.01, |state| bar.reached(state.t))`. It goes away when it is
/// dropped.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    first: f64,
    last: f64,
}

impl Progress {
    /// A bar with a name, from `first` to `last`.
    pub fn new(name: &str, first: f64, last: f64) -> Self {
        Self::on(ProgressDrawTarget::stderr(), name, first, last)
    }

    fn on(target: ProgressDrawTarget, name: &str, first: f64, last: f64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(PARTS as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:40}] {percent:>3} %, {eta} left") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(name.to_owned());
        Self { bar, first, last }
    }

    /// It has come to this. What lies outside the range counts as its nearer end, and NaN as nothing.
    pub fn reached(&self, now: f64) {
        let part = (now - self.first) / (self.last - self.first);
        if !part.is_nan() {
            self.bar.set_position((PARTS * part.clamp(0.0, 1.0)) as u64);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::InMemoryTerm;

    #[test]
    fn a_bar_says_how_far_it_is_and_goes_away() {
        let terminal = InMemoryTerm::new(2, 80);
        let bar = Progress::on(ProgressDrawTarget::term_like(Box::new(terminal.clone())), "run", 2.0, 4.0);
        bar.reached(2.5);
        assert!(terminal.contents().starts_with("run [==========>"), "{}", terminal.contents());
        assert!(terminal.contents().contains(" 25 %, "), "{}", terminal.contents());
        for (now, percent) in [(f64::NAN, " 25 %"), (-1.0, "  0 %"), (9.0, "100 %"), (3.0, " 50 %")] {
            bar.reached(now);
            bar.bar.tick();
            assert!(terminal.contents().contains(percent), "{now}: {}", terminal.contents());
        }
        drop(bar);
        assert_eq!(terminal.contents(), "");
    }

    #[test]
    fn a_range_without_extent_is_no_mistake() {
        let bar = Progress::on(ProgressDrawTarget::hidden(), "run", 1.0, 1.0);
        for now in [0.0, 1.0, 2.0, f64::INFINITY] {
            bar.reached(now);
        }
    }
}
