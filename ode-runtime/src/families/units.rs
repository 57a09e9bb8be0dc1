//! The units of everything that a run of a model with families shows.

use std::vec::Vec;

use crate::families::placed::Part;
use crate::families::spec::{FieldSpec, InputSpec, Outputs, ParamSpec};

/// Units of each entry.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) q: Vec<&'static str>,
    pub(super) v: Vec<&'static str>,
    pub(super) a: Vec<&'static str>,
    pub(super) z: Vec<&'static str>,
    pub(super) u: Vec<&'static str>,
    pub(super) modes: Vec<&'static str>,
    pub(super) multipliers: Vec<&'static str>,
    pub(super) outputs: Vec<&'static str>,
    pub(super) parameters: Vec<(&'static str, f64)>,
}

impl Shown {
    pub(super) fn of(fields: &[FieldSpec], given: [&[InputSpec]; 2], params: &[ParamSpec], parts: &[Part]) -> Self {
        let of = |k: usize| {
            let fields = fields.iter();
            fields
                .flat_map(|field| field.units.get(k).map_or(Vec::new(), |units| units.repeat(field.members)))
                .collect()
        };
        let (mut multipliers, mut outputs) = (Vec::new(), Vec::new());
        for (number, part) in parts.iter().enumerate() {
            let units =
                |named: &[(&'static str, &'static str)]| named.iter().map(|(_, unit)| *unit).collect::<Vec<_>>();
            multipliers.extend(units(part.spec.form.multipliers).repeat(part.spec.row_blocks(number)));
            for output in part.spec.form.outputs.iter().filter(|_| part.spec.form.shown != Outputs::Sum) {
                outputs.extend(units(output).repeat(part.spec.rounds()));
            }
        }
        let parameters =
            params.iter().flat_map(|param| std::vec![param.unit; param.names.len() * param.members]).collect();
        let all = |specs: &[InputSpec]| specs.iter().flat_map(|spec| spec.units.repeat(spec.members)).collect();
        let [u, modes] = given.map(all);
        Self { q: of(0), v: of(1), a: of(2), z: of(3), u, modes, multipliers, outputs, parameters }
    }
}
