//! A call and its arguments.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::Expr;

use crate::check::read::plain::mend_either;
use crate::check::read::reader::Reader;
use crate::check::values::{Unit, Value};
use crate::diagnostics::{Id, Message};
use crate::expr::Node;
use crate::model::Shape;

/// Where a `vec` of numbers was meant.
pub(super) const VECTORS: &str = "a vector of numbers is `vec2(x, y)` or `vec3(x, y, z)`";

/// A call with its arguments as written; a method's receiver is the first.
pub(crate) struct Call<'a> {
    /// the function's name
    pub(crate) name: &'a Ident,
    /// arguments
    pub(crate) args: Vec<&'a Expr>,
    /// the whole call
    pub(crate) whole: &'a Expr,
}

impl Reader<'_> {
    /// The value of an argument as one number with its unit.
    pub(super) fn scalar(&mut self, call: &Call<'_>, values: &[Value], i: usize) -> Option<(Node, Unit)> {
        let (value, written) = (values.get(i)?, call.args.get(i)?);
        self.expect_scalar(value, written)
    }

    /// The elements of a vector argument with their unit.
    pub(super) fn vector(&mut self, call: &Call<'_>, values: &[Value], i: usize) -> Option<(Vec<Node>, Unit)> {
        let (value, written) = (values.get(i)?, *call.args.get(i)?);
        match value {
            Value::Quantity(q) if matches!(q.shape, Shape::Vector(_)) => Some((q.elements.clone(), q.unit)),
            Value::Poison => None,
            other => {
                let what = format!("`{}` needs a vector, found {}", call.name, other.name());
                let list = matches!(other, Value::List(_)).then(|| VECTORS.to_owned());
                self.report(Message::new(Id::M0509, written, what).maybe_help(list));
                None
            }
        }
    }

    /// M0501 unless the units agree.
    pub(super) fn agree(&mut self, call: &Call<'_>, a: Unit, b: Unit) -> Option<Unit> {
        let unit = a.unify(b);
        if unit.is_none() {
            let what = format!("arguments of `{}` have different units: `{a}` and `{b}`", call.name);
            self.report(mend_either(Message::new(Id::M0501, call.whole, what), &call.args, a, b));
        }
        unit
    }

    /// M0503 unless dimensionless.
    pub(super) fn dimensionless(&mut self, name: &Ident, unit: Unit, at: &dyn ToTokens) -> Option<()> {
        if unit.is_one() {
            return Some(());
        }
        let what = format!("argument of `{name}` must be dimensionless, but has unit [{unit}]");
        self.report(Message::new(Id::M0503, at.to_token_stream(), what));
        None
    }
}

/// `1 argument`, `2 arguments`
pub(super) fn count(n: usize) -> String {
    if n == 1 { "1 argument".to_owned() } else { format!("{n} arguments") }
}
