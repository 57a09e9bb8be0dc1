//! Large models: what their solvers find is what dense ones find, and runs keep what they should.

mod modes;
mod net;
mod ropes;
mod solvers;
mod trouble;
