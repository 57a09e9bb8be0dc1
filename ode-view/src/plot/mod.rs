//! Plots: curves of numbers that were recorded.

mod axis;
mod draw;

use std::ops::Range;

use ode_runtime::{Name, Table};

use crate::ViewError;
use axis::Axis;

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
    size: Option<(u32, u32)>,
}

/// Points that are joined.
#[derive(Clone, Debug, PartialEq)]
struct Curve {
    label: String,
    points: Vec<(f64, f64)>,
}

impl Plot {
    /// A plot without curves.
    pub fn new() -> Self {
        Self::default()
    }

    /// These columns over the column `t`. Their unit stands at the axis, or in the legend if they have several.
    ///
    /// # Errors
    /// [`ViewError::Unknown`] with the most similar column.
    pub fn over_time(table: &Table, columns: &[&str]) -> Result<Self, ViewError> {
        let about = columns.iter().map(|name| table.about(name)).collect::<Result<Vec<_>, _>>()?;
        let plot = Self::new().across(&table.about("t")?.to_string());
        match about.as_slice() {
            [one] => plot.upward(&one.to_string()).columns(&one.to_string(), table, "t", columns[0]),
            all if all.windows(2).all(|pair| pair[0].unit == pair[1].unit) => {
                let unit = all.first().map_or("", |column| &column.unit);
                let plot = if unit.is_empty() { plot } else { plot.upward(&format!("[{unit}]")) };
                columns.iter().try_fold(plot, |plot, name| plot.columns(name, table, "t", name))
            }
            all => all
                .iter()
                .zip(columns)
                .try_fold(plot, |plot, (column, name)| plot.columns(&column.to_string(), table, "t", name)),
        }
    }

    /// One column over another: a phase portrait, or a path.
    ///
    /// # Errors
    /// [`ViewError::Unknown`] with the most similar column.
    pub fn phase(table: &Table, across: &str, upward: &str) -> Result<Self, ViewError> {
        let [x, y] = [table.about(across)?.to_string(), table.about(upward)?.to_string()];
        Self::new().across(&x).upward(&y).columns(&y, table, across, upward)
    }

    /// Adds one column over another, under a name of its own: of another run, for example.
    ///
    /// # Errors
    /// [`ViewError::Unknown`] with the most similar column.
    pub fn columns(self, label: &str, table: &Table, across: &str, upward: &str) -> Result<Self, ViewError> {
        let points = table.column(across)?.zip(table.column(upward)?);
        Ok(self.curve(label, points))
    }

    /// Adds points that are joined in their order.
    #[must_use]
    pub fn curve(mut self, label: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        self.curves.push(Curve { label: label.to_owned(), points: points.into_iter().collect() });
        self
    }

    /// A title above the curves.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        title.clone_into(&mut self.title);
        self
    }

    /// What is drawn from left to right.
    #[must_use]
    pub fn across(mut self, label: &str) -> Self {
        label.clone_into(&mut self.across.label);
        self
    }

    /// What is drawn upward.
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

    /// Width and height in pixels; 800 by 480 unless said.
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
            if !curve.points.iter().any(|point| self.place(*point).is_some()) {
                return Err(ViewError::NoNumber { name: Name::new(&curve.label) });
            }
        }
        let (width, height) = self.size.unwrap_or((800, 480));
        for (what, value, most) in [("the width of a plot", width, 20_000), ("the height of a plot", height, 20_000)] {
            if !(100..=most).contains(&value) {
                return Err(ViewError::Invalid { what, value: f64::from(value) });
            }
        }
        let (across, upward) = self.ranges();
        for (what, range) in [("the width of an axis", across), ("the height of an axis", upward)] {
            let value = range.end - range.start;
            if !value.is_finite() {
                return Err(ViewError::Invalid { what, value });
            }
        }
        Ok((width, height))
    }

    /// What the axes have room for.
    fn ranges(&self) -> (Range<f64>, Range<f64>) {
        let points = || self.curves.iter().flat_map(|curve| &curve.points).filter_map(|point| self.place(*point));
        (axis::range(points().map(|p| p.0)), axis::range(points().map(|p| p.1)))
    }

    /// A point on axes whose numbers are equally far apart; nothing where it has no place.
    fn place(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        Some((self.across.place(x)?, self.upward.place(y)?))
    }
}
