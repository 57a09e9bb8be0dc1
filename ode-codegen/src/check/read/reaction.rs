//! `x.reaction`: the force on a coordinate by what fixes it.

use syn::Expr;

use super::reader::Reader;
use crate::check::values::{Dimension, Quantity, Value, shaped};
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Node, Symbol};

impl Reader<'_> {
    /// `x.reaction`: the force on a coordinate by what fixes it, in the coordinate's shape.
    pub(crate) fn reaction(&mut self, value: &Value, base: &Expr, expr: &Expr) -> Option<Value> {
        let position = |n: &Node| match self.graph.as_symbol(*n) {
            Some(Symbol::Q(i)) => Some(i),
            _ => None,
        };
        let nodes = value.scalars();
        let places: Vec<u32> = nodes.iter().map(position).collect::<Option<_>>()?;
        if places.is_empty() {
            return None;
        }
        let name = text(base);
        if self.notes.unread_fix || !self.here.place.accelerations {
            let message = Message::new(Id::M0404, expr, "reactions are only known in an `output`")
                .note("they are unknowns of the model");
            return Some(self.wrong(message));
        }
        let mut held = false;
        let mut forces = Vec::new();
        for place in places {
            let grips: Vec<(Node, usize)> =
                self.notes.grips.iter().filter(|h| h.position == place).map(|h| (h.share, h.row)).collect();
            held |= !grips.is_empty();
            let terms: Vec<Node> = grips
                .into_iter()
                .map(|(share, row)| {
                    let lambda = self.graph.symbol(Symbol::Lambda(row as u32));
                    self.graph.mul(share, lambda)
                })
                .collect();
            forces.push(self.graph.sum(terms));
        }
        if !held && self.reports.doubts.constraints {
            return Some(Value::Poison);
        }
        if !held {
            let message = Message::new(Id::M0310, expr, format!("`{name}` is not fixed, so it has no reaction"))
                .help(format!("write `fix {name};`; the multiplier of a constraint `c` is `c.lambda`"));
            return Some(self.wrong(message));
        }
        let unit = self.unit(Dimension::JOULE).div(value.unit());
        Some(match value {
            Value::Quantity(q) => Quantity { shape: q.shape.clone(), elements: forces, unit }.into(),
            other => shaped(&other.shape()?, &mut forces.into_iter(), unit),
        })
    }
}
