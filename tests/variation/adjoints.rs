//! Covectors taken back over several steps of a method, against the columns that are carried forward.

use ode_model::integrators::{Adjoint, Attempted, Covector, RungeKutta4, Vary, settle};
use ode_model::linalg::Kkt;
use ode_model::solve::{ProjectedBy, Projection};
use ode_model::variation::{Chain, ForwardMode, RateVariation, Several, StateColumns};
use ode_model::{Block, Context, Method, Nominal, Proposal, Sensitive, Solvable, Start, State, Work};

use crate::models::Cart;
use crate::perturb::{Entry, Given, columns, entries};
use crate::stepping::{self, projector};

/// Sizes of the steps.
const STEPS: [f64; 4] = [0.02, 0.02, 0.03, 0.01];

/// A step as it was made.
struct Step<S: Solvable, M: Method<S>> {
    from: (State<S>, M::Memory),
    h: f64,
    made: State<S>,
    end: State<S>,
}

/// Weights of both signs, no two alike.
fn weights(seed: usize, x: &mut [f64]) {
    for (i, x) in x.iter_mut().enumerate() {
        *x = (1.7 * (i + seed) as f64 + 0.3).sin() + 0.1;
    }
}

/// Compares them, from a state, with inputs that are fed back with a gain, and projected.
pub fn agree<S: Solvable<Real = f64> + Sensitive, M: Vary<S>>(
    model: &S,
    method: &M,
    gain: f64,
    how: Option<&Projection<f64>>,
    mut x: State<S>,
) {
    let mut u = S::U::zeros(model.layout().u.len());
    model.nominal(&mut u);
    let inputs = Given { own: u, gain };
    let metric = how.and_then(|how| stepping::weights(model, how));
    let all = entries(model);
    let (mut chain, mut at) = columns(model, &all);
    // the weights of every state that the steps pass
    let by: Vec<Covector<S>> = (0..=STEPS.len())
        .map(|n| {
            let mut by = Covector::zeros(model);
            by.blocks_mut().into_iter().enumerate().for_each(|(k, block)| weights(10 * n + k, block));
            if S::Kkt::REDUNDANT {
                // of a row and three times that row, only this does not depend on how they share their force
                let [first, second] = by.lambda.as_mut() else { panic!("two rows") };
                *second = 3.0 * *first;
            }
            by
        })
        .collect();
    let mut forward = vec![0.0; all.len()];
    let mut weigh = |n: usize, at: &StateColumns<S, Several>, rates: &RateVariation<S, ForwardMode<S, Several>>| {
        for (k, sum) in forward.iter_mut().enumerate() {
            let blocks = [
                at.q[k].as_ref(),
                at.v[k].as_ref(),
                at.z[k].as_ref(),
                rates.a[k].as_ref(),
                rates.zdot[k].as_ref(),
                rates.lambda[k].as_ref(),
            ];
            *sum +=
                blocks.into_iter().flatten().zip(by[n].blocks().into_iter().flatten()).map(|(x, w)| x * w).sum::<f64>();
        }
    };
    let mut work = Work::default();
    let mut cx = Context { system: model, inputs: &inputs, work: &mut work };
    let (mut w, mut next) = (method.scratch(model), Proposal::new(model));
    next.acceleration.settle(&mut cx, &mut x).expect("an evaluation");
    let mut m = method.restart(&mut cx, &mut x, STEPS[0], &mut w, &mut next.acceleration).expect("a start");
    let rates = settle(&mut cx, &x, &mut chain, &mut at).expect("rates");
    weigh(0, &at, &rates);
    let mut memory = method.begin(&mut cx, &x, &mut chain, &mut at).expect("a start");
    let mut steps: Vec<Step<S, M>> = Vec::new();
    for (n, h) in STEPS.into_iter().enumerate() {
        next.attempt(method, &mut cx, (&x, &m), h, &mut w).expect("a step");
        let made = next.x.clone();
        let stepped = method.vary(&mut cx, (&x, &m), h, (&made, &mut w), &mut chain, (&at, &memory)).expect("δ");
        (at, memory) = (stepped.x, stepped.memory);
        if let Some(how) = how {
            projector(model, how).project(&mut cx, how, &mut next.x).expect("a projection");
            let by = ProjectedBy { how, weights: metric.as_ref() };
            chain.project(model, &made, &by, &mut at).expect("its variation");
        }
        next.finish(method, &mut cx).expect("an end");
        let rates = stepped.rates.unwrap_or_else(|| settle(&mut cx, &next.x, &mut chain, &mut at).expect("rates"));
        weigh(n + 1, &at, &rates);
        steps.push(Step { from: (x.clone(), m.clone()), h, made, end: next.x.clone() });
        next.commit(method, (&mut x, &mut m), &mut w);
    }

    let numbers = (0..model.layout().u.len()).collect();
    let mut adjoint = Adjoint::new(model, numbers, true);
    for (n, step) in steps.iter().enumerate().rev() {
        for (to, by) in adjoint.state.blocks_mut().into_iter().zip(by[n + 1].blocks()) {
            to.iter_mut().zip(by).for_each(|(to, by)| *to += by);
        }
        let (x, m) = &step.from;
        next.attempt(method, &mut cx, (x, m), step.h, &mut w).expect("a step");
        let projection = how.map(|how| ProjectedBy { how, weights: metric.as_ref() });
        let made = Attempted { proposed: &step.made, end: &step.end, scratch: &mut w, projection };
        adjoint.back(method, &mut cx, ((x, m), step.h), made).expect("a sweep");
        if n == 0 {
            adjoint.state.add(&by[0]);
            adjoint.begin(method, &mut cx, x).expect("a sweep");
        }
    }
    for (entry, wanted) in all.iter().zip(&forward) {
        let alike = |other: &Entry| std::mem::discriminant(entry) == std::mem::discriminant(other);
        let same = all.iter().zip(&forward).filter(|(other, _)| alike(other));
        let scale = same.fold(0.0_f64, |most, (_, x)| most.max(x.abs()));
        let found = match *entry {
            Entry::Position(i) => adjoint.state.q.as_ref()[i],
            Entry::Velocity(i) => adjoint.state.v.as_ref()[i],
            Entry::State(i) => adjoint.state.z.as_ref()[i],
            Entry::Input(i) => adjoint.totals().own[i],
            Entry::Parameter(i) => adjoint.totals().parameters.as_ref()[i],
            Entry::Time => adjoint.totals().t,
        };
        let off = (found - wanted).abs();
        let name = (model.layout().name, method.name().to_string());
        assert!(off <= 1e-12 * scale, "{name:?} {entry:?}: {found} instead of {wanted}, scale {scale}");
    }
}

