//! Variations of runs through events, against references and differences.

#![allow(clippy::excessive_precision, reason = "references have all their digits")]

use ode_model::integrators::*;
use ode_model::variation::{Beginning, Forward, Happened, Saltation, Several, Varied};
use ode_model::{
    Block, Cause, Context, Estimates, Nominal, Outcome, Proposal, Reset, Sensitive, Simulation, Solvable, Start, State,
    System, Work,
};

use crate::impacts::*;
use crate::perturb::{Entry, Given, derivative, entries, tangent};

pub type Columned<S> = Varied<Vec<<S as ode_model::System>::V>, Vec<<S as ode_model::System>::Z>>;

/// Ends of the steps of a run, each with the state before its event and the state there.
type Steps<S> = Vec<(Option<(usize, State<S>)>, State<S>)>;

fn steps<S: Solvable<Real = f64> + Sensitive, M: Vary<S> + Estimates + Copy>(
    model: &S,
    method: &M,
    inputs: &Given<S::U>,
    x: &State<S>,
    end: f64,
    tolerance: f64,
) -> Steps<S> {
    let setup = Simulation::of(model, *method).inputs(inputs.clone()).given(x.clone());
    let mut run = setup.adaptive(tolerance).expect("a start");
    let mut all = Vec::new();
    while run.state().t < end {
        let name = match run.step_towards(end).expect("a step") {
            Outcome::Event { event, .. } => Some(event),
            _ => None,
        };
        let index = |name: ode_model::Name| {
            model.layout().events.iter().position(|e| e.name == name.as_str()).expect("an event")
        };
        all.push((name.map(|name| (index(name), run.before_event().clone())), run.state().clone()));
    }
    all
}

/// The end of a run and the variations there, of those at its start.
fn varied<S: Solvable<Real = f64> + Sensitive, M: Vary<S> + Estimates + Copy>(
    model: &S,
    method: &M,
    inputs: &Given<S::U>,
    chain: &mut Forward<S, Several>,
    (x, mut at): (State<S>, Columned<S>),
    steps: &Steps<S>,
) -> Result<(State<S>, Columned<S>), Cause> {
    let (mut work, mut x) = (Work::default(), x);
    let mut cx = Context { system: model, inputs, work: &mut work };
    let (mut w, mut next) = (method.scratch(model), Proposal::new(model));
    let mut saltation = Saltation::new(model);
    next.acceleration.settle(&mut cx, &mut x)?;
    let mut m = method.restart(&mut cx, &mut x, 0.01, &mut w, &mut next.acceleration)?;
    let mut memory = method.begin(&mut cx, &x, chain, &mut at)?;
    for (event, end) in steps {
        let h = end.t - x.t;
        if h > 0.0 {
            next.attempt(method, &mut cx, (&x, &m), h, &mut w)?;
            let made = next.x.clone();
            let stepped = method.vary(&mut cx, (&x, &m), h, (&made, &mut w), chain, (&at, &memory))?;
            (at, memory) = (stepped.x, stepped.memory);
            next.finish(method, &mut cx)?;
            settle(&mut cx, &next.x, chain, &mut at)?;
            next.commit(method, (&mut x, &mut m), &mut w);
        }
        let Some((event, before)) = event else { continue };
        let happened = Happened { event: *event, within: 2e-14 * end.t.max(1.0), before, after: end };
        saltation.apply(&mut cx, &happened, chain, &mut at)?;
        x = end.clone();
        m = method.restart(&mut cx, &mut x, 0.01, &mut w, &mut next.acceleration)?;
        memory = method.begin(&mut cx, &x, chain, &mut at)?;
    }
    Ok((x, at))
}

