//! The result of each phase for a model, for tools and tests that look inside.
//!
//! Modules have the names of the phases. They may change in any version; the stable interface is at the crate's root.

/// What was written, as a syntax tree.
pub mod parse {
    pub use crate::parse::{ast, item_words, parse, with_parts};
}

/// Models with sets, taken apart into small models.
pub mod families {
    pub use crate::assembled::{Parts, parts};
    pub use crate::families::{Element, Family, Field, Given, Outputs, Set, Slot};
}

/// From what was written to what was meant.
pub mod check {
    pub use crate::check::check;
}

/// Mistakes, and the catalogue of their numbers.
pub mod diagnostics {
    pub use crate::diagnostics::{Id, Warning, text};
}

/// What was meant.
pub mod model {
    pub use crate::model::{
        Bodies, Body, Constraint, Coordinate, Crossing, Declarations, Declared, Emit, Energy, Event, External, Figure,
        Form, Frame, Header, Hold, Input, Level, Mode, Model, Options, Order, Param, SetLengths, Shape, Source, Space,
        Start, State, Storage, Sub, Supply,
    };
}

/// How coordinates move, block by block.
pub mod chart {
    pub use crate::chart::{Block, Chart};
}

/// The graph of expressions and its calculus.
pub mod expr {
    pub use crate::expr::{
        Arguments, Callee, Derivative, External, Function, Graph, Node, Number, Op, Origin, Partial, RULES, Rule,
        Rules, Sampled, Spelling, Symbol, stand_in,
    };
}

/// The mathematics.
pub mod derive {
    pub use crate::derive::{
        AccelerationPartials, Changed, Constraints, Curvature, Data, Dynamics, Elimination, Energies, Equations,
        EventPartials, Events, Kinematics, Linearised, Momenta, NewtonShare, NewtonStiffness, Observed, Partials,
        Products, Rows, Sensitivities, Solutions, Solves, Sparse, StartPartials, Starts, States, Tangent,
    };
}

/// The straight-line code.
pub mod lower {
    pub use crate::lower::{
        Block, Call, Called, Event, Expr, Field, Fused, Input, Kernel, Kind, Layout, Motion, Move, Newton, Ops,
        Pattern, Piece, Program, Record, Restore, Routine, RowKind, Share, Statement, Value,
    };
}

/// Names and texts.
pub mod describe {
    pub use crate::describe::{Description, Documentation, Form, Names, Spelled};
}
