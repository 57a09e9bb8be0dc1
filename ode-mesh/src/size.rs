//! Length, area and volume of what nodes span.

/// Length, area or signed volume of what these nodes span, and a size that edges of the longest edge's length would
/// give.
pub(crate) fn size(points: &[[f64; 3]], nodes: &[usize]) -> (f64, f64) {
    let edges = |k: usize| less(points[nodes[k]], points[nodes[0]]);
    let longest = nodes.iter().enumerate().flat_map(|(k, &a)| nodes[k + 1..].iter().map(move |&b| (a, b)));
    let longest = longest.map(|(a, b)| norm(less(points[b], points[a]))).fold(0.0, f64::max);
    match nodes.len() {
        // beside the distance from the origin, which has its own round-off
        2 => (longest, norm(points[nodes[0]]).max(longest)),
        3 => (0.5 * norm(cross(edges(1), edges(2))), longest.powi(2)),
        _ => (dot(edges(1), cross(edges(2), edges(3))) / 6.0, longest.powi(3)),
    }
}

pub(crate) fn less(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}
