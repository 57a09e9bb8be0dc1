//! Every kernel as a listing: one statement a line, with the user's place and the operation counts.

use std::fmt::Write as _;

use crate::expr::{Function as F, Spelling, Symbol};
use crate::identifier::bare;
use crate::lower::{Block, Expr, Kernel, Kind, Ops, Program, Statement};
use crate::model::Model;

use super::names::Names;

/// The `IR` text.
pub(super) fn listing(model: &Model, program: &Program, names: &Names) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut out = format!("; {}  ode-model {version}  {}\n", bare(&model.header.name), counts(program.ops()));
    for kernel in program.kernels() {
        if kernel.outputs.iter().any(|(_, len)| *len > 0) {
            let _ = writeln!(out, "\n{}  ; {}", kernel.name, counts(kernel.ops));
            body(&mut out, kernel, &|s| names.shown(s));
        }
    }
    out
}

fn counts(ops: Ops) -> String {
    let Ops { add, mul, div, call, choice } = ops;
    format!("ops: add {add} mul {mul} div {div} call {call} choice {choice} = {}", ops.total())
}

fn body(out: &mut String, kernel: &Kernel, name: &dyn Fn(Symbol) -> String) {
    for statement in kernel.pieces.iter().flat_map(|p| &p.statements) {
        line(out, statement, name, 1);
    }
}

fn line(out: &mut String, statement: &Statement, name: &dyn Fn(Symbol) -> String, depth: usize) {
    let left = match &statement.kind {
        Kind::Let(temp) => format!("w{temp}"),
        Kind::Sines(pairs) => {
            let name = |temp: Option<u32>| temp.map_or_else(|| "_".to_owned(), |temp| format!("w{temp}"));
            let pairs: Vec<String> = pairs.iter().map(|[s, c]| format!("({}, {})", name(*s), name(*c))).collect();
            pairs.join(", ")
        }
        Kind::Write(array, index) => format!("{array}[{index}]"),
    };
    let place = statement.origin.map_or(String::new(), |o| format!("  ; {}:{}", o.line, o.column));
    let indent = "  ".repeat(depth);
    match &statement.value {
        Expr::Choice(c, a, b) => {
            let _ = writeln!(out, "{indent}{left} = if {} {{{place}", spell(c, name, 0));
            block(out, a, name, depth);
            let _ = writeln!(out, "{indent}}} else {{");
            block(out, b, name, depth);
            let _ = writeln!(out, "{indent}}}");
        }
        value => {
            let _ = writeln!(out, "{indent}{left} = {}{place}", spell(value, name, 0));
        }
    }
}

fn block(out: &mut String, block: &Block, name: &dyn Fn(Symbol) -> String, depth: usize) {
    for statement in &block.statements {
        line(out, statement, name, depth + 1);
    }
    let _ = writeln!(out, "{}{}", "  ".repeat(depth + 1), spell(&block.value, name, 0));
}

fn spell(expr: &Expr, name: &dyn Fn(Symbol) -> String, within: u8) -> String {
    let pair = |a: &Expr, op: &str, b: &Expr, own: u8| {
        let text = format!("{}{op}{}", spell(a, name, own), spell(b, name, own + 1));
        if own < within { format!("({text})") } else { text }
    };
    match expr {
        Expr::Constant(value) => format!("{value:?}"),
        Expr::Load(symbol) => name(*symbol),
        Expr::Temp(temp) => format!("w{temp}"),
        Expr::Unary(F::Neg, a) => {
            let text = format!("-{}", spell(a, name, 3));
            if within > 2 { format!("({text})") } else { text }
        }
        Expr::Unary(F::Square, a) => format!("{}^2", spell(a, name, 4)),
        Expr::Unary(F::Recip, a) => {
            let text = format!("1/{}", spell(a, name, 3));
            if within > 2 { format!("({text})") } else { text }
        }
        Expr::Unary(f, a) => format!("{}({})", call(*f), spell(a, name, 0)),
        Expr::Binary(F::Add, a, b) => pair(a, " + ", b, 1),
        Expr::Binary(F::Sub, a, b) => pair(a, " - ", b, 1),
        Expr::Binary(F::Mul, a, b) => pair(a, "*", b, 2),
        Expr::Divide(a, b) => pair(a, "/", b, 2),
        Expr::Binary(f, a, b) => format!("{}({}, {})", call(*f), spell(a, name, 0), spell(b, name, 0)),
        Expr::Less(a, b) => pair(a, " < ", b, 0),
        Expr::LessEq(a, b) => pair(a, " <= ", b, 0),
        Expr::And(a, b) => format!("({} && {})", spell(a, name, 0), spell(b, name, 0)),
        Expr::Or(a, b) => format!("({} || {})", spell(a, name, 0), spell(b, name, 0)),
        Expr::Not(a) => format!("!({})", spell(a, name, 0)),
        Expr::Choice(c, a, b) => {
            let side = |b: &Block| spell(&b.value, name, 0);
            format!("if {} {{ {} }} else {{ {} }}", spell(c, name, 0), side(a), side(b))
        }
        Expr::Call(called, arguments) => format!("{}({})", called.name, list(arguments, name)),
        Expr::Angles(angles) => format!("sin_cos_each({})", list(angles, name)),
    }
}

fn list(list: &[Expr], name: &dyn Fn(Symbol) -> String) -> String {
    list.iter().map(|expr| spell(expr, name, 0)).collect::<Vec<_>>().join(", ")
}

fn call(f: F) -> &'static str {
    match f.rule().spelling {
        Spelling::Call(name) | Spelling::Indexed(name) | Spelling::Infix(name) | Spelling::Prefix(name) => name,
    }
}
