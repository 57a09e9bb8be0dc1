//! A model with sets that is taken apart wrongly is noticed.

mod grid;
mod herd;
mod net;

use ode_codegen::Compiled;
use ode_codegen::phases::expr::RULES;
use ode_codegen::phases::families::{Element, Parts, parts};
use ode_codegen::phases::parse::{parse, with_parts};
use ode_model_generator::examine::{Verdict, confront_members};
use ode_model_generator::random::{Model, Set};
use proc_macro2::TokenStream;

/// A set of these members, which the model says or not.
fn set(name: &str, of: &[&str], members: &[&[usize]], said: Option<&str>) -> Set {
    Set {
        name: name.to_owned(),
        of: of.iter().map(|of| (*of).to_owned()).collect(),
        members: members.iter().map(|member| member.to_vec()).collect(),
        said: said.map(str::to_owned),
    }
}

/// What is wrong, the text, and what a faulty compiler would have read instead.
type Misread = (&'static str, &'static str, &'static str);

/// What is wrong, and how parts get it.
type Fault = (&'static str, fn(&mut Parts<'_>));

/// The right model is not noticed, and each misreading is.
fn misreadings_are_noticed(model: &Model, all: &[Misread]) {
    assert!(!noticed(model, &|text| text, |_| {}));
    for (what, right, wrong) in all {
        let texts = [model.text()];
        assert!(texts.iter().chain(&model.parts).any(|text| text.contains(right)), "{right}");
        assert!(noticed(model, &|text| text.replace(right, wrong), |_| {}), "{what}, and nothing noticed");
    }
}

fn faults_are_noticed(model: &Model, all: &[Fault]) {
    for (what, fault) in all {
        assert!(noticed(model, &|text| text, *fault), "{what}, and nothing noticed");
    }
}

/// The first loop over the second set.
fn edge<'p>(parts: &'p mut Parts<'_>) -> (&'p mut Element, &'p mut Compiled) {
    let all = parts.family.elements.iter_mut().zip(&mut parts.elements);
    all.into_iter().find(|(element, _)| element.set == Some(1)).expect("a loop over the edges")
}

/// What is noticed of a compiler that reads the model so, and takes it apart so.
fn noticed(model: &Model, read: &dyn Fn(String) -> String, taken: fn(&mut Parts<'_>)) -> bool {
    let tokens = |text: String| text.parse::<TokenStream>().unwrap_or_else(|_| panic!("tokens: {text}"));
    let with = |text: String, read: &dyn Fn(String) -> String| {
        let models: Vec<TokenStream> = model.parts.iter().map(|part| tokens(read(part.clone()))).collect();
        with_parts(&tokens(read(text)), &models)
    };
    let (ast, mut errors) = parse(with(model.text(), read));
    let parts = parts(&ast, &mut errors, RULES);
    errors.finish().expect("no mistake");
    let mut parts = parts.expect("a model");
    taken(&mut parts);
    let written = with(model.written_out().text(), &|text| text);
    match confront_members(RULES, &parts, &model.sets, written, 2, 1) {
        Verdict::Compiled(report) => !report.differences.is_empty(),
        Verdict::Named(_) => true,
        Verdict::Refused(message) => panic!("{message}"),
    }
}
