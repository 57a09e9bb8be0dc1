//! Whoever changes a parameter meets its value in every call.

use ode_model::integrators::RungeKutta4;
use ode_model::{Differentiable, Dual, FromParameters, Parametric, Simulation, Sweep};

use crate::blocks::{distance, end, values};
use crate::models::*;

/// Three links, of which the second has another mass.
fn heavy() -> Links {
    Links { m: [0.4, 3.0, 0.46], ..Links::default() }
}

/// The calls of a model are those of [`heavy`].
fn is_heavy(links: &PreparedLinks) {
    assert!((links.m[1] - 3.0).abs() < 1e-14);
    assert!(distance(&values(links), &values(&heavy())) < 1e-14);
}

#[test]
fn by_a_closure() {
    let mut links = PreparedLinks::default();
    let before = links.clone();
    links.change(|p| p.m[1] = 3.0);
    is_heavy(&links);
    assert!(links != before && distance(&values(&before), &values(&Links::default())) < 1e-14);
}

#[test]
fn by_the_struct_of_parameters() {
    let links = PreparedLinks::from(PreparedLinksParameters { m: [0.4, 3.0, 0.46], ..Default::default() });
    is_heavy(&links);
    // what a model holds is a copy like any other
    let mut plain = (*links).clone();
    plain.m[1] = 0.43;
    is_heavy(&links);
    assert!(PreparedLinks::from(plain) == PreparedLinks::default());
}

#[test]
fn by_the_builder() {
    is_heavy(&PreparedLinks::builder().m([0.4, 3.0, 0.46]).build().expect("a model"));
    assert!(PreparedLinks::builder().l([0.0, 0.1, 0.1]).build().is_err(), "what is required is asked");
    assert!(PreparedLinks::builder().g(f64::NAN).build().is_err(), "parameters are finite");
    let mut broken = PreparedLinks::default();
    broken.change(|p| p.g = f64::INFINITY);
    assert!(broken.check().is_err() && Simulation::of(&broken, RungeKutta4).fixed(0.01).is_err());
}

#[test]
fn by_name() {
    let mut links = PreparedLinks::default();
    links.set_parameter("m[1]", 3.0).expect("a parameter");
    is_heavy(&links);
    // what is refused leaves the model as it was
    assert!(links.set_parameters(&[("m[1]", 4.0), ("l[0]", -1.0)]).is_err());
    is_heavy(&links);
}

#[test]
fn by_an_array() {
    let p = heavy().parameters();
    is_heavy(&PreparedLinks::from_parameters(&p));
    is_heavy(&PreparedLinks::default().with_parameters(&p));
    is_heavy(&<PreparedLinks as FromParameters>::from_parameters(&p));
}

#[test]
fn in_a_sweep() {
    let sweep = Sweep::of(&PreparedLinks::default()).over("m[1]", [1.0, 3.0]).expect("a parameter");
    is_heavy(&sweep.model(1).expect("a point"));
}

#[test]
fn in_another_scalar() {
    let mut links = PreparedLinksOver::<f64>::default();
    links.change(|p| p.m[1] = 3.0);
    assert!(distance(&values(&links), &values(&heavy())) < 1e-14);
    let dual = links.cast::<Dual<f64>>();
    let back: Vec<f64> = dual.parameters().iter().map(|p| p.re).collect();
    assert_eq!(back, heavy().parameters());
}

#[test]
fn in_subs() {
    let expected = {
        let mut cart = Cart::default();
        cart.wheels[1].mass = 5.0;
        cart
    };
    let mut cart = PreparedCart::default();
    // a sub with the option has its own closure
    cart.change(|p| p.wheels[1].change(|wheel| wheel.mass = 5.0));
    assert!(distance(&values(&cart), &values(&expected)) < 1e-14);
    let mut plain = PreparedCartOfPlain::default();
    plain.change(|p| p.wheels[1].mass = 5.0);
    assert!(distance(&values(&plain), &values(&expected)) < 1e-14);
    // what the model gives follows
    cart.set_parameter("size", 0.3).expect("a parameter");
    assert!((cart.wheels[0].r - 0.6).abs() < 1e-15);
}

#[test]
fn a_run_is_that_of_the_new_parameters() {
    let mut links = PreparedLinks::default();
    links.change(|p| (p.m[1], p.g) = (3.0, 1.62));
    let plain = Links { g: 1.62, ..heavy() };
    assert!(distance(&end(&links, RungeKutta4), &end(&plain, RungeKutta4)) < 1e-11);
    assert!(format!("{links}").contains("g = 1.62"));
    assert!(format!("{links:?}").contains("g: 1.62"));
}
