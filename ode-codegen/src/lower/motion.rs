//! How positions move on their manifolds, as data: what each method of motions writes, and which functions of the
//! runtime's rotations it asks.

use super::program::Expr;

/// How some positions move: what each method does for them, in order.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// the first of these positions and their number, where they are a rotation
    pub rotation: Option<(usize, usize)>,
    /// q̇ = N(q) v, of q and v
    pub qdot: Vec<Move>,
    /// q ⊕ step, of q and the step
    pub retract: Vec<Move>,
    /// the step with from ⊕ step = to, of both points
    pub local: Vec<Move>,
    /// T(step)⁻¹ v, of the step and v
    pub step_rate: Vec<Move>,
    /// v̇ along q₀ ⊕ step of a, of the step, v and a; nothing where both are equal
    pub velocity_rate: Vec<Move>,
    /// T(step), row major, of the step: the symbols [`Turn`](crate::expr::Symbol::Turn); nothing where it is 1
    pub turns: Vec<Move>,
}

/// A statement of a method of motions.
#[derive(Clone, Debug)]
pub enum Move {
    /// names a number for those below
    Let(u32, Expr),
    /// writes numbers to these places of what the method computes
    Write(Vec<usize>, Value),
}

/// One number or several.
#[derive(Clone, Debug)]
pub enum Value {
    /// numbers by expressions
    Numbers(Vec<Expr>),
    /// what a function of the runtime gives
    Call(Routine, Vec<Value>),
}

/// A function of the runtime. A quaternion has four numbers, a step and a rate three, or two on the sphere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routine {
    /// of an angle, that in (−π, π]
    Wrap,
    /// of two quaternions
    Product,
    /// of a quaternion, its inverse
    Conjugate,
    /// of a quaternion near the sphere, that on it
    Normalize,
    /// of a step, the quaternion
    Exp,
    /// of a quaternion, the shortest step
    Log,
    /// of a quaternion and a body rate, its rate
    Qdot,
    /// of a quaternion and a step of the body, the quaternion after it
    Retract,
    /// of two quaternions, the step of the body between them
    Local,
    /// of a step and its rate, the body rate
    Tangent,
    /// of a step and a body rate, the rate of the step
    StepRate,
    /// of a point on the sphere and its rates, the rate of the quaternion
    SphereQdot,
    /// of a point on the sphere and a step, the point after it
    SphereRetract,
    /// of two points on the sphere, the step between them
    SphereLocal,
    /// of a step on the sphere and rates, the rate of the step
    SphereStepRate,
    /// of a step on the sphere, rates v and a, v̇ along the step
    SphereVelocityRate,
}

impl Routine {
    /// Its path in the runtime.
    pub fn path(self) -> &'static str {
        match self {
            Routine::Wrap => "wrap",
            Routine::Product => "so3::product",
            Routine::Conjugate => "so3::conjugate",
            Routine::Normalize => "so3::normalize",
            Routine::Exp => "so3::exp",
            Routine::Log => "so3::log",
            Routine::Qdot => "so3::qdot",
            Routine::Retract => "so3::retract",
            Routine::Local => "so3::local",
            Routine::Tangent => "so3::tangent",
            Routine::StepRate => "so3::step_rate",
            Routine::SphereQdot => "s2::qdot",
            Routine::SphereRetract => "s2::retract",
            Routine::SphereLocal => "s2::local",
            Routine::SphereStepRate => "s2::step_rate",
            Routine::SphereVelocityRate => "s2::velocity_rate",
        }
    }
}
