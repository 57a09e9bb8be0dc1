//! Several steps of a method, and what they vary by.

use ode_model::integrators::{Vary, settle};
use ode_model::solve::{Metric, Newton, ProjectedBy, Projection, Projector};
use ode_model::variation::{Chain, ForwardMode, RateVariation, Several, StateColumns};
use ode_model::{Context, Inputs, Method, Proposal, Real, Scalar, Sensitive, Solvable, State, Turning, Work};

use crate::blocks::Near;
use crate::perturb::{Entry, Given, columns, derivative, entries, tangent};

/// Sizes of the steps.
const STEPS: [f64; 3] = [0.02, 0.02, 0.03];

/// The state after the steps.
pub fn run<S: Solvable + Sensitive, M: Method<S>, U: Inputs<S>>(
    model: &S,
    method: &M,
    inputs: &U,
    mut x: State<S>,
    how: Option<&Projection<S::Real>>,
) -> State<S> {
    let steps = STEPS.map(S::Real::from_f64);
    let mut work = Work::default();
    let mut cx = Context { system: model, inputs, work: &mut work };
    let (mut w, mut next) = (method.scratch(model), Proposal::new(model));
    next.acceleration.settle(&mut cx, &mut x).expect("an evaluation");
    let mut m = method.restart(&mut cx, &mut x, steps[0], &mut w, &mut next.acceleration).expect("a start");
    for h in steps {
        next.attempt(method, &mut cx, (&x, &m), h, &mut w).expect("a step");
        if let Some(how) = how {
            projector(model, how).project(&mut cx, how, &mut next.x).expect("a projection");
        }
        next.finish(method, &mut cx).expect("an end");
        next.commit(method, (&mut x, &mut m), &mut w);
    }
    x
}

/// The weights of a projection whose metric they are, no two alike but those of a point of the sphere, whose frame
/// turns as it was carried.
pub fn weights<S: Solvable + Sensitive>(model: &S, how: &Projection<S::Real>) -> Option<S::V> {
    let mut weights = State::neutral(model).v;
    let spheres = |i: usize| model.turnings().iter().any(|turning| *turning == Turning::Sphere(i - 1));
    let weight = |i: usize| S::Real::from_f64(0.6 + 0.5 * if i > 0 && spheres(i) { i - 1 } else { i } as f64);
    weights.as_mut().iter_mut().enumerate().for_each(|(i, to)| *to = weight(i));
    (how.metric == Metric::Weights).then_some(weights)
}

/// What projects by them.
pub fn projector<S: Solvable + Sensitive>(model: &S, how: &Projection<S::Real>) -> Projector<S> {
    let mut projector = Projector::new(model);
    if let Some(weights) = weights(model, how) {
        projector.weigh(model, weights).expect("weights");
    }
    projector
}

/// The state after the steps, and what it varies by with each entry: (q, v, z, a, ż, λ).
pub fn forward<S: Solvable<Real = f64> + Sensitive, M: Vary<S>>(
    model: &S,
    method: &M,
    (inputs, how): (&Given<S::U>, Option<&Projection<f64>>),
    x: &State<S>,
) -> (State<S>, Vec<(Entry, Vec<f64>)>) {
    forward_by(model, method, (inputs, how), x, |chain| chain)
}

/// The same by a chain made of the columns.
pub fn forward_by<S: Solvable<Real = f64> + Sensitive, M: Vary<S>, C: InColumns<S>>(
    model: &S,
    method: &M,
    (inputs, how): (&Given<S::U>, Option<&Projection<f64>>),
    x: &State<S>,
    chain: impl FnOnce(ForwardMode<S, Several>) -> C,
) -> (State<S>, Vec<(Entry, Vec<f64>)>) {
    let all = entries(model);
    let (columns, at) = columns(model, &all);
    let (end, at, rates) = varied(model, method, (inputs, how), x.clone(), &mut chain(columns), at);
    let found = |k: usize| {
        let state = [at.q[k].as_ref(), at.v[k].as_ref(), at.z[k].as_ref()].concat();
        [&state, rates.a[k].as_ref(), rates.zdot[k].as_ref(), rates.lambda[k].as_ref()].concat()
    };
    let found = (0..all.len()).map(found).collect::<Vec<_>>();
    (end, all.into_iter().zip(found).collect())
}

