//! Parameters by name, and what any model is asked through its roles.

use ode_model::prelude::*;
use ode_model::{At, Bound, Observable, ParameterError, Sweep, SweepError, Tolerance, UnknownName};

use crate::{begin, close};

model! {
    /// A wheel that turns.
    pub struct Wheel {
        unit mm = 0.001 [m];
        param r: Real [mm] = 300.0;
        param j: Real [kg*m^2] = 0.5;
        coord th: Angle;
        kinetic = 0.5 * j * sq(der(th));
        init der(th) = 2.0;
        output rim: Real [m/s] = r * der(th);
    }
}
model! {
    /// A mass between two stops.
    pub struct Slider {
        unit mm = 0.001 [m];
        param m: Real [kg] = 2.0;
        param stroke: Real [mm] = 40.0;
        param rest: Real [mm] = 10.0;
        param k: [Real; 2] [N/m] = [100.0, 50.0];
        require m > 0.0, "a slider has mass";
        require rest < stroke, "the spring rests within the stroke";
        coord (x, v): Real [m];
        kinetic = 0.5 * m * sq(v);
        potential = 0.5 * k[0] * sq(x - rest) + 0.5 * k[1] * sq(x);
        init x = 0.02;
        init v = 0.5;
        output gap: Real [m] = stroke - x;
        limit travel: x in 0.0..=stroke;
        limit ways: vec2(x, -x) in -1.0..=1.0;
    }
}
model! {
    /// Two wheels, one of them of a radius that follows.
    pub struct Cart {
        unit mm = 0.001 [m];
        param front: Real [mm] = 200.0;
        sub wheel: [Wheel; 2] with { r: 2.0 * front };
    }
}
model! {
    /// No coordinate, no input, no constraint, no parameter.
    pub struct Clock {
        state s: Real;
        der(s) = 1.0;
    }
}

#[test]
fn parameters_are_read_and_set_in_the_units_of_their_declaration() {
    let mut slider = Slider::default();
    assert_eq!(slider.stroke, 0.04);
    assert_eq!((slider.parameter("stroke"), slider.parameter("k[1]")), (Ok(40.0), Ok(50.0)));
    slider.set_parameter("stroke", 60.0).expect("a longer stroke");
    slider.set_parameter("k[1]", 70.0).expect("a stiffer spring");
    assert_eq!((slider.stroke, slider.k), (60.0 * 0.001, [100.0, 70.0]));
    let unit: (&str, f64) = slider.parameter_units()[1];
    assert_eq!((unit, slider.parameter_units().len()), (("mm", 0.001), 5));
}

#[test]
fn a_parameter_that_is_refused_leaves_the_model_as_it_was() {
    let mut slider = Slider::default();
    let before = slider.parameters();
    let unknown = slider.set_parameter("strok", 1.0).expect_err("no such parameter");
    assert!(matches!(unknown, ParameterError::Unknown(name) if name.what == "parameter"), "{unknown}");
    assert!(unknown.to_string().contains("`strok`") && unknown.to_string().contains("`stroke`"), "{unknown}");
    let refused = slider.set_parameter("m", f64::NAN).expect_err("not finite");
    assert!(matches!(refused, ParameterError::Refused(BuildError::NotFinite { param: "m", .. })), "{refused}");
    let refused = slider.set_parameter("rest", 50.0).expect_err("beyond the stroke");
    let ParameterError::Refused(BuildError::Required { message, .. }) = refused else { panic!("{refused}") };
    assert_eq!(message, "the spring rests within the stroke");
    assert_eq!(refused.to_string(), "Slider: param stroke = 40 mm: the spring rests within the stroke");
    // 0.0003 m is not quite 0.3 mm
    let refused = Slider::builder().stroke(0.3).rest(0.7).build().expect_err("beyond the stroke");
    assert_eq!(refused.to_string(), "Slider: param stroke = 0.3 mm: the spring rests within the stroke");
    // the first is right, but the second is unknown
    slider.set_parameters(&[("m", 3.0), ("mass", 3.0)]).expect_err("no such parameter");
    assert_eq!(slider.parameters(), before);
    // each alone would be refused
    slider.set_parameters(&[("rest", 50.0), ("stroke", 80.0)]).expect("checked together");
    assert_eq!((slider.parameter("rest"), slider.parameter("stroke")), (Ok(50.0), Ok(80.0)));
}

#[test]
fn what_a_model_gives_its_subs_follows() {
    let mut cart = Cart::default();
    assert_eq!(cart.wheel[1].r, 0.4);
    cart.set_parameters(&[("front", 250.0), ("wheel[1].j", 0.7)]).expect("other wheels");
    assert_eq!((cart.wheel[0].r, cart.wheel[1].j, cart.parameter("wheel[0].j")), (0.5, 0.7, Ok(0.5)));
    // it is an expression of the cart, not a parameter
    assert!(cart.parameter("wheel[0].r").is_err());
}

