//! Events: impacts, switching forces, walls, counters; each guard, its rate and each reset against the emitted
//! self-test too.

use ode_model::prelude::*;
use ode_model::{Cause, Crossing, Method, Quantity};

use crate::{close, near};

model! {
    /// A block on a belt that moves: it sticks until the spring is stronger than friction, and slips until it is as
    /// fast as the belt.
    pub struct Belt<T> {
        param m: Real [kg] = 1.0;
        param k: Real [N/m] = 4.0;
        param belt: Real [m/s] = 0.5;
        /// greatest force that sticks, and force of what slips
        param: Real [N] { grip = 2.0; drag = 1.0; }
        coord (x, v): Real [m];
        mode sticks: Real = 1.0;
        let pull = k * x;
        // held by the force that keeps it at the speed of the belt
        let friction = if sticks > 0.5 { pull } else { drag };
        kinetic = 0.5 * m * sq(v);
        potential = 0.5 * k * sq(x);
        force contact on x = friction;
        event slip when pull > grip {
            sticks = 0.0;
        }
        event stick when (if sticks > 0.5 { -1.0 } else { (v - belt) / belt }) > 0.0 {
            v = belt;
            sticks = 1.0;
        }
        init v = belt;
    }
}
model! {
    /// A thermostat: a first-order plant is heated between two thresholds.
    pub struct Thermostat<T> {
        param: Real [s] { tau = 10.0; }
        param: Real [K] { low = 19.0; high = 21.0; cold = 10.0; hot = 40.0; }
        state temp: Real [K];
        mode on: Real = 1.0;
        mode switched: Real [s];
        der(temp) = ((if on > 0.5 { hot } else { cold }) - temp) / tau;
        event off when temp > high {
            on = 0.0;
            switched = t;
        }
        event heat when temp < low {
            on = 1.0;
            switched = t;
        }
        init temp = 20.0;
        output age: Real [s] = t - switched;
    }
}
model! {
    /// A pendulum on a rod, in Cartesian coordinates, that hits a wall.
    pub struct Wall<T> {
        param m: Real [kg] = 2.0;
        param g: Real [m/s^2] = 9.81;
        param len: Real [m] = 1.0;
        param wall: Real [m] = 0.3;
        param e: Real = 0.9;
        coord r: Vec2 [m];
        kinetic = 0.5 * m * der(r).dot(der(r));
        potential = m * g * r.y;
        constraint rod: r.dot(r) == sq(len);
        event hit when r.x > wall {
            let back = -e * der(r);
            der(r) = back;
        }
        init r.x = -len;
        guess r.y = 0.0;
    }
}
model! {
    /// Points that are put somewhere else, one coordinate or all of them, and a run that ends.
    pub struct Jumps<T> {
        coord (p, w): [Vec2; 2];
        coord th: Angle;
        mode laps: [Real; 2] = [3.0, 4.0];
        input kick: Real = 0.5;
        kinetic = 0.5 * w[0].dot(w[0]) + 0.5 * w[1].dot(w[1]) + 0.5 * sq(der(th));
        event swap when p[0].x >= 1.0 {
            p = [p[1], p[0]];
            w[0].y = w[0].y + kick;
            laps = [laps[1], laps[0]];
            th = th - 1.0;
        }
        event either when t == 0.5 { laps[1] = laps[1] + 0.25; }
        event end when p[1].x > 2.5 { stop; }
        init p = [vec2(0.0, 0.0), vec2(0.5, 0.0)];
        init w = [vec2(1.0, 0.0), vec2(1.0, 0.0)];
        init th = 0.0;
        init der(th) = 0.0;
    }
}
model! {
    /// A ball on a vibrating table, as in the guide, with a spin that an impact turns into speed.
    pub struct Table<T> {
        param g: Real [m/s^2] = 9.81;
        param e: Real = 0.8;
        param amp: Real [m] = 0.05;
        param w: Real [rad/s] = 7.0;
        param r: Real [m] = 0.1;
        coord y, x: Real [m];
        coord th: Angle;
        mode bounces: Real = 0.0;
        kinetic = 0.5 * 1.0kg * (sq(der(y)) + sq(der(x)) + 0.4 * sq(r) * sq(der(th)));
        potential = 1.0kg * g * y;
        let table = amp * sin(w * t);
        event impact when y < table {
            der(y) = der(table) - e * (der(y) - der(table));
            der(x) = (5.0 * der(x) + 2.0 * r * der(th)) / 7.0;
            der(th) = (5.0 * der(x) / r + 2.0 * der(th)) / 7.0;
            bounces = bounces + 1.0;
        }
        init y = 1.0;
        init der(th) = 20.0;
        guess th = 0.0;
        guess x = 0.0;
    }
}
model! {
    /// A guard that has no value after a second.
    pub struct Lost {
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        event lost when sqrt(1.0 - t) > 2.0 { stop; }
    }
}

