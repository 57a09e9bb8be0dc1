//! Types, units and ranges as written: part of [`super::ast`].

use proc_macro2::{Span, TokenStream};
use syn::Expr;

use crate::model::{Shape, Space};

/// A type as written.
#[derive(Clone)]
pub struct Type {
    /// what it is
    pub kind: TypeKind,
    /// the user's tokens; empty when none were written
    pub tokens: TokenStream,
}

/// The types of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `Real`
    Real,
    /// `Angle`
    Angle,
    /// `Vec2`, `Vec3`, `Vec<n>`
    Vector(usize),
    /// `Mat2`, `Mat3`, `Mat<r, c>`
    Matrix(usize, usize),
    /// `SymMat3`
    SymMat3,
    /// `SO2`, `SO3`, `SO3<World>`, `SE3`, `S2`
    Space(Space),
    /// `Frame2`, of a `let` or an output
    Frame2,
    /// `Frame3`, of a `let` or an output
    Frame3,
    /// `[X; n]`
    Array(usize, Box<TypeKind>),
    /// not understood, already reported
    Broken,
}

impl TypeKind {
    /// Layout of the scalars, `None` for a frame and when the type is not understood.
    pub fn shape(&self) -> Option<Shape> {
        Some(match self {
            TypeKind::Real | TypeKind::Angle => Shape::Scalar,
            TypeKind::Vector(n) => Shape::Vector(*n),
            TypeKind::Matrix(r, c) => Shape::Matrix(*r, *c),
            TypeKind::SymMat3 => Shape::Matrix(3, 3),
            TypeKind::Space(space) => space.positions(),
            TypeKind::Array(n, inner) => Shape::Array(*n, Box::new(inner.shape()?)),
            TypeKind::Frame2 | TypeKind::Frame3 | TypeKind::Broken => return None,
        })
    }

    /// The type of the scalars at the bottom of arrays.
    pub fn innermost(&self) -> &TypeKind {
        match self {
            TypeKind::Array(_, inner) => inner.innermost(),
            other => other,
        }
    }
}

impl Type {
    /// `Real`, written by nobody.
    pub fn real() -> Self {
        Type { kind: TypeKind::Real, tokens: TokenStream::new() }
    }

    /// Layout of the scalars, `None` when the type is not understood.
    pub fn shape(&self) -> Option<Shape> {
        self.kind.shape()
    }
}

/// `[kg*m^2]`: the tokens between the brackets.
#[derive(Clone)]
pub struct Unit {
    /// the text between the brackets
    pub tokens: TokenStream,
    /// the brackets
    pub span: Span,
}

/// `lo..=hi`.
#[derive(Clone)]
pub struct Range {
    /// lower bound
    pub low: Expr,
    /// upper bound
    pub high: Expr,
}
