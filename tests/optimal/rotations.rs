//! Collocation where bodies turn: its order, its derivatives as a programme, and optima beside those of steps.

use ode_model::Table;
use ode_model::control::{Collocation, InteriorPoint, Nlp, OptimalControl, PlanError, Scheme, Transcription};
use ode_model::prelude::*;
use ode_model::{Dual, Nominal, Start, StepHessian, StepMap, System, Turning, s2};
use ode_model_optimal::{Flight, Quadrotor, differences, left};

model! {
    /// A heavy body on a point, by a body rate, with a wheel that turns by a spatial rate, and an input to each.
    #[model(derive(Clone, Debug))]
    pub struct Top<T> {
        param m: Real = 1.1;
        param l: Real = 0.4;
        param c: Real = 0.05;
        coord (q, w): SO3;
        coord (ball, spin): SO3<World>;
        input u: Real in -3.0..=3.0 = 0.5;
        input s: Real in -3.0..=3.0 = -0.3;
        let tip = q.rotate(vec3(0.0, 0.0, l));
        let mark = ball.rotate(vec3(1.0, 0.0, 0.0));
        kinetic = 0.5 * (0.3 * sq(w.x) + 0.35 * sq(w.y) + 0.2 * sq(w.z)) + 0.1 * spin.dot(spin);
        potential = m * 9.81 * tip.z + 0.3 * tip.dot(mark);
        dissipation = 0.5 * c * w.dot(w);
        torque motor on q = vec3(0.3 * u, 0.1 * u, u);
        torque drive on ball = vec3(s, -0.1 * s, 0.2 * u);
        init q = rot_x(0.4);
        init w = vec3(0.3, -0.2, 4.0);
        init spin = vec3(0.5, 1.0, -0.7);
        limit lean: tip.dot(mark);
        residual effort = vec2(u, s);
        cost energy = w.dot(w) * sq(1.0 + u) + tip.x * spin.y * s + sq(tip.z - 0.1);
    }
}

model! {
    /// A plate that hangs by a corner: its rotation and its place are tied.
    #[model(derive(Clone, Debug))]
    pub struct Plate<T> {
        param m: Real = 2.0;
        param j: SymMat3 = diag(0.1, 0.2, 0.25);
        param arm: Vec3 = vec3(0.3, 0.1, 0.2);
        coord r: Vec3;
        coord (q, w): SO3;
        input tau: Vec3 = vec3(0.5, -0.3, 0.2);
        kinetic = 0.5 * m * der(r).dot(der(r)) + 0.5 * w.dot(j * w);
        potential = m * 9.81 * r.z;
        torque motor on q = tau;
        constraint joint: r + q.rotate(arm) == vec3(0.0, 0.0, 0.3);
        init q = rot_x(0.4);
        init w = vec3(1.0, -0.5, 2.0);
        guess r = vec3(-0.3, 0.1, 0.0);
        residual effort = 0.3 * tau;
        cost energy = w.dot(w) * (1.0 + tau.x * tau.x) + sq(r.x);
    }
}

model! {
    /// A needle on a slider, pushed.
    #[model(derive(Clone, Debug))]
    pub struct Needle<T> {
        coord (d, w): S2;
        coord x: Real;
        input u: Real = 0.8;
        input s: Real = -0.5;
        kinetic = 0.4 * w.dot(w) + 0.3 * sq(der(x)) + 0.1 * der(d).x * der(x);
        potential = 2.0 * d.z + 1.5 * sq(x) + d.x * d.y * x;
        force drive on x = s;
        force push on d = vec3(0.3 * u, u, s);
        init d = unit(vec3(0.3, -0.4, 0.8));
        init w = vec3(2.0, -1.5, -1.5);
        init x = 0.2;
        residual effort = vec2(u, s);
        residual away = 0.5 * (d - vec3(0.2, 0.1, -0.9)) + vec3(x, der(x), w.x * 0.3);
        residual fast = der(d) * (1.0 + 0.2 * u);
    }
}

