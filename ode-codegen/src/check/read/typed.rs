//! Checks of values against the expected types, shapes and units.

use proc_macro2::{Delimiter, Group, Ident, TokenTree};
use quote::ToTokens;
use syn::Expr;

use super::plain::mend;
use super::reader::Reader;
use crate::check::values::{Dimension, Quantity, Unit, Value, shape_name};
use crate::diagnostics::{Id, Message, text};
use crate::expr::Node;
use crate::model::{Shape, Space};
use crate::parse::ast;

impl Reader<'_> {
    /// The unit in brackets; a mistake in it is reported.
    pub(crate) fn read_unit(&mut self, unit: &ast::Unit) -> Unit {
        match self.read_scaled(unit) {
            (unit, 1.0) => unit,
            _ if self.scope().units_off() => Unit::Unknown,
            (_, scale) => {
                let si = self.scope().units.read(unit).map_or(Unit::Unknown, |read| Unit::Known(read.dimension));
                let message = scaled(unit, scale)
                    .note("a model computes in SI; only the default and builder setter of a `param` are scaled")
                    .help(match si.is_one() {
                        true => "drop it here; numbers may have it: `30.0deg`".to_owned(),
                        false => format!("write `[{si}]` here; the numbers themselves may have the unit"),
                    });
                self.report(message);
                Unit::Unknown
            }
        }
    }

    /// The unit in brackets of a parameter and its size in SI.
    pub(crate) fn read_param_unit(&mut self, unit: &ast::Unit) -> (Unit, f64) {
        let (read, scale) = self.read_scaled(unit);
        if scale == 1.0 || !self.scope().units_off() {
            return (read, scale);
        }
        let message = scaled(unit, scale)
            .note("with `units = off` nothing is scaled, neither the default nor the builder's setter")
            .help("give the number its unit, `5.0mm`, and the param that of SI");
        self.report(message);
        (Unit::Unknown, 1.0)
    }

    /// The unit in brackets and its size in SI. Where units are off, any words may stand there.
    pub(super) fn read_scaled(&mut self, unit: &ast::Unit) -> (Unit, f64) {
        match self.scope().units.read(unit) {
            Ok(read) => (self.unit(read.dimension), read.scale),
            Err(_) if self.scope().units_off() => (Unit::Unknown, 1.0),
            Err(message) => {
                self.report(message);
                (Unit::Unknown, 1.0)
            }
        }
    }

    /// Checks a value against its declared type and unit.
    pub(crate) fn declared_value(
        &mut self,
        value: Value,
        ty: Option<&ast::Type>,
        unit: Option<&ast::Unit>,
        name: &Ident,
        at: &dyn quote::ToTokens,
    ) -> Value {
        let value = match ty.filter(|ty| !ty.tokens.is_empty()) {
            Some(ty) => self.of_type(value, &ty.kind, at),
            None => value,
        };
        if value.is_poison() {
            return value;
        }
        let declared = match unit {
            Some(unit) => self.read_unit(unit),
            None if ty.is_some_and(|ty| *ty.kind.innermost() == ast::TypeKind::Angle) => self.unit(Dimension::ONE),
            None => return value,
        };
        let fits = match &value {
            Value::Frame(_) | Value::Frame3(_) => value.unit().unify(declared).is_some(),
            Value::Rotation(_) => declared.is_one(),
            _ => value.measured().iter().all(|(_, u)| u.unify(declared).is_some()),
        };
        if fits {
            return value;
        }
        let has = value.unit();
        let what = format!("`{name}` is declared with unit [{declared}], but its value has unit [{has}]");
        let message = Message::new(Id::M0507, at.to_token_stream(), what);
        // The body of a function is a block.
        let written = syn::parse2(at.to_token_stream()).unwrap_or(Expr::Verbatim(at.to_token_stream()));
        self.wrong(mend(message, &written, has, declared))
    }

    /// A value of a written type: a motion where that is one, numbers otherwise.
    fn of_type(&mut self, value: Value, kind: &ast::TypeKind, at: &dyn quote::ToTokens) -> Value {
        use ast::TypeKind as T;
        let wanted = match (kind, &value) {
            (T::Broken, _) | (_, Value::Poison) => return Value::Poison,
            (T::Frame2 | T::Space(Space::SO2), Value::Frame(_))
            | (T::Frame3 | T::Space(Space::SE3), Value::Frame3(_))
            | (T::Space(Space::SO3 | Space::SO3World), Value::Rotation(_)) => return value,
            // in an expression it is its vector
            (T::Space(Space::S2), _) => return self.expect_shape(value, &Shape::Vector(3), at),
            (T::Frame2, _) => "Frame2",
            (T::Frame3, _) => "Frame3",
            _ => {
                return match kind.shape() {
                    Some(shape) => self.expect_shape(value, &shape, at),
                    None => Value::Poison,
                };
            }
        };
        let what = format!("expected {wanted}, found {}", value.name());
        self.wrong(Message::new(Id::M0509, at.to_token_stream(), what))
    }

    /// A value as one number, or M0509.
    pub(crate) fn expect_scalar(&mut self, value: &Value, at: &dyn ToTokens) -> Option<(Node, Unit)> {
        match value {
            Value::Poison => None,
            Value::Quantity(q) if q.as_scalar().is_some() => q.as_scalar().map(|node| (node, q.unit)),
            other => {
                let what = format!("expected Real, found {}", other.name());
                self.report(Message::new(Id::M0509, at.to_token_stream(), what));
                None
            }
        }
    }

    /// A value of a given shape; an array of numbers is a vector, an array of rows is a matrix.
    pub(crate) fn expect_shape(&mut self, value: Value, shape: &Shape, at: &dyn ToTokens) -> Value {
        if value.is_poison() || value.shape().as_ref() == Some(shape) {
            return value;
        }
        if let (Value::List(_), Some(found)) = (&value, value.shape()) {
            let fits = match (shape, &found) {
                (Shape::Vector(n), Shape::Array(m, inner)) => n == m && **inner == Shape::Scalar,
                (Shape::Matrix(rows, columns), Shape::Array(m, inner)) => {
                    rows == m
                        && (**inner == Shape::Vector(*columns)
                            || **inner == Shape::Array(*columns, Box::new(Shape::Scalar)))
                }
                _ => false,
            };
            if fits {
                return Quantity { shape: shape.clone(), elements: value.scalars(), unit: value.unit() }.into();
            }
        }
        if let (Value::List(items), Shape::Array(n, inner)) = (&value, shape)
            && items.len() == *n
        {
            let items: Vec<Value> = items.iter().map(|i| self.expect_shape(i.clone(), inner, at)).collect();
            return if items.iter().any(Value::is_poison) { Value::Poison } else { Value::List(items) };
        }
        let what = format!("expected {}, found {}", shape_name(shape), value.name());
        let message = Message::new(Id::M0509, at.to_token_stream(), what);
        self.wrong(message)
    }
}

/// M0516 at the brackets.
fn scaled(unit: &ast::Unit, scale: f64) -> Message {
    let group = Group::new(Delimiter::Bracket, unit.tokens.clone());
    let mut group = TokenTree::Group(group);
    group.set_span(unit.span);
    Message::new(Id::M0516, group, format!("unit `{}` is {scale} of the SI unit", text(&unit.tokens)))
}
