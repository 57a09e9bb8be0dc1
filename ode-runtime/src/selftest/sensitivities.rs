//! Derivatives by inputs, parameters and algebraic variables, and those of outputs, against dual numbers.

use super::compare::{Mismatch, Values, vector};
use super::direction::Direction;
use super::probe::Check;
use super::twins::Twins;
use crate::model::differentiable::{Differentiable, FromParameters};
use crate::model::layout::Block;
use crate::numbers::dual::Dual;

/// Algebraic variables whose equations are checked.
const ALGEBRAIC: usize = 48;

impl<S, D> Check<'_, S, D>
where
    S: Differentiable<Real = f64>,
    D: FromParameters<Real = Dual<f64>>,
{
    pub(super) fn inputs(&self) -> Result<(), Mismatch> {
        let (l, d) = (self.model.layout(), self.model.derivatives());
        let mut out: S::ForceByInput = Block::zeros(d.force_by_input.nnz());
        self.model.force_by_input(self.point.at(), self.point.rates(), &mut out);
        let b = Values {
            block: "B",
            pattern: d.force_by_input,
            values: out.as_ref(),
            rows: [l.directions, l.z],
            columns: l.u,
            first: (0, 0),
        };
        forces(self, &b)
    }

    /// F = −s and ∂F/∂y of algebraic variables, up to [`ALGEBRAIC`] of them.
    pub(super) fn algebraic(&self) -> Result<(), Mismatch> {
        let l = self.model.layout();
        let (na, first) = (l.algebraic, l.differential());
        let (mut values, mut jacobian) = ([0.0; ALGEBRAIC], [0.0; ALGEBRAIC * ALGEBRAIC]);
        let nonzeros = l.algebraic_jacobian.nnz();
        let (Some(values), Some(jacobian)) = (values.get_mut(..na), jacobian.get_mut(..nonzeros)) else {
            return Ok(());
        };
        self.model.algebraic(self.point.at(), values, jacobian);
        for c in 0..na {
            let residual = self.residual_along(Direction::State(first + c));
            let s = residual.s.as_ref();
            let row = |i: usize| s.get(first + i);
            let names = l.z.get(first..).unwrap_or_default();
            vector("F", names, values, &|i| row(i).map_or(0.0, |x| -x.re))?;
            let mut column = [0.0; ALGEBRAIC];
            for (row, place) in l.algebraic_jacobian.column(c) {
                if let (Some(to), Some(&value)) = (column.get_mut(row), jacobian.get(place)) {
                    *to = value;
                }
            }
            let column = column.get(..na).unwrap_or_default();
            vector("dF/dy", names, column, &|i| row(i).map_or(0.0, |x| -x.eps))?;
        }
        Ok(())
    }

    pub(super) fn parameters(&self) -> Result<(), Mismatch> {
        let (l, d) = (self.model.layout(), self.model.derivatives());
        let mut r: S::ResidualByParameter = Block::zeros(d.residual_by_parameter.nnz());
        let mut phi: S::ConstraintByParameter = Block::zeros(d.constraint_by_parameter.nnz());
        self.model.residual_by_parameter(self.point.at(), self.point.rates(), &mut r, &mut phi);
        let names = d.parameter_names;
        let rows = [l.directions, l.z];
        let p = Values {
            block: "P",
            pattern: d.residual_by_parameter,
            values: r.as_ref(),
            rows,
            columns: names,
            first: (0, 0),
        };
        let twins: &dyn Twins = self;
        twins.compare_rows(&p, Direction::Parameter)?;
        let c = Values {
            block: "dPhi/dp",
            pattern: d.constraint_by_parameter,
            values: phi.as_ref(),
            rows: [l.constraints, &[]],
            columns: names,
            first: (0, 0),
        };
        twins.compare_constraints(&c, Direction::Parameter)
    }

    pub(super) fn outputs(&self) -> Result<(), Mismatch> {
        let (l, d) = (self.model.layout(), self.model.derivatives());
        let mut out: S::OutputJacobian = Block::zeros(d.output_jacobian.nnz());
        self.model.output_jacobian(self.point.at(), self.point.rates(), &mut out);
        type Kind = fn(usize) -> Direction;
        let groups: [(&'static str, &[&str], Kind); 8] = [
            ("dy/dq", l.directions, Direction::Position),
            ("dy/dv", l.v, Direction::Velocity),
            ("dy/dz", l.z, Direction::State),
            ("dy/da", l.directions, Direction::Acceleration),
            ("dy/d der(z)", l.z, Direction::Rate),
            ("dy/dlambda", l.constraints, Direction::Multiplier),
            ("dy/du", l.u, Direction::Input),
            ("dy/dp", d.parameter_names, Direction::Parameter),
        ];
        let mut first = 0;
        for (block, columns, direction) in groups {
            let rows = [l.outputs, &[]];
            let y =
                Values { block, pattern: d.output_jacobian, values: out.as_ref(), rows, columns, first: (0, first) };
            outputs(self, &y, direction)?;
            first += columns.len();
        }
        Ok(())
    }
}

/// Compares B with −∂(r, ż − g)/∂u.
fn forces(twins: &dyn Twins, own: &Values<'_>) -> Result<(), Mismatch> {
    own.compare(&|c, out| {
        twins.row_slopes(Direction::Input(c), out);
        out.iter_mut().for_each(|x| *x = -*x);
    })
}

/// Compares derivatives of outputs.
fn outputs(twins: &dyn Twins, own: &Values<'_>, direction: fn(usize) -> Direction) -> Result<(), Mismatch> {
    own.compare(&|c, out| twins.outputs_along(direction(c), out))
}
