//! Modes and events of members.

use super::coordinates::{Frames, PLACE};
use super::dimension::Dimension as D;
use super::families::Families;
use super::sets::Set;
use super::writer::{Atom, Reads, Writer};

impl Writer<'_> {
    /// A mode of each member.
    pub(super) fn switched(&mut self, set: &Set, families: &mut Families) {
        let (m, n) = (self.name("m"), if self.chance(1, 3) { 2 } else { 1 });
        let (ty, start) = if n == 2 { ("Vec2", "vec2(0.5, -0.3)") } else { ("Real", "1.0") };
        self.say(format!("mode {m}[{}]: {ty} = {start};", set.name));
        let mut atom = |text: String, size| {
            let atom = Atom { text, dimension: D::ONE, reads: Reads::MODE, size };
            families.atoms.push((set.name.clone(), atom));
        };
        atom(format!("{m}[#]"), n);
        if n == 2 {
            atom(format!("{m}[#].y"), 1);
        }
    }

    /// Events of members, and a choice by their modes.
    pub(super) fn happening(&mut self, set: &Set, families: &mut Families) {
        let names = self.names(set, false);
        self.each(names, families, |w, families, frames| {
            let states: Vec<(String, D)> =
                w.indices.iter().flat_map(|(index, set)| families.states_at(index, set)).collect();
            for _ in 0..1 + w.random.below(2) {
                w.event(&frames, &states);
            }
            let modes = w.known(D::ONE, Reads::MODE, 1);
            let mode = modes.iter().find(|atom| atom.reads == Reads::MODE && !atom.text.contains('.'));
            if let (Some(mode), true) = (mode, w.chance(1, 2)) {
                let reads = PLACE.and(Reads::Z);
                let [a, b, c] = [1, 2, 1].map(|depth| w.plain(reads, depth));
                let value = format!("match {} {{ 0 => ({a}), 1 | -1 => ({b}), _ => ({c}) }}", mode.text);
                let pushed = w.position(PLACE).filter(|_| w.random.chance(1, 2));
                let text = match pushed {
                    Some((s, dimension)) => {
                        let (name, scale) = (w.name("force"), w.parameter(D::ENERGY.by(dimension)));
                        format!("force {name} on {s} = {scale} * {value};")
                    }
                    None => format!("output {} = {value};", w.name("out")),
                };
                w.say(text);
            }
        });
    }

    /// An event of what a loop names: guards of positions and states, and new values of some of what moves.
    fn event(&mut self, frames: &Frames, states: &[(String, D)]) {
        let reads = PLACE.and(Reads::Z).and(Reads::MODE);
        let reads = if self.first_order { reads } else { reads.and(Reads::V) };
        let guard = match states.first().cloned().filter(|_| self.random.chance(1, 3)) {
            Some(state) => Some(state),
            None => self.position(PLACE).or_else(|| states.first().cloned()),
        };
        let Some((s, dimension)) = guard else { return };
        let (name, level) = (self.name("event"), self.scalar(dimension, reads, 2));
        let op = *self.random.pick(&["<", ">", "==", "<=", ">="]);
        let after = self.loads().without(Reads::ALGEBRAIC).without(Reads::U);
        let mut body = Vec::new();
        let mut flat = frames.flat.clone();
        flat.extend(states.iter().map(|(z, dimension)| (z.clone(), *dimension, 1)));
        let of_states = frames.flat.len();
        for (k, (x, dimension, n)) in flat.into_iter().enumerate() {
            let mut assigns = |w: &mut Self, target: String, dimension| {
                if w.chance(1, 2) {
                    let value = if n == 1 { w.scalar(dimension, after, 2) } else { w.vector(n, dimension, after, 1) };
                    body.push(format!("{target} = {value};"));
                }
            };
            assigns(self, x.clone(), dimension);
            if k < of_states && !self.first_order {
                assigns(self, format!("der({x})"), dimension.rate());
            }
        }
        for q in frames.rotations.iter().filter(|q| !q.contains('.')) {
            if self.chance(1, 3) {
                let turn = self.plain(PLACE, 1);
                body.push(format!("{q} = {q} * rot_x({turn});"));
            }
        }
        for size in [1, 2] {
            for mode in self.known(D::ONE, Reads::MODE, size) {
                if mode.reads == Reads::MODE && !mode.text.contains('.') && self.chance(2, 3) {
                    let by = if size == 2 { "vec2(0.2, -1.0)" } else { "1.0" };
                    body.push(format!("{} = {} + {by};", mode.text, mode.text));
                }
            }
        }
        if body.is_empty() || self.chance(1, 6) {
            body.push("stop;".into());
        }
        self.say(format!("event {name} when {s} {op} ({level}) {{ {} }}", body.join(" ")));
    }
}
