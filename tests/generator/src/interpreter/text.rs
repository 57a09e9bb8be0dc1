//! A model by its text, compiled, with what methods are told of it.

use std::fmt;

use ode_codegen::phases::expr::Partial;
use ode_codegen::phases::lower::{Program, RowKind};
use ode_codegen::phases::model::{Crossing, Order};
use ode_codegen::{Compiled, compile};
use ode_runtime::linalg::{Kkt, Saddle, Square};
use ode_runtime::{Block, Layout, Pattern};

use crate::external;

/// A compiled model with what methods are told of it.
pub struct Text {
    pub(super) compiled: Compiled,
    pub(super) layout: Layout<'static>,
    pub(super) rotations: Vec<(usize, usize)>,
    pub(super) defaults: Vec<f64>,
}

/// A model by its text, with the blocks and solvers that methods work in: their sizes are types.
pub trait Plant: Clone + fmt::Debug + 'static {
    /// coordinates
    type Q: Block<f64>;
    /// velocities
    type V: Block<f64>;
    /// states
    type Z: Block<f64>;
    /// inputs
    type U: Block<f64>;
    /// multipliers
    type L: Block<f64>;
    /// modes
    type Modes: Block<f64>;
    /// of the accelerations
    type Saddle: Saddle<f64>;
    /// of implicit methods
    type Kkt: Kkt<f64>;
    /// of a start
    type Assembly: Square<f64>;
    /// of algebraic variables
    type Algebra: Square<f64>;
    /// does the program solve for accelerations by itself?
    const DIRECT: bool;

    /// What is run; the same each time.
    fn text() -> &'static Text;
}

fn leaked<T: ?Sized>(value: Box<T>) -> &'static T {
    Box::leak(value)
}

fn names(list: &[String]) -> &'static [&'static str] {
    leaked(list.iter().map(|name| leaked(name.clone().into_boxed_str())).collect())
}

fn pattern(program: &Program, name: &str) -> Pattern<'static> {
    let p = program.pattern(name).expect("a pattern");
    Pattern {
        rows: p.rows,
        cols: p.cols,
        starts: leaked(p.starts.clone().into_boxed_slice()),
        indices: leaked(p.indices.clone().into_boxed_slice()),
    }
}

impl Text {
    /// Compiles a model, for good.
    ///
    /// # Panics
    /// If it does not compile, or a parameter has no default.
    pub fn of(text: &str) -> &'static Self {
        let compiled = compile(text.parse().expect("tokens")).expect("a model");
        let (program, n) = (&compiled.program, &compiled.names);
        let crossing = |crossing| match crossing {
            Crossing::Falling => ode_runtime::Crossing::Falling,
            Crossing::Rising => ode_runtime::Crossing::Rising,
            Crossing::Either => ode_runtime::Crossing::Either,
        };
        let event = |e: &ode_codegen::phases::lower::Event| ode_runtime::Event {
            name: leaked(e.label.clone().into_boxed_str()),
            crossing: crossing(e.crossing),
            stops: e.stops,
        };
        let kind = |kind: &RowKind| match kind {
            RowKind::Holonomic => ode_runtime::RowKind::Holonomic,
            RowKind::Nonholonomic => ode_runtime::RowKind::Nonholonomic,
            RowKind::Compliant => ode_runtime::RowKind::Compliant,
        };
        let layout = Layout {
            name: leaked(compiled.model.header.name.to_string().into_boxed_str()),
            q: names(&n.q),
            v: names(&n.v),
            directions: names(&n.directions),
            steps: names(&n.steps),
            z: names(&n.z),
            algebraic: program.layout.algebraic,
            algebraic_jacobian: pattern(program, "ALGEBRAIC_JACOBIAN"),
            u: names(&n.u),
            outputs: names(&n.y),
            modes: names(&n.modes),
            events: leaked(program.events.iter().map(event).collect()),
            constraints: names(&n.constraints),
            multipliers: names(&n.multipliers),
            kinds: leaked(program.layout.rows.iter().map(kind).collect()),
            init_position: names(&n.init_position),
            init_velocity: names(&n.init_velocity),
            init_position_jacobian: pattern(program, "INIT_POSITION"),
            init_velocity_jacobian: pattern(program, "INIT_VELOCITY"),
            mass: pattern(program, "MASS"),
            jacobian: pattern(program, "JACOBIAN"),
            tangent: pattern(program, "TANGENT"),
            order: match program.layout.order {
                Order::First => ode_runtime::Order::First,
                Order::Second => ode_runtime::Order::Second,
            },
            constant_mass: program.layout.constant_mass,
            rheonomic: program.layout.rheonomic,
        };
        let rotations = program.motions.iter().filter_map(|m| m.rotation).collect();
        let params = &compiled.model.declared.params;
        let defaults = params.iter().flat_map(|p| p.default.clone().expect("a default")).collect();
        leaked(Box::new(Self { compiled, layout, rotations, defaults }))
    }

    /// What the compiler made of it.
    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    pub(super) fn value(&self, partial: &Partial, x: &[f64]) -> f64 {
        external::value(&self.compiled.model.externals, partial, x)
    }
}
