//! What methods are told of a model besides names and patterns.

use crate::derive::Equations;
use crate::model::{Constraint, Hold, Model, Order};

/// Of which kind the equations of a model are.
#[derive(Clone, Debug)]
pub struct Layout {
    /// what the equations of motion determine
    pub order: Order,
    /// how many of the last states are algebraic
    pub algebraic: usize,
    /// what each row of constraints restricts
    pub rows: Vec<RowKind>,
    /// rows may depend on others
    pub redundant: bool,
    /// matrices are stored without their zeros
    pub sparse: bool,
    /// M depends on parameters alone
    pub constant_mass: bool,
    /// some constraint depends on t
    pub rheonomic: bool,
}

/// What a row of constraints restricts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// positions
    Holonomic,
    /// velocities
    Nonholonomic,
    /// nothing: it is a force
    Compliant,
}

/// The layout of a model.
pub(super) fn layout(model: &Model, e: &Equations) -> Layout {
    let kind = |c: &Constraint| match c.level {
        _ if !c.soft.is_empty() => RowKind::Compliant,
        Hold::Position => RowKind::Holonomic,
        Hold::Velocity => RowKind::Nonholonomic,
    };
    Layout {
        order: model.header.options.order,
        algebraic: model.na(),
        rows: model.constraints.iter().flat_map(|c| std::iter::repeat_n(kind(c), c.rows.len())).collect(),
        redundant: model.is_redundant(),
        sparse: model.is_sparse(),
        constant_mass: e.dynamics.constant_mass,
        rheonomic: e.constraints.rheonomic,
    }
}
