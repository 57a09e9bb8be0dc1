//! Expressions → values: one case for each kind of Rust expression; anything that cannot be differentiated is refused
//! by name.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Block, Expr, Pat, RangeLimits, Stmt, UnOp};

use super::literal::start;
use super::reader::Reader;
use crate::check::scope::Local;
use crate::check::values::Value;
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Node, Op};

impl Reader<'_> {
    /// The value of an expression. A mistake is reported once and gives [`Value::Poison`].
    pub(crate) fn eval(&mut self, expr: &Expr) -> Value {
        if !self.step(expr) {
            return Value::Poison;
        }
        let before = self.enter(start(expr));
        let value = self.eval_kind(expr);
        let value = self.finite(expr, value);
        self.leave(before);
        value
    }

    fn eval_kind(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Lit(e) => self.literal(e),
            Expr::Path(e) => match e.path.get_ident() {
                Some(ident) => self.name_value(ident),
                None => {
                    let message = Message::new(Id::M0124, e, "paths are not values in a model expression")
                        .help("pass the value as a `param`; constants are `PI` and `TAU`");
                    self.wrong(message)
                }
            },
            Expr::Paren(e) => self.eval(&e.expr),
            Expr::Group(e) => self.eval(&e.expr),
            Expr::Unary(e) if matches!(e.op, UnOp::Neg(_)) => {
                let value = self.eval(&e.expr);
                self.negate(expr, value)
            }
            Expr::Binary(e) => self.binary(e),
            Expr::Call(e) => self.call(e, expr),
            Expr::MethodCall(e) => self.method(e, expr),
            Expr::Field(e) => self.field(&e.base, &e.member, expr),
            Expr::Index(e) => self.index_value(&e.expr, &e.index, expr),
            Expr::If(e) => self.branch(e, expr),
            Expr::Match(e) => self.matched(e, expr),
            Expr::Block(e) => self.block(&e.block),
            Expr::Array(e) => {
                let items: Vec<Value> = e.elems.iter().map(|e| self.eval(e)).collect();
                self.list(items, expr)
            }
            Expr::Repeat(e) => {
                let item = self.eval(&e.expr);
                match self.index(&e.len) {
                    Some(n @ 1..=1024) => self.list(vec![item; n as usize], expr),
                    Some(n) => {
                        let message = Message::new(Id::M0108, &e.len, format!("an array of {n} elements"))
                            .note("an array has 1 to 1024 elements");
                        self.wrong(message)
                    }
                    None => Value::Poison,
                }
            }
            other => {
                let message = refused(other);
                self.wrong(message)
            }
        }
    }

    fn name_value(&mut self, ident: &Ident) -> Value {
        let local = self.here.local(&ident.to_string()).is_some();
        if self.here.place.constant && !local && ident != "PI" && ident != "TAU" {
            let message = Message::new(Id::M0109, ident, format!("a default is a number and cannot read `{ident}`"))
                .maybe_help(self.unit_meant(&ident.to_string()))
                .help("leave the default out and set it when the model is built");
            return self.wrong(message);
        }
        self.lookup(ident)
    }

    fn list(&mut self, items: Vec<Value>, expr: &Expr) -> Value {
        if items.iter().any(Value::is_poison) {
            return Value::Poison;
        }
        let moving = items.iter().all(|i| matches!(i, Value::Rotation(_)))
            || items.iter().all(|i| matches!(i, Value::Frame3(_)));
        let list = Value::List(items);
        if list.shape().is_none() && !moving {
            let message = Message::new(Id::M0509, expr, "the elements of an array have different shapes");
            return self.wrong(message);
        }
        list
    }

    /// A constant that overflowed has no derivative and no spelling.
    fn finite(&mut self, expr: &Expr, value: Value) -> Value {
        let broken = |n: &Node| {
            if let Some(number) = self.graph.value(*n) {
                return !number.is_finite();
            }
            if matches!(self.graph.op(*n), Op::Call(..)) {
                return false;
            }
            let mut operands = self.graph.operands(*n).peekable();
            let known = operands.peek().is_some() && operands.all(|o| self.graph.value(o).is_some());
            known && self.graph.evaluate(&[*n], &|_| f64::NAN).iter().any(|v| !v.is_finite())
        };
        let quantity = matches!(value, Value::Quantity(_));
        if quantity && value.scalars().iter().any(broken) {
            let message = Message::new(Id::M0125, expr, format!("`{}` has no finite value", text(expr)));
            return self.wrong(message);
        }
        value
    }

    /// `{ let a = ..; b }`
    pub(crate) fn block(&mut self, block: &Block) -> Value {
        let depth = self.here.locals.len();
        let value = self.statements(block);
        self.here.locals.truncate(depth);
        value
    }

    fn statements(&mut self, block: &Block) -> Value {
        let mut value = None;
        let last = block.stmts.len().saturating_sub(1);
        for (at, statement) in block.stmts.iter().enumerate() {
            match statement {
                Stmt::Local(local) => self.local(local),
                Stmt::Expr(expr, None) if at == last => value = Some(self.eval(expr)),
                other => {
                    let message =
                        Message::new(Id::M0124, other, "a block in a model contains only `let`s and one value")
                            .help("the last expression is the value; it has no `;`");
                    value = Some(self.wrong(message));
                }
            }
        }
        value.unwrap_or_else(|| {
            let message =
                Message::new(Id::M0117, block, "this block has no value").help("end it with an expression without `;`");
            self.wrong(message)
        })
    }

    pub(crate) fn local(&mut self, local: &syn::Local) {
        let init = local.init.as_ref().filter(|init| init.diverge.is_none());
        let (Pat::Ident(name), Some(init)) = (&local.pat, init) else {
            let message = Message::new(Id::M0124, local, "expected `let name = value;`");
            self.report(message);
            return;
        };
        if name.by_ref.is_some() || name.mutability.is_some() || name.subpat.is_some() {
            let message =
                Message::new(Id::M0124, &local.pat, "a model has no mutable names").help("a `let` names an expression");
            self.report(message);
        }
        let value = self.eval(&init.expr);
        self.here.locals.push((name.ident.to_string(), Local::Value(value)));
    }
}

