//! What is observed of models with sets: of each member, summed over members, and by what reads such sums.

use std::collections::BTreeMap;

use ode_codegen::phases::derive::Sparse;
use ode_codegen::phases::families::Outputs;
use ode_codegen::phases::lower::Call;

use super::Report;
use super::case::Case;
use super::members::Sum;
use crate::assembly::{Assembly, Member, Space, Spaces};
use crate::interpreter::Inputs;

/// What outputs are differentiated by: (q, v, z, a, ż, λ, u, p).
const EVERYTHING: Spaces = &[
    Space::Velocities,
    Space::Velocities,
    Space::States,
    Space::Velocities,
    Space::States,
    Space::Rows,
    Space::Inputs,
    Space::Parameters,
];
/// What path constraints and costs are differentiated by: (q, v, z, u).
const STATE: Spaces = &[Space::Velocities, Space::Velocities, Space::States, Space::Inputs];

/// A sum over members: its value, and its derivatives by everything.
type Summed = (f64, Vec<f64>);

/// Values, and their derivatives row by row.
struct Observed {
    values: Sum,
    jacobian: Sum,
    width: usize,
}

impl Observed {
    fn zeros(height: usize, width: usize) -> Self {
        Self { values: Sum::zeros(height), jacobian: Sum::zeros(height * width), width }
    }

    /// Adds values and derivatives, which stand at these places; a factor for each row.
    fn add(
        &mut self,
        (values, derivatives): (&[f64], &[f64]),
        pattern: &Sparse,
        (rows, columns): (&[usize], &[usize]),
        factor: &dyn Fn(usize) -> f64,
    ) {
        for (row, &x) in values.iter().enumerate() {
            self.values.add(rows[row], factor(row) * x);
        }
        for (&(row, column, _), &x) in pattern.entries.iter().zip(derivatives) {
            // those by sums are taken by the chain rule
            if let Some(place) = columns.get(column) {
                self.jacobian.add(rows[row] * self.width + place, factor(row) * x);
            }
        }
    }

