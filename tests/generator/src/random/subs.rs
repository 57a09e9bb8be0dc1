//! Subs of a model: their outputs, their inputs and parameters, and their starts.

use super::coordinates::{Frames, PLACE};
use super::dimension::Dimension as D;
use super::model::{Model, Options, written};
use super::writer::{Atom, Reads, Writer};

impl Writer<'_> {
    /// What a parent may hold on to, and read.
    pub(super) fn ports(&mut self, frames: &Frames) {
        if let Some(b) = frames.frames.last() {
            self.say(format!("#[port] output hub: Frame3 = {b};"));
        }
        if let Some(b) = frames.planar.last() {
            self.say(format!("#[port] output plate: Frame2 = {b};"));
        }
        if let Some((s, dimension)) = self.position(Reads::Q) {
            let unit = self.unit(dimension);
            self.say(format!("#[port] output port: Real{unit} = {s};"));
        }
        let unit = self.unit(D::ENERGY);
        let value = self.scalar(D::ENERGY, PLACE.and(Reads::V).and(Reads::Z), 2);
        let value = if self.first_order { self.scalar(D::ENERGY, PLACE.and(Reads::Z), 2) } else { value };
        self.say(format!("output signal: Real{unit} = {value};"));
    }

    /// One or two subs of a model made for them.
    pub(super) fn subs(&mut self, options: &Options, level: usize, frames: &mut Frames) -> Vec<String> {
        let (part, ty) = self.part(options, level);
        let (kid, array) = (self.name("kid"), self.chance(1, 3));
        let given = self.given(&part);
        let wrapped = if array { format!("[{ty}; 2]") } else { ty };
        self.say(format!("sub {kid}: {wrapped}{given};"));
        self.pulled(&part);
        let whole: Vec<String> = if array { vec![format!("{kid}[0]"), format!("{kid}[1]")] } else { vec![kid] };
        let inputs = declared(&part, "input ");
        for kid in &whole {
            for (input, dimension) in &inputs {
                let reads = PLACE.and(Reads::U);
                let value = self.scalar(*dimension, reads, 2);
                self.say(format!("bind {kid}.{input} = {value};"));
            }
            self.offered(kid, &part, frames);
            self.begun(kid, &part);
        }
        let mut parts = vec![part.text()];
        parts.extend(part.parts);
        parts
    }

    /// A model for subs, and its type.
    pub(super) fn part(&mut self, options: &Options, level: usize) -> (Model, String) {
        let name = format!("{}{level}", options.stem);
        let part = written(self.random, options, &name, level + 1);
        (part, if options.generic { format!("{name}<T>") } else { name })
    }

    /// Gravity, if a sub has some and nothing says it yet.
    pub(super) fn pulled(&mut self, part: &Model) {
        let says = |items: &[String]| items.iter().any(|item| item.starts_with("gravity"));
        if says(&part.items) && !says(&self.items) {
            let zero = if self.space { "vec3(0.0, 0.0, 0.0)" } else { "vec2(0.0, 0.0)" };
            self.say(format!("gravity = {zero};"));
        }
    }

    /// What a sub is read for: ports and a signal.
    pub(super) fn offered(&mut self, kid: &str, part: &Model, frames: &mut Frames) {
        for (port, dimension) in declared(part, "#[port] output ") {
            self.atoms.push(Atom { text: format!("{kid}.{port}"), dimension, reads: Reads::Q, size: 1 });
        }
        if part.items.iter().any(|i| i.contains("output hub: Frame3")) {
            let l = self.parameter(D::LENGTH);
            let mut atom = |text, dimension, reads, size| self.atoms.push(Atom { text, dimension, reads, size });
            atom(format!("{kid}.hub.origin"), D::LENGTH, PLACE, 3);
            atom(format!("{kid}.hub.at(vec3({l}, -{l}, 0.5 * {l})).z"), D::LENGTH, PLACE, 1);
            atom(format!("{kid}.hub.rate"), D::ONE.rate(), PLACE.and(Reads::V), 3);
            frames.frames.push(format!("{kid}.hub"));
        }
        if part.items.iter().any(|i| i.contains("output plate: Frame2")) {
            let l = self.parameter(D::LENGTH);
            let mut atom = |text, dimension, reads, size| self.atoms.push(Atom { text, dimension, reads, size });
            atom(format!("{kid}.plate.at(vec2({l}, -{l}))"), D::LENGTH, PLACE, 2);
            atom(format!("{kid}.plate.angle"), D::ONE, PLACE, 1);
            frames.planar.push(format!("{kid}.plate"));
        }
        let reads = Reads::Z.and(PLACE).and(Reads::V);
        self.atoms.push(Atom { text: format!("{kid}.signal"), dimension: D::ENERGY, reads, size: 1 });
    }

    /// What a model says of where its sub starts.
    pub(super) fn begun(&mut self, kid: &str, part: &Model) {
        let free = self.exact && !part.items.iter().any(|i| i.starts_with("constraint") || i.starts_with("fix"));
        for (x, dimension, n) in part.starting.0.clone() {
            if !self.chance(1, 3) {
                continue;
            }
            let word = if free && self.chance(1, 2) { "init" } else { "guess" };
            if n > 1 && self.chance(1, 2) {
                let value = self.scalar(dimension, Reads::P, 1);
                self.say(format!("{word} {kid}.{x}.y = {value};"));
                continue;
            }
            let value = match n {
                1 => self.scalar(dimension, Reads::P, 1),
                n => self.vector(n, dimension, Reads::P, 1),
            };
            self.say(format!("{word} {kid}.{x} = {value};"));
        }
        if let (Some(q), true) = (part.starting.1.first().cloned(), self.chance(1, 3)) {
            let turn = self.plain(Reads::P, 1);
            self.say(format!("{} {kid}.{q} = rot_z({turn});", if free { "init" } else { "guess" }));
        }
    }

    /// `with { .. }`: numbers and expressions for parameters of the part.
    pub(super) fn given(&mut self, part: &Model) -> String {
        let mut fields = Vec::new();
        for (p, dimension) in declared(part, "param ").into_iter().take(4) {
            match self.random.below(4) {
                0 => fields.push(format!("{p}: 0.83")),
                1 => {
                    let value = self.parameter(dimension);
                    fields.push(format!("{p}: 1.2 * {value}"));
                }
                _ => {}
            }
        }
        if fields.is_empty() { String::new() } else { format!(" with {{ {} }}", fields.join(", ")) }
    }
}

/// Names of numbers that a part declares with a word, with their dimensions.
pub(super) fn declared(part: &Model, word: &str) -> Vec<(String, D)> {
    let read = |item: &String| {
        let rest = item.strip_prefix(word)?;
        let (name, rest) = rest.split_once(": Real")?;
        let unit = rest.split(['=', ';']).next().unwrap_or_default().replace(" in -2.0..", "");
        Some((name.to_owned(), D::read(&unit)))
    };
    part.items.iter().filter_map(read).collect()
}
