//! Andrews' squeezer from its consistent start to its end, by everything that it has.

mod reference;

#[path = "../../../benches/models/squeezer.rs"]
mod model;

use std::collections::BTreeSet;

use ode_model::integrators::Verner9;
use ode_model::solve::Projection;
use ode_model::{By, Simulation};

use model::AndrewsSqueezer;
use reference::BY;

#[test]
fn the_end_of_the_squeezer_varies_as_its_reference() {
    let model = AndrewsSqueezer::default();
    let run = Simulation::of(&model, Verner9).project(Projection::to(1e-14)).adaptive(1e-12).expect("a start");
    let mut run = run.vary(&By::new().parameters().inputs()).expect("a linearisation");
    run.advance_to(0.03).expect("steps");
    let found = run.jacobian();
    let names: BTreeSet<&str> = run.names().iter().map(String::as_str).collect();
    assert_eq!(names, BY.iter().map(|(name, ..)| *name).collect());
    for (k, name) in run.names().iter().enumerate() {
        let (_, q, v) = BY.iter().find(|(own, ..)| own == name).expect("a reference");
        for (first, wanted) in [(0, q), (7, v)] {
            let scale = wanted.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            for (i, wanted) in wanted.iter().enumerate() {
                let found = found[(first + i, k)];
                assert!((found - wanted).abs() < 1e-11 * scale, "{i} by {name}: {found} instead of {wanted}");
            }
        }
    }
}
