//! `+ - * /` and the sign: which shapes and units go together.

use syn::{BinOp, Expr, ExprBinary};

use super::expression::not_a_value;
use super::plain::{integer, mend_either};
use super::powers::is_power;
use super::reader::Reader;
use crate::check::values::{Quantity, Unit, Value};
use crate::diagnostics::{Id, Message, text, with_article};
use crate::expr::{Graph, Node};
use crate::model::Shape;

/// Most scalar products in one product of matrices.
const MOST_PRODUCTS: usize = 100_000;

impl Reader<'_> {
    /// A binary operation.
    pub(crate) fn binary(&mut self, e: &ExprBinary) -> Value {
        if is_power(e) {
            self.powers(e);
            return Value::Poison;
        }
        if let Some(message) = refused(e) {
            return self.wrong(message);
        }
        let (left, right) = (self.eval(&e.left), self.eval(&e.right));
        if left.is_poison() || right.is_poison() {
            return Value::Poison;
        }
        match e.op {
            BinOp::Add(_) | BinOp::Sub(_) => self.sum(e, left, right),
            BinOp::Mul(_) => self.product(e, left, right),
            _ => self.quotient(e, left, right),
        }
    }

    /// `-a`, element by element.
    pub(crate) fn negate(&mut self, expr: &Expr, value: Value) -> Value {
        match value {
            Value::Quantity(q) => {
                let elements: Vec<Node> = q.elements.iter().map(|n| self.graph.neg(*n)).collect();
                self.carry([&q.elements], &elements, |g, [x]| g.neg(x));
                Quantity { elements, ..q }.into()
            }
            Value::List(items) => Value::List(items.into_iter().map(|v| self.negate(expr, v)).collect()),
            Value::Poison => Value::Poison,
            Value::Frame(_) | Value::Frame3(_) | Value::Rotation(_) => {
                let what =
                    if matches!(value, Value::Rotation(_)) { "a rotation has no sign" } else { "a frame has no sign" };
                let message = Message::new(Id::M0508, expr, what).help("the opposite way is `.inv()`");
                self.wrong(message)
            }
        }
    }

    fn sum(&mut self, e: &ExprBinary, left: Value, right: Value) -> Value {
        let minus = matches!(e.op, BinOp::Sub(_));
        let word = if minus { "subtract" } else { "add" };
        match (left, right) {
            (Value::Quantity(a), Value::Quantity(b)) if a.shape == b.shape => {
                let Some(unit) = a.unit.unify(b.unit) else {
                    let message = different_units(e, word, a.unit, b.unit);
                    return self.wrong(message);
                };
                let sum = |g: &mut Graph, [a, b]: [Node; 2]| if minus { g.sub(a, b) } else { g.add(a, b) };
                let pairs = a.elements.iter().zip(&b.elements);
                let elements: Vec<Node> = pairs.map(|(&a, &b)| sum(&mut self.graph, [a, b])).collect();
                self.carry([&a.elements, &b.elements], &elements, sum);
                Quantity { shape: a.shape, elements, unit }.into()
            }
            (a, b) => {
                let message = different_shapes(e, &a, &b);
                self.wrong(message)
            }
        }
    }

    fn product(&mut self, e: &ExprBinary, left: Value, right: Value) -> Value {
        if let Some(composed) = self.composition(e, &left, &right) {
            return composed;
        }
        let (Value::Quantity(a), Value::Quantity(b)) = (&left, &right) else {
            let message = not_arithmetic(e, &left, &right);
            return self.wrong(message);
        };
        let unit = a.unit.mul(b.unit);
        match (&a.shape, &b.shape) {
            (Shape::Scalar, _) => self.scaled(a, b, unit),
            (_, Shape::Scalar) => self.scaled(b, a, unit),
            (Shape::Matrix(rows, inner), Shape::Vector(n)) if inner == n => {
                let elements = self.matrix_product(e, a, b, [*rows, *inner, 1]);
                elements.map_or(Value::Poison, |elements| Quantity::vector(elements, unit).into())
            }
            (Shape::Matrix(rows, inner), Shape::Matrix(n, columns)) if inner == n => {
                let elements = self.matrix_product(e, a, b, [*rows, *inner, *columns]);
                let shape = Shape::Matrix(*rows, *columns);
                elements.map_or(Value::Poison, |elements| Quantity { shape, elements, unit }.into())
            }
            (Shape::Vector(_), Shape::Vector(_)) => {
                let (left, right) = (text(&e.left), text(&e.right));
                let message = Message::new(Id::M0508, e, "two vectors cannot be multiplied with `*`")
                    .help(format!("write `{left}.dot({right})` or `{left}.cross({right})`"));
                self.wrong(message)
            }
            _ => {
                let what = format!("{} and {} cannot be multiplied", left.name(), right.name());
                let message =
                    Message::new(Id::M0508, e, what).note("a product needs as many columns left as rows right");
                self.wrong(message)
            }
        }
    }

    fn scaled(&mut self, scalar: &Quantity, other: &Quantity, unit: Unit) -> Value {
        let Some(factor) = scalar.as_scalar() else { return Value::Poison };
        let elements: Vec<Node> = other.elements.iter().map(|n| self.graph.mul(factor, *n)).collect();
        self.carry([&other.elements], &elements, |g, [x]| g.mul(factor, x));
        Quantity { shape: other.shape.clone(), elements, unit }.into()
    }

    fn matrix_product(&mut self, e: &ExprBinary, a: &Quantity, b: &Quantity, sizes: [usize; 3]) -> Option<Vec<Node>> {
        let [rows, inner, columns] = sizes;
        if rows.saturating_mul(inner).saturating_mul(columns) > MOST_PRODUCTS {
            let message =
                Message::new(Id::M0108, e, format!("this product is more than {MOST_PRODUCTS} multiplications"));
            self.report(message);
            return None;
        }
        let mut elements = Vec::with_capacity(rows * columns);
        for row in a.elements.chunks(inner.max(1)) {
            for column in 0..columns {
                let terms: Vec<Node> = row
                    .iter()
                    .zip(b.elements.iter().skip(column).step_by(columns.max(1)))
                    .map(|(x, y)| self.graph.mul(*x, *y))
                    .collect();
                elements.push(self.graph.sum(terms));
            }
        }
        Some(elements)
    }

    fn quotient(&mut self, e: &ExprBinary, left: Value, right: Value) -> Value {
        let (Value::Quantity(a), Value::Quantity(b)) = (&left, &right) else {
            let message = not_arithmetic(e, &left, &right);
            return self.wrong(message);
        };
        let Some(divisor) = b.as_scalar() else {
            let message = Message::new(Id::M0508, e, format!("cannot divide by {}", with_article(&right.name())));
            return self.wrong(message);
        };
        if self.graph.is_zero(divisor) {
            let message = Message::new(Id::M0125, e, format!("`{}` has no finite value", text(e)));
            return self.wrong(message);
        }
        let elements: Vec<Node> = a.elements.iter().map(|n| self.graph.div(*n, divisor)).collect();
        self.carry([&a.elements], &elements, |g, [x]| g.div(x, divisor));
        Quantity { shape: a.shape.clone(), elements, unit: a.unit.div(b.unit) }.into()
    }
}

