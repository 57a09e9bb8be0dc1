//! Expressions as readable mathematics: the user's names, few parentheses, the order of a textbook.

use super::function::{Function as F, Spelling};
use super::graph::{Graph, Node, Op, Symbol};
use super::notation::{Applied, Notation, Sign};
use super::order::{Product, Written};

/// Prints expressions in a notation, with a name for every symbol and, where asked, for shared nodes.
pub(crate) struct Printer<'a> {
    /// the graph
    pub graph: &'a Graph,
    /// the text of a symbol
    pub symbol: &'a dyn Fn(Symbol) -> String,
    /// the name of a node that is not written out here
    pub named: &'a dyn Fn(Node) -> Option<String>,
    /// the nodes that depend on parameters alone, see [`Graph::fixed`]
    pub fixed: &'a [bool],
    /// how pieces are spelled
    pub notation: &'a dyn Notation,
}

/// A term of a sum, with its sign.
pub(crate) struct Term {
    /// the sign, with its spaces
    pub sign: &'static str,
    /// the term without it
    pub text: String,
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

/// An expression without the sign in front of it.
struct Unsigned {
    negative: bool,
    bind: Bind,
    text: String,
}

/// A factor: a small number of a fraction, or a base with its exponent.
enum Factor {
    Number(u32),
    Power(Node, i32),
}

impl Printer<'_> {
    /// The terms of an expression with their signs: their texts in a row are the text of the expression.
    pub(crate) fn terms(&self, node: Node) -> Vec<Term> {
        match (self.named)(node) {
            Some(name) => vec![Term { sign: "", text: self.notation.name(&name) }],
            None => self.definition(node),
        }
    }

    /// The terms of an expression that is written out, even where it has a name of its own.
    pub(crate) fn definition(&self, root: Node) -> Vec<Term> {
        let named = |n: Node| n != root && (self.named)(n).is_some();
        let spell = |(negative, node): (bool, Node)| {
            let term = if node == root { self.spell(node) } else { self.unsigned(node) };
            Unsigned { negative: negative ^ term.negative, ..term }
        };
        let mut found: Vec<Unsigned> = self.written(&named).terms(root).into_iter().map(spell).collect();
        // what is subtracted does not come first
        let first = found.iter().take_while(|term| term.negative).count();
        let run = found[first..].iter().take_while(|term| !term.negative).count();
        found[..first + run].rotate_left(first);
        let alone = found.len() == 1;
        let term = |(i, term): (usize, Unsigned)| {
            let sign = match (i, term.negative) {
                (0, false) => "",
                (0, true) => self.notation.sign(Sign::Negative),
                (_, false) => self.notation.sign(Sign::Plus),
                (_, true) => self.notation.sign(Sign::Minus),
            };
            let within = if alone && !term.negative { Bind::Or } else { Bind::Product };
            Term { sign, text: self.within(term.bind, term.text, within) }
        };
        found.into_iter().enumerate().map(term).collect()
    }

    fn text(&self, node: Node) -> String {
        self.node(node, Bind::Or)
    }

    fn written<'a>(&'a self, named: &'a dyn Fn(Node) -> bool) -> Written<'a> {
        Written { graph: self.graph, named, fixed: self.fixed, lengths_divide: self.notation.is_set() }
    }

    /// A text in parentheses, if it binds less than what it is part of.
    fn within(&self, bind: Bind, text: String, within: Bind) -> String {
        if bind < within { self.notation.group(&text) } else { text }
    }

    /// An expression as part of another.
    fn node(&self, node: Node, within: Bind) -> String {
        let Unsigned { negative, bind, text } = self.unsigned(node);
        match negative {
            true => {
                let text = format!("{}{text}", self.notation.sign(Sign::Negative));
                self.within(bind.min(Bind::Prefix), text, within)
            }
            false => self.within(bind, text, within),
        }
    }

    /// An expression with its sign apart.
    fn unsigned(&self, node: Node) -> Unsigned {
        match (self.named)(node) {
            Some(name) => Unsigned { negative: false, bind: Bind::Atom, text: self.notation.name(&name) },
            None => self.spell(node),
        }
    }

