//! Parameters together with what a model's calls have of them alone.

use core::fmt;
use core::ops::Deref;

/// Parameters of which a model computes values once: `model!` with the option `prepared` implements it.
pub trait Prepare {
    /// the values, in the order of the call `prepare` of the model's listing
    type Values;

    /// What the model's calls read instead of expressions of parameters alone.
    fn prepare(&self) -> Self::Values;
}

/// Parameters and their values. These are never those of other parameters: nothing gives access to the parameters but
/// by [`Prepared::change`], after which the values are computed again.
#[derive(Clone, Copy)]
pub struct Prepared<P, V> {
    parameters: P,
    values: V,
}

impl<P: Prepare<Values = V>, V> Prepared<P, V> {
    /// Computes the values.
    pub fn new(parameters: P) -> Self {
        let values = parameters.prepare();
        Self { parameters, values }
    }

    /// Changes parameters, and computes the values again. If `change` panics, nothing has changed.
    pub fn change(&mut self, change: impl FnOnce(&mut P))
    where
        P: Clone,
    {
        let mut parameters = self.parameters.clone();
        change(&mut parameters);
        *self = Self::new(parameters);
    }
}

impl<P, V> Prepared<P, V> {
    /// The values.
    #[inline]
    pub fn values(&self) -> &V {
        &self.values
    }
}

impl<P, V> Deref for Prepared<P, V> {
    type Target = P;

    #[inline]
    fn deref(&self) -> &P {
        &self.parameters
    }
}

impl<P: PartialEq, V> PartialEq for Prepared<P, V> {
    fn eq(&self, other: &Self) -> bool {
        self.parameters == other.parameters
    }
}

impl<P: fmt::Debug, V> fmt::Debug for Prepared<P, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parameters.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    struct Rod {
        mass: f64,
        length: f64,
    }

    impl Prepare for Rod {
        type Values = [f64; 1];

        fn prepare(&self) -> [f64; 1] {
            [self.mass * self.length * self.length / 12.0]
        }
    }

    #[test]
    fn values_are_those_of_the_parameters() {
        let mut rod = Prepared::new(Rod { mass: 3.0, length: 2.0 });
        assert_eq!(*rod.values(), [1.0]);
        let before = rod.clone();
        rod.change(|rod| rod.length = 4.0);
        assert_eq!((rod.length, *rod.values()), (4.0, [4.0]));
        assert!(rod != before && *before.values() == [1.0]);
        assert_eq!(std::format!("{rod:?}"), "Rod { mass: 3.0, length: 4.0 }");
    }

    #[test]
    fn a_change_that_panics_changes_nothing() {
        let mut rod = Prepared::new(Rod { mass: 3.0, length: 2.0 });
        let change = std::panic::AssertUnwindSafe(|| {
            rod.change(|rod| {
                rod.mass = 7.0;
                panic!("in the middle");
            });
        });
        assert!(std::panic::catch_unwind(change).is_err());
        assert_eq!((rod.mass, *rod.values()), (3.0, [1.0]));
    }
}