/// A failure leaves the covectors as they were.
#[test]
fn a_failure_loses_no_covector() {
    let model = Cart::<f64>::default();
    let mut work = Work::default();
    let mut cx = Context { system: &model, inputs: &Nominal, work: &mut work };
    let mut x = Start::default().solve(&model, &Nominal).expect("a start");
    let (mut w, mut next) = (RungeKutta4.scratch(&model), Proposal::new(&model));
    next.acceleration.settle(&mut cx, &mut x).expect("an evaluation");
    next.attempt(&RungeKutta4, &mut cx, (&x, &()), 0.02, &mut w).expect("a step");
    let mut adjoint = Adjoint::new(&model, Vec::new(), true);
    adjoint.state.blocks_mut().into_iter().for_each(|block| weights(1, block));
    let given = adjoint.state.blocks().concat();
    // a is by the state there, and the model depends on time
    let mut end = next.x.clone();
    end.t = f64::NAN;
    let made = Attempted { proposed: &next.x, end: &end, scratch: &mut w, projection: None };
    assert!(adjoint.back(&RungeKutta4, &mut cx, ((&x, &()), 0.02), made).is_err());
    assert_eq!(adjoint.state.blocks().concat(), given);
    assert!(adjoint.begin(&RungeKutta4, &mut cx, &end).is_err());
    assert_eq!(adjoint.state.blocks().concat(), given);
    next.finish(&RungeKutta4, &mut cx).expect("an end");
    let end = next.x.clone();
    let made = Attempted { proposed: &next.x, end: &end, scratch: &mut w, projection: None };
    adjoint.back(&RungeKutta4, &mut cx, ((&x, &()), 0.02), made).expect("a sweep");
    assert!(adjoint.state.q.as_ref() != &given[..2] && adjoint.state.a.as_ref() == [0.0, 0.0]);
}
