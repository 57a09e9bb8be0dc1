//! Values of several scalars as Rust text: their types, their entries, and the fields of parameters.

use std::borrow::Cow;

use crate::model::{Model, Shape};

/// Numbers that stand together: a parameter, or all of them.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// where they stand: `self.m`
    pub(super) place: String,
    pub(super) shape: Shape,
    /// the index of the first among all parameters
    pub(super) first: usize,
}

/// The fields of parameters, in the order of their declaration.
///
/// Those of subs are fields of their own types, `self.wheel[0].r`; in a `flat` struct, `self.wheel_0_r`.
pub(super) fn parameter_fields(model: &Model, flat: bool) -> Vec<Field> {
    let field = |p: &crate::model::Param| {
        let name = if flat { p.declared.ident.to_string() } else { super::subs::place(model, &p.declared.ident) };
        Field { place: format!("self.{name}"), shape: p.declared.shape.clone(), first: p.declared.first }
    };
    model.declared.params.iter().map(field).collect()
}

/// The expression of each number of a field: `self.m`, `self.a[1]`, `self.hub[0][2]`.
pub(super) fn scalars(field: &Field) -> impl Iterator<Item = String> + '_ {
    indices(&field.shape).into_iter().map(|index| field.place.clone() + &index)
}

/// How many members a shape has, and the shape of each; none where it is one number.
pub(super) fn members(shape: &Shape) -> Option<(usize, Cow<'_, Shape>)> {
    match shape {
        Shape::Scalar => None,
        Shape::Vector(_) | Shape::Fields(_) => Some((shape.len(), Cow::Owned(Shape::Scalar))),
        Shape::Matrix(r, c) => Some((*r, Cow::Owned(Shape::Vector(*c)))),
        Shape::Array(n, inner) => Some((*n, Cow::Borrowed(inner))),
    }
}

/// The index expression of each scalar of a shape in nested arrays.
pub(super) fn indices(shape: &Shape) -> Vec<String> {
    let Some((n, inner)) = members(shape) else { return vec![String::new()] };
    let inner = indices(&inner);
    let mut all = Vec::with_capacity(n * inner.len());
    for i in 0..n {
        let member = format!("[{i}]");
        all.extend(inner.iter().map(|rest| member.clone() + rest));
    }
    all
}

/// The Rust type of a shape.
pub(super) fn rust_type(shape: &Shape, real: &str) -> String {
    match members(shape) {
        None => real.to_owned(),
        Some((n, inner)) => format!("[{}; {n}]", rust_type(&inner, real)),
    }
}

/// The Rust expression of a shape whose scalars are given in order.
pub(super) fn rust_value(shape: &Shape, scalars: &mut dyn Iterator<Item = String>) -> String {
    let Some((n, inner)) = members(shape) else { return scalars.next().unwrap_or_default() };
    let items: Vec<String> = (0..n).map(|_| rust_value(&inner, scalars)).collect();
    format!("[{}]", items.join(", "))
}
