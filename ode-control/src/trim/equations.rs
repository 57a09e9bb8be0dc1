//! The equations of an operating point, and their derivatives by its unknowns.

use ode_runtime::linalg::{DMatrix, DVector};
use ode_runtime::variation::Places;
use ode_runtime::{Block, Constraint, Forward, Name, Order, Quantity, Residual, RowKind, Sensitive, Solvable};

use crate::dense::dense;
use crate::trim::unknowns::{Candidate, Kind, Unknowns};

/// Values, derivatives, and what each row is.
#[derive(Clone, Debug)]
pub(super) struct Equations {
    pub(super) values: DVector<f64>,
    pub(super) jacobian: DMatrix<f64>,
    pub(super) rows: Vec<(Quantity, Name)>,
}

impl Equations {
    /// At a point whose a and ż are zero.
    pub(super) fn at<S: Solvable<Real = f64> + Sensitive>(
        system: &S,
        point: &Candidate<S>,
        unknowns: &Unknowns,
    ) -> Self {
        let layout = system.layout();
        let (at, rates) = (point.x.at(&point.u), point.x.rates());
        let mut residual = Residual::zeros(&layout);
        system.residual(at, rates, &mut residual);
        let mut constraint = Constraint::zeros(&layout);
        system.constraint(at, &mut constraint);
        let mut forward = Forward::zeros(&layout);
        system.forward(at, &mut forward);
        let patterns = system.partial_patterns();
        let mut partials: S::Partials = Block::zeros(patterns.states.nnz());
        system.partials(at, rates, &mut partials);
        let places = Places::of(&layout);

        // which rows of all there are, with their values
        let (mut chosen, mut values, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        let mut add = |place: usize, value: f64, quantity, name: &str| {
            chosen.push(place);
            values.push(value);
            rows.push((quantity, Name::new(name)));
        };
        for (i, (&value, name)) in residual.r.as_ref().iter().zip(layout.directions).enumerate() {
            add(i, value, Quantity::Force, name);
        }
        for (i, (&value, name)) in residual.s.as_ref().iter().zip(layout.z).enumerate() {
            add(places.s().start + i, value, Quantity::Rate, name);
        }
        let moving = layout.order != Order::First;
        for (i, name) in layout.constraints.iter().enumerate() {
            let kind = layout.kinds.get(i).copied().unwrap_or(RowKind::Holonomic);
            let level = |values: &S::L| values.as_ref().get(i).copied().unwrap_or(0.0);
            add(places.laws().start + i, level(&residual.phi), Quantity::Constraint, name);
            // a compliant row is a force, a nonholonomic one holds velocities above
            if kind == RowKind::Holonomic {
                add(places.rates().start + i, level(&constraint.rate), Quantity::Constraint, name);
            }
            if kind != RowKind::Compliant && moving {
                add(places.accelerations().start + i, level(&forward.gamma), Quantity::Constraint, name);
            }
        }
        let columns = [
            (0, Kind::Position),
            (places.v(), Kind::Velocity),
            (places.z(), Kind::State),
            (places.lambda(), Kind::Multiplier),
            (places.u(), Kind::Input),
        ];
        let mut jacobian = DMatrix::zeros(chosen.len() + unknowns.outputs.len(), unknowns.len());
        let whole = dense(patterns.states, partials.as_ref());
        for (first, kind) in columns {
            for (k, unknown) in unknowns.range(kind).enumerate() {
                for (r, &row) in chosen.iter().enumerate() {
                    jacobian[(r, unknown)] = whole[(row, first + k)];
                }
            }
        }
        Self::outputs(system, point, unknowns, (&mut values, &mut rows, &mut jacobian));
        Self { values: DVector::from_vec(values), jacobian, rows }
    }

    /// The outputs asked for are their unknowns.
    fn outputs<S: Solvable<Real = f64> + Sensitive>(
        system: &S,
        point: &Candidate<S>,
        unknowns: &Unknowns,
        (values, rows, jacobian): (&mut Vec<f64>, &mut Vec<(Quantity, Name)>, &mut DMatrix<f64>),
    ) {
        if unknowns.outputs.is_empty() {
            return;
        }
        let (layout, pattern) = (system.layout(), system.derivatives().output_jacobian);
        let (at, rates) = (point.x.at(&point.u), point.x.rates());
        let (mut y, mut by): (S::Y, S::OutputJacobian) =
            (Block::zeros(layout.outputs.len()), Block::zeros(pattern.nnz()));
        system.outputs(at, rates, &mut y);
        system.output_jacobian(at, rates, &mut by);
        let by = dense(pattern, by.as_ref());
        let (nv, nz, nc) = (layout.v.len(), layout.z.len(), layout.constraints.len());
        let lambda = 3 * nv + 2 * nz;
        let columns = [
            (0, Kind::Position),
            (nv, Kind::Velocity),
            (2 * nv, Kind::State),
            (lambda, Kind::Multiplier),
            (lambda + nc, Kind::Input),
        ];
        for ((&output, unknown), &own) in unknowns.outputs.iter().zip(unknowns.range(Kind::Output)).zip(&point.y) {
            let r = values.len();
            values.push(y.as_ref().get(output).copied().unwrap_or(0.0) - own);
            rows.push((Quantity::Output, Name::new(&unknowns.names[unknown])));
            jacobian[(r, unknown)] = -1.0;
            for (first, kind) in columns {
                for (k, place) in unknowns.range(kind).enumerate() {
                    jacobian[(r, place)] = by[(output, first + k)];
                }
            }
        }
    }
}
