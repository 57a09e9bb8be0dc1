//! Linear equations of a step in several blocks of unknowns.

use std::vec::Vec;

use crate::linalg::Lu;
use crate::numbers::scalar::Real;
use crate::solve::solvable::Solvable;

/// Unknowns of linear equations, or what their rows change by.
#[derive(Clone, Debug)]
pub struct Unknowns<V, Z, L> {
    /// velocities
    pub v: V,
    /// first-order states, if they are unknown
    pub z: Option<Z>,
    /// impulses of constraints
    pub lambda: L,
    /// velocities of a second place, if they are unknown
    pub second: Option<V>,
}

/// The factorised matrix of linear equations.
#[derive(Clone, Debug)]
pub struct Factorization<T: Real> {
    pub(super) lu: Lu<T>,
}

/// The numbers of direction k in the order of the matrix: v, differential z, λ, and v of a second place.
pub(super) fn numbers<'a, S: Solvable<V: 'a, Z: 'a, L: 'a, Real: 'a>, V, Z, L>(
    differential: usize,
    x: &'a mut Unknowns<V, Z, L>,
    k: usize,
) -> impl Iterator<Item = &'a mut S::Real>
where
    V: AsMut<[S::V]>,
    Z: AsMut<[S::Z]>,
    L: AsMut<[S::L]>,
{
    let Unknowns { v, z, lambda, second } = x;
    let velocities = move |v: &'a mut V| v.as_mut().get_mut(k).into_iter().flat_map(|v| v.as_mut());
    let states = z.as_mut().and_then(|z| z.as_mut().get_mut(k)).into_iter().flat_map(|z| z.as_mut());
    let lambda = lambda.as_mut().get_mut(k).into_iter().flat_map(|lambda| lambda.as_mut());
    velocities(v).chain(states.take(differential)).chain(lambda).chain(second.as_mut().into_iter().flat_map(velocities))
}

impl<T: Real> Factorization<T> {
    /// Turns what changes the rows apart from the unknowns into the unknowns that keep them zero.
    pub(super) fn solve<S: Solvable<Real = T>, V, Z, L>(&self, system: &S, x: &mut Unknowns<V, Z, L>)
    where
        V: AsMut<[S::V]>,
        Z: AsMut<[S::Z]>,
        L: AsMut<[S::L]>,
    {
        let layout = system.layout();
        let mut found = Vec::new();
        for k in 0..x.v.as_mut().len() {
            found.clear();
            found.extend(numbers::<S, _, _, _>(layout.differential(), x, k).map(|row| -*row));
            self.lu.solve(&mut found);
            numbers::<S, _, _, _>(layout.differential(), x, k).zip(&found).for_each(|(x, &found)| *x = found);
            let states = x.z.as_mut().and_then(|z| z.as_mut().get_mut(k));
            states.into_iter().for_each(|z| layout.still(z.as_mut()));
        }
    }
}