/// Rust expressions that a model does not allow.
fn refused(expr: &Expr) -> Message {
    match expr {
        Expr::Cast(e) => Message::new(Id::M0116, e, "`as` casts are not allowed in model expressions")
            .help("every number is real; drop the cast"),
        Expr::Closure(e) => Message::new(Id::M0118, e, "closures cannot be differentiated symbolically")
            .help("use a model `fn` or an `extern fn`"),
        Expr::Unary(e) if matches!(e.op, UnOp::Not(_)) => not_a_value(expr),
        Expr::Unary(e) => {
            Message::new(Id::M0124, e, "references have no meaning in a model expression").help("drop the `*`")
        }
        Expr::Reference(e) => {
            Message::new(Id::M0124, e, "references have no meaning in a model expression").help("drop the `&`")
        }
        Expr::Assign(e) => {
            Message::new(Id::M0124, e, "a model has no assignments").help("name an expression with `let`")
        }
        Expr::Tuple(e) => Message::new(Id::M0124, e, "a tuple is not a value").help("write `vec2(a, b)` or `[a, b]`"),
        Expr::Range(e) => {
            let form = if matches!(e.limits, RangeLimits::Closed(_)) { "lo..=hi" } else { "0..4" };
            Message::new(Id::M0124, e, format!("a range `{form}` is not a value"))
        }
        Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => {
            Message::new(Id::M0124, expr, "loops are not expressions of a model")
                .help("a `for i in 0..4 { .. }` around items unrolls")
        }
        Expr::Macro(e) if e.mac.path.is_ident("vec") => {
            Message::new(Id::M0124, e, "`vec!` is Rust's own").help("write `vec2(a, b)` or `[a, b]`")
        }
        Expr::Struct(e) => {
            Message::new(Id::M0124, e, "a call has parentheses").help(format!("write `{}(..)`", text(&e.path)))
        }
        Expr::Macro(e) => Message::new(Id::M0124, e, "macros cannot be differentiated").help("use a model `fn`"),
        other => Message::new(Id::M0124, other, "this is not an expression of a model")
            .help("use numbers, names, `+ - * /`, functions, `if .. {} else {}` and blocks with `let`"),
    }
}

/// A condition where a number is wanted.
pub(super) fn not_a_value(expr: &impl ToTokens) -> Message {
    Message::new(Id::M0123, expr, "a condition is not a number")
        .help("choose between numbers: `if .. { 1.0 } else { 0.0 }`")
}
