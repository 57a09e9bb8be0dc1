//! Algebraic variables of members and beside the loops, and exact starts of what loops name.

use super::coordinates::PLACE;
use super::dimension::Dimension as D;
use super::families::Families;
use super::sets::Set;
use super::writer::{Atom, Reads, Writer};

/// Which exact starts a model with sets has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exact {
    /// only those of states
    States,
    /// of coordinates and velocities
    Plain,
    /// of expressions of what loops name
    Conditions,
}

impl Writer<'_> {
    /// An algebraic variable.
    pub(super) fn algebraic(&mut self) {
        let (y, unit) = (self.name("y"), self.unit(D::CURRENT));
        self.say(format!("algebraic {y}: Real{unit};"));
        self.atoms.push(Atom { text: y, dimension: D::CURRENT, reads: Reads::ALGEBRAIC, size: 1 });
    }

    /// One or two algebraic variables of each member, with their equations in one loop.
    pub(super) fn solved(&mut self, set: &Set, families: &mut Families) {
        let mut own = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let (y, dimension) = (self.name("y"), *self.random.pick(&[D::ONE, D::CURRENT, D::LENGTH]));
            let (n, unit) = (if self.chance(1, 3) { 2 } else { 1 }, self.unit(dimension));
            self.say(format!("algebraic {y}[{}]: {}{unit};", set.name, if n == 2 { "Vec2" } else { "Real" }));
            own.push((y, dimension, n));
        }
        let balanced = self.chance(1, 2);
        if balanced {
            let known = own.iter().map(|(y, dimension, n)| (set.name.clone(), y.clone(), *dimension, *n));
            families.balanced.extend(known);
        }
        let names = self.names(set, true);
        let member = names.1.iter().find(|(_, of)| *of == set.name).map_or_else(String::new, |(own, _)| own.clone());
        self.each(names, families, |w, _, _| {
            // those of what the loop joins too
            let loads = w.loads();
            for (y, dimension, n) in &own {
                let (y, name, unit) = (format!("{y}[{member}]"), w.name("law"), w.parameter(*dimension));
                let ratio = |y: &str| if w.units { format!("({y} / {unit})") } else { y.to_owned() };
                let (x, own) = if *n == 2 { (format!("{y}.x"), format!("{y}.y")) } else { (y.clone(), y.clone()) };
                let (x, bent) = (ratio(&x), format!("0.4 * {unit} * tanh({})", ratio(&own)));
                let (left, right) = match n {
                    1 => (bent, w.scalar(*dimension, loads, 2)),
                    _ => (format!("vec2({bent}, 0.3 * {unit} * sq({x}))"), w.vector(2, *dimension, loads, 1)),
                };
                if balanced {
                    w.say(format!("balance {y} += {y} + {left};"));
                    w.say(format!("balance {y} -= {right};"));
                } else {
                    w.say(format!("constraint {name}: {y} + {left} == {right};"));
                }
                if w.chance(1, 2) {
                    let value = match n {
                        1 => w.scalar(*dimension, Reads::P, 1),
                        _ => w.vector(2, *dimension, Reads::P, 1),
                    };
                    w.say(format!("guess {y} = {value};"));
                }
            }
        });
        for (y, dimension, n) in own {
            let mut atom = |text: String, size| {
                let atom = Atom { text, dimension, reads: Reads::ALGEBRAIC, size };
                families.atoms.push((set.name.clone(), atom));
            };
            atom(format!("{y}[#]"), n);
            if n == 2 {
                atom(format!("{y}[#].y"), 1);
            }
        }
    }

    /// What a loop adds to balances of a member of a set.
    pub(super) fn shares(&mut self, index: &str, set: &str, families: &Families) {
        let loads = self.loads().without(Reads::ALGEBRAIC);
        for (_, y, dimension, n) in families.balanced.iter().filter(|(of, ..)| of == set) {
            if self.chance(1, 2) {
                let share = match n {
                    1 => self.scalar(*dimension, loads, 2),
                    _ => self.vector(2, *dimension, loads, 1),
                };
                let sign = *self.random.pick(&["+=", "-="]);
                self.say(format!("balance {y}[{index}] {sign} {share};"));
            }
        }
    }

    /// A constraint beside the loops to which members of one or two sets add.
    pub(super) fn adding(&mut self, sets: &[Set], families: &mut Families) {
        let (mut sums, mut of) = (Vec::new(), None);
        for _ in 0..1 + self.random.below(2) {
            let set = self.random.pick(sets).clone();
            let (header, names) = self.names(&set, false);
            let pattern = header.trim_start_matches("for ").split(" in ").next().unwrap_or_default().to_owned();
            self.each((header, names), families, |w, _, _| {
                let value = match of {
                    None => w.position(Reads::Q).map(|(s, dimension)| {
                        of = Some(dimension);
                        s
                    }),
                    Some(dimension) => Some(w.scalar(dimension, PLACE, 2)),
                };
                sums.extend(value.map(|value| format!("sum({}, |{pattern}| {value})", set.name)));
            });
        }
        let Some(dimension) = of else { return };
        let (name, other) = (self.name("hold"), self.scalar(dimension, PLACE, 2));
        match sums.as_slice() {
            [one, more] => self.say(format!("constraint {name}: 2.0 * {one} - {other} == {more} / 3.0;")),
            _ => self.say(format!("constraint {name}: {other} == -({});", sums.concat())),
        }
    }

    /// Exact conditions of positions and velocities that a loop names.
    pub(super) fn conditioned(&mut self) {
        // a bare coordinate may have one in another loop
        if let Some((s, dimension)) = self.position(Reads::Q).filter(|(s, _)| s.contains('(') && s.contains('[')) {
            let reads = if self.chance(1, 3) { Reads::T } else { Reads::P };
            let value = self.scalar(dimension, reads, 1);
            self.say(format!("init ({s}) = {value};"));
        }
        let rates: Vec<Atom> =
            self.atoms.iter().filter(|a| a.size == 1 && a.reads == Reads::V && a.text.contains('[')).cloned().collect();
        if !rates.is_empty() && !self.first_order && self.chance(1, 2) {
            let rate = self.random.pick(&rates).clone();
            let (factor, value) = (self.plain(Reads::Q, 1), self.scalar(rate.dimension, Reads::P, 1));
            self.say(format!("init ({} * (1.3 + sin({factor}))) = {value};", rate.text));
        }
    }
}
