//! Steps that a user writes: along screws, beside the optima of other programs, and differentiated.

use ode_model::control::{Ddp, InteriorPoint, Known, Nlp, OptimalControl, OwnStep, OwnSteps, PlanError, Screw};
use ode_model::integrators::SemiExplicitEuler;
use ode_model::prelude::*;
use ode_model::{Dual, F64x8, Scalar, StepHessian, StepMap};
use ode_model_optimal::{Quadrotor, differences, flight};

/// What IPOPT and fatrop relax bounds by.
const RELAXED: f64 = 1e-8;

/// In a thread with room for numbers with eight derivatives.
fn large(run: impl FnOnce() -> Result<(), PlanError> + Send + 'static) -> Result<(), PlanError> {
    let thread = std::thread::Builder::new().stack_size(16 << 20).spawn(run);
    thread.expect("a thread").join().expect("no failure")
}

#[test]
fn a_quadrotor_flies_along_screws() -> Result<(), PlanError> {
    large(|| {
        let quadrotor = Quadrotor::<f64>::default();
        // one number after another takes less without optimisation
        let dual = quadrotor.cast::<Dual<f64>>();
        let screw = Screw::of(&quadrotor, [("r", "q")])?;
        let problem = flight(&quadrotor, RELAXED)?;
        let steps = OwnSteps::exact(&quadrotor, &dual, screw.clone())?;
        let plan = InteriorPoint::<_, 12, 4>::of(&problem, steps)?.tolerance(1e-11).solve()?;
        // IPOPT and fatrop through CasADi 3.8, in velocities of the body
        assert!((plan.cost / 1.853_813_006_077_663_2 - 1.0).abs() < 3e-9, "{}", plan.cost);
        // Crocoddyl 3.1, with bounds as they are
        let problem = flight(&quadrotor, 0.0)?.guess(&plan.states, &plan.inputs)?;
        let eight = quadrotor.cast::<Dual<f64, F64x8>>();
        let plan = Ddp::<_, 12, 4>::of(&problem, OwnSteps::exact(&quadrotor, &eight, screw)?)?.solve()?;
        assert!((plan.cost / 1.853_813_011_184_007 - 1.0).abs() < 1e-8, "{}", plan.cost);
        Ok(())
    })
}

/// `cargo test --release -p ode-model-optimal -- --ignored`
#[test]
#[ignore = "takes a minute without optimisation"]
fn so_does_dynamic_programming_from_rest() -> Result<(), PlanError> {
    large(|| {
        let quadrotor = Quadrotor::<f64>::default();
        let dual = quadrotor.cast::<Dual<f64, F64x8>>();
        let steps = OwnSteps::exact(&quadrotor, &dual, Screw::of(&quadrotor, [("r", "q")])?)?;
        let plan = Ddp::<_, 12, 4>::of(&flight(&quadrotor, 0.0)?, steps)?.solve()?;
        assert!((plan.cost / 1.853_813_011_184_007 - 1.0).abs() < 1e-8, "{}", plan.cost);
        Ok(())
    })
}

model! {
    /// A body whose rate is about the axes of the world, a wheel, a slider and a tank, all coupled.
    #[model(derive(Clone, Debug))]
    pub struct Puck<T> {
        coord (wheel, rate): SO2;
        coord x: Real;
        coord (b, w): SE3;
        coord r: Vec3;
        coord (p, spin): SO3<World>;
        input u: Real = 0.4;
        input s: Real = -0.3;
        state z: Real;
        der(z) = u - z * x;
        let arm = p.rotate(vec3(0.2, 0.1, 0.3));
        let tip = b.at(vec3(0.1, -0.2, 0.3));
        kinetic = 0.5 * sq(rate + 0.3 * spin.x) + 0.7 * sq(der(x)) + 0.6 * der(r).dot(der(r)) + 0.4 * spin.dot(spin)
            + 0.2 * sq(arm.x * der(x)) + 0.8 * w[0].dot(w[0]) + 0.3 * w[1].dot(w[1]) + 0.1 * sq(w[1].x);
        potential = 2.0 * (r + arm).dot(r + arm) + cos(x) + arm.z * x + 1.5 * tip.dot(tip) + wheel.angle * tip.z;
        force push on x = u;
        torque turn on p = vec3(s, 0.2 * u, z);
        force pull on tip = vec3(u, z, s * u);
        init x = 0.3;
        init r = vec3(0.1, -0.2, 0.4);
        init der(r) = vec3(1.0, 0.3, -0.4);
        init spin = vec3(0.8, -1.5, 2.0);
        init b.origin = vec3(0.2, 0.1, -0.3);
        init w = [vec3(0.5, 0.1, -0.6), vec3(1.5, -0.7, 0.9)];
        init z = 0.2;
        cost energy = spin.dot(spin) * sq(1.0 + u) + arm.x * der(x) * s + w[0].dot(w[1]) + z * wheel.angle;
        residual effort = vec2(u, s);
    }
}

