//! A whole model: header, items in an order that declares before it uses, and the models it is made of.

use super::Random;
use super::coordinates::{Frames, PLACE};
use super::dimension::Dimension as D;
use super::sets::Set;
use super::writer::{Atom, Callable, Reads, Writer};

/// A model of a seed.
#[derive(Clone, Debug)]
pub struct Model {
    /// what stands before the body: options and the struct's name
    pub head: String,
    /// its items
    pub items: Vec<String>,
    /// the models of its subs, by their own texts
    pub parts: Vec<String>,
    /// the members of its sets
    pub sets: Vec<Set>,
    /// what a model around may start: coordinates of numbers, and rotations
    pub(super) starting: (Vec<(String, D, usize)>, Vec<String>),
}

impl Model {
    /// The model of a seed, always the same.
    pub fn of_seed(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let options = Options::draw(&mut random);
        if seed % 8 == 1 {
            super::families::families(&mut random, &options)
        } else {
            // not drawn: the models of other seeds stay what they were
            let prepared = seed % 5 == 2;
            written(&mut random, &Options { prepared, ..options }, "Model", 0)
        }
    }

    /// Its text, without those of its subs.
    pub fn text(&self) -> String {
        let items: Vec<String> = self.items.iter().map(|item| format!("    {item}\n")).collect();
        format!("{} {{\n{}}}", self.head, items.concat())
    }
}

/// What holds for a model and its subs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) units: bool,
    pub(super) first_order: bool,
    pub(super) space: bool,
    pub(super) generic: bool,
    pub(super) prepared: bool,
    /// of subs of a model with sets: are its steps differentiated?
    pub(super) in_sets: Option<bool>,
    /// how the names of subs' models begin
    pub(super) stem: &'static str,
}

impl Options {
    fn draw(random: &mut Random) -> Self {
        Self {
            units: random.chance(1, 2),
            first_order: random.chance(1, 10),
            space: random.chance(1, 2),
            generic: random.chance(1, 3),
            prepared: false,
            in_sets: None,
            stem: "Part",
        }
    }
}

pub(super) fn head(random: &mut Random, options: &Options, name: &str, root: bool, frozen: &[String]) -> String {
    let mut words = Vec::new();
    let freeze = format!("freeze({})", frozen.join(", "));
    if !frozen.is_empty() {
        words.push(freeze.as_str());
    }
    if options.first_order {
        words.push("order = 1");
    }
    if root && random.chance(1, 8) {
        let all = "emit(jvp, vjp, hvp, hessian)";
        let emit = ["emit(jvp, vjp)", "emit(hvp)", all, "emit(hessian)", "emit(linearized)", "emit(linearized, jvp)"];
        words.push(emit[random.below(emit.len())]);
    }
    if root && !options.generic && random.chance(1, 8) {
        words.push("branch_free");
    }
    if options.prepared {
        words.push("prepared");
    }
    let attribute = if words.is_empty() { String::new() } else { format!("#[model({})]\n", words.join(", ")) };
    format!("{attribute}pub struct {name}{}", if options.generic { "<T>" } else { "" })
}

pub(super) fn written(random: &mut Random, options: &Options, name: &str, level: usize) -> Model {
    let mut w = Writer::new(random, options.units, options.first_order, options.space);
    w.exact = options.in_sets.is_none();
    w.own_units();
    w.functions();
    let mut parts = Vec::new();
    let mut frames = w.coordinates(if level == 0 { 3 } else { 2 });
    w.states();
    if level > 0 {
        w.inputs(1);
    } else if w.chance(1, 2) {
        w.inputs(2);
    }
    if level < 2 && w.chance(1, if level == 0 { 3 } else { 5 }) {
        parts = w.subs(options, level, &mut frames);
    }
    if w.chance(1, 2) {
        w.chain(&mut frames);
    }
    if options.in_sets != Some(true) {
        w.modes();
    }
    w.energies(&frames);
    w.gravity();
    w.forces(&frames);
    let multipliers = w.constraints(&frames);
    w.rates();
    w.laws();
    w.read(&frames, &multipliers, level, options);
    if options.in_sets != Some(true) {
        w.events(&frames);
    }
    w.starts(&frames);
    if level > 0 {
        w.ports(&frames);
    }
    if level == 0 {
        w.aside(Writer::lists);
        if options.in_sets.is_none() {
            w.aside(Writer::tied);
        }
    }
    let frozen = if level == 0 && w.chance(1, 8) { w.frozen() } else { Vec::new() };
    if level == 0 {
        w.shown(&frames);
    }
    let items = std::mem::take(&mut w.items);
    let head = head(random, options, name, level == 0, &frozen);
    let rotations = frames.rotations.iter().filter(|q| !q.contains('.')).cloned().collect();
    Model { head, items, parts, sets: Vec::new(), starting: (frames.flat, rotations) }
}

