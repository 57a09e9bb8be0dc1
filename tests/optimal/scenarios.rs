//! Problems whose optima are known in closed form, and what must not disturb them.

use ode_model::control::{InteriorPoint, OptimalControl, Plan, PlanError};
use ode_model::prelude::*;
use ode_model::{Dual, StepHessian, StepMap};

model! {
    /// A mass on a line, with costs that are not finite everywhere.
    #[model(derive(Clone, Debug))]
    pub struct Mass<T> {
        coord x: Real;
        input u: Real;
        kinetic = 0.5 * sq(der(x));
        force push on x = u;
        cost effort = sq(u);
        cost root = sqrt(x);
        residual log = ln(x + 0.5);
        residual push = u;
        limit place: x;
        limit speed: der(x);
    }
}

type Problem<'a> = OptimalControl<'a, Mass<f64>, RungeKutta4, 2, 1>;

fn at(x: f64) -> State<Mass<f64>> {
    let mut state = State::neutral(&Mass::default());
    state.q.set_x(x);
    state
}

/// From rest at a place to rest at another one, in a second of ten intervals.
fn between(mass: &Mass<f64>, from: f64, to: f64) -> Problem<'_> {
    Problem::of(mass, RungeKutta4, 1.0, 10).expect("a problem").start(&at(from)).end(&at(to))
}

fn solve(problem: &Problem<'_>) -> Result<Plan<Mass<f64>, 2, 1>, PlanError> {
    let mass = Mass::default();
    let dual = mass.cast::<Dual<f64>>();
    let map = StepMap::of(&mass, RungeKutta4, &[])?;
    InteriorPoint::of(problem, (map, StepHessian::of(&dual, RungeKutta4)?))?.solve()
}

/// Σ h u² of held inputs: 12 d² of continuous ones, over 1 − 1/n².
fn least(distance: f64) -> f64 {
    12.0 * distance * distance / 0.99
}

#[test]
fn what_does_not_count_may_be_infinite() -> Result<(), PlanError> {
    let mass = Mass::default();
    // √x is not a number on the way
    let plan = solve(&between(&mass, 0.5, -0.2).running("effort")?)?;
    assert!((plan.cost - least(0.7)).abs() < 1e-9, "{}", plan.cost);
    // it counts where it is one, and so does the logarithm
    let plan = solve(&between(&mass, -0.6, 0.5).running("effort")?.at_end("root")?)?;
    assert!((plan.cost - least(1.1) - 0.5_f64.sqrt()).abs() < 1e-9, "{}", plan.cost);
    let squares = between(&mass, -0.6, 0.5).running("push")?.at_end("log")?;
    assert!((solve(&squares)?.cost - 0.5 * least(1.1)).abs() < 1e-9);
    let gauss_newton = InteriorPoint::of(&squares, StepMap::of(&mass, RungeKutta4, &[])?)?.solve()?;
    assert!((gauss_newton.cost - 0.5 * least(1.1)).abs() < 1e-9);
    // its slope is infinite at 0
    let error = solve(&between(&mass, 0.0, 0.5).running("effort")?.running("root")?).unwrap_err();
    assert_eq!(error.to_string(), "`root` is not finite at node 0");
    Ok(())
}
