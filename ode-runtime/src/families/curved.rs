//! Second derivatives of the equations of members.

use crate::error::Cause;
use crate::families::asking::{Ask, Asked, Asking};
use crate::families::composite::Element;
use crate::families::gather::Local;
use crate::families::placing::Of;
use crate::families::varied::{COLUMNS, ROWS, Varied};
use crate::model::layout::Block;
use crate::model::optimizable::Optimizable;
use crate::model::system::{At, Rates};
use crate::numbers::scalar::Scalar;

/// Second derivatives, of which those of each element are added.
struct Curvatures<'a, T> {
    covector: &'a [T],
    vector: &'a [T],
    states: &'a mut [T],
    parameters: &'a mut [T],
    found: Result<(), Cause>,
}

impl<S: Varied> Ask<S> for Curvatures<'_, S::Real> {
    fn ask<E: Element<S> + Optimizable>(&mut self, at: Asked<'_>, element: &E, t: S::Real, local: &Local<E>) {
        let layout = element.layout();
        let (nv, nz, nc) = (layout.v.len(), layout.z.len(), layout.constraints.len());
        let columns = 3 * nv + nz + nc + layout.u.len() + 1;
        let (mut covector, mut vector) = (E::Rows::zeros(nv + nz + 3 * nc), E::Columns::zeros(columns));
        at.member.take(ROWS, self.covector, covector.as_mut());
        at.member.take(COLUMNS, self.vector, vector.as_mut());
        let (mut states, mut parameters) = (E::Columns::zeros(columns), element.parameter_block());
        let found = element.curvature(local.at(t), local.rates(), &covector, &vector, &mut states, &mut parameters);
        if found.is_err() {
            self.found = found;
            return;
        }
        at.member.add(COLUMNS, states.as_ref(), self.states);
        at.member.add(&[Of::Parameters], parameters.as_ref(), self.parameters);
    }
}

/// [`Sensitive::curvature`](crate::Sensitive::curvature) of the whole.
///
/// # Errors
/// Those of an element.
pub fn curvature<S: Varied>(
    system: &S,
    at: At<'_, S>,
    rates: Rates<'_, S>,
    [covector, vector]: [&[S::Real]; 2],
    states: &mut [S::Real],
    parameters: &mut [S::Real],
) -> Result<(), Cause> {
    states.fill(S::Real::ZERO);
    parameters.fill(S::Real::ZERO);
    let ask = Curvatures { covector, vector, states, parameters, found: Ok(()) };
    let mut asking = Asking { system, at, rates: Some(rates), ask };
    S::each_varied(&mut asking);
    asking.ask.found
}