const HILL: &str = "extern fn hill(a: Real, b: Real) -> Real { value: ode_model_generator::external::hill, gradient: \
     ode_model_generator::external::hill_gradient, hessian: ode_model_generator::external::hill_hessian }";

impl Writer<'_> {
    /// Some of the parameters, to be constants of the code.
    fn frozen(&mut self) -> Vec<String> {
        let name = |item: &String| item.strip_prefix("param ")?.split_once(':').map(|(name, _)| name.to_owned());
        let all: Vec<String> = self.items.iter().filter_map(name).collect();
        all.into_iter().filter(|_| self.random.chance(1, 3)).collect()
    }

    /// Functions of the model, and external ones.
    pub(super) fn functions(&mut self) {
        if self.chance(1, 3) {
            let name = self.name("f");
            let k = self.number();
            self.say(format!("fn {name}(a: Real, b: Real) -> Real {{ let c = a * b; sin(c) + {k} * a }}"));
            self.functions.push(Callable { name: format!("{name}("), arguments: 2 });
        }
        let external = [
            ("extern fn grip(slip: Real) -> Real { dual: ode_model_generator::external::grip }", "grip(", 1),
            ("extern fn blend(a: Real, b: Real) -> Real { dual: ode_model_generator::external::blend }", "blend(", 2),
            (HILL, "hill(", 2),
            ("extern fn rise(x: Real) -> Real { table: ode_model_generator::external::RISE }", "rise(", 1),
            ("", "pchip(ode_model_generator::external::CURVE, ", 1),
        ];
        for (text, name, arguments) in external {
            if self.chance(1, 6) {
                if !text.is_empty() {
                    self.say(text);
                }
                self.functions.push(Callable { name: name.to_owned(), arguments });
            }
        }
    }

    fn states(&mut self) {
        for _ in 0..self.random.below(3) {
            let z = self.name("z");
            let dimension = *self.random.pick(&[D::ONE, D::CURRENT, D::LENGTH]);
            let unit = self.unit(dimension);
            let kind = self.random.below(6);
            self.say(format!("state {z}: {}{unit};", ["[Real; 2]", "Vec2"].get(kind).unwrap_or(&"Real")));
            let names = match kind {
                0 => vec![format!("{z}[0]"), format!("{z}[1]")],
                1 => vec![format!("{z}.x"), format!("{z}.y")],
                _ => vec![z],
            };
            self.states.extend(names.iter().map(|z| (z.clone(), dimension)));
            for text in names {
                self.atoms.push(Atom { text, dimension, reads: Reads::Z, size: 1 });
            }
        }
        if self.chance(1, 6) {
            self.algebraic();
        }
    }

    pub(super) fn inputs(&mut self, n: usize) {
        for _ in 0..n {
            let u = self.name("u");
            let dimension = *self.random.pick(&[D::ONE, D::ENERGY, D::LENGTH]);
            let unit = self.unit(dimension);
            let range = if self.chance(1, 3) { " in -2.0..=3.0" } else { "" };
            self.say(format!("input {u}: Real{unit}{range};"));
            self.atoms.push(Atom { text: u, dimension, reads: Reads::U, size: 1 });
        }
    }

    pub(super) fn modes(&mut self) {
        if self.chance(1, 4) {
            let m = self.name("m");
            self.say(format!("mode {m}: Real = 1.0;"));
            self.atoms.push(Atom { text: m, dimension: D::ONE, reads: Reads::MODE, size: 1 });
        }
    }

    /// The rate of each state.
    fn rates(&mut self) {
        let loads = self.loads();
        for (z, dimension) in self.states.clone() {
            if z.ends_with(".y") {
                continue;
            }
            if let Some(whole) = z.strip_suffix(".x") {
                let rate = self.vector(2, dimension.rate(), loads, 2);
                self.say(format!("der({whole}) = {rate};"));
                continue;
            }
            let rate = self.scalar(dimension.rate(), loads, 3);
            self.say(format!("der({z}) = {rate};"));
        }
    }

    /// What determines the algebraic variables.
    pub(super) fn laws(&mut self) {
        let own: Vec<Atom> =
            self.atoms.iter().filter(|a| a.reads == Reads::ALGEBRAIC && !a.text.contains('.')).cloned().collect();
        let loads = self.loads().without(Reads::ALGEBRAIC);
        for y in own {
            let (name, unit) = (self.name("law"), self.parameter(y.dimension));
            let value = self.scalar(y.dimension, loads, 2);
            let ratio = if self.units { format!("{} / {unit}", y.text) } else { y.text.clone() };
            self.say(format!("constraint {name}: {} + 0.4 * {unit} * tanh({ratio}) == {value};", y.text));
        }
    }

    /// Outputs, limits, costs and residuals.
    fn read(&mut self, frames: &Frames, multipliers: &[(String, D)], level: usize, options: &Options) {
        let all = self.loads().and(Reads::V);
        for _ in 0..self.random.below(3) {
            let (y, dimension) = (self.name("out"), *self.random.pick(&[D::ONE, D::LENGTH, D::ENERGY]));
            let unit = self.unit(dimension);
            let value = self.scalar(dimension, all, 3);
            self.say(format!("output {y}: Real{unit} = {value};"));
        }
        if let (Some((s, _)), true) = (self.position(PLACE), self.chance(1, 3)) {
            let y = self.name("acc");
            let word = if self.first_order { "der" } else { "der2" };
            self.say(format!("output {y} = {word}({s});"));
        }
        if let (Some((name, _)), true) = (multipliers.first(), self.chance(1, 2)) {
            let y = self.name("pull");
            self.say(format!("output {y} = 2.0 * {name}.lambda;"));
        }
        if let (Some(b), true) = (frames.frames.last(), self.chance(1, 3)) {
            let y = self.name("gyro");
            self.say(format!("output {y} = {b}.vec({b}.rate);"));
        }
        for x in std::mem::take(&mut self.held) {
            let y = self.name("reaction");
            let whole = x.split('[').next().unwrap_or_default().to_owned();
            let what = if self.chance(1, 2) { x } else { whole };
            self.say(format!("output {y} = {what}.reaction;"));
        }
        if self.chance(1, 5) {
            let (y, unit) = (self.name("place"), self.unit(D::LENGTH));
            let value = self.vector(3, D::LENGTH, all, 2);
            self.say(format!("output {y}: Vec3{unit} = {value};"));
        }
        if level > 0 && self.chance(1, 2) {
            return;
        }
        let choices = all.without(Reads::ALGEBRAIC);
        if self.chance(1, 4) {
            let (h, value) = (self.name("limit"), self.scalar(D::LENGTH, choices, 2));
            let range = if self.chance(1, 2) { " in -1.5..=2.0" } else { "" };
            self.say(format!("limit {h}: {value}{range};"));
        }
        let costs = options.in_sets != Some(false);
        if costs && self.chance(1, 4) {
            let value = self.plain(choices, 3);
            self.say(format!("cost = sq({value});"));
        }
        if costs && self.chance(1, 5) {
            let (name, value) = (self.name("fit"), self.vector(2, D::LENGTH, choices, 2));
            self.say(format!("residual {name} = {value};"));
        }
        if self.chance(1, 4) {
            let p = self.parameter(D::ONE);
            self.say(format!("require {p} > 0.01, \"it is positive\";"));
        }
    }

    /// Figures, by numbers that take nothing from those of the other items.
    fn shown(&mut self, frames: &Frames) {
        let before = self.random.clone();
        if self.chance(1, 4) {
            let (n, all) = (if self.space { 3 } else { 2 }, self.loads().and(Reads::V));
            let [p, q, v] = [(); 3].map(|()| self.vector(n, D::LENGTH, all, 2));
            let (r, value) = (self.parameter(D::LENGTH), self.scalar(D::ENERGY, all, 2));
            self.say(format!("show line = line({p}, {q});"));
            self.say(format!("show path = polyline([{q}, {p}], {v}) with {{ color: teal }};"));
            self.say(format!("show pull = arrow({p}, {v});"));
            self.say(format!("show text = text({q}, {value});"));
            let turn = self.plain(all, 2);
            let frame = match frames.frames.last().filter(|_| self.space) {
                Some(frame) => frame.clone(),
                None if self.space => format!("frame({p}, rot_y({turn}))"),
                None => format!("frame2({p}, {turn})"),
            };
            let edges = self.vector(n, D::LENGTH, all, 1);
            self.say(format!("show cage = box({frame}, {edges});"));
            self.say(format!("show wheel = disc({frame}, {r});"));
            if self.space {
                self.say(format!("show rod = cylinder({p}, {q}, {r});"));
                self.say(format!("show ball = sphere({q}, sq({r}) / {r});"));
            } else {
                self.say(format!("show ring = circle({p}, {r});"));
            }
        }
        *self.random = before;
    }

    pub(super) fn events(&mut self, frames: &Frames) {
        if !self.chance(1, 4) {
            return;
        }
        let reads = PLACE.and(Reads::Z).and(Reads::MODE);
        let reads = if self.first_order { reads } else { reads.and(Reads::V) };
        let Some((s, dimension)) = self.position(PLACE) else { return };
        let (name, level) = (self.name("event"), self.scalar(dimension, reads, 2));
        let op = *self.random.pick(&["<", ">", "==", "<=", ">="]);
        let mut body = Vec::new();
        let after = self.loads().without(Reads::ALGEBRAIC).without(Reads::U);
        if let (Some((x, d, 1)), true) = (frames.flat.first().cloned(), self.chance(1, 2)) {
            let e = self.scalar(d, after, 2);
            body.push(format!("{x} = {e};"));
        }
        if let (Some((x, d, 1)), false) = (frames.flat.last().cloned(), self.first_order) {
            let e = self.scalar(d.rate(), after, 2);
            body.push(format!("der({x}) = {e};"));
        }
        if let Some((z, d)) = self.states.first().cloned().filter(|_| self.random.chance(1, 2)) {
            let e = self.scalar(d, after, 2);
            body.push(format!("{z} = {e};"));
        }
        if let (Some(q), true) = (frames.rotations.first().filter(|q| !q.contains('.')), self.chance(1, 3)) {
            let turn = self.plain(PLACE, 1);
            body.push(format!("{q} = {q} * rot_x({turn});"));
        }
        let modes = self.known(D::ONE, Reads::MODE, 1);
        let modes: Vec<&Atom> = modes.iter().filter(|a| a.reads == Reads::MODE && !a.text.contains('.')).collect();
        if let Some(mode) = modes.first() {
            body.push(format!("{} = {} + 1.0;", mode.text, mode.text));
        }
        if body.is_empty() || self.chance(1, 4) {
            body.push("stop;".into());
        }
        self.say(format!("event {name} when {s} {op} ({level}) {{ {} }}", body.join(" ")));
    }

    pub(super) fn starts(&mut self, frames: &Frames) {
        let held = self.items.iter().any(|i| i.starts_with("constraint") || i.starts_with("fix"));
        let free = self.exact && !held;
        for (x, dimension, n) in frames.flat.clone() {
            if self.chance(1, 3) {
                let value = match n {
                    1 => self.scalar(dimension, Reads::P, 1),
                    n => self.vector(n, dimension, Reads::P, 1),
                };
                let word = if free { "init" } else { "guess" };
                self.say(format!("{word} {x} = {value};"));
            }
        }
        for (x, dimension, n) in frames.flat.clone() {
            if n == 1 && !self.first_order && self.chance(1, 6) {
                let value = self.scalar(dimension.rate(), Reads::P, 1);
                self.say(format!("{} der({x}) = {value};", if free { "init" } else { "guess" }));
            }
        }
        for (z, dimension) in self.states.clone() {
            if self.chance(1, 3) {
                let value = self.scalar(dimension, Reads::P, 1);
                self.say(format!("init {z} = {value};"));
            }
        }
        for (d, rate) in frames.directions.clone() {
            if self.chance(1, 2) {
                let y = self.plain(Reads::P, 1);
                self.say(format!("{} {d} = unit(vec3(0.6, {y}, 0.7));", if free { "init" } else { "guess" }));
            } else if free && !self.first_order && self.chance(1, 2) {
                self.say(format!("init {d} = vec3(0.6, 0.0, -0.8);"));
                self.say(format!("init {rate} = vec3(0.4, -0.7, 0.3);"));
            }
        }
        if let (Some(q), true) = (frames.rotations.first().filter(|q| !q.contains('.')), self.chance(1, 3)) {
            let turn = self.plain(Reads::P, 1);
            self.say(format!("{} {q} = rot_y({turn});", if free { "init" } else { "guess" }));
        }
    }
}
