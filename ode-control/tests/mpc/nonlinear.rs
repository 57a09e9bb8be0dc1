//! The nonlinear controller against optima of the whole problem, in closed loops, and where there is no plan.

use std::f64::consts::PI;

use ode_control::{Along, InteriorPoint, MpcError, MpcKnot, NonlinearMpc, OptimalControl, PlanError, Slack};
use ode_model::linalg::SMatrix;
use ode_model::prelude::*;
use ode_model::{StepMap, s2, variation::Fixed};

model! {
    #[model(derive(Clone, Debug))]
    pub struct CartPole {
        param m_c: Real [kg] = 1.0;
        param m_p: Real [kg] = 0.1;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        coord x: Real [m];
        coord th: Angle;
        input u: Real [N] in -6.0..=6.0;
        let tip = vec2(x + l * sin(th), -l * cos(th));
        kinetic = 0.5 * m_c * sq(der(x)) + 0.5 * m_p * der(tip).dot(der(tip));
        potential = m_p * g * tip.y;
        force drive on x = u;
        limit rail: x in -0.1..=0.35;
        limit pull: u / 1N + der(x) / 1m * 1s;
        residual place = x / 1m;
        residual lean = 3.0 * (th - PI);
        residual speed = 0.5 * der(x) / 1m * 1s;
        residual turn = 0.5 * der(th) * 1s;
        residual effort = 0.1 * u / 1N;
    }
}

model! {
    /// A body that is turned by torques.
    #[model(derive(Clone, Debug))]
    pub struct Craft {
        coord (att, w): SO3;
        input tau: Vec3 [N*m];
        body hull on frame(vec3(0.0m, 0.0m, 0.0m), att) {
            mass: 1.0kg,
            inertia: [[0.3, 0.0, 0.05], [0.0, 0.5, 0.0], [0.05, 0.0, 0.6]],
        }
        torque motors on att = tau;
        let off = log_so3(att);
        residual a = 2.0 * off.x;
        residual b = off.y;
        residual c = 3.0 * off.z;
        residual turning = 0.3 * w * 1s;
        residual effort = 0.5 * tau / 1N / 1m;
    }
}

const STAGES: usize = 25;

type OfCart<'a> = NonlinearMpc<'a, CartPole, RungeKutta4, 4, 1, 2, 5, Vec<MpcKnot<f64, 4, 1, 2>>, Vec<Along<CartPole>>>;

fn upright(cart: &CartPole) -> State<CartPole> {
    let mut x = State::neutral(cart);
    x.q.set_th(PI);
    x
}

fn controller(cart: &CartPole, h: f64) -> Result<OfCart<'_>, MpcError> {
    let along = vec![Along::at(&upright(cart), [0.0]); STAGES + 1];
    let mut mpc = OfCart::of(cart, RungeKutta4, h, (vec![MpcKnot::none(); STAGES], along))?;
    let q = SMatrix::from_diagonal(&[1.0, 9.0, 0.25, 0.25].into());
    mpc.weights(&(q * h), &(SMatrix::from([[0.01]]) * h), &(q * 2.0));
    Ok(mpc)
}

fn leaning(cart: &CartPole, by: f64) -> State<CartPole> {
    let mut x = upright(cart);
    x.q.set_th(PI - by);
    x.q.set_x(0.1);
    x
}

/// The same problem by the interior point.
fn optimum(cart: &CartPole, start: &State<CartPole>, h: f64) -> Result<Vec<f64>, PlanError> {
    let mut problem = OptimalControl::of(cart, h * STAGES as f64, STAGES)?.running("effort")?;
    for name in ["place", "lean", "speed", "turn"] {
        problem = problem.running(name)?.at_node(STAGES, name, 2.0)?;
    }
    let states = vec![upright(cart); STAGES + 1];
    let problem = problem.start(start).guess(&states, &[[0.0].into(); STAGES])?;
    let map = StepMap::<_, _, Fixed<5>>::sized(cart, RungeKutta4, &[])?;
    let plan = InteriorPoint::<_, 4, 1>::of(&problem, map)?.tolerance(1e-10).solve()?;
    Ok(plan.inputs.iter().map(cart_pole::U::u).collect())
}

