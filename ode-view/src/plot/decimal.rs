//! Decimal numbers as they stand at ticks: exact, so that no two are written alike.

/// An integer times a power of ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Decimal {
    pub(super) digits: i64,
    pub(super) power: i32,
}

impl Decimal {
    /// The nearest number.
    pub(super) fn value(self) -> f64 {
        format!("{}e{}", self.digits, self.power).parse().unwrap_or(f64::NAN)
    }

    /// The power of ten of its first digit; of zero, none.
    pub(super) fn size(self) -> Option<i32> {
        Some(self.power + self.digits.unsigned_abs().checked_ilog10()? as i32)
    }

    /// `-0.25`, or `-2.5e-1`.
    pub(super) fn text(self, scientific: bool) -> String {
        let Some(size) = self.size() else { return "0".to_owned() };
        let sign = if self.digits < 0 { "-" } else { "" };
        let all = self.digits.unsigned_abs().to_string();
        let significant = all.trim_end_matches('0');
        if scientific {
            let (first, rest) = significant.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            return format!("{sign}{first}{point}{rest}e{size}");
        }
        if size < 0 {
            let zeros = "0".repeat((-size - 1) as usize);
            return format!("{sign}0.{zeros}{significant}");
        }
        let before = 1 + size as usize;
        match significant.split_at_checked(before) {
            Some((whole, rest)) if !rest.is_empty() => format!("{sign}{whole}.{rest}"),
            _ => format!("{sign}{significant:0<before$}"),
        }
    }
}

/// 10⁻³
pub(super) fn power_of_ten(power: i32) -> String {
    let raised = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    format!("10{}", power.to_string().chars().map(raised).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_do() {
        let text = |digits, power| [false, true].map(|scientific| Decimal { digits, power }.text(scientific));
        assert_eq!(text(25, -2), ["0.25", "2.5e-1"]);
        assert_eq!(text(-250, -3), ["-0.25", "-2.5e-1"]);
        assert_eq!(text(120, 1), ["1200", "1.2e3"]);
        assert_eq!(text(12_345, -2), ["123.45", "1.2345e2"]);
        assert_eq!(text(5, -4), ["0.0005", "5e-4"]);
        assert_eq!(text(0, 7), ["0", "0"]);
        assert_eq!(Decimal { digits: 15, power: 299 }.value(), 1.5e300);
        assert_eq!(Decimal { digits: 3, power: -1 }.value(), 0.3);
        assert_eq!(power_of_ten(-304), "10⁻³⁰⁴");
    }
}
