//! Numbered names, such as `w12`.

/// Appends a number in decimal. `write!` takes longer where nothing is optimised, as a procedural macro is in most
/// builds, and the text of a kernel is mostly such names.
pub(crate) fn number(out: &mut String, value: usize) {
    if value >= 10 {
        number(out, value / 10);
    }
    out.push((b'0' + (value % 10) as u8) as char);
}

/// Appends a name and its number.
pub(crate) fn numbered(out: &mut String, name: &str, value: usize) {
    out.push_str(name);
    number(out, value);
}