/// Steps that add nothing to those of the semi-explicit Euler method.
struct Nothing;

impl OwnStep for Nothing {
    fn step<T: Scalar>(&self, _: Known<'_, T>, _: &mut [T], _: &mut [T]) {}
}

/// Something that depends on all that is known.
struct Odd;

impl OwnStep for Odd {
    fn step<T: Scalar>(&self, from: Known<'_, T>, q: &mut [T], v: &mut [T]) {
        let h = T::from_f64(from.h);
        q[2] += h * (from.v[0] * from.a[3] + from.q[1] * from.q[2]).sin();
        v[1] += h * h * from.a[1] * from.a[1] * from.v[2];
    }
}

/// A step that is not one.
struct Broken(f64);

impl OwnStep for Broken {
    fn step<T: Scalar>(&self, _: Known<'_, T>, q: &mut [T], v: &mut [T]) {
        q[3] += T::from_f64(self.0);
        v[0] = v[0] / T::from_f64(self.0.min(1.0));
    }
}

fn spun(puck: &Puck<f64>) -> Result<OptimalControl<'_, Puck<f64>>, PlanError> {
    OptimalControl::of(puck, 0.6, 2)?.running("energy")?.running("effort")?.at_end("energy")
}

#[test]
fn derivatives_agree_with_differences() -> Result<(), PlanError> {
    let puck = Puck::<f64>::default();
    let dual = puck.cast::<Dual<f64>>();
    differences::<_, 29, 2>(&spun(&puck)?, OwnSteps::exact(&puck, &dual, Odd)?)?;
    // a body in a model with other coordinates, by both kinds of rates
    let screw = Screw::of(&puck, [("r", "p"), ("b", "b")])?;
    differences::<_, 29, 2>(&spun(&puck)?, OwnSteps::exact(&puck, &dual, screw)?)
}

/// Each of the variables of a programme that turns a body by more than half a turn, and no other, is refused by name.
#[test]
fn a_programme_names_what_turns_too_far() -> Result<(), PlanError> {
    let puck = Puck::<f64>::default();
    let problem = OptimalControl::of(&puck, 0.6, 2)?.running("effort")?;
    let mut nlp = Nlp::<_, 29, 2>::of(&problem, OwnSteps::of(&puck, Nothing)?)?;
    let guess = nlp.guess();
    let mut refused = Vec::new();
    for i in 0..guess.len() {
        let mut w = guess.clone();
        w[i] += 3.3;
        if let Err(error) = nlp.objective(&w) {
            assert!(error.to_string().contains("half a turn or more along `"), "{error}");
            refused.push(nlp.variables()[i].to_string());
        }
    }
    // two nodes, two bodies, three directions
    assert_eq!(refused.len(), 12, "{refused:?}");
    assert!(nlp.objective(&guess)?.is_finite());
    Ok(())
}

#[test]
fn nothing_is_the_semi_explicit_method() -> Result<(), PlanError> {
    let puck = Puck::<f64>::default();
    let dual = puck.cast::<Dual<f64>>();
    let euler = SemiExplicitEuler::explicit();
    let problem = OptimalControl::of(&puck, 0.6, 6)?.running("effort")?.at_node(3, "energy", 0.1)?;
    let pair = (StepMap::of(&puck, euler, &[])?, StepHessian::of(&dual, euler)?);
    let wanted = InteriorPoint::<_, 29, 2>::of(&problem, pair)?.solve()?;
    let found = InteriorPoint::<_, 29, 2>::of(&problem, OwnSteps::exact(&puck, &dual, Nothing)?)?.solve()?;
    assert!((found.cost - wanted.cost).abs() < 1e-11 * wanted.cost.abs(), "{} {}", found.cost, wanted.cost);
    assert_eq!(found.iterations.len(), wanted.iterations.len());
    // without second derivatives of the motion
    let problem = OptimalControl::of(&puck, 0.6, 6)?.running("effort")?;
    let found = InteriorPoint::<_, 29, 2>::of(&problem, OwnSteps::of(&puck, Nothing)?)?.solve()?;
    assert!(found.cost.abs() < 1e-12, "{}", found.cost);
    Ok(())
}

model! {
    /// A model of first order.
    #[model(order = 1, derive(Clone, Debug))]
    pub struct Syrup {
        coord x: Real;
        input u: Real;
        mass x = 2.0;
        force push on x = u;
        residual effort = u;
    }
}

model! {
    /// A point of the sphere.
    #[model(derive(Clone, Debug))]
    pub struct Needle {
        coord (d, w): S2;
        input u: Real;
        kinetic = 0.5 * w.dot(w) * (1.0 + u * 0.0);
        residual effort = u;
    }
}

