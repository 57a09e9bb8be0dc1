//! Modes and events of members: nodes that fall on a floor, and strings that become taut.

use ode_model::integrators::{BackwardEuler, DormandPrince, GeneralizedAlpha, RungeKutta4};
use ode_model::{Crossing, Dual, Simulation, System, Table, model};

use crate::alike::{alike, events, fallen, same, tangent_of_duals};

model! {
    /// Masses on strings that fall on a floor, each with a contact of its own.
    pub struct Net<T> {
        set nodes;
        set strings: (nodes, nodes);
        set warm: nodes;
        param p[nodes]: Vec3 [m];
        param m[nodes]: Real [kg] = 0.2;
        param k: Real [N/m] = 30.0;
        param l: Real [m] = 0.3;
        param stiff: Real [N/m] = 400.0;
        param damping: Real [N*s/m] = 1.5;
        param loss: Real = 0.8;
        param g: Real [m/s^2] = 9.81;
        param late: Real [s] = 0.25;
        param cool: Real [s] = 0.15;
        param spread: Real [1/s] = 0.5;
        input wind[nodes]: Real [N] = 0.05;
        coord (x, v)[nodes]: Vec3 [m];
        coord s: Real [m];
        state heat[warm]: Real [K];
        /// 1 on the floor
        mode contact[nodes]: Real;
        mode pulls[strings]: Vec2 = vec2(0.0, 1.0);
        mode seen: Real = 3.0;
        mass s = 1.0kg;
        guess s = 0.1;
        event late when t > late {
            seen = seen + 1.0;
            der(s) = 0.5;
        }
        for i in nodes {
            mass x[i] = m[i];
            potential = m[i] * g * x[i].z;
            force floor on x[i].z = match contact[i] { 1 => -stiff * x[i].z - damping * v[i].z, _ => 0.0 };
            force gust on x[i].y = wind[i] * seen;
            guess x[i] = p[i];
            guess v[i] = spread * p[i];
            event lands when x[i].z < 0.0 {
                contact[i] = 1.0;
                v[i].x = loss * v[i].x;
            }
            event lifts when x[i].z > 0.0 {
                contact[i] = 0.0;
            }
            output pressed: Real [N] = if contact[i] > 0.5 { -stiff * x[i].z } else { 0.0 };
        }
        for e @ (i, j) in strings {
            let d = x[j] - x[i];
            force string on norm(d) = if norm(d) > l { -k * (norm(d) - l) } else { 0.0 };
            event taut when norm(d) > l {
                pulls[e] = vec2(pulls[e].x + 1.0, pulls[e].y * 0.5);
                v[i] = v[j] * 0.4 + 0.6 * v[i];
                v[j] = v[i] * 0.4 + 0.6 * v[j];
            }
        }
        for h @ i in warm {
            der(heat[h]) = (3.0K * contact[i] - heat[h]) / cool;
            event hot when heat[h] > 1.0K {
                heat[h] = 0.2;
            }
        }
        output down: Real = sum(nodes, |i| contact[i]);
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Written {
        param p: [Vec3; 4] [m];
        param m: [Real; 4] [kg] = [0.2, 0.2, 0.2, 0.2];
        param k: Real [N/m] = 30.0;
        param l: Real [m] = 0.3;
        param stiff: Real [N/m] = 400.0;
        param damping: Real [N*s/m] = 1.5;
        param loss: Real = 0.8;
        param g: Real [m/s^2] = 9.81;
        param late: Real [s] = 0.25;
        param cool: Real [s] = 0.15;
        param spread: Real [1/s] = 0.5;
        input wind: [Real; 4] [N] = [0.05, 0.05, 0.05, 0.05];
        coord (x, v): [Vec3; 4] [m];
        coord s: Real [m];
        state heat: [Real; 2] [K];
        mode contact: [Real; 4];
        mode pulls: [Vec2; 3] = [vec2(0.0, 1.0), vec2(0.0, 1.0), vec2(0.0, 1.0)];
        mode seen: Real = 3.0;
        mass s = 1.0kg;
        guess s = 0.1;
        event late when t > late {
            seen = seen + 1.0;
            der(s) = 0.5;
        }
        for i in 0..4 {
            mass x[i] = m[i];
            potential = m[i] * g * x[i].z;
            force floor on x[i].z = match contact[i] { 1 => -stiff * x[i].z - damping * v[i].z, _ => 0.0 };
            force gust on x[i].y = wind[i] * seen;
            guess x[i] = p[i];
            guess v[i] = spread * p[i];
            event lands when x[i].z < 0.0 {
                contact[i] = 1.0;
                v[i].x = loss * v[i].x;
            }
            event lifts when x[i].z > 0.0 {
                contact[i] = 0.0;
            }
        }
        for e in 0..3 {
            let d = x[e + 1] - x[e];
            force string on norm(d) = if norm(d) > l { -k * (norm(d) - l) } else { 0.0 };
            event taut when norm(d) > l {
                pulls[e] = vec2(pulls[e].x + 1.0, pulls[e].y * 0.5);
                v[e] = v[e + 1] * 0.4 + 0.6 * v[e];
                v[e + 1] = v[e] * 0.4 + 0.6 * v[e + 1];
            }
        }
        for h in 0..2 {
            let i = 3 - h;
            der(heat[h]) = (3.0K * contact[3 - h] - heat[h]) / cool;
            event hot when heat[h] > 1.0K {
                heat[h] = 0.2;
            }
        }
        let on = [contact[0], contact[1], contact[2], contact[3]];
        output pressed: [Real; 4] [N] = [
            if on[0] > 0.5 { -stiff * x[0].z } else { 0.0 },
            if on[1] > 0.5 { -stiff * x[1].z } else { 0.0 },
            if on[2] > 0.5 { -stiff * x[2].z } else { 0.0 },
            if on[3] > 0.5 { -stiff * x[3].z } else { 0.0 },
        ];
        output down: Real = on[0] + on[1] + on[2] + on[3];
    }
}

const PLACES: [[f64; 3]; 4] = [[0.0, 0.1, 0.05], [0.25, 0.0, 0.11], [0.5, 0.02, 0.17], [0.76, -0.1, 0.08]];

fn net() -> Net {
    Net::builder().nodes(4).strings([[0, 1], [1, 2], [2, 3]]).warm([3, 2]).p(PLACES).build().expect("a net")
}

#[test]
fn events_of_members_are_those_written_out() {
    let (net, written) = (net(), Written::builder().p(PLACES).build().expect("a net"));
    assert_eq!(net.layout().modes, written.layout().modes);
    let shape = |events: &[ode_model::Event<'_>]| events.iter().map(|e| (e.crossing, e.stops)).collect::<Vec<_>>();
    assert_eq!(shape(net.layout().events), shape(written.layout().events));
    let names: Vec<&str> = net.layout().events.iter().map(|event| event.name).collect();
    assert_eq!(names[..4], ["late", "lands[0]", "lifts[0]", "lands[1]"]);
    assert_eq!(names[9..], ["taut[0]", "taut[1]", "taut[2]", "hot[0]", "hot[1]"]);
    assert_eq!(net.layout().events[2].crossing, Crossing::Rising);
    alike(&net, &written);
    let modes = [1.0, 0.0, 1.0, 0.0, 2.0, 0.5, 1.0, 0.25, 0.0, 0.125, 7.0];
    same("events", &events(&net, &modes), &events(&written, &modes));
    let slopes = tangent_of_duals(&net, &net.cast::<Dual<f64>>());
    assert!(slopes.iter().filter(|slope| **slope != 0.0).count() >= 13);
}

#[test]
fn runs_with_events_of_members_are_those_written_out() {
    let (net, written) = (net(), Written::builder().p(PLACES).build().expect("a net"));
    macro_rules! each {
        ($($name:literal $method:expr;)*) => {$(
            let ((names, found), (others, wanted)) = (fallen(&net, &$method), fallen(&written, &$method));
            let called: Vec<String> = others
                .iter()
                .map(|name| name.split_once('_').map_or(name.clone(), |(event, member)| format!("{event}[{member}]")))
                .collect();
            assert_eq!(names, called, $name);
            // nodes land and lift, strings become taut, what is warm cools
            let count = |event: &str| names.iter().filter(|name| name.starts_with(event)).count();
            let counted = [count("late"), count("lands"), count("taut"), count("hot")];
            assert!(counted[0] == 1 && counted[1..].iter().all(|count| *count > 2), "{}: {counted:?}", $name);
            for (f, w) in found.iter().zip(&wanted) {
                assert!((f - w).abs() < 1e-9 * (1.0 + w.abs()), "{}: {f} {w}", $name);
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
fn modes_of_members_have_names_and_are_recorded() {
    let net = net();
    let mut run = Simulation::of(&net, GeneralizedAlpha::with_spectral_radius(0.8)).fixed(2e-3).expect("a start");
    assert_eq!((net.contact(&run.state().modes), net.seen(&run.state().modes)), (&[0.0; 4][..], &[3.0][..]));
    assert_eq!(net.pulls(&run.state().modes), [[0.0, 1.0]; 3]);
    let mut table = Table::of(&net);
    run.run(0.6, 0.1, |seen| table.record(seen)).expect("a run");
    let pressed: Vec<f64> = table.column("contact[1]").expect("a mode").collect();
    assert!(pressed.contains(&0.0) && pressed.contains(&1.0));
    assert!(table.events().iter().any(|event| event.event == "lands[1]"));
    let y = net.outputs(run.state().at(&vec![0.05; 4]), run.state().rates());
    assert_eq!(net.down(&y)[0], net.contact(&run.state().modes).iter().sum::<f64>());
    let mut modes = run.state().modes.clone();
    net.contact_mut(&mut modes)[2] = 5.0;
    net.seen_mut(&mut modes)[0] = 6.0;
    assert_eq!((modes[2], modes[10]), (5.0, 6.0));
}

model! {
    /// Drops that fall one by one: the first one that arrives ends the run.
    pub struct Drops {
        set drops;
        param y0[drops]: Real [m];
        param g: Real [m/s^2] = 9.81;
        coord y[drops]: Real [m];
        for i in drops {
            mass y[i] = 0.1kg;
            force weight on y[i] = -0.1kg * g;
            guess y[i] = y0[i];
            event arrives when y[i] < 0.0 { stop; }
        }
    }
}

#[test]
fn an_event_of_a_member_ends_the_run_and_is_named() {
    let drops = Drops::builder().drops(300).y0((0..300).map(|k| 1.0 + 0.01 * f64::from((k * 7 + 3) % 300))).build();
    let drops = drops.expect("drops");
    let mut run = Simulation::of(&drops, DormandPrince).adaptive(1e-9).expect("a start");
    let error = run.advance_to(10.0).expect_err("an end");
    let lowest = (0..300).find(|k| (k * 7 + 3) % 300 == 0).expect("the lowest");
    assert!(error.to_string().contains(&format!("`arrives[{lowest}]`")), "{error}");
    assert!((run.state().t - (2.0 / 9.81_f64).sqrt()).abs() < 1e-8);
}

#[test]
fn resumed_runs_have_the_events_of_members_that_the_others_have() {
    let net = net();
    let method = GeneralizedAlpha::with_spectral_radius(0.8);
    let mut run = Simulation::of(&net, method).fixed(2e-3).expect("a start");
    for until in [0.05, 0.2, 0.4] {
        run.advance_to(until).expect("steps");
        let modes = run.state().modes.clone();
        let mut resumed = Simulation::of(&net, method).resume(run.checkpoint()).fixed(2e-3).expect("a checkpoint");
        run.advance_to(until + 0.1).expect("steps");
        resumed.advance_to(until + 0.1).expect("steps");
        assert_ne!(run.state().modes, modes, "no event after {until}");
        assert_eq!(bits!(run.state()), bits!(resumed.state()), "{until}");
    }
}

model! {
    /// Events at one time, of each member and, written after them, of the whole.
    struct Order {
        set nodes;
        set pairs: (nodes, nodes);
        param late: Real [s] = 0.1;
        mode number: Real = 1.0;
        mode last[nodes]: Real;
        coord y: Real [m];
        mass y = 1.0kg;
        for (i, j) in pairs {
            event joined when t > late {
                number = 2.0 * number;
                last[i] = number;
                last[j] = number;
            }
        }
        for i in nodes {
            event own when t > late {
                number = number + 10.0;
                last[i] = number;
            }
        }
        event whole when t > late {
            number = number + 3.0;
        }
    }
}

#[test]
fn events_beside_the_loops_come_first_and_then_those_of_each_loop() {
    let order = Order::builder().nodes(2).pairs([[0, 1]]).build().expect("nodes");
    let names: Vec<&str> = order.layout().events.iter().map(|event| event.name).collect();
    assert_eq!(names, ["whole", "joined[0]", "own[0]", "own[1]"]);
    let mut run = Simulation::of(&order, RungeKutta4).fixed(0.03).expect("a start");
    run.advance_to(0.2).expect("steps");
    // (1 + 3) · 2 + 10 + 10; an event reads what was before it
    let modes = &run.state().modes;
    assert_eq!((order.number(modes), order.last(modes)), (&[28.0][..], &[8.0, 18.0][..]));
}

#[test]
fn a_member_named_twice_for_its_mode_is_refused() {
    let order = Order::builder().nodes(3).pairs([[0, 1], [2, 2]]).build().expect_err("a pair of one");
    assert_eq!(order.to_string(), "Order: pairs[1] names member 2 twice");
}
