//! Values of several scalars as Rust text: their types, their entries, and the fields of parameters.

use crate::model::{Model, Shape};
use crate::numbered::numbered;

/// The expression of each parameter scalar: `self.m`, `self.a[1]`, `self.hub[0][2]`.
///
/// Those of subs are fields of their own types, `self.wheel[0].r`; in a `flat` struct, `self.wheel_0_r`.
pub(super) fn parameter_fields(model: &Model, flat: bool) -> Vec<String> {
    let field = |p: &crate::model::Param| {
        let name = if flat { p.declared.ident.to_string() } else { super::subs::place(model, &p.declared.ident) };
        indices(&p.declared.shape).into_iter().map(move |i| ["self.", &name, &i].concat()).collect::<Vec<_>>()
    };
    model.declared.params.iter().flat_map(field).collect()
}

/// The index expression of each scalar of a shape in nested arrays.
pub(super) fn indices(shape: &Shape) -> Vec<String> {
    let members = |n: usize, inner: &[String]| {
        let mut all = Vec::with_capacity(n * inner.len());
        for i in 0..n {
            let mut member = String::new();
            numbered(&mut member, "[", i);
            member.push(']');
            all.extend(inner.iter().map(|rest| member.clone() + rest));
        }
        all
    };
    match shape {
        Shape::Scalar => vec![String::new()],
        Shape::Vector(_) | Shape::Fields(_) => members(shape.len(), &[String::new()]),
        Shape::Matrix(r, c) => members(*r, &indices(&Shape::Vector(*c))),
        Shape::Array(n, inner) => members(*n, &indices(inner)),
    }
}

/// The Rust type of a shape.
pub(super) fn rust_type(shape: &Shape, real: &str) -> String {
    match shape {
        Shape::Scalar => real.to_owned(),
        Shape::Vector(_) | Shape::Fields(_) => format!("[{real}; {}]", shape.len()),
        Shape::Matrix(r, c) => format!("[[{real}; {c}]; {r}]"),
        Shape::Array(n, inner) => format!("[{}; {n}]", rust_type(inner, real)),
    }
}

/// The Rust expression of a shape whose scalars are given in order.
pub(super) fn rust_value(shape: &Shape, scalars: &mut dyn Iterator<Item = String>) -> String {
    let mut list = |n: usize, inner: &Shape| {
        let items: Vec<String> = (0..n).map(|_| rust_value(inner, scalars)).collect();
        format!("[{}]", items.join(", "))
    };
    match shape {
        Shape::Scalar => scalars.next().unwrap_or_default(),
        Shape::Vector(_) | Shape::Fields(_) => list(shape.len(), &Shape::Scalar),
        Shape::Matrix(r, c) => list(*r, &Shape::Vector(*c)),
        Shape::Array(n, inner) => list(*n, inner),
    }
}
