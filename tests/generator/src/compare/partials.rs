//! Derivatives of all rows by everything, along a direction.

use ode_codegen::phases::lower::Call;
use ode_codegen::phases::model::Order;

use super::Report;
use super::blocks::{product, slopes, weighed};
use super::case::{Case, Step};
use super::solves::{SOUND, sound};
use crate::interpreter::{Inputs, Outputs};
use crate::jet::Jet;
use crate::oracle::{Hold, Point};
use crate::random::Random;

impl Case<'_> {
    /// ∂(r, s, Φ, Φ̇, Φ̈)/∂(q, v, a, z, λ, u, t), ∂(Ṁ v)/∂(q, v, t), and both by p.
    pub(super) fn partials(&self, inputs: &Inputs, at: &Point, random: &mut Random, report: &mut Report) {
        self.momenta(inputs, at, random, report);
        self.pull_back(inputs, at, random, report);
        self.curvature(inputs, at, random, report);
        self.rows_with_partials(inputs, report);
        self.acceleration_partials(inputs, report);
        let e = &self.compiled.equations.partials;
        let calls = [(Call::Partials, &e.states), (Call::PartialsByParameter, &e.parameters)];
        for (call, pattern) in calls {
            if self.compiled.program.get(call).is_none() {
                continue;
            }
            let d: Vec<f64> = (0..pattern.cols).map(|_| random.between(-1.0, 1.0)).collect();
            let mut values = self.run(call, inputs).array("out").to_vec();
            if call == Call::Partials && !self.rows.is_empty() {
                // an external function may lack derivatives for these
                if self.compiled.program.get(Call::LevelPartials).is_none() {
                    continue;
                }
                let levels = self.run(Call::LevelPartials, inputs);
                e.in_rows(self.last()..).iter().for_each(|&(place, _)| values[place] = levels.array("out")[place]);
            }
            let (found, size) = product(pattern, &values, &d);
            let step = match call {
                Call::Partials => self.states(inputs, &d),
                _ => Step { p: d, ..Step::default() },
            };
            let moved = self.step(at, &step);
            let dynamic = self.v.len() + self.z.len();
            let (own, held) = found.split_at(dynamic);
            let sum = own.iter().zip(&inputs.adjoint).map(|(x, w)| x * w).sum();
            report.block("partials", &[sum], &[self.dynamic(&moved, &inputs.adjoint).slope(0).real()], size);
            report.block("partials of rows", held, &slopes(&self.levels(&moved)), size);
        }
    }

    /// The rows that come with their derivatives, against those without.
    fn rows_with_partials(&self, inputs: &Inputs, report: &mut Report) {
        if self.compiled.program.get(Call::Partials).is_none() {
            return;
        }
        let (both, rows) = (self.run(Call::Partials, inputs), self.run(Call::Residual, inputs));
        for array in ["r", "s", "phi"] {
            report.block("rows with their partials", both.array(array), rows.array(array), 0.0);
        }
    }

    /// Accelerations, against those without derivatives, and −∂(r, s, Φ̈) at these, against their own call.
    fn acceleration_partials(&self, inputs: &Inputs, report: &mut Report) {
        if self.compiled.program.get(Call::AccelerationPartials).is_none() {
            return;
        }
        let out = self.run(Call::AccelerationPartials, inputs);
        if !sound(out.array("checks")) {
            return;
        }
        let alone = self.run(Call::Accelerations, inputs);
        let (a, lambda) = (out.array("accelerations").to_vec(), out.array("multipliers").to_vec());
        let size = a.iter().chain(&lambda).fold(1.0_f64, |m, x| m.max(x.abs())) / SOUND;
        report.block("accelerations with partials", &a, alone.array("accelerations"), size);
        report.block("multipliers with partials", &lambda, alone.array("multipliers"), size);
        report.block("rates with partials", out.array("g"), alone.array("g"), 0.0);
        let there = Inputs { a, lambda, ..inputs.clone() };
        let (n, nz, nc) = (self.v.len(), self.z.len(), self.rows.len());
        let (mut own, mut wanted) = (Vec::new(), Vec::new());
        // what the runtime solves, or what the solutions are of
        let solved = out.array("right").is_empty();
        let (right_sides, size) = if solved { self.multiplied(inputs, &out, size) } else { (Vec::new(), size) };
        let right_sides = if solved { &right_sides } else { out.array("right") };
        let mut read = (vec![false; right_sides.len()], vec![false; out.array("rates").len()]);
        let levels = (nc > 0).then(|| self.run(Call::LevelPartials, &there));
        let rows = self.run(Call::Partials, &there);
        for (place, &(row, c, _)) in self.compiled.equations.partials.states.entries.iter().enumerate() {
            let column = match c {
                c if c < 2 * n => c,
                c if (3 * n..3 * n + nz).contains(&c) => c - n,
                c if (3 * n + nz + nc..3 * n + nz + nc + inputs.u.len()).contains(&c) => c - n - nc,
                _ => continue,
            };
            let right = |unknown: usize| (column / 8 * (n + nc) + unknown) * 8 + column % 8;
            let (array, at, value) = match row {
                row if row < n => ("right", right(row), rows.array("out")[place]),
                row if row < n + nz => ("rates", column * nz + row - n, rows.array("out")[place]),
                row if row < n + nz + 2 * nc => continue,
                row => ("right", right(row - nz - 2 * nc), levels.as_ref().map_or(0.0, |out| out.array("out")[place])),
            };
            let read = if array == "right" { &mut read.0 } else { &mut read.1 };
            read[at] = true;
            own.push(if array == "right" { right_sides[at] } else { out.array(array)[at] });
            wanted.push(-value);
        }
        if solved {
            let others = right_sides.iter().zip(&read.0).filter(|(_, read)| !**read);
            others.for_each(|(&x, _)| {
                own.push(x);
                wanted.push(0.0);
            });
        }
        report.block("partials of accelerations", &own, &wanted, size);
        // what is not written is no number here, and zero where it is read
        let written = |array: &str, read: &[bool]| {
            out.array(array).iter().zip(read).filter(|(x, read)| !**read && !x.is_nan()).count()
        };
        let more = written("right", &read.0) + written("rates", &read.1);
        report.block("zeros among partials", &[more as f64], &[0.0], 0.0);
    }

    /// [M Gᵀ; G 0] (∂a, −∂λ) of all columns, in the order of right-hand sides, and the size of its terms.
    fn multiplied(&self, inputs: &Inputs, out: &Outputs, mut size: f64) -> (Vec<f64>, f64) {
        let (e, forward) = (&self.compiled.equations, self.run(Call::Forward, inputs));
        let (n, nc) = (self.v.len(), self.rows.len());
        let columns = out.array("acceleration_columns").len() / n.max(1);
        let mut right = vec![0.0; columns.div_ceil(8) * (n + nc) * 8];
        // what is not written is zero
        let entry = |array: &str, place: usize| Some(out.array(array)[place]).filter(|x| !x.is_nan()).unwrap_or(0.0);
        for column in 0..columns {
            let a = |i: usize| entry("acceleration_columns", column * n + i);
            let mut add = |row: usize, x: f64| {
                right[(column / 8 * (n + nc) + row) * 8 + column % 8] += x;
                size = size.max(x.abs() / SOUND);
            };
            for (&(r, c, _), m) in e.dynamics.mass.entries.iter().zip(forward.array("mass")) {
                add(r, m * a(c));
                if r != c {
                    add(c, m * a(r));
                }
            }
            for (&(r, c, _), g) in e.constraints.jacobian.entries.iter().zip(forward.array("jacobian")) {
                add(n + r, g * a(c));
                add(c, -g * entry("multiplier_columns", column * nc + r));
            }
        }
        (right, size)
    }

    /// The first row of Φ̇.
    fn last(&self) -> usize {
        self.v.len() + self.z.len() + self.rows.len()
    }

    /// wᵀ ∂(r, s, Φ, Φ̇, Φ̈)/∂(q, v, a, z, λ, u, t) and by p, along a direction.
    fn pull_back(&self, inputs: &Inputs, at: &Point, random: &mut Random, report: &mut Report) {
        if self.compiled.program.get(Call::PullBack).is_none() {
            return;
        }
        let out = self.run(Call::PullBack, inputs);
        let (dynamic, held) = inputs.covector.split_at(self.v.len() + self.z.len());
        for array in ["states", "parameters"] {
            let values = out.array(array);
            let d: Vec<f64> = values.iter().map(|_| random.between(-1.0, 1.0)).collect();
            let (found, size) = weighed(values, &d);
            let step = if array == "states" { self.states(inputs, &d) } else { Step { p: d, ..Step::default() } };
            let moved = self.step(at, &step);
            let wanted: f64 = slopes(&self.levels(&moved)).iter().zip(held).map(|(x, w)| x * w).sum();
            let wanted = wanted + self.dynamic(&moved, dynamic).slope(0).real();
            report.block("pulled back", &[found], &[wanted], size);
        }
    }

    /// wᵀ ∂(J d)/∂(q, v, a, z, λ, u, t) and by p, along a direction: the slope along it of that along d.
    fn curvature(&self, inputs: &Inputs, at: &Point, random: &mut Random, report: &mut Report) {
        if self.compiled.program.get(Call::Curvature).is_none() {
            return;
        }
        let out = self.run(Call::Curvature, inputs);
        let unknowns = Step { u: Vec::new(), t: 0.0, ..self.states(inputs, &inputs.vector) };
        let rows = &inputs.covector[..inputs.adjoint.len()];
        for array in ["states", "parameters"] {
            let values = out.array(array);
            let d: Vec<f64> = values.iter().map(|_| random.between(-1.0, 1.0)).collect();
            let (found, size) = weighed(values, &d);
            let step = if array == "states" { self.states(inputs, &d) } else { Step { p: d, ..Step::default() } };
            let moved = self.step(&self.step(at, &step), &unknowns);
            let wanted = self.sum(&moved, rows).slope(1).slope(0).real();
            report.block("curvature", &[found], &[wanted], size);
        }
    }

    /// ∂(Ṁ v)/∂(q, v, t) and ∂/∂p. Ṁ v = B(v, v) is the slope of M v along (v, 1).
    ///
    /// It moves by its own slope along (q, t), by B(δv, v) without time, and by B(v, δv).
    fn momenta(&self, inputs: &Inputs, at: &Point, random: &mut Random, report: &mut Report) {
        let e = &self.compiled.equations.momenta;
        let calls = [(Call::MomentumPartials, &e.states), (Call::MomentumPartialsByParameter, &e.parameters)];
        for (call, pattern) in calls {
            if e.rate.is_empty() || self.compiled.program.get(call).is_none() {
                continue;
            }
            let d: Vec<f64> = (0..pattern.cols).map(|_| random.between(-1.0, 1.0)).collect();
            let (found, size) = product(pattern, self.run(call, inputs).array("out"), &d);
            let found = found.iter().zip(&inputs.adjoint).map(|(x, w)| x * w).sum();
            let (n, v) = (self.v.len(), &inputs.v);
            let (step, dv) = match call {
                Call::MomentumPartials => {
                    (Step { q: d[..n].to_vec(), t: d[2 * n], ..Step::default() }, d[n..2 * n].to_vec())
                }
                _ => (Step { p: d, ..Step::default() }, vec![0.0; n]),
            };
            let along = |at: &Point, v: &[f64], t: f64, times: &[f64]| {
                let motion = self.step(at, &Step { q: v.to_vec(), t, ..Step::default() });
                let loaded = self.step(&motion, &Step { a: times.to_vec(), ..Step::default() });
                self.dynamic(&loaded, &inputs.adjoint).slope(at.depth + 1).slope(at.depth)
            };
            let wanted = along(&self.step(at, &step), v, 1.0, v).slope(0).real()
                + along(at, &dv, 0.0, v).real()
                + along(at, v, 1.0, &dv).real();
            report.block("partials of the momentum rate", &[found], &[wanted], size);
        }
    }

    /// A direction in the order of the columns.
    fn states(&self, inputs: &Inputs, d: &[f64]) -> Step {
        let mut rest = d;
        let mut take = |n: usize| {
            let (first, others) = rest.split_at(n);
            rest = others;
            first.to_vec()
        };
        let (n, nz) = (self.v.len(), self.z.len());
        let (q, v, a) = (take(n), take(n), take(n));
        let (z, lambda, u) = (take(nz), take(self.rows.len()), take(inputs.u.len()));
        Step { q, v, a, z, lambda, u, t: take(1)[0], ..Step::default() }
    }

    /// What each row makes zero, its rate, and the rate of that; in models of first order the rate again.
    fn levels(&self, at: &Point) -> Vec<Jet> {
        let count = self.rows.len();
        let first_order = self.compiled.model.header.options.order == Order::First;
        let rate = |at: &Point, k: usize| match self.rows[k] {
            row if row.soft => self.law(k, at),
            row if row.hold == Hold::Position => self.oracle.row_rate(row, at),
            row => self.oracle.row(row, at),
        };
        let mut all: Vec<Jet> = (0..count).map(|k| self.law(k, at)).collect();
        all.extend((0..count).map(|k| rate(at, k)));
        all.extend((0..count).map(|k| match self.rows[k].soft || first_order {
            true => rate(at, k),
            false => rate(at.moving(), k).slope(at.depth),
        }));
        all
    }
}