/// M0501 with both units and their ratio.
fn different_units(e: &ExprBinary, word: &str, a: Unit, b: Unit) -> Message {
    let message =
        Message::new(Id::M0501, e.op, format!("cannot {word} quantities of different units: `{a}` and `{b}`"))
            .note(format!("left operand has unit [{a}], right operand has unit [{b}]"));
    mend_either(message, &[&e.left, &e.right], a, b)
}

fn different_shapes(e: &ExprBinary, a: &Value, b: &Value) -> Message {
    let word = if matches!(e.op, BinOp::Sub(_)) { "subtracted" } else { "added" };
    let kind = |v: &Value| match v {
        Value::Quantity(q) => match q.shape {
            Shape::Scalar => "scalar",
            Shape::Vector(_) => "vector",
            _ => "matrix",
        },
        Value::Frame(_) | Value::Frame3(_) => "frame",
        Value::Rotation(_) => "rotation",
        _ => "array",
    };
    let (left, right) = (text(&e.left), text(&e.right));
    let what = match (kind(a), kind(b)) {
        ("frame", _) | (_, "frame") => format!("frames cannot be {word}"),
        ("rotation", _) | (_, "rotation") => format!("rotations cannot be {word}"),
        ("array", _) | (_, "array") => format!("arrays cannot be {word}"),
        (a, b) if a == b => format!("a {a} and a {b} of different sizes cannot be {word}"),
        (a, b) => format!("{a} and {b} cannot be {word}"),
    };
    let message =
        Message::new(Id::M0508, e.op, what).note(format!("`{left}` is {}, `{right}` is {}", a.name(), b.name()));
    let sign = text(e.op);
    match (kind(a), kind(b)) {
        ("vector", "scalar") => message.help(format!("did you mean `norm({left}) {sign} {right}`?")),
        ("scalar", "vector") => message.help(format!("did you mean `{left} {sign} norm({right})`?")),
        ("array", _) | (_, "array") => message.help("take elements: `a[0]`"),
        _ => message,
    }
}

fn not_arithmetic(e: &ExprBinary, a: &Value, b: &Value) -> Message {
    let sign = text(e.op);
    let message = Message::new(Id::M0508, e.op, format!("`{sign}` does not apply to {} and {}", a.name(), b.name()));
    if [&*e.left, &*e.right].iter().any(|side| matches!(side, Expr::Array(array) if array.elems.len() == 1)) {
        return message.help("`[ ]` makes an array; group by `( )`");
    }
    message.help("take elements of an array: `a[0]`; a frame has `.at(p)` and `.vec(v)`, a rotation `.rotate(v)`")
}

/// Operators of Rust that are not arithmetic of a model.
fn refused(e: &ExprBinary) -> Option<Message> {
    let op = e.op;
    Some(match op {
        BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) => return None,
        BinOp::Div(_) => {
            let (Some(a), Some(b)) = (integer(&e.left), integer(&e.right)) else { return None };
            Message::new(Id::M0115, e, format!("integer division `{a}/{b}` in a model expression"))
                .note(format!("{}; in a model every number is real", in_rust(&a, &b)))
                .help(format!("write `{a}.0 / {b}.0`"))
        }
        BinOp::Rem(_) => {
            Message::new(Id::M0119, op, "operator `%` is not differentiable and is not allowed in model expressions")
                .help("for periodic angles declare the coordinate as `Angle`")
        }
        BinOp::And(_)
        | BinOp::Or(_)
        | BinOp::Lt(_)
        | BinOp::Le(_)
        | BinOp::Gt(_)
        | BinOp::Ge(_)
        | BinOp::Eq(_)
        | BinOp::Ne(_) => not_a_value(e),
        _ => Message::new(Id::M0124, op, format!("operator `{}` has no meaning for reals", text(op))),
    })
}

/// What Rust makes of a quotient of integers.
fn in_rust(a: &str, b: &str) -> String {
    let quotient = || a.parse::<i128>().ok()?.checked_div(b.parse().ok()?);
    match quotient() {
        Some(quotient) => format!("in Rust it is {quotient}: integers divide rounded toward zero"),
        None => "in Rust integers divide rounded toward zero".to_owned(),
    }
}
