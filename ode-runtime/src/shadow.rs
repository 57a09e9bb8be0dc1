//! What the names of the language are to an editor. Generated code refers to it under `cfg(rust_analyzer)` only, and
//! nothing here is ever run: every number, vector, frame and rotation is the one value of [`Quantity`].
//!
//! A function of the language has its line here, or `tests/sources/shadow.rs` of the facade says so.

#![allow(non_camel_case_types, non_upper_case_globals, missing_docs, reason = "words of the language, not of Rust")]

use core::ops::{Add, BitXor, Deref, Div, Index, Mul, Neg, Sub};

/// A number, vector, matrix, frame or rotation of a model. Its unit and shape are checked when the model is compiled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Quantity;

#[doc(hidden)]
pub use Quantity as __Q;

/// What stands behind a dot without parentheses.
#[derive(Clone, Copy)]
pub struct Parts {
    /// First element of a vector.
    pub x: Quantity,
    /// Second element of a vector.
    pub y: Quantity,
    /// Third element of a vector.
    pub z: Quantity,
    /// Origin of a frame, in the world.
    pub origin: Quantity,
    /// Angle of a frame in the plane.
    pub angle: Quantity,
    /// Rotation of a frame in space.
    pub rotation: Quantity,
    /// Rate of a frame or rotation.
    pub rate: Quantity,
    /// Multipliers of a constraint, known in outputs and limits: the rows pull with Gᵀλ, Φ = lhs − rhs.
    pub lambda: Quantity,
    /// Force or torque on a coordinate from all that fixes it, known in outputs: what drives the joint of `fix th =
    /// e;`.
    pub reaction: Quantity,
}

impl Deref for Quantity {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        const PARTS: &Parts = &Parts {
            x: Quantity,
            y: Quantity,
            z: Quantity,
            origin: Quantity,
            angle: Quantity,
            rotation: Quantity,
            rate: Quantity,
            lambda: Quantity,
            reaction: Quantity,
        };
        PARTS
    }
}

impl Index<Quantity> for Quantity {
    type Output = Quantity;
    fn index(&self, _: Quantity) -> &Quantity {
        &Quantity
    }
}

impl Neg for Quantity {
    type Output = Quantity;
    fn neg(self) -> Quantity {
        self
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident)*) => {$(
        impl $operator for Quantity {
            type Output = Quantity;
            fn $method(self, _: Quantity) -> Quantity {
                self
            }
        }
    )*};
}

operators! { Add add Sub sub Mul mul Div div BitXor bitxor }

