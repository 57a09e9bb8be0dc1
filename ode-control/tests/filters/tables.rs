//! Tables of reference numbers, and how far off others are.

/// The rows below a line of names.
pub fn rows<const N: usize>(text: &str) -> Vec<[f64; N]> {
    let row = |line: &str| {
        let numbers: Vec<f64> = line.split(',').map(|x| x.parse().expect("a number")).collect();
        numbers.try_into().expect("N columns")
    };
    text.lines().skip(1).map(row).collect()
}

/// The largest difference.
pub fn off(found: &[f64], wanted: &[f64]) -> f64 {
    assert_eq!(found.len(), wanted.len());
    found
        .iter()
        .zip(wanted)
        .map(|(x, y)| if (x - y).is_finite() { (x - y).abs() } else { f64::INFINITY })
        .fold(0.0, f64::max)
}

/// The largest difference, relative to sizes.
pub fn off_by(found: &[f64], wanted: &[f64], sizes: &[f64]) -> f64 {
    let relative = |numbers: &[f64]| -> Vec<f64> { numbers.iter().zip(sizes).map(|(x, size)| x / size).collect() };
    assert_eq!(found.len(), sizes.len());
    off(&relative(found), &relative(wanted))
}