/// Steps to `end` and collects names and times of events.
fn happenings<S, M>(run: &mut Simulation<'_, S, M>, end: f64) -> (Vec<(String, f64)>, Outcome)
where
    S: ode_model::Solvable<Real = f64>,
    M: Method<S>,
{
    let mut all = Vec::new();
    while run.state().t < end {
        match run.step_towards(end).expect("a step") {
            Outcome::Reached => {}
            Outcome::Event { event, time } => all.push((event.as_str().to_owned(), time)),
            outcome => return (all, outcome),
        }
    }
    (all, Outcome::Reached)
}

#[test]
fn a_block_sticks_and_slips_as_the_closed_form_says() {
    let belt = Belt::<f64>::default();
    let mut run = Simulation::of(&belt, Geodesic).fixed(0.01).expect("a start");
    let (all, outcome) = happenings(&mut run, 9.0);
    assert_eq!(outcome, Outcome::Reached);
    // It sticks until k x = grip; then x − d = (grip − drag)/k cos ωτ + belt/ω sin ωτ about d = drag/k, and sticks when
    // v = belt again.
    let omega = (belt.k / belt.m).sqrt();
    let (offset, fast) = ((belt.grip - belt.drag) / belt.k, belt.belt / omega);
    let slips = belt.grip / belt.k / belt.belt;
    let phase = (offset / fast).atan();
    let slipping = (2.0 * std::f64::consts::PI - 2.0 * phase) / omega;
    let sticking = 2.0 * offset / belt.belt;
    let mut expected = slips;
    for (i, (name, time)) in all.iter().enumerate() {
        assert_eq!(name, if i % 2 == 0 { "slip" } else { "stick" });
        near(*time, expected, 1e-7);
        expected += if i % 2 == 0 { slipping } else { sticking };
    }
    assert!(all.len() >= 4, "{all:?}");
    // What sticks moves with the belt exactly.
    let mut run = Simulation::of(&belt, GeneralizedAlpha::with_spectral_radius(0.9)).fixed(0.01).expect("a start");
    run.advance_to(0.9 * slips).expect("steps");
    close(run.state().v.v(), 0.5);
    assert_eq!(run.state().modes.sticks(), 1.0);
}

#[test]
fn a_thermostat_switches_with_hysteresis_where_exponentials_do() {
    let plant = Thermostat::<f64>::default();
    assert_eq!(thermostat::LAYOUT.modes, ["on", "switched"]);
    let mut run = Simulation::of(&plant, Geodesic).adaptive(1e-10).expect("a start");
    let (all, _) = happenings(&mut run, 30.0);
    let heating = |from: f64, to: f64| 10.0 * ((40.0 - from) / (40.0 - to)).ln();
    let cooling = |from: f64, to: f64| 10.0 * ((from - 10.0) / (to - 10.0)).ln();
    let mut expected = heating(20.0, 21.0);
    for (i, (name, time)) in all.iter().enumerate() {
        assert_eq!(name, ["off", "heat"][i % 2]);
        near(*time, expected, 1e-8);
        expected += if i % 2 == 0 { cooling(21.0, 19.0) } else { heating(19.0, 21.0) };
    }
    assert!(all.len() > 15, "{}", all.len());
    assert_eq!(run.state().modes.switched(), all[all.len() - 1].1);
    let age = plant.outputs(run.state().at(&thermostat::U::default()), run.state().rates()).age();
    close(age, run.state().t - all[all.len() - 1].1);
}

fn wall(method: impl Method<Wall<f64>>, tolerance: f64) {
    let pendulum = Wall::<f64>::default();
    let mut run =
        Simulation::of(&pendulum, method).project(ode_model::solve::Projection::to(1e-12)).fixed(1e-3).unwrap();
    for _ in 0..3 {
        let outcome = loop {
            match run.step_towards(20.0).expect("a step") {
                Outcome::Reached => {}
                outcome => break outcome,
            }
        };
        assert!(matches!(outcome, Outcome::Event { event, .. } if event.as_str() == "hit"), "{outcome:?}");
        let (phi, rate) = run.drift().expect("finite");
        assert!(phi < 2e-12 && rate < 1e-14, "{phi:e} {rate:e}");
        let speed = |x: &State<Wall<f64>>| x.v.r()[0].hypot(x.v.r()[1]);
        let (before, after) = (speed(run.before_event()), speed(run.state()));
        near(after / before, 0.9, 1e-10);
        assert!(run.state().v.r()[0] < 0.0);
        near(run.state().q.r()[0], 0.3, 1e-12);
        // From rest at height 0 the first impact has v² = 2 g h; each later one the speed the last left.
        if run.statistics().events == 1 {
            near(before * before, -2.0 * 9.81 * run.state().q.r()[1], tolerance);
        }
    }
}

#[test]
fn a_rod_hits_a_wall_and_stays_a_rod() {
    wall(Geodesic, 1e-9);
    wall(GeneralizedAlpha::with_spectral_radius(0.9), 1e-2);
}

#[test]
fn resets_read_what_was_before_and_an_event_may_end_the_run() {
    let jumps = Jumps::<f64>::default();
    assert_eq!(jumps::LAYOUT.events.iter().map(|e| e.name).collect::<Vec<_>>(), ["swap", "either", "end"]);
    assert_eq!(jumps::LAYOUT.events[0].crossing, Crossing::Rising);
    assert_eq!((jumps::LAYOUT.events[1].crossing, jumps::LAYOUT.events[2].stops), (Crossing::Either, true));
    let mut run = Simulation::of(&jumps, Geodesic).fixed(0.03).expect("a start");
    let (all, outcome) = happenings(&mut run, 9.0);
    // p₀ reaches 1 at t = 1, and changes places with p₁, which is half a metre ahead: so it is ahead now, at once
    // again.
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["either", "swap"]);
    near(all[0].1, 0.5, 1e-13);
    near(all[1].1, 1.0, 1e-13);
    let Outcome::Stopped { event, time } = outcome else { panic!("{outcome:?}") };
    assert_eq!(event.as_str(), "end");
    // p₁ is at 1 after the swap and goes on at speed 1.
    near(time, 2.5, 1e-12);
    let x = run.state();
    assert_eq!(x.modes.laps(), [4.25, 3.0]);
    near(x.q.p()[0][1], 0.5 * 1.5, 1e-12);
    near(x.q.p()[0][0], 3.0, 1e-12);
    close(x.q.th(), -1.0);
}

