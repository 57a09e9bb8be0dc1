//! Modes and events in subs of members: what each part decides is what the model written out decides.

use ode_model::integrators::{BackwardEuler, DormandPrince, GeneralizedAlpha, RungeKutta4};
use ode_model::{Dual, Observable, Parametric, Simulation, System, Table, model};

use crate::alike::{self, alike_named, called_event, events, fallen, point, same, tangent_of_duals};

model! {
    /// How often something was switched on, and off.
    pub struct Counter<T> {
        param step: Real = 1.0;
        param late: Real [s] = 0.25;
        mode count: Vec2 = vec2(0.5, 0.0);
        state seen: Real [s];
        der(seen) = count.x + count.y;
        event late when t > late { count = vec2(count.x + step, count.y); }
        output all: Real = count.x + count.y;
    }
}

model! {
    /// A heater that two temperatures switch.
    pub struct Heater<T> {
        param low: Real [K] = 0.6;
        param high: Real [K] = 0.8;
        param power: Real [K/s] = 9.0;
        param lag: Real [s] = 0.03;
        param slow: Real [s] = 0.005;
        input temp: Real [K];
        /// 1 while it heats
        mode on: Real = 1.0;
        state warm: Real [K/s];
        state sensed: Real [K];
        sub counter: Counter<T> with { step: 2.0 };
        init warm = 0.2;
        init sensed = 0.7;
        der(sensed) = (temp - sensed) / slow;
        der(warm) = (match on { 1 => power, _ => 0.0 } - warm) / lag;
        event cold when sensed < low {
            on = 1.0;
            counter.count = vec2(counter.count.x + 1.0, counter.count.y);
        }
        event hot when sensed > high {
            on = 0.0;
            counter.count.y = counter.count.y + 1.0;
            warm = 0.9 * warm;
        }
        output heat: Real [K/s] = warm * (1.0 + 0.1 * on);
    }
}

model! {
    /// A bolt that falls behind a door.
    pub struct Latch<T> {
        param m: Real [kg] = 0.05;
        param stiff: Real [N/m] = 10.0;
        param at: Real = 0.35;
        param slow: Real [s] = 0.004;
        param drag: Real [N*s/m] = 0.2;
        param grip: Real [N*m] = 3.0;
        param thrown: Real [m/s] = 0.1;
        input angle: Real;
        coord (y, w): Real [m];
        state lean: Real;
        mode shut: Real;
        mass y = m;
        potential = 0.5 * stiff * sq(y - 0.02m);
        force drag on y = -drag * w;
        der(lean) = (angle - lean) / slow;
        guess y = 0.03;
        event shuts when lean > at {
            shut = 1.0;
            w = 0.3 * w - thrown;
        }
        event opens when y > 0.022m { shut = 0.0; }
        output hold: Real [N*m] = if shut > 0.5 { -grip * (angle - at) } else { 0.0 };
    }
}

model! {
    /// Rooms with heaters, and doors between them with latches.
    pub struct House<T> {
        set rooms;
        set doors: (rooms, rooms);
        param first[rooms]: Real [K];
        param outside: Real [K] = 0.1;
        param tau: Real [s] = 0.2;
        param blow: Real [N*m/K] = 6.0;
        param inertia: Real [kg*m^2] = 0.02;
        param spring: Real [N*m] = 1.5;
        param damping: Real [N*m*s] = 0.02;
        param ring: Real [N*m] = 0.1;
        input wind: Real [N*m] = 0.3;
        state temp[rooms]: Real [K];
        coord (th, w)[doors]: Angle;
        sub heater[rooms]: Heater<T> with { lag: 0.2 * tau };
        sub latch[doors]: Latch<T>;
        sub bell: Counter<T> with { late: 0.31s };
        mode slams[doors]: Real;
        for r in rooms {
            bind heater[r].temp = temp[r];
            init temp[r] = first[r];
            der(temp[r]) = (outside - temp[r]) / tau + heater[r].heat;
        }
        for e @ (i, j) in doors {
            bind latch[e].angle = th[e] + 0.1 * (temp[j] - temp[i]) / 1.0K;
            mass th[e] = inertia;
            force closes on th[e] = latch[e].hold - spring * th[e] - damping * w[e] + wind;
            force blows on th[e] = blow * (temp[i] - temp[j]) + ring * bell.all;
            guess th[e] = 0.1;
            event slams when th[e] < 0.0 {
                w[e] = -0.5 * w[e];
                slams[e] = slams[e] + 1.0;
                latch[e].shut = 0.0;
                heater[j].counter.count.x = heater[j].counter.count.x + 0.125;
            }
            output held: Real = latch[e].shut;
        }
        output switched: Real = sum(rooms, |r| heater[r].counter.count.x + heater[r].counter.count.y);
    }
}

