//! A model with sets through all phases: its elements go the way of every model, and one struct holds them.

use proc_macro2::TokenStream;

use crate::diagnostics::{Errors, Id, Message};
use crate::emit::{self, Assembled, Emission};
use crate::expr::Graph;
use crate::families::{self, Family};
use crate::parse::ast;
use crate::{Compiled, check, external, within_budget};

/// The expansion. `None` with mistakes.
pub(crate) fn expand(ast: &ast::Model, errors: &mut Errors) -> Option<TokenStream> {
    let family = families::read(ast, errors)?;
    let params = compile(&family.params, errors)?;
    // what stands beside the loops is read by all of them: its mistakes are told once
    let elements: Option<Vec<Compiled>> =
        family.elements.iter().map(|element| compile(&element.model, errors)).collect();
    let fields: Option<Vec<Compiled>> = family.fields.iter().map(|field| compile(&field.alone, errors)).collect();
    let (elements, fields) = (elements?, fields?);
    inertia(&family, &elements, errors)?;
    let descriptions: Vec<_> = elements.iter().chain(&fields).map(Compiled::description).collect();
    let emission = |(compiled, description)| {
        let Compiled { model, program, names, .. }: &Compiled = compiled;
        Emission { model, program, names, description }
    };
    let mut all = elements.iter().chain(&fields).zip(&descriptions).map(emission);
    let assembled = Assembled {
        family: &family,
        params: &params.model,
        elements: all.by_ref().take(elements.len()).collect(),
        fields: all.collect(),
    };
    Some(emit::family(&assembled))
}

fn compile(ast: &ast::Model, errors: &mut Errors) -> Option<Compiled> {
    let (model, warnings) = check::check(ast, Graph::new(), errors)?;
    if !errors.is_empty() {
        return None;
    }
    let mut compiled = Compiled::of(model, warnings);
    within_budget(&mut compiled, &ast.allows, errors)?;
    external::supplied(&compiled.model, &compiled.program, errors)?;
    Some(compiled)
}

/// M0201: every coordinate has inertia in some element.
fn inertia(family: &Family<'_>, elements: &[Compiled], errors: &mut Errors) -> Option<()> {
    let before = errors.len();
    for (k, field) in family.fields.iter().enumerate() {
        let moves = family.elements.iter().zip(elements).any(|(element, compiled)| {
            let Some(mass) = compiled.program.pattern("MASS") else { return false };
            let own = compiled.model.declared.coordinates.iter().map(|q| q.rate.len()).sum::<usize>();
            let width = own.checked_div(element.slots.len()).unwrap_or(0);
            let mut first = 0;
            element.slots.iter().any(|slot| {
                let columns = first..first + width;
                first += width;
                slot.field == k && mass.starts.windows(2).enumerate().any(|(c, s)| columns.contains(&c) && s[0] < s[1])
            })
        });
        if !moves {
            let name = &field.name;
            let message = Message::new(Id::M0201, name, format!("coordinate `{name}` has no inertia in any loop"));
            errors
                .report(message.help(format!("give each member one: `mass {name}[i] = m[i];` in a loop over its set")));
        }
    }
    (errors.len() == before).then_some(())
}
