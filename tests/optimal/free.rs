//! Horizons and starts that are chosen: closed forms, and problems with the same horizon held.

use ode_model::control::{Collocation, Ddp, InteriorPoint, OptimalControl, PlanError, Scheme};
use ode_model::prelude::*;
use ode_model::{Dual, Nominal, Start};
use ode_model_optimal::{SliderCrank, turn};

fn close(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance * wanted.abs().max(1.0), "{found} instead of {wanted}");
}

model! {
    /// A mass on a line, and one on a spring whose stiffness is a state that rests.
    #[model(derive(Clone, Debug))]
    pub struct Masses<T> {
        coord x: Real;
        coord y: Real;
        state k: Real;
        input u: Real;
        kinetic = 0.5 * sq(der(x)) + 0.5 * sq(der(y));
        force push on x = u;
        force spring on y = -k * y;
        der(k) = 0.0;
        cost effort = sq(u);
        cost late = sq(der(x)) * (1.0 + sq(t));
        cost far = sq(x - 0.9);
        cost fast = sq(der(x));
        cost root = sqrt(x);
        limit place: x;
        limit ramp: u - t;
    }
}

fn along(x: f64, y: f64) -> State<Masses<f64>> {
    let mut state = State::neutral(&Masses::default());
    state.q.as_mut().copy_from_slice(&[x, y]);
    state
}

/// From 0 to 1, at rest both, with the cost ∫ u² dt + T: 12/T³ + T is least where T⁴ = 36.
#[test]
fn a_horizon_is_chosen() -> Result<(), PlanError> {
    let masses = Masses::<f64>::default();
    let dual = masses.cast::<Dual<f64>>();
    let problem = || -> Result<_, PlanError> {
        let problem = OptimalControl::of(&masses, 1.0, 7)?.running("effort")?.free_horizon(0.5, 9.0, 1.0)?;
        problem.start(&along(0.0, 0.0)).end_of(&along(1.0, 0.0), ["x", "der(x)"])
    };
    let best = 36.0_f64.powf(0.25);
    let check = |cost: f64, times: &[f64]| {
        close(cost, 12.0 / best.powi(3) + best, 1e-9);
        close(times[7], best, 1e-7);
        times.windows(2).for_each(|pair| close(pair[1] - pair[0], best / 7.0, 1e-7));
    };
    let radau = Collocation::exact(&masses, &dual, Scheme::Radau);
    let plan = InteriorPoint::<_, 6, 3>::of(&problem()?, radau)?.solve()?;
    check(plan.cost, &plan.times);
    assert!(plan.iterations.len() < 15, "{}", plan.iterations.len());
    close(plan.states[7].t, best, 1e-7);
    let lobatto = Collocation::exact(&masses, &dual, Scheme::HermiteSimpson);
    let plan = InteriorPoint::<_, 7, 2>::of(&problem()?, lobatto)?.solve()?;
    check(plan.cost, &plan.times);
    // it runs as it is planned
    let mut run = Simulation::of(&masses, DormandPrince).inputs(plan.signal()).given(along(0.0, 0.0)).adaptive(1e-9)?;
    run.advance_to(best).map_err(PlanError::from)?;
    close(run.state().q.x(), 1.0, 1e-6);
    Ok(())
}

/// Between bounds |u| ≤ 1 from 0 to 1 in the least time, 2.
#[test]
fn time_is_least_with_inputs_at_their_bounds() -> Result<(), PlanError> {
    let masses = Masses::<f64>::default();
    let dual = masses.cast::<Dual<f64>>();
    let problem = OptimalControl::of(&masses, 3.0, 8)?.free_horizon(0.1, 10.0, 1.0)?.between("u", -1.0, 1.0)?;
    let problem = problem.start(&along(0.0, 0.0)).end_of(&along(1.0, 0.0), ["x", "der(x)"])?;
    let radau = Collocation::exact(&masses, &dual, Scheme::Radau);
    let plan = InteriorPoint::<_, 6, 3>::of(&problem, radau)?.solve()?;
    close(plan.cost, 2.0, 1e-6);
    close(plan.times[8], 2.0, 1e-6);
    // a bound of the horizon holds
    let problem = problem.free_horizon(2.5, 10.0, 1.0)?;
    let radau = Collocation::exact(&masses, &dual, Scheme::Radau);
    let plan = InteriorPoint::<_, 6, 3>::of(&problem, radau)?.solve()?;
    close(plan.times[8], 2.5, 1e-6);
    Ok(())
}