    /// An expression written out.
    fn spell(&self, node: Node) -> Unsigned {
        let set = self.notation.is_set();
        let (bind, text) = match self.graph.op(node) {
            Op::Constant(bits) => return self.number(f64::from_bits(bits)),
            Op::Symbol(symbol) => (Bind::Atom, self.notation.name(&(self.symbol)(symbol))),
            Op::Binary(F::Add | F::Sub, ..) => (Bind::Sum, self.sum(node)),
            Op::Unary(F::Neg, a) if self.is_sum(a) => (Bind::Sum, self.sum(node)),
            Op::Unary(F::Neg | F::Square | F::Recip, _) | Op::Binary(F::Mul, ..) => return self.product(node),
            Op::Unary(F::RecipOrZero, _) if set => return self.product(node),
            Op::Binary(F::Powf, a, b) => {
                let exponent = self.node(b, if set { Bind::Or } else { Bind::Atom });
                (Bind::Power, self.notation.power(&self.node(a, Bind::Atom), &exponent))
            }
            Op::Unary(F::Sqrt | F::Root, a) if set => (Bind::Atom, self.notation.root(&self.text(a))),
            Op::Binary(F::Hypot, a, b) if set => {
                let two = self.notation.number("2");
                let [a, b] = [a, b].map(|x| self.notation.power(&self.node(x, Bind::Atom), &two));
                (Bind::Atom, self.notation.root(&format!("{a}{}{b}", self.notation.sign(Sign::Plus))))
            }
            Op::Unary(f, a) => self.function(f, a, None),
            Op::Binary(f, a, b) => (Bind::Atom, self.call(spelling(f), &[a, b])),
            Op::Less(a, b) => (Bind::Compare, self.infix(a, Sign::Less, b, Bind::Sum)),
            Op::LessEq(a, b) => (Bind::Compare, self.infix(a, Sign::LessEq, b, Bind::Sum)),
            Op::And(a, b) => (Bind::And, self.infix(a, Sign::And, b, Bind::And)),
            Op::Or(a, b) => (Bind::Or, self.infix(a, Sign::Or, b, Bind::Or)),
            Op::Not(a) => (Bind::Prefix, format!("{}{}", self.notation.sign(Sign::Not), self.node(a, Bind::Prefix))),
            Op::Select(c, a, b) => {
                let text = self.notation.choice(&self.text(c), &self.text(a), &self.text(b));
                (if set { Bind::Or } else { Bind::Atom }, text)
            }
            Op::Call(callee, arguments) => {
                let name = self.graph.callee_name(self.graph.partial(callee));
                (Bind::Atom, self.call(&name, self.graph.arguments(arguments)))
            }
        };
        Unsigned { negative: false, bind, text }
    }

    fn is_sum(&self, node: Node) -> bool {
        matches!(self.graph.op(node), Op::Binary(F::Add | F::Sub, ..)) && (self.named)(node).is_none()
    }

    fn infix(&self, a: Node, sign: Sign, b: Node, within: Bind) -> String {
        format!("{}{}{}", self.node(a, within), self.notation.sign(sign), self.node(b, within))
    }

    fn sum(&self, node: Node) -> String {
        self.definition(node).into_iter().map(|term| format!("{}{}", term.sign, term.text)).collect()
    }

    fn call(&self, function: &str, arguments: &[Node]) -> String {
        let arguments: Vec<String> = arguments.iter().map(|&a| self.text(a)).collect();
        self.notation.call(&Applied { function, power: None, arguments: &arguments, bare: false })
    }

    /// A function of one argument, and where a page has two dimensions sin θ or sin² θ.
    fn function(&self, f: F, argument: Node, power: Option<i32>) -> (Bind, String) {
        let simple = matches!(self.graph.op(argument), Op::Symbol(_)) || (self.named)(argument).is_some();
        let bare = simple && self.notation.is_set() && (is_trigonometric(f) || f == F::Ln);
        let arguments = [self.text(argument)];
        let text = self.notation.call(&Applied { function: spelling(f), power, arguments: &arguments, bare });
        (if bare || power.is_some() { Bind::Product } else { Bind::Atom }, text)
    }

    fn number(&self, value: f64) -> Unsigned {
        let digits = digits(value.abs());
        let bind = if self.notation.is_set() && digits.contains('e') { Bind::Product } else { Bind::Atom };
        Unsigned { negative: value < 0.0, bind, text: self.notation.number(&digits) }
    }

