//! OpenSurgSim's bench: a chain of points on damped springs, backward Euler with one iteration a step.

use ode_runtime::integrators::BackwardEuler;
use ode_runtime::{Simulation, State, System};

use super::all_close;
use crate::strand::Strand;

/// The last node after `steps` of 1e-3.
fn tip(nodes: usize, steps: u32) -> [f64; 3] {
    let strand = Strand::of(nodes);
    let mut start = State::neutral(&strand);
    strand.guess(&mut start.q, &mut start.v, &mut []);
    let setup = Simulation::of(&strand, BackwardEuler::linearized()).given_with_rates(start);
    let mut run = setup.fixed(1e-3).expect("a start");
    run.advance_to(f64::from(steps) * 1e-3).expect("steps");
    *run.state().q.last_chunk().expect("a node")
}

#[test]
fn a_chain_of_a_hundred_nodes() {
    // 297 unknowns; the tip has only fallen so far.
    all_close(&tip(100, 220), &[1.0, -0.238_481_100, 0.0], 1e-9);
}

#[test]
fn a_chain_of_ten_nodes_for_twenty_seconds() {
    all_close(&tip(10, 20_020), &[-0.384_867_717, -0.979_139_811, 0.0], 2e-9);
}
