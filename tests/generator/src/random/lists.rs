//! Lists whose members loops define, and choices by a mode.

use super::coordinates::PLACE;
use super::dimension::Dimension as D;
use super::writer::{Reads, Writer};

impl Writer<'_> {
    /// Writes items that draw nothing from the numbers of those that follow.
    pub(super) fn aside(&mut self, write: impl FnOnce(&mut Self)) {
        let before = self.random.clone();
        write(self);
        *self.random = before;
    }

    /// A coordinate without inertia that a row gives, with a spring and a damper, now and then.
    pub(super) fn tied(&mut self) {
        if self.chance(5, 6) {
            return;
        }
        let Some((s, dimension)) = self.position(PLACE) else { return };
        let (x, row, scale) = (self.name("x"), self.name("gives"), self.plain(PLACE, 0));
        let k = self.parameter(D::ENERGY.by(dimension).by(dimension));
        let unit = self.unit(dimension);
        self.say(format!("coord {x}: Real{unit};"));
        self.say(format!("constraint {row}: 1.5 * {x} == {s};"));
        self.say(format!("potential = 0.5 * {k} * sq({x}) * (1.2 + sin({scale}));"));
        if !self.first_order {
            let drag = self.parameter(D::POWER.by(dimension.rate()).by(dimension.rate()));
            self.say(format!("dissipation = 0.5 * {drag} * sq(der({x}));"));
        }
    }

    /// A recurrence of numbers that move, a table, and a `match`, now and then.
    pub(super) fn lists(&mut self) {
        if self.chance(1, 4) {
            let (s, first, factor) = (self.name("s"), self.plain(PLACE, 1), self.plain(PLACE, 1));
            let next = format!("if i == 0 {{ {first} }} else {{ ({factor}) * {s}[i - 1] + 0.3 * i }}");
            self.say(format!("for i in 0..3 {{ let {s}[i] = {next}; }}"));
            let (name, scale) = (self.name("v"), self.parameter(D::ENERGY));
            self.say(format!("potential {name} = {scale} * sin({s}[2]) * {s}[1];"));
        }
        if self.chance(1, 6) {
            let (s, start, by) = (self.name("s"), self.plain(PLACE, 0), self.plain(PLACE, 1));
            let next = format!("match j {{ 0 => ({start}), _ => sin({s}[i][j - 1]) + i * ({by}) }}");
            self.say(format!("for i in 0..2 {{ for j in 0..3 {{ let {s}[i][j] = {next}; }} }}"));
            self.say(format!("cost = {s}[1][2] * {s}[0][1];"));
        }
        let modes = self.known(D::ONE, Reads::MODE, 1);
        let Some(mode) = modes.iter().find(|atom| atom.reads == Reads::MODE).map(|atom| atom.text.clone()) else {
            return;
        };
        if self.chance(1, 2) {
            let reads = PLACE.and(Reads::V);
            let [a, b, c] = [1, 2, 1].map(|depth| self.plain(reads, depth));
            let out = self.name("out");
            self.say(format!("output {out} = match {mode} {{ 0 => ({a}), 1 | -1 => ({b}), _ => ({c}) }};"));
        }
    }
}