#[test]
fn a_converged_plan_is_the_optimum() -> Result<(), Box<dyn std::error::Error>> {
    let (cart, h) = (CartPole::default(), 0.04);
    let start = leaning(&cart, 0.2);
    let mut mpc = controller(&cart, h)?;
    let count = mpc.solve(&start, 1e-9, 60)?;
    let wanted = optimum(&cart, &start, h)?;
    for (stage, wanted) in mpc.plan().iter().zip(&wanted) {
        assert!((stage.u.u() - wanted).abs() < 1e-6, "{} {wanted}", stage.u.u());
    }
    // bounds of the input and the rail hold, and count
    assert!(wanted.iter().any(|u| (u.abs() - 6.0).abs() < 1e-5));
    let highest = mpc.plan().iter().map(|stage| stage.x.q.x()).fold(0.0, f64::max);
    assert!((highest - 0.35).abs() < 1e-8, "{highest}");
    // it begins with the plan that is there
    assert!(mpc.solve(&start, 1e-9, 60)? < count);
    Ok(())
}

#[test]
fn real_time_iterations_follow_the_optima() -> Result<(), Box<dyn std::error::Error>> {
    let (cart, h) = (CartPole::default(), 0.04);
    let ways = [true, false].map(|converged| -> Result<(f64, f64), Box<dyn std::error::Error>> {
        let mut mpc = controller(&cart, h)?;
        let mut x = leaning(&cart, 0.15);
        mpc.solve(&x, 1e-8, 60)?;
        let (mut map, mut cost) = (StepMap::<_, _, Fixed<0>>::sized(&cart, RungeKutta4, &[])?, 0.0);
        for k in 0..150 {
            let u = mpc.control(&x)?;
            let u = match converged {
                true => mpc.solve(&x, 1e-8, 60).map(|_| mpc.plan()[0].u)?,
                false => u,
            };
            cost += h * (x.q.x().powi(2) + 9.0 * (x.q.th() - PI).powi(2) + 0.01 * u.u().powi(2));
            mpc.advance()?;
            let t = x.t + h;
            x = map.end(&x, u, h)?.clone();
            x.t = t;
            // something pushes
            if k == 30 {
                x.v.set_th(x.v.th() + 0.3);
            }
        }
        Ok((cost, (x.q.th() - PI).abs() + x.q.x().abs()))
    });
    let [best, real_time] = ways;
    let ((best, off), (cost, left)) = (best?, real_time?);
    assert!(off < 1e-3 && left < 1e-3, "{off} {left}");
    assert!((cost / best - 1.0).abs() < 0.02, "{cost} {best}");
    Ok(())
}

