//! Algebraic variables of members: each equation stands in the row of the variable that it determines.

use crate::families::composite::{Composite, Element, OnParts};
use crate::families::gather::{Spots, Z, add_at, members};
use crate::model::layout::Block;
use crate::model::system::At;
use crate::numbers::scalar::Scalar;

struct Laws<'a, S: Composite> {
    at: At<'a, S>,
    system: &'a S,
    /// the first algebraic entry of z
    first: usize,
    values: &'a mut [S::Real],
    jacobian: &'a mut [S::Real],
}

impl<S: Composite> OnParts<S> for Laws<'_, S> {
    fn part<E: Element<S>>(&mut self, part: usize) {
        let topology = self.system.topology();
        let Some(form) = topology.parts.get(part).map(|part| part.spec.form) else { return };
        // a share of a balance may read no algebraic variable
        if form.layout.algebraic == 0 {
            return;
        }
        let (t, differential) = (self.at.t, form.layout.differential());
        members::<S, E>(self.system, part, self.at, |part, member, tuple, element, local| {
            let mut values = E::Z::zeros(form.layout.z.len());
            let mut own = E::LawJacobian::zeros(form.layout.algebraic_jacobian.nnz());
            let values = values.as_mut().get_mut(..form.layout.algebraic).unwrap_or_default();
            element.algebraic(local.at(t), values, own.as_mut());
            add_at(&part.laws, member, own.as_ref(), self.jacobian);
            Spots::of::<S, E>(topology, tuple).each(|_, place| {
                let Some(whole) = place.whole[Z].checked_sub(self.first) else { return };
                let from = values.get(place.own[Z].saturating_sub(differential)..).unwrap_or_default();
                let to = self.values.get_mut(whole..).unwrap_or_default();
                to.iter_mut().zip(from).take(place.len[Z]).for_each(|(to, &from)| *to += from);
            });
        });
    }
}

/// [`System::algebraic`](crate::System::algebraic) of the whole.
pub fn algebraic<S: Composite>(system: &S, at: At<'_, S>, values: &mut [S::Real], jacobian: &mut [S::Real]) {
    values.fill(S::Real::ZERO);
    jacobian.fill(S::Real::ZERO);
    let first = system.layout().differential();
    S::each_part(&mut Laws { at, system, first, values, jacobian });
}
