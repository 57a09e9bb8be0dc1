//! Models with functions of their own for accelerations and corrections: runs equal those of the same models without.

use std::fmt::Debug;

use crate::common::erased::{Erased, Shared};
use crate::common::plants::{Actuated, Broken, Oscillator, Pendulum};
use crate::common::rigid::{Chart, Top};
use crate::common::{On, Plant, direct, on};
use crate::dense_system;
use ode_runtime::integrators::{
    BogackiShampine, DormandPrince, DormandPrince8, ExplicitMidpoint, Fehlberg, ForwardEuler, Geodesic, Heun,
    RungeKutta4, Tableau, Verner9,
};
use ode_runtime::solve::{Projection, Projector};
use ode_runtime::{
    Cause, Context, Inputs, Method, Moment, Nominal, Quantity, Scalar, Simulation, Solvable, State, Work, input_fn,
};

/// Numbers differ in their last digits, and not what is said about them.
fn words(outcome: impl Debug) -> String {
    format!("{outcome:?}").chars().filter(|c| c.is_alphabetic() && *c != 'e').collect()
}

/// How a run of six steps has ended, and where.
fn run<S, U>(
    system: &S,
    method: &dyn Erased<S>,
    inputs: U,
    h: f64,
    project: Option<Projection<f64>>,
) -> (String, Vec<f64>)
where
    S: Solvable<Real = f64>,
    U: Inputs<S>,
{
    let mut setup = Simulation::of(system, Shared(method)).inputs(inputs);
    if let Some(projection) = project {
        setup = setup.project(projection);
    }
    let mut run = match setup.fixed(h) {
        Ok(run) => run,
        Err(error) => return (words(error), Vec::new()),
    };
    let outcome = (0..6).try_for_each(|_| run.step_towards(100.0).map(|_| ()));
    let x = run.state();
    let numbers = [&[x.t], x.q.as_ref(), x.v.as_ref(), x.z.as_ref(), x.a.as_ref(), x.lambda.as_ref()].concat();
    let mut statistics = *run.statistics();
    // corrections by the matrix and by the model's own function need not be as many
    statistics.work.factorizations = 0;
    (words(outcome) + &format!("{statistics:?}"), numbers)
}

fn close(a: &[f64], b: &[f64]) -> bool {
    let size = a.iter().fold(1e-300_f64, |size, x| size.max(x.abs()));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-11 * size)
}

/// The same for each explicit Runge–Kutta method.
macro_rules! each_method {
    ($method:ident => $body:block) => {
        each_method!($method => $body, ForwardEuler Heun ExplicitMidpoint RungeKutta4 BogackiShampine Geodesic Fehlberg
            DormandPrince DormandPrince8 Verner9)
    };
    ($method:ident => $body:block, $($each:ident)*) => {$({
        let $method = $each;
        $body
    })*};
}

/// With each method, drifting and projected.
fn same<P: Copy + Debug + 'static>(plant: P, h: f64)
where
    On<P>: Solvable<Real = f64>,
    On<P, f64, true>: Solvable<Real = f64>,
{
    let projections = [None, Some(Projection::to(1e-9)), Some(Projection { estimate: true, ..Projection::to(1e-13) })];
    for project in projections {
        each_method!(method => {
            let (by_parts, expected) = run(&on(plant), &method, Nominal, h, project);
            let (directly, numbers) = run(&direct(plant), &method, Nominal, h, project);
            let what = format!("{method:?} of {plant:?}, {project:?}");
            assert_eq!(directly, by_parts, "{what}");
            assert!(close(&numbers, &expected), "{what}: {numbers:?} instead of {expected:?}");
        });
    }
}

const SPRING: Oscillator = Oscillator { m: 2.0, k: 3.0, c: 0.1, w: 0.0, x: 1.0, v: 0.5 };

#[test]
fn runs_are_those_by_the_parts() {
    same(SPRING, 0.1);
    same(Pendulum::standard(), 0.02);
    same(Actuated { lag: 0.3 }, 0.01);
    same(Broken { mass: [1.0, 2.0], force: 0.5, factor: 0.5, offset: 0.0 }, 0.02);
    for chart in [Chart::Body, Chart::Space, Chart::Cayley] {
        same(Top { chart, ..Top::free() }, 0.05);
    }
}

