//! Random configurations: plants, methods, controls, steps, starts and settings, sensible and absurd, the same ones
//! each time. None panics, none hangs, and a failure leaves the state as it was.

use std::cell::Cell;

use crate::common::erased::{Controlled, Shared};
use crate::common::methods::{Candidate, Each, every_method};
use crate::common::on;
use crate::common::plants::{Actuated, Broken, DoublePendulum, Oscillator, Pendulum};
use ode_runtime::integrators::{
    BackwardEuler, Bdf2, BogackiShampine, DormandPrince, Fehlberg, GeneralizedAlpha, Geodesic, SemiExplicitPair,
};
use ode_runtime::solve::{Metric, Projection};
use ode_runtime::{
    Adaptive, Bound, Every, Halving, Inputs, Law, Method, Nominal, Norm, Setup, Simulation, Solvable, StartError,
    State, Steps, Tolerance,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Numbers of size 1, and now and then one of the worst.
fn number() -> impl Strategy<Value = f64> + Clone {
    let worst = prop::sample::select(vec![
        f64::NAN,
        f64::INFINITY,
        -f64::INFINITY,
        0.0,
        -0.0,
        5e-324,
        -1.0,
        1e-300,
        1e-17,
        1e17,
        -1e200,
        1e300,
        f64::MAX,
    ]);
    prop_oneof![12 => 0.5..1.5_f64, 1 => worst]
}

/// What a configuration says, whatever its plant and method.
#[derive(Clone, Copy, Debug)]
struct Settings {
    /// 0 fixed, 1 halved, 2 and 3 by error, where there is an estimate
    control: u8,
    law: u8,
    numbers: [f64; 8],
    given: bool,
    project: bool,
    rms: bool,
}

fn settings() -> impl Strategy<Value = Settings> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (0..4_u8, 0..8_u8, prop::array::uniform8(number()), flags).prop_map(|(control, law, numbers, flags)| {
        let (given, project, rms) = flags;
        Settings { control, law, numbers, given, project, rms }
    })
}

/// Few attempts, so that nothing takes long.
const MOST: u64 = 15;

impl Settings {
    fn setup<'a, S: Solvable<Real = f64>, M: Method<S>>(&self, system: &'a S, method: M) -> Setup<'a, S, M, Nominal> {
        let [a, b, c, ..] = self.numbers;
        let mut setup = Simulation::of(system, method).attempts(MOST);
        if self.given {
            let mut x = State::neutral(system);
            x.t = a - 1.0;
            x.q.as_mut().fill(b);
            x.v.as_mut().fill(c - 1.0);
            setup = setup.given(x);
        }
        if self.project {
            let metric = if self.rms { Metric::Weights } else { Metric::Mass };
            let how = Projection { metric, estimate: self.given, ..Projection::to(1e-6 * self.numbers[3]) };
            let mut weights = State::neutral(system).v;
            weights.as_mut().fill(self.numbers[4]);
            setup = setup.project(how).weights(weights);
        }
        setup
    }

    fn controlled<S: Solvable<Real = f64>>(&self, system: &S, method: &dyn Controlled<S>) -> bool {
        let [.., a, b, c, d] = self.numbers;
        let norm = if self.rms { Norm::Rms } else { Norm::Max };
        let tolerance = Tolerance::new(Bound { relative: 1e-4 * a, absolute: 1e-6 * b }).norm(norm);
        let law = match self.law {
            0 => Law::ELEMENTARY,
            1 => Law::PI,
            2 => Law::H211B,
            3 => Law::H312B,
            4 => Law { errors: [a, b - 1.0, c - 1.0], ..Law::PI },
            5 => Law { steps: [c, d], ..Law::PI },
            6 => Law { grow: 2.0 * c, shrink: 0.5 * d, retreat: 0.5 * a, ..Law::PI },
            _ => Law { safety: 0.9 * c, reject: 0.8 * d, hold: [0.5 * a, 1.5 * b], ..Law::PI },
        };
        let steps = match self.control {
            2 => Steps::default(),
            _ => Steps { first: Some(0.1 * c), least: 1e-6 * d, most: 0.3 * a },
        };
        self.runs(system, self.setup(system, Shared(method)).controlled(Adaptive { tolerance, law, steps }))
    }

    fn stepped<S: Solvable<Real = f64>, M: Method<S>>(&self, system: &S, method: M) -> bool {
        let [.., a, b, _, _] = self.numbers;
        let setup = self.setup(system, method);
        let run = match self.control {
            0 | 2 => setup.fixed(0.02 * a),
            _ => setup.halving(Halving { h: 0.05 * a, least: 0.01 * b, successes: u64::from(self.law) }),
        };
        self.runs(system, run)
    }

    /// Steps, changes, and goes on from a checkpoint; whether all of it went well.
    fn runs<S: Solvable<Real = f64>, M: Method<S>, U: Inputs<S>>(
        &self,
        system: &S,
        run: Result<Simulation<'_, S, M, U>, StartError>,
    ) -> bool {
        let Ok(mut run) = run else { return false };
        let [a, b, c, d, ..] = self.numbers;
        let end = run.state().t + 0.2 * d;
        let mut sound = true;
        for turn in 0..4 {
            let before = run.state().clone();
            let outcome = match turn {
                0 => run.step_towards(end).map(drop),
                1 => run.change(|x| x.v.as_mut().iter_mut().for_each(|v| *v *= a)),
                2 => run.step_towards(end + 0.1 * c).map(drop),
                _ => run.advance_every(Every { from: b - 1.0, period: 0.05 * c }, end, |_| {}),
            };
            assert!(run.state().check(&system.layout()).is_ok());
            sound &= outcome.is_ok();
            if outcome.is_err() && turn < 3 {
                assert_eq!(run.state(), &before);
            }
        }
        let point = run.checkpoint();
        let text = run.save();
        run.restore(point).expect("its own");
        assert_eq!(run.save(), text);
        sound
    }
}