#[test]
fn rotations_are_weighed_by_their_angle() -> Result<(), Box<dyn std::error::Error>> {
    let (craft, h) = (Craft::default(), 0.1);
    let rest = State::neutral(&craft);
    let mut start = rest.clone();
    let mut step = start.v;
    step.as_mut().copy_from_slice(&[1.9, -1.1, 0.7]);
    craft.retract(&rest.q, &step, &mut start.q);
    start.v.as_mut().copy_from_slice(&[0.5, 0.2, -0.8]);
    let along = core::array::from_fn::<_, 21, _>(|_| Along::at(&rest, [0.0; 3]));
    let knots = [MpcKnot::none(); 20];
    let mut mpc = NonlinearMpc::<_, _, 6, 3, 0, 9, _, _>::of(&craft, RungeKutta4, h, (knots, along))?;
    let q = SMatrix::from_diagonal(&[4.0, 1.0, 9.0, 0.09, 0.09, 0.09].into());
    mpc.weights(&(q * h), &(SMatrix::identity() * (0.25 * h)), &q);
    mpc.solve(&start, 1e-10, 100)?;
    let mut problem = OptimalControl::of(&craft, 20.0 * h, 20)?.running("effort")?;
    for name in ["a", "b", "c", "turning"] {
        problem = problem.running(name)?.at_end(name)?;
    }
    let problem = problem.start(&start);
    let map = StepMap::<_, _, Fixed<9>>::sized(&craft, RungeKutta4, &[])?;
    let plan = InteriorPoint::<_, 6, 3>::of(&problem, map)?.tolerance(1e-10).solve()?;
    for (stage, wanted) in mpc.plan().iter().zip(&plan.inputs) {
        let off = stage.u.as_ref().iter().zip(wanted.as_ref()).map(|(u, wanted)| (u - wanted).abs());
        assert!(off.fold(0.0, f64::max) < 1e-7, "{:?} {wanted:?}", stage.u);
    }
    Ok(())
}

model! {
    /// A needle on a slider, which is drawn to a direction and to a velocity there.
    #[model(derive(Clone, Debug))]
    pub struct Needle {
        param target: Vec3 = vec3(0.0, 0.0, 1.0);
        param wanted: Vec3 = vec3(0.0, 0.0, 0.0);
        coord (d, w): S2;
        coord x: Real;
        input u: Real = 0.0;
        input s: Real = 0.0;
        kinetic = 0.4 * w.dot(w) + 0.3 * sq(der(x)) + 0.1 * der(d).x * der(x);
        potential = 0.5 * d.z + 1.5 * sq(x) + d.x * d.y * x;
        force drive on x = s;
        force push on d = vec3(0.3 * u, u, s);
        let c = d.dot(target);
        let aside = d - c * target;
        let sine = sqrt(aside.dot(aside));
        residual lean = 1.5 * atan2(sine, c) / sine * aside;
        // where the shortest way carries the velocity
        let carried = der(d) - der(d).dot(target) / (1.0 + c) * (d + target);
        residual drift = 0.8 * (carried - wanted);
        residual place = vec2(x, 0.5 * der(x));
        residual effort = 0.4 * vec2(u, s);
    }
}

#[test]
fn points_of_the_sphere_are_weighed_along_the_shortest_way() -> Result<(), Box<dyn std::error::Error>> {
    let (mut needle, h) = (Needle::default(), 0.1);
    let from = |x: &State<Needle>, by: [f64; 3], v: [f64; 3]| {
        let (mut to, mut step) = (x.clone(), x.v);
        step.as_mut().copy_from_slice(&by);
        needle.retract(&x.q, &step, &mut to.q);
        to.v.as_mut().copy_from_slice(&v);
        to
    };
    let rest = State::neutral(&needle);
    // in frames that went around, as those of measured states do
    let wanted = from(&from(&rest, [0.9, 0.4, 0.0], [0.0; 3]), [-0.7, 0.8, 0.0], [0.5, -0.9, 0.0]);
    let start = from(&from(&wanted, [1.1, 0.3, 0.0], [0.0; 3]), [-0.4, 0.9, 0.2], [1.2, 0.7, -0.5]);
    let four = core::array::from_fn(|i| wanted.q.as_ref()[i]);
    (needle.target, needle.wanted) = (s2::direction(&four), s2::velocity(&four, &[0.5, -0.9]));
    let along = core::array::from_fn::<_, 13, _>(|_| Along::at(&wanted, [0.0; 2]));
    let knots = [MpcKnot::none(); 12];
    let mut mpc = NonlinearMpc::<_, _, 6, 2, 0, 8, _, _>::of(&needle, RungeKutta4, h, (knots, along))?;
    let q = SMatrix::from_diagonal(&[2.25, 2.25, 1.0, 0.64, 0.64, 0.25].into());
    mpc.weights(&(q * h), &(SMatrix::identity() * (0.16 * h)), &q);
    mpc.solve(&start, 1e-9, 100)?;
    let mut problem = OptimalControl::of(&needle, 12.0 * h, 12)?.running("effort")?;
    for name in ["lean", "drift", "place"] {
        problem = problem.running(name)?.at_end(name)?;
    }
    let problem = problem.start(&start);
    let map = StepMap::<_, _, Fixed<8>>::sized(&needle, RungeKutta4, &[])?;
    let plan = InteriorPoint::<_, 6, 2>::of(&problem, map)?.tolerance(1e-8).solve()?;
    for (stage, wanted) in mpc.plan().iter().zip(&plan.inputs) {
        let off = stage.u.as_ref().iter().zip(wanted.as_ref()).map(|(u, wanted)| (u - wanted).abs());
        assert!(off.fold(0.0, f64::max) < 1e-6, "{:?} {wanted:?}", stage.u);
    }
    Ok(())
}