/// Columns for entries, and the chain that takes them along.
pub fn columns<S: Solvable<Real = f64> + Sensitive>(model: &S, all: &[Entry]) -> (Forward<S, Several>, Columned<S>) {
    let columns = Several(all.len());
    let seeds = all.iter().map(|entry| entry.seed()).collect();
    let chain = Forward::new(model, columns, seeds);
    let mut at = Varied { q: chain.zeros_v(model), v: chain.zeros_v(model), z: chain.zeros_z(model) };
    for (k, entry) in all.iter().enumerate() {
        match *entry {
            Entry::Position(i) => at.q[k].as_mut()[i] = 1.0,
            Entry::Velocity(i) => at.v[k].as_mut()[i] = 1.0,
            Entry::State(i) => at.z[k].as_mut()[i] = 1.0,
            _ => {}
        }
    }
    (chain, at)
}

fn parameter<S: Sensitive<Real = f64>>(model: &S, name: &str) -> Entry {
    let names = model.derivatives().parameter_names;
    Entry::Parameter(names.iter().position(|own| *own == name).expect("a parameter"))
}

fn near(found: f64, wanted: f64, what: &str) {
    assert!((found - wanted).abs() <= 1e-10 * wanted.abs().max(1.0), "{what}: {found} instead of {wanted}");
}

/// A run of a model of one coordinate: its end, and the derivatives of position and velocity.
fn one<S: Solvable<Real = f64> + Sensitive>(model: &S, all: &[Entry], end: f64) -> (State<S>, Vec<[f64; 2]>) {
    let x = Start::default().solve(model, &Nominal).expect("a start");
    let inputs = Given { own: S::U::zeros(0), gain: 0.0 };
    let (mut chain, at) = columns(model, all);
    let made = steps(model, &Verner9, &inputs, &x, end, 1e-13);
    assert_eq!(made.iter().filter(|(event, _)| event.is_some()).count(), 3);
    let (x, at) = varied(model, &Verner9, &inputs, &mut chain, (x, at), &made).expect("a variation");
    let both = (0..all.len()).map(|k| [at.q[k].as_ref()[0], at.v[k].as_ref()[0]]).collect();
    (x, both)
}

/// Closed form: between impacts y is a parabola, t₁ = (v₀ + √(v₀² + 2 g y₀))/g, tₖ₊₁ = tₖ + 2 vₖ/g, vₖ₊₁ = e vₖ.
#[test]
fn a_bouncing_ball_has_the_derivatives_of_its_closed_form() {
    let model = Ball::<f64>::default();
    let all = [Entry::Position(0), Entry::Velocity(0), parameter(&model, "e"), parameter(&model, "g")];
    let (x, found) = one(&model, &all, 2.0);
    near(x.q.as_ref()[0], 0.254807781493725288982336680687, "y");
    near(x.v.as_ref()[0], 0.457681774919113236658824416189, "v");
    let wanted = [
        [-0.188804572901185451186878568820, 9.66567982948950683702179504393],
        [-0.0562776820968099859584366667278, 1.49264423188019912523046865667],
        [0.510409954424329310743077177746, 31.7379540613442819319241415854],
        [0.0480888068749557325271593866332, -1.01471153623960174953906268665],
    ];
    for ((found, wanted), entry) in found.iter().zip(wanted).zip(all) {
        near(found[0], wanted[0], &format!("y by {entry:?}"));
        near(found[1], wanted[1], &format!("v by {entry:?}"));
    }
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
    let mut all = vec![Entry::Position(0), Entry::Velocity(0)];
    all.extend(["l", "g", "c", "e", "wall"].map(|name| parameter(&model, name)));
    let (x, found) = one(&model, &all, 3.0);
    near(x.q.as_ref()[0], PENDULUM.0[0], "th");
    near(x.v.as_ref()[0], PENDULUM.0[1], "w");
    for ((found, wanted), entry) in found.iter().zip(PENDULUM.1).zip(all) {
        near(found[0], wanted[0], &format!("th by {entry:?}"));
        near(found[1], wanted[1], &format!("w by {entry:?}"));
    }
}

