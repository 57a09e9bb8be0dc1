//! The builder of a model with sets: its setters, and how parameters and members become a model.

use std::fmt::Write as _;

use proc_macro2::{Literal, TokenStream};

use super::{Whole, field_of_set, field_of_set_named};
use crate::emit::code::Flavour;
use crate::emit::shapes::{indices, rust_type, rust_value};
use crate::families::{Length, Members};
use crate::model::Param;

/// Paths that names of the user cannot hide.
const SOME: &str = "::core::option::Option::Some";
const ERR: &str = "::core::result::Result::Err";

impl Whole<'_> {
    /// The builder's methods.
    pub(super) fn construction(&self) -> String {
        let (rt, ty, module, name) = (&self.cx.rt, self.ty(), &self.module, &self.name);
        let (reals, builder) = (self.cx.generics("Real"), format!("{module}::Builder"));
        let setters = self.set_setters() + &self.param_setters();
        let (sets, params) = (self.set_values(), self.param_values());
        let names: String = self.params().map(|(p, _)| format!("{}, ", p.declared.ident)).collect();
        let members: String = (self.a.family.sets.iter().enumerate())
            .map(|(k, set)| (field_of_set(set.name), if self.members(k).is_some() { ".into()" } else { "" }))
            .map(|(field, into)| format!("{field}: {field}{into}, "))
            .collect();
        let cast = self.cast();
        format!(
            "{cast}
            impl{lengths} {single} {{
                /// Starts from the defaults. This one is for f64; [`{module}::Builder::new`] is for any scalar.
                pub fn builder() -> {single_builder} {{ {module}::Builder::new() }}
            }}
            impl{reals} {block} {{
                {setters}
                /// The model, checked.
                ///
                /// # Errors
                /// A set or a parameter that is missing, a set of nothing, a tuple that names a member which does not
                /// exist or the same one twice, one that joins the same members as another, a parameter with another
                /// number of members than its set, or one that is not finite or breaks a `require`.
                pub fn build(self) -> ::core::result::Result<{ty}, {rt}::families::FamilyError> {{
                    {sets}
                    {params}
                    {topology}
                    let model = {name} {{
                        {names} {members}
                        __topology: ::std::sync::Arc::new(__topology), __scalar: ::core::marker::PhantomData
                    }};
                    <{ty} as {rt}::System>::check(&model)?;
                    ::core::result::Result::Ok(model)
                }}
            }}\n",
            lengths = self.cx.lengths(),
            single = self.cx.applied(name, "f64"),
            single_builder = self.cx.applied(&builder, "f64"),
            block = self.cx.applied(&builder, self.cx.real()),
            topology = self.topology(),
        )
    }

    /// The same model over another scalar, of a generic struct.
    fn cast(&self) -> String {
        let Flavour::Generic(t) = &self.cx.flavour else { return String::new() };
        let (rt, name, other) = (&self.cx.rt, &self.name, format!("{t}Other"));
        let mut fields = String::new();
        for (p, set) in self.params() {
            let (ident, shape) = (&p.declared.ident, &p.declared.shape);
            let value = |from: &str| {
                let mut scalars = indices(shape).into_iter().map(|index| format!("convert(&{from}{index})"));
                rust_value(shape, &mut scalars)
            };
            let _ = match set {
                None => write!(fields, "{ident}: {}, ", value(&format!("self.{ident}"))),
                Some(_) => {
                    let one = value("p");
                    write!(
                        fields,
                        "{ident}: self.{ident}.iter().map(|&p| {one}).collect::<::std::vec::Vec<_>>().into(), "
                    )
                }
            };
        }
        for set in &self.a.family.sets {
            let field = field_of_set(set.name);
            let _ = write!(fields, "{field}: self.{field}.clone(), ");
        }
        format!(
            "impl{reals} {ty} {{
                /// The same model over another scalar.
                pub fn cast<{other}: {rt}::Scalar>(&self) -> {cast} {{
                    let convert = |p: &{t}| <{other} as {rt}::Scalar>::from_f64(<{t} as {rt}::Real>::to_f64(*p));
                    {name} {{
                        {fields}
                        __topology: self.__topology.clone(), __scalar: ::core::marker::PhantomData
                    }}
                }}
            }}",
            reals = self.cx.generics("Real"),
            ty = self.ty(),
            cast = self.cx.applied(name, &other),
        )
    }

    /// Setters of sets: the number of members, or what each joins.
    fn set_setters(&self) -> String {
        let mut out = String::new();
        for (k, set) in self.a.family.sets.iter().enumerate() {
            let (ident, field, docs) = (set.name, field_of_set(set.name), self.about(set));
            let _ = match self.members(k) {
                None => writeln!(
                    out,
                    "#[doc = {about:?}] #[must_use]
                    pub fn {ident}(mut self, count: usize) -> Self {{ self.{field} = {SOME}(count); self }}",
                    about = format!("The number of members of `{ident}`. {docs}")
                ),
                Some(member) => writeln!(
                    out,
                    "#[doc = {about:?}] #[must_use]
                    pub fn {ident}(mut self, members: impl ::core::iter::IntoIterator<Item = {member}>) -> Self {{
                        self.{field} = {SOME}(members.into_iter().collect()); self
                    }}",
                    about = format!("The members of `{ident}`: what each joins, by number. {docs}")
                ),
            };
        }
        out
    }

    /// Setters of parameters.
    fn param_setters(&self) -> String {
        let mut out = String::new();
        for (p, set) in self.params() {
            let (ident, scaled) = (&p.declared.ident, self.scaled(p));
            let one = rust_type(&p.declared.shape, self.cx.real());
            let unit = if p.declared.unit.is_empty() { String::new() } else { format!(", in {}", p.declared.unit) };
            let _ = match set {
                None => writeln!(
                    out,
                    "#[doc = \"Sets `{ident}`{unit}.\"] #[must_use]
                    pub fn {ident}(mut self, value: {one}) -> Self {{ self.{ident} = {SOME}({scaled}); self }}"
                ),
                Some(set) => writeln!(
                    out,
                    "#[doc = \"Sets `{ident}` of each member of `{set}`{unit}.\"] #[must_use]
                    pub fn {ident}(mut self, values: impl ::core::iter::IntoIterator<Item = {one}>) -> Self {{
                        self.{ident} = {SOME}(values.into_iter().map(|value| {scaled}).collect()); self
                    }}"
                ),
            };
        }
        out
    }

    /// A value of a setter in SI.
    fn scaled(&self, p: &Param) -> String {
        if p.scale == 1.0 {
            return "value".to_owned();
        }
        let scale = self.cx.number(p.scale);
        let mut scalars = indices(&p.declared.shape).into_iter().map(|i| format!("value{i} * {scale}"));
        rust_value(&p.declared.shape, &mut scalars)
    }

    /// The statements that take members of sets, and their numbers.
    fn set_values(&self) -> String {
        let (rt, name) = (&self.cx.rt, &self.name);
        let mut out = String::new();
        for (k, set) in self.a.family.sets.iter().enumerate() {
            let (ident, field) = (set.name, field_of_set(set.name));
            let Some(member) = self.members(k) else {
                let length = match set.length {
                    None => "::core::option::Option::None".to_owned(),
                    Some(Length::Literal(count)) => format!("{SOME}({count})"),
                    Some(Length::Named(length)) => format!("{SOME}({length})"),
                };
                let _ = writeln!(
                    out,
                    "let {field} = {rt}::families::length(\"{name}\", \"{ident}\", self.{field}, {length})?;
                    let {field}_count = {field};"
                );
                continue;
            };
            let joined = set.of.first().and_then(|&of| self.set_name(of)).map(field_of_set_named);
            let absent = match (set.members, joined) {
                (Some(Members::Chain(_)), Some(of)) => format!("{rt}::families::chain({of}_count)"),
                (Some(Members::List(list)), _) => format!("<[{member}]>::to_vec(&[{}])", listed(list)),
                _ => {
                    let about = format!("{{ model: \"{name}\", set: \"{ident}\" }}");
                    format!("return {ERR}({rt}::families::FamilyError::NotGiven {about})")
                }
            };
            let _ = writeln!(
                out,
                "let {field} = match self.{field} {{ {SOME}(given) => given, _ => {absent} }};
                let {field}_count = {field}.len();"
            );
        }
        out
    }

    /// The statements that take parameters.
    fn param_values(&self) -> String {
        let (rt, name) = (&self.cx.rt, &self.name);
        let mut out = String::new();
        for (p, set) in self.params() {
            let (ident, shape) = (&p.declared.ident, &p.declared.shape);
            let default =
                p.default.as_ref().map(|numbers| rust_value(shape, &mut numbers.iter().map(|x| self.cx.number(*x))));
            let missing =
                format!("return {ERR}({rt}::BuildError::Missing {{ model: \"{name}\", param: \"{ident}\" }}.into())");
            let count = set.map(|set| format!("{}_count", field_of_set_named(set)));
            let absent = match (default, &count) {
                (None, _) => missing,
                (Some(value), None) => value,
                (Some(value), Some(count)) => format!("::std::vec![{value}; {count}]"),
            };
            let _ = writeln!(out, "let {ident} = match self.{ident} {{ {SOME}(given) => given, _ => {absent} }};");
            if let (Some(set), Some(count)) = (set, count) {
                let given = format!("\"{name}\", \"{ident}\", {ident}, \"{set}\", {count}");
                let _ = writeln!(out, "let {ident} = {rt}::families::PerMember::of({given})?;");
            }
        }
        out
    }
}

/// The members of a set as the builder takes them: `[0, 1], [1, 2]`, of a subset `0, 9`.
fn listed(list: &[(TokenStream, Vec<(usize, Literal)>)]) -> String {
    let one = |joined: &[(usize, Literal)]| match joined {
        [(only, _)] => only.to_string(),
        joined => format!("{:?}", joined.iter().map(|(member, _)| member).collect::<Vec<_>>()),
    };
    list.iter().map(|(_, joined)| one(joined)).collect::<Vec<_>>().join(", ")
}
