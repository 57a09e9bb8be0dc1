//! Events where runs are stopped, as closely to them as time resolves: each crossing counts once.

use crate::common::{On, Plant, on};
use crate::dense_system;
use ode_runtime::integrators::{BackwardEuler, DormandPrince, Geodesic, Leapfrog};
use ode_runtime::{Crossing, Event, Events, Linearize, Method, Scalar, Simulation, Solvable, State};

const fn event(name: &'static str, crossing: Crossing) -> Event<'static> {
    Event { name, crossing, stops: false }
}

/// A body at unit speed, x = t, and how often sin ω x has risen, fallen, and done either; whether ω t has.
#[derive(Clone, Copy, Debug)]
struct Counter {
    omega: f64,
}

impl Plant<1, 0, 0, 0> for Counter {
    const MODES: &'static [&'static str] = &["risen", "fallen", "either", "timed"];
    const EVENTS: &'static [Event<'static>] = &[
        event("rises", Crossing::Rising),
        event("falls", Crossing::Falling),
        event("crosses", Crossing::Either),
        event("timed", Crossing::Either),
    ];
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [T::ZERO]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.0], [1.0], [])
    }
    fn guards<T: Scalar>(&self, t: T, x: (&[T; 1], &[T; 1], &[T; 0]), _u: &[T; 0], _modes: &[T], out: &mut [T]) {
        let omega = T::from_f64(self.omega);
        let value = (omega * x.0[0]).sin();
        (out[0], out[1], out[2], out[3]) = (value, value, value, (omega * t).sin());
    }
    fn reset<T: Scalar>(
        &self,
        event: usize,
        _t: T,
        _x: (&[T; 1], &[T; 1], &[T; 0]),
        modes: &[T],
        out: (&mut [T; 1], &mut [T; 1], &mut [T; 0], &mut [T]),
    ) {
        out.3[event] = modes[event] + T::ONE;
    }
}
dense_system!(Counter, q 1 ["x"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

/// A body between walls at 0 and 1 whose speed of 1 each impact turns round, and a clock that ticks at their times.
#[derive(Clone, Copy, Debug)]
struct Between;

impl Plant<1, 0, 0, 0> for Between {
    const MODES: &'static [&'static str] = &["low", "high", "ticks"];
    const EVENTS: &'static [Event<'static>] =
        &[event("low", Crossing::Falling), event("high", Crossing::Rising), event("tick", Crossing::Rising)];
    fn mass<T: Scalar>(&self, _q: &[T; 1]) -> [[T; 1]; 1] {
        [[T::ONE]]
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 1], _v: &[T; 1], _z: &[T; 0], _u: &[T; 0]) -> [T; 1] {
        [T::ZERO]
    }
    fn guess(&self) -> ([f64; 1], [f64; 1], [f64; 0]) {
        ([0.5], [1.0], [])
    }
    fn guards<T: Scalar>(&self, t: T, x: (&[T; 1], &[T; 1], &[T; 0]), _u: &[T; 0], modes: &[T], out: &mut [T]) {
        (out[0], out[1], out[2]) = (x.0[0], x.0[0] - T::ONE, t - (modes[2] + T::from_f64(0.5)));
    }
    fn reset<T: Scalar>(
        &self,
        event: usize,
        _t: T,
        x: (&[T; 1], &[T; 1], &[T; 0]),
        modes: &[T],
        out: (&mut [T; 1], &mut [T; 1], &mut [T; 0], &mut [T]),
    ) {
        if event < 2 {
            out.1[0] = -x.1[0];
        }
        out.3[event] = modes[event] + T::ONE;
    }
}
dense_system!(Between, q 1 ["x"], z 0 [], c 0 [], u 0 [], mass 1, jacobian 0, n 1, tangent 1, saddle 1, assembly 1,
    init [], []);

/// Advances by stops around each of the first six `crossings`, in tolerances of their times, and half a period further.
/// Where `restarts`, the run begins anew at each stop.
fn advance<S: Solvable<Real = f64>, M: Method<S>>(
    mut run: Simulation<'_, S, M>,
    crossings: impl Fn(f64) -> f64,
    stops: &[f64],
    restarts: bool,
) -> State<S> {
    for k in 1..=6 {
        let crossing = crossings(f64::from(k));
        for &stop in stops {
            let stop = crossing + stop * Events::<f64>::default().tolerance * crossing.max(1.0);
            if stop > run.state().t {
                run.advance_to(stop).expect("an arrival");
            }
            if restarts {
                run.change(|_| {}).expect("no change");
            }
        }
    }
    run.advance_to(crossings(6.5)).expect("an arrival");
    run.state().clone()
}

/// Lists of stops, in tolerances from a crossing.
fn lists_of_stops() -> Vec<Vec<f64>> {
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        4.0 * (seed >> 11) as f64 / (1_u64 << 53) as f64 - 2.0
    };
    let mut lists: Vec<Vec<f64>> = (0..ROUNDS).map(|round| (0..1 + round % 7).map(|_| random()).collect()).collect();
    lists.iter_mut().for_each(|stops| stops.sort_by(f64::total_cmp));
    lists
}
const ROUNDS: usize = 14;

/// Runs of `system` with several methods and steps.
fn runs<P>(system: &On<P>, step: f64, crossings: &dyn Fn(f64) -> f64, mut check: impl FnMut(State<On<P>>, &str))
where
    On<P>: Solvable<Real = f64> + Linearize,
{
    for stops in lists_of_stops() {
        for restarts in [false, true] {
            let mut go = |state, method| check(state, &format!("{method}, stops {stops:?}, restarts {restarts}"));
            let fixed = || Simulation::of(system, Geodesic).fixed(step).expect("a start");
            go(advance(fixed(), crossings, &stops, restarts), "Merson");
            let fixed = || Simulation::of(system, Leapfrog::default()).fixed(step).expect("a start");
            go(advance(fixed(), crossings, &stops, restarts), "leapfrog");
            let fixed = || Simulation::of(system, BackwardEuler::default()).fixed(step).expect("a start");
            go(advance(fixed(), crossings, &stops, restarts), "backward Euler");
            let adaptive = Simulation::of(system, DormandPrince).adaptive_from(1e-6, step).expect("a start");
            go(advance(adaptive, crossings, &stops, restarts), "adaptive");
        }
    }
}

#[test]
fn stops_about_a_crossing_do_not_count_it_twice() {
    for omega in [1.0, 1e6, 1e12] {
        let system = on(Counter { omega });
        for step in [0.37, 10.0, std::f64::consts::FRAC_PI_2] {
            runs(&system, step / omega, &|k| k * std::f64::consts::PI / omega, |state, how| {
                assert_eq!(state.modes[..], [3.0, 3.0, 6.0, 6.0], "ω = {omega}, steps of {step}/ω, {how}");
            });
        }
    }
}

#[test]
fn stops_about_an_impact_or_a_tick_do_not_count_it_twice() {
    for step in [0.37, 10.0, 0.5] {
        runs(&on(Between), step, &|k| k - 0.5, |state, how| {
            let off = (state.q[0] - 0.5).abs();
            assert_eq!(state.modes[..], [3.0, 3.0, 6.0], "steps of {step}, {how}");
            assert!(off < 1e-12, "off by {off}, steps of {step}, {how}");
        });
    }
}
