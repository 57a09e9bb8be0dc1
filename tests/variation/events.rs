//! Variations of runs through events, against references and differences.

#![allow(clippy::excessive_precision, reason = "references have all their digits")]

use ode_model::integrators::*;
use ode_model::linalg::Labelled;
use ode_model::variation::{Controls, Saltation, Transition};
use ode_model::{
    Block, By, Cause, Context, Differentiable, Nominal, Outcome, Reset, Sensitive, Sensitivities, Simulation, Solvable,
    Start, State, StepError, System, Work,
};

use crate::blocks::Near;
use crate::impacts::*;
use crate::perturb::{Entry, Given, columns, derivative, entries, tangent};

fn near(found: f64, wanted: f64, what: &str) {
    assert!((found - wanted).abs() <= 1e-10 * wanted.abs(), "{what}: {found} instead of {wanted}");
}

/// Steps to the end; returns the number of events.
fn advance<S, M, U>(run: &mut Sensitivities<'_, S, M, U>, end: f64) -> Result<usize, StepError>
where
    S: Solvable<Real = f64> + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    let mut events = 0;
    while run.run().state().t < end {
        events += usize::from(matches!(run.step_towards(end)?, Outcome::Event { .. }));
    }
    Ok(events)
}

/// The end of a run through three events, and its sensitivities.
fn through<S: Solvable<Real = f64> + Sensitive>(model: &S, by: &By, end: f64) -> (State<S>, Labelled<f64>) {
    let run = Simulation::of(model, Verner9).adaptive(1e-13).expect("a start");
    let mut run = run.vary(by).expect("a linearisation");
    assert_eq!(advance(&mut run, end), Ok(3));
    (run.run().state().clone(), run.jacobian())
}

/// Closed form: between impacts y is a parabola, t₁ = (v₀ + √(v₀² + 2 g y₀))/g, tₖ₊₁ = tₖ + 2 vₖ/g, vₖ₊₁ = e vₖ.
#[test]
fn a_bouncing_ball_has_the_derivatives_of_its_closed_form() {
    let model = Ball::<f64>::default();
    let (x, found) = through(&model, &By::new().start().parameters(), 2.0);
    near(x.q.as_ref()[0], 0.254807781493725288982336680687, "y");
    near(x.v.as_ref()[0], 0.457681774919113236658824416189, "v");
    let wanted = [
        [-0.188804572901185451186878568820, 9.66567982948950683702179504393],
        [-0.0562776820968099859584366667278, 1.49264423188019912523046865667],
        [0.510409954424329310743077177746, 31.7379540613442819319241415854],
        [0.0480888068749557325271593866332, -1.01471153623960174953906268665],
    ];
    for (k, (wanted, name)) in wanted.into_iter().zip(["y", "der(y)", "e", "g"]).enumerate() {
        near(found[(0, k)], wanted[0], &format!("y by {name}"));
        near(found[(1, k)], wanted[1], &format!("v by {name}"));
    }
}

/// The first impact is at t = (v₀ + √(v₀² + 2 g y₀))/g.
#[test]
fn the_time_of_an_event_varies() {
    let model = Ball::<f64>::default();
    let run = Simulation::of(&model, Verner9).adaptive(1e-13).expect("a start");
    let mut run = run.vary(&By::new().start().parameters()).expect("a linearisation");
    run.advance_to(0.4).expect("steps");
    assert_eq!(run.event_time_gradient(), None);
    run.advance_to(0.6).expect("steps");
    let found = run.event_time_gradient().expect("an impact");
    assert_eq!(found.row_names(), ["bounce"]);
    let (g, v, root) = (9.81, 0.5, (0.25_f64 + 2.0 * 9.81).sqrt());
    let wanted = [1.0 / root, (1.0 + v / root) / g, 0.0, 1.0 / (g * root) - (v + root) / (g * g)];
    for (k, wanted) in wanted.into_iter().enumerate() {
        assert!((found[(0, k)] - wanted).abs() < 1e-12, "{k}: {} {wanted}", found[(0, k)]);
    }
}

