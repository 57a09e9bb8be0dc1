//! Lowest and highest values, with their names.

use crate::error::unknown::UnknownName;
use crate::numbers::scalar::Scalar;

/// The lowest and the highest value of each input or limit of a model: blocks with accessors, and by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranges<'a, B> {
    /// what they are of: `input` or `limit`
    pub what: &'static str,
    /// a name for each entry
    pub names: &'a [&'a str],
    /// lowest values, −∞ where the model gives none
    pub low: B,
    /// highest values, ∞ where the model gives none
    pub high: B,
}

impl<'a, B> Ranges<'a, B> {
    /// Name, lowest and highest value of each entry, in the order of the block.
    pub fn iter<T: Scalar>(&self) -> impl Iterator<Item = (&'a str, T, T)>
    where
        B: AsRef<[T]>,
    {
        let values = self.low.as_ref().iter().zip(self.high.as_ref());
        self.names.iter().zip(values).map(|(&name, (&low, &high))| (name, low, high))
    }

    /// The lowest and the highest value of the entry of this name.
    ///
    /// # Errors
    /// [`UnknownName`] with what the name may have meant.
    pub fn of<T: Scalar>(&self, name: &str) -> Result<(T, T), UnknownName>
    where
        B: AsRef<[T]>,
    {
        let found = self.iter().find(|&(known, ..)| known == name);
        let (_, low, high) = found.ok_or_else(|| UnknownName::new(self.what, name, self.names.iter().copied()))?;
        Ok((low, high))
    }
}
