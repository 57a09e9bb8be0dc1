//! Kernels as Rust text. Text, not `quote!`: a parsed string costs the macro a third of the time per node.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use crate::describe::Names;
use crate::expr::{Function as F, Spelling, Symbol};
use crate::lower::{Block, Expr, Input, Kernel, Kind, Piece, Restore, Statement};
use crate::model::{Model, Shape};

/// How the scalar is spelled: concretely, or as the struct's type parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Flavour {
    /// `f64`: real branches, literal constants, fast debug builds
    Concrete,
    /// a type parameter of this name: masks and `select`
    Generic(String),
}

impl Flavour {
    /// The scalar type.
    pub(super) fn real(&self) -> &str {
        match self {
            Flavour::Concrete => "f64",
            Flavour::Generic(name) => name,
        }
    }
}

/// Statements, and the entries of input arrays that they read by a name of their own, such as `q1` for `q[1]`.
///
/// rustc looks for a trait at each index of a reference, and at each operator beside a literal without a type. Entries
/// that are bound once, and literals with a suffix, take a quarter of the time to check.
#[derive(Default)]
pub(super) struct Text {
    text: String,
    reads: BTreeMap<Input, BTreeSet<usize>>,
}

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.write_str(text)
    }
}

impl Text {
    pub(super) fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn push(&mut self, character: char) {
        self.text.push(character);
    }
}

/// Writes the functions of kernels.
pub(super) struct Code<'a> {
    pub(super) flavour: &'a Flavour,
    pub(super) names: &'a Names,
    /// the expression of each parameter scalar, such as `self.m[0]`
    pub(super) parameters: Vec<String>,
    /// lengths of the input arrays
    pub(super) lengths: Lengths,
}

/// Lengths of the input arrays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    pub(super) nq: usize,
    pub(super) nv: usize,
    pub(super) nz: usize,
    pub(super) modes: usize,
    pub(super) nu: usize,
    pub(super) nc: usize,
    pub(super) turns: usize,
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) mass: usize,
    pub(super) jacobian: usize,
    pub(super) tangent: usize,
    /// of the elimination whose functions are written
    pub(super) factor: usize,
    pub(super) unknowns: usize,
}