/// Functions that are methods of their first argument too.
macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($($more:ident)*);)*) => {
        $($(#[$doc])* pub fn $name(_: Quantity $(, $more: Quantity)*) -> Quantity { $(let _ = $more;)* Quantity })*
        #[allow(clippy::should_implement_trait, reason = "words of the language")]
        impl Quantity {
            $($(#[$doc])* pub fn $name(self $(, $more: Quantity)*) -> Quantity { $(let _ = $more;)* self })*
        }
    };
}

functions! {
    /// Sine.
    sin();
    /// Cosine.
    cos();
    /// Tangent.
    tan();
    /// Inverse sine, in [−π/2, π/2].
    asin();
    /// Inverse cosine, in [0, π].
    acos();
    /// Inverse tangent, in (−π/2, π/2).
    atan();
    /// `atan2(y, x)`: angle of the point (x, y), in (−π, π].
    atan2(x);
    /// Hyperbolic sine.
    sinh();
    /// Hyperbolic cosine.
    cosh();
    /// Hyperbolic tangent.
    tanh();
    /// Exponential.
    exp();
    /// Natural logarithm.
    ln();
    /// Square root.
    sqrt();
    /// Square.
    sq();
    /// Reciprocal.
    recip();
    /// `hypot(a, b)`: √(a² + b²).
    hypot(b);
    /// `x.powi(2)`: a literal whole power.
    powi(exponent);
    /// `x.powf(1.5)`: a literal real power.
    powf(exponent);
    /// `vec2(x, y)`: a vector of the plane.
    vec2(y);
    /// `vec3(x, y, z)`: a vector of space.
    vec3(y z);
    /// Length of a vector. Its derivative does not exist at zero; see `norm_eps`.
    norm();
    /// `norm_eps(v, eps)`: √(v·v + eps²), smooth everywhere.
    norm_eps(eps);
    /// `a.dot(b)`: scalar product.
    dot(b);
    /// `a.cross(b)`: vector product; in the plane the number a.x b.y − a.y b.x.
    cross(b);
    /// Direction of a vector: v / norm(v).
    unit();
    /// Transposed matrix.
    transpose();
    /// Total time derivative. `der(x)` is the velocity of a coordinate and the rate of a state.
    der();
    /// Second time derivative, in outputs and limits.
    der2();
    /// Absolute value; has a kink.
    abs();
    /// Sign; has a jump.
    signum();
    /// The smaller of two; has a kink.
    min(b);
    /// The larger of two; has a kink.
    max(b);
    /// `clamp(x, lo, hi)`: x kept between bounds; has kinks.
    clamp(lo hi);
    /// `smooth_abs(x, eps)`: √(x² + eps²).
    smooth_abs(eps);
    /// `smooth_max(a, b, eps)`: (a + b + √((a − b)² + eps²)) / 2.
    smooth_max(b eps);
    /// `smooth_min(a, b, eps)`: (a + b − √((a − b)² + eps²)) / 2.
    smooth_min(b eps);
    /// `smooth_step(x, width)`: from 0 at −width to 1 at width, with two continuous derivatives.
    smooth_step(width);
    /// `smooth_sign(x, width)`: tanh(x / width).
    smooth_sign(width);
    /// `softplus(x, width)`: width ln(1 + exp(x / width)), a rounded max(x, 0).
    softplus(width);
    /// `frame2(p, th)`: a frame of the plane with its origin at p, turned by th.
    frame2(angle);
    /// `frame(p, r)`: a frame of space with its origin at p, turned by the rotation r.
    frame(rotation);
    /// `b.at(p)`: the point with coordinates p in the frame, in the world.
    at(p);
    /// `b.vec(v)`: the vector with components v in the frame, in the world.
    vec(v);
    /// Inverse of a frame or rotation.
    inv();
    /// Origin of a frame, in the world.
    origin();
    /// Angle of a frame in the plane.
    angle();
    /// Rotation of a frame in space.
    rotation();
    /// Rate of a frame or rotation.
    rate();
    /// Rotation about the first axis.
    rot_x();
    /// Rotation about the second axis.
    rot_y();
    /// Rotation about the third axis.
    rot_z();
    /// Rotation by a rotation vector.
    exp_so3();
    /// Rotation vector of a rotation, of length π at most.
    log_so3();
    /// `r.rotate(v)`: the vector v turned by the rotation r.
    rotate(v);
}

/// `diag(a, b, c)`: a diagonal matrix.
pub fn diag<T>(_: T) -> Quantity {
    Quantity
}

/// `pchip(TABLE, x)`: a table of points, interpolated by a monotone cubic with continuous derivative.
pub fn pchip<T>(_: T, _: Quantity) -> Quantity {
    Quantity
}

macro_rules! constants {
    ($($(#[$doc:meta])* $name:ident)*) => { $($(#[$doc])* pub const $name: Quantity = Quantity;)* };
}

constants! {
    /// Time, in seconds.
    t
    /// π.
    PI
    /// 2 π.
    TAU
    /// Ends the run, in events.
    stop
}

/// A number.
pub type Real = Quantity;
/// An angle in radians: differences wrap to (−π, π], the coordinate itself never does.
pub type Angle = Quantity;
/// A vector of the plane.
pub type Vec2 = Quantity;
/// A vector of space.
pub type Vec3 = Quantity;
/// A vector of `N` elements.
pub type Vec<const N: usize> = [Quantity; N];
/// A 2 × 2 matrix.
pub type Mat2 = Quantity;
/// A 3 × 3 matrix.
pub type Mat3 = Quantity;
/// An `R` × `C` matrix.
pub type Mat<const R: usize, const C: usize> = [[Quantity; C]; R];
/// A symmetric 3 × 3 matrix.
pub type SymMat3 = Quantity;
/// A rotation of the plane.
pub type SO2 = Quantity;
/// A rotation of space; its rate is that along the axes of the body, or of the world.
pub type SO3<F = Body> = [F; 0];
/// A motion of space: rotation and position.
pub type SE3 = Quantity;
/// A point of the sphere: a unit vector.
pub type S2 = Quantity;
/// Rates along the axes of the body.
pub struct Body;
/// Rates along the axes of the world.
pub struct World;

#[doc(hidden)]
pub fn __typed<T>() {}

#[doc(hidden)]
pub fn __array<const N: usize>(_: [Quantity; N]) -> Quantity {
    Quantity
}

/// Units stand in brackets and have names of their own.
pub mod units {
    use super::Quantity;

    constants! {
        /// Metre.
        m
        /// Kilogram.
        kg
        /// Second.
        s
        /// Ampere.
        A
        /// Kelvin.
        K
        /// Radian; dimensionless.
        rad
        /// Newton: kg m / s².
        N
        /// Joule: N m.
        J
        /// Watt: J / s.
        W
        /// Pascal: N / m².
        Pa
        /// Volt: W / A.
        V
        /// Coulomb: A s.
        C
        /// Ohm: V / A.
        ohm
        /// Henry: V s / A.
        H
        /// Hertz: 1 / s.
        Hz
        /// Degree: π / 180 rad.
        deg
        /// Revolutions per minute: π / 30 rad / s.
        rpm
        /// Micrometre.
        um
        /// Millimetre.
        mm
        /// Centimetre.
        cm
        /// Kilometre.
        km
        /// Inch: 0.0254 m.
        inch
        /// Foot: 0.3048 m.
        ft
        /// Litre: 1e-3 m³.
        L
        /// Milligram.
        mg
        /// Gram.
        g
        /// Tonne: 1000 kg.
        t
        /// Pound: 0.45359237 kg.
        lb
        /// Microsecond.
        us
        /// Millisecond.
        ms
        /// Minute.
        min
        /// Hour.
        h
        /// Kilohertz.
        kHz
        /// Kilonewton.
        kN
        /// Meganewton.
        MN
        /// Newton metre: a torque.
        Nm
        /// Kilojoule.
        kJ
        /// Megajoule.
        MJ
        /// Watt hour: 3600 J.
        Wh
        /// Kilowatt hour: 3.6 MJ.
        kWh
        /// Milliwatt.
        mW
        /// Kilowatt.
        kW
        /// Megawatt.
        MW
        /// Kilopascal.
        kPa
        /// Megapascal.
        MPa
        /// Gigapascal.
        GPa
        /// Bar: 1e5 Pa.
        bar
        /// Milliampere.
        mA
        /// Millivolt.
        mV
        /// Kilovolt.
        kV
        /// Millihenry.
        mH
        /// Farad: A s / V.
        F
    }
}

macro_rules! forms {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// What a model can draw, each a function of a tuple.
        pub mod forms {
            $($(#[$doc])* pub fn $name<T>(_: T) {})*
        }
    };
}

forms! {
    /// `point(p)`: a dot.
    point
    /// `line(p, q)`: from one point to another.
    line
    /// `polyline(p, q, ..)`: from point to point.
    polyline
    /// `polygon(p, q, r, ..)`: a surface, by its corners.
    polygon
    /// `spring(p, q)`: a coil between two points.
    spring
    /// `circle(p, radius)`, or of a frame, with a spoke that turns.
    circle
    /// `disc(p, radius)`, or of a frame, with a spoke that turns.
    disc
    /// `arrow(p, v)`: a vector of metres from a point.
    arrow
    /// `box(frame, edges)`: a box about the origin of a frame.
    r#box
    /// `text(p, value)`: a number with its unit, written at a point.
    text
    /// `sphere(p, radius)`
    sphere
    /// `cylinder(p, q, radius)`: between the middles of its ends.
    cylinder
    /// `mesh("part.glb", frame)`: the mesh of a file, on a frame.
    mesh
}

macro_rules! colors {
    ($($name:ident)*) => {
        /// The colors of pictures, as CSS names them.
        pub mod colors {
            $(pub const $name: () = ();)*
        }
    };
}

colors! {
    black gray silver white maroon red crimson tomato orange gold yellow olive lime green teal cyan skyblue steelblue
    blue navy purple magenta pink brown
}

/// The shadow of a model as functions of names and expressions, and of units.
#[doc(hidden)]
#[macro_export]
macro_rules! __shadow {
    ({ $($statements:tt)* } { $($units:tt)* }) => {
        #[allow(warnings, clippy::all)]
        fn __statements() {
            use $crate::shadow::*;
            use $crate::__of;
            $($statements)*
        }
        #[allow(warnings, clippy::all)]
        fn __units() {
            use $crate::shadow::{__Q, units::*};
            $($units)*
        }
    };
}

/// A part of a sub-model: what it is, only the other model knows.
#[doc(hidden)]
#[macro_export]
macro_rules! __of {
    ($sub:expr; $($parts:tt)*) => {
        $sub
    };
}
