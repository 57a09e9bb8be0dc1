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

/// Powers of powers are multiplied out up to this exponent.
const LARGEST: i32 = 1 << 20;

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
            Op::Unary(F::Square | F::Recip, _) | Op::Binary(F::Mul, ..) => self.product(node),
            Op::Binary(F::Powf, a, b) => (Bind::Power, format!("{}^{}", sub(a, Bind::Atom), sub(b, Bind::Atom))),
            Op::Binary(F::Add, a, b) => (Bind::Sum, self.sum([(true, Bind::Sum, b), (true, Bind::Sum, a)])),
            Op::Binary(F::Sub, a, b) => (Bind::Sum, self.sum([(false, Bind::Product, b), (true, Bind::Sum, a)])),
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

    /// Factors in their order, each with its power; those of negative power as divisors.
    fn product(&self, node: Node) -> (Bind, String) {
        let factors = self.factors(node);
        let power = |base: Node, exponent: i32, within: Bind| match exponent {
            1 => self.node(base, within),
            _ => format!("{}^{exponent}", self.node(base, Bind::Atom)),
        };
        let over: Vec<String> =
            factors.iter().filter(|(_, n)| *n > 0).map(|&(base, n)| power(base, n, Bind::Product)).collect();
        let mut out = if over.is_empty() { "1".to_owned() } else { over.join("*") };
        for &(base, n) in factors.iter().filter(|(_, n)| *n < 0) {
            out.push('/');
            out.push_str(&power(base, -n, Bind::Prefix));
        }
        match factors.as_slice() {
            [(_, 2..)] => (Bind::Power, out),
            _ => (Bind::Product, out),
        }
    }

    /// The bases of a product with their exponents. A long product is a deep expression, and is read without recursion.
    fn factors(&self, product: Node) -> Vec<(Node, i32)> {
        let mut found: Vec<(Node, i32)> = Vec::new();
        let mut stack = vec![(product, 1_i32)];
        while let Some((node, exponent)) = stack.pop() {
            let unnamed = node == product || (self.named)(node).is_none();
            match self.graph.op(node) {
                Op::Binary(F::Mul, a, b) if unnamed && exponent == 1 => stack.extend([(b, 1), (a, 1)]),
                Op::Unary(F::Square, a) if unnamed && exponent.abs() < LARGEST => stack.push((a, 2 * exponent)),
                Op::Unary(F::Recip, a) if unnamed => stack.push((a, -exponent)),
                // a factor is not cancelled against a divisor
                _ => match found.iter_mut().find(|(base, n)| *base == node && n.signum() == exponent.signum()) {
                    Some((_, sum)) => *sum = sum.saturating_add(exponent),
                    None => found.push((node, exponent)),
                },
            }
        }
        found
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
