//! The legend: beside the curves, never on them, and never beyond the picture.

use super::letters;

/// The size of its letters, as plotters counts it.
pub(super) const SIZE: i32 = 15;
/// Pixels of one of its lines.
const LINE: f64 = 22.0;
/// Pixels beside a text, for the sample of the curve.
const SAMPLE: f64 = 44.0;
/// The part of the picture that it may take.
const PART: f64 = 0.45;
/// The least pixels of one of several columns.
const NARROW: f64 = 110.0;

/// A legend that has its place.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Legend {
    /// texts and where they stand, from the corner of the legend; one for each curve that is named
    pub(super) entries: Vec<(String, [f64; 2])>,
    /// that there are more curves, and where it stands
    pub(super) more: Option<(String, [f64; 2])>,
    /// pixels
    pub(super) width: f64,
}

impl Legend {
    /// The texts in as many columns as they need and the picture has room for.
    pub(super) fn of(texts: &[String], [width, height]: [f64; 2], top: f64) -> Self {
        if texts.is_empty() {
            return Self::default();
        }
        let rows = (((height - top) / LINE).floor() as usize).max(1);
        let most = ((PART * width / NARROW).floor() as usize).max(1);
        let columns = texts.len().div_ceil(rows).min(most);
        let widest = texts.iter().map(|text| letters::width(text, SIZE)).fold(0.0, f64::max).ceil();
        let all = texts.len() <= rows * columns;
        let least = if all { 0.0 } else { NARROW };
        let column = (SAMPLE + widest).max(least).min(PART * width / columns as f64);
        let place = |k: usize| [(k / rows) as f64 * column, top + (k % rows) as f64 * LINE + 0.5 * LINE];
        let fitted = |text: &str, room: f64| letters::fitted(text, SIZE, room);
        // Where a text is too long, what all begin with is left out first: it does not tell them apart.
        let shared = shared(texts);
        let short = |text: &str, room: f64| match &text[..shared] {
            "" => fitted(text, room),
            _ if letters::width(text, SIZE) <= room => fitted(text, room),
            _ => fitted(&format!("…{}", &text[shared..]), room),
        };
        let named = if all { texts.len() } else { rows * columns - 1 };
        let entries = texts[..named].iter().enumerate().map(|(k, text)| (short(text, column - SAMPLE), place(k)));
        let more = (named < texts.len())
            .then(|| (fitted(&format!("+{} more", texts.len() - named), column - 8.0), place(named)));
        Self { entries: entries.collect(), more, width: column * columns as f64 }
    }
}

/// Bytes that all texts begin with.
fn shared(texts: &[String]) -> usize {
    let [first, others @ ..] = texts else { return 0 };
    let with =
        |other: &String| first.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    others.iter().map(with).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_stays_on_its_part_of_the_picture() {
        let names =
            |n: usize, long: usize| -> Vec<String> { (0..n).map(|k| format!("{k}{}", "m".repeat(long))).collect() };
        for (n, long) in [(1, 0), (3, 200), (30, 2), (30, 200), (500, 0), (500, 50)] {
            for picture in [[800.0, 480.0], [200.0, 150.0], [4000.0, 300.0]] {
                let texts = names(n, long);
                let legend = Legend::of(&texts, picture, 40.0);
                assert!(legend.width <= PART * picture[0], "{legend:?}");
                let unnamed = n - legend.entries.len();
                assert_eq!(legend.more.is_some(), unnamed > 0);
                for (text, [x, y]) in legend.entries.iter().chain(&legend.more) {
                    let room = if text.ends_with("more") { 8.0 } else { SAMPLE };
                    assert!(x + room + letters::width(text, SIZE) <= legend.width + 1.0, "{text} of {legend:?}");
                    assert!(*y + 0.5 * LINE <= picture[1], "{y} {picture:?}");
                }
            }
        }
        assert_eq!(Legend::of(&names(3, 2), [800.0, 480.0], 40.0).entries[2].0, "2mm");
        let long: Vec<String> = (0..3).map(|k| format!("{}{k}{}", "a".repeat(80), "b".repeat(80))).collect();
        let told = Legend::of(&long, [800.0, 480.0], 40.0).entries;
        assert!(told.iter().enumerate().all(|(k, (text, _))| text.starts_with(&format!("…{k}bb"))), "{told:?}");
        assert_eq!(Legend::of(&names(30, 2), [800.0, 480.0], 40.0).more, None, "two columns");
    }
}
