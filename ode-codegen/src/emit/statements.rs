//! Statements and expressions of kernels as Rust text. Text, not `quote!`: a parsed string costs the macro a third of
//! the time per node.

use std::fmt::Write as _;

use crate::expr::{Function as F, Spelling, Symbol};
use crate::lower::{Block, Expr, Fused, Input, Kind, Statement};
use crate::model::Shape;
use crate::numbered::Text;

use super::body::{Body, binding};
use super::code::{Blocks, Code, Flavour};
use super::shapes::Field;

/// The name of an entry of a parameter, with its index among all parameters. One that is a number is read by its field.
const PARAMETER: &str = "p";

impl Code<'_> {
    /// What `write` writes, behind the bindings of what it reads.
    pub(super) fn bound(&self, write: impl FnOnce(&mut Body)) -> String {
        let mut body = Body::default();
        write(&mut body);
        let Body { text, reads } = body;
        let mut all = String::new();
        for (input, entries) in &reads {
            let named = |name: &'static str, first: usize| {
                move |k: usize, out: &mut Text| {
                    let read = entries.get(first + k) == Some(&true);
                    if read {
                        out.numbered(name, first + k);
                    }
                    read
                }
            };
            match self.input(*input) {
                None => {
                    let read =
                        |field: &&Field| entries.iter().skip(field.first).take(field.shape.len()).any(|read| *read);
                    for Field { place, shape, first } in self.parameters.iter().filter(read) {
                        all += &binding(&format!("&{place}"), shape, named(PARAMETER, *first));
                    }
                }
                Some((name, Some(len))) => {
                    all += &binding(&self.array(*input, name, len), &Shape::Vector(len), named(name, 0));
                }
                Some((_, None)) => {}
            }
        }
        all + &String::from(text)
    }

    /// The array that holds the entries of an input: what is prepared comes with the model.
    fn array(&self, input: Input, name: &str, len: usize) -> String {
        match input {
            Input::Prepared => format!("{{ let values: &[{}; {len}] = self.0.values(); values }}", self.number()),
            _ => name.to_owned(),
        }
    }

    /// The field that a parameter stands in.
    fn parameter(&self, index: usize) -> Option<&Field> {
        self.parameters[..self.parameters.partition_point(|field| field.first <= index)].last()
    }

    fn load(&self, out: &mut Body, symbol: Symbol) {
        let (input, index) = Input::of(symbol);
        match self.input(input) {
            None => match self.parameter(index) {
                Some(Field { place, shape: Shape::Scalar, .. }) => out.push_str(place),
                _ => {
                    out.text.numbered(PARAMETER, index);
                    out.read(input, index);
                }
            },
            Some((name, None)) => out.push_str(name),
            Some((name, Some(_))) => {
                match &self.lanes {
                    Some(lanes) if input == Input::Factor => {
                        let _ = write!(out, "<{lanes}>::splat({name}{index})");
                    }
                    _ => out.text.numbered(name, index),
                }
                out.read(input, index);
            }
        }
    }

    pub(super) fn statement(&self, out: &mut Body, statement: &Statement) {
        match &statement.kind {
            Kind::Let(temp) => {
                out.text.numbered("let w", *temp as usize);
                out.push_str(" = ");
                self.expr(out, &statement.value, 0);
                out.push_str(";\n");
            }
            Kind::Sines(pairs) => {
                let names = |which: usize| {
                    let name = |temp: u32| format!("w{temp}");
                    let names = pairs.iter().map(|pair| pair[which].map_or_else(|| "_".to_owned(), name));
                    names.collect::<Vec<_>>().join(", ")
                };
                let real = self.flavour.real();
                let _ = write!(out, "let [[{}], [{}]] = {real}::sin_cos_each(", names(0), names(1));
                self.expr(out, &statement.value, 0);
                out.push_str(");\n");
            }
            Kind::Write(array, index) => {
                out.push_str(array);
                match self.blocks(array) {
                    Some(Blocks { len, entries, .. }) => {
                        let _ = write!(out, "[{}].{entries}[{}] = ", index / len, index % len);
                    }
                    None => {
                        out.text.numbered("[", *index);
                        out.push_str("] = ");
                    }
                }
                self.expr(out, &statement.value, 0);
                out.push_str(";\n");
            }
        }
    }

    /// A number; `beside` an operator its literal has a type.
    fn constant(&self, value: f64, beside: bool) -> String {
        let text = if value == f64::INFINITY {
            "f64::INFINITY".to_owned()
        } else if value == f64::NEG_INFINITY {
            "f64::NEG_INFINITY".to_owned()
        } else if value.is_nan() {
            "f64::NAN".to_owned()
        } else {
            format!("{value:?}")
        };
        match self.flavour {
            Flavour::Concrete if beside && value.is_finite() => format!("{text}_f64"),
            Flavour::Concrete => text,
            Flavour::Generic(name) => format!("{name}::from_f64({text})"),
        }
    }

    /// Binding strength: 0 anything, 1 sum, 2 product, 3 prefix, 4 atom.
    pub(super) fn expr(&self, out: &mut Body, expr: &Expr, within: u8) {
        match expr {
            Expr::Constant(value) => {
                let text = self.constant(*value, within > 0);
                let negative = text.starts_with('-') && within > 2;
                out.push_str(&if negative { format!("({text})") } else { text });
            }
            Expr::Load(symbol) => self.load(out, *symbol),
            Expr::Temp(temp) => out.text.numbered("w", *temp as usize),
            sum if self.fused && sum.fused().is_some() => self.multiply_add(out, sum),
            Expr::Unary(F::Neg, a) => self.grouped(out, within > 3, |out| {
                out.push_str("-");
                self.expr(out, a, 3);
            }),
            Expr::Unary(F::Square, a) => self.infix(out, "*", a, a, 2, within),
            Expr::Unary(f, a) => self.method(out, *f, a, None),
            Expr::Binary(f, a, b) => match f.rule().spelling {
                Spelling::Infix(op) => self.infix(out, op, a, b, if *f == F::Mul { 2 } else { 1 }, within),
                _ => self.method(out, *f, a, Some(b)),
            },
            Expr::Divide(a, b) => self.infix(out, "/", a, b, 2, within),
            Expr::Less(a, b) => self.compare(out, "<", "lt", a, b),
            Expr::LessEq(a, b) => self.compare(out, "<=", "le", a, b),
            Expr::And(a, b) => self.compare(out, "&&", "mask_and", a, b),
            Expr::Or(a, b) => self.compare(out, "||", "mask_or", a, b),
            Expr::Not(a) => match self.flavour {
                Flavour::Concrete => {
                    out.push_str("!");
                    self.expr(out, a, 4);
                }
                Flavour::Generic(real) => {
                    let _ = write!(out, "{real}::mask_not(");
                    self.expr(out, a, 0);
                    out.push_str(")");
                }
            },
            Expr::Choice(c, a, b) => self.choice(out, c, a, b),
            Expr::Call(called, arguments) => {
                let _ = write!(out, "{}(", super::external::wrapper(&called.partial));
                self.list(out, arguments);
                out.push_str(")");
            }
            Expr::Angles(angles) => {
                out.push_str("[");
                self.list(out, angles);
                out.push_str("]");
            }
        }
    }

    fn list(&self, out: &mut Body, list: &[Expr]) {
        for expr in list {
            self.expr(out, expr, 0);
            out.push_str(", ");
        }
    }

    fn grouped(&self, out: &mut Body, group: bool, inner: impl FnOnce(&mut Body)) {
        if group {
            out.push_str("(");
        }
        inner(out);
        if group {
            out.push_str(")");
        }
    }

    fn infix(&self, out: &mut Body, op: &str, a: &Expr, b: &Expr, own: u8, within: u8) {
        let group = within > own;
        if group {
            out.push_str("(");
        }
        self.expr(out, a, own);
        out.text.spaced(op);
        self.expr(out, b, own + 1);
        if group {
            out.push_str(")");
        }
    }

    /// a b + c as one operation.
    fn multiply_add(&self, out: &mut Body, sum: &Expr) {
        let Some(Fused { factors: [a, b], addend, negative }) = sum.fused() else { return };
        let signed = |out: &mut Body, expr: &Expr, negative: bool, within: u8| {
            self.grouped(out, negative && within > 3, |out| {
                if negative {
                    out.push_str("-");
                }
                self.expr(out, expr, if negative { 3 } else { within });
            });
        };
        signed(out, a, negative[0], 4);
        out.push_str(".multiply_add(");
        self.expr(out, b, 0);
        out.push_str(", ");
        signed(out, addend, negative[1], 0);
        out.push_str(")");
    }

    fn method(&self, out: &mut Body, f: F, a: &Expr, b: Option<&Expr>) {
        let spelling = f.rule().spelling;
        let (Spelling::Call(name) | Spelling::Indexed(name)) = spelling else { return };
        self.expr(out, a, 4);
        let _ = write!(out, ".{name}(");
        match b {
            Some(Expr::Constant(n)) if matches!(spelling, Spelling::Indexed(_)) => {
                let _ = write!(out, "{n}");
            }
            Some(b) => self.expr(out, b, 0),
            None => {}
        }
        out.push_str(")");
    }

    fn compare(&self, out: &mut Body, op: &str, function: &str, a: &Expr, b: &Expr) {
        match self.flavour {
            Flavour::Concrete => {
                out.push_str("(");
                self.expr(out, a, 1);
                let _ = write!(out, " {op} ");
                self.expr(out, b, 1);
                out.push_str(")");
            }
            Flavour::Generic(real) => {
                let _ = write!(out, "{real}::{function}(");
                self.expr(out, a, 0);
                out.push_str(", ");
                self.expr(out, b, 0);
                out.push_str(")");
            }
        }
    }

    fn choice(&self, out: &mut Body, c: &Expr, a: &Block, b: &Block) {
        match self.flavour {
            Flavour::Concrete => {
                out.push_str("if ");
                self.expr(out, c, 0);
                out.push_str(" {\n");
                self.block(out, a);
                out.push_str("} else {\n");
                self.block(out, b);
                out.push_str("}");
            }
            Flavour::Generic(real) => {
                let _ = write!(out, "{real}::select(");
                self.expr(out, c, 0);
                // the twin of an f64 struct has the branches of its program
                for branch in [a, b] {
                    out.push_str(", ");
                    if branch.statements.is_empty() {
                        self.expr(out, &branch.value, 0);
                    } else {
                        out.push_str("{\n");
                        self.block(out, branch);
                        out.push_str("}");
                    }
                }
                out.push_str(")");
            }
        }
    }

    fn block(&self, out: &mut Body, block: &Block) {
        for statement in &block.statements {
            self.statement(out, statement);
        }
        self.expr(out, &block.value, 0);
        out.push_str("\n");
    }
}
