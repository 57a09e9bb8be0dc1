//! Requirements of elements, member by member.

use crate::error::build::BuildError;
use crate::families::composite::{Composite, Element, OnParts};
use crate::families::names;
use crate::families::placed::Part;
use crate::families::placing::{Member, Of};
use crate::families::topology::Topology;
use crate::numbers::scalar::Real;

struct Checks<'a, S> {
    system: &'a S,
    found: Result<(), BuildError>,
}

impl<S: Composite<Real: Real>> OnParts<S> for Checks<'_, S> {
    fn part<E: Element<S>>(&mut self, number: usize) {
        let topology = self.system.topology();
        let Some(part) = topology.parts.get(number).filter(|_| E::CHECKED && self.found.is_ok()) else { return };
        let refused = (0..part.spec.members).find_map(|member| {
            let element = E::of(self.system, part.tuple(member));
            let refused = element.check().err()?;
            let names = element.derivatives().parameter_names;
            Some(told(refused, |param| whole(topology, part, member, names.iter().position(|&own| own == param))))
        });
        self.found = refused.map_or(Ok(()), Err);
    }
}

/// The refusal with another name for its parameter.
fn told(refused: BuildError, name: impl Fn(&'static str) -> Option<&'static str>) -> BuildError {
    match refused {
        BuildError::Required { model, param, value, unit, message } => {
            BuildError::Required { model, param: name(param).unwrap_or(param), value, unit, message }
        }
        BuildError::NotFinite { model, param, value } => {
            BuildError::NotFinite { model, param: name(param).unwrap_or(param), value }
        }
        other @ BuildError::Missing { .. } => other,
    }
}

/// The whole's name of a parameter of a member's element.
fn whole(topology: &Topology, part: &Part, member: usize, own: Option<usize>) -> Option<&'static str> {
    let mut number = *Member { topology, part, number: member }.places(&[Of::Parameters]).get(own?)?;
    for param in &topology.params {
        let (len, all) = (param.names.len(), param.names.len() * param.members);
        if number < all {
            return Some(names::of(param.names.get(number % len)?, number / len));
        }
        number -= all;
    }
    None
}

/// Refuses parameters of members that break a `require` of a loop.
///
/// # Errors
/// The first one, with the member's name of the parameter.
pub fn check<S: Composite<Real: Real>>(system: &S) -> Result<(), BuildError> {
    let mut checks = Checks { system, found: Ok(()) };
    S::each_part(&mut checks);
    checks.found
}
