//! How far a state is from another, along the directions of a linear system.

use ode_runtime::{Block, Real, Scalar, State, System};

/// The differences x ⊖ x₀ = (q ⊖ q₀, v − v₀, z − z₀), by their places among the directions of a state:
/// [`Layout::state_directions`](ode_runtime::Layout::state_directions).
#[derive(Debug)]
pub(crate) struct Deviation<S: System> {
    q: S::V,
    v: S::V,
    z: S::Z,
    /// none of the velocities may be chosen
    first_order: bool,
}

impl<S: System<Real: Real>> Deviation<S> {
    pub(crate) fn of(system: &S, x: &State<S>, from: &State<S>) -> Self {
        let layout = system.layout();
        let mut q = S::V::zeros(layout.v.len());
        system.local(&from.q, &x.q, &mut q);
        let (mut v, mut z) = (x.v.clone(), x.z.clone());
        v.as_mut().iter_mut().zip(from.v.as_ref()).for_each(|(v, &from)| *v -= from);
        z.as_mut().iter_mut().zip(from.z.as_ref()).for_each(|(z, &from)| *z -= from);
        Self { q, v, z, first_order: matches!(layout.order, ode_runtime::Order::First) }
    }

    /// The entry in a place; zero where there is none.
    pub(crate) fn entry(&self, place: usize) -> S::Real {
        let (q, v, z) = (self.q.as_ref(), self.v.as_ref(), self.z.as_ref());
        let moving = if self.first_order { &[] } else { v };
        let (after_q, after_v) = (place.wrapping_sub(q.len()), place.wrapping_sub(q.len() + moving.len()));
        let entry = q.get(place).or_else(|| moving.get(after_q)).or_else(|| z.get(after_v));
        entry.copied().unwrap_or(S::Real::ZERO)
    }
}