/// The same pendulum in the plane, with a row, from a consistent start that its parameters determine. Impacts leave
/// the circle and its tangent.
#[test]
fn a_rod_at_a_wall_agrees_with_the_pendulum() {
    let model = Rod::<f64>::default();
    let all = ["th0", "w0", "l", "g", "c", "e", "wall"].map(|name| parameter(&model, name));
    let (start, x) = (Start::default(), Start::default().solve(&model, &Nominal).expect("a start"));
    let (mut chain, mut at) = columns(&model, &all);
    let (mut beginning, mut guess) = (Beginning::new(&model), State::neutral(&model));
    model.guess(&mut guess.q, &mut guess.v, &mut guess.z);
    beginning.guess(&model, &chain, &mut at);
    beginning.apply(&model, &start, &guess, &chain, &mut at).expect("a variation");
    let inputs = Given { own: <Rod<f64> as System>::U::zeros(0), gain: 0.0 };
    let made = steps(&model, &Verner9, &inputs, &x, 3.0, 1e-13);
    assert_eq!(made.iter().filter(|(event, _)| event.is_some()).count(), 3);
    let (x, at) = varied(&model, &Verner9, &inputs, &mut chain, (x, at), &made).expect("a variation");
    let ([th, w], (sin, cos)) = (PENDULUM.0, PENDULUM.0[0].sin_cos());
    let l = model.l;
    near(x.q.as_ref()[0], l * sin, "x");
    near(x.v.as_ref()[1], l * sin * w, "der(y)");
    for (k, [dth, dw]) in PENDULUM.1.into_iter().enumerate() {
        let dl = if k == 2 { 1.0 } else { 0.0 };
        let what = |of: &str| format!("{of} of {th} by {:?}", all[k]);
        near(at.q[k].as_ref()[0], dl * sin + l * cos * dth, &what("x"));
        near(at.q[k].as_ref()[1], -dl * cos + l * sin * dth, &what("y"));
        near(at.v[k].as_ref()[0], dl * cos * w + l * (cos * dw - sin * w * dth), &what("der(x)"));
        near(at.v[k].as_ref()[1], dl * sin * w + l * (sin * dw + cos * w * dth), &what("der(y)"));
    }
}

/// All that changes a run through `count` events to `end`, against differences of the whole run.
fn check<S: Solvable<Real = f64> + Sensitive>(model: &S, end: f64, count: usize) {
    let l = model.layout();
    let x = Start::default().solve(model, &Nominal).expect("a start");
    let mut u = S::U::zeros(l.u.len());
    model.nominal(&mut u);
    let (all, inputs) = (entries(model), Given { own: u, gain: 0.0 });
    let (mut chain, at) = columns(model, &all);
    let made = steps(model, &Verner9, &inputs, &x, end, 1e-13);
    assert_eq!(made.iter().filter(|(event, _)| event.is_some()).count(), count, "{}", l.name);
    let (last, at) = varied(model, &Verner9, &inputs, &mut chain, (x.clone(), at), &made).expect("a variation");
    for (k, entry) in all.iter().enumerate() {
        let found = [at.q[k].as_ref(), at.v[k].as_ref(), at.z[k].as_ref()].concat();
        let wanted = derivative(entry.step(model), |h| {
            let (moved, x, inputs) = entry.moved(model, &x, &inputs, h);
            let start = x.t;
            let made = steps(&moved, &Verner9, &inputs, &x, end + start, 1e-13);
            tangent(model, &last, &made.last().expect("a step").1)
        });
        let scale = wanted[..found.len()].iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        for (i, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            let off = (found - wanted).abs();
            assert!(off <= 1e-7 * scale, "{} {entry:?}, {i}: {found} instead of {wanted}", l.name);
        }
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
    let happened = Happened { event, within: 1e-14, before: &before, after: &after };
    let refused = Saltation::new(&model).apply(&mut cx, &happened, &chain, &mut at);
    refused.map_or_else(|cause| cause.to_string(), |()| "nothing".to_owned())
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