impl Code<'_> {
    /// The private functions of a kernel, `__{name}` and one for each of several pieces; `method` takes `&self`.
    pub(super) fn functions(&self, kernel: &Kernel, method: bool) -> String {
        let mut out = String::new();
        let doc = self.legend(kernel);
        if let [piece] = kernel.pieces.as_slice() {
            let _ =
                writeln!(out, "#[doc = {doc:?}] #[inline] fn __{}({}) {{", kernel.name, self.signature(kernel, method));
            out.push_str(&self.body(piece, &[]));
            out.push_str("}\n");
            return out;
        }
        let real = self.flavour.real();
        let hands_on: Vec<usize> = kernel.pieces.iter().map(|piece| piece.hands_on.len()).collect();
        for (k, piece) in kernel.pieces.iter().enumerate() {
            let handed: String =
                sources(piece).into_iter().map(|j| format!("s{j}: &[{real}; {}], ", hands_on[j])).collect();
            // pieces must stay apart, or rustc is quadratic again
            let _ = writeln!(
                out,
                "#[inline(never)] fn __{}_{k}({}{handed}) -> [{real}; {}] {{",
                kernel.name,
                self.signature(kernel, method),
                hands_on[k]
            );
            out.push_str(&self.body(piece, &hands_on));
            let temps: Vec<String> = piece.hands_on.iter().map(|t| format!("w{t}")).collect();
            let _ = writeln!(out, "[{}] }}", temps.join(", "));
        }
        let _ = writeln!(out, "#[doc = {doc:?}] #[inline] fn __{}({}) {{", kernel.name, self.signature(kernel, method));
        let target = if method { "self." } else { "Self::" };
        for (k, piece) in kernel.pieces.iter().enumerate() {
            let handed: String = sources(piece).into_iter().map(|j| format!(", &s{j}")).collect();
            let _ = writeln!(out, "let s{k} = {target}__{}_{k}({}{handed});", kernel.name, self.arguments(kernel));
        }
        out.push_str("}\n");
        out
    }

    /// The statements of a kernel, inlined in place of its call.
    pub(super) fn inline(&self, kernel: &Kernel) -> String {
        let mut text = Text::default();
        for statement in kernel.pieces.iter().flat_map(|p| &p.statements) {
            self.statement(&mut text, statement);
        }
        self.bound(text)
    }

    /// Comments for a reader of the code: the cost, and the meaning of each array entry.
    fn legend(&self, kernel: &Kernel) -> String {
        let n = self.names;
        let mut text = format!("{} operations", kernel.ops.total());
        for (input, symbol, names) in [
            (Input::Q, "q", &n.q),
            (Input::V, "v", &n.v),
            (Input::Z, "z", &n.z),
            (Input::Modes, "modes", &n.modes),
            (Input::U, "u", &n.u),
            (Input::Lambda, "lambda", &n.constraints),
        ] {
            if kernel.inputs.contains(&input) {
                let _ = write!(text, "; {symbol} = ({})", names.join(", "));
            }
        }
        text
    }

    fn signature(&self, kernel: &Kernel, method: bool) -> String {
        let real = self.flavour.real();
        let mut out = String::new();
        if method {
            out.push_str("&self, ");
        }
        for input in &kernel.inputs {
            if let Some((name, len)) = self.input(*input) {
                let _ = match len {
                    None => write!(out, "{name}: {real}, "),
                    Some(len) => write!(out, "{name}: &[{real}; {len}], "),
                };
            }
        }
        for (array, len) in kernel.outputs.iter().filter(|(_, len)| *len > 0) {
            let _ = write!(out, "{array}: &mut [{real}; {len}], ");
        }
        out
    }

    fn arguments(&self, kernel: &Kernel) -> String {
        let inputs = kernel.inputs.iter().filter_map(|i| self.input(*i)).map(|(name, _)| name);
        let outputs = kernel.outputs.iter().filter(|(_, len)| *len > 0).map(|(name, _)| *name);
        inputs.chain(outputs).collect::<Vec<_>>().join(", ")
    }

    /// Name and length of an input array; `None` as a length for the scalar t. Parameters come with `self`.
    fn input(&self, input: Input) -> Option<(&'static str, Option<usize>)> {
        let n = &self.lengths;
        Some(match input {
            Input::Time => ("t", None),
            Input::Q => ("q", Some(n.nq)),
            Input::V => ("v", Some(n.nv)),
            Input::A => ("a", Some(n.nv)),
            Input::Z => ("z", Some(n.nz)),
            Input::Zdot => ("zdot", Some(n.nz)),
            Input::Modes => ("modes", Some(n.modes)),
            Input::U => ("u", Some(n.nu)),
            Input::Lambda => ("lambda", Some(n.nc)),
            Input::Weights => ("weights", Some(4)),
            Input::Turns => ("turns", Some(n.turns)),
            Input::Adjoint => ("adjoint", Some(n.rows)),
            Input::Direction => ("d", Some(n.columns)),
            Input::Mass => ("mass", Some(n.mass)),
            Input::Jacobian => ("jacobian", Some(n.jacobian)),
            Input::Tangent => ("tangent", Some(n.tangent)),
            Input::Factor => ("factor", Some(n.factor)),
            Input::Rhs => ("b", Some(n.unknowns)),
            Input::Step => ("step", Some(n.nv)),
            Input::From => ("from", Some(n.nq)),
            Input::To => ("to", Some(n.nq)),
            Input::Parameters => return None,
        })
    }

    /// A call of a kernel, with the caller's expression for each array; arrays of length zero are left out.
    pub(super) fn call(&self, kernel: &Kernel, expression: impl Fn(&str) -> String) -> String {
        if kernel.outputs.iter().all(|(_, len)| *len == 0) {
            return String::new();
        }
        let inputs = kernel.inputs.iter().filter_map(|i| self.input(*i)).map(|(name, _)| name);
        let outputs = kernel.outputs.iter().filter(|(_, len)| *len > 0).map(|(name, _)| *name);
        let list: Vec<String> = inputs.chain(outputs).map(expression).collect();
        format!("self.__{}({});", kernel.name, list.join(", "))
    }

    fn body(&self, piece: &Piece, hands_on: &[usize]) -> String {
        let mut restored: BTreeMap<usize, BTreeMap<usize, u32>> = BTreeMap::new();
        for &Restore { temp, piece, slot } in &piece.restores {
            restored.entry(piece).or_default().insert(slot, temp);
        }
        let mut out = String::new();
        for (piece, temps) in restored {
            out.push_str(&binding(&format!("s{piece}"), hands_on[piece], |k| temps.get(&k).map(|t| format!("w{t}"))));
        }
        let mut text = Text::default();
        for statement in &piece.statements {
            self.statement(&mut text, statement);
        }
        out.push_str(&self.bound(text));
        out
    }

    /// The statements behind the bindings of what they read.
    pub(super) fn bound(&self, Text { text, reads }: Text) -> String {
        let arrays = reads.iter().filter_map(|(input, entries)| match self.input(*input) {
            Some((name, Some(len))) => Some(binding(name, len, |k| entries.contains(&k).then(|| format!("{name}{k}")))),
            _ => None,
        });
        arrays.chain([text]).collect()
    }

    fn load(&self, out: &mut Text, symbol: Symbol) {
        let (input, index) = Input::of(symbol);
        match self.input(input) {
            None => out.push_str(&self.parameters[index]),
            Some((name, None)) => out.push_str(name),
            Some((name, Some(_))) => {
                let _ = write!(out, "{name}{index}");
                out.reads.entry(input).or_default().insert(index);
            }
        }
    }

    fn statement(&self, out: &mut Text, statement: &Statement) {
        match &statement.kind {
            Kind::Let(temp) => {
                let _ = write!(out, "let w{temp} = ");
                self.expr(out, &statement.value, 0);
                out.push_str(";\n");
            }
            Kind::Write(array, index) => {
                let _ = write!(out, "{array}[{index}] = ");
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
    pub(super) fn expr(&self, out: &mut Text, expr: &Expr, within: u8) {
        match expr {
            Expr::Constant(value) => {
                let text = self.constant(*value, within > 0);
                let negative = text.starts_with('-') && within > 2;
                out.push_str(&if negative { format!("({text})") } else { text });
            }
            Expr::Load(symbol) => self.load(out, *symbol),
            Expr::Temp(temp) => {
                let _ = write!(out, "w{temp}");
            }
            Expr::Unary(F::Neg, a) => self.grouped(out, within > 3, |out| {
                out.push('-');
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
                    out.push('!');
                    self.expr(out, a, 4);
                }
                Flavour::Generic(real) => {
                    let _ = write!(out, "{real}::mask_not(");
                    self.expr(out, a, 0);
                    out.push(')');
                }
            },
            Expr::Choice(c, a, b) => self.choice(out, c, a, b),
            Expr::Call(called, arguments) => {
                let _ = write!(out, "{}(", super::outside::wrapper(&called.partial));
                for argument in arguments {
                    self.expr(out, argument, 0);
                    out.push_str(", ");
                }
                out.push(')');
            }
        }
    }

    fn grouped(&self, out: &mut Text, group: bool, inner: impl FnOnce(&mut Text)) {
        if group {
            out.push('(');
        }
        inner(out);
        if group {
            out.push(')');
        }
    }

    fn infix(&self, out: &mut Text, op: &str, a: &Expr, b: &Expr, own: u8, within: u8) {
        self.grouped(out, within > own, |out| {
            self.expr(out, a, own);
            let _ = write!(out, " {op} ");
            self.expr(out, b, own + 1);
        });
    }

    fn method(&self, out: &mut Text, f: F, a: &Expr, b: Option<&Expr>) {
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
        out.push(')');
    }

    fn compare(&self, out: &mut Text, op: &str, function: &str, a: &Expr, b: &Expr) {
        match self.flavour {
            Flavour::Concrete => {
                out.push('(');
                self.expr(out, a, 1);
                let _ = write!(out, " {op} ");
                self.expr(out, b, 1);
                out.push(')');
            }
            Flavour::Generic(real) => {
                let _ = write!(out, "{real}::{function}(");
                self.expr(out, a, 0);
                out.push_str(", ");
                self.expr(out, b, 0);
                out.push(')');
            }
        }
    }

    fn choice(&self, out: &mut Text, c: &Expr, a: &Block, b: &Block) {
        match self.flavour {
            Flavour::Concrete => {
                out.push_str("if ");
                self.expr(out, c, 0);
                out.push_str(" {\n");
                self.block(out, a);
                out.push_str("} else {\n");
                self.block(out, b);
                out.push('}');
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
                        out.push('}');
                    }
                }
                out.push(')');
            }
        }
    }

    fn block(&self, out: &mut Text, block: &Block) {
        for statement in &block.statements {
            self.statement(out, statement);
        }
        self.expr(out, &block.value, 0);
        out.push('\n');
    }
}

