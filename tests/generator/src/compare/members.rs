//! Models with sets: what elements give at their members, added, is what the model written out gives.

use ode_codegen::Compiled;
use ode_codegen::phases::derive::Sparse;
use ode_codegen::phases::lower::{Call, Program};

use super::Report;
use super::case::Case;
use crate::assembly::{ALONG, Assembly, LEVELS, STEP, Space, Spaces, UNKNOWNS};
use crate::interpreter::{Inputs, local, qdot, retract, step_rate, velocity_rate};
use crate::random::Random;

/// A list of numbers: what is compared, by which array of which call, and what there is one for each of.
const LISTS: [(&str, Call, &str, Spaces); 16] = [
    ("rates of members", Call::Forward, "g", &[Space::Rates]),
    ("rate residual of members", Call::Residual, "s", &[Space::Rates]),
    ("rate residual of members", Call::Tangent, "s", &[Space::Rates]),
    ("algebraic rows of members", Call::Algebraic, "values", &[Space::Laws]),
    ("conditions of members", Call::Conditions, "position", &[Space::Positioned]),
    ("conditions of members", Call::Conditions, "velocity", &[Space::Launched]),
    ("energy of members", Call::Energy, "energy", &[Space::Energies]),
    ("residual of members", Call::Residual, "r", &[Space::Velocities]),
    ("law residual of members", Call::Residual, "phi", &[Space::Rows]),
    ("residual of members", Call::Tangent, "r", &[Space::Velocities]),
    ("law residual of members", Call::Tangent, "phi", &[Space::Rows]),
    ("force of members", Call::Forward, "force", &[Space::Velocities]),
    ("gamma of members", Call::Forward, "gamma", &[Space::Rows]),
    ("phi of members", Call::Constraint, "phi", &[Space::Rows]),
    ("phi rate of members", Call::Constraint, "rate", &[Space::Rows]),
    ("momentum rate of members", Call::MomentumRate, "out", &[Space::Velocities]),
];

/// A matrix: as a list, with its nonzeros and its columns.
type Matrix = (&'static str, Call, &'static str, fn(&Compiled) -> &Sparse, [Spaces; 2]);

const RATES: Spaces = &[Space::Velocities, Space::Rates];
const JACOBIAN: [Spaces; 2] = [&[Space::Rows], &[Space::Velocities]];

const MATRICES: [Matrix; 13] = [
    ("mass of members", Call::Forward, "mass", |c| &c.equations.dynamics.mass, [&[Space::Velocities]; 2]),
    ("jacobian of members", Call::Forward, "jacobian", |c| &c.equations.constraints.jacobian, JACOBIAN),
    ("constraint jacobian of members", Call::Constraint, "jacobian", |c| &c.equations.constraints.jacobian, JACOBIAN),
    ("tangent of members", Call::Tangent, "tangent", |c| &c.equations.tangent.matrix, [STEP, UNKNOWNS]),
    (
        "input jacobian of members",
        Call::ForceByInput,
        "out",
        |c| &c.equations.sensitivities.inputs,
        [RATES, &[Space::Inputs]],
    ),
    (
        "parameter jacobian of members",
        Call::ResidualByParameter,
        "r",
        |c| &c.equations.sensitivities.parameters,
        [RATES, &[Space::Parameters]],
    ),
    (
        "constraint parameter jacobian of members",
        Call::ResidualByParameter,
        "phi",
        |c| &c.equations.sensitivities.constraint_parameters,
        [&[Space::Rows], &[Space::Parameters]],
    ),
    ("partials of members", Call::Partials, "out", |c| &c.equations.partials.states, [LEVELS, ALONG]),
    (
        "partials of members by parameters",
        Call::PartialsByParameter,
        "out",
        |c| &c.equations.partials.parameters,
        [LEVELS, &[Space::Parameters]],
    ),
    (
        "momentum partials of members",
        Call::MomentumPartials,
        "out",
        |c| &c.equations.momenta.states,
        [&[Space::Velocities], &[Space::Velocities, Space::Velocities, Space::Time]],
    ),
    (
        "algebraic jacobian of members",
        Call::Algebraic,
        "jacobian",
        |c| &c.equations.states.law_jacobian,
        [&[Space::Laws], &[Space::Algebraic]],
    ),
    (
        "condition jacobian of members",
        Call::Conditions,
        "position_jacobian",
        |c| &c.equations.starts.position.jacobian,
        [&[Space::Positioned], &[Space::Velocities]],
    ),
    (
        "condition jacobian of members",
        Call::Conditions,
        "velocity_jacobian",
        |c| &c.equations.starts.velocity.jacobian,
        [&[Space::Launched], &[Space::Velocities]],
    ),
];

