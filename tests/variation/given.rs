//! Runs from given states, with their rates and without, against differences of the same runs.

use ode_model::integrators::*;
use ode_model::prelude::*;
use ode_model::solve::Acceleration;
use ode_model::variation::{Controls, Direction};
use ode_model::{Block, By, Context, Moment, Sensitive, Solvable, Work};

use crate::blocks::Near;
use crate::costs::{Tracked, tracked};
use crate::gradients;
use crate::models::{Bob, Cart, Coupled, Motor};
use crate::perturb::{Entry, Given, derivative, entries, tangent};
use crate::stepping::newton;

const END: f64 = 0.2;

/// By the state and by parameters, as differences of runs from a state that is moved, and backwards.
fn check<S, M, U>(model: &S, x: &State<S>, start: impl for<'m> Fn(&'m S, State<S>) -> Simulation<'m, S, M, U>)
where
    S: Solvable<Real = f64> + Sensitive,
    M: Vary<S>,
    U: Controls<S>,
{
    let mut run = start(model, x.clone()).vary(&By::new().start().parameters()).expect("a linearisation");
    run.advance_to(END).expect("steps");
    let (last, jacobian) = (run.run().state(), run.jacobian());
    let given = Given { own: S::U::zeros(model.layout().u.len()), gain: 0.0 };
    let all = entries(model).into_iter().filter(|entry| !matches!(entry, Entry::Input(_) | Entry::Time));
    for (k, entry) in all.enumerate() {
        let wanted = derivative(entry.step(model), |h| {
            let (moved, x, _) = entry.moved(model, x, &given, h);
            let mut run = start(&moved, x);
            run.advance_to(END).expect("steps");
            tangent(model, last, run.state())
        });
        let found: Vec<f64> = jacobian.column(k).iter().copied().collect();
        let near = Near::differences(entry.step(model));
        assert_eq!(near.mistake_of(model, last, &found, &wanted), None, "{entry:?}");
    }
    gradients::check(|| start(model, x.clone()), END);
}

fn consistent<S: Solvable<Real = f64>>(model: &S) -> State<S> {
    Start::default().solve(model, &Nominal).expect("a start")
}

fn alpha() -> GeneralizedAlpha<f64> {
    GeneralizedAlpha { newton: newton(), ..GeneralizedAlpha::with_spectral_radius(0.8) }
}

/// Algebraic variables follow from inputs that were recorded, whatever the given state says of them.
#[test]
fn recorded_inputs_move_algebraic_variables() {
    const KNOTS: [f64; 3] = [0.0, 0.05, 0.11];
    fn each<M: Vary<Coupled<f64>> + Copy>(method: M) {
        let model = Coupled::<f64>::default();
        let mut x = consistent(&model);
        x.z.as_mut().iter_mut().skip(1).for_each(|z| *z += 0.2);
        for inputs in
            [Piecewise::linear(&KNOTS, &[[0.5], [-0.8], [1.1]]), Piecewise::constant(&KNOTS, &[[0.5], [-0.8], [1.1]])]
        {
            check(&model, &x, |model, x| {
                Simulation::of(model, method).inputs(inputs).given(x).fixed(0.02).expect("a start")
            });
        }
    }
    each(RungeKutta4);
    each(alpha());
    each(BackwardEuler::linearized());
}

/// The first output of a controller is that of the state as it was given.
#[test]
fn controllers_sample_given_algebraic_variables() {
    fn each<M: Vary<Tracked<f64>> + Copy>(method: M) {
        let model = Tracked::<f64>::default();
        let law = |now: &State<Tracked<f64>>, u: &mut tracked::U<f64>| {
            u.set_u(0.5 * now.z.y() * now.z.y() * now.q.x() - 0.4 * now.v.x() + now.z.z());
        };
        let slopes = |now: Moment<'_, Tracked<f64>>, d: &mut Direction<Tracked<f64>>| {
            let by_y = now.z.y() * now.q.x() * d.z.y() + 0.5 * now.z.y() * now.z.y() * d.q.x();
            d.u.set_u(by_y - 0.4 * d.v.x() + d.z.z());
        };
        let mut x = consistent(&model);
        for off in [0.0, 0.7] {
            x.z.set_y(x.z.y() + off);
            check(&model, &x, |model, x| {
                let run = Simulation::of(model, method).sampled(0.07, law).input_derivative(slopes);
                run.given(x).fixed(0.02).expect("a start")
            });
        }
    }
    each(RungeKutta4);
    each(alpha());
}

/// Rates that are given with a state are taken for those of the equations there.
#[test]
fn given_rates_vary_as_those_of_the_equations() {
    fn each<S: Solvable<Real = f64> + Sensitive, M: Vary<S> + Copy>(model: &S, method: M) {
        check(model, &consistent(model), |model, mut x| {
            let mut work = Work::default();
            let mut cx = Context { system: model, inputs: &Nominal, work: &mut work };
            Acceleration::new(model).settle(&mut cx, &mut x).expect("an evaluation");
            Simulation::of(model, method).given_with_rates(x).fixed(0.02).expect("a start")
        });
    }
    fn every<M: Vary<Cart<f64>> + Vary<Bob<f64>> + Vary<Motor<f64>> + Copy>(method: M) {
        each(&Cart::default(), method);
        each(&Bob::default(), method);
        each(&Motor::default(), method);
    }
    every(RungeKutta4);
    every(alpha());
    every(Bdf2 { newton: newton(), ..Bdf2::default() });
    every(BackwardEuler { solve: Implicit::Newton(newton()), ..BackwardEuler::default() });
    every(BackwardEuler::linearized());
}
