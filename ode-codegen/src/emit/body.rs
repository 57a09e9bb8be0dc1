//! What a function does: its statements, behind the bindings of what they read.

use std::collections::BTreeMap;
use std::fmt;

use crate::lower::Input;
use crate::model::Shape;
use crate::numbered::Text;

use super::shapes::members;

/// Statements, and the entries of input arrays that they read by a name of their own, such as `q1` for `q[1]`.
///
/// rustc looks for a trait at each index of a reference, and at each operator beside a literal without a type. With
/// entries that are bound once, and literals with a suffix, it checks kernels in less than half the time.
#[derive(Default)]
pub(super) struct Body {
    pub(super) text: Text,
    pub(super) reads: BTreeMap<Input, Vec<bool>>,
}

impl fmt::Write for Body {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.push_str(text);
        Ok(())
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
}

/// Binds numbers behind reference `array` to the names that `name` appends, which says whether there is one.
pub(super) fn binding(array: &str, shape: &Shape, name: impl Fn(usize, &mut Text) -> bool) -> String {
    let mut text = Text::from("let &");
    pattern(shape, 0, &name, &mut text);
    text.push_str(" = ");
    text.push_str(array);
    text.push_str(";\n");
    text.into()
}

/// The pattern of numbers from `first` on; says whether there is one, which has a name.
fn pattern(shape: &Shape, first: usize, name: &dyn Fn(usize, &mut Text) -> bool, text: &mut Text) -> bool {
    let Some((len, inner)) = members(shape) else { return name(first, text) };
    let (start, each, flat) = (text.len(), inner.len(), *inner == Shape::Scalar);
    text.push_str("[");
    let (mut read, mut end) = (0, text.len());
    for k in 0..len {
        let at = first + k * each;
        let named = if flat { name(at, text) } else { pattern(&inner, at, name, text) };
        if named {
            read = k + 1;
            end = text.len();
        } else {
            text.push_str("_");
        }
        text.push_str(", ");
    }
    text.truncate(if read > 0 { end } else { start });
    if read > 0 {
        text.push_str(if read < len { ", ..]" } else { "]" });
    }
    read > 0
}
