//! Parts of values: fields, elements, multipliers, and the whole numbers that count them.

use syn::{Expr, ExprLit, Member, UnOp};

use super::functions::{find, part};
use super::reader::Reader;
use super::unknown::rate_behind;
use crate::check::scope::Local;
use crate::check::values::{Dimension, Quantity, Value, shaped};
use crate::diagnostics::{Id, Message, compact, location, text, with_article};
use crate::expr::{Graph, Symbol};
use crate::identifier::unraw;
use crate::model::Shape;

impl Reader<'_> {
    /// `.x`, `.origin`, `rod.lambda`
    pub(super) fn field(&mut self, base: &Expr, member: &Member, expr: &Expr) -> Value {
        let name = text(member);
        if let Some(sub) = self.sub_scope(base) {
            return sub.map_or(Value::Poison, |scope| self.member(scope, member, expr));
        }
        if name == "lambda"
            && let Some(value) = self.multiplier(base, expr)
        {
            return value;
        }
        if let Some(message) = self.qualified(base, member) {
            return self.wrong(message);
        }
        let value = self.eval(base);
        if name == "reaction"
            && let Some(force) = self.reaction(&value, base, expr)
        {
            return force;
        }
        if let Some(part) = part(self, &value, &name) {
            return part;
        }
        let at = match (&value, name.as_str()) {
            (Value::Poison, _) => return Value::Poison,
            (Value::Frame(frame), "origin") => return Quantity::vector(frame.origin.to_vec(), frame.unit).into(),
            (Value::Frame(frame), "angle") => {
                return Quantity::scalar(frame.angle, self.unit(Dimension::ONE)).into();
            }
            (_, "x") => 0,
            (_, "y") => 1,
            (_, "z") => 2,
            _ => usize::MAX,
        };
        if let Value::Quantity(Quantity { shape: Shape::Vector(2 | 3), elements, unit }) = &value
            && let Some(node) = elements.get(at)
        {
            return Quantity::scalar(*node, *unit).into();
        }
        let call = || find(&name).map(|_| format!("a function is called: `{}.{name}()`", text(base)));
        let rate = rate_behind(&text(base), &name).or_else(call);
        let message = Message::new(Id::M0113, member, format!("{} has no field `{name}`", with_article(&value.name())));
        let message = match &value {
            Value::Quantity(Quantity { shape: Shape::Vector(n), .. }) if *n < 4 => message.maybe_help(rate).help(
                format!("its fields are {}", ["", "", "`.x` and `.y`", "`.x`, `.y` and `.z`"].get(*n).unwrap_or(&"")),
            ),
            Value::Frame(_) => message.help("a frame has `.origin`, `.angle`, `.at(p)`, `.vec(v)` and `.inv()`"),
            Value::Frame3(_) => {
                message.help("a frame in space has `.origin`, `.rotation`, `.rate`, `.at(p)`, `.vec(v)` and `.inv()`")
            }
            Value::Rotation(_) => message.help("a rotation has `.rate`, `.rotate(v)` and `.inv()`"),
            Value::List(_) | Value::Quantity(Quantity { shape: Shape::Vector(_), .. }) => {
                message.help("its elements are `v[0]`, `v[1]`, ..")
            }
            Value::Quantity(_) => message.maybe_help(rate),
            Value::Poison => message,
        };
        self.wrong(message)
    }

    /// `rod.lambda` or `rod[2].lambda`, if the base names a constraint.
    fn multiplier(&mut self, base: &Expr, expr: &Expr) -> Option<Value> {
        let (path, index) = match base {
            Expr::Index(e) => (&*e.expr, Some(&*e.index)),
            other => (other, None),
        };
        let (mut key, own) = match path {
            Expr::Path(path) => (self.key(&path.path.get_ident()?.to_string()), true),
            Expr::Field(field) => {
                let Ok(scope) = self.sub_scope(&field.base)? else { return Some(Value::Poison) };
                (format!("{}{}", self.scopes[scope].prefix, unraw(&text(&field.member))), false)
            }
            _ => return None,
        };
        if let Some(index) = index {
            let any = format!("{key}_");
            if !self.names.multipliers.keys().any(|k| k.starts_with(&any)) {
                return None;
            }
            key = format!("{key}_{}", self.index(index)?);
        } else if own && self.names.multipliers.contains_key(&format!("{key}{}", self.here.suffix)) {
            key.push_str(&self.here.suffix);
        }
        let Some(multiplier) = self.names.multipliers.get(&key).cloned() else {
            return self.later_multiplier(&key, expr);
        };
        if multiplier.broken {
            return Some(Value::Poison);
        }
        if multiplier.algebraic {
            let what = format!("`{key}` determines algebraic variables and has no multiplier");
            let message =
                Message::new(Id::M0225, expr, what).note("only a constraint on coordinates or velocities is a force");
            return Some(self.wrong(message));
        }
        if !self.here.place.accelerations {
            return Some(self.no_multiplier(expr));
        }
        let unit = self.unit(Dimension::JOULE).div(multiplier.unit);
        let node = |g: &mut Graph, i: usize| g.symbol(Symbol::Lambda((multiplier.first + i) as u32));
        let elements: Vec<_> = (0..multiplier.shape.len()).map(|i| node(&mut self.graph, i)).collect();
        Some(shaped(&multiplier.shape, &mut elements.into_iter(), unit))
    }

    /// A multiplier of a constraint further down.
    fn later_multiplier(&mut self, key: &str, expr: &Expr) -> Option<Value> {
        let known = self.names.labels.get(&("constraint", key.to_owned())).copied()?;
        let place = location(known);
        let message = Message::new(Id::M0104, expr, format!("`{key}.lambda` is used before its constraint"))
            .note(format!("it is declared at {place}; move the `let` below it, or use it in an `output`"));
        Some(self.wrong(message))
    }

    fn no_multiplier(&mut self, expr: &Expr) -> Value {
        let message = Message::new(Id::M0404, expr, "multipliers are only known in an `output`")
            .note("they are unknowns of the model");
        self.wrong(message)
    }

    /// `v[i]`
    pub(super) fn index_value(&mut self, base: &Expr, index: &Expr, expr: &Expr) -> Value {
        if let Expr::Lit(number) = base {
            let message = bracketed(number, index, expr, self.here.place.item.strip_prefix("default of "));
            return self.wrong(message);
        }
        if let Some(part) = self.listed(expr) {
            return part;
        }
        let value = self.eval(base);
        let Some(i) = self.index(index) else { return Value::Poison };
        let at = usize::try_from(i).unwrap_or(usize::MAX);
        let (found, length) = match &value {
            Value::Poison => return Value::Poison,
            Value::List(items) => (items.get(at).cloned(), items.len()),
            Value::Quantity(Quantity { shape: Shape::Vector(n), elements, unit }) => {
                (elements.get(at).map(|node| Quantity::scalar(*node, *unit).into()), *n)
            }
            Value::Quantity(Quantity { shape: Shape::Matrix(rows, columns), elements, unit }) => {
                let row = elements.chunks(*columns).nth(at);
                (row.map(|row| Quantity::vector(row.to_vec(), *unit).into()), *rows)
            }
            other => {
                let message = Message::new(Id::M0510, expr, format!("{} has no elements", with_article(&other.name())));
                return self.wrong(message);
            }
        };
        match found {
            Some(value) => value,
            None => {
                let what = format!("`{}` has {length} elements; index {i} is out of range", text(base));
                let message = Message::new(Id::M0510, index, what).note("the first element has index 0");
                self.wrong(message)
            }
        }
    }

    /// A whole number that is known now: a literal, a loop's index, and sums and products of them.
    pub(crate) fn index(&mut self, expr: &Expr) -> Option<i64> {
        let found = self.known_index(expr);
        if found.is_none() {
            let message =
                Message::new(Id::M0510, expr, "an index is a whole number: a literal or the index of a `for`");
            self.report(message);
        }
        found
    }

    /// As [`Reader::index`], without a message.
    pub(crate) fn known_index(&self, expr: &Expr) -> Option<i64> {
        use syn::BinOp;
        match expr {
            Expr::Lit(e) => match &e.lit {
                syn::Lit::Int(n) if n.suffix().is_empty() => n.base10_parse().ok(),
                _ => None,
            },
            Expr::Path(e) => match self.here.local(&e.path.get_ident()?.to_string())? {
                Local::Index(i) => Some(*i),
                Local::Value(_) => None,
            },
            Expr::Paren(e) => self.known_index(&e.expr),
            Expr::Group(e) => self.known_index(&e.expr),
            Expr::Unary(e) if matches!(e.op, UnOp::Neg(_)) => self.known_index(&e.expr)?.checked_neg(),
            Expr::Binary(e) => {
                let (a, b) = (self.known_index(&e.left)?, self.known_index(&e.right)?);
                match e.op {
                    BinOp::Add(_) => a.checked_add(b),
                    BinOp::Sub(_) => a.checked_sub(b),
                    BinOp::Mul(_) => a.checked_mul(b),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// `1.0 [m/s]`: brackets behind a number.
fn bracketed(number: &ExprLit, unit: &Expr, whole: &Expr, declared: Option<&str>) -> Message {
    let (number, unit) = (text(number), compact(unit));
    let help = match (declared, unit.chars().all(char::is_alphanumeric)) {
        (Some(name), _) => format!("write `{name}: Real [{unit}] = {number};`"),
        (None, true) => format!("write `{number}{unit}`"),
        (None, false) => {
            format!("declare it, `param k: Real [{unit}] = {number};`, or write its factors: `3.0m / 1.0s`")
        }
    };
    Message::new(Id::M0506, whole, "a unit in brackets follows a type, not a number").help(help)
}