model! {
    /// The same without sets and subs.
    #[model(storage = sparse)]
    pub struct Written {
        param first: [Real; 3] [K];
        param outside: Real [K] = 0.1;
        param tau: Real [s] = 0.2;
        param blow: Real [N*m/K] = 6.0;
        param inertia: Real [kg*m^2] = 0.02;
        param spring: Real [N*m] = 1.5;
        param damping: Real [N*m*s] = 0.02;
        param ring: Real [N*m] = 0.1;
        param heater_low: [Real; 3] [K] = [0.6; 3];
        param heater_high: [Real; 3] [K] = [0.8; 3];
        param heater_power: [Real; 3] [K/s] = [9.0; 3];
        param heater_slow: [Real; 3] [s] = [0.005; 3];
        param heater_counter_step: [Real; 3] = [2.0; 3];
        param heater_counter_late: [Real; 3] [s] = [0.25; 3];
        param latch_m: [Real; 2] [kg] = [0.05; 2];
        param latch_stiff: [Real; 2] [N/m] = [10.0; 2];
        param latch_at: [Real; 2] = [0.35; 2];
        param latch_slow: [Real; 2] [s] = [0.004; 2];
        param latch_drag: [Real; 2] [N*s/m] = [0.2; 2];
        param latch_grip: [Real; 2] [N*m] = [3.0; 2];
        param latch_thrown: [Real; 2] [m/s] = [0.1; 2];
        param bell_step: Real = 1.0;
        param bell_late: Real [s] = 0.31;
        input wind: Real [N*m] = 0.3;
        state temp: [Real; 3] [K];
        coord (th, w): [Angle; 2];
        state heater_warm: [Real; 3] [K/s];
        state heater_sensed: [Real; 3] [K];
        state heater_counter_seen: [Real; 3] [s];
        coord (latch_y, latch_w): [Real; 2] [m];
        state latch_lean: [Real; 2];
        state bell_seen: Real [s];
        mode slams: [Real; 2];
        mode heater_on: [Real; 3] = [1.0; 3];
        mode heater_counter_count: [Vec2; 3] = [vec2(0.5, 0.0), vec2(0.5, 0.0), vec2(0.5, 0.0)];
        mode latch_shut: [Real; 2];
        mode bell_count: Vec2 = vec2(0.5, 0.0);
        let rings = bell_count.x + bell_count.y;
        der(bell_seen) = rings;
        event bell_late when t > bell_late { bell_count = vec2(bell_count.x + bell_step, bell_count.y); }
        for i in 0..3 {
            let on = heater_on[i];
            let count = heater_counter_count[i];
            let heat[i] = heater_warm[i] * (1.0 + 0.1 * on);
            let all[i] = count.x + count.y;
            init heater_warm[i] = 0.2;
            init heater_sensed[i] = 0.7;
            der(heater_sensed[i]) = (temp[i] - heater_sensed[i]) / heater_slow[i];
            init temp[i] = first[i];
            der(heater_counter_seen[i]) = all[i];
            der(heater_warm[i]) = (match on { 1 => heater_power[i], _ => 0.0 } - heater_warm[i]) / (0.2 * tau);
            der(temp[i]) = (outside - temp[i]) / tau + heat[i];
            event heater_counter_late when t > heater_counter_late[i] {
                heater_counter_count[i] = vec2(count.x + heater_counter_step[i], count.y);
            }
            event heater_cold when heater_sensed[i] < heater_low[i] {
                heater_on[i] = 1.0;
                heater_counter_count[i] = vec2(count.x + 1.0, count.y);
            }
            event heater_hot when heater_sensed[i] > heater_high[i] {
                heater_on[i] = 0.0;
                heater_counter_count[i].y = count.y + 1.0;
                heater_warm[i] = 0.9 * heater_warm[i];
            }
        }
        for e in 0..2 {
            // the doors are (0, 1) and (2, 1)
            let angle[e] = th[e] + 0.1 * (temp[1] - temp[2 * e]) / 1.0K;
            let bolt = latch_y[e];
            let hold[e] = if latch_shut[e] > 0.5 { -latch_grip[e] * (angle[e] - latch_at[e]) } else { 0.0 };
            mass latch_y[e] = latch_m[e];
            potential = 0.5 * latch_stiff[e] * sq(bolt - 0.02m);
            force drag on latch_y[e] = -latch_drag[e] * latch_w[e];
            der(latch_lean[e]) = (angle[e] - latch_lean[e]) / latch_slow[e];
            guess latch_y[e] = 0.03;
            event latch_shuts when latch_lean[e] > latch_at[e] {
                latch_shut[e] = 1.0;
                latch_w[e] = 0.3 * latch_w[e] - latch_thrown[e];
            }
            event latch_opens when bolt > 0.022m { latch_shut[e] = 0.0; }
        }
        for e in 0..2 {
            mass th[e] = inertia;
            force closes on th[e] = hold[e] - spring * th[e] - damping * w[e] + wind;
            force blows on th[e] = blow * (temp[2 * e] - temp[1]) + ring * rings;
            guess th[e] = 0.1;
            event slams when th[e] < 0.0 {
                w[e] = -0.5 * w[e];
                slams[e] = slams[e] + 1.0;
                latch_shut[e] = 0.0;
                heater_counter_count[1].x = heater_counter_count[1].x + 0.125;
            }
        }
        output bell_all: Real = rings;
        output heater_counter_all: [Real; 3] = [all[0], all[1], all[2]];
        output heater_heat: [Real; 3] [K/s] = [heat[0], heat[1], heat[2]];
        output latch_hold: [Real; 2] [N*m] = [hold[0], hold[1]];
        output held: [Real; 2] = latch_shut;
        output switched: Real = all[0] + all[1] + all[2];
    }
}

