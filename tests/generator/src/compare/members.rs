//! Models with sets: what elements give at their members, added, is what the model written out gives.

use ode_codegen::Compiled;
use ode_codegen::phases::derive::Sparse;
use ode_codegen::phases::lower::{Call, Program};

use super::Report;
use super::case::Case;
use crate::assembly::{Assembly, Space};
use crate::interpreter::{Inputs, local, qdot, retract, step_rate, velocity_rate};
use crate::random::Random;

/// A list of numbers: what is compared, by which array of which call, and what there is one for each of.
const LISTS: [(&str, Call, &str, Space); 13] = [
    ("rates of members", Call::Forward, "g", Space::States),
    ("rate residual of members", Call::Residual, "s", Space::States),
    ("rate residual of members", Call::Tangent, "s", Space::States),
    ("energy of members", Call::Energy, "energy", Space::Energies),
    ("residual of members", Call::Residual, "r", Space::Velocities),
    ("law residual of members", Call::Residual, "phi", Space::Rows),
    ("residual of members", Call::Tangent, "r", Space::Velocities),
    ("law residual of members", Call::Tangent, "phi", Space::Rows),
    ("force of members", Call::Forward, "force", Space::Velocities),
    ("gamma of members", Call::Forward, "gamma", Space::Rows),
    ("phi of members", Call::Constraint, "phi", Space::Rows),
    ("phi rate of members", Call::Constraint, "rate", Space::Rows),
    ("momentum rate of members", Call::MomentumRate, "out", Space::Velocities),
];

/// A matrix: as a list, with its nonzeros and its columns.
type Matrix = (&'static str, Call, &'static str, fn(&Compiled) -> &Sparse, [Space; 2]);

const MATRICES: [Matrix; 7] = [
    ("mass of members", Call::Forward, "mass", |c| &c.equations.dynamics.mass, [Space::Velocities; 2]),
    (
        "jacobian of members",
        Call::Forward,
        "jacobian",
        |c| &c.equations.constraints.jacobian,
        [Space::Rows, Space::Velocities],
    ),
    (
        "constraint jacobian of members",
        Call::Constraint,
        "jacobian",
        |c| &c.equations.constraints.jacobian,
        [Space::Rows, Space::Velocities],
    ),
    ("tangent of members", Call::Tangent, "tangent", |c| &c.equations.tangent.matrix, [Space::Unknowns; 2]),
    (
        "input jacobian of members",
        Call::ForceByInput,
        "out",
        |c| &c.equations.sensitivities.inputs,
        [Space::Rates, Space::Inputs],
    ),
    (
        "parameter jacobian of members",
        Call::ResidualByParameter,
        "r",
        |c| &c.equations.sensitivities.parameters,
        [Space::Rates, Space::Parameters],
    ),
    (
        "constraint parameter jacobian of members",
        Call::ResidualByParameter,
        "phi",
        |c| &c.equations.sensitivities.constraint_parameters,
        [Space::Rows, Space::Parameters],
    ),
];

impl Case<'_> {
    /// Compares what elements give, added, with what the whole gives, at a random point.
    pub fn added(&self, assembly: &Assembly<'_>, random: &mut Random, report: &mut Report) {
        let Some((inputs, _)) = (0..20).find_map(|_| self.somewhere(random)) else { return report.undefined += 1 };
        self.begun(assembly, &inputs, report);
        self.transported(assembly, &inputs, random, report);
        let sizes = [assembly.len(Space::Velocities), assembly.len(Space::States)];
        for (block, call, array, space) in LISTS {
            let mut sum = Sum::zeros(assembly.len(space));
            for member in &assembly.elements {
                if let Some(out) = member.run(call, &inputs) {
                    let places = member.places(space, sizes);
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
        for (block, call, array, pattern, [rows, columns]) in MATRICES {
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
                if let Some(out) = member.run(call, &inputs) {
                    let places = [rows, columns].map(|space| member.places(space, sizes));
                    dense(&mut sum, pattern(member.compiled), out.array(array), [&places[0], &places[1]]);
                }
            }
            if array == "tangent" {
                let [first, states] = sizes;
                (first..first + states).for_each(|state| sum.add(state * width + state, inputs.weights[0]));
            }
            let all = [height, width].map(|n| (0..n).collect::<Vec<_>>());
            dense(&mut wanted, pattern(self.compiled), &self.asked(call, &inputs, array), [&all[0], &all[1]]);
            report.block(block, &sum.values, &wanted.values, sum.largest);
        }
    }

    /// Where members start: as coordinates do alone, and where elements say otherwise.
    fn begun(&self, assembly: &Assembly<'_>, inputs: &Inputs, report: &mut Report) {
        let arrays = [("q", Space::Positions), ("v", Space::Velocities), ("z", Space::States)];
        for (k, (array, space)) in arrays.into_iter().enumerate() {
            let mut found = vec![f64::NAN; assembly.len(space)];
            for (members, all) in [(&assembly.fields, true), (&assembly.elements, false)] {
                for member in members {
                    let (said, out) = (&member.compiled.program.guessed[k], member.run(Call::Guess, inputs));
                    let values = out.iter().flat_map(|out| out.array(array)).enumerate();
                    for ((own, &value), place) in values.zip(member.places(space, [0, 0])) {
                        if all || said.contains(&own) {
                            found[place] = value;
                        }
                    }
                }
            }
            report.block("start of members", &found, &self.asked(Call::Guess, inputs, array), 0.0);
        }
    }

    /// How positions move: member by member.
    fn transported(&self, assembly: &Assembly<'_>, inputs: &Inputs, random: &mut Random, report: &mut Report) {
        let step: Vec<f64> = inputs.v.iter().map(|_| random.between(-1.0, 1.0)).collect();
        let other = self.inputs(random).q;
        let (q, v, a) = (&inputs.q, &inputs.v, &inputs.a);
        type Numbers<'n> = &'n dyn Fn(&[f64], Space) -> Vec<f64>;
        type Method<'n> = (&'static str, Space, &'n dyn Fn(&Program, Numbers<'_>) -> Vec<f64>);
        let (positions, velocities) = (Space::Positions, Space::Velocities);
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
                let values = method(&member.compiled.program, &|values, space| member.own(values, space));
                member.places(space, [0, 0]).into_iter().zip(values).for_each(|(place, x)| found[place] = x);
            }
            let wanted = method(&self.compiled.program, &|values, _| values.to_vec());
            report.block(block, &found, &wanted, 0.0);
        }
    }

    /// An array that the whole gives; empty where it has no such kernel.
    fn asked(&self, call: Call, inputs: &Inputs, array: &str) -> Vec<f64> {
        match self.compiled.program.get(call) {
            Some(_) => self.run(call, inputs).array(array).to_vec(),
            None => Vec::new(),
        }
    }
}

/// Numbers to add to.
struct Sum {
    values: Vec<f64>,
    /// the largest that was added
    largest: f64,
}

impl Sum {
    fn zeros(n: usize) -> Self {
        Self { values: vec![0.0; n], largest: 0.0 }
    }

    fn add(&mut self, place: usize, x: f64) {
        self.values[place] += x;
        if x.is_finite() {
            self.largest = self.largest.max(x.abs());
        }
    }
}
