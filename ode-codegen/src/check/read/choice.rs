//! Choices between values: `if` by a condition, `match` by a mode or a loop's index.

use syn::{Expr, ExprIf, ExprMatch, Lit, Pat};

use super::condition::Condition;
use super::plain::is_bare;
use super::reader::Reader;
use crate::check::values::{Quantity, Unit, Value};
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Node, Symbol};
use crate::model::Shape;

/// What a `match` chooses by.
#[derive(Clone, Copy)]
enum Subject {
    /// a whole number that is known now
    Index(f64),
    /// a mode, which an event sets to a number and nothing changes in between
    Mode(Node),
}

impl Reader<'_> {
    /// `if c { a } else { b }`: derivatives are taken in each branch and selected. If the condition is known now, the
    /// other branch is not read: it may name members that are not there.
    pub(super) fn branch(&mut self, e: &ExprIf, expr: &Expr) -> Value {
        let condition = self.condition(&e.cond);
        let Some((_, otherwise)) = &e.else_branch else {
            let then = self.block(&e.then_branch);
            let message = Message::new(Id::M0117, expr, "`if` without `else` has no value in a model expression")
                .help(format!("add `else {{ {} }}`", zero(&then)));
            return self.wrong(message);
        };
        match condition {
            Some(Condition::Known(true)) => self.block(&e.then_branch),
            Some(Condition::Known(false)) => self.eval(otherwise),
            Some(Condition::Node(node)) => {
                let (then, otherwise) = (self.block(&e.then_branch), self.eval(otherwise));
                self.choose(node, then, otherwise, expr)
            }
            None => {
                self.block(&e.then_branch);
                self.eval(otherwise);
                Value::Poison
            }
        }
    }

    /// `match mode { 0 => a, 1 | 2 => b, _ => c }`
    pub(super) fn matched(&mut self, e: &ExprMatch, expr: &Expr) -> Value {
        let (subject, arms) = (self.subject(&e.expr), self.patterns(e));
        let (Some(subject), Some(arms)) = (subject, arms) else { return Value::Poison };
        if let Subject::Index(i) = subject {
            let taken = arms.iter().position(|numbers| numbers.is_empty() || numbers.contains(&i));
            return taken.map_or(Value::Poison, |taken| self.eval(&e.arms[taken].body));
        }
        let values: Vec<Value> = e.arms.iter().map(|arm| self.eval(&arm.body)).collect();
        let mut chosen = Value::Poison;
        for (numbers, value) in arms.iter().zip(values).rev() {
            let conditions: Vec<Node> = numbers.iter().map(|number| self.equals(subject, *number)).collect();
            let any = conditions.into_iter().reduce(|a, b| self.graph.or(a, b));
            chosen = match any {
                Some(any) => self.choose(any, value, chosen, expr),
                None => value,
            };
            if chosen.is_poison() {
                return chosen;
            }
        }
        chosen
    }

    /// M0130 unless it is a mode or a whole number that is known now.
    fn subject(&mut self, written: &Expr) -> Option<Subject> {
        if let Some(i) = self.known_index(written) {
            return Some(Subject::Index(i as f64));
        }
        let value = self.eval(written);
        let (node, unit) = self.expect_scalar(&value, written)?;
        if !matches!(self.graph.as_symbol(node), Some(Symbol::Mode(_))) {
            let message = Message::new(Id::M0130, written, format!("`{}` is not a mode", text(written)))
                .note("`match` compares with whole numbers, and only a mode or the index of a loop is exactly one")
                .help("choose with `if .. < .. { .. } else { .. }`");
            self.report(message);
            return None;
        }
        if unit.unify(Unit::ONE).is_none() {
            let what = format!("cannot compare quantities of different units: `{unit}` and `1`");
            self.report(Message::new(Id::M0514, written, what).note("the patterns of a `match` are plain numbers"));
            return None;
        }
        Some(Subject::Mode(node))
    }

    /// m ≤ k and k ≤ m: exactly k.
    fn equals(&mut self, subject: Subject, number: f64) -> Node {
        let k = self.graph.constant(number);
        let m = match subject {
            Subject::Mode(node) => node,
            Subject::Index(i) => self.graph.constant(i),
        };
        let (below, above) = (self.graph.less_eq(m, k), self.graph.less_eq(k, m));
        self.graph.and(below, above)
    }

    /// The numbers of each arm, none for `_`, which comes last.
    fn patterns(&mut self, e: &ExprMatch) -> Option<Vec<Vec<f64>>> {
        let mut arms: Vec<Vec<f64>> = Vec::new();
        for arm in &e.arms {
            match numbers(&arm.pat, &arms) {
                Ok(numbers) => arms.push(numbers),
                Err(message) => {
                    self.report(message);
                    return None;
                }
            }
        }
        if arms.last().is_some_and(Vec::is_empty) {
            return Some(arms);
        }
        let what = "`match` without an arm `_` has no value for other numbers";
        let message = Message::new(Id::M0117, e.match_token, what)
            .note(format!("`{}` is a number, and may be one that no arm names", text(&e.expr)))
            .help("add `_ => ..` as the last arm");
        self.report(message);
        None
    }

    /// One of two values, by a condition.
    fn choose(&mut self, condition: Node, then: Value, otherwise: Value, expr: &Expr) -> Value {
        let (word, parts) = match expr {
            Expr::Match(_) => ("match", "arms"),
            _ => ("if", "branches"),
        };
        if then.is_poison() || otherwise.is_poison() {
            return Value::Poison;
        }
        match (then, otherwise) {
            (Value::Quantity(a), Value::Quantity(b)) if a.shape == b.shape => {
                let Some(unit) = a.unit.unify(b.unit) else {
                    let what = format!("`{word}` {parts} have different units: `{}` and `{}`", a.unit, b.unit);
                    let message = Message::new(Id::M0501, expr, what);
                    return self.wrong(message);
                };
                let pairs = a.elements.into_iter().zip(b.elements);
                let elements = pairs.map(|(a, b)| self.graph.select(condition, a, b)).collect();
                Quantity { shape: a.shape, elements, unit }.into()
            }
            (Value::List(a), Value::List(b)) if a.len() == b.len() => {
                let pairs = a.into_iter().zip(b);
                let items: Vec<Value> = pairs.map(|(a, b)| self.choose(condition, a, b, expr)).collect();
                if items.iter().any(Value::is_poison) { Value::Poison } else { Value::List(items) }
            }
            (Value::Frame(_) | Value::Frame3(_) | Value::Rotation(_), _) => {
                let what = format!("`{word}` cannot choose between frames or rotations");
                let message =
                    Message::new(Id::M0511, expr, what).help("choose between the points and angles they are made of");
                self.wrong(message)
            }
            (a, b) => {
                let what = format!("`{word}` {parts} have different shapes: {} and {}", a.name(), b.name());
                let message = Message::new(Id::M0511, expr, what);
                self.wrong(message)
            }
        }
    }
}

