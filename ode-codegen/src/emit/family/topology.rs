//! The statements that make the topology of a model with sets, from members and their numbers.

use std::fmt::Write as _;

use proc_macro2::Ident;

use super::elements::option;
use super::{Whole, field_of_set_named};
use crate::describe::Units;
use crate::emit::{Emission, Purpose, module_name, optimizable, picture, sensitive};
use crate::families::{Element, Given, Slot};
use crate::identifier::bare;
use crate::model::{Declared, Output};

impl Whole<'_> {
    /// The statements; they leave it in `__topology`, beside locals with names of the user's.
    pub(super) fn topology(&self) -> String {
        let (rt, name) = (&self.cx.rt, &self.name);
        let (fields, params, parts) = (self.fields(), self.param_specs(), self.parts());
        format!(
            "let __fields = [{fields}];
            let __params = [{params}];
            let __parts = ::std::vec![{parts}];
            let __topology =
                {rt}::families::Topology::new(\"{name}\", [&[{inputs}], &[{modes}]], &__fields, &__params, __parts)?;",
            inputs = self.inputs(),
            modes = self.modes(),
        )
    }

    /// The number of members of a set, as the builder knows it.
    fn count(&self, set: Option<usize>) -> String {
        let set = set.and_then(|set| self.set_name(set));
        set.map_or_else(|| "1".to_owned(), |set| format!("{}_count", field_of_set_named(set)))
    }

    /// The specification of each coordinate.
    fn fields(&self) -> String {
        let mut out = String::new();
        for (field, e) in self.a.family.fields.iter().zip(&self.a.fields) {
            let template = |name: &String| field.template(name);
            let [q, v, z, directions, steps] =
                [&e.names.q, &e.names.v, &e.names.z, &e.names.directions, &e.names.steps]
                    .map(|names| list(names.iter().map(template)));
            let rotations: Vec<(usize, usize)> = e.program.motions.iter().filter_map(|m| m.rotation).collect();
            let units = Units::of(e.model);
            let _ = writeln!(
                out,
                "{rt}::families::FieldSpec {{
                    members: {members}, q: {q}, v: {v}, z: {z}, directions: {directions}, steps: {steps},
                    algebraic: {algebraic}, rotations: &{rotations:?}, turnings: &[{turnings}],
                    units: [{of_q}, {of_v}, {of_a}, {of_z}],
                }},",
                rt = self.cx.rt,
                turnings = sensitive::turning_list(&self.of_part(e, Purpose::Field)),
                members = self.count(field.set),
                algebraic = field.is_algebraic,
                of_q = list(units.q),
                of_v = list(units.v),
                of_a = list(units.a),
                of_z = list(units.z),
            );
        }
        out
    }

    /// The specification of each input.
    fn inputs(&self) -> String {
        let shown = |declared: &Declared, set: Option<usize>| bare(&declared.ident) + set.map_or("", |_| "[#0]");
        let inputs = self.input_sets().map(|(input, set)| (&input.declared, shown(&input.declared, set), set));
        self.given_specs(inputs, Units::of(self.cx.e.model).u)
    }

    /// The specification of each mode.
    fn modes(&self) -> String {
        let shown = |declared: &Declared| self.a.params.shown(&declared.ident);
        let modes = self.mode_sets().map(|(mode, set)| (&mode.declared, shown(&mode.declared), set));
        self.given_specs(modes, Units::of(self.a.params).modes)
    }

    /// The specification of each of these, with what is shown of it and its set.
    fn given_specs<'d>(
        &self,
        all: impl Iterator<Item = (&'d Declared, String, Option<usize>)>,
        units: Vec<String>,
    ) -> String {
        let (mut out, mut units) = (String::new(), units.into_iter());
        for (declared, shown, set) in all {
            let names = declared.shape.suffixes().into_iter().map(|suffix| format!("{shown}{suffix}"));
            let names: Vec<String> = names.collect();
            let _ = writeln!(
                out,
                "{rt}::families::InputSpec {{ members: {members}, names: {list}, units: {units} }},",
                rt = self.cx.rt,
                members = self.count(set),
                units = list(units.by_ref().take(names.len())),
                list = list(names.iter().cloned()),
            );
        }
        out
    }

    /// The specification of each parameter.
    fn param_specs(&self) -> String {
        let mut out = String::new();
        for (p, &set) in self.a.params.declared.params.iter().zip(&self.a.family.over.params) {
            let shown = self.a.params.shown(&p.declared.ident);
            let names = list(p.declared.shape.suffixes().into_iter().map(|suffix| format!("{shown}{suffix}")));
            let _ = writeln!(
                out,
                "{rt}::families::ParamSpec {{ members: {members}, names: {names}, unit: ({unit:?}, {scale:?}) }},",
                rt = self.cx.rt,
                members = self.count(set),
                unit = p.declared.unit,
                scale = p.scale,
            );
        }
        out
    }

    /// The specification of each part.
    fn parts(&self) -> String {
        let rt = &self.cx.rt;
        let mut out = String::new();
        for (e, element) in self.a.elements.iter().zip(&self.a.family.elements) {
            let (mut set, mut width, mut tuples) = ("", 0, "::std::vec::Vec::new()".to_owned());
            if let Some((k, name)) = element.set.and_then(|k| Some((k, self.set_name(k)?))) {
                let (of, field) = (self.a.family.sets.get(k).map_or(0, |set| set.of.len()), field_of_set_named(name));
                (set, width) = (name, of + 1);
                tuples = match of {
                    0 => format!("{rt}::families::numbered({field}_count)"),
                    1 => format!("{rt}::families::tuples({field}.iter().map(|&one| [one]))"),
                    _ => format!("{rt}::families::tuples({field}.iter().copied())"),
                };
            }
            let units = Units::of(e.model);
            let names = e.names.constraints.iter().zip(&e.names.multipliers);
            let (constraints, multipliers): (Vec<String>, Vec<String>) =
                names.map(|(row, multiplier)| self.row(element, row, multiplier).into()).unzip();
            let _ = writeln!(
                out,
                "{rt}::families::PartSpec {{
                    form: {rt}::families::Form {{
                        set: \"{set}\", constraints: {constraints}, shared: {shared}, multipliers: {multipliers},
                        outputs: &[{outputs}],
                        starts: [{positions}, {velocities}], events: {events}, limits: {limits},
                        costs: {costs}, squares: {squares},
                        shown: {rt}::families::Outputs::{shown:?}, figures: {figures}, layout: {module}::LAYOUT,
                        slots: <{ty} as {rt}::families::Element<{whole}>>::SLOTS,
                        given: &[{given}], inputs: &[{inputs}], modes: &[{modes}],
                    }},
                    members: {members}, width: {width}, tuples: {tuples},
                }},",
                constraints = list(constraints),
                shared = option(element.shared),
                multipliers = named(multipliers.into_iter(), &units.multipliers),
                outputs = self.outputs(e, element, &units.y),
                positions = list(e.names.init_position.iter().map(|name| element.start(name))),
                velocities = list(e.names.init_velocity.iter().map(|name| element.start(name))),
                events = list(e.program.events.iter().map(|event| element.template(&event.label))),
                limits = list(e.names.limits.iter().map(|name| element.template(name))),
                costs = list(e.model.observed.costs.iter().map(|cost| element.plain(&cost.name))),
                squares = list(optimizable::square_names(e.model).map(|name| element.template(&name))),
                shown = element.outputs,
                figures = picture::list(rt, e.model.observed.picture.as_deref().unwrap_or_default(), &|name| element
                    .template(name),),
                module = module_name(&e.model.header.name.to_string()),
                ty = self.element_type(e),
                whole = self.ty(),
                given = self.given(&element.given, |name| {
                    self.a.params.declared.params.iter().position(|p| p.declared.ident == *name)
                }),
                inputs = self.given(&element.inputs, |name| {
                    self.input_sets().position(|(input, _)| input.declared.ident == *name)
                }),
                modes = self.given(&element.modes, |name| {
                    self.mode_sets().position(|(mode, _)| mode.declared.ident == *name)
                }),
                members = self.count(element.set),
            );
        }
        out
    }

    /// Names and units of each output of an element.
    fn outputs(&self, e: &Emission<'_>, element: &Element, units: &[String]) -> String {
        let of = |output: &Output| {
            let range = output.declared.first..output.declared.first + output.declared.shape.len();
            let names = e.names.y.get(range.clone()).unwrap_or_default().iter();
            let names = names.map(|name| element.template(name));
            named(names, units.get(range).unwrap_or_default()) + ", "
        };
        e.model.observed.outputs.iter().map(of).collect()
    }

    /// Where the parameters, inputs or modes of an element come from.
    fn given(&self, all: &[Given], number: impl Fn(&Ident) -> Option<usize>) -> String {
        let mut out = String::new();
        for given in all {
            let ends = given.ends.as_ref().map_or_else(
                || "::core::option::Option::None".to_owned(),
                |ends| format!("::core::option::Option::Some(&{ends:?})"),
            );
            let _ = write!(
                out,
                "{rt}::families::Given {{ of: {of}, ends: {ends} }}, ",
                rt = self.cx.rt,
                of = number(&given.name).unwrap_or_default(),
            );
        }
        out
    }

    /// The names of a row and of its multiplier. What holds `x[1]` is named after the member that stands there, `fix
    /// x[#2]`.
    fn row(&self, element: &Element, row: &str, multiplier: &str) -> [String; 2] {
        let held = || {
            let (name, rest) = row.strip_prefix("fix ")?.split_once('[')?;
            let (place, rest) = rest.split_once(']')?;
            let of_it =
                |slot: &&Slot| self.a.family.fields.get(slot.field).is_some_and(|field| bare(&field.name) == name);
            let number = place.parse().ok()?;
            let of_field = || element.slots.iter().filter(of_it).nth(number)?.end;
            let end = element.member(name, number).or_else(of_field)?;
            let read = multiplier.replacen(&format!("fix_{name}_{place}"), &format!("fix_{name}_#{end}"), 1);
            Some([format!("fix {name}[#{end}]{rest}"), read])
        };
        held().unwrap_or_else(|| [row, multiplier].map(|name| element.template(name)))
    }
}

/// `&["x", "y"]`
fn list(names: impl IntoIterator<Item = String>) -> String {
    format!("&{:?}", names.into_iter().collect::<Vec<_>>())
}

/// `&[("x", "m"), ("y", "m")]`
fn named(names: impl Iterator<Item = String>, units: &[String]) -> String {
    let units = units.iter().map(String::as_str).chain(std::iter::repeat(""));
    format!("&{:?}", names.zip(units).collect::<Vec<_>>())
}