/// A state a little later on its motion has its event at the same time: what is moved along the motion before an event
/// is moved along the motion after it.
fn passes<S: Solvable<Real = f64> + Sensitive>(model: &S) {
    let mut run = Simulation::of(model, Verner9).adaptive(1e-13).expect("a start");
    while !matches!(run.step_towards(2.0), Ok(Outcome::Event { .. })) {}
    let (before, after) = (run.before_event(), run.state());
    let (chain, mut at) = columns(model, &[Entry::Time]);
    (at.q[0], at.v[0], at.z[0]) = (before.v.clone(), before.a.clone(), before.zdot.clone());
    let mut work = Work::default();
    let mut cx = Context { system: model, inputs: &Nominal, work: &mut work };
    let happened = Transition { event: 0, within: 3e-14, size: 1.0, before, after };
    let delays = Saltation::new(model).apply(&mut cx, &happened, &chain, &mut at).expect("a variation");
    assert!((delays[0] + 1.0).abs() < 1e-12, "{}", delays[0]);
    let found = [at.q[0].as_ref(), at.v[0].as_ref(), at.z[0].as_ref()];
    let wanted = [after.v.as_ref(), after.a.as_ref(), after.zdot.as_ref()];
    for (found, wanted) in found.into_iter().zip(wanted) {
        assert_eq!(Near::to(1e-9).mistake(&[], found, wanted), None, "{}", model.layout().name);
    }
}

#[test]
fn a_motion_passes_events_as_itself() {
    passes(&Crash::<f64>::default());
    passes(&Rod::<f64>::default());
    passes(&Both::<f64>::default());
    passes(&Turned::<f64>::default());
    passes(&Creep::<f64>::default());
}

/// The end of a pendulum at a wall and the derivatives of (θ, ω) by θ₀, ω₀, l, g, c, e and the place of the wall:
/// variational equations with saltation, 50 digits.
const PENDULUM: ([f64; 2], [[f64; 2]; 7]) = (
    [0.41538266399777859020373294886, 0.865983866900533086506715065119],
    [
        [0.7578615327036698213750955487, -1.47349389354361342139804848182],
        [-0.0580158900686645092368601138917, 0.481466966055436625591687943799],
        [-1.94652201203087572038908414179, 11.862336344312563853669607304],
        [0.138895556414027829181687961188, -0.846446018452476523707311428422],
        [-1.09774449121027396253514568978, 1.03041441142605927401429278088],
        [1.97702104519721674294802874836, -1.92177765909943933319004698537],
        [2.1841499199645058133125261453, -15.4103791146735790865045606686],
    ],
);

#[test]
fn a_pendulum_at_a_wall_agrees_with_its_variational_equations() {
    let model = Pendulum::<f64>::default();
    let (x, found) = through(&model, &By::new().start().parameters(), 3.0);
    near(x.q.as_ref()[0], PENDULUM.0[0], "th");
    near(x.v.as_ref()[0], PENDULUM.0[1], "w");
    for (k, wanted) in PENDULUM.1.into_iter().enumerate() {
        near(found[(0, k)], wanted[0], &format!("th by {k}"));
        near(found[(1, k)], wanted[1], &format!("w by {k}"));
    }
}

