//! The expansion of a model with sets: its elements, hidden, and one struct that holds what they need.

mod construction;
mod elements;
mod methods;
mod observed;
mod roles;
mod structure;
mod topology;
mod varied;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::code::Flavour;
use super::{Context, Emission, Purpose, flavour, module_name, parse, part};
use crate::families::{Family, Set};
use crate::identifier::{bare, identifier};
use crate::model::{Input, Mode, Model, Param};

/// A model with sets, its elements compiled.
pub(crate) struct Assembled<'a> {
    /// its text, taken apart
    pub(crate) family: &'a Family<'a>,
    /// its parameters and modes, each as that of one member
    pub(crate) params: &'a Model,
    /// its elements
    pub(crate) elements: Vec<Emission<'a>>,
    /// each coordinate alone
    pub(crate) fields: Vec<Emission<'a>>,
}

/// The spellings that the items share.
struct Whole<'a> {
    a: &'a Assembled<'a>,
    /// of what stands beside the loops
    cx: Context<'a>,
    name: String,
    module: String,
    /// names of the sets
    sets: Vec<String>,
}

/// The whole expansion.
pub(crate) fn family(a: &Assembled<'_>) -> TokenStream {
    let items = shape(a);
    let beside = a.elements.first().map(|beside| &beside.model.header.options.facade);
    let needs = a.family.ast.name.as_ref().zip(beside).map(|(name, facade)| super::needs_sparse_at(name, facade));
    quote! { #needs #items }
}

/// The same without a word about the feature that it needs: beside mistakes, which come first.
pub(crate) fn shape(a: &Assembled<'_>) -> TokenStream {
    let [beside, ..] = a.elements.as_slice() else { return TokenStream::new() };
    let name = a.family.ast.name.as_ref().map_or_else(String::new, ToString::to_string);
    let sets = a.family.sets.iter().map(|set| bare(set.name)).collect();
    let cx = Context { lengths: a.family.ast.lengths.clone(), ..Context::new(beside, flavour(beside)) };
    let whole = Whole { a, cx, module: module_name(&name), name, sets };
    let coordinates = a.fields.iter().zip(&a.family.fields).filter(|(_, field)| !field.is_state).map(|(e, _)| e);
    let purposes = std::iter::once(Purpose::Beside).chain(std::iter::repeat(Purpose::Element));
    let elements = a.elements.iter().zip(purposes).map(|(e, purpose)| part(e, purpose, &whole.name));
    let parts = elements.chain(coordinates.map(|e| part(e, Purpose::Field, &whole.name)));
    let (structure, module) = (whole.structure(), whole.blocks());
    let rt = parse(&whole.cx.rt);
    let items = parse(&whole.items());
    quote! {
        #rt::if_sparse! {
            #(#parts)*
            #structure
            #module
            #[allow(
                unused, clippy::all, clippy::pedantic, clippy::nursery, missing_docs, non_snake_case,
                reason = "generated code"
            )]
            const _: () = {
                use #rt::Scalar as _;
                use #rt::Block as _;
                #items
            };
        }
    }
}

impl Whole<'_> {
    /// `Cloth<T>`
    fn ty(&self) -> String {
        self.cx.applied(&self.name, self.cx.real())
    }

    /// The spellings of a part.
    fn of_part<'e>(&self, e: &'e Emission<'e>, purpose: Purpose) -> Context<'e> {
        Context::of_part(e, purpose, &self.name)
    }

    /// Parameters with the sets they are over.
    fn params(&self) -> impl Iterator<Item = (&Param, Option<&str>)> {
        self.a
            .params
            .declared
            .params
            .iter()
            .zip(&self.a.family.over.params)
            .map(|(p, set)| (p, set.and_then(|set| self.set_name(set))))
    }

    /// Inputs, each as that of one member, with the sets that they are over.
    fn input_sets(&self) -> impl Iterator<Item = (&Input, Option<usize>)> {
        self.cx.e.model.declared.inputs.iter().map(|input| (input, self.a.family.set_of(&input.declared.ident)))
    }

    /// Modes, each as that of one member, with the sets that they are over.
    fn mode_sets(&self) -> impl Iterator<Item = (&Mode, Option<usize>)> {
        self.a.params.declared.modes.iter().zip(self.a.family.over.modes.iter().copied())
    }

    /// Is there an event, of the whole or of members?
    fn has_events(&self) -> bool {
        self.a.elements.iter().any(|e| !e.program.events.is_empty())
    }

    /// Are there inputs of members? Then no block can have a field for each.
    fn has_input_families(&self) -> bool {
        self.input_sets().any(|(_, set)| set.is_some())
    }

    /// The type of a block of inputs.
    fn input_block(&self) -> String {
        let real = self.cx.real();
        match self.has_input_families() {
            true => format!("::std::vec::Vec<{real}>"),
            false => format!("{module}::U<{real}>", module = self.module),
        }
    }

    fn set_name(&self, set: usize) -> Option<&str> {
        self.sets.get(set).map(String::as_str)
    }

    /// What the user and the model say of a set.
    fn about(&self, set: &Set<'_>) -> String {
        set.docs.iter().cloned().chain(set.said(&self.sets)).collect::<Vec<_>>().join(" ")
    }

    /// The type of a set's members: a number of the first kind, tuples of others.
    fn members(&self, set: usize) -> Option<String> {
        let of = self.a.family.sets.get(set).map_or(0, |set| set.of.len());
        match of {
            0 => None,
            1 => Some("usize".to_owned()),
            of => Some(format!("[usize; {of}]")),
        }
    }

    /// Every implementation.
    fn items(&self) -> String {
        let mut out = self.construction();
        out.push_str(&self.methods());
        for (e, element) in self.a.elements.iter().zip(&self.a.family.elements) {
            self.element(&mut out, e, element);
        }
        out.push_str(&self.composite());
        out.push_str(&self.roles());
        out.push_str(&self.observed());
        out.push_str(&self.varied());
        out
    }

    /// `__ClothPart1<T>`
    fn element_type(&self, e: &Emission<'_>) -> String {
        match &self.cx.flavour {
            Flavour::Concrete => e.model.header.name.to_string(),
            Flavour::Generic(t) => format!("{}<{t}>", e.model.header.name),
        }
    }
}

/// The field of the struct that holds a set.
fn field_of_set(name: &Ident) -> Ident {
    field_of_set_named(&bare(name))
}

fn field_of_set_named(name: &str) -> Ident {
    identifier(&format!("__set_{name}"), Span::call_site())
}
