//! Whether a state that is given satisfies the constraints.

use ode_runtime::{Constraint, Level, Name, RowKind, State, System};

use crate::dense::dense;

/// How far, relative to their size, positions and velocities of a state may be off the constraints. What runs drift by
/// is less.
const DRIFT: f64 = 1e-4;

/// The constraint that a state does not satisfy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Off {
    /// of positions or velocities
    pub(crate) level: Level,
    pub(crate) constraint: Name,
    pub(crate) residual: f64,
}

/// Refuses a state off its constraints.
///
/// By how much is a distance, |Φ| or |Φ̇| through the largest entry of the row of G. It is compared with the
/// coordinates that the row reads; where they are the deviation itself, as in x = 0, with all coordinates. Velocities
/// may be zero: they are compared with the way of a second too.
pub(crate) fn held<S: System<Real = f64>>(system: &S, x: &State<S>, u: &S::U, level: Level) -> Result<(), Off> {
    let layout = system.layout();
    let mut found = Constraint::zeros(&layout);
    system.constraint(x.at(u), &mut found);
    let positions = largest(x.q.as_ref().iter().copied());
    let positions = if positions > 0.0 { positions } else { 1.0 };
    let jacobian = dense(layout.jacobian, found.jacobian.as_ref());
    let residuals = if level == Level::Position { found.phi.as_ref() } else { found.rate.as_ref() };
    for (row, &residual) in residuals.iter().enumerate() {
        let by = jacobian.row(row);
        let lever = by.amax();
        let size = if level == Level::Position {
            let read = layout.directions.iter().zip(by.iter()).filter(|(_, by)| **by != 0.0);
            let read = largest(read.map(|(name, by)| match layout.q.iter().position(|q| q == name) {
                Some(place) => x.q.as_ref()[place],
                // a rotation moves points by their distance
                None => by / lever,
            }));
            if read * lever > 2.0 * residual.abs() { read } else { positions }
        } else {
            positions + largest(x.v.as_ref().iter().copied())
        };
        // the reason of a residual that is not finite is found later
        if layout.kind(row) != RowKind::Compliant && residual.abs() > DRIFT * size * lever {
            let constraint = Name::new(layout.constraints[row]);
            return Err(Off { level, constraint, residual });
        }
    }
    Ok(())
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |most, x| most.max(x.abs()))
}
