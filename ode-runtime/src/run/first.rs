//! How the first state of a run is found.

use crate::model::state::State;
use crate::solve::solvable::Solvable;
use crate::solve::start::Start;

/// How the first state is found.
#[derive(Clone, Debug)]
pub(crate) enum First<S: Solvable> {
    Consistent(Start<S::Real>),
    Given(State<S>),
    GivenWithRates(State<S>),
}
