//! Services on marked linkages: their answers are those for the linkage without the redundant row.

use ode_runtime::analysis::{
    Assembly, Eigenmodes, Held, Kinematics, Linearization, Loading, Stability, Statics, SystemMatrix, inverse_dynamics,
    least_forces,
};
use ode_runtime::integrators::{BackwardEuler, Bdf2, GeneralizedAlpha, Geodesic, SemiExplicitEuler, StormerVerlet};
use ode_runtime::solve::{Metric, Projection};
use ode_runtime::{
    Crossing, Event, Method, Nominal, Rayleigh, Scalar, Setup, Simulation, Solvable, Start, State, Weights,
};

use crate::common::linkages::{Driven, DrivenLevel, FourBar, Plain};
use crate::common::{On, Plant, on};
use crate::dense_system;

const BAR: FourBar = FourBar { th: 1.1, w: 0.7 };
/// Below, on the way to where it hangs.
const LOW: FourBar = FourBar { th: -1.0, w: 0.0 };

#[track_caller]
fn near(got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len());
    for (g, w) in got.iter().zip(want) {
        assert!((g - w).abs() <= tolerance * (1.0 + w.abs()), "{got:?} is not {want:?}");
    }
}

fn guess<S: Solvable<Real = f64>>(system: &S) -> State<S> {
    let mut x = State::neutral(system);
    system.guess(&mut x.q, &mut x.v, &mut x.z);
    x
}

/// Gᵀ λ
fn reaction<S: Solvable<Real = f64>>(system: &S, x: &State<S>) -> Vec<f64> {
    let with = inverse_dynamics(system, &Nominal, x).expect("finite");
    let mut bare = x.clone();
    bare.lambda.as_mut().fill(0.0);
    let without = inverse_dynamics(system, &Nominal, &bare).expect("finite");
    without.as_ref().iter().zip(with.as_ref()).map(|(a, b)| a - b).collect()
}

/// The same places, velocities, accelerations and reactions.
#[track_caller]
fn alike<A: Solvable<Real = f64>, B: Solvable<Real = f64>>(a: (&A, &State<A>), b: (&B, &State<B>), tolerance: f64) {
    near(a.1.q.as_ref(), b.1.q.as_ref(), tolerance);
    near(a.1.v.as_ref(), b.1.v.as_ref(), tolerance);
    near(a.1.a.as_ref(), b.1.a.as_ref(), tolerance);
    near(&reaction(a.0, a.1), &reaction(b.0, b.1), tolerance);
}

#[test]
fn equilibria_their_stability_and_their_reactions() {
    let (bar, plain) = (on(LOW), on(Plain(LOW)));
    let (x, found) = Statics::default().solve(&bar, &Nominal, guess(&bar)).expect("an equilibrium");
    let (y, wanted) = Statics::default().solve(&plain, &Nominal, guess(&plain)).expect("an equilibrium");
    near(&x.q, &[0.0, -1.0, 1.0, -1.0], 1e-10);
    alike((&bar, &x), (&plain, &y), 1e-10);
    assert_eq!((found.stability, wanted.stability), (Stability::Stable, Stability::Stable));
    let [got, want] = [found.evidence, wanted.evidence].map(|evidence| evidence.expect("judged"));
    assert_eq!((got.positive, got.negative, got.zero), (want.positive, want.negative, want.zero));
    near(&[got.least], &[want.least], 1e-10);

    // Upright it falls to either side, and is left.
    let up = FourBar { th: 1.5, w: 0.0 };
    let (bar, plain) = (on(up), on(Plain(up)));
    let (x, found) = Statics::default().solve(&bar, &Nominal, guess(&bar)).expect("an equilibrium");
    near(&x.q, &[0.0, 1.0, 1.0, 1.0], 1e-10);
    assert_eq!(found.stability, Stability::Unstable);
    let (x, found) = Statics::default().descend(&bar, &Nominal, guess(&bar)).expect("an equilibrium");
    let (y, _) = Statics::default().descend(&plain, &Nominal, guess(&plain)).expect("an equilibrium");
    assert_eq!(found.stability, Stability::Stable);
    alike((&bar, &x), (&plain, &y), 1e-8);
}

