//! A user's snapshots: the mathematics, the listing, the source and rounded numbers of a model, under review.
//!
//! After a change that is meant: `INSTA_UPDATE=always cargo test -p ode-model-sources`, and read the difference.

#[allow(dead_code, unreachable_pub, reason = "the model is that of the example; its main is not run")]
#[path = "../../examples/cart_pole.rs"]
mod model;

use std::fmt::Write as _;

use model::{CartPole, cart_pole};
use ode_model::prelude::*;

#[test]
fn equations() {
    insta::assert_snapshot!(CartPole::<f64>::EQUATIONS);
}

#[test]
fn latex() {
    for name in ["cart_pole", "quadrotor", "squeezer"] {
        let text = ode_codegen::latex_file(crate::example(name)).expect("a model");
        insta::assert_snapshot!(format!("latex_{name}"), text);
    }
}

/// The page in rustdoc: equations that a browser sets.
#[test]
fn mathml() {
    for name in ["cart_pole", "quadrotor", "squeezer"] {
        let text = std::fs::read_to_string(crate::example(name)).expect("a file");
        let model = text.split_once("model! {").and_then(|(_, rest)| rest.split_once("\n}\n")).expect("a model").0;
        let page = ode_codegen::compile(model.parse().expect("tokens")).expect("a model without mistakes").page();
        insta::assert_snapshot!(format!("mathml_{name}"), page);
    }
}

/// The equations of a large model are all there; K has as many entries as there is room for, and says so.
#[test]
fn a_long_page_ends_with_what_is_left_out() {
    let text = std::fs::read_to_string(crate::example("franka")).expect("a file");
    let model = text.split_once("model! {").and_then(|(_, rest)| rest.split_once("\n}\n")).expect("a model").0;
    let compiled = ode_codegen::compile(model.parse().expect("tokens")).expect("a model without mistakes");
    let (page, nv) = (compiled.page(), compiled.model.nv());
    let entries = |symbol: &str| page.matches(&format!("<div><math><msub><mi>{symbol}</mi>")).count();
    assert_eq!((entries("M"), entries("f")), (nv * (nv + 1) / 2, nv));
    let derived = compiled.linearised();
    let (more, all) = (derived.stiffness.entries.len() - entries("K"), derived.damping.entries.len());
    assert!(entries("K") > 0 && entries("D") == 0);
    let remark = format!("… without {more} entries of K and {all} entries of D, which the LaTeX file has");
    assert!(page.contains(&remark), "{remark}");
    let (_, last) = page.split_once("<p>further shared terms").expect("terms of K");
    let lines = last.matches("<div><math>").count();
    assert!((200..=300).contains(&lines), "{lines} lines");
}

/// What rustdoc asks the macro of the model for.
#[test]
fn a_model_gives_its_page() {
    const PAGE: &str = CartPole! { { ode_model::model } @page };
    assert!(PAGE.starts_with("<div><p><math>") && PAGE.contains("<p>mass matrix"), "{PAGE}");
    let typeset = PAGE.split("<p>stiffness matrix K").nth(1).expect("K");
    assert!(typeset.contains("<msub><mi>K</mi><mrow><mi>θ</mi>"), "{typeset}");
    assert!(!CartPole::<f64>::EQUATIONS.contains("stiffness"));
    let source = ode_codegen::expand_file(crate::example("cart_pole")).expect("a model");
    assert!(!source.contains("<math>"), "a build that is not rustdoc's has no typeset equations");
}

#[test]
fn listing() {
    insta::assert_snapshot!(CartPole::<f64>::IR);
}

#[test]
fn source() {
    insta::assert_snapshot!(ode_codegen::expand_file(crate::example("cart_pole")).expect("a model"));
}

/// The struct, its parameters and what is prepared of them.
#[test]
fn source_with_prepared_values() {
    let rod =
        "ode_model::model! { #[model(prepared, no_selftest)] pub struct Rod { param m: Real = 1.0; param l: Real = 0.5;
        coord th: Angle; kinetic = 0.5 * m * sq(l) / 3.0 * sq(der(th)); potential = -0.5 * m * 9.81 * l * cos(th); } }";
    let source = ode_codegen::expand_source(rod).expect("a model");
    let part = |from: &str, to: &str| {
        let rest = source.find(from).map_or("", |at| &source[at..]);
        rest.find(to).map_or(rest, |end| &rest[..end]).trim_end().to_owned()
    };
    let parts = [
        part("///Parameters of", "/**"),
        part("pub struct Rod(", "///Typed blocks"),
        part("fn __forward(", "#[cfg("),
        part("impl RodParameters", "#[doc(hidden)]"),
    ];
    insta::assert_snapshot!(parts.join("\n// …\n"));
}

#[test]
fn numbers() {
    // Ten digits: the last ones differ between processors.
    let plant = CartPole::<f64>::default();
    let mut run = Simulation::of(&plant, Geodesic).adaptive(1e-12).expect("a start");
    let mut text = String::from("t x th der(x) der(th)\n");
    run.run(2.0, 0.25, |state| {
        let (q, v) = (&state.q, &state.v);
        let _ = writeln!(text, "{:.2} {:.9} {:.9} {:.9} {:.9}", state.t, q.x(), q.th(), v.x(), v.th());
    })
    .expect("steps");
    let state = run.state();
    let u = cart_pole::U::default();
    for (name, matrix) in [
        ("M", plant.mass(state.at(&u))),
        ("K", plant.stiffness(state.at(&u), state.rates())),
        ("D", plant.damping(state.at(&u), state.rates())),
    ] {
        let entries: Vec<String> = matrix.iter().map(|x| format!("{x:.6}")).collect();
        let _ = writeln!(text, "{name} = {}", entries.join(" "));
    }
    insta::assert_snapshot!(text);
}
