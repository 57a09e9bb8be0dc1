//! Models with sets: the sets, what there is of each member, and loops over them.

use super::Random;
use super::coordinates::Frames;
use super::dimension::Dimension as D;
use super::model::{Model, Options, head};
use super::sets::{Set, renamed};
use super::solved::Exact;
use super::writer::{Atom, Reads, Writer};

/// A model with sets.
pub(super) fn families(random: &mut Random, options: &Options) -> Model {
    let mut w = Writer::new(random, options.units, options.first_order, options.space);
    let exact = *w.random.pick(&[Exact::States, Exact::States, Exact::Plain, Exact::Conditions]);
    w.exact = exact == Exact::Plain;
    w.own_units();
    w.functions();
    let varied = w.chance(1, 2);
    let within = Options { in_sets: Some(varied), ..*options };
    let (sets, parts) = w.families(varied, exact, &within);
    let items = std::mem::take(&mut w.items);
    let head = head(random, options, "Model", false, &[]);
    let named = sets.iter().filter_map(|set| set.said.as_deref()?.strip_prefix("const "));
    let lengths =
        named.filter(|length| length.parse::<usize>().is_err()).map(|length| format!("const {length}: usize"));
    let generics: Vec<String> = head.strip_suffix("<T>").map(|_| "T".to_owned()).into_iter().chain(lengths).collect();
    let head = match generics.as_slice() {
        [] => head,
        all => format!("{}<{}>", head.trim_end_matches("<T>"), all.join(", ")),
    };
    let head = match head.strip_prefix("#[model(") {
        Some(words) if varied => format!("#[model(emit(partials), {words}"),
        None if varied => format!("#[model(emit(partials))]\n{head}"),
        _ => head,
    };
    Model { head, items, parts, sets, starting: Default::default() }
}

/// What there is of each member of a set; `[#]` stands where a name of a loop will.
#[derive(Default)]
pub(super) struct Families {
    pub(super) atoms: Vec<(String, Atom)>,
    parameters: Vec<(String, Atom)>,
    pub(super) frames: Vec<(String, Frames)>,
    /// states, by the names of their sets
    pub(super) states: Vec<(String, String, D)>,
    /// algebraic variables that loops balance, with how many numbers they have
    pub(super) balanced: Vec<(String, String, D, usize)>,
}

impl Families {
    /// The states of a member.
    pub(super) fn states_at(&self, index: &str, set: &str) -> Vec<(String, D)> {
        let own = self.states.iter().filter(|(of, ..)| of == set);
        own.map(|(_, z, dimension)| (format!("{z}[{index}]"), *dimension)).collect()
    }
}

/// Names of a loop, each with the set that it runs over.
pub(super) type Indices = Vec<(String, String)>;

/// With `[i]` in place of `[#]`.
fn at(index: &str) -> impl Fn(&str) -> String {
    let index = format!("[{index}]");
    move |text| text.replace("[#]", &index)
}

impl Atom {
    fn map(&self, text: &dyn Fn(&str) -> String) -> Self {
        Self { text: text(&self.text), ..self.clone() }
    }
}

