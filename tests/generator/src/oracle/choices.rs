//! Which branch of an `if` and which arm of a `match` is taken.

use std::rc::Rc;

use quote::ToTokens;
use syn::{BinOp, Expr, ExprMatch, Lit, Pat};

use super::{Env, Oracle, Point};

impl<'a> Oracle<'a> {
    /// Does a condition hold?
    pub(super) fn holds(&self, expr: &'a Expr, env: &Rc<Env<'a>>, at: &Point) -> bool {
        match expr {
            Expr::Paren(e) => self.holds(&e.expr, env, at),
            Expr::Group(e) => self.holds(&e.expr, env, at),
            Expr::Unary(e) => !self.holds(&e.expr, env, at),
            Expr::Binary(e) => {
                let number = |side: &'a Expr| self.eval(side, env, at).number().real();
                match e.op {
                    BinOp::And(_) => self.holds(&e.left, env, at) && self.holds(&e.right, env, at),
                    BinOp::Or(_) => self.holds(&e.left, env, at) || self.holds(&e.right, env, at),
                    BinOp::Eq(_) => number(&e.left) == number(&e.right),
                    BinOp::Ne(_) => number(&e.left) != number(&e.right),
                    BinOp::Lt(_) => number(&e.left) < number(&e.right),
                    BinOp::Le(_) => number(&e.left) <= number(&e.right),
                    BinOp::Gt(_) => number(&e.left) > number(&e.right),
                    BinOp::Ge(_) => number(&e.left) >= number(&e.right),
                    _ => panic!("no condition: {}", expr.to_token_stream()),
                }
            }
            other => panic!("no condition: {}", other.to_token_stream()),
        }
    }

    /// The value of the arm that a number takes.
    pub(super) fn arm(&self, e: &'a ExprMatch, env: &Rc<Env<'a>>, at: &Point) -> &'a Expr {
        let number = self.eval(&e.expr, env, at).number().real();
        let taken = e.arms.iter().find(|arm| fits(&arm.pat, number));
        &taken.expect("an arm for all other numbers").body
    }
}

fn fits(pattern: &Pat, number: f64) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        Pat::Or(e) => e.cases.iter().any(|case| fits(case, number)),
        Pat::Paren(e) => fits(&e.pat, number),
        Pat::Lit(e) => {
            let digits = match &e.lit {
                Lit::Int(n) => n.base10_digits(),
                Lit::Float(n) => n.base10_digits(),
                other => panic!("{} is no number", other.to_token_stream()),
            };
            digits.parse::<f64>().expect("a number") == number
        }
        other => panic!("no pattern of a model: {}", other.to_token_stream()),
    }
}
