//! Variations of consistent starts, against differences of the same starts.

use ode_model::integrators::{RungeKutta4, settle};
use ode_model::model;
use ode_model::variation::Beginning;
use ode_model::{Block, By, Context, Nominal, Sensitive, Simulation, Solvable, Start, State, Work};

use crate::blocks::Near;
use crate::impacts::Rod;
use crate::models::*;
use crate::perturb::{Entry, Given, columns, derivative, entries, tangent};

/// Where a start of a model begins: its guess, with velocities off that.
fn guess<S: Solvable<Real = f64>>(model: &S, off: f64) -> State<S> {
    let mut x = State::neutral(model);
    model.guess(&mut x.q, &mut x.v, &mut x.z);
    x.v.as_mut().iter_mut().enumerate().for_each(|(i, v)| *v += off * (i as f64 + 1.0));
    x
}

/// The start with an entry of the guess or of the model moved by `h`.
fn moved<S: Solvable<Real = f64> + Sensitive>(model: &S, off: f64, entry: Entry, h: f64) -> State<S> {
    let mut u = S::U::zeros(model.layout().u.len());
    model.nominal(&mut u);
    let (model, mut x, inputs) = entry.moved(model, &guess(model, off), &Given { own: u, gain: 0.0 }, h);
    if matches!(entry, Entry::Parameter(_)) {
        x = guess(&model, off);
    }
    Start::at(x.t).solve_from(&model, &inputs, x).expect("a start")
}

fn check<S: Solvable<Real = f64> + Sensitive>(model: &S) {
    check_from(model, 0.0, entries(model));
    // what the guess itself varies by holds for its own velocities
    let states = entries(model).into_iter().filter(|entry| !matches!(entry, Entry::Parameter(_)));
    check_from(model, 0.1, states.collect());
}

fn check_from<S: Solvable<Real = f64> + Sensitive>(model: &S, off: f64, all: Vec<Entry>) {
    let start = Start::default();
    let x = start.solve_from(model, &Nominal, guess(model, off)).expect("a start");
    let (mut chain, at) = columns(model, &all);
    let mut varied = at.clone();
    let mut beginning = Beginning::new(model);
    beginning.guess(model, &chain, &mut varied);
    for (k, entry) in all.iter().enumerate() {
        if !matches!(entry, Entry::Parameter(_)) {
            (varied.q[k], varied.v[k], varied.z[k]) = (at.q[k].clone(), at.v[k].clone(), at.z[k].clone());
        }
    }
    beginning.apply(model, &start, &guess(model, off), &chain, &mut varied).expect("a variation");
    let mut work = Work::default();
    let mut cx = Context { system: model, inputs: &Nominal, work: &mut work };
    let rates = settle(&mut cx, &x, &mut chain, &mut varied).expect("rates");
    for (k, entry) in all.iter().enumerate() {
        let found = [
            varied.q[k].as_ref(),
            varied.v[k].as_ref(),
            varied.z[k].as_ref(),
            rates.a[k].as_ref(),
            rates.zdot[k].as_ref(),
            rates.lambda[k].as_ref(),
        ]
        .concat();
        let wanted = derivative(entry.step(model), |h| tangent(model, &x, &moved(model, off, *entry, h)));
        let near = Near::differences(entry.step(model));
        assert_eq!(near.mistake_of(model, &x, &found, &wanted), None, "{entry:?}");
    }
}

#[test]
fn starts_vary_as_their_differences() {
    check(&Cart::<f64>::default());
    check(&Bob::<f64>::default());
    check(&Coin::<f64>::default());
    check(&Soft::<f64>::default());
    check(&Twice::<f64>::default());
    check(&Top::<f64>::default());
    check(&Needle::<f64>::default());
    check(&Motor::<f64>::default());
    check(&Coupled::<f64>::default());
    check(&Mixed::<f64>::default());
    check(&Rod::<f64>::default());
}

/// No coordinates, whose start a parameter is.
mod tank {
    ode_model::model! {
        pub struct Tank {
            param level: Real = 2.0;
            param k: Real = 0.5;
            state x: Real;
            der(x) = -k * x;
            init x = sq(level);
        }
    }
}

#[test]
fn a_start_without_coordinates_varies_with_parameters() {
    let tank = tank::Tank::default();
    let run = Simulation::of(&tank, RungeKutta4).fixed(0.1).expect("a start");
    let run = run.vary(&By::new().parameters().start()).expect("a variation");
    let jacobian = run.jacobian();
    let row = |name: &str| ["level", "k", "x"].map(|column| jacobian.at(name, column).expect("an entry"));
    assert_eq!(row("x"), [4.0, 0.0, 1.0]);
    assert_eq!(row("der(x)"), [-2.0, -4.0, -0.5]);
}

#[test]
fn a_start_that_is_left_open_varies_with_its_way() {
    check(&Loose::<f64>::default());
}

model! {
    /// Two rows that nearly agree, at a guess that satisfies both for every r.
    pub struct Leaning {
        param r: Real = 1.0;
        param tilt: Real = 0.0078125;
        coord p: Vec2;
        kinetic = 0.5 * der(p).dot(der(p));
        constraint first: p.x == r;
        constraint second: p.x + tilt * p.y == r * (1.0 + tilt);
        guess p = vec2(1.0, 1.0);
    }
}

/// A start that is its guess makes no step that would vary with it: p = (r, r), whose derivatives are exact.
#[test]
fn a_start_that_is_its_guess_varies_to_all_digits() {
    let model = Leaning::default();
    let run = Simulation::of(&model, RungeKutta4).fixed(0.1).expect("a start");
    let run = run.vary(&By::new().parameters()).expect("a variation");
    assert_eq!(run.run().state().q.p(), [1.0, 1.0]);
    let wanted = [("p.x", "r", 1.0), ("p.y", "r", 1.0), ("p.x", "tilt", 0.0), ("p.y", "tilt", 0.0)];
    for (row, column, wanted) in wanted {
        let found = run.jacobian().at(row, column).expect("an entry");
        assert!((found - wanted).abs() < 1e-11, "{row} by {column}: {found} instead of {wanted}");
    }
}
