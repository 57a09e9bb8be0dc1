//! Runs with models, methods and options that are drawn: forwards as differences, and backwards as forwards.

use ode_model::integrators::*;
use ode_model::prelude::*;
use ode_model::solve::{Metric, Projection};
use ode_model::{By, Estimates, Inputs, Method, Sensitive, Setup, Solvable};

use crate::blocks::Near;
use crate::gradients::{Ball, check_with};
use crate::models::*;
use crate::perturb::{derivative, tangent};
use crate::stepping::newton;

const KNOTS: usize = 3;

/// Numbers that seem to be random: splitmix64.
struct Dice(u64);

impl Dice {
    /// From 0 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) as f64 / u64::MAX as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn toss(&mut self) -> bool {
        self.next() < 0.5
    }
}

/// What is drawn for a run.
#[derive(Clone, Debug)]
struct Options {
    end: f64,
    knots: [f64; KNOTS],
    values: [[f64; 1]; KNOTS],
    linear: bool,
    project: Option<Projection<f64>>,
    /// of adaptive steps, or the size of fixed ones
    tolerance: Option<f64>,
    h: f64,
}

impl Options {
    fn drawn(dice: &mut Dice) -> Self {
        let metric = if dice.toss() { Metric::Mass } else { Metric::Weights };
        let how = Projection { metric, margin: 1e-3, ..Projection::to(1e-12) };
        Self {
            end: dice.between(0.2, 0.3),
            knots: [0.0, dice.between(0.03, 0.09), dice.between(0.1, 0.19)],
            values: std::array::from_fn(|_| [dice.between(-1.0, 1.0)]),
            linear: dice.toss(),
            project: dice.toss().then_some(how),
            tolerance: dice.toss().then(|| 10.0_f64.powf(dice.between(-6.0, -4.0))),
            h: dice.between(0.015, 0.03),
        }
    }

    fn inputs<'a>(&'a self, values: &'a [[f64; 1]; KNOTS]) -> Piecewise<'a, f64, [f64; 1]> {
        let made = if self.linear { Piecewise::linear } else { Piecewise::constant };
        made(&self.knots, values)
    }

    fn setup<'a, S: Solvable<Real = f64>, M: Method<S>, U: Inputs<S>>(
        &self,
        model: &'a S,
        method: M,
        inputs: U,
    ) -> Setup<'a, S, M, U> {
        let setup = Simulation::of(model, method).inputs(inputs);
        match self.project {
            Some(how) if how.metric == Metric::Weights => setup.project(how).weights(weights(model)),
            Some(how) => setup.project(how),
            None => setup,
        }
    }
}

/// A weight of a projection for each velocity.
fn weights<S: Solvable<Real = f64>>(model: &S) -> S::V {
    let mut weights = State::neutral(model).v;
    weights.as_mut().iter_mut().enumerate().for_each(|(i, to)| *to = 0.7 + 0.4 * i as f64);
    weights
}

/// A model with other parameters.
fn varied<S: Sensitive<Real = f64> + Default>(dice: &mut Dice) -> S {
    let model = S::default();
    let mut p = model.parameter_block();
    p.as_mut().iter_mut().for_each(|p| *p *= dice.between(0.9, 1.1));
    model.with_parameters(&p)
}

/// In steps of a size, or in those that were chosen, held in differences.
fn run<S, M>(dice: &mut Dice, method: M)
where
    S: Solvable<Real = f64> + Sensitive + Default,
    M: Vary<S> + Copy + Estimates,
    [f64; 1]: Into<S::U>,
{
    let (model, options): (S, _) = (varied(dice), Options::drawn(dice));
    let begun = |model| options.setup(model, method, options.inputs(&options.values));
    let start = |model| match options.tolerance {
        Some(tolerance) => begun(model).adaptive(tolerance).expect("a start"),
        None => begun(model).fixed(options.h).expect("a start"),
    };
    check_with(|| start(&model), options.end, &[2, 1000]);

    let mut made = start(&model).vary(&By::new().inputs().parameters()).expect("a linearisation");
    let mut ends = Vec::new();
    while made.run().state().t < options.end {
        made.step_towards(options.end).expect("a step");
        ends.push(made.run().state().t);
    }
    let replayed = |model: &S, values: &[[f64; 1]; KNOTS]| {
        let mut run = options.setup(model, method, options.inputs(values)).fixed(1.0).expect("a start");
        ends.iter().for_each(|&end| run.advance_to(end).expect("steps"));
        run.state().clone()
    };
    let (x, jacobian) = (made.run().state(), made.jacobian());
    let again = replayed(&model, &options.values);
    let same = Near { share: 1e-11, round_off: 1e-11 };
    let mistake = same.mistake_of(&model, x, &tangent(&model, x, &again), &tangent(&model, x, x));
    assert_eq!(mistake, None, "{}: {options:?}", method.name());
    for (k, name) in made.names().iter().enumerate() {
        let own = k.checked_sub(KNOTS).map_or(1.0, |k| model.parameter_block().as_ref()[k].abs());
        let h = 3e-4 * own;
        let wanted = derivative(h, |h| {
            let (mut p, mut values) = (model.parameter_block(), options.values);
            values.as_flattened_mut().iter_mut().chain(p.as_mut()).nth(k).into_iter().for_each(|x| *x += h);
            tangent(&model, x, &replayed(&model.with_parameters(&p), &values))
        });
        let found: Vec<f64> = jacobian.column(k).iter().copied().collect();
        // each step adds round-off of its own
        let near = Near { round_off: 1e-14 * (10.0 + ends.len() as f64) / h, ..Near::differences(h) };
        let mistake = near.mistake_of(&model, x, &found, &wanted);
        assert_eq!(mistake, None, "{} {name}: {options:?}", method.name());
    }
}

/// Through events, backwards.
fn through<M: Vary<Ball<f64>> + Copy + Estimates>(dice: &mut Dice, method: M) {
    let (model, options): (Ball<f64>, _) = (varied(dice), Options::drawn(dice));
    let end = 2.0 * options.end;
    let start = || {
        let setup = options.setup(&model, method, options.inputs(&options.values));
        match options.tolerance {
            Some(tolerance) => setup.adaptive(tolerance).expect("a start"),
            None => setup.fixed(options.h).expect("a start"),
        }
    };
    check_with(start, end, &[2, 1000]);
}

#[test]
fn drawn_runs_vary_as_their_differences() {
    let alpha = GeneralizedAlpha { newton: newton(), ..GeneralizedAlpha::with_spectral_radius(0.8) };
    let bdf2 = Bdf2 { newton: newton(), ..Bdf2::default() };
    let cases: [&dyn Fn(&mut Dice); 10] = [
        &|dice| run::<Cart<f64>, _>(dice, DormandPrince),
        &|dice| run::<Cart<f64>, _>(dice, alpha),
        &|dice| run::<Bob<f64>, _>(dice, BogackiShampine),
        &|dice| run::<Bob<f64>, _>(dice, alpha),
        &|dice| run::<Coin<f64>, _>(dice, DormandPrince),
        &|dice| run::<Soft<f64>, _>(dice, BogackiShampine),
        &|dice| run::<Motor<f64>, _>(dice, bdf2),
        &|dice| run::<Mixed<f64>, _>(dice, DormandPrince),
        &|dice| through(dice, DormandPrince),
        &|dice| through(dice, bdf2),
    ];
    let mut dice = Dice(7);
    for _ in 0..24 {
        let case = (dice.next() * cases.len() as f64) as usize;
        cases[case.min(cases.len() - 1)](&mut dice);
    }
}