const FIRST: [f64; 3] = [0.3, 0.7, 0.5];

fn house() -> House {
    House::builder().rooms(3).doors([[0, 1], [2, 1]]).first(FIRST).build().expect("a house")
}

fn written() -> Written {
    Written::builder().first(FIRST).build().expect("a house")
}

fn called(name: &str) -> String {
    let subs = [
        "heater_counter_seen",
        "heater_counter_count",
        "heater_sensed",
        "heater_warm",
        "heater_on",
        "latch_shut",
        "latch_lean",
        "latch_y",
        "latch_w",
        "bell_seen",
        "bell_count",
    ];
    alike::called(&subs, name)
}

#[test]
fn modes_and_events_of_subs_are_those_written_out() {
    let (house, written) = (house(), written());
    let (layout, other) = (house.layout(), written.layout());
    assert_eq!(layout.modes, other.modes.iter().map(|name| called(name)).collect::<Vec<_>>());
    let event = |e: &ode_model::Event<'_>| (called_event(e.name), e.crossing, e.stops);
    let events_of = |e: &ode_model::Event<'_>| (e.name.to_owned(), e.crossing, e.stops);
    let wanted: Vec<_> = other.events.iter().map(event).collect();
    assert_eq!(layout.events.iter().map(events_of).collect::<Vec<_>>(), wanted);
    let names: Vec<&str> = layout.events.iter().map(|event| event.name).collect();
    assert_eq!(names[..4], ["bell.late", "heater[0].counter.late", "heater[0].cold", "heater[0].hot"]);
    assert_eq!((names[10], names[14]), ("latch[0].shuts", "slams[0]"));
    alike_named(&house, &written, called);
    let modes: Vec<f64> = (0..layout.modes.len()).map(|k| 0.25 * f64::from(k as u32 % 5)).collect();
    same("events", &events(&house, &modes), &events(&written, &modes));
    let slopes = tangent_of_duals(&house, &house.cast::<Dual<f64>>());
    assert!(slopes.iter().filter(|slope| **slope != 0.0).count() >= 9, "{slopes:?}");
}

