//! Plans for models with sets are those for the same models written out, and other sizes than theirs are refused.

use ode_model::control::{Along, InteriorPoint, Linearizer, MpcKnot, NonlinearMpc, OptimalControl, Plan, PlanError};
use ode_model::prelude::*;
use ode_model::variation::Fixed;
use ode_model::{Dual, Lent, Nominal, Optimizable, Solvable, Start, StepHessian, StepMap};

model! {
    /// Wagons that pull themselves along a rail, joined by springs.
    #[model(emit(partials))]
    pub struct Wagons<T> {
        set wagons: const 3;
        set couplings: (wagons, wagons) = chain;
        param m[wagons]: Real [kg] = 2.0;
        param place[wagons]: Real [m] = 0.0;
        param k: Real [N/m] = 30.0;
        param most: Real [m] = 0.06;
        param fast: Real [m/s] = 0.65;
        param c: Real [N*s/m] = 0.1;
        input motor[wagons]: Real [N] in -20.0..=20.0;
        coord (x, v)[wagons]: Real [m];
        for i in wagons {
            kinetic = 0.5 * m[i] * sq(v[i]);
            force drive on x[i] = motor[i] - c * v[i];
            guess x[i] = place[i];
            limit speed: v[i] in -fast..=fast;
            cost effort = sq(motor[i] / 1N);
        }
        for (i, j) in couplings {
            let stretch = x[j] - x[i];
            potential = 0.5 * k * sq(stretch) + 0.25 * k * sq(sq(stretch) / 0.05m);
            limit gap: stretch in -most..=most;
        }
    }
}

model! {
    /// The same without sets.
    pub struct Written<T> {
        param m: [Real; 3] [kg] = [2.0; 3];
        param place: [Real; 3] [m] = [0.0; 3];
        param k: Real [N/m] = 30.0;
        param most: Real [m] = 0.06;
        param fast: Real [m/s] = 0.65;
        param c: Real [N*s/m] = 0.1;
        input motor: [Real; 3] [N] in -20.0..=20.0;
        coord (x, v): [Real; 3] [m];
        for i in 0..3 {
            kinetic = 0.5 * m[i] * sq(v[i]);
            force drive on x[i] = motor[i] - c * v[i];
            guess x[i] = place[i];
            limit speed: v[i] in -fast..=fast;
        }
        cost effort = sq(motor[0] / 1N) + sq(motor[1] / 1N) + sq(motor[2] / 1N);
        for i in 0..2 {
            let stretch = x[i + 1] - x[i];
            potential = 0.5 * k * sq(stretch) + 0.25 * k * sq(sq(stretch) / 0.05m);
            limit gap: stretch in -most..=most;
        }
    }
}

const WEIGHTS: [f64; 3] = [2.0, 1.0, 3.0];

/// From rest to rest, half a metre in one second.
fn plan<S, D>(model: &S, dual: &D, end: &State<S>) -> Result<Plan<S, 6, 3>, PlanError>
where
    S: Optimizable<Real = f64> + Solvable,
    D: Optimizable<Real = Dual<f64>> + Solvable,
{
    let names = ["x[0]", "x[1]", "x[2]", "v[0]", "v[1]", "v[2]"];
    let problem = OptimalControl::of(model, 1.0, 20)?.running("effort")?.end_of(end, names)?;
    let map = StepMap::<_, _, Fixed<9>>::sized(model, RungeKutta4, &[])?;
    InteriorPoint::of(&problem, (map, StepHessian::of(dual, RungeKutta4)?))?.tolerance(1e-7).solve()
}

#[test]
fn plans_for_members_are_those_written_out() -> Result<(), Box<dyn std::error::Error>> {
    let wagons = Wagons::<f64>::builder().m(WEIGHTS).build()?;
    let written = Written::builder().m(WEIGHTS).build()?;
    let (mut end, mut other) = (State::neutral(&wagons), State::neutral(&written));
    wagons.x_mut(&mut end.q).fill(0.5);
    other.q.set_x([0.5; 3]);
    let (found, wanted) = (plan(&wagons, &wagons.cast(), &end)?, plan(&written, &written.cast(), &other)?);
    assert!((found.cost - wanted.cost).abs() < 1e-8 * wanted.cost, "{} {}", found.cost, wanted.cost);
    let free = Wagons::<f64>::builder().m(WEIGHTS).fast(10.0).build()?;
    let cheaper = plan(&free, &free.cast(), &end)?;
    assert!(cheaper.cost < 0.999 * found.cost, "the limits cost something: {} {}", cheaper.cost, found.cost);
    for (found, wanted) in found.inputs.iter().zip(&wanted.inputs) {
        assert!(found.iter().zip(wanted.array()).all(|(found, wanted)| (found - wanted).abs() < 1e-4));
    }
    Ok(())
}

