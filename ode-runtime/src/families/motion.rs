//! How the coordinates of a model with families move: member by member.

use crate::families::composite::{Composite, OnFields};
use crate::families::gather::copy;
use crate::families::topology::Topology;
use crate::model::layout::Block;
use crate::model::system::System;

/// An operation on the numbers of one member.
trait Operation<S: System> {
    /// Of the field's own model: `q` and `v` are its numbers in the inputs, `out` those of the output, which has the
    /// sizes of q or of v.
    fn on<E: System<Real = S::Real>>(alone: &E, inputs: [&[S::Real]; 2], out: &mut [S::Real]);
    /// which of the inputs and the output have the sizes of q
    const OF_Q: [bool; 3];
}

struct Members<'a, S: System, O> {
    topology: &'a Topology,
    inputs: [&'a [S::Real]; 2],
    out: &'a mut [S::Real],
    operation: core::marker::PhantomData<O>,
}

impl<S: System, O: Operation<S>> OnFields<S> for Members<'_, S, O> {
    fn field<E: System<Real = S::Real>>(&mut self, field: usize, alone: &E) {
        let Some(field) = self.topology.fields.get(field) else { return };
        let (nq, nv) = (alone.layout().q.len(), alone.layout().v.len());
        let range = |of_q: bool, member: usize| match of_q {
            true => field.first_q + member * nq..field.first_q + (member + 1) * nq,
            false => field.first_v + member * nv..field.first_v + (member + 1) * nv,
        };
        let [first, second, out] = O::OF_Q;
        for member in 0..field.members {
            let input = |k: usize, of_q: bool| self.inputs[k].get(range(of_q, member)).unwrap_or_default();
            let inputs = [input(0, first), input(1, second)];
            O::on(alone, inputs, self.out.get_mut(range(out, member)).unwrap_or_default());
        }
    }
}

fn every<S: Composite, O: Operation<S>>(system: &S, _: O, inputs: [&[S::Real]; 2], out: &mut [S::Real]) {
    let operation = core::marker::PhantomData::<O>;
    system.each_field(&mut Members { topology: system.topology(), inputs, out, operation });
}

/// A block with these numbers.
pub(super) fn block<T: crate::numbers::scalar::Scalar, B: Block<T>>(numbers: &[T]) -> B {
    let mut block = B::zeros(numbers.len());
    copy(numbers, block.as_mut());
    block
}

/// `$operation` of the field's own model on (q or v, q or v) into q or v.
macro_rules! operations {
    ($($(#[$docs:meta])* $function:ident, $name:ident, $first:ident $second:ident $out:ident = $sizes:expr;)*) => {$(
        struct $name;

        impl<S: System> Operation<S> for $name {
            const OF_Q: [bool; 3] = $sizes;
            fn on<E: System<Real = S::Real>>(alone: &E, [first, second]: [&[S::Real]; 2], out: &mut [S::Real]) {
                let mut own: E::$out = block(out);
                alone.$function(&block::<_, E::$first>(first), &block::<_, E::$second>(second), &mut own);
                copy(own.as_ref(), out);
            }
        }

        $(#[$docs])*
        pub fn $function<S: Composite>(system: &S, first: &S::$first, second: &S::$second, out: &mut S::$out) {
            every(system, $name, [first.as_ref(), second.as_ref()], out.as_mut());
        }
    )*};
}

operations! {
    /// [`System::qdot`] of the whole.
    qdot, QDot, Q V Q = [true, false, true];
    /// [`System::retract`] of the whole.
    retract, Retract, Q V Q = [true, false, true];
    /// [`System::local`] of the whole.
    local, Local, Q Q V = [true, true, false];
    /// [`System::step_rate`] of the whole.
    step_rate, StepRate, V V V = [false, false, false];
    /// [`System::velocity_rate`] of the whole.
    velocity_rate, VelocityRate, V V V = [false, false, false];
}
