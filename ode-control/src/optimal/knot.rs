//! What a motion has at a node: a state, and numbers that are carried along from interval to interval.

use ode_runtime::linalg::SVector;
use ode_runtime::{Sensitive, State, System};

use crate::deviation::{minus, plus};

/// A state, and numbers beside it that an interval begins with: inputs that go on without a jump.
#[derive(Clone, Debug)]
pub struct Knot<S: System> {
    pub(super) state: State<S>,
    pub(super) carried: Vec<f64>,
}

impl<S: Sensitive<Real = f64>> Knot<S> {
    /// `out` = x ⊕ d: the directions of the state, then what is carried.
    pub(super) fn plus<const N: usize>(&self, system: &S, d: &SVector<f64, N>, out: &mut Self) {
        plus(system, &self.state, d, &mut out.state);
        out.carried.clone_from(&self.carried);
        let own = d.iter().skip(N - self.carried.len().min(N));
        out.carried.iter_mut().zip(own).for_each(|(x, d)| *x += d);
    }

    /// x ⊖ `from`.
    pub(super) fn minus<const N: usize>(&self, system: &S, from: &Self) -> SVector<f64, N> {
        let mut d: SVector<f64, N> = minus(system, &self.state, &from.state);
        let own = d.iter_mut().skip(N - self.carried.len().min(N));
        own.zip(self.carried.iter().zip(&from.carried)).for_each(|(d, (x, from))| *d = x - from);
        d
    }
}
