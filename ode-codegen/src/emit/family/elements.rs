//! The elements of a model with sets: how each is made from the whole, and where its numbers go.

use std::fmt::Write as _;

use super::Whole;
use crate::emit::code::Flavour;
use crate::emit::shapes::rust_value;
use crate::emit::{Emission, Purpose, picture};
use crate::families::{Element, Outputs, Slot};
use crate::lower::Call;
use crate::model::Param;

impl Whole<'_> {
    /// The coordinates of an element.
    pub(super) fn element(&self, out: &mut String, e: &Emission<'_>, element: &Element) {
        let (rt, bound) = (&self.cx.rt, self.cx.generics("Scalar"));
        let slots = &element.slots;
        let spelled: String = slots
            .iter()
            .map(|slot| {
                let sizes = |field: &Emission<'_>| [field.model.nq(), field.model.nv(), field.model.nz()];
                let [q, v, z] = self.a.fields.get(slot.field).map_or([0; 3], sizes);
                let (field, end) = (slot.field, option(slot.end));
                format!("{rt}::families::Slot {{ field: {field}, end: {end}, q: {q}, v: {v}, z: {z} }}, ")
            })
            .collect();
        let ty = self.element_type(e);
        let spoken = |[q, v, z]: &[Vec<usize>; 3]| format!("[&{q:?}, &{v:?}, &{z:?}]");
        let (columns, own) = self.columns(e, slots);
        // a sub's own starts give way to the parent's
        let exact = if element.is_of_sub { Default::default() } else { e.program.exact.clone() };
        let _ = writeln!(
            out,
            "impl{bound} {rt}::families::Element<{whole}> for {ty} {{
                type LawJacobian = [Self::Real; {laws}];
                const WIDTH: usize = {width};
                #[inline(always)]
                fn of(whole: &{whole}, n: &[u32]) -> Self {{ {at} }}
                const SLOTS: &'static [{rt}::families::Slot] = &[{spelled}];
                const CHECKED: bool = {checked};
                const GUESSED: [&'static [usize]; 3] = {guessed};
                const EXACT: [&'static [usize]; 3] = {exact};
                #[inline(always)]
                fn write_columns<const OWN: bool, const ADDS: bool>(block: usize, tangent: &Self::Tangent,
                    rows: &[u32], height: usize, to: &mut [Self::Real]) {{
                    {columns}
                }}
                #[inline(always)]
                fn add_own(block: usize, tangent: &Self::Tangent, to: &mut Self::Tangent) {{ {own} }}
                {sums}
                {picture}
            }}",
            laws = e.program.get(Call::Algebraic).map_or(0, |kernel| kernel.len("jacobian")),
            guessed = spoken(&e.program.guessed),
            exact = spoken(&exact),
            sums = self.take_sums(e, element),
            picture = picture::of_element(&self.of_part(e, Purpose::Element)),
            checked = !e.model.requires.is_empty(),
            whole = self.ty(),
            at = self.at(e, element, "whole"),
            width = element.set.and_then(|set| self.a.family.sets.get(set)).map_or(0, |set| set.of.len() + 1),
        );
    }

    /// The statements that write an element's columns, block by block, and those that add what a block has of its own.
    fn columns(&self, e: &Emission<'_>, slots: &[Slot]) -> (String, String) {
        let Some(pattern) = e.program.pattern("TANGENT").filter(|_| !slots.is_empty()) else {
            return Default::default();
        };
        let width = |field: &Emission<'_>| field.model.nv() + field.model.nz();
        let widths = slots.iter().map(|slot| self.a.fields.get(slot.field).map_or(0, width));
        let widths: Vec<usize> = widths.chain([e.model.nc()]).collect();
        let starts: Vec<usize> =
            widths.iter().scan(0, |sum, width| Some(std::mem::replace(sum, *sum + width))).collect();
        let zero = self.cx.number(0.0);
        let equal = equal_entries(e);
        let mut columns =
            format!("let &[{}] = rows else {{ return }}; match block {{\n", numbered("row", widths.len()));
        let mut own = "match block {\n".to_owned();
        for (block, (&first, &width)) in starts.iter().zip(&widths).enumerate() {
            let _ = writeln!(columns, "{block} => {{");
            let _ = writeln!(own, "{block} => {{");
            let place = |row: usize, column: usize| {
                let (from, to) = (pattern.starts[column], pattern.starts[column + 1]);
                (from..to).find(|&place| pattern.indices[place] == row)
            };
            let all = || first..first + width;
            let rows = |of: usize| starts[of]..starts[of] + widths[of];
            let mut added = Vec::new();
            for place in all().flat_map(|column| rows(block).filter_map(move |row| place(row, column))) {
                if !added.iter().any(|&other| equal(other, place)) {
                    let _ = write!(own, "to[{place}] += tangent[{place}]; ");
                    added.push(place);
                }
            }
            // the whole has all entries of a coupling, and the first who writes there writes them all
            let is_coupled = |&of: &usize| all().any(|column| rows(of).any(|row| place(row, column).is_some()));
            let coupled: Vec<usize> = (0..widths.len()).filter(is_coupled).collect();
            for column in all() {
                columns.push_str("let Some((column, to)) = to.split_at_mut_checked(height) else { return };\n");
                for &of in &coupled {
                    let one = |place| added.iter().copied().find(|&other| of == block && equal(other, place));
                    let entry = |row| {
                        place(row, column)
                            .map_or_else(|| zero.clone(), |place| format!("tangent[{}]", one(place).unwrap_or(place)))
                    };
                    let entries: Vec<String> = rows(of).map(entry).collect();
                    let _ = writeln!(
                        columns,
                        "if OWN == {is_own} {{ {rt}::families::put::<_, ADDS, _>(column, row{of}, [{entries}]); }}",
                        rt = self.cx.rt,
                        is_own = of == block,
                        entries = entries.join(", "),
                    );
                }
            }
            columns.push_str("}\n");
            own.push_str("}\n");
        }
        (columns + "_ => {} }", own + "_ => {} }")
    }

    /// The parameters of an element that are sums.
    fn sums<'m>(&self, e: &'m Emission<'_>, element: &Element) -> &'m [Param] {
        let before = element.given.len() + e.model.header.counts.len();
        let sums = e.model.declared.params.get(before..).unwrap_or_default();
        if element.outputs == Outputs::OfSums { sums } else { &[] }
    }

    /// The method that sets the sums which outputs read.
    fn take_sums(&self, e: &Emission<'_>, element: &Element) -> String {
        let (mut at, mut out) = (0, String::new());
        for sum in self.sums(e, element) {
            let mut sums = (at..).map(|k| format!("sums[{k}]"));
            let _ = writeln!(out, "self.{} = {};", sum.declared.ident, rust_value(&sum.declared.shape, &mut sums));
            at += sum.declared.shape.len();
        }
        if out.is_empty() {
            return out;
        }
        let guard = format!("let Some(sums) = sums.first_chunk::<{at}>() else {{ return }};");
        format!("fn take_sums(&mut self, sums: &[Self::Real]) {{ {guard} {out} }}")
    }

    /// The struct literal of an element at a tuple `n`, with members of families in lists.
    pub(super) fn at(&self, e: &Emission<'_>, element: &Element, whole: &str) -> String {
        let mut fields = String::new();
        for given in &element.given {
            let (own, name) = (&given.own, &given.name);
            let of = |ends: &Vec<usize>| {
                let members = ends.iter().map(|end| format!("{whole}.{name}[n[{end}] as usize]"));
                members.collect::<Vec<_>>().join(", ")
            };
            let value = given.ends.as_ref().map_or_else(|| format!("{whole}.{name}"), of);
            let value = if given.listed { format!("[{value}]") } else { value };
            let _ = write!(fields, "{own}: {value}, ");
        }
        for sum in self.sums(e, element) {
            let zeros = rust_value(&sum.declared.shape, &mut std::iter::repeat_with(|| self.cx.number(0.0)));
            let _ = write!(fields, "{}: {zeros}, ", sum.declared.ident);
        }
        for name in &e.model.header.counts {
            let (rt, real) = (&self.cx.rt, self.cx.real());
            let _ = write!(fields, "{name}: <{real} as {rt}::Scalar>::from_f64({name} as f64), ");
        }
        if e.model.declared.params.is_empty() && self.cx.flavour != Flavour::Concrete {
            fields.push_str("__scalar: ::core::marker::PhantomData");
        }
        format!("{} {{ {fields} }}", e.model.header.name)
    }

    /// The statements that show each part to what works on them.
    pub(super) fn parts_shown(&self) -> String {
        let parts = self.a.elements.iter().enumerate();
        parts.map(|(k, e)| format!("work.part::<{}>({k});\n", self.element_type(e))).collect()
    }

    /// The parts and fields, shown to what works on them.
    pub(super) fn composite(&self) -> String {
        let (rt, bound, ty) = (&self.cx.rt, self.cx.generics("Scalar"), self.ty());
        let (parts, mut fields) = (self.parts_shown(), String::new());
        let is_coordinate = |(k, _): &(usize, _)| self.a.family.fields.get(*k).is_some_and(|field| !field.is_state);
        for (k, e) in self.a.fields.iter().enumerate().filter(is_coordinate) {
            let scalar =
                if self.cx.flavour == Flavour::Concrete { "" } else { "__scalar: ::core::marker::PhantomData" };
            let _ = writeln!(fields, "work.field({k}, &{} {{ {scalar} }});", e.model.header.name);
        }
        format!(
            "impl{bound} {rt}::families::Composite for {ty} {{
                fn topology(&self) -> &{rt}::families::Topology {{ &self.__topology }}
                fn each_part<__W: {rt}::families::OnParts<Self>>(work: &mut __W) {{ {parts} }}
                fn each_field<__W: {rt}::families::OnFields<Self>>(&self, work: &mut __W) {{ {fields} }}
            }}\n"
        )
    }
}

/// Says of two entries of an element's tangent whether one value is both, whatever Newton's iterations add: of a
/// symmetric block half is added up.
fn equal_entries(e: &Emission<'_>) -> impl Fn(usize, usize) -> bool {
    let written = e.program.get(Call::Tangent).map_or_else(Vec::new, |kernel| kernel.written("tangent"));
    let shares = &e.program.newton.shares;
    let more = |place: usize| {
        let own = shares.iter().filter(move |share| share.place == place);
        own.map(|share| (share.value, share.factor.to_bits())).collect::<Vec<_>>()
    };
    move |a, b| {
        let at = |place: usize| written.get(place).copied().flatten();
        a == b || (at(a).is_some() && at(a) == at(b) && more(a) == more(b))
    }
}

/// `row0, row1`
fn numbered(name: &str, count: usize) -> String {
    (0..count).map(|k| format!("{name}{k}")).collect::<Vec<_>>().join(", ")
}

/// `Some(2)` as it is spelled.
pub(super) fn option(value: Option<usize>) -> String {
    value.map_or_else(|| "::core::option::Option::None".to_owned(), |v| format!("::core::option::Option::Some({v})"))
}
