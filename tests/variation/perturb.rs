//! Entries to change one by one, and states compared as their tangents.

use ode_model::variation::{Controls, Direction, ForwardMode, Seed, Several, StateColumns, unit};
use ode_model::{Inputs, Moment, Order, Scalar, Sensitive, Solvable, State, System, Turning};

/// One entry of a state, of the inputs or of the parameters, or time.
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    Position(usize),
    Velocity(usize),
    State(usize),
    Input(usize),
    Parameter(usize),
    Time,
}

/// Inputs that are given, and fed back from the entries of q and v, a state and time.
#[derive(Clone)]
pub struct Given<U> {
    pub own: U,
    pub gain: f64,
}

/// A sum of entries with weights of both signs.
fn weighed(x: &[f64], angle: f64) -> f64 {
    x.iter().enumerate().map(|(i, x)| (angle * i as f64).cos() * x).sum()
}

/// What is fed back of q or its rate, velocities and a state. The velocities of models of first order are no inputs.
fn sensed<S: System<Real = f64>>(system: &S, q: &S::Q, v: &S::V, z: &S::Z) -> f64 {
    let state = z.as_ref().first().copied().unwrap_or(0.0);
    let moving = if system.layout().order == Order::First { 0.0 } else { weighed(v.as_ref(), 0.9) };
    2.0 * weighed(q.as_ref(), 1.3) + moving + state
}

impl<S: System<Real = f64>> Inputs<S> for Given<S::U> {
    fn evaluate(&self, system: &S, at: Moment<'_, S>, u: &mut S::U) {
        u.clone_from(&self.own);
        let fed_back = sensed(system, at.q, at.v, at.z) + at.t.sin();
        u.as_mut().iter_mut().for_each(|u| *u -= self.gain * fed_back);
    }
}

impl<S: System<Real = f64>> Controls<S> for Given<S::U> {
    fn vary(&self, system: &S, at: Moment<'_, S>, own: Option<usize>, direction: &mut Direction<S>) {
        let Direction { q, v, z, u, t, .. } = direction;
        let mut rate = at.q.clone();
        system.qdot(at.q, q, &mut rate);
        let fed_back = sensed(system, &rate, v, z) + at.t.cos() * *t;
        for (i, u) in u.as_mut().iter_mut().enumerate() {
            *u = f64::from(u8::from(own == Some(i))) - self.gain * fed_back;
        }
    }
}

/// Everything that changes a motion.
pub fn entries<S: Solvable<Real = f64> + Sensitive>(model: &S) -> Vec<Entry> {
    let l = model.layout();
    let list = |n: usize, kind: fn(usize) -> Entry| (0..n).map(kind).collect::<Vec<_>>();
    let velocities = if l.order == Order::First { 0 } else { l.v.len() };
    [
        list(l.v.len(), Entry::Position),
        list(velocities, Entry::Velocity),
        list(l.z.len() - l.algebraic, Entry::State),
        list(l.u.len(), Entry::Input),
        list(model.parameter_block().as_ref().len(), Entry::Parameter),
        vec![Entry::Time],
    ]
    .concat()
}

impl Entry {
    /// A step of differences that suits it.
    pub fn step<S: Sensitive<Real = f64>>(self, model: &S) -> f64 {
        match self {
            Entry::Parameter(i) => 3e-4 * model.parameter_block().as_ref()[i].abs(),
            _ => 3e-4,
        }
    }

    /// What it is beside a state.
    pub fn seed(self) -> Seed<f64> {
        match self {
            Entry::Input(i) => Seed { input: Some(i), ..Seed::STATE },
            Entry::Parameter(i) => Seed { parameter: Some(i), ..Seed::STATE },
            Entry::Time => Seed { t: 1.0, ..Seed::STATE },
            _ => Seed::STATE,
        }
    }

