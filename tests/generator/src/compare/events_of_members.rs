//! Modes and events of models with sets: where modes begin, and what each member's events are and do.

use ode_codegen::Compiled;
use ode_codegen::phases::lower::Call;
use ode_codegen::phases::model::Crossing;

use super::Report;
use super::case::Case;
use crate::assembly::{Assembly, Space};
use crate::external;
use crate::interpreter::{After, Inputs, after};

impl Case<'_> {
    /// Compares what events of members are with those of the whole, each by its name.
    pub(super) fn events_of_members(&self, assembly: &Assembly<'_>, inputs: &Inputs, report: &mut Report) {
        self.modes_of_members(assembly, report);
        let events = &self.compiled.program.events;
        let (mut found, mut wanted) = (Vec::new(), Vec::new());
        let kind = |compiled: &Compiled, event: usize| {
            let event = &compiled.program.events[event];
            let crossing = match event.crossing {
                Crossing::Falling => -1.0,
                Crossing::Rising => 1.0,
                Crossing::Either => 0.0,
            };
            [crossing, f64::from(u8::from(event.stops))]
        };
        for member in &assembly.elements {
            for (own, &event) in member.events.iter().enumerate() {
                found.extend(kind(member.compiled, own));
                wanted.extend(kind(self.compiled, event));
            }
        }
        report.block("events of members", &found, &wanted, 0.0);
        for (block, call) in [("guards of members", Call::Guards), ("guard rates of members", Call::GuardRates)] {
            let mut found = vec![f64::NAN; events.len()];
            for member in assembly.elements.iter().filter(|member| !member.events.is_empty()) {
                if let Some(out) = assembly.run(member, call, inputs, &[]) {
                    member.events.iter().zip(out.array("out")).for_each(|(&event, &x)| found[event] = x);
                }
            }
            report.block(block, &found, &self.asked(call, inputs, "out"), 0.0);
        }
        self.after_events_of_members(assembly, inputs, report);
    }

    /// The whole state after each event.
    fn after_events_of_members(&self, assembly: &Assembly<'_>, inputs: &Inputs, report: &mut Report) {
        let made = |compiled: &Compiled, event: usize, inputs: &Inputs| {
            let externals = &compiled.model.externals;
            after(&compiled.program, event, inputs, &|partial, x| external::value(externals, partial, x))
        };
        for member in &assembly.elements {
            let own = assembly.inputs(member, inputs, &[]);
            for (k, &event) in member.events.iter().enumerate() {
                let After { q, v, z, modes } = made(member.compiled, k, &own);
                let wanted = made(self.compiled, event, inputs);
                let blocks = [
                    (Space::Positions, q, &inputs.q, wanted.q),
                    (Space::Velocities, v, &inputs.v, wanted.v),
                    (Space::States, z, &inputs.z, wanted.z),
                    (Space::Modes, modes, &inputs.modes, wanted.modes),
                ];
                for (space, changed, before, wanted) in blocks {
                    let mut found = before.clone();
                    member.places(space).into_iter().zip(changed).for_each(|(place, x)| found[place] = x);
                    report.block("after an event of a member", &found, &wanted, 0.0);
                }
            }
        }
    }

    /// Where modes begin.
    fn modes_of_members(&self, assembly: &Assembly<'_>, report: &mut Report) {
        let record = self.compiled.program.records.iter().find(|record| record.name == "Modes");
        let wanted = record.map_or(&[][..], |record| &record.origin);
        report.block("where modes of members begin", &assembly.beginnings, wanted, 0.0);
    }
}
