//! Plots: curves of numbers that were recorded.

mod axis;
#[cfg(feature = "png")]
mod bitmap;
mod decimal;
mod draw;
mod legend;
mod letters;
mod output;
mod scale;
mod tables;
mod ticks;

use std::ops::Range;

use ode_runtime::Name;

use crate::ViewError;
use axis::{Axis, Extent};

/// Curves in one pair of axes, as SVG, and with the feature `png` as PNG.
///
/// ```
/// use ode_runtime::Table;
/// use ode_view::Plot;
///
/// let mut table = Table::with_columns(["t", "x", "der(x)"].map(String::from));
/// for k in 0..=100 {
///     let t = 0.1 * f64::from(k);
///     table.push_row([t, t.cos(), -t.sin()]);
/// }
/// let picture = Plot::over_time(&table, &["x", "der(x)"])?.title("a swing").svg()?;
/// assert!(picture.contains("der(x)"));
/// # Ok::<(), ode_view::ViewError>(())
/// ```
///
/// A number that is infinite or undefined leaves a gap, and the legend says where the first one is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    title: String,
    across: Axis,
    upward: Axis,
    curves: Vec<Curve>,
    marks: bool,
    equal: bool,
    size: Option<(u32, u32)>,
}

/// Points, joined or not.
#[derive(Clone, Debug, PartialEq)]
struct Curve {
    label: String,
    points: Vec<(f64, f64)>,
    joined: bool,
}

impl Plot {
    /// A plot without curves.
    pub fn new() -> Self {
        Self::default()
    }

    /// Errors over what they cost, one curve for each method, on logarithmic axes and with marks:
    /// `[("Bdf2", vec![(evaluations, error), …]), …]`. The axes are `work` and `error` unless said.
    pub fn work_precision<L: AsRef<str>, P: IntoIterator<Item = (f64, f64)>>(
        methods: impl IntoIterator<Item = (L, P)>,
    ) -> Self {
        let plot = Self::new().log_across().log_upward().marks().across("work").upward("error");
        methods.into_iter().fold(plot, |plot, (label, points)| plot.curve(label.as_ref(), points))
    }

    /// Adds points that are joined in their order.
    #[must_use]
    pub fn curve(mut self, label: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        self.curves.push(Curve { label: label.to_owned(), points: points.into_iter().collect(), joined: true });
        self
    }

    /// Adds points that are marked and not joined, as of measurements.
    #[must_use]
    pub fn points(mut self, label: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        self.curves.push(Curve { label: label.to_owned(), points: points.into_iter().collect(), joined: false });
        self
    }

    /// A title above the curves.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        title.clone_into(&mut self.title);
        self
    }

    /// What is drawn from left to right. Numbers of an axis in degrees, `phase [deg]`, are parts of a turn.
    #[must_use]
    pub fn across(mut self, label: &str) -> Self {
        label.clone_into(&mut self.across.label);
        self
    }

    /// What is drawn upward. Numbers of an axis in degrees, `phase [deg]`, are parts of a turn.
    #[must_use]
    pub fn upward(mut self, label: &str) -> Self {
        label.clone_into(&mut self.upward.label);
        self
    }

    /// Equal ratios are equally far apart from left to right. What is not positive leaves a gap.
    #[must_use]
    pub fn log_across(mut self) -> Self {
        self.across.logarithmic = true;
        self
    }

    /// Equal ratios are equally far apart upward, as for errors. What is not positive leaves a gap.
    #[must_use]
    pub fn log_upward(mut self) -> Self {
        self.upward.logarithmic = true;
        self
    }

    /// Also marks the points, as in a plot of errors over work.
    #[must_use]
    pub fn marks(mut self) -> Self {
        self.marks = true;
        self
    }

    /// A unit is as long upward as across: the circle of a path is round. On a logarithmic axis a unit is a decade.
    #[must_use]
    pub fn equal_aspect(mut self) -> Self {
        self.equal = true;
        self
    }

    /// Width and height in pixels, at least 200 by 150; 800 by 480 unless said.
    #[must_use]
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = Some((width, height));
        self
    }

    /// The size of the picture, if there is something to draw on it.
    fn pixels(&self) -> Result<(u32, u32), ViewError> {
        if self.curves.is_empty() {
            return Err(ViewError::Empty { what: "plot" });
        }
        for curve in &self.curves {
            if curve.points.is_empty() {
                return Err(ViewError::NoPoints { name: Name::new(&curve.label) });
            }
            if !curve.points.iter().any(|point| self.place(*point).is_some()) {
                return Err(ViewError::NoNumber { name: Name::new(&curve.label) });
            }
        }
        let (width, height) = self.size.unwrap_or((800, 480));
        for (what, value, least) in [("the width of a plot", width, 200), ("the height of a plot", height, 150)] {
            if !(least..=20_000).contains(&value) {
                return Err(ViewError::Invalid { what, value: f64::from(value) });
            }
        }
        let [across, upward] = self.ranges([f64::from(width), f64::from(height)]);
        for (what, range) in [("the width of an axis", across), ("the height of an axis", upward)] {
            let value = range.end - range.start;
            if !value.is_finite() {
                return Err(ViewError::Invalid { what, value });
            }
        }
        Ok((width, height))
    }

    /// What axes of so many pixels have room for.
    fn ranges(&self, pixels: [f64; 2]) -> [Range<f64>; 2] {
        let points = || self.curves.iter().flat_map(|curve| &curve.points).filter_map(|point| self.place(*point));
        let extents = [Extent::of(points().map(|p| p.0)), Extent::of(points().map(|p| p.1))];
        let axes = [&self.across, &self.upward];
        if self.equal { axis::equal(axes, extents, pixels) } else { [0, 1].map(|i| axes[i].range(extents[i])) }
    }

    /// A point on axes whose numbers are equally far apart; nothing where it has no place.
    fn place(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        Some((self.across.place(x)?, self.upward.place(y)?))
    }
}
