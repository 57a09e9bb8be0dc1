//! On a device: predictions, updates and feedback leave the heap alone.

#[path = "../../../ode-runtime/tests/common/heap.rs"]
mod counter;

use ode_control::{Ekf, Feedback, Filter, Transform, Ukf};
use ode_model::integrators::{Geodesic, RungeKutta4, Vary};
use ode_model::linalg::{Labelled, SMatrix};
use ode_model::solve::Projection;
use ode_model::variation::Columns;
use ode_model::{Nominal, Observable, Sensitive, Solvable, Start, State};

use crate::derivatives::spread;
use crate::models::{Bob, Tumbler};

/// Heap calls of cycles, in each of which a number is missing.
fn check<S, M, K, F, const N: usize, const R: usize>(mut filter: Filter<'_, S, M, K, F, N>, outputs: [&str; R])
where
    S: Solvable<Real = f64, U: From<[f64; 1]>> + Sensitive,
    M: Vary<S>,
    K: Columns,
    F: Transform<S, N>,
{
    let sensor = filter.sensor(outputs).expect("a sensor");
    let truth = filter.state().clone();
    let calls = counter::calls(|| {
        for k in 0..20 {
            filter.predict([0.1], 1e-3, &spread(1e-6)).expect("a step");
            let z = std::array::from_fn(|i| (i != k % R).then_some(0.1));
            filter.update(&sensor, z, &SMatrix::identity()).expect("a correction");
            filter.nees(&truth).expect("a number");
        }
    });
    assert_eq!(calls, 0);
}

#[test]
fn feedback_allocates_nothing() {
    fn check<S, K>(feedback: &Feedback<'_, S, K>, x: &State<S>)
    where
        S: Observable<Real = f64, U: From<[f64; 1]>> + Sensitive,
        K: Columns,
    {
        let mut u = [0.0].into();
        assert_eq!(counter::calls(|| feedback.apply(x, &mut u)), 0);
    }
    let (tumbler, bob) = (Tumbler::default(), Bob::default());
    let x = State::neutral(&tumbler);
    check(&Feedback::sized(&tumbler, &x, [0.0], &SMatrix::<f64, 1, 19>::repeat(0.1)).expect("a gain"), &x);
    let x = Start::default().solve(&bob, &Nominal).expect("a start");
    let gain = Labelled::new(&["u"], &["r.y", "der(r.y)"], |_, _| 0.1);
    check(&Feedback::of(&bob, &x, [0.0], &gain).expect("a gain"), &x);
}

#[test]
fn predictions_and_updates_allocate_nothing() {
    let (tumbler, bob) = (Tumbler::default(), Bob::default());
    let x = State::neutral(&tumbler);
    let outputs = ["s.x", "speed.y", "acceleration"];
    check(Ekf::new(&tumbler, RungeKutta4, &x, spread::<19>(0.01)).expect("a filter"), outputs);
    check(Ukf::new(&tumbler, RungeKutta4, &x, spread::<19>(0.01)).expect("a filter"), outputs);
    let x = Start::default().solve(&bob, &Nominal).expect("a start");
    let (p, how) = (spread::<4>(1e-4), Projection::to(1e-10));
    let ekf = Ekf::new(&bob, Geodesic, &x, p).expect("a filter").project(how).expect("a projection");
    let ukf = Ukf::new(&bob, Geodesic, &x, p).expect("a filter").project(how).expect("a projection");
    check(ekf, ["angle", "tension", "current"]);
    check(ukf, ["angle", "tension", "current"]);
}
