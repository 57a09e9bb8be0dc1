//! What is observed of members: of each, and summed over them.

use super::dimension::Dimension as D;
use super::families::Families;
use super::sets::Set;
use super::writer::{Reads, Writer};

impl Writer<'_> {
    /// What is observed of members.
    pub(super) fn observed(&mut self, set: &Set, families: &mut Families, varied: bool) {
        let names = self.names(set, false);
        self.each(names, families, |w, _, _| {
            let all = w.loads().and(Reads::V);
            if w.chance(1, 2) {
                let (y, dimension) = (w.name("out"), *w.random.pick(&[D::ONE, D::LENGTH, D::ENERGY]));
                let (unit, value) = (w.unit(dimension), w.scalar(dimension, all, 3));
                w.say(format!("output {y}: Real{unit} = {value};"));
            }
            if w.chance(1, 3) {
                let (y, unit, value) = (w.name("place"), w.unit(D::LENGTH), w.vector(3, D::LENGTH, all, 2));
                w.say(format!("output {y}: Vec3{unit} = {value};"));
            }
            if w.chance(1, 3) {
                let (h, value) = (w.name("limit"), w.scalar(D::LENGTH, all, 2));
                w.say(format!("limit {h}: {value} in -1.5..=2.0;"));
            }
            if varied && w.chance(1, 3) {
                let value = w.plain(all, 3);
                w.say(format!("cost = sq({value});"));
            }
            if varied && w.chance(1, 3) {
                let (name, value) = (w.name("fit"), w.vector(2, D::LENGTH, all, 2));
                w.say(format!("residual {name} = {value};"));
            }
        });
    }

    /// An output beside the loops that reads sums over members.
    pub(super) fn summed(&mut self, sets: &[Set], families: &mut Families) {
        let all = self.loads().and(Reads::V);
        let mut sums = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let set = self.random.pick(sets).clone();
            let (header, names) = self.names(&set, false);
            let pattern = header.trim_start_matches("for ").split(" in ").next().unwrap_or_default().to_owned();
            self.each((header, names), families, |w, _, _| {
                let value = w.scalar(D::LENGTH, all, 3);
                sums.push(format!("sum({}, |{pattern}| {value})", set.name));
            });
        }
        let (y, unit) = (self.name("total"), self.unit(D::LENGTH));
        let value = match sums.as_slice() {
            [one, other] => format!("norm_eps(vec2({one}, {other}), {})", self.parameter(D::LENGTH)),
            _ => format!("{} * {}", sums.concat(), self.plain(all, 2)),
        };
        self.say(format!("output {y}: Real{unit} = {value};"));
    }
}
