//! Names of scalars, to match the oracle's results with the compiler's.

use ode_codegen::phases::model::Space;
use ode_codegen::phases::parse::ast::TypeKind;

/// The name of every scalar, in the order of the text.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "one for each kind of symbol")]
pub struct Names {
    pub q: Vec<String>,
    /// which of the coordinates are angles
    pub angles: Vec<bool>,
    pub v: Vec<String>,
    pub z: Vec<String>,
    /// which of the states are algebraic
    pub algebraic: Vec<bool>,
    pub u: Vec<String>,
    pub p: Vec<String>,
    pub modes: Vec<String>,
}

/// What follows a name for each of its scalars.
pub(super) fn suffixes(kind: &TypeKind, rate: bool) -> Vec<String> {
    let fields = |names: &[&str]| names.iter().map(|n| format!(".{n}")).collect::<Vec<_>>();
    match kind {
        TypeKind::Vector(2) => fields(&["x", "y"]),
        TypeKind::Vector(3) => fields(&["x", "y", "z"]),
        TypeKind::Vector(n) => (0..*n).map(|i| format!("[{i}]")).collect(),
        TypeKind::Matrix(r, c) => (0..*r).flat_map(|i| (0..*c).map(move |j| format!("[{i},{j}]"))).collect(),
        TypeKind::SymMat3 => suffixes(&TypeKind::Matrix(3, 3), rate),
        TypeKind::Array(n, inner) => {
            let inner = suffixes(inner, rate);
            (0..*n).flat_map(|i| inner.iter().map(move |s| format!("[{i}]{s}"))).collect()
        }
        TypeKind::Space(Space::SO2) if !rate => fields(&["cos", "sin"]),
        TypeKind::Space(Space::SO3 | Space::SO3World) if !rate => fields(&["w", "x", "y", "z"]),
        TypeKind::Space(Space::SO3 | Space::SO3World) => suffixes(&TypeKind::Vector(3), rate),
        TypeKind::Space(Space::S2) if !rate => fields(&["qw", "qx", "qy", "qz"]),
        TypeKind::Space(Space::S2) => fields(&["wx", "wy"]),
        TypeKind::Space(Space::SE3) if !rate => fields(&["x", "y", "z", "qw", "qx", "qy", "qz"]),
        TypeKind::Space(Space::SE3) => suffixes(&TypeKind::Array(2, Box::new(TypeKind::Vector(3))), rate),
        _ => vec![String::new()],
    }
}

/// Does one turn lead back?
pub(super) fn angle(kind: &TypeKind) -> bool {
    match kind {
        TypeKind::Array(_, inner) => angle(inner),
        kind => matches!(kind, TypeKind::Angle),
    }
}