/// The numbers of a pattern, none for `_`, below the arms above it.
fn numbers(pattern: &Pat, above: &[Vec<f64>]) -> Result<Vec<f64>, Message> {
    let mut all = Vec::new();
    read(pattern, &mut all)?;
    if above.iter().any(Vec::is_empty) {
        let message = Message::new(Id::M0131, pattern, format!("the arm `{}` is never taken", text(pattern)));
        return Err(message.note("the arm `_` above takes all numbers that no arm names"));
    }
    for (k, (number, at)) in all.iter().enumerate() {
        let mut earlier = above.iter().flatten().chain(all[..k].iter().map(|(number, _)| number));
        if earlier.any(|other| other == number) {
            return Err(Message::new(Id::M0131, at, format!("`{}` has an arm already", text(at))));
        }
    }
    Ok(all.into_iter().map(|(number, _)| number).collect())
}

/// Adds the numbers of a pattern, each with its place; none for `_`.
fn read<'p>(pattern: &'p Pat, numbers: &mut Vec<(f64, &'p Pat)>) -> Result<(), Message> {
    match pattern {
        Pat::Wild(_) => Ok(()),
        Pat::Guard(e) => Err(Message::new(Id::M0131, e.if_token, "an arm of a `match` has no condition of its own")
            .help("write `if .. { .. } else { .. }` behind `=>`")),
        Pat::Paren(e) => read(&e.pat, numbers),
        Pat::Or(e) => e.cases.iter().try_for_each(|case| match case {
            Pat::Wild(_) => Err(no_pattern(case)),
            case => read(case, numbers),
        }),
        Pat::Lit(e) if is_bare(&e.lit) => {
            let digits = match &e.lit {
                Lit::Int(n) => n.base10_digits(),
                Lit::Float(n) => n.base10_digits(),
                _ => "",
            };
            let number = digits.parse::<f64>().ok().filter(|number| number.fract() == 0.0);
            numbers.push((number.ok_or_else(|| no_pattern(pattern))?, pattern));
            Ok(())
        }
        _ => Err(no_pattern(pattern)),
    }
}

/// M0131
fn no_pattern(pattern: &Pat) -> Message {
    Message::new(Id::M0131, pattern, format!("`{}` is not a pattern of a model", text(pattern)))
        .help("a pattern is a whole number, several of them, `1 | 2`, or `_` for all others")
}

/// Zero, which has any unit, in the shape of a value.
fn zero(like: &Value) -> &'static str {
    match like.shape() {
        Some(Shape::Scalar) => "0.0",
        Some(Shape::Vector(2)) => "vec2(0.0, 0.0)",
        Some(Shape::Vector(3)) => "vec3(0.0, 0.0, 0.0)",
        _ => "..",
    }
}
