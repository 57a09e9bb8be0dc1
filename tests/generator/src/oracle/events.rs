//! Events as they are written: when each happens, and what is after it.

use ode_codegen::phases::parse::ast;
use syn::{BinOp, Expr, Stmt};

use super::evaluate::local_let;
use super::starts::Kind;
use super::{Oracle, Point, Value, Written};
use crate::jet::Jet;

/// An event as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// its name, as reports show it
    pub label: String,
    /// the sign with which the left side less the right one crosses zero; 0 for either
    pub crossing: f64,
    /// does a run end with it?
    pub stops: bool,
}

/// `a < b`
fn condition(text: &Expr) -> &syn::ExprBinary {
    match text {
        Expr::Paren(e) => condition(&e.expr),
        Expr::Group(e) => condition(&e.expr),
        Expr::Binary(e) => e,
        _ => panic!("no guard"),
    }
}

impl<'a> Oracle<'a> {
    /// All events, in the order of the text.
    pub fn happenings(&self) -> Vec<Event> {
        let event = |(at, event): &(Written<'a>, &'a ast::Event)| Event {
            label: self.label(&at.env, &super::declare::bare(&event.name)),
            crossing: match condition(at.text).op {
                BinOp::Lt(_) | BinOp::Le(_) => -1.0,
                BinOp::Gt(_) | BinOp::Ge(_) => 1.0,
                _ => 0.0,
            },
            stops: event
                .body
                .stmts
                .iter()
                .any(|s| matches!(s, Stmt::Expr(Expr::Path(p), _) if p.path.is_ident("stop"))),
        };
        self.events.iter().map(event).collect()
    }

    /// Guards of events.
    pub fn guards(&self, at: &Point) -> Vec<Jet> {
        let guard = |(text, _): &(Written<'a>, &'a ast::Event)| {
            let e = condition(text.text);
            self.eval(&e.left, &text.env, at).number() - self.eval(&e.right, &text.env, at).number()
        };
        self.events.iter().map(guard).collect()
    }

    /// What an event assigns: each target with its value from what was before.
    fn assigned(&self, event: usize, at: &Point) -> Vec<(Written<'a>, Value)> {
        let (text, event) = &self.events[event];
        let (mut env, mut assigned) = (text.env.clone(), Vec::new());
        for statement in &event.body.stmts {
            match statement {
                Stmt::Local(local) => env = local_let(&env, local),
                Stmt::Expr(Expr::Assign(e), _) => {
                    assigned.push((Written { env: env.clone(), text: &e.left }, self.eval(&e.right, &env, at)));
                }
                _ => {}
            }
        }
        assigned
    }

    /// Values after events: event after event, assignment after assignment.
    pub fn resets(&self, at: &Point) -> Vec<Jet> {
        let values = |event| self.assigned(event, at).into_iter().flat_map(|(_, value)| value.scalars());
        (0..self.events.len()).flat_map(values).collect()
    }

    /// q, v, z and the modes after an event.
    pub fn after(&self, event: usize, at: &Point) -> [Vec<Jet>; 4] {
        let now = &at.at;
        let mut state = [&now.q, &now.v, &now.z, &now.modes].map(|x| x.to_vec());
        for (target, value) in self.assigned(event, at) {
            let kinds = [Kind::Position, Kind::Velocity, Kind::State, Kind::Mode];
            for (kind, numbers) in kinds.into_iter().zip(&mut state) {
                for (place, value) in self.places_of(&target, kind).into_iter().zip(value.scalars()) {
                    if let Some(place) = place {
                        numbers[place] = value;
                    }
                }
            }
        }
        state
    }
}