#[test]
fn small_displacements_and_loads_that_grow() {
    let (bar, plain) = (on(LOW), on(Plain(LOW)));
    let [x, y] = [FourBar { th: -1.5, w: 0.0 }; 2];
    let (bent, straight) = (on(x), on(Plain(y)));
    let one = Statics::linear(&bent, &Nominal, guess(&bent)).expect("regular");
    let two = Statics::linear(&straight, &Nominal, guess(&straight)).expect("regular");
    near(&one.q, &two.q, 1e-10);
    near(&reaction(&bent, &one), &reaction(&straight, &two), 1e-9);
    // Without the load of the rows the swing has no stiffness, with the row too many or not.
    let elastic = Statics::linear_elastic(&bent, &Nominal, guess(&bent)).map(|x| x.q);
    let wanted = Statics::linear_elastic(&straight, &Nominal, guess(&straight)).map(|x| x.q);
    assert_eq!(elastic.is_ok(), wanted.is_ok(), "{elastic:?} {wanted:?}");

    let (x, found) = Loading::default().solve(guess(&bar), |_| (&bar, Nominal)).expect("an equilibrium");
    let (y, wanted) = Loading::default().solve(guess(&plain), |_| (&plain, Nominal)).expect("an equilibrium");
    alike((&bar, &x), (&plain, &y), 1e-10);
    assert_eq!((found.turn, found.jump), (wanted.turn, wanted.jump));
}

#[test]
fn the_nearest_consistent_state() {
    let (bar, plain) = (on(BAR), on(Plain(BAR)));
    let (mut x, mut y) = (guess(&bar), guess(&plain));
    for (q, v, off) in
        [(&mut x.q, &mut x.v, [0.02, -0.03, 0.01, 0.04]), (&mut y.q, &mut y.v, [0.02, -0.03, 0.01, 0.04])]
    {
        for i in 0..4 {
            q[i] += off[i];
            v[i] -= 2.0 * off[i];
        }
    }
    let (one, assembled) = Assembly::default().solve(&bar, &Nominal, x.clone()).expect("near");
    let (two, _) = Assembly::default().solve(&plain, &Nominal, y.clone()).expect("near");
    assert!(assembled.position < 1e-12 && assembled.velocity < 1e-12, "{assembled:?}");
    // Newton's steps of both are of least size, and end on the same branch, not in the same place.
    near(&one.q, &two.q, 1e-2);
    near(&[one.q[1] - one.q[3]], &[0.0], 1e-12);
    let start = Start::default().solve_from(&bar, &Nominal, x).expect("near");
    near(&[start.q[1] - start.q[3], start.v[1] - start.v[3]], &[0.0, 0.0], 1e-10);
    // From one place both are the same.
    let again = |x: &mut [f64; 4], v: &mut [f64; 4]| (*x, *v) = (one.q, one.v);
    again(&mut y.q, &mut y.v);
    let two = Start::default().solve_from(&plain, &Nominal, y).expect("consistent");
    alike((&bar, &one), (&plain, &two), 1e-10);
}

#[test]
fn a_determined_motion() {
    let led = FourBar { th: 0.3, w: 2.0 };
    let (level, bare, follow) = (on(DrivenLevel(led)), on(Driven(led)), Kinematics::with_step(0.02));
    let mut x = follow.start(&level, &Nominal, 0.0).expect("assembled");
    let mut y = follow.start(&bare, &Nominal, 0.0).expect("assembled");
    follow.advance_to(&level, &Nominal, &mut x, 0.5).expect("steps");
    follow.advance_to(&bare, &Nominal, &mut y, 0.5).expect("steps");
    near(&x.q, &super::instants::joints(1.3), 1e-10);
    alike((&level, &x), (&bare, &y), 1e-10);
    // What determines it goes on through the line.
    follow.advance_to(&level, &Nominal, &mut x, -0.5).expect("steps");
    near(&x.q, &super::instants::joints(-0.7), 1e-10);
    // The motion that drivers impose, relative rest in it or none.
    let steady = Statics::default().steady(&level, &Nominal, guess(&level)).map(|(x, _)| x);
    let wanted = Statics::default().steady(&bare, &Nominal, guess(&bare)).map(|(x, _)| x);
    match (steady, wanted) {
        (Ok(x), Ok(y)) => near(&x.q, &y.q, 1e-8),
        (x, y) => assert!(x.is_err() && y.is_err(), "{x:?} {y:?}"),
    }
}

