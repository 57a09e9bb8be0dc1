//! Every number that may enter, replaced by the worst ones: errors, never a panic, and never a state that is not finite.

mod common;

use common::on;
use common::plants::{Actuated, Broken, DoublePendulum, Oscillator, Pendulum};
use common::rigid::{Chart, Top};
use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic, SemiExplicitEuler};
use ode_runtime::solve::Projection;
use ode_runtime::{Estimates, Method, Simulation, Solvable, Start, State};

const WORST: [f64; 16] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    0.0,
    -0.0,
    5e-324,
    1e-310,
    -1e-200,
    1e-16,
    0.5,
    1.0,
    -1.0,
    3.0,
    1e16,
    -1e200,
    f64::MAX,
];

/// Xorshift: the same sequence each time.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// One of the worst numbers in one throw of `rarity`, else one of size 1.
    fn number(&mut self, rarity: u64) -> f64 {
        if self.next().is_multiple_of(rarity) {
            WORST[(self.next() % 16) as usize]
        } else {
            (self.next() >> 11) as f64 / (1_u64 << 53) as f64 + 0.5
        }
    }
}

fn few_steps<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M, dice: &mut Dice) -> bool {
    let mut setup = Simulation::of(system, method);
    match dice.next() % 3 {
        0 => {}
        1 => setup = setup.start(Start { time: dice.number(8), tolerance: dice.number(8), iterations: 20 }),
        _ => {
            let mut x = State::zeros(system);
            x.t = dice.number(8);
            let State { q, v, z, a, lambda, .. } = &mut x;
            for block in [q.as_mut(), v.as_mut(), z.as_mut(), a.as_mut(), lambda.as_mut()] {
                block.fill_with(|| dice.number(8));
            }
            setup = if dice.next().is_multiple_of(2) { setup.given(x) } else { setup.given_with_rates(x) };
        }
    }
    if dice.next().is_multiple_of(2) {
        setup = setup.project(Projection::to(dice.number(4) * 1e-6));
    }
    let Ok(mut run) = setup.fixed(dice.number(4) * 1e-2) else { return false };
    stays_sound(system, &mut run, dice)
}

fn few_adaptive_steps<S: Solvable<Real = f64>, M: Method<S> + Estimates>(
    system: &S,
    method: M,
    dice: &mut Dice,
) -> bool {
    let setup = Simulation::of(system, method);
    let Ok(mut run) = setup.adaptive_from(dice.number(4) * 1e-6, dice.number(4)) else { return false };
    stays_sound(system, &mut run, dice)
}

fn stays_sound<S: Solvable<Real = f64>, M: Method<S>>(
    system: &S,
    run: &mut Simulation<'_, S, M>,
    dice: &mut Dice,
) -> bool {
    for _ in 0..5 {
        let before = run.state().clone();
        let towards = before.t + dice.number(6);
        match run.step_towards(towards) {
            Ok(_) => assert!(run.state().check(&system.layout()).is_ok()),
            Err(_) => {
                assert_eq!(run.state(), &before);
                return false;
            }
        }
    }
    true
}

fn every_method<S: ode_runtime::Linearize + Solvable<Real = f64>>(system: &S, dice: &mut Dice) -> u32 {
    let mut alpha = GeneralizedAlpha::with_spectral_radius(dice.number(4).min(1.0));
    alpha.newton.tolerance = dice.number(4) * 1e-9;
    [
        few_steps(system, SemiExplicitEuler::explicit(), dice),
        few_steps(system, SemiExplicitEuler::implicit_position(), dice),
        few_steps(system, SemiExplicitEuler::implicit_velocity(), dice),
        few_steps(system, BackwardEuler::default(), dice),
        few_steps(system, BackwardEuler::linearized(), dice),
        few_steps(system, alpha, dice),
        few_steps(system, Geodesic, dice),
        few_adaptive_steps(system, Geodesic, dice),
    ]
    .into_iter()
    .map(u32::from)
    .sum()
}

#[test]
fn no_number_makes_it_panic() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut finished = 0;
    for _ in 0..300 {
        let d = &mut dice;
        let oscillator = Oscillator {
            m: d.number(6),
            k: d.number(6),
            c: d.number(6),
            w: d.number(6),
            x: d.number(6),
            v: d.number(6),
        };
        finished += every_method(&on(oscillator), d);
        let pendulum =
            Pendulum { m: d.number(6), g: d.number(6), scale: d.number(6), start: [1.0, d.number(6) * 1e-3] };
        finished += every_method(&on(pendulum), d);
        let broken = Broken { mass: [d.number(6), d.number(6)], force: d.number(6), factor: d.number(6), offset: 0.0 };
        finished += every_method(&on(broken), d);
        finished += every_method(&on(Actuated { lag: d.number(6) }), d);
        finished += every_method(&on(DoublePendulum), d);
        let top = Top {
            inertia: [d.number(6), d.number(6), d.number(6)],
            weight: d.number(6),
            chart: [Chart::Body, Chart::Space, Chart::Cayley][(d.next() % 3) as usize],
            attitude: [0.8, 0.0, 0.6, d.number(6) * 1e-3],
            rate: [d.number(6), d.number(6), d.number(6)],
        };
        finished += every_method(&on(top), d);
    }
    // Most of the numbers were fine: the test sees steps, not only refusals.
    assert!(finished > 1000, "{finished}");
}