/// The cost of a problem with the horizon that was chosen is the least of those nearby.
#[test]
fn a_closed_loop_chooses_its_horizon() -> Result<(), PlanError> {
    let crank = SliderCrank::<f64>::default();
    let dual = crank.cast::<Dual<f64>>();
    let intervals = 10;
    let posed = || turn(&crank, intervals);
    let radau = || Collocation::exact(&crank, &dual, Scheme::Radau);
    let weight = 0.5;
    let plan = InteriorPoint::<_, 7, 3>::of(&posed()?.free_horizon(0.3, 2.0, weight)?, radau())?.solve()?;
    assert!(plan.iterations.len() < 20, "{} iterations", plan.iterations.len());
    let chosen = plan.times[intervals];
    assert!(chosen > 0.31 && chosen < 0.49, "{chosen}");
    let turned = SliderCrank::builder().begin(0.2 + std::f64::consts::PI).build().expect("a model");
    let mut target = State::neutral(&crank);
    target.q = Start::default().solve(&turned, &Nominal)?.q;
    let held = |horizon: f64| -> Result<f64, PlanError> {
        let problem = OptimalControl::of(&crank, horizon, intervals)?.running("effort")?;
        let problem = problem.end_of(&target, ["th", "der(th)"])?;
        Ok(InteriorPoint::<_, 6, 3>::of(&problem, radau())?.solve()?.cost + weight * horizon)
    };
    close(plan.cost, held(chosen)?, 1e-9);
    let (less, more) = (held(chosen - 1e-4)?, held(chosen + 1e-4)?);
    assert!(less > plan.cost && more > plan.cost, "{less} {} {more}", plan.cost);
    close((more - less) / 2e-4, 0.0, 2e-5);
    Ok(())
}

model! {
    /// A boat of first order in a current that changes with time, and its wake.
    #[model(derive(Clone, Debug))]
    pub struct Boat<T> {
        input turn: Real;
        state x, y, heading, wake: Real;
        der(x) = cos(heading) + 0.3 * sin(2.0 * t);
        der(y) = sin(heading) * (1.0 + 0.2 * x);
        der(heading) = turn;
        der(wake) = sq(turn) - wake * x;
        cost effort = sq(turn) + 0.1 * sq(wake);
    }
}

#[test]
fn time_and_first_order_count() -> Result<(), PlanError> {
    let boat = Boat::<f64>::default();
    let dual = boat.cast::<Dual<f64>>();
    let mut end = State::neutral(&boat);
    end.z.as_mut().copy_from_slice(&[0.8, 1.1, 0.0, 0.0]);
    let posed = |horizon: f64| {
        let mut start = State::neutral(&boat);
        start.t = 0.4;
        OptimalControl::of(&boat, horizon, 8)?.running("effort")?.start(&start).end_of(&end, ["x", "y"])
    };
    let weight = 0.7;
    let free = |horizon: f64| posed(horizon)?.free_horizon(0.5, 5.0, weight);
    let radau = || Collocation::exact(&boat, &dual, Scheme::Radau);
    let plan = InteriorPoint::<_, 5, 3>::of(&free(1.5)?, radau())?.solve()?;
    assert!(plan.iterations.len() < 20, "{} iterations", plan.iterations.len());
    assert_eq!(plan.times[0], 0.4);
    let held = |horizon: f64| -> Result<f64, PlanError> {
        Ok(InteriorPoint::<_, 4, 3>::of(&posed(horizon)?, radau())?.solve()?.cost + weight * horizon)
    };
    let chosen = plan.times[8] - 0.4;
    assert!(chosen > 0.6 && chosen < 4.9, "{chosen}");
    close(plan.cost, held(chosen)?, 1e-9);
    let (less, more) = (held(chosen - 1e-4)?, held(chosen + 1e-4)?);
    assert!(less > plan.cost && more > plan.cost, "{less} {} {more}", plan.cost);
    close((more - less) / 2e-4, 0.0, 2e-5);
    // inputs that go on, and the other solver
    let lobatto = Collocation::exact(&boat, &dual, Scheme::HermiteSimpson);
    let other = InteriorPoint::<_, 6, 2>::of(&free(1.5)?, lobatto)?.solve()?;
    close(other.times[8], plan.times[8], 1e-3);
    let other = Ddp::<_, 5, 3>::of(&free(chosen)?, radau())?.tolerance(1e-7).solve()?;
    close(other.times[8], plan.times[8], 1e-5);
    Ok(())
}