#[test]
fn failures_have_the_same_names() {
    for wrong in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        same(Oscillator { m: wrong, ..SPRING }, 0.1);
        same(Oscillator { k: wrong, ..SPRING }, 0.1);
        same(Pendulum { g: wrong, ..Pendulum::standard() }, 0.02);
        same(Pendulum { scale: wrong, ..Pendulum::standard() }, 0.02);
        same(Actuated { lag: wrong }, 0.01);
        same(Broken { mass: [1.0, wrong], force: 0.5, factor: 0.5, offset: 0.0 }, 0.02);
        same(Broken { mass: [1.0, 2.0], force: wrong, factor: 0.5, offset: 0.0 }, 0.02);
        for chart in [Chart::Body, Chart::Space, Chart::Cayley] {
            same(Top { chart, weight: wrong, ..Top::free() }, 0.05);
        }
    }
    for chart in [Chart::Body, Chart::Space, Chart::Cayley] {
        same(Top { chart, rate: [0.0, 0.0, 100.0], ..Top::free() }, 0.05);
    }
}

/// An input that is `wrong` from a time on.
fn failing<S: Solvable<Real = f64, U = [f64; 1]>>(from: f64, wrong: f64) -> impl Inputs<S> {
    input_fn(move |at: Moment<'_, S>, u: &mut [f64; 1]| u[0] = if at.t > from { wrong } else { 0.0 })
}

#[test]
fn an_input_that_fails_in_the_middle_of_a_step_has_the_same_name() {
    for (wrong, from) in
        [f64::NAN, f64::INFINITY].into_iter().flat_map(|wrong| [0.11, 0.14, 0.16, 0.199].map(|from| (wrong, from)))
    {
        each_method!(method => {
            let (by_parts, expected) = run(&on(SPRING), &method, failing(from, wrong), 0.1, None);
            let (directly, numbers) = run(&direct(SPRING), &method, failing(from, wrong), 0.1, None);
            assert_eq!(directly, by_parts, "{method:?} at {from}");
            assert!(close(&numbers, &expected), "{method:?} at {from}");
        });
    }
}

/// A force that does not depend on the point.
#[derive(Clone, Copy, Debug)]
struct Pushed;

impl Plant<1, 0, 0, 1> for Pushed {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 1], _v: &[T; 1], _z: &[T; 0], u: &[T; 1]) -> [T; 1] {
        [T::ONE / u[0]]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.0], [1.0], [])
    }
}
dense_system!(Pushed, q 1 ["x"], z 0 [], c 0 [], u 1 ["push"], mass 1, jacobian 0, n 1, tangent 1, saddle 1,
    assembly 1, init [], []);

/// At 0.2 of each step, where the second stage is, of no weight in the solution nor in its error.
fn late<S: Solvable<Real = f64, U = [f64; 1]>>(at: Moment<'_, S>, u: &mut [f64; 1]) {
    u[0] = if (at.t - 0.02).abs() < 1e-3 { 0.0 } else { 1.0 };
}

#[test]
fn a_stage_that_counts_for_nothing_fails_all_the_same() {
    let by_parts = run(&on(Pushed), &DormandPrince, input_fn(late::<On<Pushed>>), 0.1, None).0;
    let directly = run(&direct(Pushed), &DormandPrince, input_fn(late::<On<Pushed, f64, true>>), 0.1, None).0;
    assert_eq!(directly, by_parts);
    assert!(directly.contains("NonFinit"), "{directly}");
}

/// A force that is bounded wherever the point is.
#[derive(Clone, Copy, Debug)]
struct Sine;

impl Plant<1, 0, 0, 0> for Sine {
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [q[0].sin()]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.0], [1e308], [])
    }
}
dense_system!(Sine, q 1 ["x"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

#[test]
fn a_point_that_overflows_is_named_and_not_the_force_there() {
    macro_rules! each {
        ($($method:expr),*) => {$(
            for cause in [last(&on(Sine), $method), last(&direct(Sine), $method)] {
                let named = matches!(cause, Some(Cause::NonFinite { quantity: Quantity::Coordinate, .. }));
                assert!(named, "{} {cause:?}", stringify!($method));
            }
        )*};
    }
    // not with more stages: at the points of some the sine is that of infinity
    each!(ForwardEuler, ExplicitMidpoint);
}

fn last<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M) -> Option<Cause> {
    let mut run = Simulation::of(system, method).fixed(1.9).unwrap();
    run.step_towards(19.0).err().map(|error| error.cause)
}

/// Constraints that are finite and whose sum is not.
#[derive(Clone, Copy, Debug)]
struct Steep;

impl Plant<2, 0, 2, 0> for Steep {
    fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
        [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
        [T::ZERO; 2]
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 2]) -> [T; 2] {
        q.map(|q| T::from_f64(1e150) * q)
    }
    fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
        ([0.0; 2], [0.0; 2], [])
    }
}
dense_system!(Steep, q 2 ["x", "y"], z 0 [], c 2 ["first", "second"], u 0 [], mass 3, jacobian 4, n 4, tangent 16,
    saddle 4, assembly 4, init [], []);