    /// Model, state and inputs with the entry moved by `h`.
    pub fn moved<S: Solvable<Real = f64> + Sensitive>(
        self,
        model: &S,
        x: &State<S>,
        inputs: &Given<S::U>,
        h: f64,
    ) -> (S, State<S>, Given<S::U>) {
        let (mut x, mut p, mut inputs) = (x.clone(), model.parameter_block(), inputs.clone());
        let mut step = x.v.clone();
        step.as_mut().fill(0.0);
        match self {
            Entry::Position(i) => step.as_mut()[i] = h,
            Entry::Velocity(i) => x.v.as_mut()[i] += h,
            Entry::State(i) => x.z.as_mut()[i] += h,
            Entry::Input(i) => inputs.own.as_mut()[i] += h,
            Entry::Parameter(i) => p.as_mut()[i] += h,
            Entry::Time => x.t += h,
        }
        let from = x.q.clone();
        model.retract(&from, &step, &mut x.q);
        (S::with_parameters(&p), x, inputs)
    }
}

/// A state as a tangent at another: q by its step; velocities on the sphere in the frame without spin.
pub fn tangent<S: Sensitive>(model: &S, at: &State<S>, x: &State<S>) -> Vec<S::Real> {
    let mut step = x.v.clone();
    model.local(&at.q, &x.q, &mut step);
    let (mut v, mut a) = (x.v.clone(), x.a.clone());
    let quaternions = model.rotations().iter().filter(|(_, count)| *count == 4);
    for (turning, &(place, _)) in model.turnings().iter().zip(quaternions) {
        let Turning::Sphere(first) = *turning else { continue };
        let four = |q: &S::Q| -> [S::Real; 4] { std::array::from_fn(|i| q.as_ref()[place + i]) };
        let [w, _, _, z] = ode_model::so3::product(&ode_model::so3::conjugate(&four(&at.q)), &four(&x.q));
        let angle = S::Real::from_f64(2.0) * z.atan2(w);
        let (s, c) = (angle.sin(), angle.cos());
        for x in [v.as_mut(), a.as_mut()] {
            (x[first], x[first + 1]) = (c * x[first] - s * x[first + 1], s * x[first] + c * x[first + 1]);
        }
    }
    [step.as_ref(), v.as_ref(), x.z.as_ref(), a.as_ref(), x.zdot.as_ref(), x.lambda.as_ref()].concat()
}

/// A state off its constraints.
pub fn off<S: Solvable<Real = f64> + Sensitive>(model: &S, mut x: State<S>) -> State<S> {
    let (from, mut step) = (x.q.clone(), x.v.clone());
    step.as_mut().iter_mut().zip([0.06, -0.06].into_iter().cycle()).for_each(|(step, by)| *step = by);
    model.retract(&from, &step, &mut x.q);
    x
}

/// The derivative of `f` by differences of fourth order.
pub fn derivative(h: f64, f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let [one, back, two, far] = [f(h), f(-h), f(2.0 * h), f(-2.0 * h)];
    (0..one.len()).map(|i| (8.0 * (one[i] - back[i]) - (two[i] - far[i])) / (12.0 * h)).collect()
}

/// Columns for entries, and the chain that takes them along.
pub fn columns<S: Solvable<Real = f64> + Sensitive>(
    model: &S,
    all: &[Entry],
) -> (ForwardMode<S, Several>, StateColumns<S, Several>) {
    let seeds = all.iter().map(|entry| entry.seed()).collect();
    let chain = ForwardMode::new(model, Several(all.len()), seeds);
    let (mut at, nv) = (chain.zeros(model), model.layout().v.len());
    for (k, entry) in all.iter().enumerate() {
        match *entry {
            Entry::Position(i) => unit::<S, Several>(&mut at, k, i),
            Entry::Velocity(i) => unit::<S, Several>(&mut at, k, nv + i),
            Entry::State(i) => unit::<S, Several>(&mut at, k, 2 * nv + i),
            _ => {}
        }
    }
    (chain, at)
}