#[test]
fn modes_and_the_linear_system() {
    let (bar, plain) = (on(LOW), on(Plain(LOW)));
    let (x, _) = Statics::default().solve(&bar, &Nominal, guess(&bar)).expect("an equilibrium");
    let (y, _) = Statics::default().solve(&plain, &Nominal, guess(&plain)).expect("an equilibrium");
    let got = Eigenmodes::of(&bar, &Nominal, &x, 1e-9).expect("modes").frequencies();
    let want = Eigenmodes::of(&plain, &Nominal, &y, 1e-9).expect("modes").frequencies();
    near(&got, &want, 1e-10);
    near(&got, &[(9.81_f64 * 2.0 / (5.0 / 3.0)).sqrt()], 1e-10);
    let got = Linearization::of(&bar, &Nominal, &x, 1e-9).expect("linear");
    assert_eq!((got.positions, got.a.nrows()), (1, 2));
    near(&[-got.a[(0, 1)] * got.a[(1, 0)]], &[9.81 * 2.0 / (5.0 / 3.0)], 1e-10);

    // Damped in proportion.
    let (slow, fast) =
        (Rayleigh::new(bar, 0.4, 0.0).expect("of second order"), Rayleigh::new(plain, 0.4, 0.0).expect("the same"));
    let damped = |x: State<On<FourBar>>| {
        let (x, _) = Statics::default().solve(&slow, &Nominal, with(&slow, x.q)).expect("an equilibrium");
        Eigenmodes::of(&slow, &Nominal, &x, 1e-9).expect("modes").modes[0].damping()
    };
    let wanted = |y: State<On<Plain>>| {
        let (y, _) = Statics::default().solve(&fast, &Nominal, with(&fast, y.q)).expect("an equilibrium");
        Eigenmodes::of(&fast, &Nominal, &y, 1e-9).expect("modes").modes[0].damping()
    };
    near(&[damped(x)], &[wanted(y)], 1e-10);
}

fn with<S: Solvable<Real = f64>>(system: &S, q: S::Q) -> State<S> {
    State { q, ..State::neutral(system) }
}

#[test]
fn forces_of_a_motion() {
    let (bar, plain) = (on(BAR), on(Plain(BAR)));
    let mut x = Start::default().solve(&bar, &Nominal).expect("consistent");
    let mut y = Start::default().solve(&plain, &Nominal).expect("consistent");
    (x.a, y.a) = ([0.3, -0.2, 0.1, 0.5], [0.3, -0.2, 0.1, 0.5]);
    let got = least_forces(&bar, &Nominal, &mut x).expect("regular");
    let want = least_forces(&plain, &Nominal, &mut y).expect("regular");
    near(&got, &want, 1e-10);
    near(&reaction(&bar, &x), &reaction(&plain, &y), 1e-10);
    near(&inverse_dynamics(&bar, &Nominal, &x).expect("finite"), &want, 1e-10);
}