fn projected<S: Solvable<Real = f64, Q = [f64; 2], V = [f64; 2]>>(
    system: &S,
    q: [f64; 2],
    v: [f64; 2],
) -> Result<(), Cause> {
    let (mut projector, mut work) = (Projector::new(system), Work::default());
    let mut cx = Context { system, inputs: &Nominal, work: &mut work };
    let mut x = State::neutral(system);
    (x.q, x.v) = (q, v);
    projector.project(&mut cx, &Projection::to(1e140), &mut x)?;
    assert!(x.q.iter().chain(&x.v).all(|x| x.abs() <= 1e-10), "{x:?}");
    Ok(())
}

#[test]
fn large_constraints_are_projected_and_infinite_ones_named() {
    let (far, origin) = ([1e158; 2], [0.0; 2]);
    for (q, v) in [(far, origin), (origin, far), (far, far)] {
        projected(&on(Steep), q, v).unwrap();
        projected(&direct(Steep), q, v).unwrap();
    }
    for cause in [projected(&on(Steep), [0.0, 1e160], origin), projected(&direct(Steep), [0.0, 1e160], origin)] {
        let Err(Cause::NonFinite { quantity: Quantity::Constraint, name }) = cause else { panic!("{cause:?}") };
        assert_eq!(name.to_string(), "second");
    }
}

/// Euler's method in two stages, whose second repeats the first: a row of zeros.
#[derive(Clone, Copy, Debug)]
struct Twice;

impl Tableau for Twice {
    type Stages<X> = [X; 2];
    const NAME: &'static str = "Euler twice";
    const A: &'static [&'static [f64]] = &[&[], &[0.0]];
    const B: &'static [f64] = &[0.5, 0.5];
    const C: &'static [f64] = &[0.0, 0.0];
    const ORDER: u32 = 1;
}

/// The explicit midpoint rule, half of it by a third stage that repeats the first.
#[derive(Clone, Copy, Debug)]
struct Padded;

impl Tableau for Padded {
    type Stages<X> = [X; 3];
    const NAME: &'static str = "half a midpoint";
    const A: &'static [&'static [f64]] = &[&[], &[0.5], &[0.0, 0.0]];
    const B: &'static [f64] = &[0.0, 0.5, 0.5];
    const C: &'static [f64] = &[0.0, 0.5, 0.0];
    const ORDER: u32 = 1;
}

/// The same without a stage that repeats another.
#[derive(Clone, Copy, Debug)]
struct Bare;

impl Tableau for Bare {
    type Stages<X> = [X; 2];
    const NAME: &'static str = "half a midpoint";
    const A: &'static [&'static [f64]] = &[&[], &[0.5]];
    const B: &'static [f64] = &[0.5, 0.5];
    const C: &'static [f64] = &[0.0, 0.5];
    const ORDER: u32 = 1;
}

#[test]
fn a_row_of_zeros_is_the_first_stage_again() {
    let end = |numbers: (String, Vec<f64>)| numbers.1;
    let euler = end(run(&on(SPRING), &ForwardEuler, Nominal, 0.1, None));
    let bare = end(run(&on(SPRING), &Bare, Nominal, 0.1, None));
    assert!(close(&end(run(&on(SPRING), &Twice, Nominal, 0.1, None)), &euler));
    assert!(close(&end(run(&direct(SPRING), &Twice, Nominal, 0.1, None)), &euler));
    assert!(close(&end(run(&on(SPRING), &Padded, Nominal, 0.1, None)), &bare));
    assert!(close(&end(run(&direct(SPRING), &Padded, Nominal, 0.1, None)), &bare));
}