model! {
    /// A bead that is held at the end of a massless arm, which is a point of the sphere.
    #[model(derive(Clone, Debug))]
    pub struct Arm<T> {
        param l: Real = 0.7;
        coord r: Vec3;
        coord (d, w): S2;
        input u: Real = 0.6;
        kinetic = 0.5 * der(r).dot(der(r)) + 0.1 * w.dot(w);
        potential = 9.81 * r.z;
        force push on r = vec3(u, 0.2, 0.1 * u);
        constraint held: r == l * d;
        init d = unit(vec3(0.6, -0.4, 0.5));
        init der(r.x) = 1.0;
        init der(r.y) = -1.3;
        guess r = vec3(0.4, -0.3, 0.3);
        residual effort = u;
        residual away = 0.5 * d + der(r) * (1.0 + u);
    }
}

/// How far states are from each other along the directions of the state.
fn off<S: ode_model::Optimizable<Real = f64>>(system: &S, a: &State<S>, b: &State<S>) -> f64 {
    let mut turn = a.v.clone();
    system.local(&a.q, &b.q, &mut turn);
    let rates = |x: &State<S>| {
        // those of a point of the sphere are about axes that depend on the way there
        let sphere = system.turnings().iter().find(|turning| matches!(turning, Turning::Sphere(_)));
        let (mut v, q) = (x.v.as_ref().to_vec(), x.q.as_ref());
        if sphere.is_some() {
            let velocity = s2::velocity(&core::array::from_fn(|i| q[i]), &[v[0], v[1]]);
            v.splice(0..2, velocity);
        }
        v
    };
    let rates = rates(a).into_iter().zip(rates(b)).map(|(a, b)| (a - b).abs());
    turn.as_ref().iter().map(|x| x.abs()).chain(rates).fold(0.0, f64::max)
}

/// The error of the end of a motion whose inputs leave nothing to choose.
fn error<S, const N: usize, const U: usize>(
    (system, inputs): (&S, &[(&str, f64)]),
    (scheme, intervals): (Scheme, usize),
    wanted: &State<S>,
) -> Result<f64, PlanError>
where
    S: ode_model::Optimizable<Real = f64> + ode_model::Solvable,
{
    let mut problem = OptimalControl::of(system, 0.8, intervals)?.running("effort")?;
    for (name, value) in inputs {
        problem = problem.between(name, *value, *value)?;
    }
    let plan = InteriorPoint::<_, N, U>::of(&problem, Collocation::of(system, scheme))?.tolerance(1e-12).solve()?;
    Ok(off(system, &plan.states[intervals], wanted))
}

/// The end of the same motion in many small steps.
fn fine<S>(system: &S) -> State<S>
where
    S: ode_model::Optimizable<Real = f64> + ode_model::Solvable,
{
    let run = Simulation::of(system, DormandPrince).project(Projection::to(1e-12));
    let mut run = run.fixed(0.8 / 800.0).expect("a start");
    run.advance_to(0.8).expect("steps");
    run.state().clone()
}

#[test]
fn the_order_is_that_of_the_scheme() -> Result<(), PlanError> {
    let top = Top::<f64>::default();
    let (wanted, inputs) = (fine(&top), [("u", 0.5), ("s", -0.3)]);
    let schemes = [(Scheme::Trapezoidal, 8, 2.0), (Scheme::HermiteSimpson, 4, 4.0), (Scheme::Radau, 4, 5.0)];
    for (scheme, n, order) in schemes {
        let of = |n: usize| match scheme {
            Scheme::Trapezoidal => error::<_, 14, 2>((&top, &inputs), (scheme, n), &wanted),
            Scheme::HermiteSimpson => error::<_, 14, 4>((&top, &inputs), (scheme, n), &wanted),
            _ => error::<_, 12, 6>((&top, &inputs), (scheme, n), &wanted),
        };
        let found = (of(n)? / of(2 * n)?).log2();
        assert!((found - order).abs() < 0.3, "{scheme:?}: {found}");
    }
    // a point of the sphere
    let needle = Needle::<f64>::default();
    let (wanted, inputs) = (fine(&needle), [("u", 0.8), ("s", -0.5)]);
    for (scheme, n, order) in schemes {
        let of = |n: usize| match scheme {
            Scheme::Trapezoidal => error::<_, 8, 2>((&needle, &inputs), (scheme, n), &wanted),
            Scheme::HermiteSimpson => error::<_, 8, 4>((&needle, &inputs), (scheme, n), &wanted),
            _ => error::<_, 6, 6>((&needle, &inputs), (scheme, n), &wanted),
        };
        let found = (of(n)? / of(2 * n)?).log2();
        assert!((found - order).abs() < 0.3, "{scheme:?}: {found}");
    }
    // a body that is held by its constraints
    let plate = Plate::<f64>::default();
    let (wanted, inputs) = (fine(&plate), [("tau.x", 0.5), ("tau.y", -0.3), ("tau.z", 0.2)]);
    let of = |n: usize| error::<_, 12, 9>((&plate, &inputs), (Scheme::Radau, n), &wanted);
    let found = (of(3)? / of(6)?).log2();
    assert!((found - 5.0).abs() < 0.3, "{found}");
    Ok(())
}

