//! Names that an unknown one may have meant.

/// Most names in one line.
const MOST: usize = 12;

/// The name most like `name`, for "did you mean". Short names must differ in one letter only, one-letter names in case
/// only; of equals the first wins.
pub(crate) fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = name.chars().count();
    let most = match letters {
        0 | 1 => 0,
        2..=3 => 1,
        4..=6 => 2,
        _ => 3,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = if candidate.eq_ignore_ascii_case(name) { 0 } else { edit_distance(name, candidate) };
        let short = candidate.chars().count() <= 1 && distance > 0;
        if distance <= most && !short && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The names there are instead of `name`, those that begin as it does first; `None` if there are none.
pub(crate) fn listed<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let initial = |name: &str| name.chars().next().map(|c| c.to_ascii_lowercase());
    let mut names: Vec<&str> = candidates.into_iter().collect();
    names.sort_by_key(|candidate| initial(candidate) != initial(name));
    let shown: Vec<String> = names.iter().take(MOST).map(|n| format!("`{n}`")).collect();
    let more = names.len() - shown.len();
    match (shown.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(shown.join(", ")),
        (false, more) => Some(format!("{} and {more} more", shown.join(", "))),
    }
}

/// Letters to insert, delete, replace or swap to turn one word into the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut cost = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(before[j - 2] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
