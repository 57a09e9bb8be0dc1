//! Numbers as people read them.

/// A number with so many digits.
pub(crate) fn short(x: f64, digits: usize) -> String {
    let rounded: f64 = format!("{x:.0$e}", digits.saturating_sub(1)).parse().unwrap_or(x);
    if rounded == 0.0 || (1e-4..1e7).contains(&rounded.abs()) { format!("{rounded}") } else { format!("{rounded:e}") }
}