/// The same pendulum in the plane, with a row, from a consistent start that its parameters determine. Impacts leave
/// the circle and its tangent.
#[test]
fn a_rod_at_a_wall_agrees_with_the_pendulum() {
    let model = Rod::<f64>::default();
    let names = ["th0", "w0", "l", "g", "c", "e", "wall"];
    let (x, found) = through(&model, &names.iter().fold(By::new(), |by, name| by.parameter(name)), 3.0);
    let ([th, w], (sin, cos)) = (PENDULUM.0, PENDULUM.0[0].sin_cos());
    let l = model.l;
    near(x.q.as_ref()[0], l * sin, "x");
    near(x.v.as_ref()[1], l * sin * w, "der(y)");
    for (k, [dth, dw]) in PENDULUM.1.into_iter().enumerate() {
        let dl = if k == 2 { 1.0 } else { 0.0 };
        let what = |of: &str| format!("{of} of {th} by {}", names[k]);
        near(found[(0, k)], dl * sin + l * cos * dth, &what("x"));
        near(found[(1, k)], -dl * cos + l * sin * dth, &what("y"));
        near(found[(2, k)], dl * cos * w + l * (cos * dw - sin * w * dth), &what("der(x)"));
        near(found[(3, k)], dl * sin * w + l * (sin * dw + cos * w * dth), &what("der(y)"));
    }
}

type Run<'a, S> = Simulation<'a, S, Verner9, Given<<S as System>::U>>;

fn run<'a, S: Solvable<Real = f64> + Sensitive>(model: &'a S, x: &State<S>, inputs: &Given<S::U>) -> Run<'a, S> {
    let setup = Simulation::of(model, Verner9).inputs(inputs.clone()).given(x.clone());
    setup.adaptive(1e-13).expect("a start")
}

/// All that changes a run through `count` events to `end`, against differences of the whole run, with inputs that are
/// given and with such that are fed back.
fn check<S: Solvable<Real = f64> + Sensitive>(model: &S, end: f64, count: usize) {
    check_with(model, 0.0, end, count);
    if !model.layout().u.is_empty() {
        check_with(model, 0.3, end, count);
    }
}

/// With inputs that are fed back with a gain.
fn check_with<S: Solvable<Real = f64> + Sensitive>(model: &S, gain: f64, end: f64, count: usize) {
    let l = model.layout();
    let x = Start::default().solve(model, &Nominal).expect("a start");
    let mut u = S::U::zeros(l.u.len());
    model.nominal(&mut u);
    let inputs = Given { own: u, gain };
    let mut made = run(model, &x, &inputs).vary(&By::new().start().inputs().parameters()).expect("a linearisation");
    assert_eq!(advance(&mut made, end), Ok(count), "{}", l.name);
    let (last, jacobian) = (made.run().state().clone(), made.jacobian());
    let all = entries(model).into_iter().filter(|entry| !matches!(entry, Entry::Time));
    for (k, entry) in all.enumerate() {
        let wanted = derivative(entry.step(model), |h| {
            let (moved, x, inputs) = entry.moved(model, &x, &inputs, h);
            let mut run = run(&moved, &x, &inputs);
            run.advance_to(end).expect("steps");
            tangent(model, &last, run.state())
        });
        let found: Vec<f64> = (0..wanted.len()).map(|i| jacobian[(i, k)]).collect();
        let near = Near::differences(entry.step(model));
        assert_eq!(near.mistake_of(model, &last, &found, &wanted), None, "{entry:?}");
    }
}

#[test]
fn impacts_with_constraints_vary_as_their_differences() {
    check(&Crash::<f64>::default(), 0.7, 1);
    check(&Hit::<f64>::default(), 0.6, 2);
    check(&Both::<f64>::default(), 0.6, 1);
}

#[test]
fn turned_bodies_vary_as_their_differences() {
    check(&Turned::<f64>::default(), 0.9, 1);
}