#[test]
fn the_matrix_of_a_step() {
    let (bar, plain) = (on(BAR), on(Plain(BAR)));
    let x = Start::default().solve(&bar, &Nominal).expect("consistent");
    let y = Start::default().solve(&plain, &Nominal).expect("consistent");
    let weights = Weights { rates: 1.0, velocity: 0.005, position: 2.5e-5, state: 0.0 };
    let one = SystemMatrix::assemble(&bar, &Nominal, weights, &x).expect("finite");
    let two = SystemMatrix::assemble(&plain, &Nominal, weights, &y).expect("finite");
    let (one, two) =
        (one.constrained_compliance(&bar).expect("a solution"), two.constrained_compliance(&plain).expect("regular"));
    for (r, c) in (0..4).flat_map(|r| (0..4).map(move |c| (r, c))) {
        near(&[one[(r, c)]], &[two[(r, c)]], 1e-10);
    }
}

/// The same run of two models, step by step.
#[track_caller]
fn run_alike<'a, A, B, M>(
    (a, b): (&'a A, &'a B),
    method: M,
    one: impl Fn(Setup<'a, A, M, Nominal>) -> Simulation<'a, A, M, Nominal>,
    two: impl Fn(Setup<'a, B, M, Nominal>) -> Simulation<'a, B, M, Nominal>,
    tolerance: f64,
) where
    A: Solvable<Real = f64>,
    B: Solvable<Real = f64>,
    M: Method<A> + Method<B> + Copy,
{
    let (mut one, mut two) = (one(Simulation::of(a, method)), two(Simulation::of(b, method)));
    for k in 1..=5 {
        let time = 0.1 * f64::from(k);
        one.advance_to(time).expect("steps");
        two.advance_to(time).expect("steps");
        near(one.state().q.as_ref(), two.state().q.as_ref(), tolerance);
        near(one.state().v.as_ref(), two.state().v.as_ref(), 10.0 * tolerance);
        assert_eq!(one.statistics().events, two.statistics().events);
    }
}

/// Where it is off the line, each of these has the same motion with the row and without, step by step.
macro_rules! alike_in_fixed_steps {
    ($a:expr, $b:expr, $tolerance:expr) => {
        let (a, b) = (&$a, &$b);
        macro_rules! with {
            ($method:expr) => {
                run_alike(
                    (a, b),
                    $method,
                    |setup| setup.project(Projection::to(1e-13)).fixed(0.01).expect("a start"),
                    |setup| setup.project(Projection::to(1e-13)).fixed(0.01).expect("a start"),
                    $tolerance,
                );
            };
        }
        with!(Geodesic);
        with!(SemiExplicitEuler::explicit());
        with!(BackwardEuler::default());
        with!(Bdf2::default());
        with!(GeneralizedAlpha::with_spectral_radius(0.8));
        with!(StormerVerlet::default());
    };
}

const SWING: FourBar = FourBar { th: -0.4, w: -1.0 };

#[test]
fn runs_that_are_damped_or_held() {
    alike_in_fixed_steps!(on(SWING), on(Plain(SWING)), 1e-10);
    let damped = Rayleigh::new(on(SWING), 0.3, 0.01).expect("of second order");
    let plain = Rayleigh::new(on(Plain(SWING)), 0.3, 0.01).expect("of second order");
    alike_in_fixed_steps!(damped, plain, 1e-10);
    // Held at one joint it stands, and what holds the other coordinates is known.
    let rest = FourBar { th: -0.4, w: 0.0 };
    let (held, bare) =
        (Held::new(on(rest), &["a.x"]).expect("a name"), Held::new(on(Plain(rest)), &["a.x"]).expect("a name"));
    alike_in_fixed_steps!(held, bare, 1e-10);
    let (x, y) = (
        Start::default().solve(&held, &Nominal).expect("held"),
        Start::default().solve(&bare, &Nominal).expect("held"),
    );
    near(&reaction(&held, &x), &reaction(&bare, &y), 1e-10);
}

#[test]
fn runs_under_error_control_in_another_metric_and_from_a_checkpoint() {
    run_alike(
        (&on(SWING), &on(Plain(SWING))),
        Geodesic,
        |setup| setup.project(Projection::to(1e-13)).adaptive(1e-12).expect("a start"),
        |setup| setup.project(Projection::to(1e-13)).adaptive(1e-12).expect("a start"),
        1e-9,
    );
    let weighed = || Projection { metric: Metric::Weights, estimate: true, ..Projection::to(1e-13) };
    run_alike(
        (&on(SWING), &on(Plain(SWING))),
        Geodesic,
        |setup| setup.project(weighed()).weights([1.0, 2.0, 3.0, 4.0]).adaptive(1e-12).expect("a start"),
        |setup| setup.project(weighed()).weights([1.0, 2.0, 3.0, 4.0]).adaptive(1e-12).expect("a start"),
        1e-9,
    );
    let (bar, plain) = (on(SWING), on(Plain(SWING)));
    let mut one = Simulation::of(&bar, Geodesic).project(Projection::to(1e-13)).fixed(0.01).expect("a start");
    one.advance_to(0.2).expect("steps");
    let mut one = Simulation::of(&bar, Geodesic)
        .project(Projection::to(1e-13))
        .resume(one.checkpoint())
        .fixed(0.01)
        .expect("the same run");
    one.advance_to(0.4).expect("steps");
    let mut two = Simulation::of(&plain, Geodesic).project(Projection::to(1e-13)).fixed(0.01).expect("a start");
    two.advance_to(0.4).expect("steps");
    alike((&bar, one.state()), (&plain, two.state()), 1e-10);
}

/// A linkage that strikes a wall with its left joint: that joint alone turns back, and the rows share the blow.
macro_rules! struck {
    ($name:ident, $inner:expr, $rows:literal, $($layout:tt)*) => {
        #[derive(Clone, Copy, Debug)]
        struct $name;
        impl Plant<4, 0, $rows, 0> for $name {
            fn mass<T: Scalar>(&self, q: &[T; 4]) -> [[T; 4]; 4] {
                $inner.mass(q)
            }
            fn force<T: Scalar>(&self, t: T, q: &[T; 4], v: &[T; 4], z: &[T; 0], u: &[T; 0]) -> [T; 4] {
                $inner.force(t, q, v, z, u)
            }
            fn phi<T: Scalar>(&self, t: T, q: &[T; 4]) -> [T; $rows] {
                $inner.phi(t, q)
            }
            fn guess(&self) -> ([f64; 4], [f64; 4], [f64; 0]) {
                $inner.guess()
            }
            const EVENTS: &'static [Event<'static>] = &[Event { name: "wall", crossing: Crossing::Falling, stops: false }];
            fn guards<T: Scalar>(&self, _t: T, x: (&[T; 4], &[T; 4], &[T; 0]), _u: &[T; 0], _m: &[T], out: &mut [T]) {
                out[0] = x.0[0] - T::from_f64(0.7);
            }
            fn reset<T: Scalar>(
                &self,
                _event: usize,
                _t: T,
                x: (&[T; 4], &[T; 4], &[T; 0]),
                _modes: &[T],
                out: (&mut [T; 4], &mut [T; 4], &mut [T; 0], &mut [T]),
            ) {
                *out.1 = *x.1;
                out.1[0] = x.1[0] * T::from_f64(-2.0);
                out.1[1] = x.1[1] * T::from_f64(-2.0);
            }
        }
        dense_system!($name, $($layout)*);
    };
}
struck!(Struck, SWING, 4, q 4 ["a.x", "a.y", "b.x", "b.y"], z 0 [], c 4 ["left", "right", "coupler", "level"], u 0 [], mass 10,
    jacobian 16, n 8, tangent 64, saddle 8, assembly 8, init [], [], redundant RedundantSaddle RedundantKkt);