#[test]
fn derivatives_agree_with_differences() -> Result<(), PlanError> {
    let top = Top::<f64>::default();
    let dual = top.cast::<Dual<f64>>();
    let problem = || {
        let problem = OptimalControl::of(&top, 0.6, 2)?.running("energy")?.running("effort")?.at_end("energy")?;
        problem.at_node(1, "energy", 0.3)?.between("lean", -5.0, 5.0)
    };
    let of = |scheme| Collocation::exact(&top, &dual, scheme);
    differences::<_, 12, 6>(&problem()?, of(Scheme::Radau))?;
    let free = problem()?.free_horizon(0.3, 0.9, 0.2)?.free_start("w.x", -1.0, 1.0)?;
    differences::<_, 15, 4>(&free, of(Scheme::HermiteSimpson))?;
    // steps too
    let steps = (StepMap::of(&top, RungeKutta4, &[])?, StepHessian::of(&dual, RungeKutta4)?);
    differences::<_, 12, 2>(&problem()?, steps)
}

#[test]
fn so_do_those_of_a_body_that_is_held() -> Result<(), PlanError> {
    let plate = Plate::<f64>::default();
    let dual = plate.cast::<Dual<f64>>();
    let problem = OptimalControl::of(&plate, 0.4, 2)?.running("energy")?.running("effort")?.at_end("energy")?;
    let problem = problem.free_horizon(0.3, 0.9, 0.2)?;
    differences::<_, 13, 9>(&problem, Collocation::exact(&plate, &dual, Scheme::Radau))
}

/// A slow quadrotor: its rotation takes part of the horizon that meshes can follow.
fn slow() -> Quadrotor<f64> {
    let mut quadrotor = Quadrotor::<f64>::default();
    quadrotor.j.iter_mut().flatten().for_each(|j| *j *= 50.0);
    quadrotor
}

/// Its flight to the last waypoint, turned by a quarter, within bounds that do not matter.
fn turned(quadrotor: &Quadrotor<f64>, n: usize) -> Result<Flight<'_>, PlanError> {
    let mut problem = OptimalControl::of(quadrotor, 2.0, n)?.running("effort")?.at_node(n, "third", 0.01)?;
    for name in ["f[0]", "f[1]", "f[2]", "f[3]"] {
        problem = problem.between(name, f64::NEG_INFINITY, f64::INFINITY)?;
    }
    Ok(problem)
}

#[test]
fn both_transcriptions_come_to_the_same_optimum() -> Result<(), PlanError> {
    let quadrotor = slow();
    let dual = quadrotor.cast::<Dual<f64>>();
    let of = |scheme| Collocation::exact(&quadrotor, &dual, scheme);
    let radau = |n| {
        Ok::<_, PlanError>(InteriorPoint::<_, 12, 12>::of(&turned(&quadrotor, n)?, of(Scheme::Radau))?.solve()?.cost)
    };
    let simpson = |n| {
        let problem = turned(&quadrotor, n)?;
        Ok::<_, PlanError>(InteriorPoint::<_, 16, 8>::of(&problem, of(Scheme::HermiteSimpson))?.solve()?.cost)
    };
    let steps = |n| {
        let pair = (StepMap::of(&quadrotor, RungeKutta4, &[])?, StepHessian::of(&dual, RungeKutta4)?);
        Ok::<_, PlanError>(InteriorPoint::<_, 12, 4>::of(&turned(&quadrotor, n)?, pair)?.solve()?.cost)
    };
    let best = radau(8)?;
    let order = |coarse: f64, fine: f64| ((coarse - best) / (fine - best)).log2();
    // costs of optima are as accurate as integrals by the scheme; inputs that are held cost more, by h²
    // what the guide says
    let above = |cost: f64, wanted: f64| {
        let found = cost / best - 1.0;
        assert!((found / wanted - 1.0).abs() < 0.05, "{found} {wanted}");
        cost
    };
    let found = order(radau(2)?, above(radau(4)?, 2.6e-4));
    assert!(found > 6.0, "{found}");
    let found = order(above(simpson(4)?, 0.013), above(simpson(8)?, 6.4e-4));
    assert!((found - 4.0).abs() < 0.4, "{found}");
    let (coarse, fine) = (above(steps(8)?, 0.071), above(steps(16)?, 0.017));
    let found = order(coarse, fine);
    assert!((found - 2.0).abs() < 0.2, "{found}");
    assert!(((4.0 * fine - coarse) / 3.0 / best - 1.0).abs() < 2e-3);
    Ok(())
}

