//! The history of a run as named numbers, for checkpoints.

use crate::numbers::scalar::Scalar;

/// A visitor of named parts. It reads them, or replaces them by saved ones of the same shape.
pub trait Parts<T: Scalar> {
    /// Numbers, one for each entry of their kind. Those named `q` are coordinates, whose rotations are checked when a
    /// checkpoint is resumed.
    fn numbers(&mut self, name: &'static str, numbers: &mut [T]);

    /// A count, an index, or 1 for true.
    fn count(&mut self, name: &'static str, count: &mut u64);

    /// A number that may be missing.
    fn optional(&mut self, name: &'static str, number: &mut Option<T>) {
        let (mut some, mut value) = (u64::from(number.is_some()), [number.unwrap_or(T::ZERO)]);
        self.count(name, &mut some);
        self.numbers(name, &mut value);
        let [value] = value;
        *number = (some != 0).then_some(value);
    }
}

/// State that can be saved as numbers and restored: [`Method::Memory`](crate::Method::Memory).
pub trait History<T: Scalar>: Clone {
    /// Shows every number to `parts`, always in the same order, so that equal numbers mean an equal memory to the bit.
    fn visit(&mut self, parts: &mut dyn Parts<T>);
}

impl<T: Scalar> History<T> for () {
    fn visit(&mut self, _parts: &mut dyn Parts<T>) {}
}

impl<T: Scalar, H: History<T>, const N: usize> History<T> for [H; N] {
    fn visit(&mut self, parts: &mut dyn Parts<T>) {
        self.iter_mut().for_each(|each| each.visit(parts));
    }
}

impl<T: Scalar, A: History<T>, B: History<T>> History<T> for (A, B) {
    fn visit(&mut self, parts: &mut dyn Parts<T>) {
        self.0.visit(parts);
        self.1.visit(parts);
    }
}