struck!(StruckPlain, Plain(SWING), 3, q 4 ["a.x", "a.y", "b.x", "b.y"], z 0 [], c 3 ["left", "right", "coupler"], u 0 [], mass 10,
    jacobian 12, n 7, tangent 49, saddle 7, assembly 7, init [], []);

#[test]
fn a_blow_is_shared_by_the_rows() {
    alike_in_fixed_steps!(on(Struck), on(StruckPlain), 1e-9);
    let struck = on(Struck);
    let mut run = Simulation::of(&struck, Geodesic).fixed(0.01).expect("a start");
    run.advance_to(0.5).expect("steps");
    assert!(run.statistics().events > 0, "{:?}", run.statistics());
}

/// Cranks of 0.4 m, 1 m apart, with a coupler of 1 m.
macro_rules! short_cranks {
    ($name:ident, $rows:literal, [$($row:literal),+], $jacobian:literal, $n:literal,
        $tangent:literal $($solvers:tt)*) => {
        #[derive(Clone, Copy, Debug)]
        struct $name(f64);

        impl Plant<4, 0, $rows, 0> for $name {
            fn mass<T: Scalar>(&self, q: &[T; 4]) -> [[T; 4]; 4] {
                BAR.mass(q)
            }
            fn force<T: Scalar>(&self, t: T, q: &[T; 4], v: &[T; 4], z: &[T; 0], u: &[T; 0]) -> [T; 4] {
                BAR.force(t, q, v, z, u)
            }
            fn phi<T: Scalar>(&self, _t: T, q: &[T; 4]) -> [T; $rows] {
                let [ax, ay, bx, by] = *q;
                let (short, one) = (T::from_f64(0.4), T::ONE);
                let length = |x: T, y: T| (x * x + y * y).sqrt();
                let all = [length(ax, ay) - short, length(bx - one, by) - short, length(bx - ax, by - ay) - one,
                    by - ay];
                std::array::from_fn(|row| all[row])
            }
            fn guess(&self) -> ([f64; 4], [f64; 4], [f64; 0]) {
                let (s, k) = self.0.sin_cos();
                ([0.4 * k, 0.4 * s, 1.0 + 0.4 * k, 0.4 * s], [0.0; 4], [])
            }
        }
        dense_system!($name, q 4 ["a.x", "a.y", "b.x", "b.y"], z 0 [], c $rows [$($row),+], u 0 [], mass 10,
            jacobian $jacobian, n $n, tangent $tangent, saddle $n, assembly $n, init [], [] $($solvers)*);
    };
}
short_cranks!(Short, 3, ["left", "right", "coupler"], 12, 7, 49);
short_cranks!(ShortLevel, 4, ["left", "right", "coupler", "level"], 16, 8, 64, redundant RedundantSaddle RedundantKkt);

