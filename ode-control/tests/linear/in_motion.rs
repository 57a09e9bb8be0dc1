//! Linear systems along motions: what they integrate to is what runs vary by.
//!
//! States beside a motion differ from it in the independent coordinates only; the others are put onto the constraints
//! by Newton's method here.

use ode_control::{LinearModel, Linearizer};
use ode_model::integrators::*;
use ode_model::linalg::DMatrix;
use ode_model::prelude::*;
use ode_model::{Block, Constraint, Order, RowKind, Sensitive, Solvable};

use crate::models::*;
use crate::perturb::{derivative, tangent};

/// How long the motions are, and in how many steps of Runge and Kutta the linear systems are integrated.
const SPAN: f64 = 0.2;
const STEPS: usize = 100;

/// The state beside `x` with `xi` in the independent coordinates.
pub fn beside<S: Solvable<Real = f64> + Sensitive>(
    model: &S,
    x: &State<S>,
    linear: &LinearModel,
    k: usize,
    h: f64,
) -> State<S> {
    let (layout, place) = (model.layout(), linear.places[k]);
    let nv = layout.v.len();
    let moving = if layout.order == Order::First { 0 } else { nv };
    let mut next = x.clone();
    let mut step = x.v.clone();
    step.as_mut().fill(0.0);
    match place {
        i if i < nv => step.as_mut()[i] = h,
        i if i < nv + moving => next.v.as_mut()[i - nv] += h,
        i => next.z.as_mut()[i - nv - moving] += h,
    }
    let dependent = |first: usize| (0..nv).filter(|i| !linear.places.contains(&(first + i))).collect::<Vec<_>>();
    let mut u = S::U::zeros(layout.u.len());
    model.nominal(&mut u);
    // rows of a kind, and their Jacobian in dependent columns
    let rows = |at: &State<S>, columns: &[usize], velocity: bool| {
        let mut found = Constraint::zeros(&layout);
        model.constraint(at.at(&u), &mut found);
        let count = layout.constraints.len();
        let held: Vec<usize> = (0..count)
            .filter(|&row| match layout.kinds.get(row) {
                Some(RowKind::Compliant) => false,
                Some(RowKind::Nonholonomic) => velocity,
                _ => true,
            })
            .collect();
        let mut g = DMatrix::<f64>::zeros(held.len(), columns.len());
        for ((r, c), &x) in layout.jacobian.entries().zip(found.jacobian.as_ref()) {
            let (row, column) = (held.iter().position(|&i| i == r), columns.iter().position(|&i| i == c));
            if let (Some(row), Some(column)) = (row, column) {
                g[(row, column)] = x;
            }
        }
        let of = if velocity { found.rate } else { found.phi };
        (g, DMatrix::from_fn(held.len(), 1, |r, _| of.as_ref()[held[r]]))
    };
    let own = dependent(0);
    for _ in 0..8 {
        model.retract(&x.q, &step, &mut next.q);
        let (g, phi) = rows(&next, &own, false);
        if !own.is_empty() {
            let by = g.svd(true, true).solve(&phi, 1e-9).expect("dependent coordinates");
            own.iter().enumerate().for_each(|(i, &c)| step.as_mut()[c] -= by[i]);
        }
    }
    model.retract(&x.q, &step, &mut next.q);
    let own = dependent(nv);
    if moving > 0 && !own.is_empty() {
        // the frame of a retraction on the sphere has turned; velocities are compared in the frame without spin
        let (g, rate) = rows(&next, &own, true);
        let by = g.svd(true, true).solve(&rate, 1e-9).expect("dependent velocities");
        own.iter().enumerate().for_each(|(i, &c)| next.v.as_mut()[c] -= by[i]);
    }
    next
}

/// A difference from a state, in its independent coordinates.
pub fn difference<S: Sensitive<Real = f64>>(model: &S, from: &State<S>, to: &State<S>, places: &[usize]) -> Vec<f64> {
    let nv = model.layout().v.len();
    let all = tangent(model, from, to);
    let skip = if model.layout().order == Order::First { nv } else { 0 };
    places.iter().map(|&place| all[if place < nv { place } else { place + skip }]).collect()
}

/// The states of an accurate run, at `count` + 1 instants.
pub fn passed<S: Solvable<Real = f64> + Sensitive>(model: &S, x: &State<S>, u: &S::U, count: usize) -> Vec<State<S>> {
    let inputs = ode_model::input_fn(|_, out: &mut S::U| out.clone_from(u));
    let run = Simulation::of(model, DormandPrince8).inputs(inputs).given(x.clone());
    let mut run = run.project(Projection::to(1e-13)).adaptive(1e-12).expect("a start");
    let mut states = vec![run.state().clone()];
    for i in 1..=count {
        run.advance_to(x.t + SPAN * i as f64 / count as f64).expect("steps");
        states.push(run.state().clone());
    }
    states
}

