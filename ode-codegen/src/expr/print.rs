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
    /// the place of each parameter among the factors of a product
    pub places: &'a [u32],
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
        self.signed(self.addends(root))
    }

    /// The terms of an expression that is written out, and whether each is subtracted.
    fn addends(&self, root: Node) -> Vec<Unsigned> {
        let named = |n: Node| n != root && (self.named)(n).is_some();
        let spell = |(negative, node): (bool, Node)| {
            let term = if node == root { self.spell(node) } else { self.unsigned(node) };
            Unsigned { negative: negative ^ term.negative, ..term }
        };
        self.written(&named).terms(root).into_iter().map(spell).collect()
    }

    /// Terms in a row. What is subtracted does not come first.
    fn signed(&self, mut found: Vec<Unsigned>) -> Vec<Term> {
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
        let lengths_divide = self.notation.is_set();
        Written { graph: self.graph, named, fixed: self.fixed, places: self.places, lengths_divide }
    }

    /// A text in parentheses, if it binds less than what it is part of.
    fn within(&self, bind: Bind, text: String, within: Bind) -> String {
        if bind < within { self.notation.group(&text) } else { text }
    }

    /// An expression as part of another.
    fn node(&self, node: Node, within: Bind) -> String {
        if self.is_sum(node) && within <= Bind::Sum {
            return self.row(self.definition(node));
        }
        let Unsigned { negative, bind, text } = self.unsigned(node);
        match negative {
            true => {
                let text = self.within(bind, text, Bind::Product);
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
            Op::Binary(F::Add | F::Sub, ..) => return self.sum(node),
            Op::Unary(F::Neg, a) if self.is_sum(a) => return self.sum(node),
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

    /// A sum. If all of its terms are subtracted, their sign is that of the sum.
    fn sum(&self, node: Node) -> Unsigned {
        let mut found = self.addends(node);
        let negative = found.iter().all(|term| term.negative);
        for term in &mut found {
            term.negative &= !negative;
        }
        Unsigned { negative, bind: Bind::Sum, text: self.row(self.signed(found)) }
    }

    fn row(&self, terms: Vec<Term>) -> String {
        terms.into_iter().map(|term| format!("{}{}", term.sign, term.text)).collect()
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
            let list = if exponent > 0 { &mut over } else { &mut under };
            list.push(Factor::Power(base, exponent.saturating_abs()));
        }
        let lead = self.ratio(&mut over, &mut under, &mut negative);
        if !under.is_empty() {
            let mut side = |list: &[Factor], within: Bind| -> Vec<String> {
                let within = if self.notation.is_set() && list.len() == 1 { Bind::Or } else { within };
                let factors = list.iter().enumerate().map(|(i, f)| self.factor(f, i == 0, within));
                factors.inspect(|factor| negative ^= factor.negative).map(|factor| factor.text).collect()
            };
            let text = self.notation.fraction(&side(&over, Bind::Product), &side(&under, Bind::Prefix));
            return Unsigned { negative, bind: Bind::Product, text };
        }
        let alone = lead.is_none() && over.len() == 1;
        let within = if alone { Bind::Or } else { Bind::Product };
        let (mut list, mut bind) = (Vec::from_iter(lead), Bind::Product);
        for factor in &over {
            let factor = self.factor(factor, list.is_empty(), within);
            negative ^= factor.negative;
            bind = if alone { factor.bind } else { bind };
            list.push(factor.text);
        }
        Unsigned { negative, bind, text: self.notation.product(&list) }
    }

    /// Where a page has two dimensions, a number in front that is a small fraction: as that, to be written first, or
    /// divided between factors and divisors.
    fn ratio(&self, over: &mut Vec<Factor>, under: &mut Vec<Factor>, negative: &mut bool) -> Option<String> {
        let lone = over.len() + under.len() < 2;
        let Some(&Factor::Power(number, 1)) = over.first() else { return None };
        let value = self.graph.value(number).filter(|_| self.notation.is_set() && !lone)?;
        let (p, q) = small_fraction(value)?;
        *negative ^= value < 0.0;
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
    fn factor(&self, factor: &Factor, first: bool, within: Bind) -> Unsigned {
        let (base, exponent) = match *factor {
            Factor::Number(n) => {
                return Unsigned { negative: false, bind: Bind::Atom, text: self.notation.number(&n.to_string()) };
            }
            Factor::Power(base, exponent) => (base, exponent),
        };
        let unnamed = (self.named)(base).is_none();
        let Unsigned { negative, bind, text } = match self.graph.op(base) {
            _ if exponent == 1 => self.unsigned(base),
            Op::Unary(f, argument) if unnamed && self.notation.is_set() && is_trigonometric(f) => {
                let (bind, text) = self.function(f, argument, Some(exponent));
                Unsigned { negative: false, bind, text }
            }
            _ => {
                let Unsigned { negative, bind, text } = self.unsigned(base);
                let exponent_text = self.notation.number(&exponent.to_string());
                let text = self.notation.power(&self.within(bind, text, Bind::Atom), &exponent_text);
                Unsigned { negative: negative && exponent % 2 != 0, bind: Bind::Power, text }
            }
        };
        if !first && self.notation.is_set() && self.graph.value(base).is_some() {
            return Unsigned { negative, bind: Bind::Atom, text: self.notation.group(&text) };
        }
        Unsigned { negative, bind, text: self.within(bind, text, within) }
    }
}

/// Functions whose powers are written at their names: sin² θ.
fn is_trigonometric(f: F) -> bool {
    matches!(f, F::Sin | F::Cos | F::Tan | F::Sinh | F::Cosh | F::Tanh)
}

/// Halves and quarters with one digit, and what would be sixteen digits otherwise, the last of them rounded: thirds and
/// parts of them.
fn small_fraction(value: f64) -> Option<(u32, u32)> {
    let value = value.abs();
    let of = |(q, rounded): (u32, f64)| {
        let p = (value * f64::from(q)).round();
        let near = (p / f64::from(q) - value).abs() <= rounded * value;
        (near && (1.0..10.0).contains(&p)).then_some((p as u32, q))
    };
    let thirds = [3, 6, 12].map(|q| (q, 2.0 * f64::EPSILON));
    if value == value.trunc() { None } else { [(2, 0.0), (4, 0.0)].into_iter().chain(thirds).find_map(of) }
}

/// The name of a primitive in text.
fn spelling(f: F) -> &'static str {
    match (f, f.rule().spelling) {
        (F::Root, _) => "norm_of",
        (_, Spelling::Call(name) | Spelling::Indexed(name) | Spelling::Infix(name) | Spelling::Prefix(name)) => name,
    }
}

/// A number in its shortest exact form, an integer without its zero decimals.
pub(crate) fn digits(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 { format!("{value}") } else { format!("{value:?}") }
}