/// From wherever the plain linkage finds its rest, so does the marked one, though stiffness is indefinite on the way.
#[test]
fn an_equilibrium_is_found_from_wherever_the_plain_linkage_finds_it() {
    let (mut found, mut missed) = (0, Vec::new());
    for k in -31..32 {
        let th = 0.1 * f64::from(k);
        let (plain, marked) = (on(Short(th)), on(ShortLevel(th)));
        let Ok((wanted, _)) = Statics::default().solve(&plain, &Nominal, guess(&plain)) else { continue };
        found += 1;
        match Statics::default().solve(&marked, &Nominal, guess(&marked)) {
            Ok((x, _)) => near(&[x.q[1].abs(), x.q[1] - x.q[3]], &[0.4, 0.0], 1e-9),
            Err(error) => missed.push((th, wanted.q, error.to_string())),
        }
    }
    assert!(found > 10, "{found}");
    assert!(missed.is_empty(), "{missed:#?}");
}

/// A free coordinate is named, not the dependent rows: weights alone are no stiffness.
#[test]
fn what_is_undetermined_is_named_as_on_the_plain_linkage() {
    for th in [-1.0, -1.5, -1.2, 0.3] {
        let (plain, marked) = (on(Short(th)), on(ShortLevel(th)));
        let wanted = Statics::linear_elastic(&plain, &Nominal, guess(&plain)).expect_err("no stiffness");
        let found = Statics::linear_elastic(&marked, &Nominal, guess(&marked)).expect_err("no stiffness");
        assert_eq!(found.to_string(), wanted.to_string());
    }
}
