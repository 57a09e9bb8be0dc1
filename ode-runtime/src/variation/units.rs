//! The matrix of linear equations from the operations that their rows are made of.

use std::vec::Vec;

use crate::error::{Cause, Name, Quantity};
use crate::linalg::{Kkt, Lu, Matrix};
use crate::model::layout::{Block, RowKind};
use crate::model::sensitive::Sensitive;
use crate::model::system::System;
use crate::numbers::scalar::Real;
use crate::solve::solvable::Solvable;
use crate::solve::undetermined;
use crate::variation::columns::Several;
use crate::variation::direction::Seed;
use crate::variation::forward::ForwardMode;
use crate::variation::unknowns::{Factorization, Unknowns, numbers};

/// Unknowns or rows of several directions.
type Wide<S> = Unknowns<Vec<<S as System>::V>, Vec<<S as System>::Z>, Vec<<S as System>::L>>;

impl<T: Real> Factorization<T> {
    /// Factorises the matrix of `rows`, which are evaluated for a unit of each unknown. `states` says whether z is
    /// among them, `second` whether velocities of a second place are. λ of a compliant row is zero.
    ///
    /// # Errors
    /// Those of `rows`; [`Cause::Singular`] with the unknown that no row determines.
    pub fn new<S: Solvable<Real = T> + Sensitive>(
        system: &S,
        (states, second): (bool, bool),
        rows: impl FnOnce(&mut ForwardMode<S, Several>, &Wide<S>) -> Result<Wide<S>, Cause>,
    ) -> Result<Self, Cause> {
        let layout = system.layout();
        let nz = if states { layout.differential() } else { 0 };
        let (nv, nc) = (layout.v.len(), layout.constraints.len());
        let n = nv + nz + nc + if second { nv } else { 0 };
        let v = std::vec![S::V::zeros(nv); n];
        let mut units = Unknowns {
            z: states.then(|| std::vec![S::Z::zeros(layout.z.len()); n]),
            lambda: std::vec![S::L::zeros(nc); n],
            second: second.then(|| v.clone()),
            v,
        };
        for k in 0..n {
            numbers::<S, _, _, _>(nz, &mut units, k).nth(k).into_iter().for_each(|one| *one = T::ONE);
        }
        let mut columns = rows(&mut ForwardMode::new(system, Several(n), std::vec![Seed::STATE; n]), &units)?;
        let mut matrix = Matrix::zeros(n, n);
        for c in 0..n {
            for (r, &mut entry) in numbers::<S, _, _, _>(nz, &mut columns, c).enumerate() {
                matrix[(r, c)] = entry;
            }
        }
        for row in (0..nc).filter(|&row| layout.kind(row) == RowKind::Compliant) {
            matrix[(nv + nz + row, nv + nz + row)] = T::ONE;
        }
        let lu = Lu::new(n, &|r, c| matrix[(r, c)]).and_then(|lu| if S::Kkt::REDUNDANT { Ok(lu) } else { lu.full() });
        let lu = lu.map_err(|singular| match singular.index.checked_sub(nv + nz + nc) {
            Some(index) => Cause::Singular { unknown: Quantity::Velocity, name: Name::of(layout.directions, index) },
            None => undetermined(&layout, nz, singular),
        })?;
        Ok(Self { lu })
    }
}