#[test]
fn a_model_without_inputs_is_asked_at_a_point() {
    let slider = Slider::default();
    let x = begin(&slider);
    let energy = slider.energy(x.point());
    close(energy.kinetic, 0.25);
    close(energy.potential, 50.0 * 0.01 * 0.01 + 25.0 * 0.02 * 0.02);
    close(slider.outputs(x.point(), x.rates()).gap(), 0.02);
    close(slider.limits(x.point()).travel(), 0.02);
    assert_eq!(slider.energy(x.at(&slider::U::default())), energy);
}

/// T + V of any model.
fn total<S: Observable<Real = f64>>(model: &S, at: At<'_, S>) -> f64 {
    let energy = model.energy(at);
    energy.kinetic + energy.potential
}

/// The limits of any model that are broken, by name.
fn broken<S: Observable<Real = f64>>(model: &S, at: At<'_, S>) -> Vec<&'static str> {
    let (values, bounds) = (model.limits(at), model.limit_bounds());
    let rows = values.as_ref().iter().zip(bounds.iter());
    rows.filter(|(value, (_, low, high))| !(low..=high).contains(value)).map(|(_, (name, ..))| name).collect()
}

#[test]
fn any_model_has_energies_and_limits() {
    let (slider, wheel, clock) = (Slider::default(), Wheel::default(), Clock::default());
    let mut x = begin(&slider);
    close(total(&slider, x.point()), 0.25 + 0.005 + 0.01);
    close(total(&wheel, begin(&wheel).point()), 1.0);
    assert_eq!(total(&clock, State::neutral(&clock).point()), 0.0);
    assert!(broken(&slider, x.point()).is_empty());
    assert!(broken(&clock, State::neutral(&clock).point()).is_empty());
    x.q.set_x(-2.0);
    assert_eq!(broken(&slider, x.point()), ["travel", "ways.x", "ways.y"]);
}

#[test]
fn velocities_and_accelerations_have_the_name_of_their_coordinate_too() {
    let slider = Slider::default();
    let run = Simulation::of(&slider, Geodesic).fixed(1e-3).expect("a start");
    let mut x = run.state().clone();
    assert_eq!((x.v.x(), x.a.x()), (x.v.v(), x.a.v()));
    close(x.a.x(), -(100.0 * 0.01 + 50.0 * 0.02) / 2.0);
    x.a.set_x(3.0);
    assert_eq!((x.a.v(), x.a[slider::V::X], slider::V::X), (3.0, 3.0, slider::V::V));
}

#[test]
fn an_unknown_name_is_answered_by_the_names_there_are() {
    let (mut wheel, slider) = (Wheel::default(), Slider::default());
    let table = Table::new(&wheel.layout());
    let column = |name| table.column(name).map(drop).expect_err("no such column").to_string();
    assert_eq!(column("der2(th)"), "there is no column `der2(th)`; did you mean `der(der(th))`?");
    assert_eq!(column("th_dot"), "there is no column `th_dot`; did you mean `der(th)`?");
    let known = "`t`, `th`, `der(th)`, `der(der(th))`";
    assert_eq!(column("speed"), format!("there is no column `speed`; there are {known}"));
    let output = "`rim` is of the model, but this table does not record it; `Table::of` records all";
    for name in ["rim", "rin"] {
        assert_eq!(column(name), format!("there is no column `{name}`: {output}"));
    }
    assert!(Table::of(&wheel).column("rim").is_ok());

    let unknown = wheel.set_parameter("mass", 1.0).expect_err("no such parameter");
    assert_eq!(unknown.to_string(), "there is no parameter `mass`; there are `r`, `j`");
    let bound = Bound::absolute(1e-6);
    let unknown = Tolerance::new(bound).entry(&wheel, "v", bound).map(drop).expect_err("no such entry");
    assert_eq!(unknown.to_string(), "there is no coordinate, velocity or state `v`; there are `th`, `der(th)`");
    let unknown = slider.limit_bounds().of("height").expect_err("no such limit");
    assert_eq!(unknown.to_string(), "there is no limit `height`; there are `travel`, `ways.x`, `ways.y`");
}

#[test]
fn velocities_and_accelerations_are_found_by_their_coordinate() -> Result<(), UnknownName> {
    let slider = Slider::default();
    let mut table = Table::new(&slider.layout());
    table.push(Simulation::of(&slider, Geodesic).fixed(1e-3).expect("a start").state());
    assert_eq!(table.names().collect::<Vec<_>>(), ["t", "x", "v", "der(v)"]);
    assert!(table.column("der(x)")?.eq(table.column("v")?));
    assert!(table.column("der(der(x))")?.eq(table.column("der(v)")?));
    assert!(table.column("der(der(x))")?.all(|a| a != 0.0));
    let unknown = table.column("der2(x)").map(drop).expect_err("another spelling");
    assert_eq!(unknown.to_string(), "there is no column `der2(x)`; did you mean `der(der(x))`?");
    // and by error control
    let bound = Bound::absolute(1e-6);
    Tolerance::new(bound).entry(&slider, "der(x)", bound).map(drop)
}

#[test]
fn a_sweep_takes_the_units_of_the_declaration() -> Result<(), SweepError> {
    let sweep = Sweep::of(&Slider::default()).over("stroke", [40.0, 60.0])?.over("rest", [5.0, 50.0])?;
    let sizes: Vec<_> = sweep.models().map(|model| (model.stroke, model.rest)).collect();
    assert_eq!(sizes, [(0.04, 0.005), (0.04, 0.05), (0.06, 0.005), (0.06, 0.05)]);
    let start = |model: &Slider| Simulation::of(model, Geodesic).fixed(1e-3).map(|_| [0.0]);
    let error = sweep.run(["none"], start, |_| {}).expect_err("beyond the stroke").to_string();
    assert!(error.starts_with("at stroke = 40, rest = 50: start at t = 0: Slider: param stroke = 40 mm"), "{error}");
    Ok(())
}

#[test]
fn a_field_set_by_hand_is_refused_where_a_run_begins() {
    let begin = |slider: &Slider| Simulation::of(slider, Geodesic).fixed(1e-3).map(drop);
    let sound = Slider::default();
    let mut run = Simulation::of(&sound, Geodesic).fixed(1e-3).expect("a start");
    run.advance_to(0.01).expect("steps");
    for (broken, said) in [
        (Slider { m: f64::NAN, ..sound }, "Slider: param m = NaN is not finite"),
        (Slider { rest: 0.05, ..sound }, "Slider: param stroke = 40 mm: the spring rests within the stroke"),
    ] {
        let error = begin(&broken).expect_err("not a model");
        assert!(matches!(error.cause, Cause::Parameters(_)), "{error:?}");
        assert_eq!(error.to_string(), format!("start at t = 0: {said}"));
        // however the run begins, and whatever is asked
        let given = Simulation::of(&broken, Geodesic).given(run.state().clone()).fixed(1e-3).map(drop);
        assert_eq!(given.expect_err("not a model").cause.to_string(), said);
        let resumed = Simulation::of(&broken, Geodesic).resume(run.checkpoint()).fixed(1e-3).map(drop);
        assert_eq!(resumed.expect_err("not a model").cause.to_string(), said);
        let rest = Statics::default().solve(&broken, &Nominal, run.state().clone()).map(drop).expect_err("not a model");
        assert!(rest.to_string().contains(said), "{rest}");
        let damped = Rayleigh::new(broken, 0.1, 0.0).expect("of second order");
        let error = Simulation::of(&damped, Geodesic).fixed(1e-3).map(drop).expect_err("not a model");
        assert!(error.to_string().ends_with(said), "{error}");
    }
}

/// All of it, with one error.
fn height_after(m: f64, rest: &str, h: f64, end: f64) -> Result<f64, RunError> {
    let mut slider = Slider::builder().m(m).build()?;
    slider.set_parameter(rest, 5.0)?;
    let mut table = Table::new(&slider.layout());
    let mut run = Simulation::of(&slider, Geodesic).fixed(h)?;
    run.run(end, end, |x| table.push(x))?;
    run.drift()?;
    Ok(table.column("x")?.last().unwrap_or(f64::NAN))
}

#[test]
fn one_error_is_enough_from_the_model_to_the_end_of_its_run() {
    assert!(height_after(2.0, "rest", 1e-3, 0.1).is_ok_and(|x| x.abs() < 0.1));
    let error = |m, rest, h, end| height_after(m, rest, h, end).expect_err("one of four");
    assert!(matches!(error(-1.0, "rest", 1e-3, 0.1), RunError::Model(BuildError::Required { param: "m", .. })));
    assert!(matches!(error(2.0, "slack", 1e-3, 0.1), RunError::Name(UnknownName { what: "parameter", .. })));
    assert!(matches!(error(2.0, "rest", -1.0, 0.1), RunError::Start(_)));
    assert!(matches!(error(2.0, "rest", 1e-3, f64::NAN), RunError::Step(_)));
    let said = error(2.0, "rest", -1.0, 0.1).to_string();
    assert_eq!(said, Simulation::of(&Slider::default(), Geodesic).fixed(-1.0).expect_err("no step").to_string());
}
