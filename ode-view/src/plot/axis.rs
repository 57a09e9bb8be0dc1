//! Axes: what they are named, and the ranges that they have room for.

use std::ops::Range;

/// How an axis is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Axis {
    pub(super) label: String,
    pub(super) logarithmic: bool,
}

/// The least and the greatest of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    low: f64,
    high: f64,
}

/// Numbers that are nearer to each other than this, by their size, differ by round-off.
const NEAR: f64 = 1e-14;
/// Powers of ten that are nearer than this do.
const NEAR_POWERS: f64 = 1e-12;
/// Smaller numbers are nothing: their steps could not be counted.
const NOTHING: f64 = 1e-290;

impl Axis {
    /// Where a number is on an axis whose numbers are equally far apart; nothing where it has no place.
    pub(super) fn place(&self, x: f64) -> Option<f64> {
        let x = if self.logarithmic { x.log10() } else { x };
        x.is_finite().then_some(x)
    }

    /// Whether its numbers are degrees, as its label says: `phase [deg]`.
    pub(super) fn is_in_degrees(&self) -> bool {
        self.label.ends_with("[deg]")
    }

    /// The width of an extent that cannot be told from a point.
    fn near(&self, Extent { low, high }: Extent) -> f64 {
        let size = low.abs().max(high.abs());
        match self.logarithmic {
            true if low < NOTHING.log10() => 0.01,
            true => NEAR_POWERS * size.max(1.0),
            false => (NEAR * size).max(NOTHING),
        }
    }

    /// The range that has room for all of an extent, and some above and below.
    pub(super) fn range(&self, extent: Extent) -> Range<f64> {
        let Extent { low, high } = extent;
        let margin = match high - low {
            width if width > self.near(extent) => 0.04 * width,
            _ if self.logarithmic => 0.5,
            _ if low.abs().max(high.abs()) <= NOTHING => 1.0,
            _ => 0.1 * low.abs(),
        };
        // The greatest number has no room above.
        (low - margin).max(f64::MIN)..(high + margin).min(f64::MAX)
    }
}

impl Extent {
    pub(super) fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let start = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };
        numbers.fold(start, |all, x| Self { low: all.low.min(x), high: all.high.max(x) })
    }
}

/// Ranges of two axes of so many pixels, on which a unit is as long upward as across.
pub(super) fn equal(axes: [&Axis; 2], extents: [Extent; 2], pixels: [f64; 2]) -> [Range<f64>; 2] {
    let width = |i: usize| extents[i].high - extents[i].low;
    let near = |i: usize| axes[i].near(extents[i]);
    // The unit of an axis alone; that of a constant follows the other axis.
    let own = |i: usize| if width(i) > near(i) { width(i) / pixels[i] } else { 0.0 };
    let unit = match own(0).max(own(1)) {
        0.0 => {
            let ranges = [0, 1].map(|i| axes[i].range(extents[i]));
            (0..2).map(|i| (ranges[i].end - ranges[i].start) / pixels[i]).fold(0.0, f64::max)
        }
        unit => (0..2).map(|i| 2.0 * near(i) / pixels[i]).fold(unit, f64::max),
    };
    [0, 1].map(|i| {
        let Extent { low, high } = extents[i];
        let (middle, half) = (0.5 * low + 0.5 * high, 0.5 * unit * pixels[i]);
        axes[i].range(Extent { low: (middle - half).max(f64::MIN), high: (middle + half).min(f64::MAX) })
    })
}
