//! States, names and choices that have no linear system, and linear systems at rest beside the analysis of modes.

use ode_control::{Descriptor, LinearizationError, Linearizer, StateSpace};
use ode_model::analysis::Linearization;
use ode_model::integrators::Heun;
use ode_model::linalg::{DMatrix, eigenvalues};
use ode_model::prelude::*;
use ode_model::{Sensitive, Solvable, StepMap};

use crate::cart_poles::{CartPole, Points, upright, upright_points};
use crate::in_motion::posed;
use crate::models::*;

#[test]
fn names_are_told_what_they_may_be() {
    let (model, _) = upright();
    let error = Linearizer::of(&model).independent(["theta"]).expect_err("a name").to_string();
    assert_eq!(error, "there is no coordinate `theta`; there are `x`, `th`, `der(x)`, `der(th)`");
    let error = Linearizer::of(&model).independent(["X"]).expect_err("a name").to_string();
    assert_eq!(error, "there is no coordinate `X`; did you mean `x`?");
}

#[test]
fn coordinates_that_constraints_determine_cannot_be_chosen() {
    let (model, x) = upright_points();
    let error = |names: &[&str]| {
        let linearizer = Linearizer::of(&model).independent(names).expect("names");
        linearizer.at(&x, [0.0]).expect_err("determined").to_string()
    };
    // at the top the tip cannot go up
    let text = "`p.y` cannot be independent: constraint `rod` determines it from the others that were chosen; leave one of them out";
    assert_eq!(error(&["p.y"]), text);
    assert_eq!(error(&["p"]), text);
    assert_eq!(error(&["xc", "p.x", "p.y"]), text);

    // elsewhere any two of three may be
    let model = Bob::<f64>::default();
    let (x, u) = posed(&model);
    for name in ["r.x", "r.y"] {
        let linear = Linearizer::of(&model).independent([name]).expect("a name").at(&x, u).expect("a system");
        assert_eq!(linear.system.states(), [name.to_owned(), format!("der({name})")]);
    }
    for (velocity, name) in [("der(r.x)", "r.x"), ("der(r.y)", "r.y")] {
        let linear = Linearizer::of(&model).independent([velocity]).expect("a name").at(&x, u).expect("a system");
        assert_eq!(linear.system.states(), [name, velocity]);
    }
    let error = Linearizer::of(&model).independent(["r.x", "der(r.y)"]).expect("names").at(&x, u);
    let error = error.expect_err("one of them").to_string();
    assert!(error.contains("cannot be independent: constraint `rod` determines it"), "{error}");
    let both = Linearizer::of(&model).independent(["r"]).expect("a name").at(&x, u);
    assert!(matches!(both, Err(LinearizationError::Determined { .. })), "{both:?}");

    // rolling leaves all coordinates and two velocities
    let model = Coin::<f64>::default();
    let (x, u) = posed(&model);
    let states = |names: &[&str]| {
        let linearizer = Linearizer::of(&model).independent(names).expect("names");
        linearizer.at(&x, u).map(|linear| linear.system.states()[4..].to_vec())
    };
    assert_eq!(states(&["p.x", "yaw"]), Ok(vec!["der(p.x)".to_owned(), "der(yaw)".to_owned()]));
    assert_eq!(states(&["der(roll)", "der(yaw)"]), Ok(vec!["der(roll)".to_owned(), "der(yaw)".to_owned()]));
    // the coin goes where it heads
    let error = states(&["der(p)"]).expect_err("one of them").to_string();
    assert!(error.starts_with("`der(p.y)` cannot be independent: constraint `no_slip"), "{error}");
    let error = states(&["der(p.x)", "der(roll)"]).expect_err("one of them").to_string();
    assert!(error.contains("cannot be independent: constraint `no_slip"), "{error}");
}

/// The systems with two choices are the same but for coordinates.
#[test]
fn choices_describe_the_same_motions() {
    let model = Bob::<f64>::default();
    let (x, u) = posed(&model);
    let [one, two] = ["r.x", "r.y"]
        .map(|name| Linearizer::of(&model).independent([name]).expect("a name").at(&x, u).expect("a linear system"));
    // states of the second by those of the first; its rate along the motion is not needed for the inputs
    let to = DMatrix::from_fn(2, 2, |r, c| one.shape[(two.places[r], c)]);
    assert!((&to * &*one.system.b - &*two.system.b).amax() < 1e-12);
    assert!((&*two.shape * &to - &*one.shape).amax() < 1e-12);
}

