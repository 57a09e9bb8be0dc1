//! Events: guards, which way they cross, and the whole state after each.

use ode_codegen::phases::lower::{Call, Event};
use ode_codegen::phases::model::Crossing;

use super::Report;
use super::blocks::reals;
use super::case::Case;
use crate::external;
use crate::interpreter::{After, Inputs, after};
use crate::oracle::{self, Point};

impl Case<'_> {
    pub(super) fn events(&self, inputs: &Inputs, at: &Point, report: &mut Report) {
        let guards = self.oracle.guards(at);
        report.block("guards", self.run(Call::Guards, inputs).array("out"), &reals(&guards), 0.0);
        let rates: Vec<f64> = self.oracle.guards(at.moving()).iter().map(|g| g.slope(at.depth).real()).collect();
        report.block("guard rates", self.run(Call::GuardRates, inputs).array("out"), &rates, 0.0);
        let values = self.oracle.resets(at);
        report.block("reset", self.run(Call::Reset, inputs).array("values"), &reals(&values), 0.0);
        let (events, own) = (&self.compiled.program.events, self.oracle.happenings());
        let sign = |crossing| match crossing {
            Crossing::Falling => -1.0,
            Crossing::Rising => 1.0,
            Crossing::Either => 0.0,
        };
        let kinds: Vec<f64> = events.iter().flat_map(|e| [sign(e.crossing), f64::from(u8::from(e.stops))]).collect();
        let wanted: Vec<f64> = own.iter().flat_map(|e| [e.crossing, f64::from(u8::from(e.stops))]).collect();
        report.block("events", &kinds, &wanted, 0.0);
        let named = |(e, own): (&Event, &oracle::Event)| f64::from(u8::from(e.label == own.label));
        let named: Vec<f64> = events.iter().zip(&own).map(named).collect();
        report.block("events by name", &named, &vec![1.0; own.len()], 0.0);
        for event in 0..own.len() {
            self.after(event, inputs, at, report);
        }
    }

    /// The whole state after an event.
    fn after(&self, event: usize, inputs: &Inputs, at: &Point, report: &mut Report) {
        let externals = &self.compiled.model.externals;
        let external = |partial: &_, x: &[f64]| external::value(externals, partial, x);
        let After { q, v, z, modes } = after(&self.compiled.program, event, inputs, &external);
        let own = self.oracle.after(event, at);
        for ((found, places), own) in [(q, &self.q), (v, &self.v), (z, &self.z), (modes, &self.modes)].iter().zip(own) {
            let wanted: Vec<f64> = places.iter().map(|&i| own[i].real()).collect();
            report.block("after an event", found, &wanted, 0.0);
        }
    }
}