impl Case<'_> {
    /// Compares what elements give, added, with what the whole gives, at a random point.
    pub fn added(&self, assembly: &Assembly<'_>, random: &mut Random, report: &mut Report) {
        let Some((inputs, _)) = (0..20).find_map(|_| self.somewhere(random)) else { return report.undefined += 1 };
        let params = &self.compiled.model.declared.params;
        let none = |n: usize| vec![f64::NAN; n];
        let defaults = params.iter().flat_map(|p| p.default.clone().unwrap_or_else(|| none(p.declared.shape.len())));
        report.block("defaults of members", &assembly.defaults, &defaults.collect::<Vec<_>>(), 0.0);
        self.begun(assembly, &inputs, report);
        self.starts_vary(assembly, &inputs, report);
        self.transported(assembly, &inputs, random, report);
        self.events_of_members(assembly, &inputs, report);
        self.observed_of_members(assembly, &inputs, report);
        self.stiffness_of_members(assembly, &inputs, report);
        for (block, call, array, space) in LISTS {
            let mut sum = Sum::zeros(assembly.len(space));
            for member in &assembly.elements {
                if let Some(out) = assembly.run(member, call, &inputs, &[]) {
                    let places = assembly.places(member, space);
                    places.into_iter().zip(out.array(array)).for_each(|(place, &x)| sum.add(place, x));
                }
            }
            // ż is in no element
            if array == "s" {
                inputs.zdot.iter().enumerate().for_each(|(place, &x)| sum.add(place, x));
            }
            let whole = self.asked(call, &inputs, array);
            let none = vec![0.0; sum.values.len()];
            report.block(block, &sum.values, if whole.is_empty() { &none } else { &whole }, sum.largest);
        }
        const ASKED: [Call; 3] = [Call::Partials, Call::PartialsByParameter, Call::MomentumPartials];
        let there = |call| assembly.varied || !ASKED.contains(&call);
        for (block, call, array, pattern, [rows, columns]) in MATRICES.into_iter().filter(|matrix| there(matrix.1)) {
            let (height, width) = (assembly.len(rows), assembly.len(columns));
            let dense = |sum: &mut Sum, entries: &Sparse, values: &[f64], places: [&[usize]; 2]| {
                for (&(r, c, _), &x) in entries.entries.iter().zip(values) {
                    let (row, column) = (places[0][r], places[1][c]);
                    sum.add(row * width + column, x);
                    // of the mass its lower triangle is there
                    if array == "mass" && r != c {
                        sum.add(column * width + row, x);
                    }
                }
            };
            let (mut sum, mut wanted) = (Sum::zeros(height * width), Sum::zeros(height * width));
            for member in &assembly.elements {
                let run = |call, array: &str| Some(assembly.run(member, call, &inputs, &[])?.array(array).to_vec());
                if let Some(values) = values_of(member.compiled, call, array, &run) {
                    let places = [rows, columns].map(|spaces| assembly.places(member, spaces));
                    dense(&mut sum, pattern(member.compiled), &values, [&places[0], &places[1]]);
                }
            }
            if array == "tangent" {
                let (first, all) = (assembly.len(&[Space::Velocities]), assembly.len(&[Space::States]));
                // an algebraic variable has no rate
                let states = all - assembly.len(&[Space::Algebraic]);
                (first..first + states).for_each(|state| sum.add(state * width + state, inputs.weights[0]));
            }
            let all = [height, width].map(|n| (0..n).collect::<Vec<_>>());
            let run = |call, array: &str| Some(self.asked(call, &inputs, array)).filter(|values| !values.is_empty());
            let values = values_of(self.compiled, call, array, &run).unwrap_or_default();
            dense(&mut wanted, pattern(self.compiled), &values, [&all[0], &all[1]]);
            report.block(block, &sum.values, &wanted.values, sum.largest);
        }
    }

    /// How positions move: member by member.
    fn transported(&self, assembly: &Assembly<'_>, inputs: &Inputs, random: &mut Random, report: &mut Report) {
        let step: Vec<f64> = inputs.v.iter().map(|_| random.between(-1.0, 1.0)).collect();
        let other = self.inputs(random).q;
        let (q, v, a) = (&inputs.q, &inputs.v, &inputs.a);
        type Numbers<'n> = &'n dyn Fn(&[f64], Spaces) -> Vec<f64>;
        type Method<'n> = (&'static str, Spaces, &'n dyn Fn(&Program, Numbers<'_>) -> Vec<f64>);
        let (positions, velocities): (Spaces, Spaces) = (&[Space::Positions], &[Space::Velocities]);
        let methods: [Method<'_>; 5] = [
            ("qdot of members", positions, &|p, own| qdot(p, &own(q, positions), &own(v, velocities))),
            ("retract of members", positions, &|p, own| retract(p, &own(q, positions), &own(&step, velocities))),
            ("local of members", velocities, &|p, own| local(p, &own(q, positions), &own(&other, positions))),
            ("step rate of members", velocities, &|p, own| step_rate(p, &own(&step, velocities), &own(v, velocities))),
            ("velocity rate of members", velocities, &|p, own| {
                velocity_rate(p, &own(&step, velocities), &own(v, velocities), &own(a, velocities))
            }),
        ];
        for (block, space, method) in methods {
            let mut found = vec![f64::NAN; assembly.len(space)];
            for member in &assembly.fields {
                let values = method(&member.compiled.program, &|values, space| assembly.own(member, values, space));
                assembly.places(member, space).into_iter().zip(values).for_each(|(place, x)| found[place] = x);
            }
            let wanted = method(&self.compiled.program, &|values, _| values.to_vec());
            report.block(block, &found, &wanted, 0.0);
        }
    }

    /// An array that the whole gives; empty where it has no such kernel.
    pub(super) fn asked(&self, call: Call, inputs: &Inputs, array: &str) -> Vec<f64> {
        match self.compiled.program.get(call) {
            Some(_) => self.run(call, inputs).array(array).to_vec(),
            None => Vec::new(),
        }
    }
}

/// The values of a matrix; of the partials those of Φ̇ and Φ̈ have a call of their own.
fn values_of(
    compiled: &Compiled,
    call: Call,
    array: &str,
    run: &dyn Fn(Call, &str) -> Option<Vec<f64>>,
) -> Option<Vec<f64>> {
    let mut values = run(call, array)?;
    if let (Call::Partials, Some(levels)) = (call, run(Call::LevelPartials, array)) {
        let first = compiled.equations.tangent.matrix.rows;
        let levels_of = compiled.equations.partials.in_rows(first..);
        levels_of.iter().for_each(|&(place, _)| values[place] = levels[place]);
    }
    Some(values)
}

/// Numbers to add to.
pub(super) struct Sum {
    pub(super) values: Vec<f64>,
    /// the largest that was added
    pub(super) largest: f64,
}

impl Sum {
    pub(super) fn zeros(n: usize) -> Self {
        Self { values: vec![0.0; n], largest: 0.0 }
    }

    pub(super) fn add(&mut self, place: usize, x: f64) {
        self.values[place] += x;
        if x.is_finite() {
            self.largest = self.largest.max(x.abs());
        }
    }
}
