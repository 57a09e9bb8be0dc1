//! Colors: those of a model, and a row of them for what has none.

/// Red, green and blue.
pub(crate) type Color = [u8; 3];

/// Colors that are told apart with any kind of eyes, also on paper. Source: Okabe & Ito, Color Universal Design (2002),
/// the yellow left out.
const ROW: [Color; 6] = [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [230, 159, 0]];

/// How many there are before they come again.
pub(crate) const COUNT: usize = ROW.len();

/// The color of the n-th of its kind.
pub(crate) fn of(n: usize) -> Color {
    ROW[n % ROW.len()]
}

/// As a web page writes it.
pub(crate) fn hex([r, g, b]: Color) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}
