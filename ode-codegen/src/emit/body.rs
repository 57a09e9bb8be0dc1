//! What a function does: its statements, behind the bindings of what they read.

use std::collections::BTreeMap;
use std::fmt;

use crate::lower::Input;

/// Statements, and the entries of input arrays that they read by a name of their own, such as `q1` for `q[1]`.
///
/// rustc looks for a trait at each index of a reference, and at each operator beside a literal without a type. With
/// entries that are bound once, and literals with a suffix, it checks kernels in less than half the time.
#[derive(Default)]
pub(super) struct Body {
    pub(super) text: String,
    pub(super) reads: BTreeMap<Input, Vec<bool>>,
}

impl fmt::Write for Body {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.write_str(text)
    }
}

impl Body {
    pub(super) fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// An entry of an array is read.
    pub(super) fn read(&mut self, input: Input, entry: usize) {
        let entries = self.reads.entry(input).or_default();
        if entry >= entries.len() {
            entries.resize(entry + 1, false);
        }
        entries[entry] = true;
    }

    pub(super) fn push(&mut self, character: char) {
        self.text.push(character);
    }
}

/// Binds entries of the array behind reference `array` to the names that `name` appends, which says whether there is
/// one.
pub(super) fn binding(array: &str, len: usize, name: impl Fn(usize, &mut String) -> bool) -> String {
    let mut text = "let &[".to_owned();
    let (mut read, mut end) = (0, text.len());
    for k in 0..len {
        if name(k, &mut text) {
            read = k + 1;
            end = text.len();
        } else {
            text.push('_');
        }
        text.push_str(", ");
    }
    text.truncate(end);
    if read < len {
        text.push_str(if read == 0 { ".." } else { ", .." });
    }
    text.push_str("] = ");
    text.push_str(array);
    text.push_str(";\n");
    text
}
