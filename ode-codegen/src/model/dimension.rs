//! Dimensions: products of powers of metre, kilogram, second, ampere and kelvin, with rational exponents.

use std::fmt;

/// Names of the base units, in the order of the exponents.
const BASE: [&str; 5] = ["m", "kg", "s", "A", "K"];

/// Units with a name of their own, in the order they are preferred in messages.
const NAMED: [(&str, [i32; 5]); 8] = [
    ("N", [1, 1, -2, 0, 0]),
    ("J", [2, 1, -2, 0, 0]),
    ("W", [2, 1, -3, 0, 0]),
    ("Pa", [-1, 1, -2, 0, 0]),
    ("V", [2, 1, -3, -1, 0]),
    ("ohm", [2, 1, -3, -2, 0]),
    ("H", [2, 1, -2, -2, 0]),
    ("C", [0, 0, 1, 1, 0]),
];

/// Largest numerator or denominator of an exponent; beyond it a unit is not worth printing.
const LARGEST: i32 = 1000;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Exponent {
    num: i32,
    den: i32,
}

impl Exponent {
    /// `num / den`, `None` if it cannot be held.
    pub(crate) fn new(num: i64, den: i64) -> Option<Self> {
        let divisor = gcd(num.unsigned_abs(), den.unsigned_abs());
        if den == 0 || divisor == 0 {
            return None;
        }
        let divisor = i64::try_from(divisor).ok()? * den.signum();
        let (num, den) = (num / divisor, den / divisor);
        let fits = |n: i64| i32::try_from(n).ok().filter(|n| n.abs() <= LARGEST);
        Some(Exponent { num: fits(num)?, den: fits(den)? })
    }

    /// An exponent from a literal such as 0.5: a fraction with a small denominator.
    pub(crate) fn from_f64(value: f64) -> Option<Self> {
        (1..=12).find_map(|den| {
            let num = value * f64::from(den);
            let whole = num.round();
            let close = whole.abs() <= f64::from(LARGEST) && (num - whole).abs() < 1e-9;
            if close { Exponent::new(whole as i64, i64::from(den)) } else { None }
        })
    }

    /// Numerator.
    pub(crate) fn num(self) -> i32 {
        self.num
    }

    /// Denominator, positive.
    pub(crate) fn den(self) -> i32 {
        self.den
    }

    fn add(self, other: Self) -> Option<Self> {
        let (a, b) = (i64::from(self.num) * i64::from(other.den), i64::from(other.num) * i64::from(self.den));
        Exponent::new(a + b, i64::from(self.den) * i64::from(other.den))
    }

    fn mul(self, other: Self) -> Option<Self> {
        Exponent::new(i64::from(self.num) * i64::from(other.num), i64::from(self.den) * i64::from(other.den))
    }
}

impl fmt::Display for Exponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.num, self.den) {
            (num, 1) => write!(f, "{num}"),
            (num, den) => write!(f, "({num}/{den})"),
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Dimension([Exponent; 5]);

impl Dimension {
    /// Dimensionless.
    pub(crate) const ONE: Self = Dimension::whole([0; 5]);
    /// `m`
    pub(crate) const METRE: Self = Dimension::whole([1, 0, 0, 0, 0]);
    /// `kg`
    pub(crate) const KILOGRAM: Self = Dimension::whole([0, 1, 0, 0, 0]);
    /// `s`
    pub(crate) const SECOND: Self = Dimension::whole([0, 0, 1, 0, 0]);
    /// `J`
    pub(crate) const JOULE: Self = Dimension::whole([2, 1, -2, 0, 0]);
    /// `W`
    pub(crate) const WATT: Self = Dimension::whole([2, 1, -3, 0, 0]);

    /// Whole exponents of m, kg, s, A and K.
    pub(crate) const fn whole(exponents: [i32; 5]) -> Self {
        let [a, b, c, d, e] = exponents;
        const fn whole(num: i32) -> Exponent {
            Exponent { num, den: 1 }
        }
        Dimension([whole(a), whole(b), whole(c), whole(d), whole(e)])
    }

    /// Product, `None` if an exponent cannot be held.
    pub(crate) fn mul(self, other: Self) -> Option<Self> {
        let mut all = self.0;
        for (a, b) in all.iter_mut().zip(other.0) {
            *a = a.add(b)?;
        }
        Some(Dimension(all))
    }

    /// Quotient.
    pub(crate) fn div(self, other: Self) -> Option<Self> {
        self.mul(other.pow(Exponent { num: -1, den: 1 })?)
    }

    /// Power.
    pub(crate) fn pow(self, exponent: Exponent) -> Option<Self> {
        let mut all = self.0;
        for a in &mut all {
            *a = a.mul(exponent)?;
        }
        Some(Dimension(all))
    }
}

/// `kg*m^2/s`, or the unit's own name.
impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = NAMED.iter().find(|(_, e)| Dimension::whole(*e) == *self) {
            return f.write_str(name);
        }
        // Mass first, as one says it: kg*m^2/s.
        let order = [1, 0, 2, 3, 4];
        let factor = |i: usize, e: Exponent| match e {
            Exponent { num: 1, den: 1 } => BASE[i].to_owned(),
            e => format!("{}^{e}", BASE[i]),
        };
        let above: Vec<String> = order.iter().filter(|i| self.0[**i].num > 0).map(|&i| factor(i, self.0[i])).collect();
        f.write_str(&if above.is_empty() { "1".to_owned() } else { above.join("*") })?;
        for i in order {
            let Exponent { num, den } = self.0[i];
            if num < 0 {
                write!(f, "/{}", factor(i, Exponent { num: -num, den }))?;
            }
        }
        Ok(())
    }
}