#[test]
fn impacts_on_a_moving_table_keep_their_law() {
    let table = Table::<f64>::default();
    let mut run = Simulation::of(&table, Geodesic).adaptive(1e-10).expect("a start");
    let mut rows = ode_model::Table::new(&table::LAYOUT);
    let mut last: Option<State<Table<f64>>> = None;
    let mut impacts = 0.0;
    let way = run.run(3.0, 0.1, |x| {
        rows.push(x);
        if let Some(before) = last.as_ref().filter(|before| before.t == x.t) {
            let speed = 0.05 * 7.0 * (7.0 * x.t).cos();
            near(x.v.y() - speed, -0.8 * (before.v.y() - speed), 1e-12);
            near(x.q.y(), 0.05 * (7.0 * x.t).sin(), 1e-11);
            // Both read what was before, so that x first changes nothing for th.
            close(x.v.th(), (50.0 * before.v.x() + 2.0 * before.v.th()) / 7.0);
            close(x.v.x(), (5.0 * before.v.x() + 0.2 * before.v.th()) / 7.0);
            impacts += 1.0;
        }
        last = Some(x.state().clone());
    });
    let outcome = Outcome::of(way).expect("steps");
    assert!(outcome == Outcome::Reached || matches!(outcome, Outcome::Zeno { .. }));
    assert!(impacts >= 5.0 && rows.column("bounces").ok().and_then(Iterator::last) == Some(impacts));
}