#[test]
fn a_plan_is_a_motion_and_a_point_of_the_programme() -> Result<(), PlanError> {
    let quadrotor = slow();
    let dual = quadrotor.cast::<Dual<f64>>();
    let n = 10;
    let problem = turned(&quadrotor, n)?;
    let of = || Collocation::exact(&quadrotor, &dual, Scheme::Radau);
    let plan = InteriorPoint::<_, 12, 12>::of(&problem, of())?.tolerance(1e-11).solve()?;
    // the conditions of an optimum hold in the turns of nodes too, which are large
    let mut nlp = Nlp::of(&problem, of())?;
    let (w, y) = (nlp.variables_of(&plan)?, nlp.multipliers_of(&plan)?);
    let size = w[w.len() - 12 + 3..][..3].iter().map(|w| w * w).sum::<f64>().sqrt();
    assert!(size > 0.5, "{size}");
    let rest = left(&mut nlp, &plan)?;
    assert!(rest < 1e-7, "{rest}");
    let again = nlp.plan(&w, &y)?;
    assert!((again.cost - plan.cost).abs() < 1e-11 * plan.cost);
    for (one, other) in again.costates.iter().zip(&plan.costates) {
        assert!((one - other).amax() < 1e-6 * (1.0 + other.amax()), "{one} {other}");
    }
    // it can be run, and recorded
    let run = Simulation::of(&quadrotor, DormandPrince).inputs(again.signal()).given(again.states[0].clone());
    let mut run = run.fixed(2.0 / 400.0).expect("a start");
    let mut table = Table::of(&quadrotor);
    run.run(2.0, 0.1, |seen| table.record(seen)).expect("steps");
    let miss = off(&quadrotor, run.state(), &again.states[n]);
    assert!(miss < 4e-4, "{miss}");
    Ok(())
}

/// What the costate of the start says of the cost of a motion without a choice, beside differences of it, each way.
fn costate<S, T, const N: usize, const U: usize>(
    (system, inputs): (&S, &[(&str, f64)]),
    transcription: impl Fn() -> T,
    (ways, start): (usize, impl Fn(usize, f64) -> State<S>),
) -> Result<Vec<(f64, f64)>, PlanError>
where
    S: ode_model::Optimizable<Real = f64> + ode_model::Solvable,
    T: Transcription<N, U, System = S>,
{
    let solved = |start: &State<S>| {
        let mut problem = OptimalControl::of(system, 0.9, 3)?.running("effort")?.running("away")?.at_end("away")?;
        for (name, value) in inputs {
            problem = problem.between(name, *value, *value)?;
        }
        let problem = problem.start(start);
        InteriorPoint::<_, N, U>::of(&problem, transcription())?.tolerance(1e-12).solve()
    };
    let (h, costates) = (1e-4, solved(&start(0, 0.0))?.costates);
    let along = |k| {
        let (more, less) = (start(k, h), start(k, -h));
        let mut turn = more.v.clone();
        system.local(&less.q, &more.q, &mut turn);
        let rates = more.v.as_ref().iter().zip(less.v.as_ref()).map(|(more, less)| more - less);
        let way = turn.as_ref().iter().copied().chain(rates).map(|x| x / (2.0 * h));
        let said = way.zip(costates[0].iter()).map(|(x, y)| x * y).sum();
        Ok((said, (solved(&more)?.cost - solved(&less)?.cost) / (2.0 * h)))
    };
    (0..ways).map(along).collect()
}

