//! Every kernel as a listing: one statement a line, with the user's place and the operation counts.

use std::fmt::Write as _;

use crate::expr::{Function as F, Spelling, Symbol};
use crate::identifier::bare;
use crate::lower::{Block, Expr, Kernel, Kind, Ops, Program, Statement};
use crate::model::Model;
use crate::numbered::Text;

use super::names::Names;

/// The `IR` text.
pub(super) fn listing(model: &Model, program: &Program, names: &Names) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut out = Text::default();
    let _ = writeln!(out, "; {}  ode-model {version}  {}", bare(&model.header.name), counts(program.ops()));
    for kernel in program.kernels() {
        if kernel.outputs.iter().any(|(_, len)| *len > 0) {
            let _ = writeln!(out, "\n{}  ; {}", kernel.name, counts(kernel.ops));
            body(&mut out, kernel, &|s| names.shown(s));
        }
    }
    out.into()
}

fn counts(ops: Ops) -> String {
    let Ops { add, mul, div, call, choice } = ops;
    format!("ops: add {add} mul {mul} div {div} call {call} choice {choice} = {}", ops.total())
}

fn body(out: &mut Text, kernel: &Kernel, name: &dyn Fn(Symbol) -> String) {
    for statement in kernel.pieces.iter().flat_map(|p| &p.statements) {
        line(out, statement, name, 1);
    }
}

fn line(out: &mut Text, statement: &Statement, name: &dyn Fn(Symbol) -> String, depth: usize) {
    indent(out, depth);
    match &statement.kind {
        Kind::Let(temp) => out.numbered("w", *temp as usize),
        Kind::Sines(pairs) => {
            let name = |temp: Option<u32>| temp.map_or_else(|| "_".to_owned(), |temp| format!("w{temp}"));
            let pairs: Vec<String> = pairs.iter().map(|[s, c]| format!("({}, {})", name(*s), name(*c))).collect();
            out.push_str(&pairs.join(", "));
        }
        Kind::Write(array, index) => {
            out.push_str(array);
            out.numbered("[", *index);
            out.push_str("]");
        }
    }
    out.push_str(" = ");
    match &statement.value {
        Expr::Choice(c, a, b) => {
            out.push_str("if ");
            spell(out, c, name, 0);
            out.push_str(" {");
            place(out, statement);
            block(out, a, name, depth);
            indent(out, depth);
            out.push_str("} else {\n");
            block(out, b, name, depth);
            indent(out, depth);
            out.push_str("}\n");
        }
        value => {
            spell(out, value, name, 0);
            place(out, statement);
        }
    }
}

fn indent(out: &mut Text, depth: usize) {
    (0..depth).for_each(|_| out.push_str("  "));
}

/// The place in the user's file, at the end of a line.
fn place(out: &mut Text, statement: &Statement) {
    if let Some(origin) = statement.origin {
        out.numbered("  ; ", origin.line);
        out.numbered(":", origin.column);
    }
    out.push_str("\n");
}

fn block(out: &mut Text, block: &Block, name: &dyn Fn(Symbol) -> String, depth: usize) {
    for statement in &block.statements {
        line(out, statement, name, depth + 1);
    }
    indent(out, depth + 1);
    spell(out, &block.value, name, 0);
    out.push_str("\n");
}

fn spell(out: &mut Text, expr: &Expr, name: &dyn Fn(Symbol) -> String, within: u8) {
    let pair = |out: &mut Text, a: &Expr, op: &str, b: &Expr, own: u8| {
        grouped(out, own < within, |out| {
            spell(out, a, name, own);
            out.push_str(op);
            spell(out, b, name, own + 1);
        });
    };
    let prefixed = |out: &mut Text, prefix: &str, a: &Expr| {
        grouped(out, within > 2, |out| {
            out.push_str(prefix);
            spell(out, a, name, 3);
        });
    };
    let called = |out: &mut Text, function: &str, arguments: &[&Expr]| {
        out.push_str(function);
        list(out, arguments.iter().copied(), name);
    };
    match expr {
        Expr::Constant(value) => out.push_str(&format!("{value:?}")),
        Expr::Load(symbol) => out.push_str(&name(*symbol)),
        Expr::Temp(temp) => out.numbered("w", *temp as usize),
        Expr::Unary(F::Neg, a) => prefixed(out, "-", a),
        Expr::Unary(F::Recip, a) => prefixed(out, "1/", a),
        Expr::Unary(F::Square, a) => {
            spell(out, a, name, 4);
            out.push_str("^2");
        }
        Expr::Unary(f, a) => called(out, call(*f), &[a]),
        Expr::Binary(F::Add, a, b) => pair(out, a, " + ", b, 1),
        Expr::Binary(F::Sub, a, b) => pair(out, a, " - ", b, 1),
        Expr::Binary(F::Mul, a, b) => pair(out, a, "*", b, 2),
        Expr::Divide(a, b) => pair(out, a, "/", b, 2),
        Expr::Binary(f, a, b) => called(out, call(*f), &[a, b]),
        Expr::Less(a, b) => pair(out, a, " < ", b, 0),
        Expr::LessEq(a, b) => pair(out, a, " <= ", b, 0),
        Expr::And(a, b) | Expr::Or(a, b) => grouped(out, true, |out| {
            spell(out, a, name, 0);
            out.push_str(if matches!(expr, Expr::And(..)) { " && " } else { " || " });
            spell(out, b, name, 0);
        }),
        Expr::Not(a) => called(out, "!", &[a]),
        Expr::Choice(c, a, b) => {
            out.push_str("if ");
            spell(out, c, name, 0);
            out.push_str(" { ");
            spell(out, &a.value, name, 0);
            out.push_str(" } else { ");
            spell(out, &b.value, name, 0);
            out.push_str(" }");
        }
        Expr::Call(function, arguments) => {
            out.push_str(&function.name);
            list(out, arguments, name);
        }
        Expr::Angles(angles) => {
            out.push_str("sin_cos_each");
            list(out, angles, name);
        }
    }
}

fn grouped(out: &mut Text, group: bool, inner: impl FnOnce(&mut Text)) {
    if group {
        out.push_str("(");
    }
    inner(out);
    if group {
        out.push_str(")");
    }
}

fn list<'e>(out: &mut Text, list: impl IntoIterator<Item = &'e Expr>, name: &dyn Fn(Symbol) -> String) {
    grouped(out, true, |out| {
        for (k, expr) in list.into_iter().enumerate() {
            if k > 0 {
                out.push_str(", ");
            }
            spell(out, expr, name, 0);
        }
    });
}

fn call(f: F) -> &'static str {
    match f.rule().spelling {
        Spelling::Call(name) | Spelling::Indexed(name) | Spelling::Infix(name) | Spelling::Prefix(name) => name,
    }
}
