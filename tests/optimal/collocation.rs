//! Collocation beside the optima of other programs, and beside other ways to the same optimum.

use ode_model::control::{Collocation, Ddp, Ilqr, InteriorPoint, OptimalControl, Plan, PlanError, Scheme};
use ode_model::prelude::*;
use ode_model::{Dual, F64x8, Inputs, Nominal, Start, StepHessian, StepMap};
use ode_model_optimal::{CartPole, DoublePole, SliderCrank, collocated, half_turn_collocated};
use ode_model_optimal::{to_upright, turn};

/// By how much IPOPT widens bounds, relative to them.
const RELAXED: f64 = 1e-8;

fn close(found: f64, wanted: f64, tolerance: f64) {
    assert!((found / wanted - 1.0).abs() < tolerance, "{found}, not {wanted}");
}

#[test]
fn a_crank_is_turned_with_its_loop_closed() -> Result<(), PlanError> {
    // IPOPT with r = 0, Φ = 0 and G v = 0 at the points of Radau IIA, and q, v, a, λ, μ and u of all points as unknowns
    for (intervals, wanted) in
        [(10, 0.051_863_403_417_766_435), (20, 0.051_856_566_091_700_76), (40, 0.051_856_660_066_990_65)]
    {
        let plan = half_turn_collocated(intervals)?;
        close(plan.cost, wanted, 1e-12);
        assert!(plan.iterations.len() <= 7, "{}", plan.iterations.len());
    }
    // Pontryagin's optimum of the model with one coordinate
    let plan = half_turn_collocated(40)?;
    close(plan.cost, 0.051_856_660_190_323_256, 3e-9);
    let crank = SliderCrank::<f64>::default();
    for (x, u) in plan.points.iter().zip(&plan.inputs) {
        let held = crank.constraint_values(x.at(u));
        assert!(held.as_ref().iter().all(|phi| phi.abs() < 1e-14), "{held:?}");
    }
    assert_eq!((plan.states.len(), plan.points.len(), plan.inputs.len()), (41, 120, 120));
    // a run with the torques of the plan ends where it does
    let run = Simulation::of(&crank, RungeKutta4).inputs(plan.signal()).given(plan.states[0].clone());
    let mut run = run.fixed(0.5 / 4000.0).expect("a start");
    run.advance_to(0.5).expect("steps");
    let (reached, wanted) = (run.state(), &plan.states[40]);
    assert!((reached.q.th() - wanted.q.th()).abs() < 1e-5, "{} {}", reached.q.th(), wanted.q.th());
    assert!(reached.v.th().abs() < 1e-3, "{}", reached.v.th());
    Ok(())
}

#[test]
fn a_cart_pole_is_swung_up() -> Result<(), PlanError> {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64, F64x8>>();
    // CasADi and IPOPT: Hermite and Simpson in separated form, and the trapezoidal rule
    for (n, wanted) in [(25, 56.873_479_068_104_345), (50, 56.875_982_022_823_216)] {
        let plan = collocated::<_, _, 5, 2>((&cart, &dual), Scheme::HermiteSimpson, n, RELAXED)?;
        close(plan.cost, wanted, 1e-10);
        assert_eq!((plan.states.len(), plan.points.len(), plan.gains.len()), (n + 1, 2 * n + 1, n));
        assert!(plan.inputs.iter().all(|u| u.u().abs() < 10.0 * (1.0 + 2.0 * RELAXED)));
    }
    let plan = collocated::<_, _, 5, 1>((&cart, &dual), Scheme::Trapezoidal, 50, RELAXED)?;
    close(plan.cost, 57.227_809_561_727_71, 1e-10);
    // no program has Radau's; Pontryagin's optimum is near
    let plan = collocated::<_, _, 4, 3>((&cart, &dual), Scheme::Radau, 50, RELAXED)?;
    close(plan.cost, 56.875_146_758_213, 1e-5);
    Ok(())
}

