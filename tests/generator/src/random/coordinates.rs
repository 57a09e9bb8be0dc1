//! Coordinates of all kinds, each with its inertia, and the points, frames and rates that follow from them.

use super::dimension::Dimension as D;
use super::writer::{Atom, Reads, Writer};

/// Energies of positions.
pub(super) const PLACE: Reads = Reads::T.and(Reads::Q);

/// A rotation or a frame in space, by its text.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
    pub(super) rotations: Vec<String>,
    pub(super) frames: Vec<String>,
    pub(super) planar: Vec<String>,
    /// coordinates of numbers, with how many
    pub(super) flat: Vec<(String, D, usize)>,
    pub(super) angles: Vec<String>,
    pub(super) turning: Vec<(String, String)>,
    /// points of the sphere, with their velocities
    pub(super) directions: Vec<(String, String)>,
}

impl Frames {
    /// With other texts.
    pub(super) fn map(&self, text: &dyn Fn(&str) -> String) -> Self {
        let all = |list: &[String]| list.iter().map(|x| text(x)).collect();
        let pairs = |list: &[(String, String)]| list.iter().map(|(x, v)| (text(x), text(v))).collect();
        Self {
            rotations: all(&self.rotations),
            frames: all(&self.frames),
            planar: all(&self.planar),
            flat: self.flat.iter().map(|(x, dimension, n)| (text(x), *dimension, *n)).collect(),
            angles: all(&self.angles),
            turning: pairs(&self.turning),
            directions: pairs(&self.directions),
        }
    }

    /// These and others.
    pub(super) fn and(&mut self, other: Self) {
        self.rotations.extend(other.rotations);
        self.frames.extend(other.frames);
        self.planar.extend(other.planar);
        self.flat.extend(other.flat);
        self.angles.extend(other.angles);
        self.turning.extend(other.turning);
        self.directions.extend(other.directions);
    }
}