model! {
    /// A mass that is pushed, also by a force of the time.
    #[model(derive(Clone, Debug))]
    pub struct Pushed {
        coord x: Real;
        input u: Real = 0.1;
        kinetic = 0.5 * sq(der(x));
        force push on x = u + 2.0 * sin(3.0 * t);
        limit ease: 1.0 / u;
        residual place = x;
        residual effort = 0.3 * u;
    }
}

#[test]
fn time_goes_on_along_a_plan() -> Result<(), Box<dyn std::error::Error>> {
    let (pushed, h, n) = (Pushed::default(), 0.1, 15);
    let rest = State::neutral(&pushed);
    let along = vec![Along::at(&rest, [0.0]); n + 1];
    let knots = vec![MpcKnot::none(); n];
    let mut mpc = NonlinearMpc::<_, _, 2, 1, 1, 3, _, _>::of(&pushed, RungeKutta4, h, (knots, along))?;
    let q = SMatrix::from_diagonal(&[1.0, 0.0].into());
    mpc.weights(&(q * h), &(SMatrix::from([[0.09]]) * h), &q);
    let mut start = rest.clone();
    start.t = 0.7;
    // linear but for the time: one correction is the optimum; a limit without bounds need not be finite
    let first = mpc.control(&start)?;
    let problem = OptimalControl::of(&pushed, h * n as f64, n)?.running("place")?.running("effort")?;
    let problem = problem.at_end("place")?.start(&start);
    let map = StepMap::<_, _, Fixed<3>>::sized(&pushed, RungeKutta4, &[])?;
    let plan = InteriorPoint::<_, 2, 1>::of(&problem, map)?.tolerance(1e-10).solve()?;
    assert!((first.u() - plan.inputs[0].u()).abs() < 1e-8, "{} {}", first.u(), plan.inputs[0].u());
    mpc.advance()?;
    let (times, wanted) = (mpc.plan().iter().map(|stage| stage.x.t), (0..=n).map(|k| 0.7 + h * (k + 1) as f64));
    assert!(times.zip(wanted).all(|(t, wanted)| (t - wanted).abs() < 1e-12));
    // a step that cannot be made is told by its stage, and nothing is lost
    mpc.plan_mut()[n].x.v.as_mut()[0] = f64::INFINITY;
    let before = format!("{:?}", mpc.plan());
    let error = mpc.advance().unwrap_err();
    assert!(matches!(error, MpcError::Model { stage: Some(15), .. }), "{error}");
    assert_eq!(before, format!("{:?}", mpc.plan()));
    let error = mpc.solve(&start, 1e-9, 0).unwrap_err().to_string();
    assert!(error.contains("after 0 corrections"), "{error}");
    Ok(())
}