/// Binds entries of the array behind reference `array` to the names that `name` gives them.
fn binding(array: &str, len: usize, name: impl Fn(usize) -> Option<String>) -> String {
    let mut names: Vec<String> = (0..len).map(|k| name(k).unwrap_or_else(|| "_".to_owned())).collect();
    let read = names.iter().rposition(|name| name != "_").map_or(0, |last| last + 1);
    if read < len {
        names.truncate(read);
        names.push("..".to_owned());
    }
    format!("let &[{}] = {array};\n", names.join(", "))
}

/// The earlier pieces whose values a piece reads.
fn sources(piece: &Piece) -> BTreeSet<usize> {
    piece.restores.iter().map(|r| r.piece).collect()
}

/// The expression of each parameter scalar: `self.m`, `self.a[1]`, `self.hub[0][2]`.
///
/// Those of subs are fields of their own types, `self.wheel[0].r`; in a `flat` struct, `self.wheel_0_r`.
pub(super) fn parameter_fields(model: &Model, flat: bool) -> Vec<String> {
    let field = |p: &crate::model::Param| {
        let name = if flat { p.declared.ident.to_string() } else { super::subs::place(model, &p.declared.ident) };
        indices(&p.declared.shape).into_iter().map(move |i| format!("self.{name}{i}")).collect::<Vec<_>>()
    };
    model.declared.params.iter().flat_map(field).collect()
}