/// u = −3 t/T³ from the start 3/(2 T) on costs 3/T³.
#[test]
fn a_velocity_of_the_start_is_chosen() -> Result<(), PlanError> {
    let masses = Masses::<f64>::default();
    let dual = masses.cast::<Dual<f64>>();
    let problem = OptimalControl::of(&masses, 2.0, 5)?.running("effort")?.free_start("der(x)", -9.0, 9.0)?;
    let problem = problem.start(&along(0.0, 0.0)).end_of(&along(1.0, 0.0), ["x", "der(x)"])?;
    let plan = InteriorPoint::<_, 5, 3>::of(&problem, Collocation::exact(&masses, &dual, Scheme::Radau))?.solve()?;
    close(plan.cost, 0.375, 1e-8);
    close(plan.states[0].v.x(), 0.75, 1e-6);
    let plan = InteriorPoint::<_, 6, 2>::of(&problem, Collocation::exact(&masses, &dual, Scheme::HermiteSimpson))?;
    let plan = { plan }.solve()?;
    close(plan.cost, 0.375, 1e-8);
    close(plan.states[0].v.x(), 0.75, 1e-6);
    Ok(())
}

/// A stiffness that is chosen: y falls from 1 to 0 in a second where k = π²/4.
#[test]
fn a_state_that_rests_is_a_free_parameter() -> Result<(), PlanError> {
    let masses = Masses::<f64>::default();
    let dual = masses.cast::<Dual<f64>>();
    let mut start = along(0.0, 1.0);
    start.z.as_mut()[0] = 4.0;
    let problem = OptimalControl::of(&masses, 1.0, 12)?.running("effort")?.free_start("k", 1.0, 20.0)?;
    let problem = problem.start(&start).end_of(&along(0.0, 0.0), ["x", "y"])?;
    let plan = InteriorPoint::<_, 5, 3>::of(&problem, Collocation::exact(&masses, &dual, Scheme::Radau))?.solve()?;
    close(plan.states[12].z.k(), 0.25 * std::f64::consts::PI.powi(2), 1e-7);
    Ok(())
}

/// A start between bounds, limits of it, a horizon, costs of nodes, and more choices at the start than inputs.
#[test]
fn several_things_are_chosen_together() -> Result<(), PlanError> {
    let masses = Masses::<f64>::default();
    let dual = masses.cast::<Dual<f64>>();
    // u = −3 t/T³ from the velocity 3/(2 T), whose cost is 3/T³ + T: T⁴ = 9
    let problem = || -> Result<_, PlanError> {
        let problem = OptimalControl::of(&masses, 1.3, 6)?.running("effort")?.free_horizon(0.5, 9.0, 1.0)?;
        let problem = problem.free_start("der(x)", -9.0, 9.0)?.start(&along(0.0, 0.0));
        problem.end_of(&along(1.0, 0.0), ["x", "der(x)"])
    };
    let best = 3.0_f64.sqrt();
    let wanted = 3.0 / best.powi(3) + best;
    let plan = InteriorPoint::<_, 6, 3>::of(&problem()?, Collocation::exact(&masses, &dual, Scheme::Radau))?.solve()?;
    close(plan.cost, wanted, 1e-8);
    close(plan.times[6], best, 1e-6);
    close(plan.states[0].v.x(), 1.5 / best, 1e-6);
    // by Hermite and Simpson's points, of which the first has inputs too
    let lobatto = Collocation::exact(&masses, &dual, Scheme::HermiteSimpson);
    let plan = InteriorPoint::<_, 7, 3>::of(&problem()?, lobatto)?.solve()?;
    close(plan.cost, wanted, 1e-8);
    // three choices of the start, and one input of an interval
    let lines = Collocation::exact(&masses, &dual, Scheme::Trapezoidal);
    let plan = InteriorPoint::<_, 7, 3>::of(&problem()?, lines)?.solve()?;
    close(plan.times[6], best, 0.02);
    // a limit of the start that is free holds there, and one of what is given is checked
    let limited = || problem()?.free_start("x", -5.0, 5.0)?.between("place", 0.25, f64::INFINITY);
    let limited = limited()?;
    let sized = InteriorPoint::<_, 6, 4>::of(&limited, Collocation::exact(&masses, &dual, Scheme::Radau)).map(drop);
    assert!(matches!(sized, Err(PlanError::Size { .. })));
    let plan = InteriorPoint::<_, 6, 3>::of(&limited, Collocation::exact(&masses, &dual, Scheme::Radau))?.solve()?;
    assert!(plan.states.iter().all(|x| x.q.x() > 0.25 - 1e-7), "{:?}", plan.states[0]);
    let given = problem()?.between("place", 0.25, f64::INFINITY)?;
    let refused = InteriorPoint::<_, 6, 3>::of(&given, Collocation::exact(&masses, &dual, Scheme::Radau)).map(drop);
    assert!(matches!(refused, Err(PlanError::Contradiction { time: 0.0, .. })));
    // costs at nodes are not counted by the length of intervals
    let nodes = || -> Result<_, PlanError> { problem()?.at_node(3, "far", 0.3)?.at_node(0, "fast", 0.2) };
    let plan = InteriorPoint::<_, 6, 3>::of(&nodes()?, Collocation::exact(&masses, &dual, Scheme::Radau))?.solve()?;
    assert!(plan.iterations.len() < 20, "{} iterations", plan.iterations.len());
    let held = |horizon: f64, speed: f64| -> Result<f64, PlanError> {
        let mut start = along(0.0, 0.0);
        start.v.as_mut()[0] = speed;
        let problem = OptimalControl::of(&masses, horizon, 6)?.running("effort")?.at_node(3, "far", 0.3)?;
        let problem = problem.at_node(0, "fast", 0.2)?.start(&start).end_of(&along(1.0, 0.0), ["x", "der(x)"])?;
        let radau = Collocation::exact(&masses, &dual, Scheme::Radau);
        Ok(InteriorPoint::<_, 5, 3>::of(&problem, radau)?.solve()?.cost + horizon)
    };
    let (horizon, speed) = (plan.times[6], plan.states[0].v.x());
    close(plan.cost, held(horizon, speed)?, 1e-9);
    for (longer, faster) in [(1e-3, 0.0), (-1e-3, 0.0), (0.0, 1e-3), (0.0, -1e-3)] {
        assert!(held(horizon + longer, speed + faster)? > plan.cost);
    }
    Ok(())
}

