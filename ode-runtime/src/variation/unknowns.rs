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
) -> impl Iterator<Item = &'a mut S::Real> + use<'a, S, V, Z, L>
where
    V: AsMut<[S::V]>,
    Z: AsMut<[S::Z]>,
    L: AsMut<[S::L]>,
{
    blocks::<S, _, _, _>(differential, x, k).into_iter().flatten()
}

/// The same block by block.
fn blocks<'a, S: Solvable<V: 'a, Z: 'a, L: 'a, Real: 'a>, V, Z, L>(
    differential: usize,
    x: &'a mut Unknowns<V, Z, L>,
    k: usize,
) -> [&'a mut [S::Real]; 4]
where
    V: AsMut<[S::V]>,
    Z: AsMut<[S::Z]>,
    L: AsMut<[S::L]>,
{
    let Unknowns { v, z, lambda, second } = x;
    let mut out: [&mut [S::Real]; 4] = Default::default();
    if let Some(v) = v.as_mut().get_mut(k) {
        out[0] = v.as_mut();
    }
    if let Some(z) = z
        && let Some(z) = z.as_mut().get_mut(k)
    {
        let z = z.as_mut();
        let count = differential.min(z.len());
        out[1] = &mut z[..count];
    }
    if let Some(lambda) = lambda.as_mut().get_mut(k) {
        out[2] = lambda.as_mut();
    }
    if let Some(v) = second
        && let Some(v) = v.as_mut().get_mut(k)
    {
        out[3] = v.as_mut();
    }
    out
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
            self.replace(blocks::<S, _, _, _>(layout.differential(), x, k), &mut found);
            if let Some(z) = &mut x.z
                && let Some(z) = z.as_mut().get_mut(k)
            {
                layout.still(z.as_mut());
            }
        }
    }

    /// Solves for the blocks, with room for their numbers.
    fn replace(&self, mut blocks: [&mut [T]; 4], room: &mut Vec<T>) {
        room.clear();
        room.extend(blocks.iter().flat_map(|block| block.iter()).map(|row| -*row));
        self.lu.solve(room);
        blocks.iter_mut().flat_map(|block| block.iter_mut()).zip(room).for_each(|(x, &mut found)| *x = found);
    }
}
