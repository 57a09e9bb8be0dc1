//! Inputs of a model with sets.

use core::ops::Range;
use std::vec::Vec;

use crate::families::composite::Composite;
use crate::families::motion::block;
use crate::families::topology::Topology;
use crate::model::ranges::Ranges;

/// The numbers of an input, member by member.
pub fn input_range(topology: &Topology, input: usize) -> Range<usize> {
    let mut sizes = topology.inputs.iter().map(|input| input.members * input.names.len());
    let first: usize = sizes.by_ref().take(input).sum();
    first..first + sizes.next().unwrap_or(0)
}

/// The numbers of all members, from those of one member of each input.
pub fn each_input<T: Copy>(topology: &Topology, one: &[T]) -> Vec<T> {
    let (mut all, mut rest) = (Vec::with_capacity(topology.u.len()), one);
    for input in &topology.inputs {
        let (own, others) = rest.split_at(input.names.len().min(rest.len()));
        all.extend((0..input.members).flat_map(|_| own));
        rest = others;
    }
    all
}

/// [`Observable::input_bounds`](crate::Observable::input_bounds) of the whole, from those of one member of each input.
pub fn input_bounds<S: Composite, B: AsRef<[S::Real]>>(system: &S, one: &Ranges<'_, B>) -> Ranges<'static, S::U> {
    let topology = system.topology();
    let all = |one: &B| block(&each_input(topology, one.as_ref()));
    Ranges { what: one.what, names: topology.u, low: all(&one.low), high: all(&one.high) }
}
