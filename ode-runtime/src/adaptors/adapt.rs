//! Shared by adaptors: a system inside another one, with blocks of the same types.
//!
//! Blocks are moved, so nothing is allocated: `zeros(0)` of an array is the array, of a `Vec` it is empty.

use crate::model::layout::Block;
use crate::model::system::{At, Constraint, Forward, Rates, Reset, Residual, System};

/// Systems whose blocks are of the types of those of `S`.
pub(crate) trait Alike<S: System>:
    System<
        Real = S::Real,
        Q = S::Q,
        V = S::V,
        Z = S::Z,
        U = S::U,
        L = S::L,
        Modes = S::Modes,
        Guards = S::Guards,
        Mass = S::Mass,
        Jacobian = S::Jacobian,
    >
{
}

impl<S: System, W> Alike<S> for W where
    W: System<
            Real = S::Real,
            Q = S::Q,
            V = S::V,
            Z = S::Z,
            U = S::U,
            L = S::L,
            Modes = S::Modes,
            Guards = S::Guards,
            Mass = S::Mass,
            Jacobian = S::Jacobian,
        >
{
}

/// The same point, for the system inside.
pub(crate) fn at<S: System, W: Alike<S>>(at: At<'_, W>) -> At<'_, S> {
    At { t: at.t, q: at.q, v: at.v, z: at.z, u: at.u, modes: at.modes }
}

/// The same rates, for the system inside.
pub(crate) fn rates<S: System, W: Alike<S>>(rates: Rates<'_, W>) -> Rates<'_, S> {
    Rates { a: rates.a, zdot: rates.zdot, lambda: rates.lambda }
}

/// The same reset, for the system inside.
pub(crate) fn reset<S: System, W: Alike<S>>(out: Reset<'_, W>) -> Reset<'_, S> {
    Reset { q: out.q, v: out.v, z: out.z, modes: out.modes }
}

fn take<T, B: Block<T>>(block: &mut B) -> B {
    core::mem::replace(block, B::zeros(0))
}

/// A function that lends the blocks of a struct to the system inside.
macro_rules! lend {
    ($name:ident, $what:ident { $($field:ident),* }) => {
        /// Lets `fill` write the blocks of `out` as those of the system inside.
        pub(crate) fn $name<S: System, W: Alike<S>>(out: &mut $what<W>, fill: impl FnOnce(&mut $what<S>)) {
            let mut inner = $what { $($field: take(&mut out.$field)),* };
            fill(&mut inner);
            $(out.$field = inner.$field;)*
        }
    };
}

lend!(forward, Forward { mass, force, zdot, jacobian, gamma });
lend!(residual, Residual { r, s, phi });
lend!(constraint, Constraint { phi, rate, jacobian });

/// Delegates items of a role to the inner system: `delegate! { S, field: blocks layout … }`.
macro_rules! delegate {
    ($s:ident, $inner:ident: $($item:ident)*) => { $($crate::adaptors::adapt::delegate!(@$item $s $inner);)* };
    (@blocks $s:ident $inner:ident) => {
        type Real = $s::Real;
        type Q = $s::Q;
        type V = $s::V;
        type Z = $s::Z;
        type U = $s::U;
        type L = $s::L;
        type Modes = $s::Modes;
        type Guards = $s::Guards;
        type Mass = $s::Mass;
        type Jacobian = $s::Jacobian;
    };
    (@solvers $s:ident $inner:ident) => {
        type Saddle = $s::Saddle;
        type Kkt = $s::Kkt;
        type Assembly = $s::Assembly;
        type Algebra = $s::Algebra;

        fn kkt(&self) -> $s::Kkt {
            self.$inner.kkt()
        }
    };
    (@layout $s:ident $inner:ident) => {
        fn layout(&self) -> $crate::model::layout::Layout<'_> {
            self.$inner.layout()
        }
    };
    (@parameters $s:ident $inner:ident) => {
        fn check(&self) -> Result<(), $crate::error::build::BuildError>
        where
            $s::Real: $crate::numbers::scalar::Real,
        {
            self.$inner.check()
        }
    };
    (@inputs $s:ident $inner:ident) => {
        fn nominal(&self, u: &mut Self::U) {
            self.$inner.nominal(u);
        }
    };
    (@start $s:ident $inner:ident) => {
        fn guess(&self, q: &mut Self::Q, v: &mut Self::V, z: &mut Self::Z) {
            self.$inner.guess(q, v, z);
        }
        fn conditions(
            &self,
            at: $crate::model::system::At<'_, Self>,
            out: $crate::model::system::Conditions<'_, Self::Real>,
        ) {
            self.$inner.conditions($crate::adaptors::adapt::at(at), out);
        }
    };
    (@constraints $s:ident $inner:ident) => {
        fn constraint(
            &self,
            at: $crate::model::system::At<'_, Self>,
            out: &mut $crate::model::system::Constraint<Self>,
        ) {
            let at = $crate::adaptors::adapt::at(at);
            $crate::adaptors::adapt::constraint(out, |out| self.$inner.constraint(at, out));
        }
    };
    (@momenta $s:ident $inner:ident) => {
        fn momentum_rate(&self, at: $crate::model::system::At<'_, Self>, out: &mut Self::V) {
            self.$inner.momentum_rate($crate::adaptors::adapt::at(at), out);
        }
        fn foreign_momentum(&self, v: &Self::V) -> Option<usize> {
            self.$inner.foreign_momentum(v)
        }
    };
    (@algebraic $s:ident $inner:ident) => {
        fn algebraic(
            &self,
            at: $crate::model::system::At<'_, Self>,
            values: &mut [Self::Real],
            jacobian: &mut [Self::Real],
        ) {
            self.$inner.algebraic($crate::adaptors::adapt::at(at), values, jacobian);
        }
    };
    (@events $s:ident $inner:ident) => {
        fn initial_modes(&self, modes: &mut Self::Modes) {
            self.$inner.initial_modes(modes);
        }
        fn guards(&self, at: $crate::model::system::At<'_, Self>, out: &mut Self::Guards) {
            self.$inner.guards($crate::adaptors::adapt::at(at), out);
        }
        fn guard_rates(
            &self,
            at: $crate::model::system::At<'_, Self>,
            rates: $crate::model::system::Rates<'_, Self>,
            out: &mut Self::Guards,
        ) {
            self.$inner.guard_rates($crate::adaptors::adapt::at(at), $crate::adaptors::adapt::rates(rates), out);
        }
        fn reset(
            &self,
            event: usize,
            at: $crate::model::system::At<'_, Self>,
            out: $crate::model::system::Reset<'_, Self>,
        ) {
            self.$inner.reset(event, $crate::adaptors::adapt::at(at), $crate::adaptors::adapt::reset(out));
        }
    };
    (@motion $s:ident $inner:ident) => {
        fn rotations(&self) -> &[(usize, usize)] {
            self.$inner.rotations()
        }
        fn qdot(&self, q: &Self::Q, v: &Self::V, out: &mut Self::Q) {
            self.$inner.qdot(q, v, out);
        }
        fn retract(&self, q: &Self::Q, step: &Self::V, out: &mut Self::Q) {
            self.$inner.retract(q, step, out);
        }
        fn local(&self, from: &Self::Q, to: &Self::Q, out: &mut Self::V) {
            self.$inner.local(from, to, out);
        }
        fn step_rate(&self, step: &Self::V, v: &Self::V, out: &mut Self::V) {
            self.$inner.step_rate(step, v, out);
        }
        fn velocity_rate(&self, step: &Self::V, v: &Self::V, out: &mut Self::V) {
            self.$inner.velocity_rate(step, v, out);
        }
    };
}
pub(crate) use delegate;
