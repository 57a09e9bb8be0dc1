//! Parameters as they are declared and given, and where a model starts.

use ode_codegen::phases::lower::Call;
use ode_codegen::phases::model::{Level, Start};

use super::Report;
use super::blocks::{product, reals, slopes};
use super::case::{Case, Step};
use crate::interpreter::Inputs;
use crate::jet::Jet;
use crate::oracle::{Kind, Point};
use crate::random::Random;

impl Case<'_> {
    /// Defaults, what subs are given, and where everything starts.
    pub(super) fn beginnings(&self, inputs: &Inputs, at: &Point, report: &mut Report) {
        let own = self.oracle.defaults(at);
        let wanted: Vec<f64> = self.parameters().iter().map(|&i| own[i]).collect();
        let params = &self.compiled.model.declared.params;
        let none = |n: usize| vec![f64::NAN; n];
        let found: Vec<f64> =
            params.iter().flat_map(|p| p.default.clone().unwrap_or_else(|| none(p.declared.shape.len()))).collect();
        report.block("defaults", &found, &wanted, 0.0);
        let sorted = |mut list: Vec<f64>| {
            list.sort_by(f64::total_cmp);
            list
        };
        for ((record, places), own) in [("U", &self.u), ("Modes", &self.modes)].iter().zip(self.oracle.origins(at)) {
            let wanted: Vec<f64> = places.iter().map(|&i| own[i]).collect();
            let found = self.compiled.program.record(record).map_or(&[][..], |r| &r.origin);
            report.block("origins", found, &wanted, 0.0);
        }
        let found = self.run(Call::Given, inputs).array("given").to_vec();
        report.block("given", &sorted(found), &sorted(self.oracle.given(at)), 0.0);
        let out = self.run(Call::Guess, inputs);
        let kinds =
            [("q", Kind::Position, self.positions()), ("v", Kind::Velocity, &self.v), ("z", Kind::State, &self.z)];
        for (array, kind, places) in kinds {
            let own = self.oracle.begin(kind, at);
            let wanted: Vec<f64> = places.iter().map(|&i| own[i].real()).collect();
            report.block("start", out.array(array), &wanted, 0.0);
        }
        let exact = self.compiled.model.starts.iter().filter(|s| s.exact && s.level != Level::State);
        let labels: Vec<&str> = exact.map(|s| s.label.as_str()).collect();
        let within = |yes: bool| f64::from(u8::from(yes));
        let own = self.oracle.conditions(false);
        let found: Vec<f64> = own.iter().map(|label| within(labels.contains(&label.as_str()))).collect();
        report.block("conditions that hold", &found, &vec![1.0; found.len()], 0.0);
        let own = self.oracle.conditions(true);
        let found: Vec<f64> = labels.iter().map(|label| within(own.iter().any(|own| own == label))).collect();
        report.block("conditions that give way", &found, &vec![1.0; found.len()], 0.0);
    }

    /// Exact starts and their Jacobians, by label.
    pub(super) fn starts(&self, inputs: &Inputs, report: &mut Report, random: &mut Random) {
        let (e, n) = (&self.compiled.equations, self.v.len());
        let out = self.run(Call::Conditions, inputs);
        let at = self.point(inputs);
        let d: Vec<f64> = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
        let displaced = self.step(&at, &Step { q: d.clone(), ..Step::default() });
        let pushed = self.step(&at, &Step { v: d.clone(), ..Step::default() });
        let levels = [
            (Level::Position, "position", "position_jacobian", &e.starts.position.jacobian, &displaced),
            (Level::Velocity, "velocity", "velocity_jacobian", &e.starts.velocity.jacobian, &pushed),
        ];
        for (level, values, jacobian, pattern, moved) in levels {
            // those that a `fix` replaces in part no longer exist as written
            let (Some(wanted), Some(along)) = (self.exact(level, &at), self.exact(level, moved)) else { continue };
            report.block("conditions", out.array(values), &reals(&wanted), 0.0);
            let (found, size) = product(pattern, out.array(jacobian), &d);
            report.block("condition jacobian", &found, &slopes(&along), size);
        }
    }

    /// The exact conditions of a level, in the compiler's order, if all exist as they are written.
    pub(super) fn exact(&self, level: Level, at: &Point) -> Option<Vec<Jet>> {
        let mut own = self.oracle.starts(at);
        let row = |start: &Start| {
            // in the order of the text, where a loop repeats one
            let place = own.iter().position(|(l, rows)| *l == start.label && rows.len() == start.rows.len())?;
            Some(own.remove(place).1)
        };
        let exact = self.compiled.model.starts.iter().filter(|s| s.exact && s.level == level);
        exact.map(row).collect::<Option<Vec<_>>>().map(|rows| rows.concat())
    }
}