#[test]
fn two_poles_are_swung_up() -> Result<(), PlanError> {
    let both = DoublePole::<f64>::default();
    let dual = both.cast::<Dual<f64, F64x8>>();
    let plan = collocated::<_, _, 7, 2>((&both, &dual), Scheme::HermiteSimpson, 100, RELAXED)?;
    close(plan.cost, 409.351_233_607_739_8, 1e-10);
    Ok(())
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn finer_meshes() -> Result<(), PlanError> {
    let (cart, both) = (CartPole::<f64>::default(), DoublePole::<f64>::default());
    let (dual, dual_both) = (cart.cast::<Dual<f64, F64x8>>(), both.cast::<Dual<f64, F64x8>>());
    for (n, wanted) in [(100, 56.875_310_794_795_17), (200, 56.875_154_093_671_5), (400, 56.875_150_499_311_63)] {
        let plan = collocated::<_, _, 5, 2>((&cart, &dual), Scheme::HermiteSimpson, n, RELAXED)?;
        close(plan.cost, wanted, 1e-9);
    }
    for (n, wanted) in [(100, 56.967_240_866_576_56), (200, 56.898_711_805_251_82)] {
        let plan = collocated::<_, _, 5, 1>((&cart, &dual), Scheme::Trapezoidal, n, RELAXED)?;
        close(plan.cost, wanted, 1e-9);
    }
    let plan = collocated::<_, _, 7, 2>((&both, &dual_both), Scheme::HermiteSimpson, 200, RELAXED)?;
    close(plan.cost, 409.393_956_384_208_76, 1e-9);
    let plan = collocated::<_, _, 7, 1>((&both, &dual_both), Scheme::Trapezoidal, 100, RELAXED)?;
    close(plan.cost, 412.279_026_765_910_9, 1e-9);
    Ok(())
}

#[test]
fn dynamic_programming_comes_to_the_same_optimum() -> Result<(), PlanError> {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64, F64x8>>();
    let problem = to_upright(&cart, 25, 0.0)?.between("rail", f64::NEG_INFINITY, f64::INFINITY)?;
    let collocation = || Collocation::exact(&cart, &dual, Scheme::HermiteSimpson);
    let one = InteriorPoint::<_, 5, 2>::of(&problem, collocation())?.tolerance(1e-11).solve()?;
    let other = Ddp::<_, 5, 2>::of(&problem, collocation())?.solve()?;
    close(one.cost, other.cost, 1e-9);
    Ok(())
}

model! {
    /// A skate on ice: it slides along its blade only.
    #[model(derive(Clone, Debug))]
    pub struct Skate<T> {
        param m: Real [kg] = 2.0;
        param j: Real [kg*m^2] = 0.3;
        coord x, y: Real [m];
        coord th: Angle;
        input push: Real [N];
        input turn: Real [N*m] in -1.0..=1.0;
        kinetic = 0.5 * m * (sq(der(x)) + sq(der(y))) + 0.5 * j * sq(der(th));
        force drive on x = push * cos(th);
        force across on y = push * sin(th);
        force twist on th = turn;
        constraint blade: der(x) * sin(th) - der(y) * cos(th) == 0.0;
        cost effort = sq(push / 1N) + sq(turn / 1N / 1m);
    }
}

model! {
    /// The same by its speed.
    #[model(derive(Clone, Debug))]
    pub struct Reduced<T> {
        param m: Real [kg] = 2.0;
        param j: Real [kg*m^2] = 0.3;
        input push: Real [N];
        input turn: Real [N*m] in -1.0..=1.0;
        state x, y: Real [m];
        state th: Real;
        state s: Real [m/s];
        state w: Real [1/s];
        der(x) = s * cos(th);
        der(y) = s * sin(th);
        der(th) = w;
        der(s) = push / m;
        der(w) = turn / j;
        cost effort = sq(push / 1N) + sq(turn / 1N / 1m);
    }
}

#[test]
fn velocities_may_be_constrained() -> Result<(), PlanError> {
    let (skate, reduced) = (Skate::<f64>::default(), Reduced::<f64>::default());
    let (dual, dual_reduced) = (skate.cast::<Dual<f64>>(), reduced.cast::<Dual<f64>>());
    let mut end = State::neutral(&skate);
    end.q.as_mut().copy_from_slice(&[1.0, 0.4, 0.5]);
    let one = |n: usize| {
        let ends = ["x", "y", "th", "der(x)", "der(th)"];
        let start = State::neutral(&skate);
        let problem = OptimalControl::of(&skate, 2.0, n)?.running("effort")?.start(&start).end_of(&end, ends)?;
        InteriorPoint::<_, 6, 6>::of(&problem, Collocation::exact(&skate, &dual, Scheme::Radau))?.solve()
    };
    let mut end = State::neutral(&reduced);
    end.z.as_mut().copy_from_slice(&[1.0, 0.4, 0.5, 0.0, 0.0]);
    let other = |n: usize| {
        let problem = OptimalControl::of(&reduced, 2.0, n)?.running("effort")?.end(&end);
        let problem = problem.start(&State::neutral(&reduced));
        InteriorPoint::<_, 5, 6>::of(&problem, Collocation::exact(&reduced, &dual_reduced, Scheme::Radau))?.solve()
    };
    let (one, other) = (one(20)?, other(20)?);
    close(one.cost, other.cost, 1e-6);
    for x in &one.points {
        assert!((x.v.x() * x.q.th().sin() - x.v.y() * x.q.th().cos()).abs() < 1e-12);
    }
    Ok(())
}

model! {
    /// A mass that is drawn by a spring from a slide whose place is chosen, and squares of what is missed.
    #[model(derive(Clone, Debug))]
    pub struct Towed<T> {
        param m: Real [kg] = 1.5;
        param k: Real [N/m] = 40.0;
        coord x: Real [m];
        input pull: Real [m] in -2.0..=2.0;
        kinetic = 0.5 * m * sq(der(x));
        force spring on x = k * (pull - x);
        limit stretch: pull - x in -0.2..=0.2;
        limit place: x;
        residual away = (x - 0.7m) / 1m;
        residual fast = 0.1 * der(x) / 1m * 1s;
        residual effort = 0.05 * (pull - x) / 1m;
    }
}

#[test]
fn squares_need_no_dual_numbers() -> Result<(), PlanError> {
    let towed = Towed::<f64>::default();
    let dual = towed.cast::<Dual<f64>>();
    let problem = OptimalControl::of(&towed, 1.0, 12)?.running("away")?.running("fast")?.running("effort")?;
    let problem = problem.at_end("away")?.at_node(4, "fast", 2.0)?.start(&State::neutral(&towed));
    // the motion is linear in all that counts: both are exact
    let squares = || Collocation::of(&towed, Scheme::Radau);
    let one = InteriorPoint::<_, 2, 3>::of(&problem, squares())?.tolerance(1e-11).solve()?;
    let exact = Collocation::exact(&towed, &dual, Scheme::Radau);
    let other = InteriorPoint::<_, 2, 3>::of(&problem, exact)?.tolerance(1e-11).solve()?;
    close(one.cost, other.cost, 1e-10);
    assert_eq!(one.iterations.len(), other.iterations.len());
    // limits hold at every point, and say what they cost
    let stretch = |x: &State<Towed<f64>>, u: &towed::U| (u.pull() - x.q.x()).abs();
    assert!(one.points.iter().zip(&one.inputs).all(|(x, u)| stretch(x, u) < 0.2 + 1e-8));
    let multipliers = one.multipliers("stretch")?;
    assert_eq!(multipliers.len(), one.points.len());
    let total: f64 = multipliers.iter().map(|y| y.abs()).sum();
    let d = 1e-5;
    let wider = problem.between("stretch", -0.2 - d, 0.2 + d)?;
    let wider = InteriorPoint::<_, 2, 3>::of(&wider, squares())?.tolerance(1e-11).solve()?;
    close((one.cost - wider.cost) / d, total, 1e-3);
    // shooting with short intervals comes near
    let problem = OptimalControl::of(&towed, 1.0, 200)?.running("away")?.running("fast")?.running("effort")?;
    let problem = problem.start(&State::neutral(&towed));
    let near = InteriorPoint::<_, 2, 1>::of(&problem, StepMap::of(&towed, RungeKutta4, &[])?)?.solve()?.cost;
    let of = |scheme| Collocation::of(&towed, scheme);
    let two = InteriorPoint::<_, 3, 1>::of(&problem, of(Scheme::Trapezoidal))?.solve()?.cost;
    let four = InteriorPoint::<_, 3, 2>::of(&problem, of(Scheme::HermiteSimpson))?.solve()?.cost;
    close(two, four, 1e-3);
    // its costs are those at the beginnings of intervals
    close(four, near, 2e-2);
    Ok(())
}

#[test]
fn a_run_by_a_plan_can_be_stopped_and_resumed() -> Result<(), PlanError> {
    let towed = Towed::<f64>::default();
    let problem = OptimalControl::of(&towed, 1.0, 12)?.running("away")?.running("effort")?;
    let problem = problem.start(&State::neutral(&towed));
    let of = |scheme| Collocation::of(&towed, scheme);
    check(InteriorPoint::<_, 2, 3>::of(&problem, of(Scheme::Radau))?.solve()?);
    check(InteriorPoint::<_, 3, 2>::of(&problem, of(Scheme::HermiteSimpson))?.solve()?);
    check(InteriorPoint::<_, 3, 1>::of(&problem, of(Scheme::Trapezoidal))?.solve()?);
    check(InteriorPoint::<_, 2, 1>::of(&problem, StepMap::of(&towed, RungeKutta4, &[])?)?.solve()?);
    return Ok(());

    fn check<const N: usize, const U: usize>(plan: Plan<Towed<f64>, N, U>) {
        let towed = Towed::<f64>::default();
        // at points the inputs are those of the points, in the middle of lines their mean, at the end those of the end
        let at = |t: f64| {
            let (mut u, mut x) = (towed::U::default(), plan.states[0].clone());
            x.t = t;
            plan.signal().evaluate(&towed, x.moment(), &mut u);
            u.pull()
        };
        let inside = |t: f64| (12.0 * t - (12.0 * t).round()).abs() > 1e-6;
        for (x, u) in plan.points.iter().zip(&plan.inputs).filter(|(x, _)| inside(x.t)) {
            assert!((at(x.t) - u.pull()).abs() < 1e-12, "{}", x.t);
        }
        let last = plan.inputs.last().expect("inputs").pull();
        assert!((at(1.0) - last).abs() < 1e-12 && (at(7.0) - last).abs() < 1e-12);
        if plan.inputs.len() == 13 {
            assert!((at(1.5 / 12.0) - 0.5 * (plan.inputs[1].pull() + plan.inputs[2].pull())).abs() < 1e-12);
        }
        // between nodes, at a node, after the last one
        for stop in [0.4, 0.5, 1.1] {
            let setup = || Simulation::of(&towed, RungeKutta4).inputs(plan.signal());
            let mut run = setup().given(plan.states[0].clone()).fixed(0.01).expect("a start");
            run.advance_to(stop).expect("steps");
            let mut resumed = setup().resume(run.checkpoint()).fixed(0.01).expect("a checkpoint");
            run.advance_to(1.2).expect("steps");
            resumed.advance_to(1.2).expect("steps");
            assert_eq!((run.state().q, run.state().v), (resumed.state().q, resumed.state().v), "{stop}");
        }
        let collocated = !plan.points.is_empty();
        let held = Simulation::of(&towed, RungeKutta4).inputs(plan.held()).given(plan.states[0].clone()).fixed(0.01);
        assert_eq!(held.is_err(), collocated);
        let mut early = plan.states[0].clone();
        early.t = -1.0;
        let early = Simulation::of(&towed, RungeKutta4).inputs(plan.signal()).given(early).fixed(0.01);
        assert!(early.map(drop).unwrap_err().to_string().contains("start of a run by a plan"));
    }
}

#[test]
fn a_plan_can_be_read_before_and_after_a_search() -> Result<(), PlanError> {
    let crank = SliderCrank::<f64>::default();
    let dual = crank.cast::<Dual<f64>>();
    let problem = turn(&crank, 4)?;
    let mut solver = InteriorPoint::<_, 6, 3>::of(&problem, Collocation::exact(&crank, &dual, Scheme::Radau))?;
    let plan = solver.plan();
    assert_eq!((plan.points.len(), plan.inputs.len()), (12, 12));
    let stopped = solver.iterations(1);
    solver = stopped;
    assert!(solver.solve().is_err());
    let plan = solver.plan();
    assert_eq!((plan.states.len(), plan.points.len(), plan.inputs.len()), (5, 12, 12));
    // a start outside of a limit
    let towed = Towed::<f64>::default();
    let mut beyond = State::neutral(&towed);
    beyond.q.set_x(1.5);
    let problem = OptimalControl::of(&towed, 1.0, 4)?.running("away")?.start(&beyond).between("place", -1.0, 1.0)?;
    let error = InteriorPoint::<_, 2, 3>::of(&problem, Collocation::of(&towed, Scheme::Radau)).map(drop).unwrap_err();
    assert!(matches!(error, PlanError::Contradiction { .. }), "{error}");
    Ok(())
}

#[test]
fn a_start_off_its_loop_is_refused_by_name() -> Result<(), PlanError> {
    let crank = SliderCrank::<f64>::default();
    let dual = crank.cast::<Dual<f64>>();
    let closed = Start::default().solve(&crank, &Nominal)?;
    let refused = |start: &State<SliderCrank<f64>>| -> Result<_, PlanError> {
        let problem = turn(&crank, 4)?.start(start);
        let map = StepMap::of(&crank, RungeKutta4, &[])?;
        let steps = InteriorPoint::<_, 6, 1>::of(&problem, (map, StepHessian::of(&dual, RungeKutta4)?)).map(drop);
        let points = Collocation::exact(&crank, &dual, Scheme::Radau);
        let points = InteriorPoint::<_, 6, 3>::of(&problem, points).map(drop);
        assert_eq!(steps.is_err(), points.is_err());
        Ok(points.err().map(|error| error.to_string()).unwrap_or_default())
    };
    // runs drift by as much
    let mut start = closed.clone();
    start.q.set_s(start.q.s() + 1e-6);
    assert_eq!(refused(&start)?, "");
    start.q.set_s(closed.q.s() + 0.125);
    let expected = "positions of the start are not consistent: constraint `closure.x` has a residual of -1.25";
    assert!(refused(&start)?.starts_with(expected), "{}", refused(&start)?);
    let mut start = closed.clone();
    start.v.set_s(0.5);
    let expected = "velocities of the start are not consistent: constraint `closure.x` has a residual of -5e-1;";
    assert!(refused(&start)?.starts_with(expected), "{}", refused(&start)?);
    Ok(())
}

#[test]
fn a_model_with_another_parameter_is_refused_by_name() -> Result<(), PlanError> {
    let crank = SliderCrank::<f64>::default();
    let mut heavy = crank.clone();
    heavy.m3 = 0.75;
    let (dual, other) = (crank.cast::<Dual<f64>>(), heavy.cast::<Dual<f64>>());
    let problem = turn(&crank, 4)?;
    let refused = |found: Result<(), PlanError>| {
        let parameter = matches!(&found, Err(PlanError::Parameter { name, value, other })
            if name.as_str() == "m3" && *value == 0.5 && *other == 0.75);
        assert!(parameter, "{found:?}");
        let said = found.map_err(|error| error.to_string()).unwrap_err();
        assert!(said.starts_with("parameter `m3` is 0.5 in the model of the problem, and 0.75 in another"), "{said}");
    };
    let points = |dual| Collocation::exact(&crank, dual, Scheme::Radau);
    refused(InteriorPoint::<_, 6, 3>::of(&problem, points(&other)).map(drop));
    refused(Ddp::<_, 6, 3>::of(&problem, points(&other)).map(drop));
    assert!(InteriorPoint::<_, 6, 3>::of(&problem, points(&dual)).is_ok());
    let map = |of| StepMap::of(of, RungeKutta4, &[]);
    let hessian = |of| StepHessian::of(of, RungeKutta4);
    refused(InteriorPoint::<_, 6, 1>::of(&problem, (map(&crank)?, hessian(&other)?)).map(drop));
    refused(InteriorPoint::<_, 6, 1>::of(&problem, (map(&heavy)?, hessian(&dual)?)).map(drop));
    refused(Ddp::<_, 6, 1>::of(&problem, Ilqr(map(&crank)?, hessian(&other)?)).map(drop));
    assert!(InteriorPoint::<_, 6, 1>::of(&problem, (map(&crank)?, hessian(&dual)?)).is_ok());
    Ok(())
}

#[test]
fn what_a_scheme_cannot_do_is_said() -> Result<(), PlanError> {
    let crank = SliderCrank::<f64>::default();
    let problem = turn(&crank, 10)?;
    let dual = crank.cast::<Dual<f64>>();
    let of = Collocation::exact(&crank, &dual, Scheme::HermiteSimpson);
    let error = InteriorPoint::<_, 7, 2>::of(&problem, of).map(drop).unwrap_err().to_string();
    assert_eq!(error, "there is no plan with constraints with this scheme: take `Scheme::Radau`");
    let of = Collocation::exact(&crank, &dual, Scheme::Radau);
    let error = InteriorPoint::<_, 6, 1>::of(&problem, of).map(drop).unwrap_err().to_string();
    assert_eq!(error, "U, the number of inputs of an interval, is 1 and must be 3");
    let error = InteriorPoint::<_, 6, 3>::of(&problem, Collocation::of(&crank, Scheme::Radau)).map(drop).unwrap_err();
    assert!(matches!(error, PlanError::NoCurvature { .. }), "{error}");
    Ok(())
}