impl Writer<'_> {
    fn atom(&mut self, text: String, dimension: D, reads: Reads, size: usize) {
        self.atoms.push(Atom { text, dimension, reads, size });
    }

    /// One to four coordinates.
    pub(super) fn coordinates(&mut self, most: usize) -> Frames {
        let mut found = Frames::default();
        for _ in 0..1 + self.random.below(most) {
            let kind = self.random.below(15);
            self.coordinate(kind, &mut found);
        }
        found
    }

    /// A coordinate of one of 15 kinds.
    pub(super) fn coordinate(&mut self, kind: usize, found: &mut Frames) {
        match kind {
            0..=2 => self.numbers(1, D::LENGTH, found),
            3..=5 => self.numbers(1, D::ONE, found),
            6 => self.numbers(2, D::LENGTH, found),
            7 => self.numbers(3, D::LENGTH, found),
            8 => self.array(found),
            9 => self.circle(found),
            10 => self.rotation(found),
            11 => self.rotations(found),
            12 => self.direction(found),
            13 => self.directions(found),
            _ => self.motion(found),
        }
    }

    /// A number, an angle or a vector.
    fn numbers(&mut self, n: usize, dimension: D, found: &mut Frames) {
        let (x, v) = (self.name("x"), self.name("v"));
        let ty = match (n, dimension == D::ONE && self.chance(3, 4)) {
            (1, true) => "Angle".to_owned(),
            (1, false) => "Real".to_owned(),
            (n, _) => format!("Vec{n}"),
        };
        let own = self.chance(1, 2) || n > 1;
        let declared = if own { format!("({x}, {v})") } else { x.clone() };
        let unit = self.unit(dimension);
        self.say(format!("coord {declared}: {ty}{unit};"));
        let rate = if own { v } else { format!("der({x})") };
        self.atom(x.clone(), dimension, Reads::Q, n);
        self.atom(rate.clone(), dimension.rate(), Reads::V, n);
        if n > 1 {
            for c in &["x", "y", "z"][..n] {
                self.atom(format!("{x}.{c}"), dimension, Reads::Q, 1);
                self.atom(format!("{rate}.{c}"), dimension.rate(), Reads::V, 1);
            }
        } else if dimension == D::ONE {
            found.angles.push(x.clone());
        }
        self.inertia(&x, &rate, n, dimension);
        found.flat.push((x, dimension, n));
    }

    /// ½ m v², an entry of M, or ½ g(q) v².
    fn inertia(&mut self, x: &str, rate: &str, n: usize, dimension: D) {
        if self.first_order {
            let c = self.parameter(D::POWER.by(dimension.rate()).by(dimension.rate()));
            let square = if n > 1 { format!("{rate}.dot({rate})") } else { format!("sq({rate})") };
            return match self.random.below(3) {
                0 => self.say(format!("mass {x} = {c};")),
                _ => self.say(format!("dissipation = 0.5 * {c} * {square};")),
            };
        }
        let m = self.parameter(D::ENERGY.by(dimension.rate()).by(dimension.rate()));
        let square = if n > 1 { format!("{rate}.dot({rate})") } else { format!("sq({rate})") };
        match self.random.below(6) {
            0 => self.say(format!("mass {x} = {m};")),
            1 => {
                let factor = self.plain(PLACE, 1);
                self.say(format!("kinetic = 0.5 * {m} * (1.2 + sq(sin({factor}))) * {square};"));
            }
            _ => self.say(format!("kinetic = 0.5 * {m} * {square};")),
        }
    }

    fn array(&mut self, found: &mut Frames) {
        let (x, n) = (self.name("x"), 2 + self.random.below(2));
        let angle = self.chance(1, 2);
        let dimension = if angle { D::ONE } else { D::LENGTH };
        let unit = self.unit(dimension);
        self.say(format!("coord {x}: [{}; {n}]{unit};", if angle { "Angle" } else { "Real" }));
        for i in 0..n {
            self.atom(format!("{x}[{i}]"), dimension, Reads::Q, 1);
            self.atom(format!("der({x}[{i}])"), dimension.rate(), Reads::V, 1);
            found.flat.push((format!("{x}[{i}]"), dimension, 1));
        }
        let m = self.parameter(if self.first_order {
            D::POWER.by(dimension.rate()).by(dimension.rate())
        } else {
            D::ENERGY.by(dimension.rate()).by(dimension.rate())
        });
        let word = if self.first_order { "dissipation" } else { "kinetic" };
        self.say(format!("for i in 0..{n} {{ {word} = 0.5 * {m} * sq(der({x}[i])); }}"));
        if n == 3 && self.chance(1, 2) {
            let k = self.parameter(D::ENERGY.by(dimension).by(dimension));
            self.say(format!("for i in 0..2 {{ let gap = {x}[i + 1] - {x}[i]; potential = 0.5 * {k} * sq(gap); }}"));
        }
        if self.chance(1, 3) && !self.first_order {
            self.say(format!("mass ({x}[0], {x}[1]) = [[{m}, 0.3 * {m}], [0.3 * {m}, {m}]];"));
        }
    }

    fn circle(&mut self, found: &mut Frames) {
        let (q, w) = (self.name("c"), self.name("w"));
        self.say(format!("coord ({q}, {w}): SO2;"));
        self.atom(w.clone(), D::ONE.rate(), Reads::V, 1);
        self.atom(format!("{q}.angle"), D::ONE, Reads::Q, 1);
        let l = self.parameter(D::LENGTH);
        self.atom(format!("{q}.rotate(vec2({l}, 0.3 * {l}))"), D::LENGTH, Reads::Q, 2);
        self.atom(format!("{q}.rotate(vec2({l}, {l})).y"), D::LENGTH, Reads::Q, 1);
        let spent = if self.first_order { D::POWER } else { D::ENERGY };
        let j = self.parameter(spent.times(D::TIME).times(D::TIME));
        let word = if self.first_order { "dissipation" } else { "kinetic" };
        self.say(format!("{word} = 0.5 * {j} * sq({w});"));
        found.turning.push((q, w));
    }

    fn rotation(&mut self, found: &mut Frames) {
        let (q, w) = (self.name("q"), self.name("w"));
        let world = self.chance(1, 2);
        self.say(format!("coord ({q}, {w}): SO3{};", if world { "<World>" } else { "" }));
        self.turned(&q, &w, found);
        self.spin(&w);
    }

    /// An array of rotations.
    fn rotations(&mut self, found: &mut Frames) {
        let (q, w) = (self.name("q"), self.name("w"));
        let world = self.chance(1, 2);
        self.say(format!("coord ({q}, {w}): [SO3{}; 2];", if world { "<World>" } else { "" }));
        for i in 0..2 {
            self.turned(&format!("{q}[{i}]"), &format!("{w}[{i}]"), found);
            self.spin(&format!("{w}[{i}]"));
        }
    }

    fn direction(&mut self, found: &mut Frames) {
        let (d, w) = (self.name("d"), self.name("w"));
        let own = self.chance(1, 2);
        self.say(format!("coord {}: S2;", if own { format!("({d}, {w})") } else { d.clone() }));
        let rate = if own { w } else { format!("der({d})") };
        self.pointing(d, &rate, found);
    }

    /// An array of points of the sphere.
    fn directions(&mut self, found: &mut Frames) {
        let (d, w) = (self.name("d"), self.name("w"));
        self.say(format!("coord ({d}, {w}): [S2; 2];"));
        for i in 0..2 {
            self.pointing(format!("{d}[{i}]"), &format!("{w}[{i}]"), found);
        }
    }

    /// What a point of the sphere gives to others, and its inertia.
    fn pointing(&mut self, d: String, rate: &str, found: &mut Frames) {
        self.atom(d.clone(), D::ONE, Reads::Q, 3);
        self.atom(format!("{d}.z"), D::ONE, Reads::Q, 1);
        self.atom(format!("{d}.dot(vec3(0.2, -0.7, 0.4))"), D::ONE, Reads::Q, 1);
        self.atom(rate.to_owned(), D::ONE.rate(), Reads::V, 3);
        self.atom(format!("{rate}.x"), D::ONE.rate(), Reads::V, 1);
        let spent = if self.first_order { D::POWER } else { D::ENERGY };
        let j = self.parameter(spent.times(D::TIME).times(D::TIME));
        let word = if self.first_order { "dissipation" } else { "kinetic" };
        match self.random.below(4) {
            0 => {
                let factor = self.plain(PLACE, 1);
                self.say(format!("{word} = 0.5 * {j} * (1.2 + sq(sin({factor}))) * {rate}.dot({rate});"));
            }
            _ => self.say(format!("{word} = 0.5 * {j} * {rate}.dot({rate});")),
        }
        found.directions.push((d, rate.to_owned()));
    }

    /// What a rotation gives to others.
    fn turned(&mut self, q: &str, w: &str, found: &mut Frames) {
        self.atom(w.to_owned(), D::ONE.rate(), Reads::V, 3);
        self.atom(format!("{w}.y"), D::ONE.rate(), Reads::V, 1);
        self.atom(format!("{q}.rate.x"), D::ONE.rate(), Reads::V, 1);
        self.atom(format!("{q}.rotate(vec3(0.2, 0.5, -0.8))"), D::ONE, Reads::Q, 3);
        self.atom(format!("{q}.rotate(vec3(0.3, -0.4, 0.7)).z"), D::ONE, Reads::Q, 1);
        let log = if self.chance(1, 2) { format!("log_so3({q})") } else { format!("log_so3({q} * rot_x(0.3))") };
        self.atom(format!("{log}.y"), D::ONE, Reads::Q, 1);
        found.rotations.push(q.to_owned());
    }

    /// ½ ω · J ω, with a full J now and then.
    fn spin(&mut self, w: &str) {
        let spent = if self.first_order { D::POWER } else { D::ENERGY };
        let dimension = spent.times(D::TIME).times(D::TIME);
        let word = if self.first_order { "dissipation" } else { "kinetic" };
        let [a, b, c] = [0; 3].map(|_| self.parameter(dimension));
        if self.chance(1, 3) {
            let (j, unit) = (self.name("j"), self.unit(dimension));
            self.items.insert(
                0,
                format!("param {j}: SymMat3{unit} = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.07], [-0.05, 0.07, 1.1]];"),
            );
            return self.say(format!("{word} = 0.5 * {w}.dot({j} * {w});"));
        }
        self.say(format!("{word} = 0.5 * {w}.dot(diag({a}, {b}, {c}) * {w});"));
    }

    fn motion(&mut self, found: &mut Frames) {
        let (b, w) = (self.name("b"), self.name("w"));
        let unit = self.unit(D::LENGTH);
        self.say(format!("coord ({b}, {w}): SE3{unit};"));
        self.atom(format!("{b}.origin"), D::LENGTH, Reads::Q, 3);
        self.atom(format!("{b}.origin.z"), D::LENGTH, Reads::Q, 1);
        self.atom(format!("{w}[0]"), D::LENGTH.rate(), Reads::V, 3);
        self.atom(format!("{w}[0].x"), D::LENGTH.rate(), Reads::V, 1);
        self.atom(format!("{w}[1].z"), D::ONE.rate(), Reads::V, 1);
        let l = self.parameter(D::LENGTH);
        self.atom(format!("{b}.at(vec3({l}, 0.4 * {l}, -{l}))"), D::LENGTH, Reads::Q, 3);
        self.atom(format!("{b}.vec(vec3(0.3, 0.9, -0.1)).x"), D::ONE, Reads::Q, 1);
        found.frames.push(b.clone());
        found.rotations.push(format!("{b}.rotation"));
        if self.space && !self.first_order && self.chance(1, 2) {
            return self.body(&b);
        }
        self.inertia_of_point(&format!("{w}[0]"));
        self.spin(&format!("{w}[1]"));
    }

    fn inertia_of_point(&mut self, v: &str) {
        let spent = if self.first_order { D::POWER } else { D::ENERGY };
        let m = self.parameter(spent.by(D::LENGTH.rate()).by(D::LENGTH.rate()));
        let word = if self.first_order { "dissipation" } else { "kinetic" };
        self.say(format!("{word} = 0.5 * {m} * {v}.dot({v});"));
    }

    /// A body on a frame in space.
    pub(super) fn body(&mut self, frame: &str) {
        let (name, mass) = (self.name("body"), self.parameter(D::MASS));
        let [a, b, c] = [0; 3].map(|_| self.parameter(D::INERTIA));
        let inertia = match self.random.below(3) {
            0 => format!("diag({a}, {b}, {c})"),
            1 => format!("[[{a}, 0.1 * {b}, 0.0], [0.1 * {b}, 1.3 * {b}, 0.05 * {a}], [0.0, 0.05 * {a}, {c}]]"),
            _ => format!("{a} * diag(1.0, 0.8, 1.3)"),
        };
        let centre = match self.random.below(4) {
            0 | 1 => String::new(),
            2 => {
                let l = self.parameter(D::LENGTH);
                format!(", com: vec3(0.2 * {l}, -{l}, 0.1 * {l})")
            }
            _ => format!(", com: {}", self.vector(3, D::LENGTH, PLACE, 1)),
        };
        self.say(format!("body {name} on {frame} {{ mass: {mass}, inertia: {inertia}{centre} }}"));
    }

    /// Frames made of what moves, with bodies on them.
    pub(super) fn chain(&mut self, found: &mut Frames) {
        if !self.space {
            return self.planar(found);
        }
        let mut base = found.frames.first().filter(|_| self.random.chance(1, 2)).cloned();
        for _ in 0..1 + self.random.below(2) {
            let turn = match self.random.below(5) {
                0 if !found.rotations.is_empty() => self.random.pick(&found.rotations).clone(),
                1 => format!("exp_so3({})", self.vector(3, D::ONE, PLACE, 1)),
                k => format!("rot_{}({})", ["x", "y", "z"][k % 3], self.turning()),
            };
            let own = format!("frame({}, {turn})", self.vector(3, D::LENGTH, PLACE, 1));
            let frame = self.name("f");
            let text = match &base {
                Some(base) if self.chance(3, 4) => format!("{base} * {own}"),
                _ => own,
            };
            self.say(format!("let {frame} = {text};"));
            self.atom(format!("{frame}.origin"), D::LENGTH, Reads::Q.and(Reads::T), 3);
            self.atom(format!("{frame}.inv().origin.x"), D::LENGTH, Reads::Q.and(Reads::T), 1);
            self.atom(format!("{frame}.rate"), D::ONE.rate(), Reads::V.and(Reads::Q).and(Reads::T), 3);
            found.frames.push(frame.clone());
            if self.chance(2, 3) && !self.first_order {
                self.body(&frame);
            }
            base = Some(frame);
        }
    }

    /// An angle that moves.
    fn turning(&mut self) -> String {
        let (angle, more) = (self.ratio(Reads::Q, true), self.plain(PLACE, 1));
        format!("({angle} + 0.4 * {more})")
    }

    fn planar(&mut self, found: &mut Frames) {
        let turn = match found.turning.first() {
            Some((q, _)) if self.chance(1, 2) => q.clone(),
            _ => self.turning(),
        };
        let frame = self.name("f");
        let point = self.vector(2, D::LENGTH, PLACE, 1);
        self.say(format!("let {frame} = frame2({point}, {turn});"));
        let l = self.parameter(D::LENGTH);
        self.atom(format!("{frame}.at(vec2({l}, -0.5 * {l}))"), D::LENGTH, Reads::Q.and(Reads::T), 2);
        self.atom(format!("{frame}.inv().origin.y"), D::LENGTH, Reads::Q.and(Reads::T), 1);
        self.atom(format!("{frame}.angle"), D::ONE, Reads::Q.and(Reads::T), 1);
        found.planar.push(frame.clone());
        if self.chance(2, 3) && !self.first_order {
            let (name, m, j) = (self.name("body"), self.parameter(D::MASS), self.parameter(D::INERTIA));
            self.say(format!("body {name} on {frame} {{ mass: {m}, inertia: {j} }}"));
        }
    }
}
