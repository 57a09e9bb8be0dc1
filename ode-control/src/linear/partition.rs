//! Which coordinates are independent, and what the others follow them by.

use ode_runtime::linalg::{DMatrix, Saddle};
use ode_runtime::{Layout, Name, Order, RowKind, Sensitive, Solvable, UnknownName};

use crate::linear::elimination::Elimination;
use crate::linear::linearization_error::LinearizationError;
use crate::linear::point::{Point, kind_of};

/// A row that loses all but this share of its length to others depends on them.
const DEPENDENT: f64 = 1e-9;
/// The same in models with redundant rows, whose states have some drift.
const REDUNDANT: f64 = 1e-5;
/// A pivot below this share of another makes coordinates depend on others by levers of its inverse: then the other
/// counts as determined.
const LEVER: f64 = 1e-6;
/// A pivot of this share of the largest is as good, where it leaves a coordinate of choice independent.
const AS_GOOD: f64 = 1e-3;

/// Coordinates and velocities that are to be independent.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Choice {
    positions: Vec<usize>,
    velocities: Vec<usize>,
}

impl Choice {
    /// Adds those that a name means: an entry, or the whole, as `r` is of `r.x`.
    pub(super) fn add(&mut self, layout: &Layout<'_>, name: &str) -> Result<(), UnknownName> {
        let meant = |is: &dyn Fn(usize) -> bool| (0..layout.v.len()).filter(|&i| is(i)).collect::<Vec<_>>();
        let positions = meant(&|i| layout.names_step(name, i));
        let velocities = meant(&|i| layout.names_velocity(name, i));
        if !positions.is_empty() {
            self.positions.extend(positions);
        } else if !velocities.is_empty() {
            self.velocities.extend(velocities);
        } else if !layout.z.contains(&name) {
            return Err(UnknownName::new("coordinate", name, layout.state_direction_names()));
        }
        Ok(())
    }
}

/// The entries of (δq, δv, δz) that are the states of a linear system, and what all of them are by these.
///
/// With Φ = 0 and Φ̇ = 0 (or ψ = 0) linearised at a moment, δq = Z y and δv = W w + S y, where y and w are entries of
/// δq and δv: coordinate partitioning. Which ones does not change along a motion, so that their rates are entries of
/// δq̇ and δv̇.
///
/// Reference: R. A. Wehage, E. J. Haug, Generalized coordinate partitioning for dimension reduction in analysis of
/// constrained dynamic systems, Journal of Mechanical Design 104 (1982) 247–255.
pub(super) struct Partition {
    /// the place of each state among [`Layout::state_directions`]
    pub(super) places: Vec<usize>,
    /// (δq, δv, δz) of the states
    pub(super) shape: DMatrix<f64>,
}

impl Partition {
    /// At a point, with the choice among the independent ones, and the others by the pivots of G.
    pub(super) fn of<S: Solvable<Real = f64> + Sensitive>(
        point: &Point<'_, S>,
        choice: &Choice,
    ) -> Result<Self, LinearizationError> {
        let (layout, places) = (point.system.layout(), point.places);
        let nv = layout.v.len();
        let nothing = if S::Saddle::REDUNDANT { REDUNDANT } else { DEPENDENT };
        let own = |kind| (0..layout.constraints.len()).filter(move |&row| kind_of(&layout, row) == kind);
        let holonomic = own(RowKind::Holonomic).count();
        let rows: Vec<usize> = own(RowKind::Holonomic).chain(own(RowKind::Nonholonomic)).collect();
        let rates = |first: usize| {
            let of = &point.partials;
            DMatrix::from_fn(rows.len(), nv, |r, c| of[(places.rates().start + rows[r], first + c)])
        };
        let determined = |(row, column): (usize, usize), names: &[&str]| LinearizationError::Determined {
            name: Name::new(names[column]),
            constraint: Name::new(layout.constraints[rows[row]]),
        };
        let (placed, moved) = (|i: &usize| choice.positions.contains(i), |i: &usize| choice.velocities.contains(i));

        let jacobian = rates(places.v());
        let mut position = Elimination::of(jacobian.rows(0, holonomic).into(), nv, nothing);
        // holonomic rows determine a velocity with its coordinate, so that one that is chosen keeps both
        position.solve(holonomic, LEVER, |i| !placed(&i) && !moved(&i));
        if let Some(left) = position.left() {
            let names = if placed(&left.1) { layout.steps } else { layout.v };
            return Err(determined(left, names));
        }
        let own = position.free();
        let z = position.solution(own.iter().copied());
        let differential = layout.z.len() - layout.algebraic;
        if layout.order == Order::First {
            let states = (0..differential).map(|i| nv + i);
            return Ok(Self::new(own.iter().copied().chain(states), [&z], differential));
        }

        // velocities follow displacements too: the rows of Φ̇ by q, along Z
        let along = rates(0) * &z;
        let bordered =
            DMatrix::from_fn(
                rows.len(),
                nv + own.len(),
                |r, c| {
                    if c < nv { jacobian[(r, c)] } else { along[(r, c - nv)] }
                },
            );
        let mut velocity = Elimination::of(bordered, nv, nothing);
        velocity.solve(holonomic, 0.0, |i| position.pivots().contains(&i));
        velocity.solve(rows.len(), AS_GOOD, |i| !moved(&i) && !placed(&i));
        velocity.solve(rows.len(), LEVER, |i| !moved(&i));
        if let Some(left) = velocity.left() {
            return Err(determined(left, layout.v));
        }
        let moving = velocity.free();
        let (w, s) = (velocity.solution(moving.iter().copied()), velocity.solution(nv..nv + own.len()));
        let states = (0..differential).map(|i| 2 * nv + i);
        let places = own.iter().copied().chain(moving.iter().map(|i| nv + i)).chain(states);
        let (ny, nw) = (own.len(), moving.len());
        let q = z.resize_horizontally(ny + nw, 0.0);
        let v = DMatrix::from_fn(nv, ny + nw, |r, c| if c < ny { s[(r, c)] } else { w[(r, c - ny)] });
        Ok(Self::new(places, [&q, &v], differential))
    }

    /// Of blocks of rows, with states that stay as they are below.
    fn new<const N: usize>(places: impl Iterator<Item = usize>, blocks: [&DMatrix<f64>; N], states: usize) -> Self {
        let (rows, columns) = (blocks.iter().map(|block| block.nrows()).sum::<usize>(), blocks[0].ncols());
        let mut shape = DMatrix::zeros(rows + states, columns + states);
        let mut first = 0;
        for block in blocks {
            shape.view_mut((first, 0), block.shape()).copy_from(block);
            first += block.nrows();
        }
        shape.view_mut((first, columns), (states, states)).fill_with_identity();
        Self { places: places.collect(), shape }
    }
}