#[test]
fn runs_with_events_of_subs_are_those_written_out() {
    let (house, written) = (house(), written());
    macro_rules! each {
        ($($name:literal $method:expr;)*) => {$(
            let ((names, found), (others, wanted)) = (fallen(&house, &$method), fallen(&written, &$method));
            assert_eq!(names, others.iter().map(|name| called_event(name)).collect::<Vec<_>>(), $name);
            for event in ["cold", "hot", "shuts", "opens", "slams", "counter.late", "bell.late"] {
                assert!(names.iter().any(|name| name.contains(event)), "{}: no {event} in {names:?}", $name);
            }
            for (f, w) in found.iter().zip(&wanted) {
                assert!((f - w).abs() < 1e-10 * (1.0 + w.abs()), "{}: {f} {w}", $name);
            }
        )*};
    }
    each! {
        "backward Euler" BackwardEuler::default();
        "generalised-α" GeneralizedAlpha::with_spectral_radius(0.8);
        "Runge–Kutta 4" RungeKutta4;
        "Dormand–Prince" DormandPrince;
    }
}

#[test]
fn modes_of_subs_have_names_and_are_recorded() {
    let mut house = house();
    house.set_parameter("heater[2].power", 10.0).expect("a parameter");
    let mut run = Simulation::of(&house, GeneralizedAlpha::with_spectral_radius(0.8)).fixed(2e-3).expect("a start");
    let modes = &run.state().modes;
    assert_eq!((house.heater_on(modes), house.latch_shut(modes)), (&[1.0; 3][..], &[0.0; 2][..]));
    assert_eq!(house.heater_counter_count(modes), [[0.5, 0.0]; 3]);
    assert_eq!(house.bell_count(modes), [0.5, 0.0]);
    let mut table = Table::of(&house);
    run.run(0.6, 0.02, |seen| table.record(seen)).expect("a run");
    let on: Vec<f64> = table.column("heater[1].on").expect("a mode").collect();
    assert!(on.contains(&0.0) && on.contains(&1.0));
    assert!(table.column("heater[1].counter.count.y").expect("a mode").any(|count| count > 1.0));
    assert!(table.events().iter().any(|event| event.event == "heater[2].hot"));
    let (state, u) = point(&house);
    let y = house.outputs(state.at(&u), state.rates());
    assert_eq!((house.switched(&y)[0], house.held(&y)), (1.5, house.latch_shut(&state.modes)));
    let mut modes = run.state().modes.clone();
    house.heater_on_mut(&mut modes)[1] = 7.0;
    assert_eq!((modes[3], house.layout().modes[3], house.units().modes[3]), (7.0, "heater[1].on", ""));
}

#[test]
fn resumed_runs_have_the_events_of_subs_that_the_others_have() {
    let house = house();
    let method = GeneralizedAlpha::with_spectral_radius(0.8);
    let mut run = Simulation::of(&house, method).fixed(2e-3).expect("a start");
    for until in [0.03, 0.2, 0.4] {
        run.advance_to(until).expect("steps");
        let modes = run.state().modes.clone();
        let mut resumed = Simulation::of(&house, method).resume(run.checkpoint()).fixed(2e-3).expect("a checkpoint");
        run.advance_to(until + 0.15).expect("steps");
        resumed.advance_to(until + 0.15).expect("steps");
        assert_ne!(run.state().modes, modes, "no event after {until}");
        assert_eq!(bits!(run.state()), bits!(resumed.state()), "{until}");
    }
}
