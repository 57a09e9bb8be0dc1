//! External functions, and tables.

use proc_macro2::Ident;
use syn::Expr;

use super::arguments::{Call, count};
use crate::check::names::Known;
use crate::check::read::plain::mend;
use crate::check::read::reader::Reader;
use crate::check::values::{Dimension, Quantity, Unit, Value};
use crate::diagnostics::{Id, Message, text, with_article};
use crate::expr::{External, Node};
use crate::model::{self, Source};
use crate::parse::ast;

impl<'a> Reader<'a> {
    /// Makes an external function known to the graph.
    pub(crate) fn external(&mut self, ident: Ident, arguments: Vec<String>, source: Source) -> External {
        let external = self.graph.declare(ident.to_string(), arguments.clone());
        self.notes.externals.push(model::External { ident, arguments, source });
        external
    }

    /// A call of an `extern fn`.
    pub(super) fn invoke(&mut self, call: &Call<'_>, known: Known<'a>) -> Value {
        let Known { item, external } = known;
        let values: Vec<Value> = call.args.iter().map(|a| self.eval_adaptable(a)).collect();
        if values.len() != item.args.len() {
            let what = format!("`{}` takes {}, found {}", item.name, count(item.args.len()), values.len());
            let message = Message::new(Id::M0122, call.whole, what);
            return self.wrong(message);
        }
        let mut arguments: Vec<Node> = Vec::new();
        let mut fits = true;
        for ((argument, value), written) in item.args.iter().zip(values).zip(&call.args) {
            let Some((node, has)) = self.expect_scalar(&value, written) else {
                fits = false;
                continue;
            };
            let wants = self.stated(argument.unit.as_ref());
            if has.unify(wants).is_none() {
                let what = format!("argument `{}` has unit [{wants}], but this has unit [{has}]", argument.name);
                self.report(mend(Message::new(Id::M0507, written, what), written, has, wants));
                fits = false;
            }
            arguments.push(node);
        }
        if !fits {
            return Value::Poison;
        }
        let unit = self.stated(item.unit.as_ref());
        Quantity::scalar(self.graph.invoke(external, &arguments), unit).into()
    }

    /// The unit in brackets; without any a number is dimensionless, because there is no body to infer it from.
    fn stated(&mut self, unit: Option<&ast::Unit>) -> Unit {
        match unit {
            Some(unit) => self.read_unit(unit),
            None => self.unit(Dimension::ONE),
        }
    }
}

/// `pchip(TABLE, x)`: a table of plain numbers.
pub(super) fn pchip(r: &mut Reader<'_>, call: &Call<'_>) -> Value {
    let [table, argument] = call.args.as_slice() else { return Value::Poison };
    let Expr::Path(path) = table else {
        let message = Message::new(Id::M0808, table, "the table of `pchip` is the path of a Rust const")
            .help("write `const CURVE: [[f64; 2]; 3] = [..];` outside of the model, and `pchip(CURVE, x)`");
        return r.wrong(message);
    };
    if let Some(global) = path.path.get_ident().and_then(|i| r.global(&i.to_string())) {
        let what = format!(
            "`{}` is {}, and the table of `pchip` is a Rust const",
            text(path),
            with_article(global.sort.word())
        );
        let message = Message::new(Id::M0808, path, what);
        return r.wrong(message);
    }
    let value = r.eval(argument);
    let Some((x, unit)) = r.expect_scalar(&value, argument) else { return Value::Poison };
    if !unit.is_one() {
        let what = format!("argument of `pchip` must be dimensionless, but has unit [{unit}]");
        let message = Message::new(Id::M0503, argument, what).help(format!(
            "give the table its units: `extern fn f(x: Real [{unit}]) -> Real {{ table: {} }}`, then `f({})`",
            text(path),
            text(argument)
        ));
        return r.wrong(message);
    }
    let name = text(path);
    let known = r.notes.tables.iter().find(|(n, _)| *n == name).map(|(_, external)| *external);
    let external = known.unwrap_or_else(|| {
        let last = path.path.segments.last().map_or_else(|| call.name.clone(), |s| s.ident.clone());
        let external = r.external(last, vec!["x".to_owned()], Source::Table((*path).clone()));
        r.notes.tables.push((name, external));
        external
    });
    let unit = r.unit(Dimension::ONE);
    Quantity::scalar(r.graph.invoke(external, &[x]), unit).into()
}