model! {
    /// A bead in syrup, beside a resistor whose current follows from the voltage.
    #[model(order = 1, derive(Clone, Debug))]
    pub struct Syrup {
        coord x: Real;
        input u: Real;
        algebraic i: Real;
        mass x = 2.0;
        force push on x = u;
        constraint node: i + 0.1 * i * i * i == u;
        limit most: i in -1.0..=1.0;
        init x = 0.0;
        guess i = 0.0;
    }
}

#[test]
fn limits_of_what_follows_are_refused() {
    let syrup = Syrup::default();
    let along = vec![Along::at(&State::neutral(&syrup), [0.0]); 4];
    let knots = vec![MpcKnot::none(); 3];
    let error =
        NonlinearMpc::<_, _, 1, 1, 1, 2, _, _>::of(&syrup, RungeKutta4, 0.1, (knots, along)).map(drop).unwrap_err();
    assert_eq!(error.to_string(), "`most` reads `i`, which follows from the state and the inputs; write it by these");
}

#[test]
fn what_has_no_plan_is_said() -> Result<(), Box<dyn std::error::Error>> {
    let cart = CartPole::default();
    let along = || vec![Along::at(&upright(&cart), [0.0]); STAGES + 1];
    let of = |h: f64, knots: usize| OfCart::of(&cart, RungeKutta4, h, (vec![MpcKnot::none(); knots], along()));
    let error = of(0.04, 7).unwrap_err().to_string();
    assert!(error.contains("number of stages of a plan, with its end"), "{error}");
    assert!(of(-1.0, STAGES).unwrap_err().to_string().contains("step size"));
    let error =
        NonlinearMpc::<_, _, 4, 1, 1, 5, _, _>::of(&cart, RungeKutta4, 0.04, ([MpcKnot::none(); STAGES], along()));
    assert!(error.map(drop).unwrap_err().to_string().contains("R, the number of limits"));
    let mut mpc = controller(&cart, 0.04)?;
    assert!(matches!(mpc.bound("rial", 0.0, 1.0), Err(MpcError::Name(_))));
    // a state that is no number leaves the plan alone
    let mut bad = upright(&cart);
    bad.v.set_th(f64::NAN);
    let seen = |plan: &[Along<CartPole>]| plan.iter().map(|along| (along.x.q, along.x.v, along.u)).collect::<Vec<_>>();
    let before = seen(mpc.plan());
    let error = mpc.control(&bad).unwrap_err().to_string();
    assert!(error.contains("der(th)"), "{error}");
    assert!(before == seen(mpc.plan()));
    bad = upright(&cart);
    bad.t = f64::NAN;
    assert!(mpc.control(&bad).unwrap_err().to_string().contains("time of the state"));
    // beyond the rail: refused by name, or made good at a price
    let mut out = upright(&cart);
    out.q.set_x(0.5);
    let error = mpc.control(&out).unwrap_err();
    assert!(error.to_string().contains("`rail`"), "{error}");
    mpc.soften("rail", Some(Slack { linear: 10.0, quadratic: 0.0 }))?;
    assert!(mpc.control(&out)?.u().abs() <= 6.0 + 1e-9);
    // other bounds hold from then on
    let mut mpc = controller(&cart, 0.04)?;
    mpc.bound("u", -1.0, 1.0)?;
    mpc.bound("pull", -0.5, 0.5)?;
    let mut aside = upright(&cart);
    aside.q.set_x(0.2);
    mpc.solve(&aside, 1e-9, 50)?;
    assert!(mpc.plan().iter().any(|stage| (stage.u.u() + stage.x.v.x()).abs() > 0.5 - 1e-7));
    assert!(mpc.plan().iter().take(STAGES).all(|stage| (stage.u.u() + stage.x.v.x()).abs() < 0.5 + 1e-7));
    // a guess that no step begins at
    mpc.plan_mut()[3].x.q.set_x(f64::NAN);
    let error = mpc.control(&upright(&cart)).unwrap_err();
    assert!(matches!(error, MpcError::Model { stage: Some(3), .. }) && error.to_string().contains("`x`"), "{error}");
    Ok(())
}
