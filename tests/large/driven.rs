//! Plans for models with sets are those for the same models written out.

use ode_model::control::{InteriorPoint, OptimalControl, Plan, PlanError};
use ode_model::prelude::*;
use ode_model::variation::Fixed;
use ode_model::{Dual, Optimizable, Solvable, StepHessian, StepMap};

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