/// The fundamental matrix of the linear systems along a motion, with the responses to inputs.
fn integrated<S: Solvable<Real = f64> + Sensitive>(model: &S, states: &[State<S>], u: &S::U) -> DMatrix<f64> {
    let first = Linearizer::of(model).at(&states[0], u.clone()).expect("a linear system").system;
    let along = Linearizer::of(model).independent(first.states()).expect("names");
    let systems: Vec<_> = states.iter().map(|x| along.at(x, u.clone()).expect("a linear system").system).collect();
    let (n, m) = first.b.shape();
    let rate = |i: usize, x: &DMatrix<f64>| {
        assert_eq!(systems[i].states(), first.states());
        let mut rate = &*systems[i].a * x;
        let mut forced = rate.columns_mut(n, m);
        forced += &*systems[i].b;
        rate
    };
    let mut x = DMatrix::<f64>::identity(n, n + m);
    x.columns_mut(n, m).fill(0.0);
    let h = 2.0 * SPAN / (states.len() - 1) as f64;
    for i in (0..states.len() - 1).step_by(2) {
        let k1 = rate(i, &x);
        let k2 = rate(i + 1, &(&x + 0.5 * h * &k1));
        let k3 = rate(i + 1, &(&x + 0.5 * h * &k2));
        let k4 = rate(i + 2, &(&x + h * &k3));
        x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    x
}

/// The same by differences of runs.
fn differences<S: Solvable<Real = f64> + Sensitive>(model: &S, x: &State<S>, end: &State<S>, u: &S::U) -> DMatrix<f64> {
    let linear = Linearizer::of(model).at(x, u.clone()).expect("a linear system");
    let (n, m) = linear.system.b.shape();
    let last = |x: &State<S>, u: &S::U| passed(model, x, u, 1).pop().expect("an end");
    let columns = (0..n + m).map(|k| {
        derivative(1e-3, |h| match k.checked_sub(n) {
            None => difference(model, end, &last(&beside(model, x, &linear, k, h), u), &linear.places),
            Some(input) => {
                let mut other = u.clone();
                other.as_mut()[input] += h;
                difference(model, end, &last(x, &other), &linear.places)
            }
        })
    });
    let columns: Vec<Vec<f64>> = columns.collect();
    DMatrix::from_fn(n, n + m, |r, c| columns[c][r])
}

pub fn posed<S: Solvable<Real = f64> + Sensitive>(model: &S) -> (State<S>, S::U) {
    let mut u = S::U::zeros(model.layout().u.len());
    model.nominal(&mut u);
    (Start::default().solve(model, &Nominal).expect("a start"), u)
}

fn check<S: Solvable<Real = f64> + Sensitive>(model: &S) {
    let (x, u) = posed(model);
    let states = passed(model, &x, &u, 2 * STEPS);
    let found = integrated(model, &states, &u);
    let wanted = differences(model, &states[0], states.last().expect("an end"), &u);
    let scale = 1.0 + wanted.amax();
    let off = (&found - &wanted).amax();
    assert!(off < 1e-6 * scale, "{}: off by {off:e} of {scale:e}\n{found:.7}\n{wanted:.7}", model.layout().name);
    // and it says something
    assert!((&wanted - DMatrix::identity(wanted.nrows(), wanted.ncols())).amax() > 1e-2);
}

#[test]
fn of_models_without_constraints() {
    check(&Cart::<f64>::default());
    check(&Motor::<f64>::default());
    check(&Coupled::<f64>::default());
}

#[test]
fn of_rotations_and_points_of_the_sphere() {
    check(&Top::<f64>::default());
    check(&Needle::<f64>::default());
}

#[test]
fn of_constrained_models() {
    check(&Bob::<f64>::default());
    check(&Twice::<f64>::default());
    check(&Soft::<f64>::default());
    check(&Coin::<f64>::default());
    check(&Mixed::<f64>::default());
}

#[test]
fn of_a_model_with_everything() {
    check(&Juggler::<f64>::default());
}

model! {
    /// A four-bar linkage in points, pushed at its crank.
    pub struct FourBar<T> {
        param m: Real = 0.7;
        param crank: Real = 0.4;
        param coupler: Real = 1.1;
        param rocker: Real = 0.9;
        param base: Real = 1.0;
        param c: Real = 0.3;
        coord a, b: Vec2;
        input push: Real = 2.0;
        kinetic = 0.5 * m * (der(a).dot(der(a)) + der(b).dot(der(b)) + der(a).dot(der(b)));
        potential = m * 9.81 * (a.y + b.y);
        dissipation = 0.5 * c * (der(b) - der(a)).dot(der(b) - der(a));
        force drive on a = vec2(-push * a.y, push * a.x);
        constraint first: a.dot(a) == sq(crank);
        constraint second: (b - a).dot(b - a) == sq(coupler);
        constraint third: (b - vec2(base, 0.0)).dot(b - vec2(base, 0.0)) == sq(rocker);
        init a.x = 0.3;
        guess a.y = 0.26;
        guess b = vec2(1.2, 0.9);
        init der(a.x) = -0.8;
    }
}

model! {
    /// A body that turns as its rates are set, in its own axes and in those of the world: first order.
    #[model(order = 1)]
    pub struct Turntable<T> {
        param k: Real = 0.4;
        coord (att, w): SO3;
        coord (far, spin): SO3<World>;
        coord (d, rate): S2;
        input wx: Real = 0.7;
        input wz: Real = 2.0;
        let up = att.rotate(vec3(0.0, 0.0, 1.0));
        dissipation = 0.5 * (w.dot(w) + spin.dot(spin) + rate.dot(rate)) + 0.1 * w.dot(w) * sq(up.x);
        potential = 0.5 * k * up.dot(far.rotate(vec3(1.0, 0.0, 0.0))) + 0.3 * up.dot(d);
        torque own on att = vec3(wx, 0.3, wz);
        torque other on far = vec3(0.2, wz, -0.6);
        init att = rot_x(0.4);
        init far = rot_y(0.3);
        init d = vec3(0.6, 0.0, 0.8);
    }
}

#[test]
fn of_linkages_and_of_attitudes_of_first_order() {
    check(&FourBar::<f64>::default());
    check(&Turntable::<f64>::default());
}
