//! Names of a model, copied.

use core::fmt;

/// A name of the model, copied so that an error outlives it; the longest are cut at 46 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Name {
    text: [u8; 46],
    len: u8,
}

impl Name {
    /// Copies `name`.
    pub fn new(name: &str) -> Self {
        let mut copy = Self { text: [0; 46], len: 0 };
        copy.push(name);
        copy
    }

    fn push(&mut self, name: &str) {
        let room = self.text.get_mut(usize::from(self.len)..).unwrap_or_default();
        let mut len = name.len().min(room.len());
        while !name.is_char_boundary(len) {
            len -= 1;
        }
        for (to, from) in room.iter_mut().zip(name.as_bytes().iter().take(len)) {
            *to = *from;
        }
        self.len += len as u8;
    }

    /// A name made of other texts.
    pub(crate) fn written(text: fmt::Arguments<'_>) -> Self {
        let mut name = Self::new("");
        // A pen never fails.
        let _ = fmt::Write::write_fmt(&mut Pen(&mut name), text);
        name
    }

    /// The name of entry `index`, empty where the layout has none.
    pub(crate) fn of(names: &[&str], index: usize) -> Self {
        Self::new(names.get(index).copied().unwrap_or(""))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.text.get(..usize::from(self.len)).and_then(|text| core::str::from_utf8(text).ok()).unwrap_or("")
    }
}

/// Writes at the end of a name; what does not fit is cut.
struct Pen<'a>(&'a mut Name);

impl fmt::Write for Pen<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.push(text);
        Ok(())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Names of the model, each in backticks. Names that do not fit into `ROOM` bytes, at most 255, are only counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Names<const ROOM: usize = 79> {
    text: [u8; ROOM],
    len: u8,
    more: u16,
}

impl<const ROOM: usize> Names<ROOM> {
    /// No names.
    pub const fn none() -> Self {
        Self { text: [0; ROOM], len: 0, more: 0 }
    }

    /// Adds a name.
    pub fn push(&mut self, name: &str) {
        let start = usize::from(self.len);
        let comma = if start == 0 { "" } else { ", " };
        let end = start + comma.len() + name.len() + 2;
        let Some(room) = self.text.get_mut(start..end).filter(|_| self.more == 0) else {
            self.more = self.more.saturating_add(1);
            return;
        };
        let bytes = comma.bytes().chain(core::iter::once(b'`')).chain(name.bytes()).chain(core::iter::once(b'`'));
        for (to, from) in room.iter_mut().zip(bytes) {
            *to = from;
        }
        self.len = end as u8;
    }

    /// The names that fit, such as "`a`, `b`".
    pub fn as_str(&self) -> &str {
        self.text.get(..usize::from(self.len)).and_then(|text| core::str::from_utf8(text).ok()).unwrap_or("")
    }

    /// The number of names that do not fit.
    pub fn more(&self) -> usize {
        usize::from(self.more)
    }

    /// Whether `name` is one of the names that fit.
    pub fn contains(&self, name: &str) -> bool {
        self.as_str().split('`').skip(1).step_by(2).any(|own| own == name)
    }
}

impl<const ROOM: usize> fmt::Debug for Names<ROOM> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl<const ROOM: usize> fmt::Display for Names<ROOM> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())?;
        match (self.len, self.more) {
            (_, 0) => Ok(()),
            (0, more) => write!(f, "{more} rows"),
            (_, more) => write!(f, " and {more} more"),
        }
    }
}

/// What a method is called, as users write it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MethodName {
    name: &'static str,
    /// the method inside, if it is composed of one
    of: Option<&'static str>,
}

impl MethodName {
    /// The name of a type, or of a constructor: `Geodesic`, `BackwardEuler::linearized`.
    pub const fn new(name: &'static str) -> Self {
        Self { name, of: None }
    }

    /// The name of what `constructor` makes of this method: `Composition::suzuki(StormerVerlet)`.
    pub const fn within(self, constructor: &'static str) -> Self {
        Self { name: constructor, of: Some(self.name) }
    }

    /// The same for comparison with a name that was read.
    pub(crate) fn text(self) -> Name {
        Name::written(format_args!("{self}"))
    }
}

impl fmt::Debug for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            Some(of) => write!(f, "{}({of})", self.name),
            None => f.write_str(self.name),
        }
    }
}
