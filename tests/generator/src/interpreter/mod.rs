//! Runs a program: what the compiler made of a model, from its data alone, equal to generated code in every bit.
//!
//! | file | what it runs |
//! | --- | --- |
//! | `kernel` | calls: straight-line code from arrays to arrays |
//! | `motion` | how positions move: q̇, ⊕, ⊖, the rates of steps and their tangent maps |
//! | `event` | what an event makes of a state |
//! | `text`, `system`, `solvers` | all of it, as a model that the runtime's methods take |

mod event;
mod kernel;
mod motion;
mod solvers;
mod system;
mod text;

pub use event::{After, after};
pub use kernel::{External, Inputs, Outputs, call, run};
pub use motion::{local, qdot, retract, step_rate, turns, velocity_rate};
pub use solvers::Eliminated;
pub use system::Interpreted;
pub use text::{Plant, Text};
