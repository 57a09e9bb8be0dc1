//! The motion of positions: each method against the flow of q̇ = N(q) v, which needs no formula of its own.

use super::Report;
use super::case::Case;
use crate::interpreter::{Inputs, local, qdot, retract, step_rate, turns, velocity_rate};
use crate::jet::Jet;
use crate::oracle::Point;
use crate::random::Random;

impl Case<'_> {
    pub(super) fn motions(&self, inputs: &Inputs, at: &Point, random: &mut Random, report: &mut Report) {
        let (program, n) = (&self.compiled.program, self.v.len());
        let mut list = || -> Vec<f64> { (0..n).map(|_| random.between(-1.3, 1.3)).collect() };
        let (step, along) = (list(), list());
        let positions = |own: &[Jet]| -> Vec<f64> { self.positions().iter().map(|&i| own[i].real()).collect() };
        let slopes = |own: &[Jet]| -> Vec<f64> { self.positions().iter().map(|&i| own[i].slope(0).real()).collect() };
        let jets = |x: &[f64]| -> Vec<Jet> { self.velocities(x).into_iter().map(Jet::of).collect() };
        report.block("qdot", &qdot(program, &inputs.q, &inputs.v), &positions(&at.rates(&jets(&inputs.v))), 0.0);
        let reached = at.flow(&jets(&step));
        report.block("retract", &retract(program, &inputs.q, &step), &positions(&reached), 0.0);
        let mut to = positions(&reached);
        self.disguise(&mut to, random);
        report.block("local", &local(program, &inputs.q, &to), &step, 0.0);
        // the flow of a step that changes at this rate moves with the velocities
        let rate = step_rate(program, &step, &inputs.v);
        let changing = |rate: &[f64]| -> Vec<f64> {
            let step = jets(&step).iter().zip(jets(rate)).map(|(x, rate)| Jet::along(x, &rate, 0)).collect::<Vec<_>>();
            slopes(&at.flow(&step))
        };
        let moving = |v: &[f64], spins: Vec<f64>| {
            let spins: Vec<Jet> = spins.into_iter().map(Jet::of).collect();
            positions(&at.rates_at(&reached, &jets(v), &spins))
        };
        let turns = turns(program, &step);
        let (_, spins) = self.turned(&turns, &rate);
        let rates = velocity_rate(program, &step, &inputs.v, &along);
        report.block("velocity rate", &rates, &self.carried(&along, &inputs.v, &spins), 0.0);
        report.block("step rate", &changing(&rate), &moving(&inputs.v, spins), 0.0);
        let (turned, spins) = self.turned(&turns, &along);
        report.block("turns", &moving(&turned, spins), &changing(&along), 0.0);
    }

    /// The same point by other numbers: angles by whole turns, quaternions by their sign.
    fn disguise(&self, q: &mut [f64], random: &mut Random) {
        for (x, &place) in q.iter_mut().zip(self.positions()) {
            if self.oracle.names.angles[place] && random.chance(1, 2) {
                *x += std::f64::consts::TAU;
            }
        }
        for block in self.compiled.model.blocks().iter().filter(|b| b.chart.is_rotation()) {
            if random.chance(1, 2) {
                q[block.positions()].iter_mut().for_each(|x| *x = -*x);
            }
        }
    }

    /// The rates of velocities `v` on the sphere along axes with these spins, a + v × spin e_z; elsewhere a.
    fn carried(&self, a: &[f64], v: &[f64], spins: &[f64]) -> Vec<f64> {
        let mut out = a.to_vec();
        let blocks = self.compiled.model.blocks().into_iter();
        let points = blocks.filter(|b| b.chart.turns() && b.velocities().len() == 2);
        for (block, spin) in points.zip(spins) {
            out[block.v] += spin * v[block.v + 1];
            out[block.v + 1] -= spin * v[block.v];
        }
        out
    }

    /// T d, for all tangent maps, and the spins of points on the sphere.
    pub(super) fn turned(&self, turns: &[f64], d: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (mut out, mut spins) = (d.to_vec(), Vec::new());
        let turning = self.compiled.model.blocks().into_iter().filter(|b| b.chart.turns());
        for (k, block) in turning.enumerate() {
            let old = &d[block.velocities()];
            for i in 0..3 {
                let rate = (0..old.len()).map(|j| turns[9 * k + 3 * i + j] * old[j]).sum();
                if i < old.len() { out[block.v + i] = rate } else { spins.push(rate) }
            }
        }
        (out, spins)
    }
}
