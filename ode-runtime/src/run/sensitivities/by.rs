//! What a run is differentiated by.

use std::string::{String, ToString};
use std::vec::Vec;

use crate::error::unknown::{UnknownName, asks_for};
use crate::error::{Cause, Name, RunError};
use crate::model::layout::Layout;
use crate::model::sensitive::Sensitive;
use crate::variation::Controls;

/// What a run is differentiated by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct By {
    wanted: Vec<Wanted>,
}

#[derive(Clone, Debug, PartialEq)]
enum Wanted {
    Start(Option<String>),
    Input(Option<String>),
    Parameter(Option<String>),
}

/// One direction: an entry of the state at the start, of the inputs or of the parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    Position(usize),
    Velocity(usize),
    State(usize),
    Input(usize),
    Parameter(usize),
}

impl Chosen {
    /// The parameter, if it is one.
    pub(crate) fn parameter(self) -> Option<usize> {
        if let Self::Parameter(i) = self { Some(i) } else { None }
    }

    /// The number of the inputs' own, if it is one.
    pub(crate) fn input(self) -> Option<usize> {
        if let Self::Input(i) = self { Some(i) } else { None }
    }
}

impl By {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Each entry of the state at the start: q along its tangent directions, v and z, as they are. The start is not
    /// projected again: a direction off the constraints gives a start off them.
    pub fn start(mut self) -> Self {
        self.wanted.push(Wanted::Start(None));
        self
    }

    /// One entry of it, by the name of the direction, the velocity or the state.
    pub fn start_of(mut self, name: &str) -> Self {
        self.wanted.push(Wanted::Start(Some(name.to_string())));
        self
    }

    /// Each of the inputs' own numbers, [`Controls::names`]: the model's inputs, constant over the run; the values at
    /// the knots of [`Piecewise`](crate::Piecewise).
    pub fn inputs(mut self) -> Self {
        self.wanted.push(Wanted::Input(None));
        self
    }

    /// One of them, `f[3]`, or all of an array: `f`. Inputs from a closure have none.
    pub fn input(mut self, name: &str) -> Self {
        self.wanted.push(Wanted::Input(Some(name.to_string())));
        self
    }

    /// Each parameter. A run that has yet to leave its consistent start, [`Start`](crate::Start), varies with the
    /// `init` and `guess` of the model too: the start is solved again. One from a given state keeps it.
    pub fn parameters(mut self) -> Self {
        self.wanted.push(Wanted::Parameter(None));
        self
    }

    /// One parameter, or all of an array or a vector. Inputs that read it do not vary with it: ∂u/∂p is not taken.
    pub fn parameter(mut self, name: &str) -> Self {
        self.wanted.push(Wanted::Parameter(Some(name.to_string())));
        self
    }

    /// The directions of a model and its inputs, with their names.
    pub(crate) fn of<S: Sensitive, U: Controls<S>>(
        &self,
        system: &S,
        inputs: &U,
    ) -> Result<Vec<(Chosen, String)>, RunError> {
        let layout = system.layout();
        self.among(&layout, &inputs.names(&layout), system.derivatives().parameter_names)
    }

    /// The directions of a model with these numbers of its inputs, and these parameters.
    fn among(
        &self,
        layout: &Layout<'_>,
        inputs: &[String],
        parameters: &[&str],
    ) -> Result<Vec<(Chosen, String)>, RunError> {
        let own: Vec<&str> = inputs.iter().map(String::as_str).collect();
        let mut all = Vec::new();
        for wanted in &self.wanted {
            let (what, name, groups): (_, _, Vec<Group<'_>>) = match wanted {
                Wanted::Start(name) => ("entry of the state", name, starts(layout)),
                Wanted::Input(name) => ("input", name, std::vec![(&own, Chosen::Input)]),
                Wanted::Parameter(name) => ("parameter", name, std::vec![(parameters, Chosen::Parameter)]),
            };
            let before = all.len();
            for (names, along) in &groups {
                let chosen =
                    names.iter().enumerate().filter(|(_, own)| name.as_ref().is_none_or(|name| asks_for(name, own)));
                all.extend(chosen.map(|(i, own)| (along(i), (*own).to_string())));
            }
            if let (Some(name), true) = (name, all.len() == before) {
                if matches!(wanted, Wanted::Input(_)) && own.is_empty() && layout.u.iter().any(|u| asks_for(name, u)) {
                    return Err(Cause::GivenInput { name: Name::new(name) }.into());
                }
                let known = groups.iter().flat_map(|(names, _)| names.iter().copied());
                return Err(UnknownName::new(what, name, known).into());
            }
        }
        Ok(all)
    }
}

/// Names, and what they are the names of.
type Group<'a> = (&'a [&'a str], fn(usize) -> Chosen);

/// The entries of a state that may be chosen: algebraic variables, and the velocities of first-order models, follow
/// from others.
fn starts<'a>(layout: &Layout<'a>) -> Vec<Group<'a>> {
    let free = layout.z.get(..layout.differential()).unwrap_or_default();
    let mut groups: Vec<Group<'a>> = std::vec![(layout.steps, Chosen::Position)];
    if !layout.first_order() {
        groups.push((layout.v, Chosen::Velocity));
    }
    groups.push((free, Chosen::State));
    groups
}
