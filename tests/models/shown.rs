//! What an observer sees at each moment of a run: its start, its steps, its events, its samples and between its steps.

use ode_model::prelude::*;
use ode_model::{Seen, Side};

use crate::{close, near};

model! {
    /// A sledge that is pulled, and a clock that strikes once.
    pub struct Sledge {
        param m: Real [kg] = 2.0;
        param tick: Real [s] = 0.5;
        coord x: Real [m];
        input pull: Real [N] = 1.0;
        mode ticks: Real = 0.0;
        kinetic = 0.5 * m * sq(der(x));
        force drive on x = pull;
        output load: Real [N] = m * der2(x);
        output asked: Real [N] = pull + 10.0N * ticks;
        init x = 0.0;
        init der(x) = 0.0;
        event clock when t > tick { ticks = ticks + 1.0; }
    }
}

/// A moment as it is shown: time, input, outputs, and the side of an event.
type Shown = (f64, f64, [f64; 2], Option<Side>);

fn shown(seen: &Seen<'_, Sledge>) -> Shown {
    let outputs = seen.outputs();
    let event = seen.event().map(|(_, side)| side);
    // what is computed from the inputs belongs to the inputs that are shown
    close(outputs.load(), seen.inputs().pull());
    close(seen.a.x(), seen.inputs().pull() / 2.0);
    assert_eq!(seen.step() > 0.0, seen.t > 0.0);
    (seen.t, seen.inputs().pull(), [outputs.load(), outputs.asked()], event)
}

/// Everything that a run shows which samples 1, 2, 3, … newtons every quarter of a second, with and without landing on
/// reports.
fn runs(sledge: &Sledge, interval: f64) -> [Vec<Shown>; 2] {
    [false, true].map(|through| {
        let (mut all, mut samples) = (Vec::new(), 0.0);
        let setup = Simulation::of(sledge, DormandPrince8).sampled(0.25, |_, u| {
            samples += 1.0;
            u.set_pull(samples);
        });
        let mut run = setup.adaptive(1e-9).expect("a start");
        let see = |seen: &Seen<'_, Sledge>| all.push(shown(seen));
        let done = if through { run.run_through(1.0, interval, see) } else { run.run(1.0, interval, see) };
        done.expect("a run");
        all
    })
}

/// The moments at events, without those between.
fn events(all: &[Shown]) -> Vec<(f64, f64, [f64; 2], Side)> {
    all.iter().filter_map(|(t, pull, outputs, event)| event.map(|side| (*t, *pull, *outputs, side))).collect()
}

#[test]
fn an_event_at_a_sample_instant_is_shown_with_the_inputs_before_and_after_it() {
    // the clock strikes at the third sample, at the start of the second, and between two
    for (tick, pulls) in [(0.5, [2.0, 3.0]), (0.25, [1.0, 2.0]), (0.3, [2.0, 2.0])] {
        for all in runs(&Sledge { tick, ..Sledge::default() }, 0.125) {
            let events = events(&all);
            let [before, after] = events.as_slice() else { panic!("{tick}: {events:?}") };
            near(before.0, tick, 1e-9);
            assert_eq!((before.0, before.1, before.3), (after.0, pulls[0], Side::Before), "{tick}");
            assert_eq!((after.1, after.3), (pulls[1], Side::After), "{tick}");
            close(before.2[1], pulls[0]);
            close(after.2[1], pulls[1] + 10.0);
        }
    }
}

#[test]
fn every_moment_is_shown_with_the_inputs_held_there() {
    // on samples, between them, and across them
    for interval in [0.25, 0.125, 0.05, 0.3, 1.0] {
        for all in runs(&Sledge::default(), interval) {
            let sampled = |t: f64| (t / 0.25 + 1e-9).floor() + 1.0;
            let quiet: Vec<&Shown> = all.iter().filter(|(.., event)| event.is_none()).collect();
            assert_eq!((quiet[0].0, quiet[0].1), (0.0, 1.0));
            assert!(all.last().is_some_and(|last| last.0 == 1.0));
            for (t, pull, ..) in quiet {
                assert_eq!(*pull, sampled(*t), "t = {t}, every {interval}");
            }
        }
    }
}

#[test]
fn a_run_by_hand_stands_where_an_observer_would() {
    let sledge = Sledge::default();
    let mut samples = 0.0;
    let setup = Simulation::of(&sledge, RungeKutta4).sampled(0.25, |_, u| {
        samples += 1.0;
        u.set_pull(samples);
    });
    let mut run = setup.fixed(0.0625).expect("a start");
    assert_eq!(shown(&run.now()), (0.0, 1.0, [1.0, 1.0], None));
    assert_eq!(run.now().step(), 0.0);
    while run.state().t < 0.5 {
        run.step_towards(1.0).expect("a step");
    }
    assert_eq!((run.now().inputs().pull(), run.now().outputs().asked()), (3.0, 13.0));
    close(run.now().a.x(), 1.5);
    // with the acceleration before the sample
    close(run.before_event().a.x(), 1.0);
    assert_eq!((run.before_event().modes.ticks(), run.state().modes.ticks()), (0.0, 1.0));
    // of a second observer the start is the state reached
    let mut first = None;
    run.run(0.75, 0.25, |seen| first = first.take().or_else(|| Some(shown(seen)))).expect("a run");
    assert_eq!(first.map(|(t, pull, ..)| (t, pull)), Some((run.before_event().t, 3.0)));
}
