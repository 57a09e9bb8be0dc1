//! A model in the making: what it has declared, and expressions of that.

use super::Random;
use super::dimension::{Dimension, OWN};

/// What an expression may read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reads(pub(super) u16);

impl Reads {
    pub(super) const P: Self = Self(0);
    pub(super) const T: Self = Self(1);
    pub(super) const Q: Self = Self(2);
    pub(super) const V: Self = Self(4);
    pub(super) const Z: Self = Self(8);
    pub(super) const U: Self = Self(16);
    pub(super) const MODE: Self = Self(32);
    pub(super) const ALGEBRAIC: Self = Self(64);

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    fn allows(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }
}

/// A number or a vector that has a name.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) text: String,
    pub(super) dimension: Dimension,
    pub(super) reads: Reads,
    /// how many numbers
    pub(super) size: usize,
}

/// A function of plain numbers that has a name.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub(super) name: String,
    pub(super) arguments: usize,
}

/// Writes a model.
pub(super) struct Writer<'r> {
    pub(super) random: &'r mut Random,
    pub(super) units: bool,
    pub(super) first_order: bool,
    /// bodies of space, not of the plane
    pub(super) space: bool,
    pub(super) items: Vec<String>,
    pub(super) atoms: Vec<Atom>,
    pub(super) functions: Vec<Callable>,
    /// numbers among the states, with their dimensions
    pub(super) states: Vec<(String, Dimension)>,
    /// coordinates that something fixes, of which the reaction is read
    pub(super) held: Vec<String>,
    /// what a loop over all members guesses, `x[#]`
    pub(super) guessed: Vec<String>,
    /// it may say where a run starts exactly
    pub(super) exact: bool,
    /// the names of the loop that is being written, each with the set that it runs over
    pub(super) indices: Vec<(String, String)>,
    /// it has units of its own
    own: bool,
    pub(super) parameters: Vec<Atom>,
    names: usize,
}

impl<'r> Writer<'r> {
    pub(super) fn new(random: &'r mut Random, units: bool, first_order: bool, space: bool) -> Self {
        Self {
            random,
            units,
            first_order,
            space,
            items: Vec::new(),
            atoms: Vec::new(),
            functions: Vec::new(),
            states: Vec::new(),
            held: Vec::new(),
            guessed: Vec::new(),
            exact: true,
            indices: Vec::new(),
            own: false,
            parameters: Vec::new(),
            names: 0,
        }
    }

    /// Units of its own, now and then.
    pub(super) fn own_units(&mut self) {
        if self.units && self.chance(1, 3) {
            self.own = true;
            OWN.iter().for_each(|unit| self.say(*unit));
        }
    }

    pub(super) fn say(&mut self, item: impl Into<String>) {
        self.items.push(item.into());
    }

    pub(super) fn chance(&mut self, n: usize, of: usize) -> bool {
        self.random.chance(n, of)
    }

