//! The arrays of generated code that a user meets, with names for what is in them.

use crate::model::{Coordinate, Declared, Model, Shape};

/// An array with named fields: coordinates, inputs, outputs.
#[derive(Clone, Debug)]
pub struct Record {
    /// its type in generated code
    pub name: &'static str,
    /// what it holds
    pub about: &'static str,
    /// number of scalars
    pub len: usize,
    /// in the order of their scalars
    pub fields: Vec<Field>,
    /// further names of some of them
    pub also: Vec<Field>,
    /// its scalars where nothing is said; empty for zeros
    pub origin: Vec<f64>,
}

/// A field of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// as the generated code spells it
    pub name: String,
    /// its layout
    pub shape: Shape,
    /// its first scalar
    pub first: usize,
}

/// Groups of rows in products with derivatives, with their lengths.
pub(super) fn rows(model: &Model) -> Vec<(&'static str, usize)> {
    vec![("r", model.nv()), ("s", model.nz()), ("phi", model.nc())]
}

/// Groups of columns in products with derivatives, with their lengths.
pub(super) fn columns(model: &Model) -> Vec<(&'static str, usize)> {
    let (nv, nz, nc) = (model.nv(), model.nz(), model.nc());
    let state = [("q", nv), ("v", nv), ("z", nz), ("a", nv), ("zdot", nz)];
    state.into_iter().chain([("lambda", nc), ("u", model.nu()), ("p", model.np())]).collect()
}

/// All records of a model, in a fixed order.
pub(super) fn records(model: &Model) -> Vec<Record> {
    let record = |name, about, fields: Vec<(String, Shape)>, origin| {
        let mut len = 0;
        let mut placed = Vec::new();
        for (name, shape) in fields {
            let n = shape.len();
            placed.push(Field { name, shape, first: len });
            len += n;
        }
        Record { name, about, len, fields: placed, also: Vec::new(), origin }
    };
    let declared = |list: Vec<&Declared>| -> Vec<(String, Shape)> {
        list.into_iter().map(|d| (d.ident.to_string(), d.shape.clone())).collect()
    };
    let about_multipliers = match model.is_redundant() {
        true => "Multipliers, M a = f + Gᵀ λ: of those that are not unique the least.",
        false => "Multipliers, M a = f + Gᵀ λ.",
    };
    let velocities = model.declared.coordinates.iter().map(|c| {
        let name = c.velocity.as_ref().unwrap_or(&c.declared.ident);
        (name.to_string(), c.rate.clone())
    });
    let mut all = vec![
        record(
            "Q",
            "Coordinates, in the order of their declaration.",
            declared(model.declared.coordinates.iter().map(|c| &c.declared).collect()),
            model.blocks().iter().flat_map(|b| b.chart.origin()).copied().collect(),
        ),
        record("V", "Velocities (and accelerations), in the order of the coordinates.", velocities.collect(), vec![]),
        record(
            "Modes",
            "Modes, constant between events.",
            declared(model.declared.modes.iter().map(|m| &m.declared).collect()),
            model.declared.modes.iter().flat_map(|m| &m.start).copied().collect(),
        ),
        record(
            "Z",
            "First-order states (and their rates).",
            declared(model.declared.states.iter().map(|s| &s.declared).collect()),
            vec![],
        ),
        record(
            "U",
            "Inputs.",
            declared(model.declared.inputs.iter().map(|i| &i.declared).collect()),
            model.declared.inputs.iter().flat_map(|i| &i.default).copied().collect(),
        ),
        record(
            "Lambda",
            about_multipliers,
            model.constraints.iter().map(|c| (c.ident.to_string(), c.shape.clone())).collect(),
            vec![],
        ),
        record("Y", "Outputs.", declared(model.observed.outputs.iter().map(|o| &o.declared).collect()), vec![]),
        record(
            "H",
            "Path constraints.",
            model.observed.limits.iter().map(|l| (l.ident.to_string(), l.shape.clone())).collect(),
            vec![],
        ),
    ];
    // the accelerations of `coord (r, v)` are `a.r()` as much as `a.v()`
    if let Some(velocities) = all.iter_mut().find(|record| record.name == "V") {
        let named = |(c, field): (&Coordinate, &Field)| {
            c.velocity.as_ref().map(|_| Field { name: c.declared.ident.to_string(), ..field.clone() })
        };
        velocities.also = model.declared.coordinates.iter().zip(&velocities.fields).filter_map(named).collect();
    }
    if !model.observed.fits.is_empty() {
        let fields = model.observed.fits.iter().map(|f| (f.ident.to_string(), f.shape.clone())).collect();
        all.push(record("E", "Rows of the sum of squares ½ Σ e².", fields, vec![]));
    }
    let emit = model.header.options.emit;
    if emit.has_products() || emit.partials {
        let groups = |groups: Vec<(&str, usize)>| -> Vec<(String, Shape)> {
            let long = groups.into_iter().filter(|(_, n)| *n > 0);
            long.map(|(name, n)| (name.to_owned(), Shape::Array(n, Box::new(Shape::Scalar)))).collect()
        };
        let about = "A number for each row of (r, s, Φ): derivatives of them, or weights w on them.";
        all.push(record("Rows", about, groups(rows(model)), vec![]));
        let about = "A direction of, or gradient by, (q, v, z, a, ż, λ, u, p); that of q has nv entries, as v has.";
        all.push(record("Direction", about, groups(columns(model)), vec![]));
    }
    all
}
