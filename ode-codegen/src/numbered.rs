//! Text of many small parts, and numbered names such as `w12`.

use std::fmt;

/// A text that is written part by part. `String` copies each with a call of several others where nothing is optimised,
/// as a procedural macro is in most builds, and the text of a kernel is mostly names of a few letters.
#[derive(Default)]
pub(crate) struct Text {
    /// what is written, and room; no vector: without optimisation each index of one is a call
    bytes: Box<[u8]>,
    len: usize,
}

impl Text {
    /// Number of bytes.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Forgets what is behind a place.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        let text = text.as_bytes();
        let (start, end) = (self.len, self.len + text.len());
        self.reach(end);
        let bytes: &mut [u8] = &mut self.bytes;
        if text.len() > 16 {
            bytes[start..end].copy_from_slice(text);
        } else {
            let mut k = 0;
            while k < text.len() {
                bytes[start + k] = text[k];
                k += 1;
            }
        }
        self.len = end;
    }

    /// Appends what stands between two operands.
    pub(crate) fn spaced(&mut self, operator: &str) {
        let operator = operator.as_bytes();
        let end = self.len + operator.len() + 2;
        self.reach(end);
        let bytes: &mut [u8] = &mut self.bytes;
        bytes[self.len] = b' ';
        let mut k = 0;
        while k < operator.len() {
            bytes[self.len + 1 + k] = operator[k];
            k += 1;
        }
        bytes[end - 1] = b' ';
        self.len = end;
    }

    /// Appends a number in decimal.
    pub(crate) fn number(&mut self, value: usize) {
        let (mut digits, mut rest) = (1, value);
        while rest >= 10 {
            rest /= 10;
            digits += 1;
        }
        let end = self.len + digits;
        self.reach(end);
        let bytes: &mut [u8] = &mut self.bytes;
        let (mut at, mut rest) = (end, value);
        while at > self.len {
            at -= 1;
            bytes[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        self.len = end;
    }

    /// Appends a name and its number.
    pub(crate) fn numbered(&mut self, name: &str, value: usize) {
        self.push_str(name);
        self.number(value);
    }

    /// Makes room up to a place.
    fn reach(&mut self, end: usize) {
        if end > self.bytes.len() {
            let mut larger = vec![0; (2 * end).max(256)].into_boxed_slice();
            larger[..self.len].copy_from_slice(&self.bytes[..self.len]);
            self.bytes = larger;
        }
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        let mut bytes = text.bytes.into_vec();
        bytes.truncate(text.len);
        // strings put together are one, unless one was cut inside of a letter, which nobody does
        String::from_utf8(bytes).unwrap_or_default()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        let mut all = Self::default();
        all.push_str(text);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_one_another() {
        let mut text = Text::from("w");
        for (value, name) in [(0, ", w"), (9, ", x"), (10, ""), (4_294_967_295, " – and a longer part of the text")] {
            text.number(value);
            text.push_str(name);
        }
        text.spaced("+=");
        let len = text.len();
        text.numbered(" gone ", 1);
        text.truncate(len);
        assert_eq!(String::from(text), "w0, w9, x104294967295 – and a longer part of the text += ");
    }
}
