//! An axis as plotters asks for it: where numbers are, and where the mesh is.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};

use super::letters;
use super::ticks::Ticks;

/// The size of the letters of a label, as plotters counts it.
pub(super) const LABEL_SIZE: i32 = 16;

/// A range with its marks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) range: Range<f64>,
    pub(super) ticks: Ticks,
}

impl Scale {
    /// What stands at the axis, with what its numbers are counted from.
    pub(super) fn label(&self, label: &str, room: f64) -> String {
        let comma = if label.is_empty() { "" } else { ", " };
        let from = self.ticks.from.as_ref().map(|from| format!("{comma}counted from {from}")).unwrap_or_default();
        letters::fitted(&format!("{label}{from}"), LABEL_SIZE, room)
    }

    /// What is written at a mark.
    pub(super) fn text(&self, place: f64) -> String {
        let there = self.ticks.major.iter().find(|(major, _)| *major == place);
        there.map(|(_, text)| text.clone()).unwrap_or_default()
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, x: &f64, (first, last): (i32, i32)) -> i32 {
        let part = (x - self.range.start) / (self.range.end - self.range.start);
        first + (part * f64::from(last - first)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            self.ticks.minor.clone()
        } else {
            self.ticks.major.iter().map(|(place, _)| *place).collect()
        }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}
