//! Ranges of axes, and what is written beside them.

/// How an axis is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Axis {
    pub(super) label: String,
    pub(super) logarithmic: bool,
}

/// The range of an axis that has room for all of these numbers.
pub(super) fn range(numbers: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (low, high) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    // A constant has some room above and below.
    let margin = match high - low {
        width if width > 1e-12 * low.abs().max(high.abs()) => 0.04 * width,
        _ if low == 0.0 => 1.0,
        _ => 0.1 * low.abs(),
    };
    low - margin..high + margin
}

impl Axis {
    /// Where a number is on an axis whose numbers are equally far apart; nothing where it has no place.
    pub(super) fn place(&self, x: f64) -> Option<f64> {
        let x = if self.logarithmic { x.log10() } else { x };
        x.is_finite().then_some(x)
    }

    /// What is written at a number of the axis; nothing between the powers of a logarithmic one.
    pub(super) fn text(&self, x: f64, range: &std::ops::Range<f64>) -> String {
        if self.logarithmic {
            let power = x.round();
            return if (x - power).abs() < 1e-6 { power_of_ten(power) } else { String::new() };
        }
        plain(x, range.end - range.start)
    }
}

/// A number to a hundredth of the width of its axis.
fn plain(x: f64, width: f64) -> String {
    let x = if x.abs() < 1e-9 * width { 0.0 } else { x };
    if x != 0.0 && !(1e-3..1e5).contains(&x.abs().max(width)) {
        return format!("{x:.1e}");
    }
    let digits = (2.0 - width.log10().ceil()).clamp(0.0, 9.0) as usize;
    let text = format!("{x:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// 10⁻³
fn power_of_ten(power: f64) -> String {
    let raised = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    format!("10{}", format!("{power}").chars().map(raised).collect::<String>())
}
