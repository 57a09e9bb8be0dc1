//! Where members start, and what that and exact conditions vary by.

use ode_codegen::Compiled;
use ode_codegen::phases::chart::Chart;
use ode_codegen::phases::derive::Sparse;
use ode_codegen::phases::lower::{Call, Program};

use super::Report;
use super::case::Case;
use super::members::Sum;
use crate::assembly::{Assembly, Space, Spaces};
use crate::interpreter::Inputs;

/// The entries of q, v and z that an element says the start of.
type Said = fn(&Program) -> &[Vec<usize>; 3];

/// First all, then the exact ones, which hold over guesses.
const SAID: [Said; 2] = [|program| &program.guessed, |program| &program.exact];

/// What starts vary by.
type Along = (&'static str, fn(&Compiled) -> &Sparse, Spaces);

const ALONG: [Along; 2] = [
    ("states", |c| &c.equations.start_partials.states, &[Space::Velocities, Space::Velocities, Space::Time]),
    ("parameters", |c| &c.equations.start_partials.parameters, &[Space::Parameters]),
];

/// The conditions of each level.
const LEVELS: [Spaces; 2] = [&[Space::Positioned], &[Space::Launched]];
/// What has a starting value, q in tangent coordinates.
const VALUES: Spaces = &[Space::Velocities, Space::Velocities, Space::States];

impl Case<'_> {
    /// Where members start: as coordinates do alone, and where elements say otherwise.
    pub(super) fn begun(&self, assembly: &Assembly<'_>, inputs: &Inputs, report: &mut Report) {
        let arrays: [(&str, Spaces); 3] =
            [("q", &[Space::Positions]), ("v", &[Space::Velocities]), ("z", &[Space::States])];
        for (k, (array, space)) in arrays.into_iter().enumerate() {
            let mut found = vec![f64::NAN; assembly.len(space)];
            // what is exact holds over guesses, in whichever loops these stand
            let [guessed, exact] = SAID.map(Some);
            let all = [(&assembly.fields, None), (&assembly.elements, guessed), (&assembly.elements, exact)];
            for (members, said) in all {
                for member in members {
                    let said = said.map(|said| &said(&member.compiled.program)[k]);
                    let out = assembly.run(member, Call::Guess, inputs, &[]);
                    let values = out.iter().flat_map(|out| out.array(array)).enumerate();
                    for ((own, &value), place) in values.zip(assembly.places(member, space)) {
                        if said.is_none_or(|said| said.contains(&own)) {
                            found[place] = value;
                        }
                    }
                }
            }
            report.block("start of members", &found, &self.asked(Call::Guess, inputs, array), 0.0);
        }
    }

    /// Derivatives of conditions, their Jacobians and starting values.
    pub(super) fn starts_vary(&self, assembly: &Assembly<'_>, inputs: &Inputs, report: &mut Report) {
        if !assembly.varied {
            return;
        }
        let columns = assembly.len(&[Space::Velocities]);
        let [positions, velocities] = LEVELS.map(|level| assembly.len(level));
        // compared as full matrices: patterns of elements and of the whole differ
        let first = [0, positions * (1 + columns), (positions + velocities) * (1 + columns)];
        for (array, pattern, along) in ALONG {
            let (width, height) = (assembly.len(along), first[2] + assembly.len(VALUES));
            let (mut found, mut wanted) = (Sum::zeros(height * width), Sum::zeros(height * width));
            let rows = |compiled: &Compiled, of: [&[usize]; 2], v: &[usize], values: &[usize]| -> Vec<usize> {
                let starts = &compiled.equations.starts;
                let mut rows = Vec::new();
                for (k, level) in [&starts.position, &starts.velocity].into_iter().enumerate() {
                    rows.extend(of[k].iter().map(|row| first[k] + row));
                    let entry = |&(row, column, _): &(usize, usize, _)| {
                        first[k] + assembly.len(LEVELS[k]) + of[k][row] * columns + v[column]
                    };
                    rows.extend(level.jacobian.entries.iter().map(entry));
                }
                rows.extend(values.iter().map(|row| first[2] + row));
                rows
            };
            // starting values are no sums: the last that says one holds
            for (pass, said) in SAID.into_iter().enumerate() {
                for member in &assembly.elements {
                    let Some(out) = assembly.run(member, Call::StartPartials, inputs, &[]) else { continue };
                    let (compiled, places) = (member.compiled, |spaces| assembly.places(member, spaces));
                    let of = LEVELS.map(places);
                    let rows = rows(compiled, [&of[0], &of[1]], &places(&[Space::Velocities]), &places(VALUES));
                    let conditions = rows.len() - places(VALUES).len();
                    let said = said_rows(compiled, said(&compiled.program));
                    for own in &said {
                        let row = rows[conditions + own];
                        found.values[row * width..(row + 1) * width].fill(0.0);
                    }
                    let across = places(along);
                    for (&(row, column, _), &x) in pattern(compiled).entries.iter().zip(out.array(array)) {
                        let holds = if row < conditions { pass == 0 } else { said.contains(&(row - conditions)) };
                        if holds {
                            found.add(rows[row] * width + across[column], x);
                        }
                    }
                }
            }
            let all = |n: usize| (0..n).collect::<Vec<_>>();
            let of = [all(positions), all(velocities)];
            let rows = rows(self.compiled, [&of[0], &of[1]], &all(columns), &all(assembly.len(VALUES)));
            let values = self.asked(Call::StartPartials, inputs, array);
            for (&(row, column, _), &x) in pattern(self.compiled).entries.iter().zip(&values) {
                wanted.add(rows[row] * width + column, x);
            }
            report.block("partials of starts of members", &found.values, &wanted.values, found.largest);
        }
    }
}

/// The rows of starting values that an element says, in tangent coordinates.
fn said_rows(compiled: &Compiled, [q, v, z]: &[Vec<usize>; 3]) -> Vec<usize> {
    let (model, mut rows) = (&compiled.model, Vec::new());
    for block in model.blocks() {
        for at in q.iter().filter(|at| block.positions().contains(at)) {
            match block.chart {
                Chart::Line => rows.push(block.v + at - block.positions().start),
                _ => rows.extend(block.velocities()),
            }
        }
    }
    let nv = model.nv();
    rows.extend(v.iter().map(|at| nv + at).chain(z.iter().map(|at| 2 * nv + at)));
    rows.sort_unstable();
    rows.dedup();
    rows
}