#[test]
fn a_guard_without_a_value_is_named() {
    let lost = Lost::default();
    let error = Simulation::of(&lost, Geodesic).fixed(0.03).unwrap().advance_to(2.0).expect_err("no value");
    assert!(
        matches!(error.cause, Cause::NonFinite { quantity: Quantity::Guard, name } if name.as_str() == "lost"),
        "{error}"
    );
}

#[test]
fn events_are_in_the_texts() {
    let text = Belt::<f64>::EQUATIONS;
    assert!(text.contains("guards\n  g[slip] ="), "{text}");
    assert!(text.contains("stick[sticks] = 1"), "{text}");
}

model! {
    /// A slider-crank that counts its strokes.
    pub struct Strokes {
        param j: Real [kg*m^2] = 0.02;
        param m: Real [kg] = 1.5;
        param crank: Real [m] = 0.08;
        param rod: Real [m] = 0.24;
        coord th, ph: Angle;
        coord s: Real [m];
        mode strokes: Real = 0.0;
        kinetic = 0.5 * j * (sq(der(th)) + sq(der(ph))) + 0.5 * m * sq(der(s));
        constraint closure: crank * vec2(cos(th), sin(th)) + rod * vec2(cos(ph), sin(ph)) == vec2(s, 0.0);
        event back when der(s) < 0.0 { strokes = strokes + 1.0; }
        init th = -1.5;
        init der(th) = 20.0;
        guess s = crank + rod;
        guess ph = 0.3;
    }
}

#[test]
fn an_event_that_only_counts_does_not_project_its_guard_back() {
    let model = Strokes::default();
    let end = 3.0;
    let count = |way: Result<(), StepError>, state: &State<Strokes>| {
        way.expect("no end of the run");
        // one at each full turn, on both methods' own phase
        (state.modes.strokes(), ((state.q.th() / std::f64::consts::TAU).floor() + 1.0))
    };
    let projected = Projection::to(1e-9);
    for tolerance in [1e-6, 1e-7, 1e-8, 1e-9] {
        let mut run = Simulation::of(&model, Geodesic).project(projected).adaptive(tolerance).expect("a start");
        let (found, wanted) = count(run.advance_to(end), run.state());
        assert_eq!(found, wanted, "Geodesic at {tolerance}");
        let mut run = Simulation::of(&model, DormandPrince8).project(projected).adaptive(tolerance).expect("a start");
        let (found, wanted) = count(run.advance_to(end), run.state());
        assert_eq!(found, wanted, "DormandPrince8 at {tolerance}");
    }
    let mut run = Simulation::of(&model, GeneralizedAlpha::with_spectral_radius(0.8)).fixed(1e-3).expect("a start");
    let (found, wanted) = count(run.advance_to(end), run.state());
    assert_eq!(found, wanted, "GeneralizedAlpha");
}
