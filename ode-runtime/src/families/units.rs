//! The units of everything that a run of a model with families shows.

use std::vec::Vec;

use crate::families::topology::Topology;
use crate::model::observable::Units;

/// Units of each entry.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    q: Vec<&'static str>,
    v: Vec<&'static str>,
    a: Vec<&'static str>,
    multipliers: Vec<&'static str>,
    outputs: Vec<&'static str>,
    parameters: Vec<(&'static str, f64)>,
}

impl Shown {
    fn of(topology: &Topology) -> Self {
        let of = |k: usize| {
            let fields = topology.field_specs.iter();
            fields
                .flat_map(|field| field.units.get(k).map_or(Vec::new(), |units| units.repeat(field.members)))
                .collect()
        };
        let (mut multipliers, mut outputs) = (Vec::new(), Vec::new());
        for part in &topology.parts {
            let units =
                |named: &[(&'static str, &'static str)]| named.iter().map(|(_, unit)| *unit).collect::<Vec<_>>();
            multipliers.extend(units(part.spec.form.multipliers).repeat(part.spec.members));
            for output in part.spec.form.outputs {
                outputs.extend(units(output).repeat(part.spec.rounds()));
            }
        }
        let parameters =
            topology.params.iter().flat_map(|param| std::vec![param.unit; param.names.len() * param.members]).collect();
        Self { q: of(0), v: of(1), a: of(2), multipliers, outputs, parameters }
    }
}

impl Topology {
    /// The units of the whole, with what is the same in its parts.
    pub fn units(&self, common: Units<'static>) -> Units<'_> {
        let Shown { q, v, a, multipliers, outputs, .. } = self.shown();
        Units { q, v, a, multipliers, y: outputs, ..common }
    }

    /// The declared unit of each parameter, and its value in SI.
    pub fn parameter_units(&self) -> &[(&'static str, f64)] {
        &self.shown().parameters
    }

    fn shown(&self) -> &Shown {
        self.shown.get_or_init(|| Shown::of(self))
    }
}
