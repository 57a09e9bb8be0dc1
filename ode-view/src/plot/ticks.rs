//! Where an axis is marked, and with which numbers.

use std::ops::Range;

use super::axis::Axis;
use super::decimal::{Decimal, power_of_ten};
use super::letters;

/// The size of the numbers at an axis, as plotters counts it.
pub(super) const SIZE: i32 = 15;
/// Numbers with more digits are counted from the first of them.
const MOST_DIGITS: i64 = 100_000;

/// The direction of an axis: how much room its numbers need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Direction {
    Across,
    Upward,
}

/// The marks of an axis, in the numbers of [`Axis::place`].
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ticks {
    /// places with a text
    pub(super) major: Vec<(f64, String)>,
    /// places between them
    pub(super) minor: Vec<f64>,
    /// what the numbers are counted from, where they would be too long
    pub(super) from: Option<String>,
}

/// An axis that is to be marked.
#[derive(Clone, Debug)]
struct Room {
    range: Range<f64>,
    pixels: f64,
    direction: Direction,
}

impl Ticks {
    /// The marks of an axis of so many pixels.
    pub(super) fn of(axis: &Axis, range: &Range<f64>, pixels: f64, direction: Direction) -> Self {
        let room = Room { range: range.clone(), pixels, direction };
        match axis.logarithmic {
            true => room.logarithmic(),
            false if axis.is_in_degrees() => room.degrees(),
            false => room.linear(),
        }
    }

    /// Pixels of the longest text.
    pub(super) fn widest(&self) -> f64 {
        self.major.iter().map(|(_, text)| letters::width(text, SIZE)).fold(0.0, f64::max)
    }
}

impl Room {
    /// Whether there is enough of it between marks.
    fn has(&self, ticks: &Ticks) -> bool {
        let needed = match self.direction {
            Direction::Across => (ticks.widest() + 16.0).max(44.0),
            Direction::Upward => 32.0,
        };
        let apart = |pair: &[(f64, String)]| (pair[1].0 - pair[0].0) / (self.range.end - self.range.start);
        ticks.major.windows(2).all(|pair| apart(pair) * self.pixels >= needed)
    }

    /// The first of these that has room, or else one number.
    fn first(&self, all: impl Iterator<Item = Ticks>) -> Ticks {
        let mut last = Ticks::default();
        for ticks in all {
            if !last.major.is_empty() && ticks.major.len() < 2 {
                break;
            }
            last = ticks;
            if self.has(&last) {
                return last;
            }
        }
        last.major.truncate(1);
        last
    }

    /// One, two or five times a power of ten apart.
    fn linear(&self) -> Ticks {
        self.first(steps(self.range.end - self.range.start).map(|step| marks(&self.range, step)))
    }

    /// At parts of a turn, where a quarter of a turn or more is shown; within less, as other numbers.
    fn degrees(&self) -> Ticks {
        let width = self.range.end - self.range.start;
        if width < 90.0 {
            return self.linear();
        }
        let parts = [15, 45, 90, 180].map(|digits| Decimal { digits, power: 0 });
        let turns = steps(width / 360.0).map(|step| Decimal { digits: 360 * step.digits, ..step });
        let all = parts.into_iter().filter(|step| step.value() >= 0.05 * width);
        let all = all.chain(turns.filter(|turns| turns.power >= 0));
        self.first(all.map(|step| marks(&self.range, step)))
    }

    /// At powers of ten; where there are few of them, at numbers between them.
    fn logarithmic(&self) -> Ticks {
        let powers = self.range.start.ceil() as i32..=self.range.end.floor() as i32;
        if powers.clone().count() >= 3 {
            return self.first([1, 2, 3, 5, 10, 20, 50, 100, 200].into_iter().map(|every| self.decades(every)));
        }
        let few = self.within_decades();
        if few.major.len() >= 2 && self.has(&few) {
            return few;
        }
        if powers.count() == 2 {
            return self.decades(1);
        }
        let numbers = 10_f64.powf(self.range.start)..10_f64.powf(self.range.end).min(f64::MAX);
        let on_log = |ticks: Ticks| {
            let major = ticks.major.into_iter().filter_map(|(x, text)| Some((self.inside(x.log10())?, text))).collect();
            Ticks { major, ..ticks }
        };
        self.first(steps(numbers.end - numbers.start).map(|step| on_log(marks(&numbers, step))))
    }