    fn compare(&self, wanted: &Self, [block, derivatives]: [&'static str; 2], report: &mut Report) {
        report.block(block, &self.values.values, &wanted.values.values, self.values.largest);
        report.block(derivatives, &self.jacobian.values, &wanted.jacobian.values, self.jacobian.largest);
    }
}

impl Case<'_> {
    /// Compares all that is observed with what the whole has.
    pub(super) fn observed_of_members(&self, assembly: &Assembly<'_>, inputs: &Inputs, report: &mut Report) {
        self.outputs_of_members(assembly, inputs, report);
        let kinds: [(Call, &str, Spaces, [&'static str; 2]); 3] = [
            (Call::Limits, "jacobian", &[Space::Limits], ["limits of members", "limit jacobian of members"]),
            (Call::Costs, "gradient", &[Space::Together], ["costs of members", "cost gradient of members"]),
            (Call::Fits, "jacobian", &[Space::Together], ["squares of members", "gradient of squares of members"]),
        ];
        for (call, array, spaces, blocks) in kinds {
            let observed = |compiled: &ode_codegen::Compiled| -> Sparse {
                let observed = &compiled.equations.observed;
                let rows = match call {
                    Call::Limits => &observed.limits,
                    Call::Costs => &observed.costs,
                    _ => &observed.fits,
                };
                rows.jacobian.clone()
            };
            let [mut found, mut wanted] = [(); 2].map(|()| Observed::zeros(assembly.len(spaces), assembly.len(STATE)));
            let add = |to: &mut Observed, out: [&[f64]; 2], pattern: &Sparse, places: [Vec<usize>; 2]| {
                let [rows, columns] = places;
                let rows = if spaces == [Space::Together] { vec![0; pattern.rows] } else { rows };
                // d(f²) = 2 f df, and of f² the value has one more f
                let squares = |row: usize| if call == Call::Fits { out[0][row] } else { 1.0 };
                to.add((out[0], out[1]), pattern, (&rows, &columns), &squares);
            };
            for member in &assembly.elements {
                if let Some(out) = assembly.run(member, call, inputs, &[]) {
                    let places = [spaces, STATE].map(|spaces| assembly.places(member, spaces));
                    add(&mut found, [out.array("out"), out.array(array)], &observed(member.compiled), places);
                }
            }
            let (out, derivatives) = (self.asked(call, inputs, "out"), self.asked(call, inputs, array));
            let all = [spaces, STATE].map(|spaces| (0..assembly.len(spaces)).collect());
            add(&mut wanted, [&out, &derivatives], &observed(self.compiled), all);
            found.compare(&wanted, blocks, report);
        }
        self.costs_by_parameter_of_members(assembly, inputs, report);
    }

    fn costs_by_parameter_of_members(&self, assembly: &Assembly<'_>, inputs: &Inputs, report: &mut Report) {
        let width = assembly.len(&[Space::Parameters]);
        let (mut found, mut wanted) = (Sum::zeros(width), Sum::zeros(width));
        for member in &assembly.elements {
            let pattern = &member.compiled.equations.observed.costs_by_parameter;
            if let Some(out) = assembly.run(member, Call::CostByParameter, inputs, &[]) {
                let places = assembly.places(member, &[Space::Parameters]);
                pattern.entries.iter().zip(out.array("out")).for_each(|(&(_, c, _), &x)| found.add(places[c], x));
            }
        }
        let values = self.asked(Call::CostByParameter, inputs, "out");
        let pattern = &self.compiled.equations.observed.costs_by_parameter;
        pattern.entries.iter().zip(&values).for_each(|(&(_, column, _), &x)| wanted.add(column, x));
        report.block("costs of members by parameters", &found.values, &wanted.values, found.largest);
    }

    fn outputs_of_members(&self, assembly: &Assembly<'_>, inputs: &Inputs, report: &mut Report) {
        let (height, width) = (assembly.len(&[Space::Outputs]), assembly.len(EVERYTHING));
        let [mut found, mut wanted] = [(); 2].map(|()| Observed::zeros(height, width));
        let sums = self.sums(assembly, inputs);
        for member in assembly.elements.iter().filter(|member| member.observes != Outputs::Sum) {
            let known: Vec<&Summed> = member.sums.iter().map(|name| &sums[name.as_str()]).collect();
            let values: Vec<f64> = known.iter().map(|(value, _)| *value).collect();
            let run = |call| assembly.run(member, call, inputs, &values);
            let (Some(out), Some(jacobian)) = (run(Call::Outputs), run(Call::OutputJacobian)) else { continue };
            let pattern = &member.compiled.equations.observed.outputs.jacobian;
            let [rows, columns] = [&[Space::Outputs], EVERYTHING].map(|spaces| assembly.places(member, spaces));
            found.add((out.array("out"), jacobian.array("out")), pattern, (&rows, &columns), &|_| 1.0);
            for (&(row, column, _), &x) in pattern.entries.iter().zip(jacobian.array("out")) {
                let Some((_, by)) = column.checked_sub(columns.len()).map(|sum| known[sum]) else { continue };
                by.iter().enumerate().for_each(|(place, &own)| found.jacobian.add(rows[row] * width + place, x * own));
            }
        }
        let pattern = &self.compiled.equations.observed.outputs.jacobian;
        let (out, jacobian) =
            (self.asked(Call::Outputs, inputs, "out"), self.asked(Call::OutputJacobian, inputs, "out"));
        let all = [height, width].map(|n| (0..n).collect::<Vec<_>>());
        wanted.add((&out, &jacobian), pattern, (&all[0], &all[1]), &|_| 1.0);
        found.compare(&wanted, ["outputs of members", "output jacobian of members"], report);
    }

    /// The sums over members, by their names.
    fn sums<'a>(&self, assembly: &Assembly<'a>, inputs: &Inputs) -> BTreeMap<&'a str, Summed> {
        let width = assembly.len(EVERYTHING);
        let mut sums: BTreeMap<&str, Summed> = BTreeMap::new();
        let summed = |member: &&Member<'_>| member.observes == Outputs::Sum;
        for member in assembly.elements.iter().filter(summed) {
            let run = |call| assembly.run(member, call, inputs, &[]);
            let (Some(out), Some(jacobian)) = (run(Call::Outputs), run(Call::OutputJacobian)) else { continue };
            let names = &member.compiled.names.y;
            for (name, &x) in names.iter().zip(out.array("out")) {
                sums.entry(name).or_insert_with(|| (0.0, vec![0.0; width])).0 += x;
            }
            let columns = assembly.places(member, EVERYTHING);
            let pattern = &member.compiled.equations.observed.outputs.jacobian;
            for (&(row, column, _), &x) in pattern.entries.iter().zip(jacobian.array("out")) {
                let Some((_, by)) = sums.get_mut(names[row].as_str()) else { continue };
                by[columns[column]] += x;
            }
        }
        sums
    }
}