/// An event that leaves the constraints for all numbers but one: what it varies by is projected, though the state is
/// not.
#[test]
fn what_would_leave_the_constraints_is_projected() {
    let model = Stretched::<f64>::default();
    fn start(model: &Stretched<f64>) -> Simulation<'_, Stretched<f64>, Verner9> {
        Simulation::of(model, Verner9).adaptive(1e-13).expect("a start")
    }
    let mut made = start(&model).vary(&By::new().parameters()).expect("a linearisation");
    assert_eq!(advance(&mut made, 0.5), Ok(1));
    let (last, jacobian) = (made.run().state(), made.jacobian());
    for k in 0..made.names().len() {
        let entry = Entry::Parameter(k);
        let wanted = derivative(entry.step(&model), |h| {
            let mut p = model.parameter_block();
            p.as_mut()[k] += h;
            let moved = model.with_parameters(&p);
            let mut run = start(&moved);
            run.advance_to(0.5).expect("steps");
            tangent(&model, last, run.state())
        });
        let found: Vec<f64> = jacobian.column(k).iter().copied().collect();
        let near = Near::differences(entry.step(&model));
        assert_eq!(near.mistake_of(&model, last, &found, &wanted), None, "{entry:?}");
    }
}

#[test]
fn events_of_first_order_vary_as_their_differences() {
    check(&Creep::<f64>::default(), 1.0, 1);
}

/// Why an event of a state has no derivative, where the next state is that after another one.
fn refused(x: [f64; 2], v: [f64; 2], event: usize, others: &[usize]) -> String {
    let model = Refused::<f64>::default();
    let mut before = State::neutral(&model);
    before.q.as_mut().copy_from_slice(&x);
    before.v.as_mut().copy_from_slice(&v);
    let mut after = before.clone();
    for &event in [event].iter().chain(others) {
        let from = after.clone();
        let reset = Reset { q: &mut after.q, v: &mut after.v, z: &mut after.z, modes: &mut after.modes };
        model.reset(event, from.point(), reset);
    }
    let (chain, mut at) = columns(&model, &[Entry::Velocity(0)]);
    let mut work = Work::default();
    let mut cx = Context { system: &model, inputs: &Nominal, work: &mut work };
    let happened = Transition { event, within: 1e-14, size: 1.0, before: &before, after: &after };
    let refused = Saltation::new(&model).apply(&mut cx, &happened, &chain, &mut at);
    refused.map_or_else(|cause| cause.to_string(), |_| "nothing".to_owned())
}

#[test]
fn events_without_derivatives_are_refused_by_name() {
    assert_eq!(refused([1.0, 0.0], [0.1, 0.2], 0, &[]), "nothing");
    let found = refused([1.0, 0.0], [1e-9, 0.2], 0, &[]);
    assert!(found.starts_with("event `touch` only touches zero, at the rate 1e-9:"), "{found}");
    let found = refused([1.0, 0.0], [0.0, 0.2], 0, &[]);
    assert!(found.starts_with("event `touch` only touches zero, at the rate 0e0:"), "{found}");
    let found = refused([0.0, 0.5], [0.1, -1.0], 1, &[2]);
    assert!(found.starts_with("events `left` and `right` happen at the same time:"), "{found}");
    let found = refused([1.0, 0.8], [0.1, 1.0], 0, &[0]);
    assert!(found.starts_with("event `touch` happens more than once at the same time:"), "{found}");
    let found = refused([0.0, 1.5], [0.1, 1.0], 3, &[]);
    assert_eq!(
        found,
        "event `keep` sets mode `seen` to a number that varies: make it a `state` with `der(seen) = 0.0`"
    );
}

