//! A model with sets through all phases: its elements go the way of every model, and one struct holds them.

mod shares;

use proc_macro2::TokenStream;

use crate::check;
use crate::diagnostics::{Errors, Id, Message};
use crate::emit::{self, Assembled, Emission};
use crate::expr::{RULES, Rules};
use crate::families::{self, Family};
use crate::identifier::bare;
use crate::model::{Figure, Shape};
use crate::parse::{self, ast};
use crate::{Compiled, compile_checked};

/// A model with sets, and its small models as every model is compiled.
pub struct Parts<'a> {
    /// how it was taken apart
    pub family: Family<'a>,
    /// its parameters, each that of one member
    pub params: Compiled,
    /// what stands beside the loops, and then each loop
    pub elements: Vec<Compiled>,
    /// each coordinate alone
    pub fields: Vec<Compiled>,
}

/// Takes a model with sets apart, and compiles what it is made of. `None` with mistakes.
pub fn parts<'a>(ast: &'a ast::Model, errors: &mut Errors, rules: Rules) -> Option<Parts<'a>> {
    let parts = taken_apart(ast, errors, rules)?;
    moved(&parts.family, &parts.elements, &parts.fields, errors)?;
    Some(parts)
}

fn taken_apart<'a>(ast: &'a ast::Model, errors: &mut Errors, rules: Rules) -> Option<Parts<'a>> {
    let mut family = families::read(ast, errors)?;
    let mut params = compile_checked(&family.params, errors, rules)?;
    family.name_params(&mut params.model);
    // what stands beside the loops is read by all of them: its mistakes are told once
    let mut compiled = |element: &families::Element| {
        let before = errors.len();
        let compiled = compile_checked(&element.model, errors, rules);
        errors.reword(before, |text| element.as_written(text));
        compiled
    };
    let elements: Option<Vec<Compiled>> = family.elements.iter().map(&mut compiled).collect();
    let fields: Option<Vec<Compiled>> =
        family.fields.iter().map(|field| compile_checked(&field.alone, errors, rules)).collect();
    let (mut elements, fields) = (elements?, fields?);
    shares::levelled(&mut family, &mut elements, &mut |element| compile_checked(&element.model, errors, rules))?;
    let of_sums = family.of_sums(elements.iter().map(|element| &element.model));
    if let Some(element) = of_sums {
        elements.push(compile_checked(&element.model, errors, rules)?);
        family.elements.push(element);
    }
    let before = errors.len();
    let shows = elements.iter().any(|e| e.model.observed.picture.is_some());
    if let Some(name) = ast.name.as_ref().filter(|_| ast.options.show && !shows) {
        errors.report(check::nothing(name).help("say what to draw: `show thread = line(x[i], x[j]);`"));
    }
    apart(ast, elements.iter().flat_map(|e| e.model.observed.picture.iter().flatten()), errors);
    if errors.len() > before {
        return None;
    }
    Some(Parts { family, params, elements, fields })
}

/// The expansion. `None` with mistakes.
pub(crate) fn expand(ast: &ast::Model, errors: &mut Errors) -> Option<TokenStream> {
    Some(emitted(parts(ast, errors, RULES)?, emit::family))
}

/// The shape of a model with mistakes: that of its declarations, if these are sound. So the rest of the user's code
/// finds the builder, the sets and the coordinates.
pub(crate) fn shape(ast: &ast::Model) -> Option<TokenStream> {
    let declared = families::declarations(ast);
    let (ast, mut errors) = parse::parse(declared);
    let parts = taken_apart(&ast, &mut errors, RULES)?;
    errors.is_empty().then(|| emitted(parts, emit::family_shape))
}

fn emitted(parts: Parts<'_>, emit: impl FnOnce(&Assembled<'_>) -> TokenStream) -> TokenStream {
    let Parts { family, params, elements, fields } = parts;
    let emission = |compiled| {
        let Compiled { model, program, names, .. }: &Compiled = compiled;
        Emission { model, program, names, description: None }
    };
    let mut all = elements.iter().chain(&fields).map(emission);
    let assembled = Assembled {
        family: &family,
        params: &params.model,
        elements: all.by_ref().take(elements.len()).collect(),
        fields: all.collect(),
    };
    emit(&assembled)
}

