//! The shape of an item whose model has mistakes: one mistake stays one message, because the names the rest of the user's
//! code holds on to are still there.
//!
//! What is emitted is a model with the same declarations and no mechanics, by the path every model takes.

use std::collections::{BTreeMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream};

use crate::Compiled;
use crate::check::{accessor, reserved};
use crate::diagnostics::text;
use crate::expr::{Graph, Node};
use crate::identifier::{bare, identifier, spelling};
use crate::model::{
    Constraint, Coordinate, Declared, Emit, Header, Hold, Input, Mode, Model, Options, Output, Param, Shape, Space,
    State, Sub,
};
use crate::parse::ast::{self, Item, Kind, Role};

/// Scalars of one kind beyond which a shape is not kept: it is part of the mistake.
const MOST_SCALARS: usize = 32;

/// Items of subs beyond which a shape is not kept.
const MOST_ITEMS: usize = 2000;

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
    /// what stands before the names of the sub that is read
    prefix: String,
    shown: BTreeMap<String, String>,
    counts: [usize; 7],
}

impl Declarations {
    /// A declaration of the kind, or nothing where the name is taken or cannot be an accessor.
    fn declare(&mut self, role: Role, ident: &Ident, shape: Option<Shape>) -> Option<Declared> {
        let ident = self.spelled(ident);
        if reserved(&ident) || !self.seen.insert(ident.to_string()) {
            return None;
        }
        let count = &mut self.counts[role as usize];
        let shape = shape.filter(|s| *count + s.len() <= MOST_SCALARS).unwrap_or(Shape::Scalar);
        let first = *count;
        *count += shape.len();
        let (unit, docs) = (String::new(), Vec::new());
        Some(Declared { ident, shape, angle: false, unit, docs, first })
    }

    /// A name as the generated code spells it, with what stands before it.
    fn spelled(&mut self, ident: &Ident) -> Ident {
        if self.prefix.is_empty() {
            return ident.clone();
        }
        let shown = format!("{}{}", self.prefix, bare(ident));
        let spelled = identifier(&spelling(&shown), ident.span());
        self.shown.insert(spelled.to_string(), shown);
        spelled
    }

    /// A constraint of one row, or nothing where the name is taken or cannot be an accessor.
    fn constraint(&mut self, ident: &Ident, first: usize) -> Option<Constraint> {
        let ident = self.spelled(ident);
        if reserved(&ident) || !self.seen.insert(ident.to_string()) {
            return None;
        }
        Some(Constraint {
            label: self.shown.get(&ident.to_string()).cloned().unwrap_or_else(|| bare(&ident)),
            ident,
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
    let (prefix, shown) = (String::new(), BTreeMap::new());
    let mut d = Declarations { graph: Graph::new(), seen: HashSet::new(), prefix, shown, counts: [0; 7] };
    let (mut params, mut coordinates, mut states) = (Vec::new(), Vec::new(), Vec::new());
    let (mut inputs, mut outputs, mut modes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut constraints, mut subs) = (Vec::new(), Vec::new());
    for (prefix, item) in items(ast, String::new()) {
        d.prefix = prefix;
        match &item.kind {
            // those of a sub are its own, and the model's business
            Kind::Declare(declare) if !d.prefix.is_empty() && matches!(declare.role, Role::Param | Role::Input) => {}
            Kind::Sub(sub) if d.prefix.is_empty() => {
                let Some(ty) = child_type(ast, sub) else { continue };
                if d.seen.insert(sub.name.to_string()) {
                    let (ident, docs, count) = (sub.name.clone(), Vec::new(), sub.count);
                    subs.push(Sub { ident, docs, ty, count, elements: None });
                }
            }
            Kind::Declare(declare) => {
                // an item with mistakes has nothing that tells them apart
                let kind = if declare.role == Role::Algebraic { Role::State } else { declare.role };
                for name in &declare.names {
                    if declare.role == Role::Param && ast.options.freeze.holds(&name.ident) {
                        continue;
                    }
                    let Some(declared) = d.declare(kind, &name.ident, declare.ty.shape()) else { continue };
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
                            let velocity = name.velocity.as_ref().map(|v| d.spelled(v));
                            coordinates.push(Coordinate { declared, velocity, space: Space::Flat, rate, first_rate });
                        }
                        Role::State | Role::Algebraic => states.push(State { declared, algebraic: false }),
                        Role::Mode => modes.push(Mode { declared, start: vec![0.0; len] }),
                        Role::Input => inputs.push(Input { declared, default: vec![0.0; len], range: None }),
                        Role::Output => outputs.push(Output { declared, value: d.zeros(len) }),
                    }
                }
            }
            Kind::Constraint(c) => constraints.extend(d.constraint(&c.name, constraints.len())),
            Kind::Fix(fix) => {
                // The target may be anything.
                let name = identifier(&accessor(&format!("fix {}", text(&fix.target))), Span::call_site());
                constraints.extend(d.constraint(&name, constraints.len()));
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
        modes,
        events: Vec::new(),
        rates,
        laws: Vec::new(),
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
        subs,
        shown: d.shown,
    })
}

/// The type of a sub over the model's scalar; `None` where it has none.
fn child_type(ast: &ast::Model, sub: &ast::Sub) -> Option<syn::Path> {
    let child = ast.child(sub).filter(|_| !ast.recursive(sub))?;
    let mut ty = sub.path.clone();
    match (&ast.scalar, &child.model) {
        (_, None) => return Some(sub.ty.clone()),
        (Some(_), Some(child)) if child.scalar.is_none() => return None,
        (Some(t), _) => {
            let last = ty.segments.last_mut()?;
            last.arguments = syn::PathArguments::AngleBracketed(syn::parse_quote!(<#t>));
        }
        (None, _) => {}
    }
    Some(ty)
}

/// The items of a model and of its subs, each with what stands before its names.
fn items(ast: &ast::Model, prefix: String) -> Vec<(String, &Item)> {
    let mut all = Vec::new();
    for item in &ast.items {
        all.push((prefix.clone(), item));
        let Kind::Sub(sub) = &item.kind else { continue };
        let Some(child) = ast.child(sub).and_then(|c| c.model.as_ref()).filter(|_| !ast.recursive(sub)) else {
            continue;
        };
        for k in 0..sub.count.unwrap_or(1) {
            let index = sub.count.map_or(String::new(), |_| format!("[{k}]"));
            all.extend(items(child, format!("{prefix}{}{index}.", bare(&sub.name))));
            if all.len() > MOST_ITEMS {
                return all;
            }
        }
    }
    all
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
