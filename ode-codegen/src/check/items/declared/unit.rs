//! `unit`, and the units of declarations.

use std::collections::BTreeMap;

use proc_macro2::Ident;

use crate::check::read::Reader;
use crate::check::scope::Place;
use crate::check::values::{Dimension, Named, Unit};
use crate::diagnostics::{Id, Message, text};
use crate::identifier::bare;
use crate::model::Space;
use crate::parse::ast::{self, Declare, Kind, Role, TypeKind, UnitRule};

/// Units of names that are declared without one.
#[derive(Default)]
pub(crate) struct Hints {
    /// what they should have
    pub(crate) suggested: BTreeMap<String, Dimension>,
    /// a unit on trial
    pub(crate) supposed: Option<Supposed>,
}

/// The assumed unit of a name; other names without one have any.
pub(crate) struct Supposed {
    /// the name
    pub(crate) name: String,
    /// its unit
    pub(crate) dimension: Dimension,
}

/// `unit rpm = 0.1 [rad/s];`
pub(crate) fn units(r: &mut Reader<'_>, ast: &ast::Model) {
    for item in &ast.items {
        let Kind::Unit(unit) = &item.kind else { continue };
        if let Some(named) = declared_unit(r, unit) {
            r.scopes[r.here.scope].units.declare(named);
        }
    }
}

fn declared_unit(r: &mut Reader<'_>, unit: &ast::UnitDeclaration) -> Option<Named> {
    // A suffix of a number, `3.0in`, has no r#.
    let name = bare(&unit.name);
    if r.scope().units.is_taken(&name) {
        r.report(Message::new(Id::M0102, &unit.name, format!("unit `{name}` is known already")));
        return None;
    }
    let base = match r.scope().units.read(&unit.unit) {
        Ok(read) => read,
        Err(message) => {
            r.report(message);
            // The name is known, so that its uses are not reported too.
            return Some(Named { name, scale: 1.0, dimension: Dimension::ONE });
        }
    };
    let mut scale = base.scale;
    if let Some(written) = &unit.scale {
        r.here.place = Place { item: format!("unit {name}"), constant: true, ..Place::default() };
        let value = r.eval(written);
        let (node, _) = r.expect_scalar(&value, written)?;
        match r.graph.value(node).filter(|v| *v > 0.0) {
            Some(factor) => scale *= factor,
            None => {
                r.report(Message::new(Id::M0109, written, "the scale of a unit is a positive number"));
                return None;
            }
        }
    }
    Some(Named { name, scale, dimension: base.dimension })
}

/// The unit of a declaration and its size in SI.
pub(super) fn written_unit(r: &mut Reader<'_>, hints: &Hints, d: &Declare, name: &ast::Name) -> (Unit, f64) {
    let angle = *d.ty.kind.innermost() == TypeKind::Angle;
    let turn = matches!(d.ty.kind.innermost(), TypeKind::Space(Space::SO3 | Space::SO3World | Space::S2));
    let (unit, scale) = match &d.unit {
        Some(unit) if d.role == Role::Param => r.read_param_unit(unit),
        Some(unit) => (r.read_unit(unit), 1.0),
        None => match hints.supposed.as_ref().filter(|_| lacks_unit(d)) {
            Some(supposed) if name.ident == supposed.name => (Unit::Known(supposed.dimension), 1.0),
            Some(_) => (Unit::Unknown, 1.0),
            None => (r.unit(Dimension::ONE), 1.0),
        },
    };
    if (angle || turn) && !unit.is_one() {
        let (what, help) = match d.ty.kind.innermost() {
            TypeKind::Angle => ("an `Angle`", "write `Real`"),
            TypeKind::Space(Space::S2) => ("a point of the sphere", "drop the unit, and give its radius one"),
            _ => ("a rotation", "drop the unit"),
        };
        let what = format!("{what} is dimensionless, but `{}` has unit [{unit}]", name.ident);
        r.report(Message::new(Id::M0507, &name.ident, what).help(help));
    }
    (unit, scale)
}

/// M0513: `units = strict` requires a unit on every declaration.
pub(super) fn no_unit(r: &mut Reader<'_>, hints: &Hints, d: &Declare, name: &ast::Name, rule: UnitRule) {
    if rule == UnitRule::Strict && lacks_unit(d) && hints.supposed.is_none() {
        let message = Message::new(Id::M0513, &name.ident, format!("`{}` has no unit", name.ident))
            .note("the model asks for `units = strict`")
            .help(asked(hints, d, &name.ident));
        r.report(message);
    }
}

/// Is there no unit where one could stand?
pub(crate) fn lacks_unit(d: &Declare) -> bool {
    let angle =
        matches!(d.ty.kind.innermost(), TypeKind::Angle | TypeKind::Space(Space::SO3 | Space::SO3World | Space::S2));
    d.unit.is_none() && !angle
}

/// The suggestion, with the unit if the uses of the name allow only one.
fn asked(hints: &Hints, d: &Declare, name: &Ident) -> String {
    let Some(dimension) = hints.suggested.get(&name.to_string()) else {
        return "write it after the type, `[1]` for a plain number".to_owned();
    };
    let (word, unit) = (d.role.keyword(), Unit::Known(*dimension));
    let ty = if d.ty.tokens.is_empty() { "Real".to_owned() } else { text(&d.ty.tokens) };
    let value = d.value.as_ref().map_or(String::new(), |v| format!(" = {}", text(v)));
    format!("from its uses it must be [{unit}]: write `{word} {name}: {ty} [{unit}]{value};`")
}
