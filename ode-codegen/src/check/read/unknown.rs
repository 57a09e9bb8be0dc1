//! What an unknown name was meant to be.

use proc_macro2::Ident;
use syn::{Expr, Member};

use super::reader::Reader;
use crate::check::names::Sort;
use crate::diagnostics::{Id, Message, listed, location, similar, with_article};
use crate::model::Coordinate;
use crate::parse::words::{is_item, item_words};

/// What other texts write before and behind the name of what changes, for its rate and the rate of that.
const RATES: [(&str, &str, bool); 24] = [
    ("", "\u{307}", false),
    ("", "\u{308}", true),
    ("", "_dot", false),
    ("", "dot", false),
    ("", "_d", false),
    ("", "_t", false),
    ("", "_rate", false),
    ("", "_vel", false),
    ("d", "", false),
    ("d_", "", false),
    ("v", "", false),
    ("v_", "", false),
    ("w_", "", false),
    ("vel_", "", false),
    ("omega_", "", false),
    ("", "_ddot", true),
    ("", "ddot", true),
    ("", "_dd", true),
    ("", "_tt", true),
    ("", "_acc", true),
    ("dd", "", true),
    ("d2", "", true),
    ("a_", "", true),
    ("acc_", "", true),
];

/// What other texts call a velocity, or all of them.
const VELOCITIES: [&str; 11] = ["v", "w", "omega", "vel", "velocity", "speed", "rate", "qd", "dq", "qdot", "q_dot"];

/// What other texts call a velocity behind its coordinate: `x.dot`.
const RATE_FIELDS: [&str; 8] = ["dot", "d", "der", "dt", "v", "vel", "velocity", "speed"];

