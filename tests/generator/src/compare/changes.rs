//! What events, conditions of starts and starting values vary by, along a direction.

use ode_codegen::phases::chart::Chart;
use ode_codegen::phases::derive::Changed;
use ode_codegen::phases::lower::Call;
use ode_codegen::phases::model::Level;

use super::Report;
use super::blocks::{product, slopes};
use super::case::{Case, Step};
use crate::interpreter::Inputs;
use crate::jet::Jet;
use crate::oracle::{Kind, Point};
use crate::random::Random;

impl Case<'_> {
    /// ∂(guards, changes)/∂(q, v, z, u, t) and ∂/∂p.
    pub(super) fn changes(&self, inputs: &Inputs, at: &Point, random: &mut Random, report: &mut Report) {
        if self.compiled.program.get(Call::EventPartials).is_none() {
            return;
        }
        let (out, e) = (self.run(Call::EventPartials, inputs), &self.compiled.equations.event_partials);
        for (array, pattern) in [("states", &e.states), ("parameters", &e.parameters)] {
            let d: Vec<f64> = (0..pattern.cols).map(|_| random.between(-1.0, 1.0)).collect();
            let (found, size) = product(pattern, out.array(array), &d);
            let step = match array {
                "states" => self.before(inputs, &d),
                _ => Step { p: d, ..Step::default() },
            };
            let moved = self.step(at, &step);
            let (guards, mut rest) = found.split_at(e.changes.len());
            report.block("partials of guards", guards, &slopes(&self.oracle.guards(&moved)), size);
            for (event, changes) in e.changes.iter().enumerate() {
                let (own, others) = rest.split_at(changes.len());
                rest = others;
                self.change(event, (&moved, &step), changes.iter().copied().zip(own.iter().copied()), size, report);
            }
        }
    }

    /// A direction in the order of the columns.
    fn before(&self, inputs: &Inputs, d: &[f64]) -> Step {
        let (n, nz, nu) = (self.v.len(), self.z.len(), inputs.u.len());
        let (q, rest) = d.split_at(n);
        let (v, rest) = rest.split_at(n);
        let (z, rest) = rest.split_at(nz);
        let (u, t) = rest.split_at(nu);
        Step { q: q.to_vec(), v: v.to_vec(), z: z.to_vec(), u: u.to_vec(), t: t[0], ..Step::default() }
    }

    /// The whole state after an event.
    fn change(
        &self,
        event: usize,
        (moved, step): (&Point, &Step),
        changes: impl Iterator<Item = (Changed, f64)>,
        size: f64,
        report: &mut Report,
    ) {
        let all = |list: &[f64], n: usize| if list.is_empty() { vec![0.0; n] } else { list.to_vec() };
        let (mut q, mut v) = (all(&step.q, self.v.len()), all(&step.v, self.v.len()));
        let (mut z, mut modes) = (all(&step.z, self.z.len()), vec![0.0; self.modes.len()]);
        for (of, found) in changes {
            match of {
                Changed::Position(i) => q[i] = found,
                Changed::Velocity(i) => v[i] = found,
                Changed::State(i) => z[i] = found,
                Changed::Mode(i) => modes[i] = found,
            }
        }
        let own = self.oracle.after(event, moved);
        self.positions_vary("position partials of an event", moved, (&q, &own[0]), size, report);
        let still = self.unspun();
        for ((found, places), own) in [(v, &self.v), (z, &self.z), (modes, &self.modes)].iter().zip(&own[1..]) {
            let wanted = slopes(&places.iter().map(|&i| own[i].clone()).collect::<Vec<_>>());
            let kept = |list: &[f64]| -> Vec<f64> {
                let keep =
                    |(i, &x): (usize, &f64)| (!std::ptr::eq(*places, &self.v) || still.contains(&i)).then_some(x);
                list.iter().enumerate().filter_map(keep).collect()
            };
            report.block("partials of an event", &kept(found), &kept(&wanted), size);
        }
    }

    /// Velocities that are not along axes on the sphere: what their entries vary by depends on its frames.
    fn unspun(&self) -> Vec<usize> {
        let blocks = self.compiled.model.blocks();
        blocks.iter().filter(|b| b.chart != Chart::Direction).flat_map(|b| b.velocities()).collect()
    }

    /// N times a tangent against the slopes of positions, but those of the sphere, whose frames spin.
    fn positions_vary(
        &self,
        block: &'static str,
        at: &Point,
        (tangent, own): (&[f64], &[Jet]),
        size: f64,
        report: &mut Report,
    ) {
        let rates: Vec<Jet> = self.velocities(tangent).into_iter().map(Jet::of).collect();
        let still: Vec<Jet> = own.iter().map(|x| Jet::of(x.real())).collect();
        let found = at.rates_at(&still, &rates, &[]);
        let places = || {
            let blocks = self.compiled.model.blocks().into_iter().filter(|b| b.chart != Chart::Direction);
            blocks.flat_map(|b| b.positions()).map(|i| self.positions()[i])
        };
        let found: Vec<f64> = places().map(|i| found[i].real()).collect();
        let wanted: Vec<Jet> = places().map(|i| own[i].clone()).collect();
        report.block(block, &found, &slopes(&wanted), size);
    }

    /// ∂(conditions, their Jacobians)/∂(q, v, t), and with starting values ∂/∂p.
    pub(super) fn conditions_vary(&self, inputs: &Inputs, at: &Point, random: &mut Random, report: &mut Report) {
        if self.compiled.program.get(Call::StartPartials).is_none() {
            return;
        }
        let (out, e) = (self.run(Call::StartPartials, inputs), &self.compiled.equations);
        let mut draw = |n: usize| -> Vec<f64> { (0..n).map(|_| random.between(-1.0, 1.0)).collect() };
        let n = self.v.len();
        let along = draw(n);
        let partials = &e.start_partials;
        for (array, pattern) in [("states", &partials.states), ("parameters", &partials.parameters)] {
            let d = draw(pattern.cols);
            let (found, size) = product(pattern, out.array(array), &d);
            let step = match array {
                "states" => Step { q: d[..n].to_vec(), v: d[n..2 * n].to_vec(), t: d[2 * n], ..Step::default() },
                _ => Step { p: d, ..Step::default() },
            };
            let moved = self.step(at, &step);
            let mut rest = &found[..];
            for (level, of) in [(Level::Position, &e.starts.position), (Level::Velocity, &e.starts.velocity)] {
                let (own, others) = rest.split_at(of.values.len());
                let (entries, others) = others.split_at(of.jacobian.entries.len());
                rest = others;
                // one more step, along the columns of the Jacobian
                let next = match level {
                    Level::Position => Step { q: along.clone(), ..Step::default() },
                    _ => Step { v: along.clone(), ..Step::default() },
                };
                let (Some(wanted), Some(next)) =
                    (self.exact(level, &moved), self.exact(level, &self.step(&moved, &next)))
                else {
                    continue;
                };
                report.block("partials of conditions", own, &slopes(&wanted), size);
                let mut products = vec![0.0; of.values.len()];
                for (&(row, column, _), x) in of.jacobian.entries.iter().zip(entries) {
                    products[row] += x * along[column];
                }
                let wanted: Vec<f64> = next.iter().map(|x| x.slope(1).slope(0).real()).collect();
                report.block("partials of condition jacobians", &products, &wanted, size);
            }
            if array == "parameters" {
                self.beginnings_vary(&moved, rest, size, report);
            }
        }
    }

    /// The starting values of q, v and z.
    fn beginnings_vary(&self, moved: &Point, found: &[f64], size: f64, report: &mut Report) {
        let (q, rest) = found.split_at(self.v.len());
        let (v, z) = rest.split_at(self.v.len());
        let own = self.oracle.begin(Kind::Position, moved);
        self.positions_vary("position partials of a start", moved, (q, &own), size, report);
        let own = self.oracle.begin(Kind::Velocity, moved);
        let still = self.unspun();
        let wanted: Vec<Jet> = still.iter().map(|&i| own[self.v[i]].clone()).collect();
        let found: Vec<f64> = still.iter().map(|&i| v[i]).collect();
        report.block("partials of a start", &found, &slopes(&wanted), size);
        let own = self.oracle.begin(Kind::State, moved);
        let wanted: Vec<Jet> = self.z.iter().map(|&i| own[i].clone()).collect();
        report.block("partials of a start", z, &slopes(&wanted), size);
    }
}
