//! Numbers as they were typed.

/// The nearest number of 14 significant digits: `x` as it was typed, where a few roundings have passed since.
pub(crate) fn typed(x: f64) -> f64 {
    let size = x.abs();
    // Powers of ten up to 10²² are exact, and so are integers below 2⁵³.
    if !(1e-8..1e14).contains(&size) {
        return x;
    }
    let mut power = 1.0;
    while size * power < 1e13 {
        power *= 10.0;
    }
    let digits = (size * power + 0.5) as u64 as f64;
    (digits / power).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roundings_are_undone() {
        for x in [0.3, -1.1, 40.0, 2.0 / 3.0, 1e-7, 12_345.678, 9.81e9] {
            for unit in [1e-3, core::f64::consts::PI / 180.0, 1e5, 0.0254] {
                let shown = typed(x * unit / unit * (1.0 + f64::EPSILON));
                assert!((shown - x).abs() <= 5e-14 * x.abs(), "{x} {shown}");
                assert!(x == 2.0 / 3.0 || shown == x, "{x} {shown}");
            }
        }
    }

    #[test]
    fn other_numbers_stay() {
        for x in [0.0, 1e-300, 1e300, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(typed(x), x);
        }
        assert!(typed(f64::NAN).is_nan());
    }
}
