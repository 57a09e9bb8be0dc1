//! Entries to change one by one, and states compared as their tangents.

use ode_model::variation::{Controls, Direction, ForwardMode, Seed, Several, StateColumns, unit_column};
use ode_model::{Inputs, Moment, Order, Scalar, Sensitive, Solvable, State, System, Turning, s2};

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

/// Inputs that are given, and fed back from q and v, a state and time.
#[derive(Clone)]
pub struct Given<U> {
    pub own: U,
    pub gain: f64,
}

/// The numbers of (q, v) that are fed back: of a point of the sphere its direction and two entries of its velocity, for
/// its frame is as it was carried; of models of first order no velocities, which are no inputs.
fn sensed<S: Sensitive<Real = f64>>(system: &S, q: &S::Q, v: &S::V) -> [Vec<f64>; 2] {
    let (mut places, mut rates) = (q.as_ref().to_vec(), v.as_ref().to_vec());
    for (place, first) in spheres(system) {
        let frame = quaternion(q.as_ref(), place);
        let rate = s2::velocity(&frame, &[v.as_ref()[first], v.as_ref()[first + 1]]);
        places[place..place + 4].copy_from_slice(&padded(s2::direction(&frame)));
        rates[first..first + 2].copy_from_slice(&rate[..2]);
    }
    if system.layout().order == Order::First {
        rates.fill(0.0);
    }
    [places, rates]
}

/// What they change by along (δq, δv).
fn sensed_along<S: Sensitive<Real = f64>>(
    system: &S,
    (q, v): (&S::Q, &S::V),
    (dq, dv): (&S::V, &S::V),
) -> [Vec<f64>; 2] {
    let mut rate = q.clone();
    system.qdot(q, dq, &mut rate);
    let (mut places, mut rates) = (rate.as_ref().to_vec(), dv.as_ref().to_vec());
    for (place, first) in spheres(system) {
        let two = |x: &S::V| [x.as_ref()[first], x.as_ref()[first + 1]];
        let (frame, [turn, own]) = (quaternion(q.as_ref(), place), [two(dq), two(v)]);
        places[place..place + 4].copy_from_slice(&padded(s2::velocity(&frame, &turn)));
        // ḋ = R (v₂, −v₁, 0): both axes turn towards the direction
        let (axial, change) = (s2::direction(&frame), s2::velocity(&frame, &two(dv)));
        let towards = turn[0] * own[0] + turn[1] * own[1];
        (0..2).for_each(|i| rates[first + i] = change[i] - towards * axial[i]);
    }
    if system.layout().order == Order::First {
        rates.fill(0.0);
    }
    [places, rates]
}

/// Where the quaternions of points of the sphere and their velocities are.
fn spheres<S: Sensitive>(system: &S) -> impl Iterator<Item = (usize, usize)> {
    let quaternions = system.rotations().iter().filter(|(_, count)| *count == 4);
    let places = system.turnings().iter().zip(quaternions);
    places.filter_map(|(turning, &(place, _))| match *turning {
        Turning::Sphere(first) => Some((place, first)),
        _ => None,
    })
}

fn quaternion<T: Scalar>(q: &[T], place: usize) -> [T; 4] {
    std::array::from_fn(|i| q[place + i])
}

/// In the place of a quaternion.
fn padded([x, y, z]: [f64; 3]) -> [f64; 4] {
    [x, y, z, 0.0]
}

/// A sum of what is fed back, with weights of both signs, and of a state.
fn fed_back<S: System<Real = f64>>([places, rates]: [Vec<f64>; 2], z: &S::Z) -> f64 {
    let weighed = |x: &[f64], angle: f64| x.iter().enumerate().map(|(i, x)| (angle * i as f64).cos() * x).sum::<f64>();
    2.0 * weighed(&places, 1.3) + weighed(&rates, 0.9) + z.as_ref().first().copied().unwrap_or(0.0)
}

impl<S: Sensitive<Real = f64>> Inputs<S> for Given<S::U> {
    fn evaluate(&self, system: &S, at: Moment<'_, S>, u: &mut S::U) {
        u.clone_from(&self.own);
        let fed_back = fed_back::<S>(sensed(system, at.q, at.v), at.z) + at.t.sin();
        u.as_mut().iter_mut().for_each(|u| *u -= self.gain * fed_back);
    }
}

impl<S: Sensitive<Real = f64>> Controls<S> for Given<S::U> {
    fn vary(&self, system: &S, at: Moment<'_, S>, own: Option<usize>, direction: &mut Direction<S>) {
        let Direction { q, v, z, u, t, .. } = direction;
        let along = sensed_along(system, (at.q, at.v), (q, v));
        let fed_back = fed_back::<S>(along, z) + at.t.cos() * *t;
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
        (model.with_parameters(&p), x, inputs)
    }
}

/// A state as a tangent at another: q by its step; velocities on the sphere in the frame without spin.
pub fn tangent<S: Sensitive>(model: &S, at: &State<S>, x: &State<S>) -> Vec<S::Real> {
    let mut step = x.v.clone();
    model.local(&at.q, &x.q, &mut step);
    let (mut v, mut a) = (x.v.clone(), x.a.clone());
    for (place, first) in spheres(model) {
        let four = |q: &S::Q| quaternion(q.as_ref(), place);
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
    fourth_order(h, &[f(h), f(-h), f(2.0 * h), f(-2.0 * h)])
}

fn fourth_order(h: f64, [one, back, two, far]: &[Vec<f64>; 4]) -> Vec<f64> {
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
            Entry::Position(i) => unit_column::<S, Several>(&mut at, k, i),
            Entry::Velocity(i) => unit_column::<S, Several>(&mut at, k, nv + i),
            Entry::State(i) => unit_column::<S, Several>(&mut at, k, 2 * nv + i),
            _ => {}
        }
    }
    (chain, at)
}
