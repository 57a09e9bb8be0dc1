//! `^` and `**`: no operators of a model. What is written instead depends on what is raised.

use quote::ToTokens;
use syn::{BinOp, Expr, ExprBinary, UnOp};

use super::functions::find;
use super::plain::{integer, is_number};
use super::reader::Reader;
use crate::check::values::Value;
use crate::diagnostics::{Id, Message, text};
use crate::model::Shape;

impl Reader<'_> {
    /// M0114 for each `^` and `**` of a chain, and the mistakes of the operands between; the value of the last one.
    pub(super) fn powers(&mut self, e: &ExprBinary) -> Value {
        let base = self.last_operand(&e.left);
        if let Some(message) = self.power_of_function(e) {
            self.report(message);
        } else if is_power(e) && !self.is_of_unit(e) {
            self.report(power(e, &base));
        }
        self.last_operand(&e.right)
    }

    fn last_operand(&mut self, side: &Expr) -> Value {
        match side {
            Expr::Binary(inner) => self.powers(inner),
            Expr::Unary(inner) if matches!(inner.op, UnOp::Deref(_)) => self.eval(&inner.expr),
            Expr::Path(path) if path.path.get_ident().is_some_and(|name| self.is_function(&name.to_string())) => {
                Value::Poison
            }
            // the exponent of `sin^2(th)`
            Expr::Call(call) if matches!(&*call.func, Expr::Lit(_)) => {
                call.args.iter().for_each(|argument| drop(self.eval(argument)));
                Value::Poison
            }
            _ => self.eval(side),
        }
    }

    /// A function of the language, or `e`, that is no name of the model.
    fn is_function(&self, name: &str) -> bool {
        !self.is_declared(name) && (find(name).is_some() || name == "e")
    }

    /// `sin^2(th)`, `exp^x`: a function is raised, not its value.
    fn power_of_function(&self, e: &ExprBinary) -> Option<Message> {
        let (Expr::Path(path), exponent) = factors(e) else { return None };
        let name = path.path.get_ident().filter(|_| is_power(e))?.to_string();
        if !self.is_function(&name) {
            return None;
        }
        let help = match exponent {
            Expr::Call(call) => {
                let argument = text(&call.args);
                match integer(&call.func).as_deref() {
                    Some("2") => format!("write `sq({name}({argument}))`"),
                    Some(n) => format!("write `{name}({argument}).powi({n})`"),
                    None => format!("write `{name}({argument}).powf({})`", text(&call.func)),
                }
            }
            _ if name == "e" || name == "exp" => format!("the exponential function is `exp({})`", argument(exponent)),
            _ => format!("`{name}` is a function: `{name}(..).powf({})`", text(exponent)),
        };
        Some(Message::new(Id::M0114, e.op.to_token_stream(), sign(e)).help(help))
    }

    /// `9.81m/s^2`: what is said about the unit is enough.
    fn is_of_unit(&self, e: &ExprBinary) -> bool {
        let Expr::Path(path) = factors(e).0 else { return false };
        let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
        self.unit_meant(&name).is_some()
    }
}

/// Is it `x^2`, or `x**2`, which reads as `x * (*2)`?
pub(super) fn is_power(e: &ExprBinary) -> bool {
    match e.op {
        BinOp::BitXor(_) => true,
        BinOp::Mul(_) => matches!(&*e.right, Expr::Unary(right) if matches!(right.op, UnOp::Deref(_))),
        _ => false,
    }
}

/// Xor binds weaker than `*` and `+`, and `**` as `*` does, so the operands meant are the nearest factors.
fn factors(e: &ExprBinary) -> (&Expr, &Expr) {
    let (mut base, mut exponent) = (&*e.left, &*e.right);
    loop {
        match base {
            Expr::Binary(inner) => base = &inner.right,
            Expr::Unary(inner) => base = &inner.expr,
            _ => break,
        }
    }
    loop {
        match exponent {
            Expr::Binary(inner) => exponent = &inner.left,
            Expr::Unary(inner) if matches!(inner.op, UnOp::Deref(_)) => exponent = &inner.expr,
            _ => break,
        }
    }
    (base, exponent)
}

/// M0114
fn power(e: &ExprBinary, value: &Value) -> Message {
    let (base, exponent) = factors(e);
    Message::new(Id::M0114, e.op.to_token_stream(), sign(e)).help(instead(base, exponent, value))
}

fn sign(e: &ExprBinary) -> &'static str {
    match e.op {
        BinOp::Mul(_) => "`**` is not an operator of Rust",
        _ => "`^` is bitwise xor in Rust, not power",
    }
}

/// How the power is written, of a base with this value.
fn instead(base: &Expr, exponent: &Expr, value: &Value) -> String {
    let (inside, power) = (argument(base), text(exponent));
    let base = match text(base) {
        // A method of an integer is none of a real number.
        number if is_number(base) && number.chars().all(|c| c.is_ascii_digit()) => format!("{number}.0"),
        other => other,
    };
    let whole = integer(exponent);
    let square = whole.as_deref() == Some("2");
    match value {
        Value::Quantity(q) if matches!(q.shape, Shape::Vector(_)) => match whole {
            Some(_) if square => format!("the square of a vector's length is `{base}.dot({inside})`"),
            Some(n) => format!("a vector has no powers; of its length write `norm({inside}).powi({n})`"),
            None => format!("a vector has no powers; of its length write `norm({inside}).powf({power})`"),
        },
        Value::Quantity(q) if q.shape != Shape::Scalar => format!("matrices multiply by `*`: `{base} * {base}`"),
        Value::Rotation(_) | Value::Frame3(_) => format!("turns compose by `*`: `{base} * {base}`"),
        Value::Frame(_) => "a planar frame has no powers; its parts are `.origin` and `.angle`".to_owned(),
        Value::List(_) => format!("an array has no powers; take elements, `{base}[0]`"),
        Value::Quantity(_) | Value::Poison => match whole {
            Some(_) if square => format!("write `sq({inside})` or `{base}.powi(2)`"),
            Some(n) => format!("write `{base}.powi({n})`"),
            None => format!("write `{base}.powf({power})`"),
        },
    }
}

/// The text of an expression as the argument of a call.
fn argument(expr: &Expr) -> String {
    match expr {
        Expr::Paren(inner) => text(&inner.expr),
        other => text(other),
    }
}
