//! What the harness must know of a kernel: how many numbers it writes, its operations, and what each of them is.

use std::fmt::Write as _;

use ode_model::{Pattern, Wide};

use crate::kernels::Kernel;

/// Where an output stands: its name in the peers' packing, its index, and whether its sign is the other.
///
/// Names are `a.0` for an entry, `tangent.0.3` for row and column. Constraint functions of the peers are the negatives
/// of ours, so that multipliers agree.
pub(crate) struct Place {
    pub(crate) name: String,
    pub(crate) index: usize,
    pub(crate) negative: bool,
}

/// Entries of a vector that begins at this byte of the output.
pub(crate) fn vector<T>(name: &str, offset: usize, len: usize) -> impl Iterator<Item = Place> {
    let first = offset / size_of::<T>();
    let negative = name == "phi";
    (0..len).map(move |i| Place { name: format!("{name}.{i}"), index: first + i, negative })
}

/// Nonzeros of a matrix that begins at this byte; `name` may leave some out, and says whether the sign is the other.
pub(crate) fn matrix<T>(
    pattern: Pattern<'_>,
    offset: usize,
    name: impl Fn(usize, usize) -> Option<(String, bool)>,
) -> Vec<Place> {
    let first = offset / size_of::<T>();
    let places = pattern.entries().enumerate().filter_map(|(k, (row, column))| {
        let (name, negative) = name(row, column)?;
        Some(Place { name, index: first + k, negative })
    });
    places.collect()
}

/// Operations of the named calls in a listing: their heads end with `= 27`. Short columns are solved in their own call.
fn operations(listing: &str, calls: &[(&str, usize)]) -> usize {
    let of = |call: &str| {
        let head = listing.lines().find(|line| line.split("  ; ops:").next() == Some(call))?;
        head.rsplit("= ").next()?.parse::<usize>().ok()
    };
    let solved = listing.contains("acceleration_columns[");
    let made = calls.iter().filter(|(call, _)| !(solved && *call == "saddle_solution"));
    made.map(|&(call, times)| times * of(call).unwrap_or(0)).sum()
}

/// Name, number of outputs, operations, states a call, then `name:index` of every output, `-name:index` for the other
/// sign, divided by blanks.
pub(crate) fn line<K: Kernel>(name: &str, listing: &str) -> String {
    let kernel = K::new();
    let outputs = size_of::<K::Out>() / size_of::<K::Real>();
    let mut line = format!("{name} {outputs} {} {}", operations(listing, &kernel.calls()), K::Real::LANES);
    for Place { name, index, negative } in kernel.places() {
        assert!(index < outputs, "blocks are arrays");
        let _ = write!(line, " {}{name}:{index}", if negative { "-" } else { "" });
    }
    line
}
