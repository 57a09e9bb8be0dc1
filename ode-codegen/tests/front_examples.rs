//! The examples of the language reach a checked model, with nothing to say about them.

use ode_codegen::phases::check::check;
use ode_codegen::phases::expr::Graph;
use ode_codegen::phases::model::Model;
use ode_codegen::phases::parse::parse;

fn model(text: &str) -> Model {
    let (ast, mut errors) = parse(text.parse().expect("tokens"));
    let checked = check(&ast, Graph::new(), &mut errors);
    let texts: Vec<String> = errors.messages().iter().map(|m| m.text()).collect();
    assert!(texts.is_empty(), "{}", texts.join("\n"));
    let (model, warnings) = checked.expect("a model");
    let texts: Vec<&str> = warnings.iter().map(|w| w.text.as_str()).collect();
    assert!(texts.is_empty(), "{}", texts.join("\n"));
    model
}

fn sizes(m: &Model) -> [usize; 6] {
    [m.np(), m.nq(), m.nu(), m.nc(), m.ny(), m.starts.len()]
}

#[test]
fn pendulum() {
    assert_eq!(sizes(&model(include_str!("front_models/pendulum.txt"))), [3, 2, 0, 1, 1, 2]);
}

#[test]
fn strand() {
    assert_eq!(sizes(&model(include_str!("front_models/strand.txt"))), [4, 3, 0, 0, 4, 3]);
}

#[test]
fn cart_pole() {
    assert_eq!(sizes(&model(include_str!("front_models/cart_pole.txt"))), [9, 2, 1, 0, 2, 4]);
}

#[test]
fn double_pendulum() {
    assert_eq!(sizes(&model(include_str!("front_models/double_pendulum.txt"))), [5, 2, 0, 0, 2, 2]);
}

#[test]
fn andrews_squeezer() {
    assert_eq!(sizes(&model(include_str!("front_models/andrews_squeezer.txt"))), [41, 7, 1, 6, 0, 7]);
}

#[test]
fn dc_motor() {
    let motor = model(include_str!("front_models/dcmotor.txt"));
    assert_eq!(sizes(&motor), [3, 0, 2, 0, 1, 0]);
    assert_eq!((motor.nz(), motor.flow.rates.len()), (1, 1));
}

#[test]
fn slider_crank() {
    assert_eq!(sizes(&model(include_str!("front_models/slider_crank.txt"))), [9, 3, 0, 3, 2, 3]);
}
