//! The statements that make the topology of a model with sets, from members and their numbers.

use std::fmt::Write as _;

use super::{Whole, field_of_set_named};
use crate::emit::{Emission, module_name};
use crate::families::{Element, Slot};
use crate::identifier::bare;

impl Whole<'_> {
    /// The statements; they leave it in `topology`.
    pub(super) fn topology(&self) -> String {
        let (rt, name, fields, parts) = (&self.cx.rt, &self.name, self.fields(), self.parts());
        format!(
            "let fields = [{fields}];
            let parts = ::std::vec![{parts}];
            let topology = {rt}::families::Topology::new(\"{name}\", {beside}::LAYOUT.u, &fields, parts)?;",
            beside = self.cx.module,
        )
    }

    /// The specification of each coordinate.
    fn fields(&self) -> String {
        let mut out = String::new();
        for (field, e) in self.a.family.fields.iter().zip(&self.a.fields) {
            let set = field.set.and_then(|set| self.set_name(set));
            let members = set.map_or_else(|| "1".to_owned(), |set| format!("{}_count", field_of_set_named(set)));
            let [q, v, directions, steps] = [&e.names.q, &e.names.v, &e.names.directions, &e.names.steps]
                .map(|names| templates(names, set.map(|_| "[0]")));
            let rotations: Vec<(usize, usize)> = e.program.motions.iter().filter_map(|m| m.rotation).collect();
            let _ = writeln!(
                out,
                "{rt}::families::FieldSpec {{
                    members: {members}, q: {q}, v: {v}, directions: {directions}, steps: {steps},
                    rotations: &{rotations:?},
                }},",
                rt = self.cx.rt,
            );
        }
        out
    }

    /// The specification of each part.
    fn parts(&self) -> String {
        let rt = &self.cx.rt;
        let mut out = String::new();
        for (e, element) in self.a.elements.iter().zip(&self.a.family.elements) {
            let (mut set, mut members) = ("", "1".to_owned());
            let (mut width, mut tuples) = (0, "::std::vec::Vec::new()".to_owned());
            if let Some((k, name)) = element.set.and_then(|k| Some((k, self.set_name(k)?))) {
                let (of, field) = (self.a.family.sets.get(k).map_or(0, |set| set.of.len()), field_of_set_named(name));
                (set, members, width) = (name, format!("{field}_count"), of + 1);
                tuples = match of {
                    0 => format!("{rt}::families::numbered({field}_count)"),
                    1 => format!("{rt}::families::tuples({field}.iter().map(|&one| [one]))"),
                    _ => format!("{rt}::families::tuples({field}.iter().copied())"),
                };
            }
            let [constraints, multipliers] = self.rows(e, element);
            let _ = writeln!(
                out,
                "{rt}::families::PartSpec {{
                    set: \"{set}\", constraints: {constraints}, multipliers: {multipliers}, layout: {module}::LAYOUT,
                    slots: <{ty} as {rt}::families::Element<{whole}>>::SLOTS,
                    members: {members}, width: {width}, tuples: {tuples},
                }},",
                module = module_name(&e.model.header.name.to_string()),
                ty = self.element_type(e),
                whole = self.ty(),
            );
        }
        out
    }

    /// Names of rows and of multipliers: a label with the number of the member, what is held with that of its owner.
    fn rows(&self, e: &Emission<'_>, element: &Element) -> [String; 2] {
        let label = element.set.map(|_| element.suffix.as_str());
        let names = e.names.constraints.iter().zip(&e.names.multipliers);
        let (rows, multipliers): (Vec<String>, Vec<String>) = names
            .map(|(row, multiplier)| {
                self.held(element, row, multiplier)
                    .unwrap_or_else(|| (template(row, label), template(multiplier, label)))
            })
            .unzip();
        [rows, multipliers].map(|names| format!("&{names:?}"))
    }

    /// `fix x[0].y` and its multiplier, of a member that the loop names.
    fn held(&self, element: &Element, row: &str, multiplier: &str) -> Option<(String, String)> {
        let (name, rest) = row.strip_prefix("fix ")?.split_once('[')?;
        let (entry, rest) = rest.split_once(']')?;
        let of_it = |slot: &&Slot| self.a.family.fields.get(slot.field).is_some_and(|field| bare(&field.name) == name);
        let end = element.slots.iter().filter(of_it).nth(entry.parse().ok()?)?.end?;
        let read = multiplier.replacen(&format!("fix_{name}_{entry}"), &format!("fix_{name}_#{end}"), 1);
        Some((format!("fix {name}[#{end}]{rest}"), read))
    }
}

/// Names with `[#]` in place of what the element's text has there.
fn templates(names: &[String], of_one: Option<&str>) -> String {
    format!("&{:?}", names.iter().map(|name| template(name, of_one)).collect::<Vec<_>>())
}

fn template(name: &str, of_one: Option<&str>) -> String {
    of_one.map_or_else(|| name.to_owned(), |one| name.replacen(one, "[#]", 1))
}