/// The time of the start is that of its limits and costs, whatever the horizon.
#[test]
fn the_start_has_its_own_time() -> Result<(), PlanError> {
    let masses = Masses::<f64>::default();
    let dual = masses.cast::<Dual<f64>>();
    let problem = OptimalControl::of(&masses, 2.0, 4)?.running("effort")?.between("ramp", -1.0, f64::INFINITY)?;
    let problem = problem.start(&along(0.0, 0.0)).end_of(&along(0.0, 0.0), ["x"])?;
    let lobatto = Collocation::exact(&masses, &dual, Scheme::HermiteSimpson);
    let plan = InteriorPoint::<_, 6, 2>::of(&problem, lobatto)?.solve()?;
    // u ≥ t − 1 is nothing at the start
    assert!(plan.inputs[0].u() < 0.3, "{:?}", plan.inputs);
    for (x, u) in plan.points.iter().zip(&plan.inputs) {
        assert!(u.u() - x.t > -1.0 - 1e-7, "{} at {}", u.u(), x.t);
    }
    // what is no number is named
    let error = InteriorPoint::<_, 6, 2>::of(
        &OptimalControl::of(&masses, 2.0, 4)?.running("root")?.start(&along(-1.0, 0.0)),
        Collocation::exact(&masses, &dual, Scheme::HermiteSimpson),
    )?
    .solve()
    .unwrap_err();
    assert_eq!(error.to_string(), "`root` is not finite at node 0");
    Ok(())
}

#[test]
fn what_cannot_be_free_is_refused() -> Result<(), PlanError> {
    let masses = Masses::<f64>::default();
    let dual = masses.cast::<Dual<f64>>();
    let posed = || OptimalControl::of(&masses, 1.0, 4)?.running("effort");
    let error = |problem: OptimalControl<'_, Masses<f64>>, squares: bool| match squares {
        true => InteriorPoint::<_, 6, 3>::of(&problem, Collocation::of(&masses, Scheme::Radau)).map(drop),
        false => {
            let radau = Collocation::exact(&masses, &dual, Scheme::Radau);
            InteriorPoint::<_, 6, 3>::of(&problem, radau).map(drop)
        }
    };
    let refused = error(posed()?.running("late")?.free_horizon(0.5, 2.0, 0.0)?, false).unwrap_err().to_string();
    assert_eq!(
        refused,
        "there is no plan with a free horizon where a cost or a limit reads the time: make the time a state, of the \
         rate 1"
    );
    assert!(posed()?.free_horizon(-1.0, 2.0, 0.0).is_err() && posed()?.free_horizon(1.0, f64::NAN, 0.0).is_err());
    assert!(posed()?.free_horizon(1.0, 2.0, f64::NAN).is_err());
    let unknown = posed()?.free_start("der(q)", 0.0, 1.0).unwrap_err().to_string();
    assert!(unknown.contains("der(q)") && unknown.contains("der(x)"), "{unknown}");
    assert!(posed()?.free_start("x", 1.0, 0.0).is_err());
    let crank = SliderCrank::<f64>::default();
    let dual = crank.cast::<Dual<f64>>();
    let problem = turn(&crank, 4)?.free_start("th", 0.0, 1.0)?;
    let tied = InteriorPoint::<_, 6, 3>::of(&problem, Collocation::exact(&crank, &dual, Scheme::Radau)).map(drop);
    assert!(matches!(tied, Err(PlanError::Scheme { what: "a free start of coordinates that constraints tie", .. })));
    Ok(())
}