model! {
    /// Masses joined by springs, some of them driven.
    #[model(emit(partials))]
    pub struct Masses {
        set nodes;
        set springs: (nodes, nodes) = chain;
        set driven: nodes;
        param at[nodes]: Real [m] = 0.0;
        param k: Real [N/m] = 2.0;
        input pull[driven]: Real [N];
        coord x[nodes]: Real [m];
        for i in nodes {
            mass x[i] = 1.0kg;
            guess x[i] = at[i];
        }
        for (i, j) in springs {
            potential = 0.5 * k * sq(x[j] - x[i]);
        }
        for d @ i in driven {
            force drive on x[i] = pull[d];
            cost effort = sq(pull[d] / 1N);
        }
    }
}

/// So many masses, of which the first and the last are driven.
fn masses(count: usize) -> Masses {
    Masses::builder().nodes(count).driven([0, count - 1]).build().expect("masses")
}

fn ends_with<T, E: std::fmt::Display>(found: Result<T, E>, wanted: &str) {
    let said = found.map(drop).map_err(|error| error.to_string()).expect_err(wanted);
    assert!(said.ends_with(wanted), "{said}");
}

const COORDINATES: &str = "number of coordinates is 4, but must be 3";
const INPUTS: &str = "number of inputs is 1, but must be 2";

#[test]
fn a_run_refuses_states_and_inputs_of_another_size() {
    let (three, other) = (masses(3), State::neutral(&masses(4)));
    let run = || Simulation::of(&three, RungeKutta4);
    ends_with(run().given(other.clone()).fixed(0.1), COORDINATES);
    ends_with(run().given_with_rates(other.clone()).fixed(0.1), COORDINATES);
    ends_with(Start::default().solve_from(&three, &Nominal, other.clone()), COORDINATES);
    ends_with(Start::default().solve(&three, &Constant([1.0])), INPUTS);
    ends_with(run().inputs(Constant([1.0])).fixed(0.1), INPUTS);
    ends_with(run().inputs(Lent(&vec![1.0])).fixed(0.1), INPUTS);
    ends_with(run().inputs(Piecewise::linear(&[0.0, 1.0], &[[1.0], [2.0]])).fixed(0.1), INPUTS);
    ends_with(run().sampled(0.1, |_, u| *u = vec![1.0]).fixed(0.1), INPUTS);
    ends_with(run().input_fn(|_, u| *u = vec![1.0]).fixed(0.1), INPUTS);
    let pushed = run().input_fn(|_, u| u.push(1.0)).input_derivative(|_, _| {});
    ends_with(pushed.fixed(0.1), "number of inputs is 3, but must be 2");
    assert!(run().inputs(Constant([1.0, 2.0])).fixed(0.1).is_ok());
    let mut map = StepMap::of(&three, RungeKutta4, &[]).expect("a map");
    ends_with(map.step(&other, vec![0.0; 2], 0.1), COORDINATES);
    ends_with(map.step(&State::neutral(&three), vec![0.0], 0.1), INPUTS);
}

#[test]
fn controllers_refuse_states_and_inputs_of_another_size() -> Result<(), PlanError> {
    let (three, other) = (masses(3), State::neutral(&masses(4)));
    let x = State::neutral(&three);
    ends_with(Linearizer::of(&three).at(&other, vec![0.0; 2]), COORDINATES);
    ends_with(Linearizer::of(&three).at(&x, vec![0.0]), INPUTS);
    let plan = |problem: &OptimalControl<'_, Masses>| {
        let map = StepMap::of(&three, RungeKutta4, &[])?;
        InteriorPoint::<_, 6, 2>::of(problem, map).map(drop)
    };
    let problem = || OptimalControl::of(&three, 1.0, 5)?.running("effort");
    let inputs = |count: usize| vec![vec![0.0; count]; 5];
    ends_with(plan(&problem()?.start(&other)), COORDINATES);
    ends_with(plan(&problem()?.end(&other)), COORDINATES);
    ends_with(plan(&problem()?.end_of(&other, ["x[0]"])?), COORDINATES);
    ends_with(plan(&problem()?.guess(&vec![other.clone(); 6], &inputs(2))?), COORDINATES);
    ends_with(plan(&problem()?.guess(&vec![x.clone(); 6], &inputs(1))?), INPUTS);
    let controller = |along: Along<Masses>| {
        let storage = (vec![MpcKnot::none(); 5], vec![along; 6]);
        NonlinearMpc::<_, _, 6, 2, 0, 8, _, _>::of(&three, RungeKutta4, 0.1, storage).expect("a controller")
    };
    ends_with(controller(Along::at(&x, vec![0.0])).control(&x), INPUTS);
    ends_with(controller(Along::at(&other, vec![0.0; 2])).control(&x), COORDINATES);
    ends_with(controller(Along::at(&x, vec![0.0; 2])).control(&other), COORDINATES);
    Ok(())
}