/// What an event leaves is compared entry by entry: a large one hides nothing of a small one.
#[test]
fn states_after_an_event_are_compared_entry_by_entry() {
    let model = Refused::<f64>::default();
    let mut before = State::neutral(&model);
    before.q.as_mut().copy_from_slice(&[1.0, 1e6]);
    before.v.as_mut().copy_from_slice(&[0.1, 1e5]);
    let mut left = before.clone();
    let reset = Reset { q: &mut left.q, v: &mut left.v, z: &mut left.z, modes: &mut left.modes };
    model.reset(0, before.point(), reset);
    let off = |place: usize, by: f64| {
        let mut after = left.clone();
        let State { q, v, .. } = &mut after;
        q.as_mut().iter_mut().chain(v.as_mut()).nth(place).into_iter().for_each(|x| *x += by);
        let (chain, mut at) = columns(&model, &[Entry::Velocity(0)]);
        let mut work = Work::default();
        let mut cx = Context { system: &model, inputs: &Nominal, work: &mut work };
        let happened = Transition { event: 0, within: 1e-14, size: 1.0, before: &before, after: &after };
        Saltation::new(&model).apply(&mut cx, &happened, &chain, &mut at).map(drop)
    };
    // of (1, 10⁶, 0.1, 5·10⁴)
    for (place, little, much) in [(0, 1e-7, 1e-6), (1, 0.05, 1.0), (2, 1e-7, 1e-6), (3, 2e-3, 0.05)] {
        for sign in [1.0, -1.0] {
            assert_eq!(off(place, sign * little), Ok(()), "{place}");
            assert!(matches!(off(place, sign * much), Err(Cause::Simultaneous { .. })), "{place}");
        }
    }
}

/// Why an event of a state has no derivative.
fn touched<S: Solvable<Real = f64> + Sensitive>(model: &S, before: &State<S>, event: usize) -> Option<f64> {
    let mut after = before.clone();
    let reset = Reset { q: &mut after.q, v: &mut after.v, z: &mut after.z, modes: &mut after.modes };
    model.reset(event, before.at(&S::U::zeros(model.layout().u.len())), reset);
    let (chain, mut at) = columns(model, &[Entry::Position(0)]);
    let mut work = Work::default();
    let mut cx = Context { system: model, inputs: &Nominal, work: &mut work };
    let happened = Transition { event, within: 1e-14, size: 1.0, before, after: &after };
    match Saltation::new(model).apply(&mut cx, &happened, &chain, &mut at) {
        Ok(_) => None,
        Err(Cause::Grazing { rate, .. }) => Some(rate),
        Err(other) => panic!("{other}"),
    }
}

/// A guard touches zero if its rate is that of its round-off on a parabola, whatever it reads.
#[test]
fn guards_that_touch_zero_are_refused_whatever_they_read() {
    let model = Touched::<f64>::default();
    let state = |t: f64, x: f64, v: f64, z: f64, far: f64| {
        let mut state = State::neutral(&model);
        state.t = t;
        state.q.as_mut().copy_from_slice(&[x, far]);
        state.v.as_mut()[0] = v;
        state.z.as_mut()[0] = z;
        state
    };
    // a = x, ȧ = v; ż = x, z̈ = v; ẋ = v, ẍ = x: each has the rate, and bends by one
    let each = |rate: f64, far: f64| {
        let time = core::f64::consts::FRAC_PI_2 - rate;
        let states = [
            (0, state(0.0, rate, 1.0, 0.0, far)),
            (1, state(0.0, rate, 0.9, 1.0, far)),
            (2, state(time, 0.0, 0.0, 0.0, far)),
            (3, state(0.0, 1.0, rate, 0.0, far)),
        ];
        states.map(|(event, state)| touched(&model, &state, event))
    };
    for (event, found) in each(4e-8, 0.0).into_iter().enumerate() {
        let rate = found.unwrap_or_else(|| panic!("event {event} crosses"));
        assert!((rate - 4e-8).abs() < 1e-15, "event {event}: {rate}");
    }
    assert_eq!(each(1e-6, 0.0), [None; 4]);
    // coordinates that a guard does not read are no matter
    assert_eq!(each(4e-3, 1e8), [None; 4]);

    let model = Crept::<f64>::default();
    let state = |rate: f64| {
        let mut state = State::neutral(&model);
        state.q.as_mut().copy_from_slice(&[1.0, rate]);
        state
    };
    assert_eq!(touched(&model, &state(4e-8), 0), Some(4e-8));
    assert_eq!(touched(&model, &state(1e-6), 0), None);
}