/// A method by its place in the list of all, on any plant.
struct Stepped<'a> {
    at: usize,
    settings: &'a Settings,
    plant: usize,
    numbers: [f64; 6],
    sound: bool,
}

/// Does something with the plant of that number.
macro_rules! on_plant {
    ($plant:expr, $numbers:expr, $system:ident => $do:expr) => {{
        let [a, b, c, d, e, f] = $numbers;
        match $plant {
            0 => {
                let $system = &on(Oscillator { m: a, k: 10.0 * b, c: c - 1.0, w: d, x: e, v: f });
                $do
            }
            1 => {
                let $system = &on(Pendulum { m: a, g: 9.81 * b, scale: 0.5 * c, start: [1.0, d - 1.0] });
                $do
            }
            2 => {
                let $system = &on(Broken { mass: [a, b], force: c, factor: d, offset: e - 1.0 });
                $do
            }
            3 => {
                let $system = &on(Actuated { lag: 0.1 * d });
                $do
            }
            _ => {
                let $system = &on(DoublePendulum);
                $do
            }
        }
    }};
}

impl Each for Stepped<'_> {
    fn method<M: Candidate>(&mut self, _name: &'static str, method: M) {
        if self.at == 0 {
            self.sound = on_plant!(self.plant, self.numbers, system => self.settings.stepped(system, method));
        }
        self.at = self.at.wrapping_sub(1);
    }
}

/// Methods with an estimate, under error control, and one whose parameter is a number of any kind.
fn controlled(settings: &Settings, at: usize, plant: usize, numbers: [f64; 6]) -> bool {
    let rho = numbers[5] - 0.5;
    match at {
        0 => on_plant!(plant, numbers, s => settings.controlled(s, &Geodesic)),
        1 => on_plant!(plant, numbers, s => settings.controlled(s, &BogackiShampine)),
        2 => on_plant!(plant, numbers, s => settings.controlled(s, &Fehlberg)),
        3 => on_plant!(plant, numbers, s => settings.controlled(s, &DormandPrince)),
        4 => on_plant!(plant, numbers, s => settings.controlled(s, &SemiExplicitPair)),
        5 => on_plant!(plant, numbers, s => settings.controlled(s, &BackwardEuler::default())),
        6 => on_plant!(plant, numbers, s => settings.controlled(s, &Bdf2::default())),
        _ => on_plant!(plant, numbers, s => settings.controlled(s, &GeneralizedAlpha::with_spectral_radius(rho))),
    }
}

#[test]
fn ten_thousand_configurations() {
    let config = Config { cases: 10_000, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let finished = Cell::new(0);
    let strategy = (settings(), 0..60_usize, 0..5_usize, prop::array::uniform6(number()));
    let outcome = runner.run(&strategy, |(settings, method, plant, numbers)| {
        let sound = if method < 30 {
            let mut stepped = Stepped { at: method, settings: &settings, plant, numbers, sound: false };
            every_method(&mut stepped);
            stepped.sound
        } else {
            controlled(&settings, method % 8, plant, numbers)
        };
        finished.set(finished.get() + u32::from(sound));
        Ok(())
    });
    outcome.expect("no configuration panics");
    // Most of the numbers are fine: the test sees runs, not only refusals.
    assert!(finished.get() > 1000, "{}", finished.get());
}
