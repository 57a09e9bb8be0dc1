//! The shape of an item whose model has mistakes: one mistake stays one message, because the names the rest of the user's
//! code holds on to are still there.
//!
//! What is emitted is a model with the same declarations and no mechanics, by the path every model takes.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream};

use crate::Compiled;
use crate::check::{accessor, reserved};
use crate::diagnostics::text;
use crate::expr::{Graph, Node};
use crate::model::{
    Constraint, Coordinate, Declared, Emit, Header, Hold, Input, Model, Options, Output, Param, Shape, Space, State,
};
use crate::parse::ast::{self, Kind, Role};

/// Scalars of one kind beyond which a shape is not kept: it is part of the mistake.
const MOST_SCALARS: usize = 32;

/// The item's shape; nothing where the text has no name.
pub(crate) fn shape(ast: &ast::Model) -> TokenStream {
    match declarations(ast) {
        Some(model) => Compiled::of(model, Vec::new()).emit(),
        None => TokenStream::new(),
    }
}

/// The declarations of a model, each name once.
struct Declarations {
    graph: Graph,
    seen: HashSet<String>,
    counts: [usize; 5],
}

impl Declarations {
    /// A declaration of the kind, or nothing where the name is taken or cannot be an accessor.
    fn declare(&mut self, role: Role, ident: &Ident, shape: Option<Shape>) -> Option<Declared> {
        if reserved(ident) || !self.seen.insert(ident.to_string()) {
            return None;
        }
        let count = &mut self.counts[role as usize];
        let shape = shape.filter(|s| *count + s.len() <= MOST_SCALARS).unwrap_or(Shape::Scalar);
        let first = *count;
        *count += shape.len();
        let (unit, docs) = (String::new(), Vec::new());
        Some(Declared { ident: ident.clone(), shape, angle: false, unit, docs, first })
    }

    /// A constraint of one row, or nothing where the name is taken or cannot be an accessor.
    fn constraint(&mut self, ident: &Ident, first: usize) -> Option<Constraint> {
        if reserved(ident) || !self.seen.insert(ident.to_string()) {
            return None;
        }
        Some(Constraint {
            ident: ident.clone(),
            label: ident.to_string(),
            rows: self.zeros(1),
            level: Hold::Position,
            soft: Vec::new(),
            first,
            shape: Shape::Scalar,
            unit: String::new(),
            docs: Vec::new(),
        })
    }

    fn zeros(&mut self, len: usize) -> Vec<Node> {
        vec![self.graph.constant(0.0); len]
    }
}

fn declarations(ast: &ast::Model) -> Option<Model> {
    let mut d = Declarations { graph: Graph::new(), seen: HashSet::new(), counts: [0; 5] };
    let (mut params, mut coordinates, mut states) = (Vec::new(), Vec::new(), Vec::new());
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    let mut constraints = Vec::new();
    for item in &ast.items {
        match &item.kind {
            Kind::Declare(declare) => {
                for name in &declare.names {
                    if declare.role == Role::Param && ast.options.freeze.holds(&name.ident) {
                        continue;
                    }
                    let Some(declared) = d.declare(declare.role, &name.ident, declare.ty.shape()) else { continue };
                    let len = declared.shape.len();
                    match declare.role {
                        Role::Param => {
                            params.push(Param {
                                declared,
                                default: Some(vec![0.0; len]),
                                scale: 1.0,
                                symmetric: false,
                            });
                        }
                        Role::Coord => {
                            let (rate, first_rate) = (declared.shape.clone(), declared.first);
                            let velocity = name.velocity.clone();
                            coordinates.push(Coordinate { declared, velocity, space: Space::Flat, rate, first_rate });
                        }
                        Role::State => states.push(State { declared }),
                        Role::Input => inputs.push(Input { declared, default: vec![0.0; len], range: None }),
                        Role::Output => outputs.push(Output { declared, value: d.zeros(len) }),
                    }
                }
            }
            Kind::Constraint(c) => constraints.extend(d.constraint(&c.name, constraints.len())),
            Kind::Fix(fix) => {
                // The target may be anything.
                if let Ok(name) = syn::parse_str(&accessor(&format!("fix {}", text(&fix.target)))) {
                    constraints.extend(d.constraint(&name, constraints.len()));
                }
            }
            _ => {}
        }
    }
    constraints.truncate(MOST_SCALARS);
    let rates = d.zeros(d.counts[Role::State as usize]);
    Some(Model {
        header: header(ast)?,
        graph: d.graph,
        params,
        coordinates,
        states,
        rates,
        inputs,
        outputs,
        constraints,
        kinetic: Vec::new(),
        potential: Vec::new(),
        dissipation: Vec::new(),
        frames: Vec::new(),
        bodies: Vec::new(),
        gravity: None,
        mass: Vec::new(),
        forces: Vec::new(),
        starts: Vec::new(),
        limits: Vec::new(),
        costs: Vec::new(),
        fits: Vec::new(),
        requires: Vec::new(),
        externals: Vec::new(),
    })
}

fn header(ast: &ast::Model) -> Option<Header> {
    Some(Header {
        vis: ast.vis.clone(),
        name: ast.name.clone()?,
        scalar: ast.scalar.clone(),
        docs: ast.docs.clone(),
        attrs: Vec::new(),
        options: Options {
            derives: ast.options.derives.clone(),
            facade: ast.options.facade.clone().unwrap_or_else(|| syn::parse_quote!(::ode_model)),
            max_ops: usize::MAX,
            selftest: false,
            emit: Emit::default(),
            branch_free: false,
            order: ast.options.order,
        },
    })
}
