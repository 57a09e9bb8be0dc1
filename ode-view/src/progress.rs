//! A bar for what takes long.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

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
/// The bar of a run follows its reports, `run.run(60.0, 0.01, |seen| bar.reached(seen.t))`, that of a sweep its points,
/// `sweep.run(columns, ask, |done| bar.reached(done as f64))`. Where several threads share the work, each says what it
/// has done: [`Progress::advance`]. The bar goes away when it is dropped.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    first: f64,
    last: f64,
    now: Mutex<f64>,
}

impl Progress {
    /// A bar with a name, from `first` to `last`.
    pub fn new(name: &str, first: f64, last: f64) -> Self {
        Self::on(ProgressDrawTarget::stderr(), name, first, last)
    }

    fn on(target: ProgressDrawTarget, name: &str, first: f64, last: f64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(PARTS as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{msg} [{wide_bar}] {percent:>3} %{left}") {
            bar.set_style(style.progress_chars("=> ").with_key("left", left));
        }
        bar.set_message(name.to_owned());
        Self { bar, first, last, now: Mutex::new(first) }
    }

    /// It has come to this. What lies outside the range counts as its nearer end, and NaN as nothing.
    pub fn reached(&self, now: f64) {
        self.change(|_| now);
    }

    /// So much more is done, whoever did it.
    pub fn advance(&self, by: f64) {
        self.change(|before| before + by);
    }

    fn change(&self, to: impl FnOnce(f64) -> f64) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let next = to(*now);
        let part = (next - self.first) / (self.last - self.first);
        if !part.is_nan() {
            *now = next;
            self.bar.set_position((PARTS * part.clamp(0.0, 1.0)) as u64);
        }
    }
}

/// The time that is left, if anything is known of it.
fn left(state: &ProgressState, out: &mut dyn fmt::Write) {
    if state.pos() > 0 {
        // What cannot be written is not shown.
        let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
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
    use ode_model::Sweep;
    use ode_model::prelude::*;

    fn shown(columns: u16, name: &str) -> (InMemoryTerm, Progress) {
        let terminal = InMemoryTerm::new(3, columns);
        let bar = Progress::on(ProgressDrawTarget::term_like(Box::new(terminal.clone())), name, 2.0, 4.0);
        (terminal, bar)
    }

    #[test]
    fn a_bar_says_how_far_it_is_and_goes_away() {
        let (terminal, bar) = shown(80, "run");
        bar.reached(2.0);
        bar.bar.tick();
        assert!(terminal.contents().ends_with(" ]   0 %"), "nothing is known: {}", terminal.contents());
        std::thread::sleep(std::time::Duration::from_millis(20));
        bar.reached(2.5);
        bar.bar.tick();
        assert!(terminal.contents().starts_with("run [==============>  "), "{}", terminal.contents());
        assert!(terminal.contents().contains(" 25 %, ") && terminal.contents().ends_with("s left"));
        for (now, percent) in [(f64::NAN, " 25 %"), (-1.0, "  0 %"), (9.0, "100 %"), (3.0, " 50 %")] {
            bar.reached(now);
            bar.bar.tick();
            assert!(terminal.contents().contains(percent), "{now}: {}", terminal.contents());
        }
        drop(bar);
        assert_eq!(terminal.contents(), "");
    }

    #[test]
    fn a_bar_has_one_line_of_any_terminal() {
        for columns in [40, 60, 200] {
            let (terminal, bar) = shown(columns, "a long name");
            for part in 0..5 {
                bar.reached(2.0 + 0.4 * f64::from(part));
                bar.bar.tick();
                assert_eq!(terminal.contents().lines().count(), 1, "{}", terminal.contents());
            }
            drop(bar);
            assert_eq!(terminal.contents(), "");
        }
    }

    model! {
        struct Swing { param g: Real = 9.81; coord th: Angle; init th = 1.0;
            kinetic = 0.5 * sq(der(th)); potential = -g * cos(th); }
    }

    #[test]
    fn runs_and_sweeps_move_it() {
        let swing = Swing::default();
        let setup = || Simulation::of(&swing, DormandPrince8).fixed(0.1).expect("a start");
        let sweep = Sweep::of(&swing).over("g", (0..40).map(f64::from)).expect("a parameter");
        let ask = |swing: &Swing| Ok::<_, StepError>([swing.g]);
        let whole = |work: &dyn Fn(&Progress)| {
            let (terminal, bar) = shown(80, "work");
            work(&bar);
            bar.bar.tick();
            assert!(terminal.contents().contains("]  50 %"), "{}", terminal.contents());
        };
        whole(&|bar| setup().run(3.0, 0.5, |seen| bar.reached(seen.t)).expect("a run"));
        whole(&|bar| setup().run_through(3.0, 0.5, |seen| bar.reached(seen.t)).expect("a run"));
        // forty points are the half of 2.0..4.0
        let at = |done: usize| 2.0 + done as f64 / 40.0;
        whole(&|bar| drop(sweep.run(["g"], ask, |done| bar.reached(at(done))).expect("a sweep")));
        whole(&|bar| drop(sweep.run_parallel(2, ["g"], ask, |done| bar.reached(at(done))).expect("a sweep")));
        whole(&|bar| sweep.models().for_each(|_| bar.advance(1.0 / 40.0)));
        whole(&|bar| {
            let fifth = || (0..50).for_each(|_| bar.advance(0.2 / 50.0));
            std::thread::scope(|scope| (0..5).for_each(|_| drop(scope.spawn(fifth))));
            bar.advance(f64::NAN);
        });
    }

    #[test]
    fn it_is_silent_where_nobody_looks() {
        const CHILD: &str = "ODE_VIEW_BAR";
        if std::env::var_os(CHILD).is_some() {
            let bar = Progress::new("run", 0.0, 1.0);
            (0..100).for_each(|k| bar.reached(0.01 * f64::from(k)));
            return;
        }
        let itself = std::env::current_exe().expect("this program");
        let mut child = std::process::Command::new(itself);
        child.args(["--exact", "--nocapture", "progress::tests::it_is_silent_where_nobody_looks"]).env(CHILD, "");
        let output = child.output().expect("a child");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("1 passed") && output.stderr.is_empty(), "{said}{output:?}");
    }

    #[test]
    fn a_range_without_extent_is_no_mistake() {
        let bar = Progress::on(ProgressDrawTarget::hidden(), "run", 1.0, 1.0);
        for now in [0.0, 1.0, 2.0, f64::INFINITY] {
            bar.reached(now);
        }
    }
}
