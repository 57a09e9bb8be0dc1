//! What an event makes of a state: all from the values before it.

use ode_codegen::phases::expr::Symbol;
use ode_codegen::phases::lower::{Call, Program};

use super::kernel::{External, Inputs, call};

/// What an event may change.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "as the state has them")]
pub struct After {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub z: Vec<f64>,
    pub modes: Vec<f64>,
}

/// The state after event number `event` of the program, which it has at `inputs`.
pub fn after(program: &Program, event: usize, inputs: &Inputs, external: External<'_>) -> After {
    let out = call(program, Call::Reset, inputs, external);
    let Inputs { q, v, z, modes, .. } = inputs.clone();
    let mut state = After { q, v, z, modes };
    for &(symbol, place) in program.events.get(event).map_or(&[][..], |e| &e.assigns) {
        let value = out.array("values")[place];
        match symbol {
            Symbol::Q(i) => state.q[i as usize] = value,
            Symbol::V(i) => state.v[i as usize] = value,
            Symbol::Z(i) => state.z[i as usize] = value,
            Symbol::Mode(i) => state.modes[i as usize] = value,
            other => unreachable!("an event does not assign {other:?}"),
        }
    }
    state
}