model! {
    /// A free body three times, each in other coordinates, and lists of coordinates.
    #[model(derive(Clone, Debug))]
    pub struct Triplets<T> {
        param j: Vec3 = vec3(0.2, 0.5, 0.9);
        input u: Real;
        coord (b, bw): SE3;
        coord r: Vec3;
        coord (p, pw): SO3;
        coord s: Vec3;
        coord (o, ow): SO3<World>;
        coord many: [Vec3; 2];
        coord (turns, rates): [SO3; 2];
        let own = o.inv().rotate(ow);
        kinetic = 0.5 * der(r).dot(der(r)) + 0.5 * der(s).dot(der(s)) + 0.5 * bw[0].dot(bw[0]);
        kinetic = 0.5 * pw.dot(diag(j.x, j.y, j.z) * pw) + 0.5 * own.dot(diag(j.x, j.y, j.z) * own)
            + 0.5 * bw[1].dot(diag(j.x, j.y, j.z) * bw[1]);
        for i in 0..2 { kinetic = 0.5 * der(many[i]).dot(der(many[i])) + 0.5 * rates[i].dot(rates[i]); }
        potential = 9.81 * (r.z + s.z + b.origin.z);
        force push on many[0].x = u;
        init der(r) = vec3(1.0, -0.4, 0.3);
        init der(s) = vec3(1.0, -0.4, 0.3);
        init bw = [vec3(1.0, -0.4, 0.3), vec3(1.2, -2.0, 0.7)];
        init pw = vec3(1.2, -2.0, 0.7);
        init ow = vec3(1.2, -2.0, 0.7);
        residual effort = u;
    }
}

/// The velocity of an `SE3` is that of its origin along the axes of the world, as that of a `Vec3`.
#[test]
fn a_body_moves_alike_in_all_coordinates() -> Result<(), PlanError> {
    large(|| {
        let bodies = Triplets::<f64>::default();
        let screw = Screw::of(&bodies, [("b", "b"), ("r", "p"), ("s", "o")])?;
        let problem = OptimalControl::of(&bodies, 0.5, 5)?.running("effort")?;
        let plan = Ddp::<_, 60, 1>::of(&problem, OwnSteps::of(&bodies, screw)?)?.solve()?;
        let end = &plan.states[5];
        let (q, v) = (end.q.as_ref(), end.v.as_ref());
        let alike = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(alike(&q[..7], &q[7..14]) && alike(&q[..7], &q[14..21]), "{q:?}");
        let (point, spin) = (&v[..3], &v[3..6]);
        assert!(alike(point, &v[6..9]) && alike(point, &v[12..15]) && alike(spin, &v[9..12]), "{v:?}");
        assert!((point[0] - 1.0).abs() > 0.01, "{v:?}");
        for (names, wrong) in [(("many", "p"), "many"), (("r", "turns"), "turns")] {
            let error = Screw::of(&bodies, [names]).unwrap_err().to_string();
            assert!(error.contains(&format!("`{wrong}`")), "{error}");
        }
        Screw::of(&bodies, [("many[1]", "turns[0]")])?;
        Ok(())
    })
}

#[test]
fn what_is_no_step_is_refused() -> Result<(), PlanError> {
    let error = OwnSteps::of(&Syrup::default(), Nothing).map(drop).unwrap_err().to_string();
    assert!(error.contains("steps of your own of a model of first order"), "{error}");
    let puck = Puck::<f64>::default();
    for (names, wrong) in [(("x", "p"), "x"), (("r", "x"), "x"), (("r", "wheel"), "wheel"), (("r.x", "p"), "r.x")] {
        let error = Screw::of(&puck, [names]).unwrap_err().to_string();
        assert!(error.contains(&format!("`{wrong}`")), "{error}");
    }
    let problem = OptimalControl::of(&puck, 0.6, 2)?.running("effort")?.free_horizon(0.3, 0.9, 0.1)?;
    let error =
        InteriorPoint::<_, 30, 2>::of(&problem, OwnSteps::of(&puck, Nothing)?).map(drop).unwrap_err().to_string();
    assert!(error.contains("a free horizon by steps of your own"), "{error}");
    let error = OwnSteps::of(&Needle::default(), Nothing).map(drop).unwrap_err().to_string();
    assert!(error.contains("steps of your own of points of the sphere"), "{error}");
    // the ends of steps are checked
    let quadrotor = Quadrotor::<f64>::default();
    let dual = quadrotor.cast::<Dual<f64>>();
    let problem = flight(&quadrotor, 0.0)?;
    for (by, wanted) in
        [(0.1, "`q` is not a rotation"), (0.0, "`der(r.x)` is not finite"), (f64::NAN, "`q.w` is not finite")]
    {
        let steps = OwnSteps::exact(&quadrotor, &dual, Broken(by))?;
        let error = InteriorPoint::<_, 12, 4>::of(&problem, steps)?.solve().unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
    }
    Ok(())
}
