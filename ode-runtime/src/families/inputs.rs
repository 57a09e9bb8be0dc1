//! Inputs and modes of a model with sets.

use core::ops::Range;
use std::vec::Vec;

use crate::families::composite::Composite;
use crate::families::motion::block;
use crate::families::spec::InputSpec;
use crate::families::topology::Topology;
use crate::model::ranges::Ranges;

/// The places of the numbers of an input in `u`, member by member. A number of no input gives an empty range at the
/// end.
pub fn input_range(topology: &Topology, input: usize) -> Range<usize> {
    range(&topology.inputs, input)
}

/// The places of the numbers of a mode in `modes`, member by member. A number of no mode gives an empty range at the
/// end.
pub fn mode_range(topology: &Topology, mode: usize) -> Range<usize> {
    range(&topology.modes, mode)
}

fn range(specs: &[InputSpec], number: usize) -> Range<usize> {
    let mut sizes = specs.iter().map(|spec| spec.members * spec.names.len());
    let first: usize = sizes.by_ref().take(number).sum();
    first..first + sizes.next().unwrap_or(0)
}

/// The inputs of all members, input by input, from those of one member of each. Where these end too early, so does the
/// result.
pub fn each_input<T: Copy>(topology: &Topology, one: &[T]) -> Vec<T> {
    each(&topology.inputs, one)
}

/// The modes of all members, mode by mode, from those of one member of each. Where these end too early, so does the
/// result.
pub fn each_mode<T: Copy>(topology: &Topology, one: &[T]) -> Vec<T> {
    each(&topology.modes, one)
}

fn each<T: Copy>(specs: &[InputSpec], one: &[T]) -> Vec<T> {
    let (mut all, mut rest) = (Vec::new(), one);
    for spec in specs {
        let (own, others) = rest.split_at(spec.names.len().min(rest.len()));
        all.extend((0..spec.members).flat_map(|_| own));
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