#[test]
fn states_that_are_none_are_refused_by_name() {
    let (model, x) = upright();
    let error = |x: &State<CartPole>, u: f64| StateSpace::of(&model, x, [u]).expect_err("no system").to_string();
    for bad in [f64::NAN, f64::INFINITY] {
        let mut broken = x.clone();
        broken.q.set_th(bad);
        assert_eq!(error(&broken, 0.0), "coordinate `th` is not finite");
        let mut broken = x.clone();
        broken.v.set_x(bad);
        assert_eq!(error(&broken, 0.0), "velocity `der(x)` is not finite");
        assert_eq!(error(&x, bad), "input `u` is not finite");
    }

    let (model, x) = upright_points();
    let mut off = x.clone();
    off.q.set_p([0.1, 0.5]);
    let error = StateSpace::of(&model, &off, [0.0]).expect_err("off").to_string();
    assert!(
        error.starts_with("positions of the state are not consistent: constraint `rod` has a residual of 1.0"),
        "{error}"
    );
    let mut off = x.clone();
    off.v.set_p([0.0, 0.5]);
    let error = Descriptor::of(&model, &off, [0.0]).expect_err("off").to_string();
    assert!(error.starts_with("velocities of the state are not consistent: constraint `rod`"), "{error}");
    assert!(StateSpace::of(&model, &State::neutral(&model), [0.0]).is_err());

    let top = Top::<f64>::default();
    let (mut x, u) = posed(&top);
    x.q.as_mut()[0] *= 1.1;
    let error = StateSpace::of(&top, &x, u).expect_err("no rotation").to_string();
    assert!(error.starts_with("`q` is not a rotation"), "{error}");

    let (model, x) = upright();
    let mut map = StepMap::of(&model, Heun, &[]).expect("a map");
    let error = Linearizer::of(&model).step(&mut map, &x, [0.0], -0.1).expect_err("a step").to_string();
    assert_eq!(error, "step of -1e-1 from t = 0: step size cannot be -0.1");
}

/// A mechanism of 10 µm is not 100 µm off, and drifts as others do.
#[test]
fn small_mechanisms_are_held_to_their_own_size() {
    let model = Points { l: 1e-5, ..Points::default() };
    let at = |height: f64, rate: f64| {
        let mut x = State::neutral(&model);
        x.q.set_p([0.0, height]);
        x.v.set_p([0.0, rate]);
        StateSpace::of(&model, &x, [0.0]).map(|_| ())
    };
    assert_eq!(at(1e-5, 0.0), Ok(()));
    assert_eq!(at(1e-5 * (1.0 + 1e-6), 1e-12), Ok(()));
    for (height, rate) in [(1e-4, 0.0), (1.001e-5, 0.0), (0.999e-5, 0.0), (1e-5, 1e-7)] {
        let error = at(height, rate);
        assert!(matches!(error, Err(LinearizationError::Off { .. })), "{height} {rate}: {error:?}");
    }
}

model! {
    /// An output without a derivative at zero.
    pub struct Rooted {
        coord x: Real;
        input u: Real = 0.0;
        kinetic = 0.5 * sq(der(x));
        force push on x = u;
        output far = sqrt(x);
    }
}

#[test]
fn derivatives_that_are_not_finite_are_refused_by_name() {
    let model = Rooted::default();
    let error = StateSpace::of(&model, &State::neutral(&model), [0.0]).expect_err("√0").to_string();
    assert_eq!(error, "the entry of C in row `far` and column `x` is not finite");
}

/// At rest with orthonormal coordinates, the eigenvalues are the same.
#[test]
fn at_rest_poles_are_those_of_the_analysis() {
    fn check<S: Solvable<Real = f64> + Sensitive>(model: &S, x: &State<S>, u: &S::U) {
        let inputs = ode_model::input_fn(|_, out: &mut S::U| out.clone_from(u));
        let run = Simulation::of(model, Heun).inputs(inputs).given(x.clone()).fixed(1.0).expect("a start");
        let other = Linearization::of(model, &inputs, run.state(), 1e-9).expect("rest");
        let mut wanted = eigenvalues(&other.a).expect("eigenvalues");
        wanted.sort_by(|x, y| x.norm_sqr().total_cmp(&y.norm_sqr()).then(y.im.total_cmp(&x.im)));
        let system = StateSpace::of(model, x, u.clone()).expect("a linear system");
        let poles = system.poles().expect("poles");
        assert_eq!(poles.len(), wanted.len());
        for (pole, wanted) in poles.iter().zip(wanted) {
            assert!((pole.value - wanted).norm_sqr().sqrt() < 1e-9, "{}: {pole} {wanted}", model.layout().name);
        }
    }
    let (model, x) = upright_points();
    check(&model, &x, &[0.0].into());
    let (model, x) = upright();
    check(&model, &x, &[0.0].into());
    let rig = crate::descriptors::Rig::<f64>::default();
    let (x, u) = posed(&rig);
    check(&rig, &x, &u);
    let slow = crate::descriptors::Slow::<f64>::default();
    check(&slow, &State::neutral(&slow), &[0.0].into());
    // hanging, by a row that stands there twice
    let twice = Twice::<f64>::default();
    let mut x = State::neutral(&twice);
    x.q.as_mut()[1] = -twice.l;
    check(&twice, &x, &Default::default());
}