    /// Every so many powers of ten, and what lies between them if there is room for it.
    fn decades(&self, every: i32) -> Ticks {
        let decade = self.pixels / (self.range.end - self.range.start);
        let powers = self.range.start.floor() as i32..=self.range.end.ceil() as i32;
        let mut ticks = Ticks::default();
        for power in powers {
            let place = f64::from(power);
            if power % every == 0 {
                ticks.major.extend(self.inside(place).map(|place| (place, power_of_ten(power))));
            } else if decade >= 4.0 {
                ticks.minor.extend(self.inside(place));
            }
            if every == 1 && decade >= 36.0 {
                ticks.minor.extend((2..10).filter_map(|k| self.inside(place + f64::from(k).log10())));
            }
        }
        ticks
    }

    /// At one, two and five of each power of ten.
    fn within_decades(&self) -> Ticks {
        let mut ticks = Ticks::default();
        for power in self.range.start.floor() as i32..=self.range.end.ceil() as i32 {
            for digits in 1..10 {
                let Some(place) = self.inside(f64::from(power) + (digits as f64).log10()) else { continue };
                match digits {
                    1 | 2 | 5 => {
                        ticks.major.push((place, Decimal { digits, power }.text(!(-3..5).contains(&power))));
                    }
                    _ => ticks.minor.push(place),
                }
            }
        }
        ticks
    }

    fn inside(&self, place: f64) -> Option<f64> {
        (self.range.start..=self.range.end).contains(&place).then_some(place)
    }
}

/// Steps between marks that would be a twentieth of the width, and longer ones.
fn steps(width: f64) -> impl Iterator<Item = Decimal> {
    let first = if width.is_normal() { width.log10().floor() as i32 - 2 } else { i32::MAX };
    (first..first.saturating_add(3))
        .flat_map(|power| [1, 2, 5].map(|digits| Decimal { digits, power }))
        .filter(move |step| step.value() >= 0.05 * width)
}

/// Marks that are a step apart.
fn marks(range: &Range<f64>, step: Decimal) -> Ticks {
    let (width, apart) = (range.end - range.start, step.value());
    let counts = (range.start / apart - 0.5).floor() as i64..=(range.end / apart + 0.5).ceil() as i64;
    let numbers: Vec<Decimal> = counts
        .map(|count| Decimal { digits: count.saturating_mul(step.digits), power: step.power })
        .filter(|number| {
            let x = number.value();
            x.is_finite() && x >= range.start - 1e-9 * width && x <= range.end + 1e-9 * width
        })
        .collect();
    let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else { return Ticks::default() };
    let longest = first.digits.unsigned_abs().max(last.digits.unsigned_abs());
    let from = if longest < MOST_DIGITS as u64 { 0 } else { origin(first.digits, last.digits) };
    let counted = |number: &Decimal| Decimal { digits: number.digits - from, ..*number };
    let size = numbers.iter().filter_map(|number| counted(number).size()).max().unwrap_or(0);
    let text = |number| counted(number).text(!(-3..5).contains(&size));
    let origin = Decimal { digits: from, ..step };
    Ticks {
        major: numbers.iter().map(|number| (number.value().clamp(range.start, range.end), text(number))).collect(),
        minor: Vec::new(),
        from: origin.size().map(|size| origin.text(!(-5..16).contains(&size))),
    }
}

