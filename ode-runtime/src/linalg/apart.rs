//! Solvers of many unknowns, apart from the run that they belong to.

#[cfg(feature = "std")]
use std::boxed::Box;

use crate::linalg::{Factored, Iterated, Kkt, Lanes, LanesMut, Saddle, Singular, Square, Unsolved};
use crate::model::layout::Layout;
use crate::numbers::scalar::Real;

/// A dense solver on the heap, if there is one (`std`): a run keeps several square arrays, and the stack of a thread
/// has no room for those of a hundred unknowns. It is allocated when it is made: when a run begins, and where a step
/// looks at the signs of an M(q), or says why it failed. So are the factors of [`Square::factorize`]. Other
/// factorisations and solutions allocate nothing.
#[derive(Clone, Debug)]
pub struct Apart<K>(#[cfg(feature = "std")] Box<K>, #[cfg(not(feature = "std"))] K);

impl<K> Apart<K> {
    fn of(solver: K) -> Self {
        #[cfg(feature = "std")]
        let solver = Box::new(solver);
        Self(solver)
    }
}

impl<T: Real, K: Saddle<T>> Saddle<T> for Apart<K> {
    const REDUNDANT: bool = K::REDUNDANT;

    fn new(layout: &Layout<'_>) -> Self {
        Self::of(K::new(layout))
    }
    #[inline]
    fn quick(&mut self, mass: &[T], jacobian: &[T]) -> bool {
        self.0.quick(mass, jacobian)
    }
    fn factorize(&mut self, layout: &Layout<'_>, mass: &[T], jacobian: &[T]) -> Result<(), Singular> {
        self.0.factorize(layout, mass, jacobian)
    }
    fn factorize_by_exchange(&mut self, layout: &Layout<'_>, mass: &[T], jacobian: &[T]) -> Result<(), Singular> {
        self.0.factorize_by_exchange(layout, mass, jacobian)
    }
    #[inline]
    fn certain(&self) -> bool {
        self.0.certain()
    }
    fn soften(&mut self, layout: &Layout<'_>, mass: &[T], jacobian: &[T]) -> Result<(), Singular> {
        self.0.soften(layout, mass, jacobian)
    }
    fn negative(&self) -> Option<(usize, T)> {
        self.0.negative()
    }
    fn tolerate(&mut self, phi: &[T], size: T) {
        self.0.tolerate(phi, size);
    }
    #[inline]
    fn solve(&self, v: &mut [T], l: &mut [T]) {
        self.0.solve(v, l);
    }
    #[inline]
    fn solve_lanes(&self, v: &mut [Lanes<T>], l: &mut [Lanes<T>], one: (&mut [T], &mut [T])) {
        self.0.solve_lanes(v, l, one);
    }
    #[inline]
    fn accelerate(&self, force: &[T], gamma: &[T], v: &mut [T], l: &mut [T]) {
        self.0.accelerate(force, gamma, v, l);
    }
}

impl<T: Real, K: Kkt<T>> Kkt<T> for Apart<K> {
    const REDUNDANT: bool = K::REDUNDANT;

    fn new(layout: &Layout<'_>) -> Self {
        Self::of(K::new(layout))
    }
    #[inline]
    fn factorize(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        self.0.factorize(layout, values)
    }
    fn factorize_by_exchange(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        self.0.factorize_by_exchange(layout, values)
    }
    fn factorize_transposed(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<bool, Singular> {
        self.0.factorize_transposed(layout, values)
    }
    #[inline]
    fn certain(&self) -> bool {
        self.0.certain()
    }
    #[inline]
    fn reversed(&self) -> bool {
        self.0.reversed()
    }
    fn negative(&self) -> Option<usize> {
        self.0.negative()
    }
    fn soften(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        self.0.soften(layout, values)
    }
    fn soften_transposed(&mut self, layout: &Layout<'_>, values: &[T]) -> Result<(), Singular> {
        self.0.soften_transposed(layout, values)
    }
    fn tolerate(&mut self, phi: &[T], size: T) {
        self.0.tolerate(phi, size);
    }
    fn measure(&mut self, layout: &Layout<'_>, mass: &[T]) {
        self.0.measure(layout, mass);
    }
    fn prune(&self, l: &mut [T]) {
        self.0.prune(l);
    }
    #[inline]
    fn solve(&self, v: &mut [T], z: &mut [T], l: &mut [T]) -> Result<Iterated, Unsolved> {
        self.0.solve(v, z, l)
    }
    #[inline]
    fn solve_lanes(&self, x: LanesMut<'_, T>, one: (&mut [T], &mut [T], &mut [T])) -> Result<(), Unsolved> {
        self.0.solve_lanes(x, one)
    }
}

impl<T: Real, K: Square<T>> Square<T> for Apart<K> {
    type Factors = Apart<K::Factors>;
    const SPARSE: bool = K::SPARSE;

    fn new(layout: &Layout<'_>) -> Self {
        Self::of(K::new(layout))
    }
    fn size(&self) -> usize {
        self.0.size()
    }
    fn clear(&mut self) {
        self.0.clear();
    }
    fn set(&mut self, row: usize, column: usize, value: T) {
        self.0.set(row, column, value);
    }
    fn room(&mut self, len: usize) -> (&mut [T], &mut [T]) {
        self.0.room(len)
    }
    fn rhs(&mut self) -> &mut [T] {
        self.0.rhs()
    }
    fn factorize(&self) -> Result<Self::Factors, Singular> {
        self.0.factorize().map(Apart::of)
    }
    fn solve(&mut self) -> Result<(), Singular> {
        self.0.solve()
    }
}

impl<T: Real, F: Factored<T>> Factored<T> for Apart<F> {
    fn solve(&self, x: &mut [T]) {
        self.0.solve(x);
    }
}