/// M0201, M0223 and M0225: every direction of a coordinate has inertia in some element, or a row that ties it, every
/// state has a rate, and every algebraic variable one equation.
fn moved(family: &Family<'_>, elements: &[Compiled], fields: &[Compiled], errors: &mut Errors) -> Option<()> {
    let unknowns = |field: &Compiled| field.model.nv() + field.model.nz();
    let mut resting: Vec<Vec<usize>> = fields.iter().map(|field| (0..unknowns(field)).collect()).collect();
    let mut twice: Vec<&families::Field> = Vec::new();
    for (element, Compiled { model, program, .. }) in family.elements.iter().zip(elements) {
        // columns with an entry
        let moved = ["MASS", "JACOBIAN"].map(|name| program.pattern(name));
        let is_moved = |own: usize| moved.iter().flatten().any(|of| of.starts[own] < of.starts[own + 1]);
        let has_rate = |own: usize| model.flow.shares.as_ref().is_some_and(|shares| shares.contains(&own));
        let mut first = 0;
        for slot in &element.slots {
            let Some(field) = fields.get(slot.field) else { continue };
            // states follow coordinates
            let moves = |own: usize| own.checked_sub(model.nv()).map_or_else(|| is_moved(own), has_rate);
            let of = &family.fields[slot.field];
            let known = |unknown: usize| !resting[slot.field].contains(&unknown) && moves(first + unknown);
            if of.is_algebraic && !of.is_balanced && (0..unknowns(field)).any(known) {
                twice.push(of);
            }
            resting[slot.field].retain(|unknown| !moves(first + unknown));
            first += unknowns(field);
        }
    }
    let before = errors.len();
    for ((field, compiled), resting) in family.fields.iter().zip(fields).zip(&resting) {
        let Some(first) = resting.first() else { continue };
        let (name, whole, member) = (&field.name, field.shown.replace("[#0]", ""), field.shown.replace("#0", "i"));
        errors.report(match (field.is_algebraic, field.is_state) {
            (true, _) if field.is_balanced => {
                // balances of some of its parts say how it is determined
                let part = part(compiled, *first);
                Message::new(Id::M0225, name, format!("algebraic variable `{whole}{part}` has no equation"))
                    .help(format!("a balance of it is missing: `balance {member}{part} += ..;`"))
            }
            (true, _) => Message::new(Id::M0225, name, format!("algebraic variable `{whole}` has no equation"))
                .help(match (family.model_of(field), field.set) {
                    (Some(model), _) => format!("write a `constraint` that contains it in the model `{model}`"),
                    (None, Some(_)) => {
                        format!("write a `constraint` that contains `{member}` in a loop over all members")
                    }
                    (None, None) => format!("write a `constraint` that contains `{member}` beside the loops"),
                })
                .help(format!("what is added over loops is `balance {member} += ..;`")),
            (false, true) => Message::new(Id::M0223, name, format!("state `{whole}` has no rate in any loop"))
                .help(format!("add `der({member}) = ..;`: the rates of all loops are added")),
            (false, false) => Message::new(Id::M0201, name, format!("coordinate `{whole}` has no inertia in any loop"))
                .help(format!(
                    "add `mass {member} = ..;`, a kinetic energy of its rate, or a rigid `constraint` that gives it"
                )),
        });
    }
    for field in twice {
        let what = format!("algebraic variable `{}` has equations in two loops", field.shown.replace("[#0]", ""));
        let help = "write all equations for it in one loop, or let several loops add to it";
        let member = field.shown.replace("#0", "i");
        errors.report(Message::new(Id::M0225, &field.name, what).help(format!("{help}: `balance {member} += ..;`")));
    }
    shares::balanced(family, elements, fields, errors);
    shares::added(family, elements, errors);
    (errors.len() == before).then_some(())
}

/// What stands behind the name of a state for one of its scalars: `.y`, and nothing of a number.
fn part(field: &Compiled, scalar: usize) -> String {
    let shape = field.model.declared.states.first().map(|state| match &state.declared.shape {
        Shape::Array(1, member) => member.suffixes(),
        shape => shape.suffixes(),
    });
    shape.and_then(|suffixes| suffixes.get(scalar).cloned()).unwrap_or_default()
}

/// A picture is all of the plane or all of space (M0241), whichever elements its figures are of.
fn apart<'m>(ast: &ast::Model, figures: impl Iterator<Item = &'m Figure>, errors: &mut Errors) {
    let figures: Vec<&Figure> = figures.collect();
    let Some((first, rest)) = figures.split_first() else { return };
    let Some(other) = rest.iter().find(|figure| figure.space != first.space) else { return };
    // in a `for` of numbers `eye` is `eye_0`, `eye_1`
    let numbers = |rest: &str| rest.chars().all(|c| c == '_' || c.is_ascii_digit());
    let is_label = |name: &str| {
        other.name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('_') && numbers(rest))
    };
    let inside = ast.items.iter().flat_map(|item| match &item.kind {
        ast::Kind::Each(each) => each.items.as_slice(),
        _ => &[],
    });
    let named = ast.items.iter().chain(inside).flat_map(ast::Item::flat).find_map(|item| match &item.kind {
        ast::Kind::Show(show) if is_label(&bare(&show.name)) => Some(&show.name),
        _ => None,
    });
    if let Some(name) = named.or(ast.name.as_ref()) {
        errors.report(check::of_two_spaces(name, other.space, &first.name));
    }
}