/// The index expression of each scalar of a shape in nested arrays.
pub(super) fn indices(shape: &Shape) -> Vec<String> {
    match shape {
        Shape::Scalar => vec![String::new()],
        Shape::Vector(_) | Shape::Fields(_) => (0..shape.len()).map(|i| format!("[{i}]")).collect(),
        Shape::Matrix(r, c) => (0..*r).flat_map(|i| (0..*c).map(move |j| format!("[{i}][{j}]"))).collect(),
        Shape::Array(n, inner) => {
            (0..*n).flat_map(|i| indices(inner).into_iter().map(move |s| format!("[{i}]{s}"))).collect()
        }
    }
}

/// The Rust type of a shape.
pub(super) fn rust_type(shape: &Shape, real: &str) -> String {
    match shape {
        Shape::Scalar => real.to_owned(),
        Shape::Vector(_) | Shape::Fields(_) => format!("[{real}; {}]", shape.len()),
        Shape::Matrix(r, c) => format!("[[{real}; {c}]; {r}]"),
        Shape::Array(n, inner) => format!("[{}; {n}]", rust_type(inner, real)),
    }
}

/// The Rust expression of a shape whose scalars are given in order.
pub(super) fn rust_value(shape: &Shape, scalars: &mut dyn Iterator<Item = String>) -> String {
    let mut list = |n: usize, inner: &Shape| {
        let items: Vec<String> = (0..n).map(|_| rust_value(inner, scalars)).collect();
        format!("[{}]", items.join(", "))
    };
    match shape {
        Shape::Scalar => scalars.next().unwrap_or_default(),
        Shape::Vector(_) | Shape::Fields(_) => list(shape.len(), &Shape::Scalar),
        Shape::Matrix(r, c) => list(*r, &Shape::Vector(*c)),
        Shape::Array(n, inner) => list(*n, inner),
    }
}
