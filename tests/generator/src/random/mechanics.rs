//! Energies, forces and constraints.

use super::coordinates::{Frames, PLACE};
use super::dimension::Dimension as D;
use super::writer::{Atom, Reads, Writer};

impl Writer<'_> {
    /// What a force may read.
    pub(super) fn loads(&self) -> Reads {
        let all = PLACE.and(Reads::V).and(Reads::Z).and(Reads::U).and(Reads::MODE).and(Reads::ALGEBRAIC);
        if self.first_order { all.without(Reads::V) } else { all }
    }

    /// A position of a dimension, one that moves.
    pub(super) fn position(&mut self, reads: Reads) -> Option<(String, D)> {
        let moving: Vec<Atom> = self
            .atoms
            .iter()
            .filter(|a| a.size == 1 && a.reads.0 & Reads::Q.0 != 0 && a.reads.0 & !reads.0 == 0)
            .cloned()
            .collect();
        if moving.is_empty() {
            return None;
        }
        let atom = self.random.pick(&moving).clone();
        let text = match self.random.below(4) {
            0 | 1 => atom.text,
            2 => {
                let other = self.scalar(atom.dimension, reads, 2);
                format!("({} + 0.3 * {other})", atom.text)
            }
            _ => {
                let factor = self.plain(reads, 1);
                format!("{} * (1.4 + sin({factor}))", atom.text)
            }
        };
        Some((text, atom.dimension))
    }

    /// Points that move.
    fn points(&self, n: usize) -> Vec<Atom> {
        self.known(D::LENGTH, PLACE, n).into_iter().filter(|a| a.reads.0 & Reads::Q.0 != 0).collect()
    }

    pub(super) fn energies(&mut self, frames: &Frames) {
        for _ in 0..self.random.below(3) {
            let value = self.scalar(D::ENERGY, PLACE.and(Reads::MODE), 3);
            let name = if self.chance(1, 2) { self.name("v") } else { String::new() };
            // with sets only, where what the whole adds is compared; rotations have no such stiffness
            let of_subs = [".port", ".hub", ".plate", ".origin"].iter().any(|word| value.contains(word));
            let is_rotation = |word: &str| {
                let number = word.strip_prefix(['b', 'c', 'd', 'q']).unwrap_or_default();
                !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
            };
            let turns = of_subs || value.split(|c: char| !c.is_alphanumeric()).any(is_rotation);
            let newton = if !self.indices.is_empty() && !turns && self.chance(1, 3) { "#[tangent(psd)] " } else { "" };
            self.say(format!("{newton}potential {name} = {value};"));
        }
        if !self.first_order && self.chance(1, 2) {
            // the point of a mass that others carry
            let (n, m) = (2 + self.random.below(2), self.parameter(D::MASS));
            let (point, name) = (self.vector(n, D::LENGTH, PLACE, 2), self.name("r"));
            self.say(format!("let {name} = {point};"));
            self.say(format!("kinetic = 0.5 * {m} * der({name}).dot(der({name}));"));
        }
        for _ in 0..self.random.below(2) {
            if let Some((s, dimension)) = self.position(PLACE) {
                let c = self.parameter(D::POWER.by(dimension.rate()).by(dimension.rate()));
                self.say(format!("dissipation = 0.5 * {c} * sq(der({s}));"));
            }
        }
        if self.chance(1, 3) {
            let n = if frames.frames.is_empty() { 2 } else { 3 };
            self.spring(n);
        }
    }

    pub(super) fn gravity(&mut self) {
        let weighty = self.items.iter().any(|i| i.starts_with("gravity"));
        if !weighty && self.chance(1, 2) {
            let (n, g) = (if self.space { 3 } else { 2 }, self.parameter(D::ACCELERATION));
            let down = if n == 3 { format!("vec3(0.2 * {g}, 0.0, -{g})") } else { format!("vec2(0.1 * {g}, -{g})") };
            self.say(format!("gravity = {down};"));
        }
    }

    fn spring(&mut self, n: usize) {
        let moving = self.points(n);
        if moving.is_empty() {
            return;
        }
        let p = self.random.pick(&moving).text.clone();
        let reads = if self.chance(1, 2) { PLACE } else { Reads::P };
        let q = self.vector(n, D::LENGTH, reads, 1);
        let (name, k) = (self.name("spring"), self.parameter(D::STIFFNESS));
        let mut fields = format!("k: {k}");
        if self.chance(2, 3) {
            fields.push_str(&format!(", rest: {}", self.parameter(D::LENGTH)));
        }
        if self.chance(1, 2) && !self.first_order {
            fields.push_str(&format!(", damping: {}", self.parameter(D::DAMPING)));
        }
        let far = if n == 3 { "3.0, 2.5, -2.8" } else { "3.0, -2.5" };
        let l = self.parameter(D::LENGTH);
        let far: Vec<String> = far.split(", ").map(|x| format!("{x} * {l}")).collect();
        self.say(format!("spring {name} on ({p}, {q} + vec{n}({})) {{ {fields} }}", far.join(", ")));
    }

    pub(super) fn forces(&mut self, frames: &Frames) {
        let loads = self.loads();
        for _ in 0..self.random.below(3) {
            let Some((s, dimension)) = self.position(PLACE) else { continue };
            let (name, value) = (self.name("force"), self.scalar(D::ENERGY.by(dimension), loads, 3));
            self.say(format!("force {name} on {s} = {value};"));
        }
        for n in [2, 3] {
            let points = self.points(n);
            if !points.is_empty() && self.chance(1, 3) {
                let (name, p) = (self.name("force"), self.random.pick(&points).text.clone());
                let value = self.vector(n, D::ENERGY.by(D::LENGTH), loads, 2);
                self.say(format!("force {name} on {p} = {value};"));
            }
        }
        if !frames.frames.is_empty() && self.chance(1, 2) {
            // what a body carries, at a point that may move in it
            let (name, b) = (self.name("force"), self.random.pick(&frames.frames).clone());
            let (p, value) = (self.vector(3, D::LENGTH, PLACE, 1), self.vector(3, D::ENERGY.by(D::LENGTH), loads, 2));
            self.say(format!("force {name} on {b}.at({p}) = {b}.vec({value});"));
        }
        let turning: Vec<String> = frames.rotations.iter().chain(&frames.frames).cloned().collect();
        if !turning.is_empty() && self.chance(1, 2) {
            let (name, b) = (self.name("torque"), self.random.pick(&turning).clone());
            let value = self.vector(3, D::ENERGY, loads, 2);
            let value = if self.chance(1, 2) { format!("{b}.{}({value})", carries(frames, &b)) } else { value };
            self.say(format!("torque {name} on {b} = {value};"));
        }
        if let Some(b) = frames.planar.first().cloned()
            && self.chance(1, 2)
        {
            let (name, value) = (self.name("torque"), self.scalar(D::ENERGY, loads, 2));
            self.say(format!("torque {name} on {b} = {value};"));
        }
    }

    /// Constraints of all kinds; the names of those that have a multiplier of one number.
    pub(super) fn constraints(&mut self, frames: &Frames) -> Vec<(String, D)> {
        let mut named = Vec::new();
        for _ in 0..self.random.below(3) {
            match self.random.below(7) {
                0..=2 => self.holonomic(&mut named),
                3 | 4 if !self.first_order => self.rolling(&mut named),
                5 => self.vectors(),
                _ => self.fixed(frames),
            }
        }
        named
    }

    /// `with { .. }`, for a row of this dimension and conjugate.
    fn yielding(&mut self, dimension: D, rolling: bool) -> String {
        let conjugate = if rolling { dimension.times(D::TIME) } else { dimension };
        let compliance = dimension.by(D::ENERGY.by(conjugate));
        match self.random.below(7) {
            0 => format!(" with {{ compliance: {} }}", self.parameter(compliance)),
            1 if !rolling && !self.first_order => {
                let (e, tau) = (self.parameter(compliance), self.parameter(D::TIME));
                format!(" with {{ compliance: {e}, relax: 0.7 * {tau} }}")
            }
            2 if !rolling && !self.first_order => format!(" with {{ relax: {} }}", self.parameter(D::TIME)),
            _ => String::new(),
        }
    }

    fn holonomic(&mut self, named: &mut Vec<(String, D)>) {
        let Some((s, dimension)) = self.position(PLACE) else { return };
        let (name, reads) = (self.name("hold"), if self.chance(1, 2) { Reads::T } else { PLACE });
        let other = self.scalar(dimension, reads, 2);
        let with = self.yielding(dimension, false);
        if with.is_empty() && self.chance(1, 8) {
            let again = self.name("again");
            self.say(format!("constraint {again}: 0.8 * {other} == 2.0 * ({s}) with {{ redundant }};"));
        }
        self.say(format!("constraint {name}: {s} == 0.4 * {other}{with};"));
        named.push((name, D::ENERGY.by(dimension).by(if with.contains("{ relax") { D::ONE.rate() } else { D::ONE })));
    }

    fn rolling(&mut self, named: &mut Vec<(String, D)>) {
        let rates: Vec<Atom> = self.atoms.iter().filter(|a| a.size == 1 && a.reads == Reads::V).cloned().collect();
        if rates.len() < 2 {
            return;
        }
        let (a, b) = (self.random.pick(&rates).clone(), self.random.pick(&rates).clone());
        let name = self.name("roll");
        let ratio = if a.dimension == b.dimension {
            String::new()
        } else {
            format!("{} * ", self.parameter(a.dimension.by(b.dimension)))
        };
        let factor = self.plain(PLACE, 2);
        let drift = if self.chance(1, 3) {
            format!(" + {} * {}", self.parameter(a.dimension), self.plain(PLACE, 1))
        } else {
            String::new()
        };
        let with = self.yielding(a.dimension, true);
        let scaled = self.plain(PLACE, 1);
        self.say(format!(
            "constraint {name}: {} * (1.3 + sin({scaled})) == {ratio}({factor}) * {}{drift}{with};",
            a.text, b.text
        ));
        named.push((name, D::ENERGY.by(a.dimension.times(D::TIME))));
    }

    fn vectors(&mut self) {
        let n = 2 + self.random.below(2);
        let points = self.points(n);
        if points.is_empty() {
            return;
        }
        let (name, p) = (self.name("pin"), self.random.pick(&points).text.clone());
        let reads = if self.chance(1, 2) { Reads::T } else { PLACE };
        let to = self.vector(n, D::LENGTH, reads, 1);
        let with = if self.chance(1, 2) { self.yielding(D::LENGTH, false) } else { String::new() };
        self.say(format!("constraint {name}: {p} == 0.3 * {to}{with};"));
    }

    fn fixed(&mut self, frames: &Frames) {
        if frames.flat.is_empty() {
            return;
        }
        let (x, dimension, n) = self.random.pick(&frames.flat).clone();
        if self.chance(1, 2) {
            self.held.push(x.clone());
        }
        let value = |w: &mut Self| match n {
            1 => format!("{} * sin({})", w.parameter(dimension), w.plain(Reads::T, 1)),
            n => w.vector(n, dimension, Reads::T, 1),
        };
        // members of a family are held where a loop says, or start where one over all of them says
        let ways = match self.indices.first() {
            None => 4,
            Some((index, _)) if self.guessed.contains(&x.replace(&format!("[{index}]"), "[#]")) => 3,
            Some(_) => 2,
        };
        match self.random.below(ways) {
            0 => {
                let value = value(self);
                self.say(format!("fix {x} = {value};"));
            }
            1 if n > 1 => {
                let direction = self.vector(n, D::ONE, Reads::P, 0);
                let value = self.scalar(dimension, Reads::T, 1);
                self.say(format!("fix {x} along {direction} = {value};"));
            }
            1 if ways < 4 => {
                let (value, factor) = (value(self), self.plain(Reads::P, 1));
                self.say(format!("fix {x} = ({factor}) * {value};"));
            }
            2 if ways < 4 => self.say(format!("fix {x};")),
            2 if n > 1 && self.exact => {
                let (c, p) = (*self.random.pick(&["x", "y"]), self.parameter(dimension));
                self.say(format!("init {x}.{c} = {p};"));
                self.say(format!("fix {x}.{c};"));
            }
            _ => {
                let p = match n {
                    1 => self.parameter(dimension),
                    n => self.vector(n, dimension, Reads::P, 0),
                };
                self.say(format!("guess {x} = {p};"));
                self.say(format!("fix {x};"));
            }
        }
    }
}

/// What turns a vector along the axes of a frame, or of a rotation, to the world.
fn carries(frames: &Frames, b: &String) -> &'static str {
    if frames.frames.contains(b) { "vec" } else { "rotate" }
}