impl Writer<'_> {
    /// A whole model, with costs if its steps are differentiated; its sets, and the models of its subs.
    pub(super) fn families(&mut self, varied: bool, exact: Exact, options: &Options) -> (Vec<Set>, Vec<String>) {
        let sets = self.sets();
        let (mut families, mut parts) = (Families::default(), Vec::new());
        if !varied {
            self.modes();
        }
        let mut beside = if self.chance(1, 2) { self.coordinates(1) } else { Frames::default() };
        if self.chance(1, 2) {
            self.inputs(1);
        }
        if self.chance(1, 3) {
            self.algebraic();
        }
        for set in &sets {
            if set.name == "nodes" || self.chance(1, 4) {
                self.moving(set, exact, &mut families);
            }
            if self.chance(1, 3) {
                self.evolving(set, &mut families);
            }
            if !varied && self.chance(1, 3) {
                self.switched(set, &mut families);
            }
            if self.chance(1, 3) {
                self.driven(set, &mut families);
            }
            if self.chance(1, 4) {
                self.solved(set, &mut families);
            }
            if self.chance(1, 3) {
                let (name, unit) = (self.name("p"), self.unit(D::LENGTH));
                self.items.insert(0, format!("param {name}[{}]: Vec3{unit} = vec3(0.4, -0.7, 0.3);", set.name));
                let text = format!("{name}[#]");
                let atom = Atom { text, dimension: D::LENGTH, reads: Reads::P, size: 3 };
                families.atoms.push((set.name.clone(), atom));
            }
        }
        if self.chance(1, 5) {
            parts.extend(self.subs(&Options { stem: "Cart", ..*options }, 0, &mut beside));
        }
        for stem in ["Leg", "Motor"] {
            if self.chance(1, 4) {
                let set = self.random.pick(&sets).clone();
                parts.extend(self.subs_of_members(&set, &Options { stem, ..*options }, &mut families));
            }
        }
        if !beside.flat.is_empty() {
            self.chain(&mut beside);
            self.energies(&beside);
            self.forces(&beside);
            self.starts(&beside);
            if !varied {
                self.events(&beside);
            }
        }
        self.laws();
        self.gravity();
        for set in &sets {
            if !set.of.is_empty() || self.chance(1, 3) {
                self.joined(set, exact, &mut families);
            }
            if !varied && self.chance(1, 2) {
                self.happening(set, &mut families);
            }
            if self.chance(1, 2) {
                self.observed(set, &mut families, varied);
            }
        }
        for _ in 0..self.random.below(3) {
            self.summed(&sets, &mut families);
        }
        if exact == Exact::States && self.chance(1, 3) {
            self.adding(&sets, &mut families);
        }
        (sets, parts)
    }

    /// An input of each member.
    fn driven(&mut self, set: &Set, families: &mut Families) {
        let (name, dimension) = (self.name("u"), *self.random.pick(&[D::ONE, D::ENERGY, D::LENGTH]));
        let unit = self.unit(dimension);
        self.say(format!("input {name}[{}]: Real{unit};", set.name));
        let atom = Atom { text: format!("{name}[#]"), dimension, reads: Reads::U, size: 1 };
        families.atoms.push((set.name.clone(), atom));
    }

    /// How a loop over a set names its members: its text, and the names.
    pub(super) fn names(&mut self, set: &Set, own: bool) -> (String, Indices) {
        let ends: Vec<&str> = ["i", "j", "k"][..set.of.len()].to_vec();
        let joined = ends.iter().zip(&set.of).map(|(end, of)| ((*end).to_owned(), of.clone()));
        let member = |name: &str| (name.to_owned(), set.name.clone());
        let tuple = if ends.len() == 1 { "i".to_owned() } else { format!("({})", ends.join(", ")) };
        let (pattern, names) = match self.random.below(4) {
            _ if ends.is_empty() => ("i".to_owned(), vec![member("i")]),
            0 if ends.len() > 1 => ("e".to_owned(), vec![member("e")]),
            1 if !own => (tuple, joined.collect()),
            _ => (format!("e @ {tuple}"), std::iter::once(member("e")).chain(joined).collect()),
        };
        (format!("for {pattern} in {} {{", set.name), names)
    }

    /// A loop, with what there is of the members that it names.
    pub(super) fn each(
        &mut self,
        (header, names): (String, Indices),
        families: &mut Families,
        body: impl FnOnce(&mut Self, &mut Families, Frames),
    ) {
        let (outside, atoms) = (std::mem::take(&mut self.items), self.atoms.len());
        let mut frames = Frames::default();
        for (index, set) in &names {
            let of = |list: &[(String, Atom)]| -> Vec<Atom> {
                list.iter().filter(|(of, _)| of == set).map(|(_, atom)| atom.map(&at(index))).collect()
            };
            self.atoms.extend(of(&families.atoms));
            self.parameters.extend(of(&families.parameters));
            families.frames.iter().filter(|(of, _)| of == set).for_each(|(_, own)| frames.and(own.map(&at(index))));
        }
        self.indices.clone_from(&names);
        body(self, families, frames);
        self.indices.clear();
        self.atoms.truncate(atoms);
        // parameters of members have other names in other loops
        let all = std::mem::take(&mut self.parameters);
        for parameter in all {
            let Some((name, index)) = parameter.text.strip_suffix(']').and_then(|text| text.split_once('[')) else {
                self.parameters.push(parameter);
                continue;
            };
            let set = names.iter().find(|(of, _)| of == index).map(|(_, set)| set.clone()).unwrap_or_default();
            let own = parameter.map(&|_| format!("{name}[#]"));
            if !families.parameters.iter().any(|(_, other)| other.text == own.text) {
                families.parameters.push((set, own));
            }
        }
        let inside = std::mem::replace(&mut self.items, outside);
        let declares = |item: &String| ["param ", "coord "].iter().any(|word| item.starts_with(word));
        let (declared, inside): (Vec<String>, Vec<String>) = inside.into_iter().partition(declares);
        declared.into_iter().for_each(|item| self.items.insert(0, item));
        if !inside.is_empty() {
            self.say(format!("{header}\n        {}\n    }}", inside.join("\n        ")));
        }
    }

    /// A coordinate of each member, with its inertia and more.
    fn moving(&mut self, set: &Set, exact: Exact, families: &mut Families) {
        let names = self.names(set, true);
        let own = names.1.iter().find(|(_, of)| *of == set.name).cloned();
        let index = own.clone().map_or_else(String::new, |(index, _)| format!("[{index}]"));
        self.each(names, families, |w, families, mut frames| {
            // what stands for each member may be read in other loops, which know no other names of this one
            let all = std::mem::replace(&mut w.indices, own.into_iter().collect());
            let (atoms, known) = (w.atoms.len(), std::mem::take(&mut w.parameters));
            let kind = *w.random.pick(&[0, 3, 3, 6, 7, 9, 10, 12, 14]);
            let mut found = Frames::default();
            w.coordinate(kind, &mut found);
            w.parameters.extend(known);
            w.indices = all;
            let declared = w.items.iter().find_map(|item| item.strip_prefix("coord ")?.split_once(": "));
            let words = declared.map_or_else(String::new, |(words, _)| words.to_owned());
            let words: Vec<&str> = words.trim_matches(['(', ')']).split(", ").collect();
            let of_member = |text: &str| {
                words.iter().fold(text.to_owned(), |text, word| renamed(&text, word, &format!("{word}{index}")))
            };
            for item in &mut w.items {
                *item = match item.strip_prefix("coord ").and_then(|rest| rest.split_once(": ")) {
                    Some((words, ty)) => format!("coord {words}[{}]: {ty}", set.name),
                    None => of_member(item),
                };
            }
            let canonical = |text: &str| text.replace(&index, "[#]");
            for atom in &mut w.atoms[atoms..] {
                *atom = atom.map(&of_member);
                families.atoms.push((set.name.clone(), atom.map(&canonical)));
            }
            let found = found.map(&of_member);
            families.frames.push((set.name.clone(), found.map(&canonical)));
            w.starts(&found);
            let guesses = w.items.iter().filter_map(|item| item.strip_prefix("guess ")?.split_once(" = "));
            w.guessed.extend(guesses.map(|(of, _)| canonical(of)));
            frames.and(found);
            w.loaded(frames, 6, exact);
        });
    }

    /// A state of each member, with its start and a part of its rate.
    fn evolving(&mut self, set: &Set, families: &mut Families) {
        let (z, dimension) = (self.name("z"), *self.random.pick(&[D::ONE, D::CURRENT, D::LENGTH]));
        let unit = self.unit(dimension);
        self.say(format!("state {z}[{}]: Real{unit};", set.name));
        let atom = Atom { text: format!("{z}[#]"), dimension, reads: Reads::Z, size: 1 };
        families.atoms.push((set.name.clone(), atom));
        let names = self.names(set, true);
        let own = names.1.iter().find(|(_, of)| *of == set.name).map_or_else(String::new, |(own, _)| own.clone());
        self.each(names, families, |w, _, _| {
            if w.chance(1, 2) {
                let start = w.scalar(dimension, Reads::P, 1);
                w.say(format!("init {z}[{own}] = {start};"));
            }
            w.flow(&format!("{z}[{own}]"), dimension);
        });
        families.states.push((set.name.clone(), z, dimension));
    }

    /// A part of a rate.
    fn flow(&mut self, z: &str, dimension: D) {
        let loads = self.loads();
        let rate = self.scalar(dimension.rate(), loads, 2);
        let sign = *self.random.pick(&["=", "=", "+=", "-="]);
        self.say(format!("der({z}) {sign} {rate};"));
    }

    /// What joins members.
    fn joined(&mut self, set: &Set, exact: Exact, families: &mut Families) {
        let names = self.names(set, false);
        self.each(names, families, |w, families, mut frames| {
            for (index, set) in w.indices.clone() {
                for (_, z, dimension) in families.states.iter().filter(|(of, ..)| *of == set) {
                    if w.chance(1, 2) {
                        w.flow(&format!("{z}[{index}]"), *dimension);
                    }
                }
                w.shares(&index, &set, families);
            }
            if exact == Exact::Conditions && w.chance(1, 2) {
                w.conditioned();
            }
            if exact == Exact::Plain && !frames.flat.is_empty() && w.chance(1, 3) {
                // what is exact in another loop holds over it
                let (x, dimension, n) = w.random.pick(&frames.flat).clone();
                let value = match n {
                    1 => w.scalar(dimension, Reads::P, 1),
                    n => w.vector(n, dimension, Reads::P, 1),
                };
                w.say(format!("guess {x} = {value};"));
            }
            // others may hold them too
            if w.indices.len() > 1 {
                frames.flat.clear();
            }
            w.loaded(frames, 3, exact);
        });
    }

    /// Frames, energies and forces; constraints once in `rarely`, where no exact starts leave less free.
    fn loaded(&mut self, mut frames: Frames, rarely: usize, exact: Exact) {
        if !self.atoms.iter().any(|atom| atom.reads.0 & Reads::Q.0 != 0) {
            return;
        }
        if self.chance(1, 3) {
            self.chain(&mut frames);
        }
        self.energies(&frames);
        self.forces(&frames);
        if exact == Exact::States && self.chance(1, rarely) {
            self.constraints(&frames);
        }
    }
}