    /// A name that is not used yet.
    pub(super) fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        match format!("{stem}{}", self.names) {
            // the functions of Rust's type are looked for by this name
            name if name == "f64" => self.name(stem),
            name => name,
        }
    }

    pub(super) fn unit(&self, dimension: Dimension) -> String {
        if self.units && dimension != Dimension::ONE { dimension.unit() } else { String::new() }
    }

    /// A number of few digits, never zero.
    pub(super) fn number(&mut self) -> String {
        format!("{:.2}", 0.15 + 0.01 * self.random.below(130) as f64)
    }

    /// A parameter of a dimension, a new one or one that is there.
    pub(super) fn parameter(&mut self, dimension: Dimension) -> String {
        let known: Vec<String> =
            self.parameters.iter().filter(|p| p.dimension == dimension).map(|p| p.text.clone()).collect();
        if !known.is_empty() && (known.len() > 2 || self.chance(3, 4)) {
            return self.random.pick(&known).clone();
        }
        let (mut name, number) = (self.name("p"), self.number());
        let mut declared = name.clone();
        if !self.indices.is_empty() && self.chance(1, 2) {
            let (index, set) = self.random.pick(&self.indices).clone();
            (declared, name) = (format!("{name}[{set}]"), format!("{name}[{index}]"));
        }
        let own = self.own && dimension != Dimension::ONE && self.chance(1, 2);
        let unit = if own { dimension.own() } else { self.unit(dimension) };
        let number = if own && self.chance(1, 4) { format!("-(-{number})") } else { number };
        self.items.insert(0, format!("param {declared}: Real{unit} = {number};"));
        self.parameters.push(Atom { text: name.clone(), dimension, reads: Reads::P, size: 1 });
        name
    }

    /// Atoms of a dimension and size that a place may read.
    pub(super) fn known(&self, dimension: Dimension, reads: Reads, size: usize) -> Vec<Atom> {
        let fits = |a: &&Atom| a.dimension == dimension && reads.allows(a.reads) && a.size == size;
        self.atoms.iter().filter(fits).cloned().collect()
    }

    /// An expression of one number of a dimension.
    pub(super) fn scalar(&mut self, dimension: Dimension, reads: Reads, depth: usize) -> String {
        if dimension == Dimension::ONE {
            return self.plain(reads, depth);
        }
        let known = self.known(dimension, reads, 1);
        if dimension == Dimension::LENGTH && self.chance(1, 6) {
            return self.length(reads);
        }
        let factor = match self.random.below(4) {
            0 | 1 if !known.is_empty() => self.random.pick(&known).text.clone(),
            2 if depth > 0 => {
                let (a, b) = (self.scalar(dimension, reads, depth - 1), self.scalar(dimension, reads, depth - 1));
                let sign = self.random.pick(&["+", "-"]);
                return format!("({a} {sign} {b})");
            }
            _ => self.parameter(dimension),
        };
        if depth == 0 || self.chance(1, 3) {
            return factor;
        }
        format!("{factor} * {}", self.plain(reads, depth - 1))
    }

    /// A length: with its unit, or of a vector.
    fn length(&mut self, reads: Reads) -> String {
        let vectors: Vec<Atom> = [2, 3].into_iter().flat_map(|n| self.known(Dimension::LENGTH, reads, n)).collect();
        if vectors.is_empty() || self.chance(1, 2) {
            let suffix = if self.own {
                "span"
            } else if self.units {
                "m"
            } else {
                ""
            };
            return format!("{}{suffix}", self.number());
        }
        let atom = self.random.pick(&vectors).text.clone();
        let small = self.parameter(Dimension::LENGTH);
        if self.chance(1, 2) { format!("norm({atom})") } else { format!("norm_eps({atom}, {small})") }
    }

    /// A number without a dimension, from a quantity that has one; from one that moves, where that is asked for.
    pub(super) fn ratio(&mut self, reads: Reads, moving: bool) -> String {
        let fits = |a: &&Atom| reads.allows(a.reads) && a.size == 1 && (!moving || a.reads.0 & Reads::Q.0 != 0);
        let all: Vec<Atom> = self.atoms.iter().filter(fits).cloned().collect();
        if reads.allows(Reads::T) && self.chance(1, 8) {
            return if self.units { format!("(t / {})", self.parameter(Dimension::TIME)) } else { "t".into() };
        }
        if all.is_empty() {
            return self.parameter(Dimension::ONE);
        }
        let atom = self.random.pick(&all).clone();
        if atom.dimension == Dimension::ONE || !self.units {
            return atom.text;
        }
        format!("({} / {})", atom.text, self.parameter(atom.dimension))
    }

    /// An expression of one number without a dimension, of moderate size wherever it is evaluated.
    pub(super) fn plain(&mut self, reads: Reads, depth: usize) -> String {
        if depth == 0 {
            return match self.random.below(6) {
                0 if self.chance(1, 8) => "PI / 4.0".to_owned(),
                0 => self.number(),
                1 => self.parameter(Dimension::ONE),
                _ => self.ratio(reads, false),
            };
        }
        let next = depth - 1;
        let e = self.plain(reads, next);
        match self.random.below(32) {
            0..=3 => format!("sin({e})"),
            4..=5 => format!("cos({e})"),
            6 => format!("tanh({e})"),
            7 => format!("atan({e})"),
            8 => format!("exp(-0.2 * sq({e}))"),
            9 => format!("sqrt(1.3 + sq({e}))"),
            10 => format!("ln(1.5 + sq({e}))"),
            11 => format!("recip(1.2 + sq({e}))"),
            12 => format!("asin(0.6 * sin({e}))"),
            13 => format!("acos(0.5 * cos({e}))"),
            14 => format!("(0.4 * tanh({e})).sinh()"),
            15 => format!("cosh(sin({e}))"),
            16 => format!("tan(0.7 * cos({e}))"),
            17 => format!("hypot({e}, {})", self.number()),
            18 => {
                let other = self.plain(reads, next);
                format!("atan2({e}, 1.4 + sq({other}))")
            }
            19 => format!("(0.5 * {e}).powi({})", self.random.pick(&["2", "3"])),
            20 => format!("(1.1 + sq(sin({e}))).powf({})", self.random.pick(&["0.7", "1.5", "-0.5"])),
            21 => self.smooth(&e, reads, next),
            22 => self.kink(&e, reads, next),
            23 => self.choice(&e, reads, next),
            24 => {
                let name = self.name("y");
                let other = self.plain(reads, next);
                format!("{{ let {name} = {e}; {name} * {other} + sin({name}) }}")
            }
            25 | 26 => self.called(e, reads, next),
            27 | 28 => format!("({e} + {})", self.plain(reads, next)),
            29 => format!("({e} - 0.5 * {})", self.plain(reads, next)),
            30 => format!("{e} * {}", self.plain(reads, next)),
            _ => format!("{e} / (1.5 + sq({}))", self.plain(reads, next)),
        }
    }

    fn smooth(&mut self, e: &str, reads: Reads, depth: usize) -> String {
        let other = self.plain(reads, depth);
        match self.random.below(6) {
            0 => format!("smooth_abs({e}, 0.3)"),
            1 => format!("smooth_sign({e}, 0.8)"),
            2 => format!("smooth_max({e}, {other}, 0.4)"),
            3 => format!("smooth_min({e}, {other}, 0.2)"),
            4 => format!("smooth_step({e}, 1.7)"),
            _ => format!("softplus({e}, 0.6)"),
        }
    }

    fn kink(&mut self, e: &str, reads: Reads, depth: usize) -> String {
        let other = self.plain(reads, depth);
        match self.random.below(5) {
            0 => format!("abs({e})"),
            1 => format!("signum({e}) * {other}"),
            2 => format!("min({e}, {other})"),
            3 => format!("max({e}, {other})"),
            _ => format!("clamp({e}, -0.4, 0.9)"),
        }
    }

    fn choice(&mut self, e: &str, reads: Reads, depth: usize) -> String {
        let (a, b) = (self.plain(reads, depth), self.plain(reads, depth));
        let c = self.plain(reads, depth);
        let condition = match self.random.below(4) {
            0 => format!("{e} < {c}"),
            1 => format!("{e} >= 0.3"),
            2 => format!("{e} > 0.1 && {c} < 0.8"),
            _ => format!("!({e} > 0.4) || {c} > 0.5"),
        };
        format!("(if {condition} {{ {a} }} else {{ {b} }})")
    }

    fn called(&mut self, e: String, reads: Reads, depth: usize) -> String {
        let functions = self.functions.clone();
        if functions.is_empty() {
            return format!("sin({e})");
        }
        let function = self.random.pick(&functions).clone();
        let mut arguments = vec![e];
        for _ in 1..function.arguments {
            arguments.push(self.plain(reads, depth));
        }
        format!("{}{})", function.name, arguments.join(", "))
    }

    /// A vector of 2 or 3 numbers of a dimension.
    pub(super) fn vector(&mut self, n: usize, dimension: Dimension, reads: Reads, depth: usize) -> String {
        let known = self.known(dimension, reads, n);
        if !known.is_empty() && self.chance(1, 2) {
            let atom = self.random.pick(&known).text.clone();
            return match self.random.below(6) {
                4 => {
                    let (name, sign) = (self.name("rows"), if self.chance(1, 2) { ".transpose()" } else { "" });
                    let rows = if n == 2 {
                        "[[0.8, -0.4], [0.3, 1.1]]"
                    } else {
                        "[[0.8, -0.4, 0.2], [0.3, 1.1, -0.1], [0.05, 0.6, 0.9]]"
                    };
                    self.items.insert(0, format!("param {name}: Mat{n} = {rows};"));
                    format!("{name}{sign} * {atom}")
                }
                0 => format!("({atom} + {})", self.written(n, dimension, reads, depth)),
                1 => format!("{} * {atom}", self.plain(reads, depth)),
                2 if n == 3 => {
                    let other = self.written(3, Dimension::ONE, reads, depth);
                    format!("{other}.cross({atom})")
                }
                _ => atom,
            };
        }
        self.written(n, dimension, reads, depth)
    }

    fn written(&mut self, n: usize, dimension: Dimension, reads: Reads, depth: usize) -> String {
        let parts: Vec<String> = (0..n).map(|_| self.scalar(dimension, reads, depth)).collect();
        format!("vec{n}({})", parts.join(", "))
    }
}
