//! Conditions: comparisons and `&& || !`, in `if` and `require` only.

use syn::{BinOp, Expr, ExprBinary, Lit, UnOp};

use super::plain::mend_either;
use super::reader::Reader;
use crate::check::values::Unit;
use crate::diagnostics::{Id, Message, text};
use crate::expr::Node;

/// A condition, known now or decided at run time.
#[derive(Clone, Copy)]
pub(crate) enum Condition {
    /// of whole numbers that are known now
    Known(bool),
    /// of reals
    Node(Node),
}

impl Reader<'_> {
    /// A condition; `None` after a mistake.
    pub(crate) fn condition(&mut self, expr: &Expr) -> Option<Condition> {
        if !self.step(expr) {
            return None;
        }
        match expr {
            Expr::Paren(e) => self.condition(&e.expr),
            Expr::Group(e) => self.condition(&e.expr),
            Expr::Lit(e) if matches!(e.lit, Lit::Bool(_)) => match &e.lit {
                Lit::Bool(b) => Some(Condition::Known(b.value)),
                _ => None,
            },
            Expr::Unary(e) if matches!(e.op, UnOp::Not(_)) => Some(match self.condition(&e.expr)? {
                Condition::Known(known) => Condition::Known(!known),
                Condition::Node(node) => Condition::Node(self.graph.not(node)),
            }),
            Expr::Binary(e) => match e.op {
                BinOp::And(_) => self.both(e, true),
                BinOp::Or(_) => self.both(e, false),
                BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_) => {
                    self.comparison(e, expr)
                }
                _ => self.no_condition(expr),
            },
            _ => self.no_condition(expr),
        }
    }

    fn no_condition(&mut self, expr: &Expr) -> Option<Condition> {
        // Mistakes inside come first.
        if !self.eval(expr).is_poison() {
            let message = Message::new(Id::M0123, expr, format!("`{}` is a number, not a condition", text(expr)))
                .help("compare it: `a < b`");
            self.report(message);
        }
        None
    }

    fn both(&mut self, e: &ExprBinary, and: bool) -> Option<Condition> {
        let (left, right) = (self.condition(&e.left), self.condition(&e.right));
        Some(match (left?, right?) {
            (Condition::Known(known), other) | (other, Condition::Known(known)) => {
                if known == and {
                    other
                } else {
                    Condition::Known(known)
                }
            }
            (Condition::Node(a), Condition::Node(b)) => {
                Condition::Node(if and { self.graph.and(a, b) } else { self.graph.or(a, b) })
            }
        })
    }

    fn comparison(&mut self, e: &ExprBinary, expr: &Expr) -> Option<Condition> {
        if let (Some(a), Some(b)) = (self.known_index(&e.left), self.known_index(&e.right)) {
            return Some(Condition::Known(match e.op {
                BinOp::Lt(_) => a < b,
                BinOp::Le(_) => a <= b,
                BinOp::Gt(_) => a > b,
                BinOp::Ge(_) => a >= b,
                BinOp::Eq(_) => a == b,
                _ => a != b,
            }));
        }
        let (left, right) = (self.eval(&e.left), self.eval(&e.right));
        let (left, right) = (self.expect_scalar(&left, &e.left), self.expect_scalar(&right, &e.right));
        let ((a, a_unit), (b, b_unit)) = (left?, right?);
        if matches!(e.op, BinOp::Eq(_) | BinOp::Ne(_)) {
            let sign = text(e.op);
            let message = Message::new(Id::M0121, expr, format!("comparison `{sign}` of reals as a condition"))
                .note("reals are almost never equal, so its derivative is never used")
                .help("use `<=` or `>=`");
            self.report(message);
            return None;
        }
        self.same_unit(a_unit, b_unit, e)?;
        Some(Condition::Node(match e.op {
            BinOp::Lt(_) => self.graph.less(a, b),
            BinOp::Le(_) => self.graph.less_eq(a, b),
            BinOp::Gt(_) => self.graph.less(b, a),
            _ => self.graph.less_eq(b, a),
        }))
    }

    /// M0514 unless the units of what is compared agree.
    pub(crate) fn same_unit(&mut self, a: Unit, b: Unit, e: &ExprBinary) -> Option<Unit> {
        let unit = a.unify(b);
        if unit.is_none() {
            let what = format!("cannot compare quantities of different units: `{a}` and `{b}`");
            let message = Message::new(Id::M0514, e.op, what);
            self.report(mend_either(message, &[&e.left, &e.right], a, b));
        }
        unit
    }
}