/// A number near these that ends with as many zeros as possible, so that the distances to it are short.
fn origin(first: i64, last: i64) -> i64 {
    let mut least = 10_i64;
    while least <= last - first {
        least *= 10;
    }
    let units = (1..=17).rev().map(|power| 10_i64.pow(power)).take_while(|unit| *unit >= least);
    let nearest = |unit: i64| (first + unit / 2).div_euclid(unit) * unit;
    let is_near = |origin: &i64| (first - origin).abs() < least && (last - origin).abs() < least;
    units.map(nearest).find(is_near).unwrap_or_else(|| first.div_euclid(least) * least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(logarithmic: bool, range: Range<f64>) -> Ticks {
        Ticks::of(&Axis { logarithmic, ..Axis::default() }, &range, 600.0, Direction::Across)
    }

    #[test]
    fn numbers_of_an_axis_differ_and_are_where_they_say() {
        for low in [0.0, 1.0, -1e300, 1e300, 0.9 * f64::MAX, -12.345_678_901, 1e-280, 1e9] {
            for wide in [1e-14, 1e-12, 1e-7, 0.01, 0.1] {
                let width = if low == 0.0 { wide * 1e-200 } else { 1.5 * wide * f64::abs(low) };
                let range = low..(low + width).min(f64::MAX);
                let ticks = marked(false, range.clone());
                let texts: Vec<&str> = ticks.major.iter().map(|(_, text)| text.as_str()).collect();
                assert!((2..=20).contains(&texts.len()), "{range:?}: {ticks:?}");
                assert!(texts.windows(2).all(|pair| pair[0] != pair[1]), "{ticks:?}");
                let from: f64 = ticks.from.as_ref().map_or(0.0, |from| from.parse().expect("a number"));
                for (place, text) in &ticks.major {
                    let said = from + text.parse::<f64>().expect("a number");
                    let off = (said - place).abs() / (range.end - range.start);
                    assert!(
                        (range.start..=range.end).contains(place) && off < 0.05 && text.len() < 12,
                        "{place} {from} {text}"
                    );
                }
            }
        }
    }

    #[test]
    fn logarithmic_axes_have_numbers_at_any_width() {
        for low in [-300.0, -7.3, 0.0, 2.1, 300.0] {
            for wide in [1e-9, 1e-4, 0.02, 0.2, 0.9, 1.5, 2.0, 3.0, 7.0, 16.0, 300.0] {
                if low < -290.0 && wide < 0.01 {
                    continue; // has the range of a constant
                }
                let range = low..f64::min(low + wide, 308.0);
                let ticks = marked(true, range.clone());
                assert!(ticks.major.len() >= 2, "{range:?}: {ticks:?}");
                assert!(
                    ticks.major.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1),
                    "{ticks:?}"
                );
                let inside = |place: &f64| range.contains(place) || *place == range.end;
                assert!(ticks.major.iter().map(|(place, _)| place).chain(&ticks.minor).all(inside), "{ticks:?}");
            }
        }
        assert_eq!(marked(true, -2.0..1.0).minor.len(), 24, "between decades");
    }

    #[test]
    fn degrees_are_counted_in_parts_of_a_turn() {
        let marked = |range: Range<f64>| {
            let axis = Axis { label: "phase [deg]".to_owned(), ..Axis::default() };
            let ticks = Ticks::of(&axis, &range, 400.0, Direction::Upward);
            ticks.major.into_iter().map(|(place, _)| place).collect::<Vec<f64>>()
        };
        assert_eq!(marked(-280.0..95.0), (-6..=2).map(|k| 45.0 * f64::from(k)).collect::<Vec<_>>());
        assert_eq!(marked(-95.0..2.0), [-90.0, -75.0, -60.0, -45.0, -30.0, -15.0, 0.0]);
        assert_eq!(marked(-800.0..10.0), [-720.0, -630.0, -540.0, -450.0, -360.0, -270.0, -180.0, -90.0, 0.0]);
        assert_eq!(marked(-10.0..10_000.0), [0.0, 1800.0, 3600.0, 5400.0, 7200.0, 9000.0]);
        // a small angle is a number as others
        assert_eq!(marked(-1.0..43.0), [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0]);
    }

    #[test]
    fn an_origin_is_round() {
        assert_eq!(origin(-100_001_000, -99_999_000), -100_000_000);
        assert_eq!(origin(123_456_781, 123_456_789), 123_456_780);
        assert_eq!(origin(-123_456_789, -123_456_781), -123_456_790);
    }
}