    /// Factors, each with its power; those of negative power as divisors.
    fn product(&self, node: Node) -> Unsigned {
        let named = |n: Node| (self.named)(n).is_some();
        let Product { mut negative, factors } = self.written(&named).product(node);
        let (mut over, mut under) = (Vec::new(), Vec::new());
        for (base, exponent) in factors {
            negative ^= exponent % 2 != 0 && self.graph.value(base).is_some_and(|value| value < 0.0);
            let list = if exponent > 0 { &mut over } else { &mut under };
            list.push(Factor::Power(base, exponent.saturating_abs()));
        }
        let lead = self.ratio(&mut over, &mut under);
        if !under.is_empty() {
            let side = |list: &[Factor], within: Bind| -> Vec<String> {
                let within = if self.notation.is_set() && list.len() == 1 { Bind::Or } else { within };
                list.iter().enumerate().map(|(i, f)| self.factor(f, i == 0, within).1).collect()
            };
            let text = self.notation.fraction(&side(&over, Bind::Product), &side(&under, Bind::Prefix));
            return Unsigned { negative, bind: Bind::Product, text };
        }
        let alone = lead.is_none() && over.len() == 1;
        let within = if alone { Bind::Or } else { Bind::Product };
        let mut list: Vec<(Bind, String)> = lead.map(|text| (Bind::Product, text)).into_iter().collect();
        for factor in &over {
            list.push(self.factor(factor, list.is_empty(), within));
        }
        let bind = if alone { list[0].0 } else { Bind::Product };
        let list: Vec<String> = list.into_iter().map(|(_, text)| text).collect();
        Unsigned { negative, bind, text: self.notation.product(&list) }
    }

    /// Where a page has two dimensions, a number in front that is a small fraction: as that, to be written first, or
    /// divided between factors and divisors.
    fn ratio(&self, over: &mut Vec<Factor>, under: &mut Vec<Factor>) -> Option<String> {
        let lone = over.len() + under.len() < 2;
        let Some(&Factor::Power(number, 1)) = over.first() else { return None };
        let (p, q) = self.graph.value(number).filter(|_| self.notation.is_set() && !lone).and_then(small_fraction)?;
        over.remove(0);
        if under.is_empty() {
            let [p, q] = [p, q].map(|n| self.notation.number(&n.to_string()));
            return Some(self.notation.fraction(&[p], &[q]));
        }
        if p != 1 || over.is_empty() {
            over.insert(0, Factor::Number(p));
        }
        under.insert(0, Factor::Number(q));
        None
    }

    /// A factor as part of a product. A number that is not the first one has parentheses: two in a row would be one.
    fn factor(&self, factor: &Factor, first: bool, within: Bind) -> (Bind, String) {
        let (base, exponent) = match *factor {
            Factor::Number(n) => return (Bind::Atom, self.notation.number(&n.to_string())),
            Factor::Power(base, exponent) => (base, exponent),
        };
        let unnamed = (self.named)(base).is_none();
        let (bind, text) = match self.graph.op(base) {
            _ if exponent == 1 => {
                let Unsigned { bind, text, .. } = self.unsigned(base);
                (bind, text)
            }
            Op::Unary(f, argument) if unnamed && self.notation.is_set() && is_trigonometric(f) => {
                self.function(f, argument, Some(exponent))
            }
            _ => {
                let Unsigned { bind, text, .. } = self.unsigned(base);
                let exponent = self.notation.number(&exponent.to_string());
                (Bind::Power, self.notation.power(&self.within(bind, text, Bind::Atom), &exponent))
            }
        };
        if !first && self.notation.is_set() && self.graph.value(base).is_some() {
            return (Bind::Atom, self.notation.group(&text));
        }
        (bind, self.within(bind, text, within))
    }
}

/// Functions whose powers are written at their names: sin² θ.
fn is_trigonometric(f: F) -> bool {
    matches!(f, F::Sin | F::Cos | F::Tan | F::Sinh | F::Cosh | F::Tanh)
}

/// Halves and quarters with one digit.
fn small_fraction(value: f64) -> Option<(u32, u32)> {
    let value = value.abs();
    let of = |q: u32| {
        let p = value * f64::from(q);
        (p == p.trunc() && (1.0..10.0).contains(&p)).then_some((p as u32, q))
    };
    if value == value.trunc() { None } else { of(2).or_else(|| of(4)) }
}

/// The name of a primitive in text.
fn spelling(f: F) -> &'static str {
    match (f, f.rule().spelling) {
        (F::Root, _) => "norm_of",
        (_, Spelling::Call(name) | Spelling::Indexed(name) | Spelling::Infix(name) | Spelling::Prefix(name)) => name,
    }
}

/// A number in its shortest exact form, an integer without its zero decimals.
fn digits(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 { format!("{value}") } else { format!("{value:?}") }
}
