//! Expressions as readable text: the user's names, few parentheses, division where it was meant.

use super::function::{Function as F, Spelling};
use super::graph::{Graph, Node, Op, Symbol};

/// Prints expressions, with a name for every symbol and, where asked, for shared nodes.
pub(crate) struct Printer<'a> {
    /// the graph
    pub graph: &'a Graph,
    /// the text of a symbol
    pub symbol: &'a dyn Fn(Symbol) -> String,
    /// the name of a node that is not written out here
    pub named: &'a dyn Fn(Node) -> Option<String>,
}

/// How tightly an expression binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bind {
    Or,
    And,
    Compare,
    Sum,
    Product,
    Prefix,
    Power,
    Atom,
}

impl Printer<'_> {
    /// The text of an expression.
    pub(crate) fn text(&self, node: Node) -> String {
        self.node(node, Bind::Or)
    }

    /// The text of a node with its operands as they are, even where it has a name of its own.
    pub(crate) fn definition(&self, node: Node) -> String {
        self.spell(node).1
    }

    fn node(&self, node: Node, within: Bind) -> String {
        if let Some(name) = (self.named)(node) {
            return name;
        }
        let (bind, text) = self.spell(node);
        if bind < within { format!("({text})") } else { text }
    }

    fn spell(&self, node: Node) -> (Bind, String) {
        let sub = |n: Node, within: Bind| self.node(n, within);
        match self.graph.op(node) {
            Op::Constant(bits) => {
                let value = f64::from_bits(bits);
                (if value < 0.0 { Bind::Prefix } else { Bind::Atom }, number(value))
            }
            Op::Symbol(symbol) => (Bind::Atom, (self.symbol)(symbol)),
            Op::Unary(F::Neg, a) => match ((self.named)(a), self.graph.op(a)) {
                (None, Op::Binary(F::Sub, x, y)) => {
                    (Bind::Sum, format!("{} - {}", sub(y, Bind::Sum), sub(x, Bind::Product)))
                }
                _ => (Bind::Prefix, format!("-{}", sub(a, Bind::Product))),
            },
            Op::Unary(F::Square, a) => (Bind::Power, format!("{}^2", sub(a, Bind::Atom))),
            Op::Unary(F::Recip, a) => (Bind::Product, format!("1/{}", sub(a, Bind::Prefix))),
            Op::Binary(F::Add, a, b) => (Bind::Sum, self.sum([(true, Bind::Sum, b), (true, Bind::Sum, a)])),
            Op::Binary(F::Sub, a, b) => (Bind::Sum, self.sum([(false, Bind::Product, b), (true, Bind::Sum, a)])),
            Op::Binary(F::Mul, a, b) => (Bind::Product, self.product(a, b)),
            Op::Unary(f, a) => (Bind::Atom, format!("{}({})", spelling(f), sub(a, Bind::Or))),
            Op::Binary(f, a, b) => (Bind::Atom, format!("{}({}, {})", spelling(f), sub(a, Bind::Or), sub(b, Bind::Or))),
            Op::Less(a, b) => (Bind::Compare, format!("{} < {}", sub(a, Bind::Sum), sub(b, Bind::Sum))),
            Op::LessEq(a, b) => (Bind::Compare, format!("{} <= {}", sub(a, Bind::Sum), sub(b, Bind::Sum))),
            Op::And(a, b) => (Bind::And, format!("{} && {}", sub(a, Bind::And), sub(b, Bind::And))),
            Op::Or(a, b) => (Bind::Or, format!("{} || {}", sub(a, Bind::Or), sub(b, Bind::Or))),
            Op::Not(a) => (Bind::Prefix, format!("!{}", sub(a, Bind::Prefix))),
            Op::Select(c, a, b) => {
                let (c, a, b) = (sub(c, Bind::Or), sub(a, Bind::Or), sub(b, Bind::Or));
                (Bind::Atom, format!("if {c} {{ {a} }} else {{ {b} }}"))
            }
            Op::Call(callee, arguments) => {
                let name = self.graph.callee_name(self.graph.partial(callee));
                let list: Vec<String> = self.graph.arguments(arguments).iter().map(|&a| sub(a, Bind::Or)).collect();
                (Bind::Atom, format!("{name}({})", list.join(", ")))
            }
        }
    }

    /// Terms with their signs, the last first. A long sum is a deep expression, and is read without recursion.
    fn sum(&self, terms: [(bool, Bind, Node); 2]) -> String {
        let mut stack = terms.to_vec();
        let mut out = String::new();
        while let Some((plus, within, node)) = stack.pop() {
            let unnamed = within == Bind::Sum && (self.named)(node).is_none();
            match self.graph.op(node) {
                Op::Binary(F::Add, a, b) if unnamed => stack.extend([(true, Bind::Sum, b), (plus, Bind::Sum, a)]),
                Op::Binary(F::Sub, a, b) if unnamed => stack.extend([(false, Bind::Product, b), (plus, Bind::Sum, a)]),
                _ => {
                    out.push_str(match (out.is_empty(), plus) {
                        (true, _) => "",
                        (false, true) => " + ",
                        (false, false) => " - ",
                    });
                    out.push_str(&self.node(node, within));
                }
            }
        }
        out
    }

    /// a b, with the reciprocal of a factor as a division.
    fn product(&self, a: Node, b: Node) -> String {
        let denominator = |n: Node| match ((self.named)(n), self.graph.op(n)) {
            (None, Op::Unary(F::Recip, d)) => Some(d),
            _ => None,
        };
        match (denominator(a), denominator(b)) {
            (_, Some(d)) => format!("{}/{}", self.node(a, Bind::Product), self.node(d, Bind::Prefix)),
            (Some(d), None) => format!("{}/{}", self.node(b, Bind::Product), self.node(d, Bind::Prefix)),
            (None, None) => format!("{}*{}", self.node(a, Bind::Product), self.node(b, Bind::Product)),
        }
    }
}

/// The name of a primitive in text.
fn spelling(f: F) -> &'static str {
    match (f, f.rule().spelling) {
        (F::Root, _) => "norm_of",
        (_, Spelling::Call(name) | Spelling::Indexed(name) | Spelling::Infix(name) | Spelling::Prefix(name)) => name,
    }
}

/// A number in its shortest exact form, an integer without its zero decimals.
fn number(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 { format!("{value}") } else { format!("{value:?}") }
}
