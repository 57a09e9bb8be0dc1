//! What filters refuse, by name, with the last good estimate kept.

use ode_control::{Ekf, Fault, Filter, FilterError, Transform, Ukf};
use ode_model::integrators::{RungeKutta4, Vary};
use ode_model::linalg::SMatrix;
use ode_model::variation::{Columns, Fixed};
use ode_model::{Cause, RunError, State, StepMap, model};

use crate::attitude::METHOD;
use crate::models::Attitude;

model! {
    /// A slide on a soft spring, of which functions are measured that are not defined everywhere.
    pub struct Slide {
        coord x: Real;
        input u: Real;
        kinetic = 0.5 * sq(der(x));
        force spring on x = u - sqrt(x + 1.0);
        output place = x;
        output level = ln(x);
        output depth = sqrt(x);
    }
}

type P = SMatrix<f64, 2, 2>;

fn diagonal(a: f64, b: f64) -> P {
    P::new(a, 0.0, 0.0, b)
}

/// The message of an error, after which the filter is as it was.
fn message<M, K, F, T>(
    filter: &mut Filter<'_, Slide, M, K, F, 2>,
    work: impl FnOnce(&mut Filter<'_, Slide, M, K, F, 2>) -> Result<T, FilterError>,
) -> String
where
    M: Vary<Slide>,
    K: Columns,
    F: Transform<Slide, 2>,
{
    let before = (filter.state().clone(), *filter.covariance());
    let error = work(filter).err().expect("it is refused");
    assert_eq!(before, (filter.state().clone(), *filter.covariance()), "{error}");
    error.to_string()
}

fn refuses<M, K, F>(mut filter: Filter<'_, Slide, M, K, F, 2>)
where
    M: Vary<Slide>,
    K: Columns,
    F: Transform<Slide, 2>,
{
    let (q, r) = (diagonal(1e-6, 1e-6), diagonal(0.1, 0.2));
    let both = filter.sensor(["place", "depth"]).expect("a sensor");
    filter.predict([0.1], 0.01, &q).expect("a step");
    filter.update(&both, [0.4, 0.7], &r).expect("a correction");

    let said = message(&mut filter, |f| f.sensor(["plaec"]));
    assert_eq!(said, "there is no output `plaec`; did you mean `place`?");
    for z in [[f64::NAN, 0.7], [f64::INFINITY, 0.7]] {
        let said = message(&mut filter, |f| f.update(&both, z, &r));
        assert_eq!(said, "measurement of `place` is not finite; give `None` where there is none");
    }
    let said = message(&mut filter, |f| f.update(&both, [None, Some(f64::NAN)], &r));
    assert!(said.starts_with("measurement of `depth` is not finite"), "{said}");

    for (p, fault) in [
        (diagonal(1.0, f64::NAN), "an entry of `der(x)` is not finite"),
        // by their own deviations, whatever their units
        (P::new(1e-30, 6e-16, 3e-16, 1.0), "entries of `der(x)` and `x` differ across the diagonal; take (P + Pᵀ)/2"),
        (P::new(1.0, 0.1, 0.2, 1.0), "entries of `der(x)` and `x` differ across the diagonal; take (P + Pᵀ)/2"),
        (
            P::new(1.0, 2.0, 2.0, 1.0),
            "it is not definite at `der(x)`, which has no positive variance beside the others",
        ),
        (diagonal(-1.0, 1.0), "it is not definite at `x`, which has no positive variance beside the others"),
        (P::new(0.0, 0.1, 0.1, 1.0), "it is not definite at `x`, which has no positive variance beside the others"),
    ] {
        let x = filter.state().clone();
        assert_eq!(message(&mut filter, |f| f.initialize(&x, p)), format!("covariance of the estimate: {fault}"));
        let said = message(&mut filter, |f| f.predict([0.0], 0.01, &p));
        assert_eq!(said, format!("covariance of process noise: {fault}"));
        let said = message(&mut filter, |f| f.update(&both, [0.4, 0.7], &p));
        let fault = fault.replace("der(x)", "depth").replace("`x`", "`place`");
        assert_eq!(said, format!("covariance of measurement noise: {fault}"));
    }
    let said = message(&mut filter, |f| f.predict_driven([0.0], 0.01, &q, &SMatrix::<f64, 1, 1>::new(-1.0)));
    assert!(said.starts_with("covariance of the noise of inputs: it is not definite at `u`"), "{said}");
    let said = message(&mut filter, |f| f.predict_driven([0.0], 0.01, &q, &diagonal(1.0, 1.0)));
    assert_eq!(said, "number of rows of the noise of inputs is 2, but must be 1");

    let said = message(&mut filter, |f| f.predict([0.0], -0.01, &q));
    assert!(said.contains("step size cannot be -0.01"), "{said}");
    let said = message(&mut filter, |f| f.predict([f64::NAN], 0.01, &q));
    assert!(said.contains("input `u` is not finite"), "{said}");
    let said = message(&mut filter, |f| f.hold([f64::NAN]));
    assert!(said.contains("input `u` is not finite"), "{said}");
    // it falls below −1, where the spring is not defined
    let error = filter.predict([-100.0], 0.5, &q).expect_err("it is not defined there");
    assert!(matches!(error, FilterError::Run(RunError::Step(step)) if step.step == 0.5), "{error}");
    assert!(error.to_string().contains("force on `x` is not finite"), "{error}");

    // an output that is not defined: ln x of a negative x
    let mut below = filter.state().clone();
    below.q.as_mut()[0] = -0.5;
    filter.initialize(&below, diagonal(1e-4, 1e-4)).expect("an estimate");
    let level = filter.sensor(["level"]).expect("a sensor");
    let said = message(&mut filter, |f| f.update(&level, [0.0], &SMatrix::<f64, 1, 1>::new(0.1)));
    assert_eq!(said, "output `level` or its derivative is not finite at the estimate");
    let said = message(&mut filter, |f| {
        let mut x = f.state().clone();
        x.q.as_mut()[0] = f64::NAN;
        f.initialize(&x, diagonal(1.0, 1.0))
    });
    assert_eq!(said, "coordinate `x` is not finite");
    let said = message(&mut filter, |f| {
        let mut x = f.state().clone();
        x.v.as_mut()[0] = f64::NAN;
        f.nees(&x)
    });
    assert_eq!(said, "velocity `der(x)` is not finite");

    // a correction to where nothing is defined
    let place = filter.sensor(["place"]).expect("a sensor");
    let said = message(&mut filter, |f| f.update(&place, [-1e3], &SMatrix::<f64, 1, 1>::new(1e-9)));
    assert!(said.contains("is not finite"), "{said}");
    // certain of what it sees without noise
    filter.initialize(&below, diagonal(0.0, 1.0)).expect("an estimate");
    let said = message(&mut filter, |f| f.update(&place, [-0.5], &SMatrix::<f64, 1, 1>::new(0.0)));
    assert!(said.starts_with("covariance of the innovation: it is not definite at `place`"), "{said}");
    let before = filter.state().clone();
    let still = filter.update(&place, [None], &SMatrix::<f64, 1, 1>::new(f64::NAN)).expect("nothing");
    assert_eq!((still.degrees(), still.nis, filter.state()), (0, 0.0, &before));
}

fn start(model: &Slide) -> State<Slide> {
    let mut x = State::neutral(model);
    x.q.as_mut()[0] = 0.5;
    x
}

#[test]
fn extended() {
    let model = Slide {};
    let map = StepMap::<_, _, Fixed<3>>::sized(&model, RungeKutta4, &[]).expect("a map");
    refuses(Ekf::of(map, &start(&model), diagonal(0.01, 0.01)).expect("a filter"));
    let mut states = Ekf::new(&model, RungeKutta4, &start(&model), diagonal(0.01, 0.01)).expect("a filter");
    let said = message(&mut states, |f| f.predict_driven([0.0], 0.01, &P::zeros(), &SMatrix::<f64, 1, 1>::new(1.0)));
    assert_eq!(said, "number of columns of B in the map of steps is 0, but must be 1");
    let depth = states.sensor(["depth"]).expect("a sensor");
    let mut x = start(&model);
    x.q.as_mut()[0] = 0.0;
    states.initialize(&x, diagonal(0.01, 0.01)).expect("an estimate");
    let said = message(&mut states, |f| f.update(&depth, [0.1], &SMatrix::<f64, 1, 1>::new(0.1)));
    assert_eq!(said, "output `depth` or its derivative is not finite at the estimate");
}

#[test]
fn unscented() {
    let model = Slide {};
    let ukf = || Ukf::new(&model, RungeKutta4, &start(&model), diagonal(0.01, 0.01)).expect("a filter");
    refuses(ukf());
    for (weights, said) in [
        ((0.0, 2.0, 0.0), "alpha of sigma points cannot be 0"),
        ((0.5, f64::NAN, 0.0), "beta of sigma points cannot be NaN"),
        ((0.5, 2.0, -2.0), "kappa of sigma points cannot be -2"),
    ] {
        let (alpha, beta, kappa) = weights;
        assert_eq!(ukf().weighted(alpha, beta, kappa).expect_err("no weights").to_string(), said);
    }
}

#[test]
fn what_enters_is_checked_like_all_states() {
    let model = Attitude::<f64>::default();
    let p = SMatrix::<f64, 6, 6>::identity();
    let mut x = State::neutral(&model);
    x.q.as_mut()[0] = 0.0;
    let error = Ekf::new(&model, METHOD, &x, p).expect_err("zeros are no rotation");
    let FilterError::Run(RunError::Evaluation(Cause::NotARotation { name, norm: 0.0 })) = error else {
        panic!("{error}")
    };
    assert_eq!(name.as_str(), "q");
    x.q.as_mut()[0] = 1.000001;
    let filter = Ukf::new(&model, METHOD, &x, p).expect("nearly one is normalised");
    assert_eq!(filter.state().q.as_ref()[0], 1.0);
    x.q.as_mut()[0] = 1.0;
    let error = Ekf::new(&model, METHOD, &x, SMatrix::<f64, 7, 7>::identity()).expect_err("six directions");
    assert_eq!(error.to_string(), "number of rows of the covariance is 7, but must be 6");
    let error = Ukf::new(&model, METHOD, &x, SMatrix::<f64, 7, 7>::identity()).expect_err("six directions");
    assert_eq!(error.to_string(), "number of rows of the covariance is 7, but must be 6");
    let mut wide = Ukf::new(&model, METHOD, &x, p * 5.0).expect("a filter");
    let error = wide.predict([1.0, 2.0, 3.0], 1.0, &p).expect_err("they are turns apart");
    assert!(matches!(error, FilterError::Scattered { .. }), "{error}");
    assert!(error.to_string().ends_with("the covariance reaches around the rotation; give a smaller one"), "{error}");
    assert_eq!(*wide.covariance(), p * 5.0);
    wide.initialize(&x, p * 0.5).expect("an estimate");
    wide.predict([1.0, 2.0, 3.0], 1.0, &p).expect("they are near");
    let error = FilterError::Covariance { of: "x", entry: name, fault: Fault::NotFinite };
    assert!(size_of_val(&error) < 128);
}