#[test]
fn costates_of_points_of_the_sphere_are_derivatives() -> Result<(), PlanError> {
    let needle = Needle::<f64>::default();
    let inputs = [("u", 0.8), ("s", -0.5)];
    let first = Start::default().solve(&needle, &Nominal)?;
    let start = |k: usize, by: f64| {
        let (mut x, mut step) = (first.clone(), needle::V::default());
        match k {
            0..3 => step.as_mut()[k] = by,
            _ => x.v.as_mut()[k - 3] += by,
        }
        needle.retract(&first.q, &step, &mut x.q);
        x
    };
    let simpson = || Collocation::of(&needle, Scheme::HermiteSimpson);
    let radau = || Collocation::of(&needle, Scheme::Radau);
    let steps = || StepMap::of(&needle, RungeKutta4, &[]).expect("a map");
    let simpson = costate::<_, _, 8, 4>((&needle, &inputs), simpson, (6, start))?;
    let radau = costate::<_, _, 6, 6>((&needle, &inputs), radau, (6, start))?;
    let steps = costate::<_, _, 6, 2>((&needle, &inputs), steps, (6, start))?;
    let arm = Arm::<f64>::default();
    let first = Start::default().solve(&arm, &Nominal)?;
    // along the constraints
    let start = |k: usize, by: f64| {
        let mut x = first.clone();
        let mut step = arm::V::default();
        if k < 2 {
            step.as_mut()[3 + k] = by
        } else {
            x.v.as_mut()[1 + k] += by
        }
        arm.retract(&first.q, &step, &mut x.q);
        let four = core::array::from_fn(|i| x.q.as_ref()[3 + i]);
        let (d, rate) = (s2::direction(&four), s2::velocity(&four, &[x.v.as_ref()[3], x.v.as_ref()[4]]));
        (0..3).for_each(|i| x.q.as_mut()[i] = 0.7 * d[i]);
        (0..3).for_each(|i| x.v.as_mut()[i] = 0.7 * rate[i]);
        x
    };
    let held = || Collocation::of(&arm, Scheme::Radau);
    let held = costate::<_, _, 10, 3>((&arm, &[("u", 0.6)]), held, (4, start))?;
    for all in [simpson, radau, steps, held] {
        for (k, (said, found)) in all.into_iter().enumerate() {
            assert!((said - found).abs() < 1e-7 * found.abs().max(1.0), "{k}: {said} {found}");
        }
    }
    Ok(())
}

#[test]
fn what_points_of_the_sphere_do_not_have_is_refused() -> Result<(), PlanError> {
    let needle = Needle::<f64>::default();
    let dual = needle.cast::<Dual<f64>>();
    let problem = OptimalControl::of(&needle, 1.0, 5)?.running("effort")?;
    let exact = Collocation::exact(&needle, &dual, Scheme::Radau);
    let error = InteriorPoint::<_, 6, 6>::of(&problem, exact).map(drop).unwrap_err().to_string();
    assert!(error.contains("points of the sphere: take `Collocation::of`"), "{error}");
    let error = Nlp::<_, 6, 2>::of(&problem, StepMap::of(&needle, RungeKutta4, &[])?).map(drop).unwrap_err();
    assert!(error.to_string().contains("points of the sphere as variables of a programme"), "{error}");
    Ok(())
}

#[test]
fn what_turns_too_far_is_named() -> Result<(), PlanError> {
    let top = Top::<f64>::default();
    let mut start = State::neutral(&top);
    start.v.as_mut()[4] = 9.0;
    let solve = |n: usize| {
        let problem = OptimalControl::of(&top, 0.8, n)?.running("effort")?.start(&start);
        InteriorPoint::<_, 12, 6>::of(&problem, Collocation::of(&top, Scheme::Radau))?.solve()
    };
    let error = solve(1).unwrap_err().to_string();
    assert!(error.contains("turns by half a turn or more along `spin"), "{error}");
    solve(4).map(drop)
}