/// What each entry changes of the state after the steps, by differences of the steps, in the order of [`forward`].
pub fn differences<S: Solvable<Real = f64> + Sensitive, M: Vary<S>>(
    model: &S,
    method: &M,
    (inputs, how): (&Given<S::U>, Option<&Projection<f64>>),
    x: &State<S>,
) -> Vec<Vec<f64>> {
    let end = run(model, method, inputs, x.clone(), how);
    let column = |entry: Entry| {
        derivative(entry.step(model), |h| {
            let (moved, x, inputs) = entry.moved(model, x, inputs, h);
            tangent(model, &end, &run(&moved, method, &inputs, x, how))
        })
    };
    entries(model).into_iter().map(column).collect()
}

/// The first number of columns that is further from differences than those are exact.
pub fn mistake<S: Solvable<Real = f64> + Sensitive>(
    model: &S,
    (end, all): &(State<S>, Vec<(Entry, Vec<f64>)>),
    wanted: &[Vec<f64>],
) -> Option<String> {
    let mut columns = all.iter().zip(wanted);
    columns.find_map(|((entry, found), wanted)| {
        let mistake = Near::differences(entry.step(model)).mistake_of(model, end, found, wanted);
        mistake.map(|mistake| format!("{entry:?}, {mistake}"))
    })
}

/// A chain that carries columns.
pub trait InColumns<S: Solvable + Sensitive>: Chain<S, V = Vec<S::V>, Z = Vec<S::Z>, L = Vec<S::L>> {}

impl<S: Solvable + Sensitive, C: Chain<S, V = Vec<S::V>, Z = Vec<S::Z>, L = Vec<S::L>>> InColumns<S> for C {}

fn varied<S: Solvable<Real = f64> + Sensitive, M: Vary<S>, C: InColumns<S>>(
    model: &S,
    method: &M,
    (inputs, how): (&Given<S::U>, Option<&Projection<f64>>),
    mut x: State<S>,
    chain: &mut C,
    mut at: StateColumns<S, Several>,
) -> (State<S>, StateColumns<S, Several>, RateVariation<S, C>) {
    let mut work = Work::default();
    let mut cx = Context { system: model, inputs, work: &mut work };
    let (mut w, mut next) = (method.scratch(model), Proposal::new(model));
    next.acceleration.settle(&mut cx, &mut x).expect("an evaluation");
    let mut m = method.restart(&mut cx, &mut x, STEPS[0], &mut w, &mut next.acceleration).expect("a start");
    let mut memory = method.begin(&mut cx, &x, chain, &mut at).expect("a start");
    let mut rates = None;
    for h in STEPS {
        next.attempt(method, &mut cx, (&x, &m), h, &mut w).expect("a step");
        let made = next.x.clone();
        let stepped = method.vary(&mut cx, (&x, &m), h, (&made, &mut w), chain, (&at, &memory)).expect("a variation");
        (at, memory) = (stepped.x, stepped.memory);
        if let Some(how) = how {
            projector(model, how).project(&mut cx, how, &mut next.x).expect("a projection");
            let weights = weights(model, how);
            let by = ProjectedBy { how, weights: weights.as_ref() };
            chain.project(model, &made, &by, &mut at).expect("its variation");
        }
        next.finish(method, &mut cx).expect("an end");
        rates = Some(match stepped.rates {
            Some(rates) => rates,
            None => settle(&mut cx, &next.x, chain, &mut at).expect("rates"),
        });
        next.commit(method, (&mut x, &mut m), &mut w);
    }
    (x, at, rates.expect("a step"))
}

/// Differences need all digits.
pub fn newton<T: Real>() -> Newton<T> {
    let tolerance = T::from_f64(1e-15);
    Newton { tolerance, constraint: tolerance, iterations: 30, ..Newton::default() }
}