impl Reader<'_> {
    /// M0101 with what is known about the name.
    pub(super) fn unknown_name(&self, ident: &Ident, name: &str) -> Message {
        let message = Message::new(Id::M0101, ident, format!("cannot find `{name}` in this model"));
        if let Some(word) = self.labelling(name) {
            return of_item(message, name, word);
        }
        if let Some(rate) = self.rate_meant(name) {
            return message.help(rate);
        }
        if let Some(near) = similar(name, self.in_scope()) {
            return match self.global(near) {
                Some(global) => {
                    let (sort, place) = (with_article(global.sort.word()), location(global.ident.span()));
                    message.help(format!("{sort} with a similar name exists: `{near}` (declared at {place})"))
                }
                None => message.help(format!("a name here is similar: `{near}`")),
            };
        }
        match name {
            _ if self.starts(name) => {
                let none = || "only coordinates and their velocities start somewhere".to_owned();
                message.help(self.velocity_meant(name).unwrap_or_else(none))
            }
            "pi" | "Pi" => message.help("did you mean `PI`?"),
            "T" | "time" => message.help("did you mean `t`, the time?"),
            "e" | "E" => message.help("the exponential function is `exp(x)`"),
            "kinetic" | "potential" | "dissipation" | "energy" | "energies" | "total_energy" => {
                of_item(message, name, "kinetic")
            }
            "dt" => message.help("a time derivative is `der(x)`"),
            "self" => message.help("names of a model stand by themselves: `m`, not `self.m`"),
            _ => {
                let velocity = if VELOCITIES.contains(&name) { self.velocity_meant(name) } else { None };
                let unit = self.unit_meant(name);
                let listed = listed(name, self.values_in_scope()).map(|names| format!("names here are {names}"));
                message
                    .maybe_help(is_item(name).then(|| format!("`{name}` begins an item and is no value")))
                    .maybe_help(self.swapped(name))
                    .maybe_help(velocity)
                    .maybe_help(unit)
                    .maybe_help(listed)
                    .help(format!("declare it: `param {name}: Real = 1.0;` or `let {name} = ..;`"))
            }
        }
    }

    /// Names of values in scope, as [`Reader::in_scope`].
    fn values_in_scope(&self) -> impl Iterator<Item = &str> {
        let position = self.here.place.position;
        let value = move |name: &&str| match self.global(name) {
            _ if self.here.local(name).is_some() => true,
            Some(global) => match global.sort {
                Sort::Output | Sort::Function | Sort::Sub | Sort::Broken => false,
                Sort::Let | Sort::List => global.item < position,
                _ => true,
            },
            None => false,
        };
        self.in_scope().filter(value)
    }

    /// The item that has this name as its label.
    fn labelling(&self, name: &str) -> Option<&'static str> {
        let key = self.key(name);
        item_words().find(|word| self.names.labels.contains_key(&(*word, key.clone())))
    }

    /// How a unit is written, if an unknown name is one.
    pub(super) fn unit_meant(&self, name: &str) -> Option<String> {
        let is_unit = !self.is_declared(name)
            && self.scope().units.find(name).is_some()
            && (self.scope().measured || name.len() > 1);
        let form = || format!("a unit follows its number, `2.0{name}`; a compound one has brackets, `Real [m/s^2]`");
        is_unit.then(form)
    }

    /// `force x on f`, where `x` is known and `f` is not.
    fn swapped(&self, name: &str) -> Option<String> {
        let (word, label) = self.here.place.item.split_once(' ').filter(|(w, _)| matches!(*w, "force" | "torque"))?;
        let known = self.global(label).is_some_and(|g| matches!(g.sort, Sort::Coord | Sort::Let));
        known.then(|| format!("the name comes first: `{word} {name} on {label} = ..;`"))
    }

    /// Whether an `init` or `guess` is for this name.
    fn starts(&self, name: &str) -> bool {
        let item = &self.here.place.item;
        item.strip_prefix("init ").or_else(|| item.strip_prefix("guess ")) == Some(name)
    }

    /// How a velocity is written, at the first coordinate whose velocity has no name.
    fn velocity_meant(&self, name: &str) -> Option<String> {
        let q = &self.declared.coordinates.iter().find(|q| q.velocity.is_none())?.declared.ident;
        Some(format!("a velocity is `der({q})`; or name it: `coord ({q}, {name})`"))
    }

    /// `th_dot`, `dth`, `th_ddot`: how a rate is written, if the rest of the name changes.
    fn rate_meant(&self, name: &str) -> Option<String> {
        RATES.iter().find_map(|(before, behind, second)| {
            let of = name.strip_prefix(before)?.strip_suffix(behind)?;
            self.rate_of(of, *second)
        })
    }

    /// How the rate of a coordinate or a state is written, or the rate of that.
    fn rate_of(&self, name: &str, second: bool) -> Option<String> {
        let coordinate = self.declared.coordinates.iter().find(|q| q.declared.ident == name);
        let velocity = coordinate.and_then(|q| q.velocity.as_ref());
        Some(match (self.global(name)?.sort, second, velocity) {
            (Sort::State, false, _) => format!("the rate of `{name}` is `der({name})`"),
            (Sort::Coord, false, None) => format!("the velocity of `{name}` is `der({name})`"),
            (Sort::Coord, false, Some(v)) => format!("the velocity of `{name}` is `{v}`"),
            (Sort::Coord, true, _) => format!("the acceleration of `{name}` is `der2({name})`, known in an `output`"),
            _ => return None,
        })
    }

    /// Adds whose velocity this is, where its name stands beside that of its coordinate and may have been meant as a
    /// position.
    pub(crate) fn paired(&self, message: Message, written: &Expr) -> Message {
        let Expr::Path(path) = written else { return message };
        let is_rate = |q: &&Coordinate| q.velocity.as_ref() == path.path.get_ident() && q.rate == q.declared.shape;
        let pair = self.declared.coordinates.iter().find(is_rate);
        let Some((q, v)) = pair.and_then(|q| Some((&q.declared.ident, q.velocity.as_ref()?))) else { return message };
        message
            .note(format!("`coord ({q}, {v})` declares `{q}` and its velocity `{v}`"))
            .help(format!("two positions are `coord {q}, {v}: Real;`, or entries of one vector: `coord r: Vec2;`"))
    }

    /// `self.m`, `q.th`, `v.th`: a known name behind an unknown one.
    pub(super) fn qualified(&self, base: &Expr, member: &Member) -> Option<Message> {
        let (Expr::Path(path), Member::Named(member)) = (base, member) else { return None };
        let (of, name) = (path.path.get_ident()?, member.to_string());
        let whole = of.to_string();
        if self.is_declared(&whole) {
            return None;
        }
        self.global(&name)?;
        let rate = if VELOCITIES.contains(&whole.as_str()) { self.rate_of(&name, false) } else { None };
        Some(
            Message::new(Id::M0101, of, format!("cannot find `{whole}` in this model"))
                .note("the names of a model stand by themselves")
                .help(rate.unwrap_or_else(|| format!("write `{name}`"))),
        )
    }
}

/// Help for a word or label of an item where a value is meant.
fn of_item(message: Message, name: &str, word: &str) -> Message {
    match word {
        "constraint" => message.help(format!("`{name}` is a constraint; its multiplier is `{name}.lambda`")),
        "kinetic" | "potential" | "dissipation" => message
            .help("the model's method `energy` gives its energies: `model.energy(state.point())`")
            .help("to output one, name its value: `let e = ..; kinetic = e; output y = e;`"),
        "force" | "torque" => message
            .help("the model's method `power` gives the power of forces: `model.power(state.point())`")
            .help("to output one, name its value: `let f = ..; force drive on x = f; output y = f;`"),
        _ => message.help(format!("`{name}` is the name of a `{word}`; name a value by `let`")),
    }
}

/// `x.dot`: how the rate of a number is written.
pub(in crate::check::read) fn rate_behind(of: &str, field: &str) -> Option<String> {
    RATE_FIELDS.contains(&field).then(|| format!("its rate is `der({of})`"))
}
